// The judges of the elements for other websites: on a page of another origin, under the strictest policies, and with an
// API that fails, waits or answers with markup.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import puppeteer from "puppeteer-core";
import { modelContext } from "./webmcp.mjs";

const require = createRequire(import.meta.url);
const [api, ...only] = process.argv.slice(2);
const LARGEST = 7 * 1024;
const MARKUP = "<img src=x onerror='globalThis.hurt=1'><script>globalThis.hurt=1</script>";
const STRICT = {
  "content-security-policy": `default-src 'none'; script-src ${api}; connect-src ${api}; img-src ${api}; require-trusted-types-for 'script'; trusted-types 'none'`,
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-opener-policy": "same-origin",
};

const listen = (handler) => new Promise((resolve) => {
  const server = createServer(handler).listen(0, "127.0.0.1", () => resolve({ server, origin: `http://127.0.0.1:${server.address().port}` }));
});

/** The pages of this run, by path. */
const pages = new Map();
const host = await listen((request, response) => {
  const { html, headers } = pages.get(request.url) ?? { html: "", headers: {} };
  response.writeHead(html ? 200 : 404, { "content-type": "text/html; charset=utf-8", ...headers }).end(html);
});

/** Each text of an answer that people write, as markup. */
const hostile = (value, key = "") => {
  if (Array.isArray(value)) return value.map((item) => hostile(item, key));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hostile(item, key)]));
  return ["displayName", "credentials", "bio", "clinicalInterests"].includes(key) ? `${MARKUP}${value}` : value;
};

/** The API with a fault, which the first segment of the path names. */
const asked = [];
const faulty = await listen(async (request, response) => {
  const [, fault, path] = request.url.match(/^\/(\w+)(\/v1\/.*)$/) ?? [];
  const cors = { "access-control-allow-origin": "*", "access-control-expose-headers": "*", "content-type": "application/json" };
  asked.push({ fault, headers: request.headers });
  if (fault === "dead") return response.writeHead(503, cors).end('{"code":"OVERLOADED","message":"later"}');
  if (fault === "silent") return;
  if (fault === "late" && path.startsWith("/v1/availability")) return response.writeHead(503, cors).end('{"code":"AVAILABILITY_UNAVAILABLE","message":"unknown"}');
  const answer = await fetch(api + path);
  const body = fault === "hostile" ? JSON.stringify(hostile(await answer.json())) : await answer.text();
  const stale = { "availability-status": "stale", "availability-as-of": "2026-11-21T11:00:00Z" };
  const booking = { "link-template": '"https://book.example/{providerSlug}{?startTime,appointmentType,state}"; rel="https://schema.org/ReserveAction"' };
  response.writeHead(answer.status, { ...cors, ...(fault === "stale" && stale), ...(fault === "booking" && booking) }).end(body);
});

const registered = (page, count) => page.waitForFunction((count) => tools.size === count, {}, count);

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM,
  headless: true,
  userDataDir: mkdtempSync(join(tmpdir(), "judge-")),
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const LATEST = `<script type="module" src="${api}/v1/elements.js"></script>`;
const FALLBACK = '<a href="https://clinic.example/">Fallback</a>';

/** Opens a page of another origin with these elements, as a viewer in Phoenix has it. */
const open = async (body, { head = LATEST, lang = "en", headers = {}, width = 1000, scheme = "light", scripts = true, bypassCSP = false, before } = {}) => {
  const path = `/${pages.size}`;
  pages.set(path, { headers, html: `<!DOCTYPE html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>A website</title>${head}</head><body><main><h1>A website</h1><h2>Its clinicians</h2>${body}</main></body></html>` });
  const page = await browser.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && wrong.push(message.text()));
  await page.setJavaScriptEnabled(scripts);
  await page.setBypassCSP(bypassCSP);
  await page.emulateTimezone("America/Phoenix");
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setViewport({ width, height: 900 });
  if (scripts) {
    await page.evaluateOnNewDocument(() => {
      globalThis.events = [];
      for (const name of ["load", "error", "select"]) addEventListener(`nameplate-${name}`, (event) => events.push({ name, detail: event.detail }));
    });
  }
  if (before) await page.evaluateOnNewDocument(before);
  await page.goto(host.origin + path, { waitUntil: "load" });
  return { page, wrong };
};

const events = (page, name, count = 1, timeout = 15_000) =>
  page.waitForFunction((name, count) => events.filter((event) => event.name === name).length >= count, { timeout }, name, count);

/** What an element shows in its shadow, or that it shows what stands inside it. */
const shown = (page, selector) => page.$eval(selector, (element) => ({
  isFallback: element.shadowRoot.querySelector("slot") !== null,
  text: element.shadowRoot.textContent,
  cards: element.shadowRoot.querySelectorAll("[part=card]").length,
  slots: [...element.shadowRoot.querySelectorAll("[part=slot]")].map((slot) => slot.href),
  portraits: [...element.shadowRoot.querySelectorAll("img")].map((image) => image.complete && image.naturalWidth > 0),
}));

const ALL = `<nameplate-providers state="CA" next limit="4">${FALLBACK}</nameplate-providers>
  <nameplate-next-available state="CA"></nameplate-next-available>
  <nameplate-profile slug="amara-okonkwo" state="AZ"></nameplate-profile>`;

const pinned = async () => {
  const html = await (await fetch(`${api}/docs/embed`)).text();
  const [, path, integrity] = html.match(/(\/v1\/elements\/[\d.]+\.js)&quot; integrity=&quot;(sha384-[\w+/=]+)/);
  return { path, integrity };
};

const judges = {
  async size() {
    const [latest, { path }] = [await (await fetch(`${api}/v1/elements.js`)).text(), await pinned()];
    const zipped = gzipSync(latest, { level: 9 }).length;
    assert.ok(zipped <= LARGEST, `${zipped} bytes`);
    assert.equal(await (await fetch(api + path)).text(), latest, "the newest version has both paths");
    return `${zipped} bytes gzip, ${latest.length} plain`;
  },

  async strict() {
    const { path, integrity } = await pinned();
    const head = `<script type="module" src="${api}${path}" integrity="${integrity}" crossorigin></script>`;
    const { page, wrong } = await open(ALL, { head, headers: STRICT });
    await events(page, "load", 3);
    await page.waitForNetworkIdle();
    for (const name of ["providers", "next-available", "profile"]) {
      const { cards, slots, portraits, isFallback } = await shown(page, `nameplate-${name}`);
      assert.ok(cards > 0 && slots.length > 0 && !isFallback, name);
      assert.ok(portraits.length > 0 && portraits.every(Boolean), `${name}: portraits ${portraits}`);
    }
    assert.deepEqual(wrong, []);
    await page.close();
    const other = `<script type="module" src="${api}${path}" integrity="sha384-${"A".repeat(64)}" crossorigin></script>`;
    const { page: refused } = await open(ALL, { head: other, headers: STRICT });
    assert.equal(await refused.$eval("nameplate-providers", (element) => element.shadowRoot), null, "another hash is refused");
    await refused.close();
    return "policies of the API's origin alone, Trusted Types, COEP and SRI";
  },

  async fallbacks() {
    const { page: plain } = await open(ALL, { scripts: false });
    assert.ok((await plain.$eval("nameplate-providers", (element) => element.innerText)).includes("Fallback"));
    await plain.close();
    const { page } = await open(["dead", "silent"].map((fault) => `<nameplate-providers id="${fault}" api="${faulty.origin}/${fault}">${FALLBACK}</nameplate-providers><nameplate-providers id="${fault}-empty" api="${faulty.origin}/${fault}/"></nameplate-providers>`).join(""));
    assert.match((await shown(page, "#silent-empty")).text, /^Loading…$/);
    await events(page, "error", 4);
    for (const fault of ["dead", "silent"]) {
      assert.ok((await shown(page, `#${fault}`)).isFallback, fault);
      assert.match((await shown(page, `#${fault}-empty`)).text, /^This can't be shown right now\./);
    }
    const [{ detail }] = await page.evaluate(() => events);
    assert.deepEqual(detail, { message: "later", status: 503, code: "OVERLOADED" });
    await page.close();
    const sent = asked.filter(({ fault }) => fault === "dead");
    assert.ok(sent.length === 2 && sent.every(({ headers }) => !headers.cookie && !headers.referer), "no cookie, no referrer");
    return "no script, 503 and silence";
  },

  async late() {
    const { page } = await open(`<nameplate-providers id="late" api="${faulty.origin}/late" state="CA" next></nameplate-providers>
      <nameplate-profile id="lost" api="${faulty.origin}/late" slug="amara-okonkwo" state="AZ"></nameplate-profile>
      <nameplate-next-available id="stale" api="${faulty.origin}/stale" state="CA"></nameplate-next-available>
      <nameplate-next-available id="plan" state="CA" insurance="Bluebonnet Trail PPO"></nameplate-next-available>
      <nameplate-next-available id="booking" api="${faulty.origin}/booking" state="CA" appointment-type="101"></nameplate-next-available>`);
    await events(page, "load", 5);
    assert.equal((await shown(page, "#plan")).text, "Bluebonnet Trail PPO isn't accepted here in California.");
    for (const id of ["#late", "#lost"]) {
      const { cards, slots, text } = await shown(page, id);
      assert.ok(cards > 0 && slots.length === 0 && text.includes("Openings can't be shown"), `${id}: ${text}`);
    }
    const stale = await shown(page, "#stale");
    assert.match(stale.text, /Mountain Standard Time.*Last confirmed Sat, Nov 21, 4:00\sAM\. Some openings may be taken/);
    const [booked] = (await shown(page, "#booking")).slots;
    assert.match(booked, /^https:\/\/book\.example\/[a-z-]+\?startTime=\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A00Z&appointmentType=101&state=CA$/);
    await page.close();
    return `without times, stale, and booked at ${new URL(booked).host}`;
  },

  async hostile() {
    const { page, wrong } = await open(`<nameplate-providers api="${faulty.origin}/hostile" state="CA" next></nameplate-providers><nameplate-profile api="${faulty.origin}/hostile" slug="amara-okonkwo" state="AZ" labels='{"next": "${MARKUP.replaceAll("'", "&#39;").replaceAll("<", "&lt;")}"}'></nameplate-profile>`);
    await events(page, "load", 2);
    for (const name of ["nameplate-providers", "nameplate-profile"]) {
      assert.ok((await shown(page, name)).text.includes(MARKUP), name);
      assert.equal(await page.$eval(name, (element) => element.shadowRoot.querySelectorAll("script, [onerror]").length), 0);
    }
    assert.equal(await page.evaluate(() => globalThis.hurt), undefined);
    assert.deepEqual(wrong, []);
    await page.close();
    return "markup in texts stays text";
  },

  async behaviour() {
    const { path } = await pinned();
    const twice = `${LATEST}<script type="module" src="${api}${path}"></script>`;
    const { page, wrong } = await open(`<nameplate-next-available state="CA"></nameplate-next-available><p style="height: 3000px"></p><nameplate-profile id="far" slug="amara-okonkwo" state="AZ" booking-url="https://book.example/{providerSlug}{?startTime,appointmentType,state}"></nameplate-profile>`, { head: twice });
    await events(page, "load");
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.match((await shown(page, "#far")).text, /Loading/, "an element out of sight waits");
    await page.evaluate(() => addEventListener("nameplate-select", (event) => event.preventDefault()));
    const before = page.url();
    await page.$eval("nameplate-next-available", (element) => element.shadowRoot.querySelector("[part=slot]").click());
    await events(page, "select");
    assert.equal(page.url(), before, "a canceled choice leads nowhere");
    const { detail } = (await page.evaluate(() => events)).find(({ name }) => name === "select");
    assert.deepEqual([detail.state, typeof detail.providerSlug, detail.startTime.slice(-1)], ["CA", "string", "Z"]);
    await page.evaluate(() => scrollTo(0, 4000));
    await events(page, "load", 2);
    assert.match((await shown(page, "#far")).slots[0], /^https:\/\/book\.example\/amara-okonkwo\?startTime=[^&]+&state=AZ$/);
    await page.$eval("#far", (element) => element.setAttribute("slug", "jun-nakashima"));
    await events(page, "load", 3);
    assert.match((await shown(page, "#far")).text, /Jun Nakashima/);
    assert.deepEqual(wrong, []);
    await page.close();
    return "registered twice, loaded in sight, choices canceled, attributes followed";
  },

  async mistakes() {
    const { page, wrong } = await open(`<nameplate-profile slug="amara-okonkw">${FALLBACK}</nameplate-profile>
      <nameplate-providers id="unknown" state="Arizonia">${FALLBACK}</nameplate-providers>
      <nameplate-providers id="unserved" state="ID">${FALLBACK}</nameplate-providers>
      <nameplate-next-available state="Idaho">${FALLBACK}</nameplate-next-available>
      <nameplate-providers id="odd" provider-typ="physician" visit-type="101" state="Arizona" data-x="1" x-y="2" class="a" aria-label="b" onclick="" next></nameplate-providers>`);
    await events(page, "error", 4);
    await events(page, "load");
    for (const id of ["nameplate-profile", "#unknown", "#unserved", "nameplate-next-available"]) assert.ok((await shown(page, id)).isFallback, id);
    assert.match((await shown(page, "#odd")).text, /Accepting new patients in AZ/, "a state's name");
    await page.$$eval("nameplate-profile, nameplate-providers, nameplate-next-available", (all) => Promise.all(all.map((one) => one.refresh())));
    const told = wrong.filter((text) => text.startsWith("nameplate:")).map((text) => text.replace(/ \[node .*$/, "")).sort();
    assert.deepEqual(told, [
      'nameplate: "Arizonia" isn\'t a US state (state)',
      'nameplate: no clinician "amara-okonkw" (slug)',
      "nameplate: no clinicians in Idaho yet (state)",
      "nameplate: no clinicians in Idaho yet (state)",
      'nameplate: unknown attribute "provider-typ"',
      'nameplate: unknown attribute "visit-type"',
    ]);
    await page.close();
    return "each mistake reported once, and visitors see the fallback";
  },

  async webmcp() {
    const { page, wrong } = await open(`<nameplate-providers webmcp></nameplate-providers><nameplate-profile webmcp slug="amara-okonkwo"></nameplate-profile>`, { before: modelContext });
    await registered(page, 6);
    const names = ["list_states", "list_insurances", "search_providers", "get_provider", "list_appointment_types", "check_availability"];
    assert.deepEqual(await page.evaluate(() => [...tools.keys()]), names.map((name) => `clinic_${name}`));
    const found = await page.evaluate(() => tools.get("clinic_search_providers").execute({ state: "CA" }));
    assert.deepEqual(found, await (await fetch(`${api}/v1/providers/summary?limit=3&state=CA`)).json());
    await page.$eval("nameplate-providers", (element) => element.remove());
    assert.equal(await page.evaluate(() => tools.size), 6, "another element still offers them");
    await page.$eval("nameplate-profile", (element) => element.removeAttribute("webmcp"));
    await registered(page, 0);
    await page.$eval("nameplate-profile", (element) => element.toggleAttribute("webmcp"));
    await registered(page, 6);
    assert.deepEqual(wrong, []);
    await page.close();
    const { page: none } = await open(`<nameplate-providers></nameplate-providers>`, { before: modelContext });
    await events(none, "load");
    assert.equal(await none.evaluate(() => tools.size), 0, "nothing is offered unasked");
    await none.close();
    return "six tools with the first such element, none after the last";
  },

  async axe() {
    const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    const wrong = [];
    let runs = 0;
    for (const lang of ["en", "es"]) {
      for (const width of [1000, 360]) {
        for (const scheme of ["light", "dark"]) {
          const { page } = await open(ALL, { lang, width, scheme, bypassCSP: true });
          await page.setViewport({ width, height: 4000 });
          await events(page, "load", 3);
          await page.evaluate(source);
          const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
          wrong.push(...violations.map(({ id, nodes }) => `${lang} ${width} ${scheme}: ${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary ?? ""}`));
          if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wrong.push(`${lang} ${width}: wider than the window`);
          if (lang === "es") assert.match((await shown(page, "nameplate-providers")).text, /Acepta pacientes nuevos en CA/);
          runs += 1;
          await page.close();
        }
      }
    }
    assert.deepEqual(wrong, []);
    return `axe-core ${JSON.parse(readFileSync(require.resolve("axe-core/package.json"))).version}, no violation in ${runs} runs at 1000 and 360 px`;
  },
};

const figures = [];
for (const [name, judge] of Object.entries(judges)) {
  if (only.length > 0 && !only.includes(name)) continue;
  try {
    const figure = await judge();
    figures.push(name === "size" ? figure : name);
    console.log(`elements/${name} PASSED ${figure}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`elements/${name} FAILED ${error.message}`);
  }
}
await browser.close();
for (const { server } of [host, faulty]) {
  server.closeAllConnections();
  server.close();
}
if (!process.exitCode) console.log(figures.join(", "));
