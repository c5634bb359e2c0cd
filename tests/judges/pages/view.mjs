// The judges of the view for assistants, in a host made of MCP Apps' own bridge: what it shows of each result, what each
// button sends, and what it does with answers and messages that no one should send. MODULES is where the bridge is.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { hostile } from "./view-hostile.mjs";
import { PHOENIX, BOOKING, STATE_NAMES, ask, browser, buttons, call, called, clock, close, dayOf, give, headed, heading, open, pick, press, resource, run, sent, servers, shown, until } from "./view-page.mjs";

const require = createRequire(import.meta.url);
const [, ...only] = process.argv.slice(2);
const { NAMEPLATE, WORK, SHOTS } = process.env;
const LARGEST = 20 * 1024;

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
    assert.match(text, new RegExp(`${people.total} clinicians match`));
    for (const { displayName, clinicalInterests, statesAcceptingPatients } of people.providers) {
      assert.ok(text.includes(displayName) && text.includes(clinicalInterests.join(" · ")), displayName);
      assert.ok(text.includes(statesAcceptingPatients.includes("CA") ? "Taking new patients in California" : "Not taking new patients in California"));
    }
    // A portrait that is folded away is not loaded.
    await run(view, () => view().querySelector("button.more")?.click());
    await until(view, () => [...view().querySelectorAll("img")].every((image) => image.complete && image.naturalWidth > 0));
    assert.equal(await run(view, () => view().querySelectorAll("img, .initials").length), 3);

    const profile = await ask(view, "get_provider", { slug: "amara-okonkwo" });
    text = await shown(view);
    const state = profile.statesAcceptingPatients[0];
    for (const part of [profile.displayName, profile.bio, "Certified by The Menopause Society", ...profile.acceptedInsuranceByState[state]]) assert.ok(text.includes(part), part);
    for (const { name, states } of profile.appointmentTypes) assert.equal(text.includes(name), states.includes(state), name);

    const times = await ask(view, "check_availability", { state: "CA", newPatients: true });
    assert.equal(await heading(view), "Openings in California");
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
      const expected = [name, description, modality === "video" ? "By video" : "By message", newPatientEligible ? "Open to new patients" : "For current"];
      assert.ok(expected.every((part) => rows[at].includes(part)), rows[at]);
    }
    await close(view);
    return "six results";
  },

  async limits() {
    const wrong = [];
    const answers = { search_providers: { state: "CA", limit: 10 }, get_provider: { slug: "amara-okonkwo" }, check_availability: { state: "CA", limit: 200 }, list_states: {}, list_insurances: {}, list_appointment_types: {} };
    for (const width of [320, 760]) {
      for (const [tool, asks] of Object.entries(answers)) {
        const view = await open({ width });
        await ask(view, tool, asks);
        await view.frame.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
        const found = await run(view, () => ({
          height: document.documentElement.scrollHeight,
          small: [...view().querySelectorAll("button, select, a")].filter((one) => one.checkVisibility()).map((one) => [one.getBoundingClientRect(), one.textContent]).filter(([{ width, height }]) => width < 43.9 || height < 43.9).map(([, text]) => text),
          nested: [...view().querySelectorAll("*")].filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowY)).length,
          clear: [document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor),
          scheme: document.querySelector("meta[name=color-scheme]")?.content,
          more: view().querySelector("button.more")?.textContent,
        }));
        if (found.height > 500) wrong.push(`${tool} ${width}: ${found.height} px high`);
        if (found.small.length > 0) wrong.push(`${tool} ${width}: small targets: ${found.small.slice(0, 5)}`);
        assert.deepEqual([found.nested, found.clear, found.scheme], [0, ["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"], "light dark"]);
        if (found.more) {
          await press(view, "Show more");
          await until(view, () => !view().querySelector(".folded, button.more"));
        } else assert.ok(!["search_providers", "check_availability"].includes(tool), `${tool} ${width}: nothing is folded`);
        await close(view);
      }
    }
    assert.deepEqual(wrong, []);
    return "at most 500 px, nothing scrolls inside, targets of 44 px, transparent";
  },

  async people() {
    const view = await open();
    const asked = { state: "TX", limit: 2 };
    const { total, providers } = await ask(view, "search_providers", asked);
    await press(view, "Show more");
    assert.deepEqual(await called(view, "search_providers"), { ...asked, offset: 2 });
    await until(view, () => view().querySelectorAll(".card").length === 4);
    assert.match(await shown(view), new RegExp(`Showing 4 of ${total}`));
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
    await press(view, `See openings: ${taking.displayName}`);
    assert.deepEqual(await called(view, "check_availability"), { state: "TX", provider: taking.slug, newPatients: true });
    await headed(view, "Openings in Texas");
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
    await press(view, `See openings: ${profile.displayName}`);
    assert.equal((await called(view, "check_availability")).state, other);
    await headed(view, `Openings in ${STATE_NAMES.get(other)}`);
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
    // The body of such a list has no token: a second text has it.
    const { content: told } = await call("check_availability", asked);
    const [, token] = told[1].text.match(/"after": "([\w-]+)"/);
    assert.deepEqual(next, { ...asked, after: token });
    assert.ok(!(await shown(view)).includes("This list is cut"), "that text is for assistants");
    await headed(view, "Openings in California");
    await press(view, "Back");

    const [slot] = slots;
    await pick(view);
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
    await press(view, "See openings: Menopause consultation");
    assert.deepEqual(await called(view, "check_availability"), { state: "CA", appointmentType: 103 });
    await headed(view, "Openings in California");
    await ask(view, "list_appointment_types", {});
    await press(view, "See openings: New patient visit");
    await headed(view, "What state will you be in during the visit?");
    await press(view, "HI: Hawaii");
    assert.deepEqual(await called(view, "check_availability"), { state: "HI", appointmentType: 101 });
    await headed(view, "Openings in Hawaii");
    await press(view, "Back");
    await press(view, "Back");
    await headed(view, "Visit types");
    await close(view);
    return "states, plans, visits, and where the visit is held";
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
    await until(view, () => view().textContent.includes("No assistant is showing this page"));
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
            await pick(view);
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
for (const [name, judge] of Object.entries({ ...judges, ...hostile })) {
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
