// The judges of the pages, one after the other. Each gives a version and a figure, and throws what is wrong.

import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { firstTimes, known, loading, stale, targets } from "./gates.mjs";
import { headings } from "./headings.mjs";
import { examples, keyboard, tryIt, unsent, withoutScript } from "./journeys.mjs";
import { large } from "./large.mjs";
import { languages } from "./languages.mjs";
import { menu } from "./menu.mjs";
import { context, deadEnds, evenings, sentence, spanish, spanishWords, understood } from "./search.mjs";
import { closing, elsewhere, marked, noState, paper, profileAccess, profilePlaces, reminder, states, tooLate } from "./profile.mjs";
import { booking, defaultVisit, editing, leaves, longNames, offered } from "./visits.mjs";
import { webmcp } from "./webmcp.mjs";

const require = createRequire(import.meta.url);
const [site, ...only] = process.argv.slice(2);
const version = (name) => JSON.parse(readFileSync(join(import.meta.dirname ?? ".", "node_modules", name, "package.json"))).version;

/** One page of each kind, and of each shape that differs. */
const PAGES = [
  "/", "/clinicians", "/clinicians?state=CA&plan=Goldenrod+PPO", "/clinicians?state=CA&plan=Goldenrod+PPO&part=evening&language=Spanish", "/clinicians?state=CA&plan=Aetna", "/clinicians?q=nobody+like+this&state=HI", "/states/ca", "/states/hi", "/plans/goldenrod-ppo", "/visit-types/101",
  "/visit-types/202", "/providers/amara-okonkwo", "/providers/amara-okonkwo?state=TX&plan=Mangrove+HMO", "/providers/yevgenia-sokolik", "/providers/miriam-katzenbach", "/docs",
  "/docs/list-states", "/docs/search-providers", "/docs/get-provider", "/docs/check-availability", "/docs/assistants",
  "/docs/embed", "/docs/content", "/accuracy", "/assistants", "/accessibility", "/no-such-page",
  "/es", "/es/clinicians?state=CA&day=week", "/es/clinicians?q=nadie+como+este&state=HI", "/es/states/ny", "/es/plans/goldenrod-ppo", "/es/visit-types/101", "/es/accuracy",
  "/es/providers/amara-okonkwo?state=CA&plan=Goldenrod+PPO", "/es/providers/miriam-katzenbach", "/es/no-such-page",
];
const LIGHTHOUSE_PAGES = ["/", "/clinicians", "/states/ca", "/providers/amara-okonkwo", "/docs/search-providers", "/es/states/ca"];
// Lighthouse's list of media types for assistants has none for OpenAPI.
const FLOORS = { "agentic-browsing": 98 };
const WEIGHT = 60_000;
// What a page fetches besides when someone types a sentence: its understanding, and the clinic's words.
const SENTENCE = 36_640;

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM,
  headless: true,
  userDataDir: mkdtempSync(join(tmpdir(), "judge-")),
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** Runs a visit for each item, a few at a time: most of a visit is waiting. */
const visitEach = async (items, visit, atOnce = 4) => {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await visit(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

const views = (widths, schemes) =>
  PAGES.flatMap((path) => widths.flatMap((width) => schemes.map((scheme) => ({ path, width, scheme }))));

/** Opens a page as a viewer in Phoenix has it. */
const open = async (path, { width = 1280, height = 900, scheme = "light", scripts = true, bypassCSP = false } = {}) => {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(scripts);
  await page.setBypassCSP(bypassCSP);
  await page.emulateTimezone("America/Phoenix");
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  // Each page is weighed as for a first visit.
  await page.setCacheEnabled(false);
  const noted = { wrong: [], outside: [], parts: [] };
  page.on("pageerror", (error) => noted.wrong.push(error.message));
  page.on("console", (message) => {
    // The 404 page is a 404, and the browser says so.
    const isExpected = path.endsWith("/no-such-page") && message.text().includes("404");
    if (["error", "warn"].includes(message.type()) && !isExpected) noted.wrong.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site) && !url.startsWith("data:")) noted.outside.push(url);
  });
  // What comes over the line: hosts compress texts, and so does this server.
  const line = await page.createCDPSession();
  await line.send("Network.enable");
  const urls = new Map();
  line.on("Network.responseReceived", ({ requestId, response: { url, encodedDataLength } }) => urls.set(requestId, { url, head: encodedDataLength }));
  line.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const { url, head } = urls.get(requestId) ?? { url: "data:" };
    // The page with its styles, scripts, font and portraits: neither answers nor the script with which dev's pages follow an edit.
    const isPart = url.startsWith(site) && !["/.nameplate/", "/v1/"].some((stem) => url.includes(stem));
    if (isPart) noted.parts.push(encodedDataLength - head);
  });
  await page.goto(site + path, { waitUntil: "networkidle0" });
  return { page, noted };
};

const judges = {
  async axe() {
    const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    const wrong = [];
    const all = views([390, 1440], ["light", "dark"]);
    await visitEach(all, async ({ path, width, scheme }) => {
      const { page } = await open(path, { width, scheme, bypassCSP: true });
      await page.evaluate(source);
      await page.evaluate(() => document.querySelectorAll("main details").forEach((details) => (details.open = true)));
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      wrong.push(...violations.map(({ id, nodes }) => `${path} ${width} ${scheme}: ${id}: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary ?? ""}`));
      await page.close();
    });
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
    return [version("axe-core"), `no violation on ${PAGES.length} pages, ${all.length} runs`];
  },

  async clean() {
    const wrong = [];
    let heaviest = 0;
    await visitEach(views([360, 1280], ["light"]), async ({ path, width }) => {
      const { page, noted } = await open(path, { width });
      const overflows = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (overflows) wrong.push(`${path} ${width}: wider than the window`);
      wrong.push(...noted.wrong.map((text) => `${path}: ${text}`), ...noted.outside.map((url) => `${path}: asks ${url}`));
      const weight = noted.parts.reduce((sum, bytes) => sum + bytes, 0);
      if (weight > WEIGHT + (path.includes("q=") ? SENTENCE : 0)) wrong.push(`${path}: weighs ${weight} bytes`);
      heaviest = Math.max(heaviest, weight);
      await page.close();
    });
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
    return [(await browser.version()).split("/")[1], `no console error, no outside request, no overflow; at most ${heaviest} bytes a page`];
  },

  async "html-validate"() {
    const { HtmlValidate, StaticConfigLoader } = await import("html-validate");
    const validate = new HtmlValidate(new StaticConfigLoader({ extends: ["html-validate:standard", "html-validate:a11y"] }));
    const wrong = [];
    for (const path of PAGES) {
      const text = await (await fetch(site + path)).text();
      const report = await validate.validateString(text, path);
      wrong.push(...report.results.flatMap(({ messages }) => messages.map(({ line, message, ruleId }) => `${path}:${line} ${ruleId}: ${message}`)));
    }
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
    return [version("html-validate"), `${PAGES.length} pages valid`];
  },

  async linkinator() {
    const { LinkChecker } = await import("linkinator");
    const outside = (link) => Promise.resolve(!link.startsWith(site));
    const { links } = await new LinkChecker().check({ path: site, recurse: true, concurrency: 10, linksToSkip: outside });
    const broken = links.filter(({ state }) => state === "BROKEN").map(({ url, parent, status }) => `${parent} -> ${url}: ${status}`);
    if (broken.length > 0) throw new Error(broken.join("\n"));
    return [version("linkinator"), `${links.filter(({ state }) => state === "OK").length} links, none dead`];
  },

  async lighthouse() {
    const { default: lighthouse, desktopConfig } = await import("lighthouse");
    const port = Number(new URL(browser.wsEndpoint()).port);
    const lowest = {};
    const wrong = [];
    for (const path of LIGHTHOUSE_PAGES) {
      for (const config of [undefined, desktopConfig]) {
        // Lighthouse does not know the line Agentmap of robots.txt, by which assistants find the clinic's card.
        const flags = { port, output: "json", logLevel: "silent", skipAudits: ["robots-txt"] };
        // The best time of three visits is what the page can do. Findings stay.
        let best;
        for (let visit = 0; visit < 3 && !(best?.performance.score >= 0.95); visit += 1) {
          const { lhr } = await lighthouse(site + path, flags, config);
          if (!best || lhr.categories.performance.score > best.performance.score) best = { ...lhr.categories, audits: lhr.audits };
        }
        const { audits, ...categories } = best;
        for (const [name, { score, auditRefs }] of Object.entries(categories)) {
          const figure = Math.round((score ?? 0) * 100);
          lowest[name] = Math.min(lowest[name] ?? 100, figure);
          // Times are those of a machine that others use, too: they are printed, and only shifts fail. Bytes are held in `clean`.
          const held = name === "performance" ? Math.round(audits["cumulative-layout-shift"].score * 100) : figure;
          if (held < (FLOORS[name] ?? 100)) {
            const why = auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id].score ?? 1) < 1).map(({ id }) => id);
            wrong.push(`${path} ${config ? "desktop" : "mobile"}: ${name} ${figure} (${why.join(", ")})`);
          }
        }
      }
    }
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
    return [version("lighthouse"), `at least ${Object.entries(lowest).map(([name, figure]) => `${name} ${figure}`).join(", ")}`];
  },

  keyboard: () => keyboard(open),
  unsent: () => unsent(open),
  "without-script": () => withoutScript(open),
  "try-it": () => tryIt(open, site),
  examples: () => examples(open, site),
  "search-sentence": () => sentence(open, site),
  "search-spanish": () => spanish(open, site),
  "spanish-words": () => spanishWords(open),
  understood: () => understood(open, site),
  languages: () => languages(open, site),
  menu: () => menu(open),
  "search-evenings": () => evenings(open),
  headings: () => headings(open, site),
  "search-dead-ends": () => deadEnds(open, site),
  "search-context": () => context(open, site),
  "first-times": () => firstTimes(open),
  targets: () => targets(open),
  loading: () => loading(open, site),
  stale: () => stale(open, site),
  "openings-known": () => known(open, site),
  "search-large": () => large(open, site),
  "default-visit": () => defaultVisit(open),
  "visit-offered": () => offered(open, site),
  "profile-places": () => profilePlaces(open),
  "profile-access": () => profileAccess(open),
  "profile-states": () => states(open, site),
  "profile-no-state": () => noState(open),
  "profile-elsewhere": () => elsewhere(open, site),
  "profile-too-late": () => tooLate(open),
  "profile-marked": () => marked(open, site),
  "profile-closing": () => closing(open),
  "profile-paper": () => paper(open),
  reminder: () => reminder(open),
  booking: () => booking(browser),
  "long-names": () => longNames(browser),
  editing: () => editing(browser),
  leaves: () => leaves(browser),
  webmcp: () => webmcp(browser, site),
};

let failed = false;
for (const [name, judge] of Object.entries(judges)) {
  if (only.length > 0 && !only.includes(name)) continue;
  // A busy machine can starve the browser for longer than it waits for a page. What is really wrong is found twice.
  const found = [];
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const [made, figure] = await judge();
      const before = found.map((message) => ` (at the second attempt; the first: ${message.split("\n")[0].slice(0, 200)})`).join("");
      console.log(`pages/${name} ${made} PASSED ${figure}${before}`);
      break;
    } catch (error) {
      found.push(error.message);
    }
  }
  if (found.length > 1) {
    failed = true;
    console.log(`pages/${name} - FAILED ${found[1].split("\n").length} finding(s)\n${found[1]}`);
  }
}
await browser.close();
process.exitCode = failed ? 1 : 0;
