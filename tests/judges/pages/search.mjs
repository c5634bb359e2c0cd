// The search: from a sentence to open times, evenings, dead ends, and what is kept on the way. What is expected comes from
// the API.

import assert from "node:assert/strict";

/** The home page, the sentence, and what a card and the results say, in each language. */
const ENGLISH = ["/", "a woman doctor in California who takes Goldenrod, with a time this week", /Takes Goldenrod PPO/, /your time zone: Mountain Standard Time \(America\/Phoenix\)/];
const SPANISH = ["/es", "una doctora en California que acepte Goldenrod, con cita esta semana", /Acepta Goldenrod PPO/, /su zona horaria: hora estándar de las Montañas Rocosas \(America\/Phoenix\)/];
const PHONE = "+1-510-555-0100";
const times = (page) => page.waitForSelector("#list .next time");
const textOf = (page, selector) => page.$eval(selector, (element) => element.innerText);

const ask = async (site, parameters) => (await fetch(`${site}/v1/availability?${new URLSearchParams(parameters)}`)).json();

/** The cards that are shown: each with its clinician and times. */
const cards = (page) =>
  page.$$eval("#list .person", (people) => people.map((person) => ({
    slug: new URL(person.querySelector("h3 a").href).pathname.split("/").at(-1),
    times: [...person.querySelectorAll(".next time")].map(({ dateTime }) => dateTime),
    text: person.innerText,
  })));

/** From the home page to times on screen: at most three clicks, one page load, two questions about times. */
export const sentence = (open, site) => journey(open, site, ENGLISH);
export const spanish = (open, site) => journey(open, site, SPANISH);

const journey = async (open, site, [home, typed, takes, zone]) => {
  const { page } = await open(home);
  let [loads, clicks, questions] = [0, 0, 0];
  page.on("request", (request) => {
    loads += request.isNavigationRequest() ? 1 : 0;
    questions += request.url().includes("/v1/availability") ? 1 : 0;
  });
  const click = (selector) => {
    clicks += 1;
    return page.click(selector);
  };
  await click("#finder-words");
  await page.keyboard.type(typed);
  await click("#finder > .button");
  await times(page);
  const figure = `${clicks} clicks, ${loads} page load and ${questions} questions`;
  assert.ok(clicks <= 3 && loads === 1 && questions <= 2, figure);
  const seen = await page.evaluate(() => document.querySelector("#list .next time").getBoundingClientRect().top < innerHeight);
  assert.ok(seen, "times are on the screen");

  const filter = { state: "CA", insurance: "Goldenrod PPO", gender: "female", providerType: "physician", newPatients: "true", horizonDays: 7 };
  const { slots } = await ask(site, { ...filter, onePer: "provider", limit: 200 });
  const shown = await cards(page);
  assert.deepEqual(shown.map(({ slug }) => slug).toSorted(), slots.map(({ providerSlug }) => providerSlug).toSorted());
  for (const { slug, times, text } of shown) {
    const { slots: own } = await ask(site, { ...filter, provider: slug, limit: 3 });
    assert.deepEqual(times, own.slice(0, times.length).map(({ startTime }) => startTime), slug);
    assert.match(text, takes);
  }
  assert.match(await textOf(page, "#found"), zone);
  assert.equal(await page.$eval("#finder-words", ({ value }) => value), "", "all of the sentence is understood");

  // A reload, and the way back from a profile, show the same.
  const address = page.url();
  const slugs = shown.map(({ slug }) => slug);
  await page.reload({ waitUntil: "networkidle0" });
  await times(page);
  assert.deepEqual((await cards(page)).map(({ slug }) => slug), slugs);
  await Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.click("#list h3 a")]);
  await page.goBack({ waitUntil: "networkidle0" });
  await times(page);
  assert.equal(page.url(), address);
  assert.deepEqual((await cards(page)).map(({ slug }) => slug), slugs);
  await page.close();
  return ["-", `${figure} to the times of ${slugs.length} clinicians`];
};

/** Evenings and days are the viewer's, and nothing else is shown. */
export const evenings = async (open) => {
  const { page } = await open("/clinicians?state=CA&evening=yes");
  await times(page);
  const local = (all, options) => page.evaluate((all, options) => all.map((time) => new Intl.DateTimeFormat("en-US", options).format(new Date(time))), all, options);
  const late = (await cards(page)).flatMap((card) => card.times);
  const hours = await local(late, { hour: "numeric", hourCycle: "h23" });
  assert.ok(hours.length > 0 && hours.every((hour) => Number(hour) >= 17), hours.join());
  await page.select("#finder-when", await page.$eval("#finder-when", ({ options }) => options[6].value));
  assert.match(await textOf(page, "#finder summary"), /: Evenings, from 5 PM$/);
  await page.click("#finder summary");
  await page.click("#finder-evening");
  await page.waitForFunction(() => new URLSearchParams(location.search).has("when") && !location.search.includes("evening"));
  await page.waitForFunction(() => document.getElementById("found").textContent.includes("have a time"));
  const day = new URL(page.url()).searchParams.get("when");
  const days = await local((await cards(page)).flatMap((card) => card.times), { dateStyle: "short" });
  const [year, month, date] = day.split("-").map(Number);
  assert.ok(days.length > 0 && days.every((shown) => shown === `${month}/${date}/${year % 100}`), `${day}: ${days.join()}`);
  await page.close();
  return ["-", `${hours.length} times in evenings, ${days.length} on ${day}`];
};

/** What is gone is said; whoever finds nobody is told the way on. */
export const deadEnds = async (open) => {
  const { page } = await open("/clinicians?plan=Aetna&state=CA");
  await times(page);
  assert.match(await textOf(page, "#notice"), /^We do not take Aetna\./);
  await page.goto(`${new URL(page.url()).origin}/clinicians?state=HI&gender=male`, { waitUntil: "networkidle0" });
  await page.waitForSelector(".dead-end");
  const said = await textOf(page, ".dead-end");
  assert.ok(said.includes(PHONE), said);
  const offers = await page.$$(".dead-end button");
  const text = await offers[0].evaluate((button) => button.textContent);
  const [count] = text.match(/\d+|one(?= clinician)/);
  await offers[0].click();
  await page.waitForSelector("#list .person");
  assert.equal(String((await cards(page)).length), count.replace("one", "1"), text);
  await page.close();
  return ["-", `an unknown plan is named; “${text}” led on`];
};

/** An interest that has a word for a woman asks for no woman, and the API's English reasons stay off other languages' pages. */
export const spanishWords = async (open) => {
  const { page } = await open("/es/clinicians");
  const found = await page.evaluate(async () => {
    const [{ understand }, { why }] = [await import("/assets/words.js"), await import("/assets/texts.js")];
    const form = document.getElementById("finder");
    const index = { words: new Set(["salud"]), phrases: [["salud", "de", "la", "mujer"]] };
    const asked = ["salud de la mujer", "una mujer para salud de la mujer"].map((text) => understand(text, form, index));
    return { asked, why: String(why({ code: "TYPE_NOT_OFFERED", message: "English" })) };
  });
  assert.deepEqual(found.asked.map(({ fields }) => fields.gender), [undefined, "female"]);
  assert.match(found.asked[1].rest, /^salud/);
  assert.equal(found.why, "undefined");
  await page.close();
  const profile = await open("/es/providers/amara-okonkwo?state=NY&plan=Goldenrod+PPO");
  await profile.page.waitForSelector("#your-plan:not([hidden])");
  assert.match(await textOf(profile.page, "#your-plan"), /Nueva York/);
  await profile.page.close();
  return ["-", "an interest with a woman in it, no English reason, and Nueva York"];
};

/** State, plan and visit are kept from list to profile; the profile says what they mean for it. */
export const context = async (open) => {
  const { page } = await open("/plans/goldenrod-ppo");
  const follow = (selector) => Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.click(selector)]);
  await follow('.pills a[href^="/states/ca?"]');
  await times(page);
  assert.ok((await cards(page)).every(({ text }) => text.includes("Takes Goldenrod PPO")));
  const time = await page.$eval("#list .next time", ({ dateTime }) => dateTime);
  await follow("#list .next a");
  assert.equal(await textOf(page, "#your-plan"), "Your plan, Goldenrod PPO, is taken in California");
  assert.equal(await page.$eval("#times-state", ({ value }) => value), "CA");
  await page.waitForSelector("#slot[open]");
  const utc = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", dateStyle: "full", timeStyle: "short" }).format(new Date(time));
  assert.ok((await textOf(page, "#slot")).includes(utc), "the time of the card is opened");
  await page.keyboard.press("Escape");
  // A profile's own links keep where its visitor is.
  const kept = await page.$$eval(".pills a, .eyebrow a", (links) => links.map(({ search, pathname }) => [pathname, new URLSearchParams(search).get("state")]));
  assert.ok(kept.length > 3 && kept.every(([, state]) => state === "CA"), JSON.stringify(kept));
  await follow(".eyebrow a");
  assert.equal(new URL(page.url()).search, "?state=CA&plan=Goldenrod+PPO");
  await page.close();
  return ["-", "a plan's page, its state, a time on a card, and back"];
};

/** A clinic that is too large for an index of everybody: the file has no rows, as its build writes it, and the API is asked. */
export const large = async (open, site) => {
  const { page } = await open("/");
  let isDown = false;
  let questions = 0;
  await page.setRequestInterception(true);
  page.on("request", async (request) => {
    const { pathname } = new URL(request.url());
    questions += pathname.startsWith("/v1/") ? 1 : 0;
    if (isDown && pathname.startsWith("/v1/")) await request.respond({ status: 503, contentType: "application/json", body: "{}" });
    else if (pathname === "/assets/clinicians.json") {
      const index = await (await fetch(request.url())).json();
      const api = { summary: "/v1/providers/summary", profile: "/v1/providers/{slug}", site };
      await request.respond({ contentType: "application/json", body: JSON.stringify({ ...index, api, clinicians: [] }) });
    } else await request.continue();
  });
  const go = (path) => page.goto(site + path, { waitUntil: "networkidle0" });
  const get = async (path) => (await fetch(site + path)).json();
  const slugsOf = async () => (await cards(page)).map(({ slug }) => slug);

  // A sentence becomes fields and the address; the earliest come first, each with its own times.
  await go("/clinicians");
  questions = 0;
  await page.type("#finder-words", "a woman in California who takes Goldenrod, with a time this week");
  await page.click("#finder > .button");
  await times(page);
  const address = page.url();
  assert.equal(new URL(address).search, "?state=CA&plan=Goldenrod+PPO&when=week&gender=female");
  const filter = { state: "CA", insurance: "Goldenrod PPO", gender: "female", newPatients: "true", horizonDays: 7 };
  const { slots } = await ask(site, { ...filter, onePer: "provider", limit: 200 });
  const shown = await cards(page);
  assert.deepEqual(shown.map(({ slug }) => slug), slots.slice(0, 8).map(({ providerSlug }) => providerSlug));
  for (const { slug, times, text } of shown) {
    const { slots: own } = await ask(site, { ...filter, provider: slug, limit: 3 });
    assert.deepEqual(times, own.map(({ startTime }) => startTime), slug);
    assert.match(text, /Takes Goldenrod PPO/);
  }
  const first = questions;
  await page.reload({ waitUntil: "networkidle0" });
  assert.deepEqual(await slugsOf(), shown.map(({ slug }) => slug), "a reload shows the same");

  // Words are looked for by the API, a page at a time.
  await go("/clinicians?q=menopause");
  const { total, providers } = await get("/v1/providers/summary?q=menopause&limit=100");
  assert.ok(total > 8, String(total));
  assert.ok((await textOf(page, "#found")).startsWith(`${total} clinicians fit.`));
  while (await page.$("#list .actions button")) {
    const before = (await slugsOf()).length;
    await page.click("#list .actions button");
    await page.waitForFunction((before) => document.querySelectorAll("#list .person").length > before, {}, before);
  }
  assert.deepEqual(await slugsOf(), providers.map(({ slug }) => slug));

  // Words and a state: in the order of the API, with times.
  await go("/clinicians?q=menopause&state=CA&when=week");
  const { providers: inState } = await get("/v1/providers/summary?q=menopause&state=CA&limit=100");
  const { slots: open7 } = await ask(site, { state: "CA", newPatients: "true", horizonDays: 7, onePer: "provider", limit: 200 });
  const isOpen = new Set(open7.map(({ providerSlug }) => providerSlug));
  assert.deepEqual(await slugsOf(), inState.map(({ slug }) => slug).filter((slug) => isOpen.has(slug)));
  assert.ok((await cards(page)).every((card) => card.times.length > 0));

  // A visit is decided by its times; one by message is not known to the API's search, and that is said.
  await go("/clinicians?state=CA&visit=101");
  const { slots: visits } = await ask(site, { state: "CA", appointmentType: 101, onePer: "provider", limit: 200 });
  assert.deepEqual(await slugsOf(), visits.slice(0, 8).map(({ providerSlug }) => providerSlug));
  await go("/clinicians?state=CA&visit=202");
  assert.match(await textOf(page, "#found"), /is said on their own pages/);

  // Dead ends lead on.
  await go("/clinicians?q=zzzz&state=CA");
  const offer = await page.$(".dead-end button");
  const { total: without } = await get("/v1/providers/summary?state=CA&limit=1");
  assert.equal(await offer.evaluate((button) => button.textContent), `Without “zzzz”: ${without} clinicians`);
  await offer.click();
  await page.waitForSelector("#list .person");

  // Without the live service the page says so, with the telephone, and shows the lists that lead on.
  isDown = true;
  await go("/clinicians?state=CA&gender=female");
  const said = await textOf(page, "#found");
  assert.ok(said.includes("cannot be used at the moment") && said.includes(PHONE), said);
  assert.ok(await page.$eval("#browse", ({ hidden }) => !hidden));
  assert.equal((await slugsOf()).length, 24);
  await page.close();
  return ["-", `${shown.length} by time with ${first} questions, ${total} by words, a dead end, and the live service down`];
};
