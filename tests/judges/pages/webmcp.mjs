// The judge of the tools that pages offer to assistants in the browser (WebMCP), with a stand-in for the browser's part.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";

const LARGEST = 1536;

/** A stand-in for the browser's part: it keeps what is registered, and drops it with its signal. */
export const modelContext = () => {
  globalThis.tools = new Map();
  const registerTool = async (tool, { signal }) => {
    if (tools.has(tool.name)) throw new DOMException(tool.name, "InvalidStateError");
    tools.set(tool.name, tool);
    signal.addEventListener("abort", () => tools.delete(tool.name));
  };
  Object.defineProperty(document, "modelContext", { value: { registerTool } });
};

/** Calls a tool; an execution that throws gives its error's name. */
const call = (page, name, given) =>
  page.evaluate((name, given) => tools.get(name).execute(given).catch((error) => ({ thrown: error.name })), name, given);

export const webmcp = async (browser, site) => {
  const scripts = await Promise.all(["webmcp", "tools"].map(async (name) => (await fetch(`${site}/assets/${name}.js`)).text()));
  const zipped = gzipSync(scripts.join(""), { level: 9 }).length;
  assert.ok(zipped <= LARGEST, `${zipped} bytes`);
  const answer = async (path) => (await fetch(site + path)).json();

  const page = await browser.newPage();
  await page.evaluateOnNewDocument(modelContext);
  for (const path of ["/", "/es/clinicians", "/docs", "/no-such-page"]) {
    await page.goto(site + path);
    await page.waitForFunction(() => tools.size === 6);
  }
  for (const tool of await page.evaluate(() => [...tools.values()])) {
    assert.deepEqual(tool.annotations, { readOnlyHint: true, untrustedContentHint: true });
    assert.deepEqual([tool.inputSchema.type, tool.inputSchema.additionalProperties], ["object", false]);
    assert.ok(tool.title && tool.description.length <= 500 && !("path" in tool) && !("exposedTo" in tool), tool.name);
  }
  const calls = [
    ["list_states", undefined, "/v1/states"],
    ["list_insurances", { state: "Arizona" }, "/v1/insurances?state=Arizona"],
    ["search_providers", { state: "CA", limit: null, q: null }, "/v1/providers/summary?limit=3&state=CA"],
    ["search_providers", { view: "profile", limit: 1, offset: 2 }, "/v1/providers?limit=1&offset=2"],
    ["get_provider", { slug: "amara-okonkwo" }, "/v1/providers/amara-okonkwo"],
    ["list_appointment_types", {}, "/v1/appointment-types"],
    ["check_availability", { state: "CA", newPatients: true }, "/v1/availability?state=CA&newPatients=true&limit=10&explain=true"],
  ];
  for (const [name, given, path] of calls) assert.deepEqual(await call(page, name, given), await answer(path), path);

  // The body alone tells that a list is cut or out of date, and how to book: a page gets no header fields.
  const open = await call(page, "check_availability", { state: "CA" });
  assert.deepEqual([open.stale, open.truncated, typeof open.next, open.slots.length], [false, true, "string", 10]);
  assert.ok("phone" in open.booking && open.slots.every(({ providerSlug }) => open.clinicians[providerSlug]));

  const failure = (text) => ({ content: [{ type: "text", text }], isError: true });
  assert.deepEqual(await call(page, "check_availability", { state: "XX" }), failure((await answer("/v1/availability?state=XX")).message));
  assert.deepEqual(await call(page, "get_provider", { slug: "../states" }), failure((await answer("/v1/providers/..%2Fstates")).message));
  await page.setOfflineMode(true);
  assert.match((await call(page, "get_provider", { slug: "jun-nakashima" })).content[0].text, /can't be reached right now/);
  await page.setOfflineMode(false);
  const stopped = await page.evaluate(async () => {
    const stop = new AbortController();
    const running = tools.get("list_states").execute({}, { signal: stop.signal });
    stop.abort();
    return running.then(() => "answered", (error) => error.name);
  });
  assert.equal(stopped, "AbortError");
  const left = await page.evaluate(() => {
    dispatchEvent(new Event("pagehide"));
    return tools.size;
  });
  assert.equal(left, 0, "tools end with their page");
  await page.evaluate(() => dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  await page.waitForFunction(() => tools.size === 6);

  await page.goto(`${site}/clinicians`);
  const form = await page.$eval("form[toolname]", ({ attributes }) => [attributes.toolname.value, attributes.tooldescription.value.length > 20]);
  assert.deepEqual(form, ["find_clinicians", true]);
  await page.close();
  return ["-", `six tools on each page, ${zipped} bytes gzip`];
};
