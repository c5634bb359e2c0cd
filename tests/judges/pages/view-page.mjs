// What the judges of the view share: the host's page, what an assistant sends to the view, and what the view shows.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { serve } from "./view-host.mjs";

const [api] = process.argv.slice(2);
const { MODULES } = process.env;
if (!MODULES) {
  console.log("view - SKIPPED MODULES does not name a folder with @modelcontextprotocol/ext-apps");
  process.exit(0);
}

export const ALL = { serverTools: {}, openLinks: {}, message: { text: {} }, updateModelContext: { text: {} } };
export const PHOENIX = { theme: "light", locale: "en-US", timeZone: "America/Phoenix", containerDimensions: { maxHeight: 4000 } };
export const MARKUP = "<img src=x onerror='globalThis.hurt=1'><script>globalThis.hurt=1</script>";
export const BOOKING = "https://book.example/{providerSlug}{?startTime,appointmentType,state}";

/** A request to the endpoint, as hosts send it. */
export const mcp = async (method, params) => {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const response = await fetch(`${api}/api/mcp`, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) });
  return (await response.json()).result;
};
export const call = (name, asks) => mcp("tools/call", { name, arguments: asks });

export const [resource] = (await mcp("resources/read", { uri: "ui://nameplate/directory.html" })).contents;
export const servers = await serve(MODULES);
export const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM,
  headless: true,
  userDataDir: mkdtempSync(join(tmpdir(), "judge-")),
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** Shows the view in a host; `tools` replaces the answers of tools. */
export const open = async ({ capabilities = ALL, context = PHOENIX, html = resource.text, csp = resource._meta.ui.csp, width = 760, refuses = false, bypassCSP = false, tools = call } = {}) => {
  const page = await browser.newPage();
  await page.setBypassCSP(bypassCSP);
  const [wrong, requests] = [[], []];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("request", (request) => requests.push({ url: request.url(), frame: request.frame()?.url() }));
  await page.emulateTimezone("Europe/Berlin");
  await page.setViewport({ width, height: 900 });
  await page.exposeFunction("callTool", tools);
  await page.goto(servers.host);
  await page.waitForFunction(() => globalThis.isReady);
  await page.evaluate((asked) => begin(asked), { sandbox: servers.sandbox(csp), html, csp, capabilities, context, refuses });
  const frame = page.frames().find((one) => one.url() === "about:srcdoc");
  const view = { page, frame, wrong, requests };
  await until(view, () => view().textContent.length > 0);
  return view;
};

/** Gives the view a tool's result, with the arguments of its call; it has been shown when the view answers what is asked after it. */
export const give = async ({ page }, asked, result) => {
  await page.evaluate(async (asked, result) => {
    if (asked) await bridge.sendToolInput({ arguments: asked });
    await bridge.sendToolResult(result);
    const id = crypto.randomUUID();
    await new Promise((resolve) => {
      const answered = ({ data }) => data.id === id && resolve(removeEventListener("message", answered));
      addEventListener("message", answered);
      document.getElementById("frame").contentWindow.postMessage({ jsonrpc: "2.0", id, method: "ping" }, "*");
    });
  }, asked, result);
};
export const ask = async (view, name, asked) => {
  const result = await call(name, asked);
  await give(view, asked, result);
  await until(view, () => view().querySelector("h1") || view().querySelector(".plain"));
  return result.structuredContent;
};

const IN_VIEW = "const view = () => document.querySelector('nameplate-view').shadowRoot;";
export const run = ({ frame }, act, ...given) => frame.evaluate(`(() => { ${IN_VIEW} return (${act})(...${JSON.stringify(given)}); })()`);
export const until = ({ frame }, act, ...given) => frame.waitForFunction(`(() => { ${IN_VIEW} return (${act})(...${JSON.stringify(given)}); })()`, { timeout: 10_000 });
export const shown = (view) => run(view, () => view().textContent);
export const heading = (view) => run(view, () => view().querySelector("h1")?.textContent);
export const headed = (view, text) => until(view, (text) => view().querySelector("h1")?.textContent === text, text);
export const buttons = (view) => run(view, () => [...view().querySelectorAll("button")].map((button) => button.ariaLabel ?? button.textContent));
/** Presses the button of this name. */
export const press = async (view, name) => {
  const isThere = await run(view, (name) => {
    const button = [...view().querySelectorAll("button")].find((one) => (one.ariaLabel ?? one.textContent) === name);
    button?.focus();
    button?.click();
    return Boolean(button);
  }, name);
  assert.ok(isThere, `no button ${name}, but ${(await buttons(view)).join(", ")}`);
};
/** Opens the first time that is offered. */
export const pick = async (view) => {
  await until(view, () => view().querySelector(".slots button"));
  await run(view, () => view().querySelector(".slots button").click());
};
/** What the view has sent by this method since it was last asked. */
export const sent = async ({ page }, method, least = 1) => {
  await page.waitForFunction((method, least) => received.filter((message) => message.method === method).length >= least, { timeout: 10_000 }, method, least);
  return page.evaluate((method) => {
    const found = received.filter((message) => message.method === method).map(({ params }) => params);
    received = received.filter((message) => message.method !== method);
    return found;
  }, method);
};
/** The last call of this tool, with all that was sent before it taken away. */
export const called = async (view, tool) => {
  await view.page.waitForFunction((tool) => received.some(({ method, params }) => method === "tools/call" && params.name === tool), { timeout: 10_000 }, tool);
  return (await sent(view, "tools/call")).findLast(({ name }) => name === tool).arguments;
};
export const close = async ({ page, wrong }) => {
  assert.deepEqual(wrong, []);
  await page.close();
};

export const STATE_NAMES = new Map((await call("list_states", {})).structuredContent.states.map(({ code, name }) => [code, name]));
export const clock = (time, timeZone) => new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", minute: "2-digit" }).format(new Date(time));
export const dayOf = (time, timeZone) => new Intl.DateTimeFormat("en-US", { timeZone, weekday: "long", month: "long", day: "numeric" }).format(new Date(time));
