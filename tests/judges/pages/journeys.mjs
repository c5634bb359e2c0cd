// What a visitor does, from the first page to an open time, and what a developer copies.

import { execFileSync } from "node:child_process";
import assert from "node:assert/strict";

const OPERATIONS = ["list-states", "list-insurances", "search-providers", "get-provider", "list-appointment-types", "check-availability"];

const focused = (page) => page.evaluate(() => {
  const at = document.activeElement;
  return { name: at.name ?? "", text: at.textContent.trim(), id: at.id, tag: at.tagName, href: at.getAttribute("href") ?? "" };
});

/** Presses Tab until something is focused that fits; a person would not go on for ever. */
const tabTo = async (page, fits, most = 60) => {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press("Tab");
    const at = await focused(page);
    if (fits(at)) return at;
  }
  throw new Error(`the keyboard does not get there from ${page.url()}`);
};

/** From the home page to an open time, with keys alone. */
export const keyboard = async (open) => {
  const { page } = await open("/");
  await page.keyboard.press("Tab");
  assert.equal((await focused(page)).text, "Skip to content", "the first stop is the way past the menu");
  await tabTo(page, ({ name }) => name === "state");
  await page.keyboard.type("California");
  await tabTo(page, ({ text }) => text === "See openings");
  await Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.keyboard.press("Enter")]);
  await page.waitForFunction(() => document.querySelector("#list .time"));
  const clinician = await tabTo(page, ({ href }) => href.startsWith("/providers/") && !href.includes("start="));
  assert.match(clinician.href, /state=CA/);
  await Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.keyboard.press("Enter")]);
  await page.waitForSelector(".times .time");
  const state = await page.$eval("#times-state", (field) => field.value);
  assert.equal(state, "CA", "the state that was chosen is still chosen");
  const time = await tabTo(page, ({ text, tag }) => tag === "BUTTON" && /^\d+:\d\d\s[AP]M$/.test(text));
  await page.keyboard.press("Enter");
  await page.waitForSelector("#slot[open]");
  const said = await page.$eval("#slot", (dialog) => dialog.textContent.replaceAll("\u00a0", " "));
  assert.ok(said.includes(time.text) && said.includes("California time (Pacific Time)") && said.includes("Not booked yet"), said);
  await page.keyboard.press("Escape");
  assert.equal(await page.$("#slot[open]"), null, "Escape closes the dialog");
  assert.equal((await focused(page)).text, time.text, "and focus is back at the time");
  await page.close();
  return ["-", `found ${clinician.text} and opened ${time.text}`];
};

/** What is written on the home page is understood on the next one, and no request carries it. */
export const unsent = async (open) => {
  const { page } = await open("/");
  const sent = [];
  page.on("request", (request) => sent.push(request.url().split("#")[0]));
  await page.type("#finder [name=q]", "hot flashes, I live in California");
  await Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.keyboard.press("Enter")]);
  await page.waitForSelector("#list .who");
  const { pathname, search, hash } = new URL(page.url());
  assert.deepEqual([pathname, search, hash], ["/clinicians", "?state=CA&need=Menopause", ""]);
  assert.deepEqual(sent.filter((url) => /flashes|q=/.test(url)), [], "no request has the words");
  // Nor from the page for addresses that don't exist.
  await page.goto(new URL("/no-such-page", page.url()).href, { waitUntil: "networkidle0" });
  await page.type("main [name=q]", "hot flashes");
  await Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.keyboard.press("Enter")]);
  assert.match(page.url(), /\/clinicians\?need=Menopause$/);
  assert.deepEqual(sent.filter((url) => /flashes|q=/.test(url)), [], "nor from there");
  await page.close();
  return ["-", `${sent.length} requests, none with the words`];
};

/** The same without scripts: links lead to a clinician, and the page names the phone. */
export const withoutScript = async (open) => {
  const { page } = await open("/", { scripts: false });
  const follow = (selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);
  await follow('#states a[href="/states/ca"]');
  const name = await page.$eval(".who .name a", (link) => link.textContent);
  await follow(".who .name a");
  const text = await page.$eval("main", (main) => main.textContent);
  assert.ok(text.includes(name) && /To see openings, turn on JavaScript or\s+call \(510\)\s555-0100\./.test(text), text.slice(0, 300));
  await page.close();
  return ["-", `found ${name}, and the phone`];
};

/** The console shows the bytes that curl gets. */
export const tryIt = async (open, site) => {
  let bytes = 0;
  for (const operation of OPERATIONS) {
    const { page } = await open(`/docs/${operation}`);
    await page.click("#try-form [type=submit]");
    await page.waitForSelector("#try-body");
    const shown = await page.$eval("#try-body", (code) => code.textContent);
    const line = await page.$eval(".try-line code", (code) => code.textContent);
    const expected = execFileSync("curl", ["-s", line.replace("GET ", "")]);
    assert.ok(line.startsWith(`GET ${site}/v1/`), line);
    assert.ok(Buffer.from(shown).equals(expected), `${operation}: ${shown.slice(0, 80)}`);
    bytes += expected.length;
    await page.close();
  }
  return ["-", `${OPERATIONS.length} operations, ${bytes} bytes equal to curl's`];
};

/** Each copied example runs unedited and prints what the page shows. */
export const examples = async (open, site) => {
  const runners = {
    curl: (code) => execFileSync("bash", ["-c", code.replace("curl ", "curl -s ")]),
    javascript: (code) => execFileSync("node", ["--input-type=module"], { input: code }),
    python: (code) => execFileSync("python3", ["-"], { input: code }),
  };
  let ran = 0;
  for (const operation of OPERATIONS) {
    const { page } = await open(`/docs/${operation}`);
    for (const [language, run] of Object.entries(runners)) {
      const id = `#${operation.replaceAll("-", "_")}-${language}`;
      const code = await page.$eval(id, (element) => element.textContent);
      const url = code.match(/https?:[^"]+/)[0];
      const expected = await (await fetch(url)).json();
      assert.deepEqual(JSON.parse(run(code)), expected, `${operation} in ${language}`);
      ran += 1;
    }
    await page.close();
  }
  const { page } = await open("/docs/assistants");
  for (const id of ["#mcp-list", "#mcp-call"]) {
    const code = await page.$eval(id, (element) => element.textContent);
    const event = execFileSync("bash", ["-c", code.replace("curl ", "curl -s ")]).toString();
    const data = event.split("\n").find((line) => line.startsWith("data:"));
    const { result } = JSON.parse(data.slice("data:".length));
    assert.ok(id === "#mcp-list" ? result.tools.length === 6 : result.isError === false, event.slice(0, 200));
    ran += 1;
  }
  for (const id of ["#mcp-cursor", "#mcp-vs-code"]) {
    JSON.parse(await page.$eval(id, (element) => element.textContent));
  }
  assert.equal(await page.$eval("#mcp-address", (element) => element.textContent), `${site}/api/mcp`);
  await page.close();
  return ["-", `${ran} ran unedited`];
};
