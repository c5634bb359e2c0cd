// The judges of the view that mean it ill: errors, unknown shapes, markup, huge answers, other origins and poor hosts.

import assert from "node:assert/strict";
import { MARKUP, ask, buttons, call, called, clock, close, give, headed, open, pick, press, run, sent, shown, until } from "./view-page.mjs";

export const hostile = {
  async errors() {
    const view = await open();
    const failed = await call("get_provider", { slug: "nobody" });
    await give(view, { slug: "nobody" }, failed);
    await until(view, (sentence) => view().textContent === sentence, failed.content[0].text);
    assert.deepEqual(await buttons(view), []);
    await view.page.evaluate(() => bridge.sendToolCancelled({ reason: "user" }));
    await until(view, () => view().textContent === "The assistant stopped before the answer came.");
    const { structuredContent } = await call("check_availability", { state: "CA" });
    const note = "These openings were last confirmed November 21 at 11:00 AM UTC, and some may be taken.";
    await give(view, { state: "CA" }, { content: [{ type: "text", text: "{}" }, { type: "text", text: note }], structuredContent });
    await until(view, (note) => view().textContent.includes(note), note);
    const over = { startTime: "2026-01-05T15:00:00Z", providerSlug: "amara-okonkwo" };
    await give(view, { state: "CA" }, { content: [], structuredContent: { ...structuredContent, slots: [over, structuredContent.slots[0]] } });
    await until(view, () => view().textContent.includes("Past times aren't shown."));
    assert.equal(await run(view, () => view().querySelectorAll(".slots li").length), 1);
    const none = { ...structuredContent, slots: [], nextAvailable: null };
    await give(view, { state: "CA" }, { content: [], structuredContent: none });
    await until(view, () => view().textContent.includes("No openings on those days."));
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
    await pick(denied);
    await until(denied, () => view().querySelector("dl"));
    await press(denied, "Call +1-510-555-0100");
    await until(denied, () => view().textContent.includes("This couldn't be opened: tel:+15105550100"));
    await press(denied, "Ask about this time");
    await until(denied, () => view().textContent.includes("This can't be done here. Ask for it in the chat."));
    assert.ok(slot);
    await ask(denied, "list_states", {});
    await press(denied, "AZ: Arizona");
    await until(denied, () => view().textContent.includes("This can't be done here."));
    await close(denied);

    // A tool that fails under a button.
    const failing = await open({ tools: () => call("get_provider", { slug: "nobody" }) });
    await ask(failing, "list_states", {});
    await press(failing, "AZ: Arizona");
    await until(failing, (sentence) => view().textContent.includes(sentence), failed.content[0].text);
    assert.deepEqual(await buttons(failing), ["Back"]);
    await close(failing);
    return "a failure is its sentence; canceled, stale, empty, refused";
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
    await pick(view);
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
      const title = { people: "Clinicians", slots: "Openings in California", plans: "Insurance plans" }[kind];
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
    // From the view's own window, from the host's page outside its sandbox, and from a window inside the view.
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
      assert.deepEqual((await buttons(view)).filter((label) => label !== "Show more"), [], name);
    }
    const { slots: [slot] } = await ask(view, "check_availability", { state: "CA" });
    assert.ok((await buttons(view)).some((name) => name.startsWith(clock(slot.startTime, "America/Phoenix"))), "times can be looked at");
    await pick(view);
    await until(view, () => view().textContent.includes("Phone: +1-510-555-0100"));
    assert.deepEqual(await buttons(view), ["Back"]);
    const methods = new Set(await view.page.evaluate(() => received.filter(({ method }) => method).map(({ method }) => method)));
    assert.deepEqual([...methods].filter((method) => !/sandbox|size-changed|initialize/.test(method)), [], "nothing is asked without consent");
    await close(view);

    const talker = await open({ capabilities: { message: {} } });
    await ask(talker, "list_states", {});
    await press(talker, "AZ: Arizona");
    const [{ content }] = await sent(talker, "ui/message");
    assert.equal(content[0].text, "Which clinicians see new patients in Arizona?");
    await close(talker);
    return "no button without consent; a question in the chat where no tool may be called";
  },

  async requests() {
    const view = await open();
    const everybody = (await ask(view, "search_providers", { limit: 100 })).providers.filter(({ headshotUrl }) => headshotUrl);
    await press(view, "Show more");
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
};
