// The judges of the view for assistants, in a host made of MCP Apps' own bridge: what it shows of each result, what each
// button sends, and what it does with answers and messages that nobody should send. MODULES is where the bridge is.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import puppeteer from "puppeteer-core";
import { serve } from "./view-host.mjs";

const require = createRequire(import.meta.url);
const [api, ...only] = process.argv.slice(2);
const { MODULES, NAMEPLATE, WORK, SHOTS } = process.env;
if (!MODULES) {
  console.log("view - SKIPPED MODULES does not name a folder with @modelcontextprotocol/ext-apps");
  process.exit(0);
}

const LARGEST = 20 * 1024;
const ALL = { serverTools: {}, openLinks: {}, message: { text: {} }, updateModelContext: { text: {} } };
const PHOENIX = { theme: "light", locale: "en-US", timeZone: "America/Phoenix", containerDimensions: { maxHeight: 4000 } };
const MARKUP = "<img src=x onerror='globalThis.hurt=1'><script>globalThis.hurt=1</script>";
const BOOKING = "https://book.example/{providerSlug}{?startTime,appointmentType,state}";

/** A request to the endpoint, as hosts send it. */
const mcp = async (method, params) => {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const response = await fetch(`${api}/api/mcp`, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) });
  return (await response.json()).result;
};
const call = (name, asks) => mcp("tools/call", { name, arguments: asks });

const [resource] = (await mcp("resources/read", { uri: "ui://nameplate/directory.html" })).contents;
const servers = await serve(MODULES);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM,
  headless: true,
  userDataDir: mkdtempSync(join(tmpdir(), "judge-")),
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** Shows the view in a host; `tools` replaces the answers of tools. */
const open = async ({ capabilities = ALL, context = PHOENIX, html = resource.text, csp = resource._meta.ui.csp, width = 760, refuses = false, bypassCSP = false, tools = call } = {}) => {
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

/** Gives the view a tool's result, with the arguments of its call. */
const give = async ({ page }, asked, result) => {
  await page.evaluate(async (asked, result) => {
    if (asked) await bridge.sendToolInput({ arguments: asked });
    await bridge.sendToolResult(result);
  }, asked, result);
};
const ask = async (view, name, asked) => {
  const result = await call(name, asked);
  await give(view, asked, result);
  await until(view, () => view().querySelector("h1") || view().querySelector(".plain"));
  return result.structuredContent;
};

const IN_VIEW = "const view = () => document.querySelector('nameplate-view').shadowRoot;";
const run = ({ frame }, act, ...given) => frame.evaluate(`(() => { ${IN_VIEW} return (${act})(...${JSON.stringify(given)}); })()`);
const until = ({ frame }, act, ...given) => frame.waitForFunction(`(() => { ${IN_VIEW} return (${act})(...${JSON.stringify(given)}); })()`, { timeout: 10_000 });
const shown = (view) => run(view, () => view().textContent);
const heading = (view) => run(view, () => view().querySelector("h1")?.textContent);
const headed = (view, text) => until(view, (text) => view().querySelector("h1")?.textContent === text, text);
const buttons = (view) => run(view, () => [...view().querySelectorAll("button")].map((button) => button.ariaLabel ?? button.textContent));
/** Presses the button of this name. */
const press = async (view, name) => {
  const isThere = await run(view, (name) => {
    const button = [...view().querySelectorAll("button")].find((one) => (one.ariaLabel ?? one.textContent) === name);
    button?.focus();
    button?.click();
    return Boolean(button);
  }, name);
  assert.ok(isThere, `no button ${name}, but ${(await buttons(view)).join(", ")}`);
};
/** What the view has sent by this method since it was last asked. */
const sent = async ({ page }, method, least = 1) => {
  await page.waitForFunction((method, least) => received.filter((message) => message.method === method).length >= least, { timeout: 10_000 }, method, least);
  return page.evaluate((method) => {
    const found = received.filter((message) => message.method === method).map(({ params }) => params);
    received = received.filter((message) => message.method !== method);
    return found;
  }, method);
};
/** The last call of this tool, with all that was sent before it taken away. */
const called = async (view, tool) => {
  await view.page.waitForFunction((tool) => received.some(({ method, params }) => method === "tools/call" && params.name === tool), { timeout: 10_000 }, tool);
  return (await sent(view, "tools/call")).findLast(({ name }) => name === tool).arguments;
};
const close = async ({ page, wrong }) => {
  assert.deepEqual(wrong, []);
  await page.close();
};

const STATE_NAMES = new Map((await call("list_states", {})).structuredContent.states.map(({ code, name }) => [code, name]));
const clock = (time, timeZone) => new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", minute: "2-digit" }).format(new Date(time));
const dayOf = (time, timeZone) => new Intl.DateTimeFormat("en-US", { timeZone, weekday: "long", month: "long", day: "numeric" }).format(new Date(time));

const judges = {
  async size() {
    const zipped = gzipSync(resource.text, { level: 9 }).length;
    assert.ok(zipped <= LARGEST, `${zipped} bytes`);
    const printed = execFileSync(NAMEPLATE, ["view", "--content", join(WORK, "content")], { encoding: "utf8" });
    assert.equal(printed, resource.text, "nameplate view prints what hosts get");
    return `${zipped} bytes gzip, ${resource.text.length} plain`;
  },

  async results() {
    const view = await open();
    assert.match(await shown(view), /Waiting for the answer/);
    const people = await ask(view, "search_providers", { state: "California", limit: 3 });
    assert.equal(await heading(view), "Clinicians in California");
    let text = await shown(view);
    assert.match(text, new RegExp(`${people.total} clinicians fit`));
    for (const { displayName, clinicalInterests, statesAcceptingPatients } of people.providers) {
      assert.ok(text.includes(displayName) && text.includes(clinicalInterests.join(" · ")), displayName);
      assert.ok(text.includes(statesAcceptingPatients.includes("CA") ? "Taking new patients in California" : "Not taking new patients in California"));
    }
    await until(view, () => [...view().querySelectorAll("img")].every((image) => image.complete && image.naturalWidth > 0));
    assert.equal(await run(view, () => view().querySelectorAll("img, .initials").length), 3);

    const profile = await ask(view, "get_provider", { slug: "amara-okonkwo" });
    text = await shown(view);
    const state = profile.statesAcceptingPatients[0];
    for (const part of [profile.displayName, profile.bio, "Certified by The Menopause Society", ...profile.acceptedInsuranceByState[state]]) assert.ok(text.includes(part), part);
    for (const { name, states } of profile.appointmentTypes) assert.equal(text.includes(name), states.includes(state), name);

    const times = await ask(view, "check_availability", { state: "CA", newPatients: true });
    assert.equal(await heading(view), "Open times in California");
    await until(view, (words) => view().textContent.includes(words), "Mountain Standard Time (America/Phoenix)");
    text = await shown(view);
    const days = [...new Set(times.slots.map(({ startTime }) => dayOf(startTime, "America/Phoenix")))];
    assert.deepEqual(await run(view, () => [...view().querySelectorAll("h2")].map((one) => one.textContent)), days.slice(0, 3));
    assert.ok(text.includes(clock(times.slots[0].startTime, "America/Phoenix")) && text.includes("For new patients."));

    const { states } = await ask(view, "list_states", {});
    assert.deepEqual((await buttons(view)).sort(), states.map(({ code, name }) => `${code}: ${name}`).sort());
    assert.ok(await run(view, () => view().querySelectorAll(".map li").length) >= 51);

    const plans = await ask(view, "list_insurances", { state: "TX" });
    assert.equal(await heading(view), "Insurance plans in Texas");
    assert.deepEqual(await buttons(view), plans.insurances);

    const visits = await ask(view, "list_appointment_types", {});
    const rows = await run(view, () => [...view().querySelectorAll(".rows li")].map((row) => row.textContent));
    for (const [at, { name, description, modality, newPatientEligible }] of visits.appointmentTypes.entries()) {
      const expected = [name, description, modality === "video" ? "By video" : "By message", newPatientEligible ? "New patients may" : "Only for current"];
      assert.ok(expected.every((part) => rows[at].includes(part)), rows[at]);
    }
    await close(view);
    return "six results";
  },

  async people() {
    const view = await open();
    const asked = { state: "TX", limit: 2 };
    const { total, providers } = await ask(view, "search_providers", asked);
    await press(view, "Show more");
    assert.deepEqual(await called(view, "search_providers"), { ...asked, offset: 2 });
    await until(view, () => view().querySelectorAll(".card").length === 4);
    assert.match(await shown(view), new RegExp(`4 of ${total} are shown`));
    await press(view, `View profile: ${providers[0].displayName}`);
    assert.deepEqual(await called(view, "get_provider"), { slug: providers[0].slug });
    await headed(view, `Clinician: ${providers[0].displayName}`);
    const open_ = providers[0].statesAcceptingPatients.includes("TX");
    assert.equal(await run(view, () => view().querySelector("select")?.value ?? "TX"), "TX", "the asked state is kept");
    await press(view, "Open profile page: " + providers[0].displayName);
    assert.deepEqual(await sent(view, "ui/open-link"), [{ url: providers[0].profileUrl }]);
    await press(view, "Back");
    await headed(view, "Clinicians in Texas");
    assert.equal(await run(view, () => view().querySelectorAll(".card").length), 4, "back to the longer list");
    assert.match(await run(view, () => view().activeElement.ariaLabel), /^View profile/, "focus is back");
    const taking = [...providers].find(({ statesAcceptingPatients }) => statesAcceptingPatients.includes("TX"));
    await press(view, `See open times: ${taking.displayName}`);
    assert.deepEqual(await called(view, "check_availability"), { state: "TX", provider: taking.slug, newPatients: true });
    await headed(view, "Open times in Texas");
    assert.ok(open_ || taking);
    await close(view);
    return "more, profile, page, times, back";
  },

  async profile() {
    const view = await open();
    const profile = await ask(view, "get_provider", { slug: "amara-okonkwo" });
    const other = profile.statesLicensed.at(-1);
    await run(view, (code) => {
      const select = view().querySelector("select");
      select.value = code;
      select.dispatchEvent(new Event("change"));
    }, other);
    const plans = await run(view, () => [...view().querySelectorAll(".pills")][0].textContent);
    assert.equal(plans, profile.acceptedInsuranceByState[other].join(""));
    await press(view, `See open times: ${profile.displayName}`);
    assert.equal((await called(view, "check_availability")).state, other);
    await headed(view, `Open times in ${STATE_NAMES.get(other)}`);
    await close(view);
    return "another state";
  },

  async times() {
    const view = await open({ html: resource.text.replace('"booking":null', `"booking":"${BOOKING}"`) });
    const asked = { state: "CA", appointmentType: 101, limit: 200 };
    const { slots } = await ask(view, "check_availability", asked);
    assert.deepEqual(await called(view, "search_providers"), { state: "CA", view: "summary", limit: 100 });
    const { providers } = (await call("search_providers", { state: "CA", view: "summary", limit: 100 })).structuredContent;
    const nameOf = (slug) => providers.find((one) => one.slug === slug).displayName;
    await until(view, (name) => view().querySelector(".who").textContent === name, nameOf(slots[0].providerSlug));
    const later = (await buttons(view)).find((name) => /^Show .* later days?$/.test(name));
    await press(view, later);
    const days = new Set(slots.map(({ startTime }) => dayOf(startTime, "America/Phoenix")));
    assert.equal(await run(view, () => view().querySelectorAll("h2").length), days.size);
    await press(view, "Later times");
    const next = await called(view, "check_availability");
    // Other clinicians may have the last time of the list.
    assert.equal(next.from, slots.at(-1).startTime);
    assert.deepEqual({ ...next, from: undefined }, { ...asked, from: undefined });
    await headed(view, "Open times in California");
    await press(view, "Back");

    const [slot] = slots;
    await run(view, () => view().querySelector(".slots button").click());
    await headed(view, `${clock(slot.startTime, "America/Phoenix")} on ${dayOf(slot.startTime, "America/Phoenix")}`);
    await until(view, () => view().textContent.includes("New patient visit"));
    const text = await shown(view);
    for (const part of ["Mountain Standard Time", clock(slot.startTime, "UTC"), nameOf(slot.providerSlug), "While you are in California", "Nothing is booked yet."]) assert.ok(text.includes(part), `${part} in ${text}`);
    const [{ content }] = await sent(view, "ui/update-model-context");
    assert.ok(content[0].text.includes(slot.startTime) && content[0].text.includes(slot.providerSlug) && content[0].text.length < 200, content[0].text);
    await press(view, "Book this time");
    const [{ url }] = await sent(view, "ui/open-link");
    assert.equal(url, `https://book.example/${slot.providerSlug}?startTime=${encodeURIComponent(slot.startTime)}&appointmentType=101&state=CA`);
    await press(view, "Call +1-510-555-0100");
    assert.deepEqual(await sent(view, "ui/open-link"), [{ url: "tel:+15105550100" }]);
    await press(view, "Ask about this time");
    const [message] = await sent(view, "ui/message");
    assert.equal(message.role, "user");
    assert.match(message.content[0].text, new RegExp(`^I'd like .*Mountain Standard Time with ${nameOf(slot.providerSlug)}, in California\\.$`));
    await until(view, () => view().querySelector("[role=status]").textContent === "Sent to the chat.");
    await close(view);
    return "later days, later times, a time's card, book, call, ask";
  },

  async lists() {
    const view = await open();
    await ask(view, "list_states", {});
    await press(view, "AZ: Arizona");
    assert.deepEqual(await called(view, "search_providers"), { state: "AZ" });
    await headed(view, "Clinicians in Arizona");
    const { insurances: [plan] } = await ask(view, "list_insurances", { state: "CA" });
    await press(view, plan);
    assert.deepEqual(await called(view, "search_providers"), { insurance: plan, state: "CA" });
    await headed(view, `Clinicians who take ${plan}`);
    await ask(view, "list_appointment_types", { state: "CA" });
    await press(view, "See open times: Menopause consultation");
    assert.deepEqual(await called(view, "check_availability"), { state: "CA", appointmentType: 103 });
    await headed(view, "Open times in California");
    await ask(view, "list_appointment_types", {});
    await press(view, "See open times: New patient visit");
    await headed(view, "Where will you be at the time of the visit?");
    await press(view, "HI: Hawaii");
    assert.deepEqual(await called(view, "check_availability"), { state: "HI", appointmentType: 101 });
    await headed(view, "Open times in Hawaii");
    await press(view, "Back");
    await press(view, "Back");
    await headed(view, "Kinds of visits");
    await close(view);
    return "states, plans, visits, and where the visit is held";
  },

  async errors() {
    const view = await open();
    const failed = await call("get_provider", { slug: "nobody" });
    await give(view, { slug: "nobody" }, failed);
    await until(view, (sentence) => view().textContent === sentence, failed.content[0].text);
    assert.deepEqual(await buttons(view), []);
    await view.page.evaluate(() => bridge.sendToolCancelled({ reason: "user" }));
    await until(view, () => view().textContent === "The assistant stopped before the answer came.");
    const { structuredContent } = await call("check_availability", { state: "CA" });
    const note = "The scheduling system has not confirmed these times since 2026-11-21T11:00:00Z.";
    await give(view, { state: "CA" }, { content: [{ type: "text", text: "{}" }, { type: "text", text: note }], structuredContent });
    await until(view, (note) => view().textContent.includes(note), note);
    const over = { startTime: "2026-01-05T15:00:00Z", providerSlug: "amara-okonkwo" };
    await give(view, { state: "CA" }, { content: [], structuredContent: { ...structuredContent, slots: [over, structuredContent.slots[0]] } });
    await until(view, () => view().textContent.includes("Times that are over are not shown."));
    assert.equal(await run(view, () => view().querySelectorAll(".slots li").length), 1);
    const none = { ...structuredContent, slots: [], nextAvailable: null };
    await give(view, { state: "CA" }, { content: [], structuredContent: none });
    await until(view, () => view().textContent.includes("No time is open in the days that were asked for."));
    const why = { code: "NOTHING_OPEN", message: "The next time is in three weeks." };
    await give(view, { state: "CA" }, { content: [], structuredContent: { ...none, reason: why } });
    await until(view, (why) => view().textContent.includes(why), why.message);
    // A host that hands over the text alone.
    const text = (await call("list_insurances", {})).content;
    await give(view, {}, { content: text });
    await headed(view, "Insurance plans");
    await close(view);

    const denied = await open({ refuses: true });
    const { slots: [slot] } = await ask(denied, "check_availability", { state: "CA" });
    await run(denied, () => view().querySelector(".slots button").click());
    await until(denied, () => view().querySelector("dl"));
    await press(denied, "Call +1-510-555-0100");
    await until(denied, () => view().textContent.includes("This could not be opened: tel:+15105550100"));
    await press(denied, "Ask about this time");
    await until(denied, () => view().textContent.includes("This cannot be done here. Ask for it in the chat."));
    assert.ok(slot);
    await ask(denied, "list_states", {});
    await press(denied, "AZ: Arizona");
    await until(denied, () => view().textContent.includes("This cannot be done here."));
    await close(denied);

    // A tool that fails under a button.
    const failing = await open({ tools: () => call("get_provider", { slug: "nobody" }) });
    await ask(failing, "list_states", {});
    await press(failing, "AZ: Arizona");
    await until(failing, (sentence) => view().textContent.includes(sentence), failed.content[0].text);
    assert.deepEqual(await buttons(failing), ["Back"]);
    await close(failing);
    return "a failure is its sentence; cancelled, stale, empty, refused";
  },

  async unknown() {
    const view = await open();
    const { structuredContent: person } = await call("get_provider", { slug: "amara-okonkwo" });
    const strange = [
      { hello: MARKUP }, [], "text", 7, { slots: [{ startTime: "never", providerSlug: "x" }], state: "CA", nextAvailable: null },
      { ...person, profileUrl: "javascript:alert(1)" }, { ...person, headshotUrl: "data:image/svg+xml,<svg/>" }, { states: [{ code: 7 }] },
      { total: -1, offset: 0, providers: [] }, { insurances: [{ name: "x" }] }, { ...person, __proto__: null, displayName: { toString: 1 } },
    ];
    for (const structuredContent of strange) {
      await give(view, {}, { content: [{ type: "text", text: `As text ${MARKUP}` }], structuredContent }).catch(() => {});
      if (typeof structuredContent !== "object" || Array.isArray(structuredContent)) continue;
      await until(view, (text) => view().querySelector(".plain")?.textContent === text, `As text ${MARKUP}`);
      assert.deepEqual(await buttons(view), []);
    }
    await give(view, {}, { content: [], structuredContent: { a: MARKUP } });
    await until(view, (text) => view().querySelector(".plain")?.textContent.includes(text), MARKUP.slice(0, 12));
    await close(view);
    return `${strange.length} strange answers are text`;
  },

  async hostile() {
    const hostile = (value, key = "") => {
      if (Array.isArray(value)) return value.map((item) => hostile(item, key));
      if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hostile(item, name)]));
      return typeof value === "string" && !/Url$|^startTime$|^code$|^states|^state$|^next|^modality$/.test(key) ? `${MARKUP}\u202e${value}` : value;
    };
    const tools = async (name, asks) => {
      const result = await call(name, asks);
      return { ...result, structuredContent: hostile(result.structuredContent) };
    };
    const view = await open({ tools });
    const calls = [["search_providers", { state: "CA", limit: 2 }], ["get_provider", { slug: "amara-okonkwo" }], ["check_availability", { state: "CA", limit: 5 }],
      ["list_states", {}], ["list_insurances", {}], ["list_appointment_types", {}]];
    for (const [name, asks] of calls) {
      await give(view, asks, await tools(name, asks));
      await until(view, (start) => view().querySelector("h1") && view().textContent.includes(start), MARKUP);
      assert.equal(await run(view, () => view().querySelectorAll("script, [onerror], [style*=url]").length), 0, name);
    }
    await give(view, { state: "CA" }, await tools("check_availability", { state: "CA", limit: 5 }));
    await run(view, () => view().querySelector(".slots button").click());
    await until(view, () => view().querySelector("dl"));
    await press(view, "Ask about this time");
    const [{ content: [{ text }] }] = await sent(view, "ui/message");
    assert.ok(!/[\n\u202e]/.test(text) && text.length < 300, text);
    assert.equal(await view.frame.evaluate(() => globalThis.hurt), undefined);
    assert.ok(view.requests.every(({ url }) => !url.endsWith("/x")), "no picture of a text");
    await close(view);
    return "markup in every text of the six stays text";
  },

  async huge() {
    const view = await open();
    const [one] = (await call("search_providers", { state: "CA", limit: 1 })).structuredContent.providers;
    let longest = 0;
    for (const kind of ["people", "slots", "plans", "what", "deep"]) {
      const start = Date.now();
      // Made in the page and sent past the bridge, whose own checks would take most of the time.
      await view.page.evaluate((kind, one) => {
        const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
        let deep = {};
        for (let level = 0; level < 1000; level += 1) deep = { deep };
        const structuredContent = {
          people: () => ({ total: 5000, limit: 5000, offset: 0, providers: many(5000, (at) => ({ ...one, slug: `p-${at}`, headshotUrl: null, bio: "x".repeat(1000) })) }),
          slots: () => ({ slots: many(50_000, (at) => ({ startTime: new Date(1.8e12 + at * 900_000).toISOString(), providerSlug: "p" })), nextAvailable: null, state: "CA" }),
          plans: () => ({ state: null, insurances: many(20_000, (at) => `Plan ${at} ${"x".repeat(500)}`) }),
          what: () => ({ what: "x".repeat(5_000_000) }),
          deep: () => deep,
        }[kind]();
        const params = { content: [{ type: "text", text: `This is ${kind}. ${"y".repeat(1_000_000)}` }], structuredContent };
        document.getElementById("frame").contentWindow.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params }, "*");
      }, kind, one);
      const title = { people: "Clinicians", slots: "Open times in California", plans: "Insurance plans" }[kind];
      if (title) await headed(view, title);
      else await until(view, (kind) => view().querySelector(".plain")?.textContent.startsWith(`This is ${kind}`), kind);
      longest = Math.max(longest, Date.now() - start);
      const [nodes, length] = await run(view, () => [view().querySelectorAll("*").length, view().textContent.length]);
      assert.ok(nodes < 5000 && length < 200_000, `${kind}: ${nodes} elements, ${length} characters`);
    }
    await close(view);
    return `five answers of megabytes, each in at most ${longest} ms`;
  },

  async strangers() {
    const view = await open();
    await ask(view, "list_insurances", {});
    const before = await shown(view);
    const result = { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [{ type: "text", text: "FORGED" }] } };
    // From the view's own window, from the host's page beside its sandbox, and from a window inside the view.
    await view.frame.evaluate((result) => postMessage(result, "*"), result);
    await view.page.evaluate((result) => frames[0].frames[0].postMessage(result, "*"), result);
    await view.frame.evaluate((result) => {
      const other = document.body.appendChild(document.createElement("iframe"));
      other.contentWindow.eval?.(`parent.postMessage(${JSON.stringify(result)}, "*")`);
    }, result).catch(() => {});
    // From the parent, but no message of the protocol; answers to nothing.
    await view.page.evaluate((result) => {
      for (const odd of [null, 7, "x", [], { ...result, jsonrpc: "1.0" }, { jsonrpc: "2.0", id: 999, result: {} }, { jsonrpc: "2.0", method: "constructor" }, { jsonrpc: "2.0", method: "ui/notifications/unknown", params: {} }]) {
        document.getElementById("frame").contentWindow.postMessage(odd ?? { odd }, "*");
      }
    }, result);
    const replied = await view.page.evaluate(() => new Promise((resolve) => {
      addEventListener("message", ({ data }) => data.id === "odd-1" && resolve(data));
      document.getElementById("frame").contentWindow.postMessage({ jsonrpc: "2.0", id: "odd-1", method: "ui/strange", params: {} }, "*");
    }));
    assert.equal(replied.error.code, -32601);
    assert.equal(await shown(view), before);
    assert.deepEqual(await view.page.evaluate(() => bridge.teardownResource({})), {});
    view.wrong = view.wrong.filter((message) => !/Content Security Policy|srcdoc|frame/i.test(message));
    await view.page.close();
    return "other windows, odd messages, -32601, teardown";
  },

  async incapable() {
    const view = await open({ capabilities: {} });
    const calls = [["search_providers", { state: "CA", limit: 2 }], ["get_provider", { slug: "amara-okonkwo" }], ["list_states", {}], ["list_insurances", {}], ["list_appointment_types", {}]];
    for (const [name, asks] of calls) {
      await ask(view, name, asks);
      assert.deepEqual(await buttons(view), [], name);
    }
    const { slots: [slot] } = await ask(view, "check_availability", { state: "CA" });
    assert.ok((await buttons(view)).some((name) => name.startsWith(clock(slot.startTime, "America/Phoenix"))), "times can be looked at");
    await run(view, () => view().querySelector(".slots button").click());
    await until(view, () => view().textContent.includes("Telephone: +1-510-555-0100"));
    assert.deepEqual(await buttons(view), ["Back"]);
    const methods = new Set(await view.page.evaluate(() => received.filter(({ method }) => method).map(({ method }) => method)));
    assert.deepEqual([...methods].filter((method) => !/sandbox|size-changed|initialize/.test(method)), [], "nothing is asked without consent");
    await close(view);

    const talker = await open({ capabilities: { message: {} } });
    await ask(talker, "list_states", {});
    await press(talker, "AZ: Arizona");
    const [{ content }] = await sent(talker, "ui/message");
    assert.equal(content[0].text, "Which clinicians take new patients in Arizona?");
    await close(talker);
    return "no button without consent; a question in the chat where no tool may be called";
  },

  async context() {
    const view = await open();
    const { slots: [slot] } = await ask(view, "check_availability", { state: "CA" });
    const style = (name) => view.frame.evaluate((name) => getComputedStyle(document.querySelector("nameplate-view"))[name], name);
    const light = await style("backgroundColor");
    const change = (context) => view.page.evaluate((context) => bridge.setHostContext(context), context);
    await change({ ...PHOENIX, theme: "dark" });
    await view.frame.waitForFunction((light) => getComputedStyle(document.querySelector("nameplate-view")).backgroundColor !== light, {}, light);
    await change({ ...PHOENIX, theme: "dark", timeZone: "America/New_York" });
    await until(view, (time) => view().querySelector(".slots time").textContent === time, clock(slot.startTime, "America/New_York"));
    assert.match(await shown(view), /Eastern Time \(America\/New York\)/);
    await change({ ...PHOENIX, locale: "es-US" });
    await headed(view, "Citas disponibles en California");
    assert.equal(await view.frame.evaluate(() => document.documentElement.lang), "es");
    await change({ locale: "x y", timeZone: "Nowhere/Else", theme: "plaid", safeAreaInsets: { top: 1e9, left: "x" } });
    await headed(view, "Citas disponibles en California");
    const variables = { "--color-background-primary": "rgb(1, 2, 3)", "--color-text-primary": "rgb(250, 250, 250)", "--font-sans": "monospace", "--border-radius-md": "2px", "--strange": "x" };
    await change({ ...PHOENIX, styles: { variables } });
    await view.frame.waitForFunction(() => getComputedStyle(document.querySelector("nameplate-view")).backgroundColor === "rgb(1, 2, 3)");
    assert.deepEqual([await style("color"), await style("fontFamily")], ["rgb(250, 250, 250)", "monospace"]);
    assert.equal(await view.frame.evaluate(() => document.documentElement.style.getPropertyValue("--strange")), "");
    const heights = await view.page.evaluate(() => sizes);
    assert.ok(heights.length > 1 && new Set(heights).size > 1, `${heights}`);
    const [height, own] = [heights.at(-1), await view.frame.evaluate(() => document.documentElement.scrollHeight)];
    assert.ok(Math.abs(height - own) <= 1, `${height} is not ${own}`);
    await close(view);
    return "theme, time zone, language, the host's variables, size";
  },

  async requests() {
    const view = await open();
    const everybody = (await ask(view, "search_providers", { limit: 100 })).providers.filter(({ headshotUrl }) => headshotUrl);
    await view.page.setViewport({ width: 760, height: 12_000 });
    await until(view, (count) => [...view().querySelectorAll("img")].filter((image) => image.complete && image.naturalWidth > 0).length === count, everybody.length);
    for (const [name, asks] of [["get_provider", { slug: "amara-okonkwo" }], ["check_availability", { state: "CA" }], ["list_states", {}], ["list_insurances", {}], ["list_appointment_types", {}]]) await ask(view, name, asks);
    const own = view.requests.filter(({ frame }) => frame === "about:srcdoc").map(({ url }) => url).filter((url) => url !== "about:srcdoc");
    const portraits = new Set(everybody.map(({ headshotUrl }) => headshotUrl));
    assert.deepEqual(own.filter((url) => !portraits.has(url)), []);
    assert.ok(portraits.size > 5 && new Set(own).size === portraits.size, `${own.length} of ${portraits.size} portraits`);
    await close(view);
    const blocked = await open({ csp: { resourceDomains: [], connectDomains: [] } });
    const { providers } = await ask(blocked, "search_providers", { limit: 4 });
    await until(blocked, (count) => view().querySelectorAll(".initials").length === count && !view().querySelector("img"), providers.length);
    const [first] = providers;
    const letters = first.displayName.split(" ").filter((_, at, all) => at === 0 || at === all.length - 1).map(([letter]) => letter).join("").toUpperCase();
    assert.equal(await run(blocked, () => view().querySelector(".initials").textContent), letters);
    await blocked.page.close();
    return `${portraits.size} portraits and nothing else; initials where they are blocked`;
  },

  async keyboard() {
    const view = await open();
    await ask(view, "check_availability", { state: "CA" });
    await view.frame.evaluate(() => document.body.focus());
    await run(view, () => view().querySelector(".slots button").focus());
    await view.page.keyboard.press("Enter");
    await until(view, () => view().querySelector("dl") && view().activeElement?.localName === "h1");
    await view.page.keyboard.down("Shift");
    await view.page.keyboard.press("Tab");
    await view.page.keyboard.up("Shift");
    assert.equal(await run(view, () => view().activeElement.textContent), "Back");
    await view.page.keyboard.press("Enter");
    await until(view, () => view().activeElement?.parentElement.parentElement.className === "slots");
    await close(view);
    return "Enter opens a time, Back returns the focus";
  },

  async preview() {
    const document = execFileSync(NAMEPLATE, ["view", "/v1/providers?state=CA&limit=2", "--content", join(WORK, "content")], { encoding: "utf8" });
    const page = await browser.newPage();
    await page.setContent(document);
    const view = { frame: page.mainFrame(), page };
    await headed(view, "Clinicians in California");
    await press(view, (await buttons(view))[0]);
    await until(view, () => view().textContent.includes("No assistant shows this page"));
    await page.close();
    return "opened without an assistant";
  },

  async axe() {
    const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    const [wrong, shots] = [[], SHOTS && mkdirSync(SHOTS, { recursive: true })];
    const screens = {
      people: ["search_providers", { state: "CA", limit: 4 }], profile: ["get_provider", { slug: "amara-okonkwo" }], times: ["check_availability", { state: "CA", newPatients: true }],
      states: ["list_states", {}], plans: ["list_insurances", { state: "CA" }], visits: ["list_appointment_types", { state: "CA" }], error: ["get_provider", { slug: "nobody" }], time: ["check_availability", { state: "CA", appointmentType: 101 }],
    };
    let runs = 0;
    for (const width of [320, 760]) {
      for (const theme of ["light", "dark"]) {
        const view = await open({ width, context: { ...PHOENIX, theme }, bypassCSP: true });
        await view.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme === "dark" ? "light" : "dark" }]);
        for (const [name, [tool, asks]] of Object.entries(screens)) {
          await give(view, asks, await call(tool, asks));
          await until(view, (isError) => isError ? view().textContent.startsWith("No clinician") : view().querySelector("h1"), name === "error");
          if (name === "time") {
            await run(view, () => view().querySelector(".slots button").click());
            await until(view, () => view().querySelector("dl"));
          }
          await new Promise((resolve) => setTimeout(resolve, 250));
          await view.frame.evaluate(source);
          const { violations } = await view.frame.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
          const isLone = (id) => name === "error" && id === "page-has-heading-one";
          wrong.push(...violations.filter(({ id }) => !isLone(id)).map(({ id, nodes }) => `${name} ${width} ${theme}: ${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary ?? ""}`));
          if (await view.frame.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wrong.push(`${name} ${width}: wider than the frame`);
          if (SHOTS) await (await view.page.$("#frame")).screenshot({ path: join(SHOTS, `${name}-${theme}-${width}.png`) });
          runs += 1;
        }
        await view.page.close();
      }
    }
    assert.deepEqual(wrong, []);
    return `no violation in ${runs} runs at 320 and 760 px${shots === undefined ? "" : ", with pictures"}`;
  },
};

const figures = [];
for (const [name, judge] of Object.entries(judges)) {
  if (only.length > 0 && !only.includes(name)) continue;
  try {
    const figure = await judge();
    figures.push(name === "size" ? figure : name);
    console.log(`view/${name} PASSED ${figure}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`view/${name} FAILED ${error.message.slice(0, 2000)}`);
  }
}
await browser.close();
servers.close();
if (!process.exitCode) console.log(figures.join(", "));
