// Where the first opening is on a page, how large its targets are, and what moves while it loads.

import assert from "node:assert/strict";

const RESULTS = "/clinicians?state=CA&plan=Goldenrod+PPO";
const NOTHING = "/clinicians?state=CA&plan=Goldenrod+PPO&part=evening&language=Spanish";
/** The page, the window, and the lowest place of the first time's top. */
const FIRST_TIMES = [
  [RESULTS, 390, 844, 500], [RESULTS, 1440, 900, 420], ["/states/ca", 390, 844, 500], ["/states/ca", 1440, 900, 420],
  // "Acepta Goldenrod PPO en California" takes a second line.
  [`/es${RESULTS}`, 390, 844, 520], [NOTHING, 390, 844, 720],
];
const LISTS = ["/", "/es", "/clinicians", RESULTS, `/es${RESULTS}`, NOTHING, "/states/ca", "/plans/goldenrod-ppo", "/visit-types/101?state=CA"];

export const firstTimes = async (open) => {
  const tops = [];
  for (const [path, width, height, lowest] of FIRST_TIMES) {
    const { page } = await open(path, { width, height });
    await page.waitForSelector("#list .time");
    const top = await page.$eval("#list .time", (time) => Math.round(time.getBoundingClientRect().top));
    assert.ok(top <= lowest, `${path} at ${width} px: ${top}, at most ${lowest}`);
    tops.push(top);
    await page.close();
  }
  return ["-", `the first times stand at ${tops.join(", ")} px`];
};

/** A link in a sentence has its line's height; all else that is pressed is 44 px high or more. */
export const targets = async (open) => {
  let seen = 0;
  for (const path of LISTS) {
    for (const width of [320, 390, 1440]) {
      const { page } = await open(path, { width });
      const found = await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
        const isInSentence = (link) => link.closest("p") && [...link.closest("p").childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim().length > 1);
        const all = [...document.querySelectorAll("a, button, summary, select, input")].filter((target) => target.checkVisibility() && !target.closest(".skip") && !isInSentence(target));
        const small = all.filter((target) => target.getBoundingClientRect().height < 43.9);
        return { count: all.length, small: small.map((target) => target.outerHTML.slice(0, 90)), isWide: document.documentElement.scrollWidth > innerWidth };
      });
      assert.deepEqual(found.small, [], `${path} at ${width} px`);
      assert.equal(found.isWide, false, `${path} at ${width} px scrolls sideways`);
      seen += found.count;
      await page.close();
    }
  }
  return ["-", `${seen} targets are 44 px high or more`];
};

/** What is shown first keeps its place, and the whole list is never shown as if it were the result. */
export const loading = async (open, site) => {
  const { page } = await open("/");
  await page.evaluateOnNewDocument(() => {
    globalThis.moved = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) globalThis.moved += hadRecentInput ? 0 : value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  const moved = [];
  for (const width of [320, 390, 1440]) {
    await page.setViewport({ width, height: 844 });
    await page.goto(site + RESULTS, { waitUntil: "networkidle0" });
    moved.push(await page.evaluate(() => Math.round(globalThis.moved * 1000) / 1000));
  }
  assert.ok(moved.every((value) => value <= 0.05), moved.join());
  await page.setRequestInterception(true);
  page.on("request", (request) => (request.url().endsWith("/assets/finder.js") ? request.abort() : request.continue()));
  await page.goto(`${site}/clinicians?q=sleep`, { waitUntil: "networkidle0" });
  const [heading, isShown] = await page.evaluate(() => [document.querySelector("h1").innerText, document.querySelector("#list .who").checkVisibility()]);
  assert.deepEqual([heading, isShown], ["Searching…", false]);
  await page.close();
  return ["-", `moved by ${moved.join(", ")}; “${heading}” before the script`];
};

/** Openings that may be gone are said to be. */
export const stale = async (open, site) => {
  const { page } = await open("/");
  await page.setRequestInterception(true);
  page.on("request", async (request) => {
    if (!request.url().includes("/v1/availability")) return request.continue();
    const answer = await (await fetch(request.url())).json();
    return request.respond({ contentType: "application/json", body: JSON.stringify({ ...answer, stale: true, asOf: "2026-11-25T02:40:00Z" }) });
  });
  await page.goto(site + RESULTS, { waitUntil: "networkidle0" });
  await page.waitForSelector("#list .time");
  const said = await page.$eval("#about", ({ innerText }) => innerText);
  // By the clock of California.
  assert.match(said, /Openings as of 6:40\sPM\. Some may be gone\.$/);
  await page.close();
  return ["-", said];
};

/** Clinicians who are booked up are named, a list has next openings, and a static host doesn't promise that waiting helps. */
export const known = async (open, site) => {
  const { page } = await open("/clinicians?state=OH");
  await page.waitForSelector("#list .block .who");
  const last = await page.$$eval("#list .who", (rows) => rows.at(-1).innerText);
  // Her week has no hours yet (content/availability/yevgenia-sokolik.toml).
  assert.match(last, /^Yevgenia Sokolik\b[^]*No openings in the next 30 days\.$/m);
  await page.goto(`${site}/clinicians?state=OH&q=Yevgenia`, { waitUntil: "networkidle0" });
  assert.equal(await page.$eval("h1", ({ innerText }) => innerText), "No openings with Yevgenia Sokolik");
  // Who has none at all isn't looked for farther ahead.
  await page.goto(`${site}/providers/yevgenia-sokolik?state=OH`, { waitUntil: "networkidle0" });
  const none = await page.$eval("#times-found", ({ innerText }) => innerText);
  assert.ok(none.includes("No openings in the next 30 days.") && !none.includes("Look 30 days ahead"), none);
  await page.goto(`${site}/clinicians`, { waitUntil: "networkidle0" });
  const lines = await page.$$eval("#list .next", (found) => found.map(({ innerText }) => innerText.replaceAll("\u00a0", " ")));
  const told = lines.filter((line) => /^Next opening: (?:today|tomorrow|\w{3}, \w{3} \d+), \d+:\d\d [AP]M$/.test(line)).length;
  assert.ok(told > 20 && lines.every(Boolean), lines.join("; "));
  await page.goto(`${site}/clinicians?state=nv`, { waitUntil: "networkidle0" });
  assert.match(await page.$eval("#notice", ({ innerText }) => innerText), /^We don’t see patients in Nevada yet\./);
  await page.goto(`${site}/providers/amara-okonkwo?state=NV`, { waitUntil: "networkidle0" });
  assert.match(await page.$eval("#times-note", ({ innerText }) => innerText), /^We don’t see patients in Nevada yet\./);
  // A shared time without a state waits for it. The first ones may begin before the phone is answered.
  const { slots } = await (await fetch(`${site}/v1/availability?provider=amara-okonkwo&state=CA&appointmentType=101&limit=50`)).json();
  await page.goto(`${site}/providers/amara-okonkwo?start=${slots.at(-1).startTime}`, { waitUntil: "networkidle0" });
  assert.match(await page.$eval("#times-found", ({ innerText }) => innerText), /^Choose your state to see whether .+ is still open\.$/m);
  await page.select("#times-state", "CA");
  await page.waitForSelector("#slot[open]");
  await page.setRequestInterception(true);
  page.on("request", (request) => (request.url().includes("/v1/availability") ? request.respond({ status: 404, contentType: "text/html", body: "<h1>Not found</h1>" }) : request.continue()));
  await page.goto(`${site}/clinicians?state=CA`, { waitUntil: "networkidle0" });
  const ways = await page.$eval("#list .actions", ({ innerText }) => innerText);
  assert.deepEqual([await page.$eval("h1", ({ innerText }) => innerText), ways], ["Openings aren’t listed online", "Call (510) 555-0100"]);
  await page.goto(`${site}/providers/amara-okonkwo?state=CA`, { waitUntil: "networkidle0" });
  const panel = await page.$eval("#times-found", ({ innerText }) => innerText);
  assert.match(panel, /^Openings aren’t listed online\. To ask about times, call \(510\)\s555-0100\.\s+Call \(510\)\s555-0100$/);
  await page.close();
  return ["-", `${told} next openings in the list, one clinician booked up, and a static host`];
};
