// A clinician's page: what is seen without scrolling, the window of a chosen time, the reminder to call, paper, and pages
// for patients that have no search.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const PROFILE = "/providers/jun-nakashima?state=CA&plan=Goldenrod+PPO&visit=101";
const PHONE = "(510) 555-0100";
const times = (page) => page.waitForSelector(".times .time");
const textOf = (page, selector) => page.$eval(selector, (element) => element.innerText.replaceAll("\u00a0", " "));
const topOf = (page, selector) => page.$eval(selector, (element) => element.getBoundingClientRect().top);
const quiet = (page) => page.waitForNetworkIdle({ idleTime: 200 });

/** The plan's answer, the first time, and the whole window of a time are on the first screen. */
export const profilePlaces = async (open) => {
  const figures = [];
  for (const [width, height, most] of [[390, 844, 620], [1440, 900, 400]]) {
    const { page } = await open(PROFILE, { width });
    await page.setViewport({ width, height });
    await times(page);
    const top = await topOf(page, ".times .time");
    assert.ok(top <= most, `the first time is at ${top} of ${most}, ${width} px`);
    const plan = await topOf(page, "#answer .yes");
    if (width === 390) {
      assert.ok(plan <= 240, `the plan's answer is at ${plan}`);
      const parts = await page.$$eval(".part h4", (all) => all.map((head) => head.getBoundingClientRect().bottom));
      assert.ok(parts.length > 0 && parts.at(-1) <= height, `the parts of the day end at ${parts.at(-1)}`);
    }
    await page.click(".times .time");
    const box = await page.$eval("#slot[open]", (dialog) => ({ top: dialog.getBoundingClientRect().top, bottom: dialog.getBoundingClientRect().bottom, scrolls: dialog.scrollHeight > dialog.clientHeight }));
    assert.ok(box.top >= 0 && box.bottom <= height && !box.scrolls, `${JSON.stringify(box)} at ${width} px`);
    figures.push(`${width} px: answer ${Math.round(plan)}, time ${Math.round(top)}, window to ${Math.round(box.bottom)}`);
    await page.close();
  }
  return ["-", figures.join("; ")];
};

/** What a search asks for and a clinician does not have is said, with a way on. */
export const elsewhere = async (open, site) => {
  const { page } = await open("/providers/amara-okonkwo?state=CA&visit=201");
  // Nor are the times of a visit by video shown in their place: it stays chosen, and the phone is a button.
  await page.waitForSelector("#times-found .button[href^='tel:']");
  assert.match(await textOf(page, "#times-found"), /^There’s no set time\. To start, call \(510\)\s555-0100\./);
  assert.equal(await page.$eval("#times-visit", ({ selectedOptions: [option] }) => option.text), "Message visit");
  await page.goto(`${site}/providers/jun-nakashima?state=TX&plan=Goldenrod+PPO`, { waitUntil: "networkidle0" });
  assert.match(await textOf(page, "#times-note"), /^Not licensed in Texas\. See who can see you there$/);
  assert.equal(await page.$eval("#times-note a", (link) => link.getAttribute("href")), "/clinicians?state=TX&plan=Goldenrod+PPO");
  await page.goto(`${site}/providers/amara-okonkwo?state=AZ&visit=102`, { waitUntil: "networkidle0" });
  assert.equal(await textOf(page, "#answer"), "This visit is for current patients.");
  // The patient's phone is in Los Angeles, and the visit in New York, whose clock counts: three hours later.
  await page.emulateTimezone("America/Los_Angeles");
  await page.goto(`${site}/providers/gabriel-cote?state=NY`, { waitUntil: "networkidle0" });
  await times(page);
  const time = await page.$eval(".times time", ({ dateTime }) => dateTime);
  await page.click(".times .time");
  const [there, here] = ["America/New_York", "America/Los_Angeles"].map((timeZone) => new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", minute: "2-digit" }).format(new Date(time)));
  assert.ok((await textOf(page, "#slot-title")).includes(there), await textOf(page, "#slot-title"));
  const when = await textOf(page, "#slot-when");
  assert.ok(when.includes("New York time (Eastern Time) · your time: ") && when.endsWith(here), when);
  assert.match(await textOf(page, "#times-found"), /New York time \(Eastern Time\), checked at/);
  await page.close();
  return ["-", `a message visit, a state without a license, and ${there} in New York`];
};

/** Before the phones open, and in the minutes that a call takes after that, nothing can be booked: such openings aren't offered. */
export const tooLate = async (open) => {
  const { page } = await open(PROFILE);
  await times(page);
  const said = async (zone, week, start) => {
    await page.evaluate((hours) => { document.getElementById("slot").dataset.hours = JSON.stringify(hours); }, { zone, name: "Pacific", week });
    return page.evaluate(async (start) => {
      const { canBook, openSlot } = await import(`/assets/slot.js?${Math.random()}`);
      const slot = { startTime: start ?? document.querySelector(".times time").dateTime, providerSlug: "jun-nakashima" };
      openSlot(slot, { visit: "Visit", length: "1 hour", state: "California", codes: {} }, undefined, { isArrival: true });
      const shown = { can: canBook(slot), text: document.getElementById("slot").innerText };
      document.getElementById("slot").close();
      return shown;
    }, start);
  };
  // The phones are answered only on the day after the opening.
  const time = new Date(await page.$eval(".times time", ({ dateTime }) => dateTime));
  const after = (time.getUTCDay() + 1) % 7;
  assert.ok(!(await said("UTC", [[after, 480, 1080]])).can);
  // They open at midnight of the next day: five past is too soon, twenty past isn't.
  const midnight = new Date();
  midnight.setUTCHours(24, 0, 0, 0);
  const [soonAfter, later] = [5, 20].map((minutes) => new Date(midnight.getTime() + minutes * 60_000).toISOString());
  const fromMidnight = [[midnight.getUTCDay(), 0, 1440]];
  assert.deepEqual([(await said("UTC", fromMidnight, soonAfter)).can, (await said("UTC", fromMidnight, later)).can], [false, true]);
  const always = await said("UTC", [0, 1, 2, 3, 4, 5, 6].map((day) => [day, 0, 1440]));
  assert.ok(always.can && always.text.includes("call and ask"), always.text);
  // A reminder could not ring before a visit in a quarter of an hour.
  const soon = await said("UTC", [0, 1, 2, 3, 4, 5, 6].map((day) => [day, 0, 1440]), new Date(Date.now() + 900_000).toISOString());
  assert.ok(soon.can && !soon.text.includes("reminder") && soon.text.includes("Call now: this visit starts soon."), soon.text);
  await page.close();
  return ["-", "no opening before a call is over, and why there is no reminder"];
};

/** No state is chosen by the alphabet, and a search in this tab chooses it. */
export const noState = async (open) => {
  const { page } = await open("/providers/jun-nakashima");
  const state = () => page.$eval("#times-state", ({ value, selectedOptions: [option] }) => [value, option.text]);
  assert.deepEqual(await state(), ["", "Choose a state"]);
  assert.equal((await textOf(page, "#times-found")).trim(), "Choose your state to see openings.");
  assert.equal(await page.$(".times .time"), null);
  assert.match(await textOf(page, "#answer"), /^Sees new patients in California and Washington\s*$/);
  await page.select("#times-state", "WA");
  await times(page);
  assert.equal(new URL(page.url()).searchParams.get("state"), "WA");
  // The plan is chosen beside the state, and can be changed whatever the answer is.
  assert.equal(await page.$eval("#times #plan", ({ selectedOptions: [option] }) => option.text), "Your plan");
  await page.select("#plan", "Goldenrod PPO");
  assert.match(await textOf(page, "#answer"), /^Takes Goldenrod PPO in Washington\b/);
  assert.equal(new URL(page.url()).searchParams.get("plan"), "Goldenrod PPO");
  await page.goto(`${new URL(page.url()).origin}/providers/jun-nakashima?state=WA&plan=Mangrove+HMO`, { waitUntil: "networkidle0" });
  assert.match(await textOf(page, "#answer"), /^Doesn’t take Mangrove HMO in Washington\b/);
  assert.equal(await page.$eval("#plan", ({ value }) => value), "Mangrove HMO");
  await page.evaluate(() => sessionStorage.setItem("search", JSON.stringify({ href: "/clinicians?state=CA", words: "5 clinicians in California", state: "CA" })));
  await page.goto(`${new URL(page.url()).origin}/providers/jun-nakashima`, { waitUntil: "networkidle0" });
  assert.deepEqual(await state(), ["CA", "California"]);
  assert.deepEqual(await page.$eval("#back", (link) => [link.textContent.replace(/\s/g, " "), link.getAttribute("href")]), ["‹ 5 clinicians in California", "/clinicians?state=CA"]);
  await page.close();
  return ["-", "no state, then one of this page, then that of the last search in the tab"];
};

/** A time that a list led to is marked; one that is gone is said. */
export const marked = async (open, site) => {
  const { slots } = await (await fetch(`${site}/v1/availability?state=CA&provider=jun-nakashima&appointmentType=101&limit=60`)).json();
  const wanted = slots.at(-1).startTime;
  const { page } = await open(`${PROFILE}&start=${wanted}`);
  await times(page);
  assert.deepEqual(await page.$$eval(".times .on time", (all) => all.map(({ dateTime }) => dateTime)), [wanted]);
  await page.waitForSelector("#slot[open]");
  await page.goto(`${site}${PROFILE}&start=${wanted.replace(/:00Z$/, ":07Z")}`, { waitUntil: "networkidle0" });
  await times(page);
  assert.match(await textOf(page, "#times-note"), / isn’t open\. These are the closest\.$/);
  const note = async (query) => {
    await page.goto(`${site}${PROFILE}&${query}`, { waitUntil: "networkidle0" });
    await times(page);
    return (await textOf(page, "#times-note")).trim();
  };
  assert.equal(await note("start=garbage"), "");
  assert.equal(await note("part=constructor"), "");
  // The days that were searched come first.
  await note("day=sat,sun");
  assert.match(await textOf(page, ".day[aria-current] b"), /^S(?:at|un)$/);
  assert.match(await note("start=2026-11-20T00:00:00Z"), /^Nov 19, 4:00\sPM has passed\./);
  // Later days go on without a gap, and each day's count is that of its times.
  const seen = [];
  for (let turn = 0; turn < 3; turn += 1) {
    for (const at of (await page.$$(".day")).keys()) {
      await (await page.$$(".day"))[at].click();
      const [said, shown] = await page.evaluate(() => [document.querySelector(".day[aria-current] small").textContent, [...document.querySelectorAll(".times time")].map(({ dateTime }) => dateTime)]);
      assert.equal(said, `${shown.length} open`);
      // A strip that was not full is shown again with the days that follow.
      if (!seen.includes(shown[0])) seen.push(...shown);
    }
    const later = await page.$(".turns .more-link:last-child");
    if (!later) break;
    await Promise.all([quiet(page), later.click()]);
  }
  assert.deepEqual(seen, seen.toSorted(), "in order");
  assert.equal(new Set(seen).size, seen.length, "no time twice");
  await page.close();
  return ["-", `${wanted} marked, a vanished time reported, ${seen.length} times in order`];
};

const stamp = (text) => Date.parse(text.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, "$1-$2-$3T$4:$5:$6Z"));
/** The day and the minute of a moment in Oakland. */
const there = (moment) => {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: "America/Los_Angeles", weekday: "short", hour: "numeric", minute: "numeric", hourCycle: "h23" }).formatToParts(moment);
  const { weekday, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return { weekday, minutes: Number(hour) * 60 + Number(minute) };
};

/** The reminder rings while the phone is answered, before the visit, and keeps no time. The demo's phone is answered from 8 to 6. */
export const reminder = async (open) => {
  const { page } = await open(PROFILE);
  await times(page);
  const moments = Array.from({ length: 400 }, (_, at) => Date.UTC(2026, 9, 20) + at * 7 * 3_600_000 + (at % 60) * 61_000);
  const all = await page.evaluate(async (moments) => {
    const { reminder } = await import("/assets/phone.js");
    const hours = JSON.parse(document.getElementById("slot").dataset.hours);
    return moments.flatMap((now) => [3, 30, 200].map((more) => ({ now, visit: now + more * 3_600_000, call: reminder(hours, now + more * 3_600_000, now) })));
  }, moments);
  const made = all.filter(({ call }) => call);
  for (const { now, visit, call } of made) {
    assert.ok(call.from > now && call.until <= visit, "before the visit");
    const { weekday, minutes } = there(call.from);
    assert.ok(!["Sat", "Sun"].includes(weekday) && minutes >= 480 && minutes + 15 <= 1080, `${weekday} ${minutes}`);
  }
  assert.ok(made.length > 800 && made.length < all.length, `${made.length} of ${all.length}`);
  // The evening before Thanksgiving, a holiday of some clinicians: no one knows whether the phone is answered then.
  const eve = await page.evaluate(async (now) => {
    const { next } = await import("/assets/phone.js");
    return next(JSON.parse(document.getElementById("slot").dataset.hours), now) || null;
  }, Date.UTC(2026, 10, 26, 5));
  assert.equal(eve, null);
  // The file of a time that is far enough ahead.
  await page.evaluate(() => {
    globalThis.files = [];
    const original = URL.createObjectURL;
    URL.createObjectURL = (file) => files.push(file) && original.call(URL, file);
  });
  await page.evaluate(() => document.querySelector(".days li:last-child .day").click());
  const time = await page.$eval(".times li:last-child time", ({ dateTime }) => dateTime);
  await page.click(".times li:last-child .time");
  await page.click("#slot-remind");
  const file = (await page.evaluate(() => files[0].text())).replaceAll("\r\n ", "");
  const value = (name) => file.match(new RegExp(`^${name}:(.*)\r$`, "m"))[1];
  assert.deepEqual([value("STATUS"), value("TRANSP")], ["TENTATIVE", "TRANSPARENT"]);
  assert.match(value("SUMMARY"), /^Call Larkspur Health: ask for Jun Nakashima\\, [A-Z][a-z]{2} \d+\\, \d+:\d\d\s[AP]M \(Pacific Time\)$/);
  assert.ok(stamp(value("DTEND")) <= Date.parse(time) && stamp(value("DTSTART")) !== Date.parse(time), file);
  await page.close();
  return ["-", `${made.length} reminders in the phone's hours and before their visits, ${all.length - made.length} times without one`];
};

/** The browser's back button and Escape close the window, and the focus goes back. */
export const closing = async (open) => {
  const { page } = await open(PROFILE);
  await times(page);
  // On a weekend, the first times are before the clinic answers its phone.
  await page.click(".days li:last-child .day");
  const address = page.url();
  for (const close of [() => page.keyboard.press("Escape"), () => page.click("#slot .shut"), () => page.evaluate(() => history.back())]) {
    await page.click(".times .time");
    await page.waitForSelector("#slot[open]");
    const said = await textOf(page, "#slot");
    for (const words of ["Not booked yet", "New patient visit: 45 minutes, by video", "Takes Goldenrod PPO in California", "To book, call and ask for this time.", `Call ${PHONE}`, "You must be in California during the visit."]) assert.ok(said.includes(words), `${words}: ${said}`);
    // The viewer's own clock comes first where it differs: in Phoenix, that is in winter.
    const [here, there] = ["America/Phoenix", "America/Los_Angeles"].map((timeZone) => new Date().toLocaleString("en-US", { timeZone }));
    assert.match(said, here === there ? /Our phones (open .+ at 8 AM|are open until 6 PM) Pacific\./ : /Our phones (open .+ at 9 AM your time \(8 AM|are open until 7 PM your time \(6 PM) Pacific\)\./);
    await close();
    await page.waitForFunction(() => !document.querySelector("#slot[open]") && !history.state?.slot);
    assert.equal(page.url(), address);
    assert.ok(await page.evaluate(() => document.activeElement.matches(".times .time")), "focus is back at the time");
  }
  await page.close();
  return ["-", "by Escape, the cross, and the browser's button"];
};

/** On paper: at most two pages, dates and no "tomorrow", the phone, the search in words, and no button. */
export const paper = async (open) => {
  const { page } = await open(PROFILE);
  await times(page);
  const sheets = (Buffer.from(await page.pdf({ format: "Letter" })).toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length;
  assert.ok(sheets <= 2, `${sheets} pages`);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMediaType("print");
  const said = await textOf(page, "body");
  for (const words of ["California · New patient visit", PHONE, "Takes Goldenrod PPO in California", "Printed "]) assert.ok(said.includes(words), `${words}: ${said}`);
  assert.match(said, /Next opening: (Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day, [A-Z][a-z]+ \d+, \d+:\d\d\s[AP]M/);
  assert.ok(!/tomorrow|Later days|See times/i.test(said), said);
  // The strip's other days are there, too.
  const days = await page.evaluate(() => [document.querySelectorAll(".day").length, [...document.querySelectorAll(".day-title, p.on-paper:has(b)")].filter((day) => day.checkVisibility()).length]);
  assert.equal(days[1], days[0]);
  // A chosen time stands alone.
  await page.emulateMediaType("screen");
  await page.click(".times .time");
  const title = await textOf(page, "#slot-title");
  await page.emulateMediaType("print");
  assert.deepEqual(await page.evaluate(() => ["#slot-title", "#times-found"].map((part) => document.querySelector(part).checkVisibility())), [true, false], title);
  await page.close();
  return ["-", `${sheets} pages`];
};

/** States of the page: loading in its own room, an error with a way on, nothing open, and an old list. */
export const states = async (open, site) => {
  const { page } = await open("/providers/jun-nakashima");
  let answer;
  await page.setRequestInterception(true);
  page.on("request", async (request) => {
    if (request.url().includes("/v1/availability")) await answer(request);
    else await request.continue();
  });
  const say = (status, body, headers = {}) => (request) => request.respond({ status, contentType: "application/json", headers, body: JSON.stringify(body) });
  // Far enough that the phone is answered before.
  const slots = [{ startTime: new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 9 * 86_400_000).toISOString().replace(".000", ""), providerSlug: "jun-nakashima" }];
  const go = async (text) => {
    await page.goto(site + PROFILE, { waitUntil: "networkidle0" });
    await page.waitForFunction((text) => document.getElementById("times-found").innerText.includes(text), {}, text);
    return page.$eval("#times-found", ({ innerText, innerHTML }) => ({ innerText, innerHTML }));
  };
  answer = say(503, { code: "AVAILABILITY_UNAVAILABLE", message: "later" });
  const failed = await go("Openings aren’t available online right now.");
  assert.ok(failed.innerText.includes(PHONE) && failed.innerText.includes("Try again"), failed.innerText);
  answer = say(200, { slots: [], nextAvailable: null });
  const none = await go("No openings in the next two weeks.");
  assert.match(none.innerHTML, /href="\/clinicians\?state=CA&amp;plan=Goldenrod\+PPO&amp;visit=101"[^>]*>See who has openings</);
  // Nothing green says otherwise.
  assert.ok(await page.$eval("#answer.full", (box) => Boolean(box)));
  answer = say(200, { slots, nextAvailable: slots[0].startTime }, { "Availability-Status": "stale", "Availability-As-Of": "2026-11-21T11:40:00Z" });
  assert.match((await go("Some may be gone.")).innerText, /Openings as of 3:40\sAM\. Some may be gone\./);
  // While it waits, the page has the room that its answer needs.
  let release;
  answer = (request) => new Promise((resolve) => { release = () => resolve(request.continue()); });
  await page.evaluateOnNewDocument(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) globalThis.shift += entry.hadRecentInput ? 0 : entry.value; }).observe({ type: "layout-shift", buffered: true });
  });
  await page.setViewport({ width: 390, height: 844 });
  await page.goto(site + PROFILE, { waitUntil: "load" });
  await page.waitForFunction(() => document.getElementById("times-found").innerText.includes("Looking for openings…"));
  await page.waitForFunction(() => true, { polling: "raf" });
  while (!release) await page.waitForFunction(() => true, { polling: "raf" });
  release();
  await times(page);
  const shift = await page.evaluate(() => globalThis.shift);
  assert.ok(shift <= 0.05, `shift ${shift}`);
  await page.close();
  const { page: plain } = await open(PROFILE, { scripts: false });
  const text = await textOf(plain, "main");
  assert.ok(text.includes(`To see openings, turn on JavaScript or call ${PHONE}.`) && !text.includes("Looking for"), text);
  assert.ok((await plain.$$eval("#licensed a[href^='/states/']", (links) => links.length)) > 0, "links by state");
  await plain.close();
  return ["-", `error, nothing open, an old list, no script; shift ${shift.toFixed(3)}`];
};

const PLAIN = ["/assistants", "/accessibility", "/es/assistants", "/es/accessibility", "/no-such-page", "/docs/check-availability"];

/** With everything open that can be, in both themes; targets of 44 px outside sentences; nothing wider than 320 px. */
export const profileAccess = async (open) => {
  const source = readFileSync(AXE, "utf8");
  const wrong = [];
  let runs = 0;
  for (const path of [PROFILE, `/es${PROFILE}`, "/providers/amara-okonkwo", "/providers/miriam-katzenbach", ...PLAIN]) {
    for (const width of [390, 1440]) {
      for (const scheme of ["light", "dark"]) {
        const { page } = await open(path, { width, scheme, bypassCSP: true });
        await page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
        await page.evaluate(source);
        const judge = async (what) => {
          const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
          wrong.push(...violations.map(({ id, nodes }) => `${path} ${width} ${scheme} ${what}: ${id}: ${nodes[0].html.slice(0, 120)}`));
          runs += 1;
        };
        await judge("page");
        if (await page.$(".times .time")) {
          await page.click(".times .time");
          await judge("window");
          await page.keyboard.press("Escape");
        }
        await page.close();
      }
    }
    const { page } = await open(path, { width: 390 });
    const small = await page.evaluate(() => {
      const inSentence = (element) => element.tagName === "A" && getComputedStyle(element).display === "inline" || element.parentElement.closest("p, dd, li, td")?.textContent.trim() !== element.textContent.trim() && element.matches("p a, dd a, td a, dt a, .lines a");
      const all = [...document.querySelectorAll("main a, main button, main select, main input:not([type=hidden]), main summary")];
      const shown = all.filter((element) => element.checkVisibility() && !inSentence(element) && !element.closest("dialog:not([open])"));
      return shown.filter((element) => element.getBoundingClientRect().height < 43.9).map((element) => `${Math.round(element.getBoundingClientRect().height)} px: ${element.outerHTML.slice(0, 100)}`);
    });
    wrong.push(...small.map((each) => `${path}: ${each}`));
    await page.setViewport({ width: 320, height: 700 });
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wrong.push(`${path}: wider than 320 px`);
    await page.close();
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return ["-", `axe: none in ${runs} runs with details and the window open; targets of 44 px; 320 px`];
};
