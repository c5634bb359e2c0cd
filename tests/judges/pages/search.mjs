// The search: from a sentence to openings, parts of the day, dead ends, and what is kept on the way. What is expected comes
// from the API.

import assert from "node:assert/strict";

// The searches are for California, whose clock counts; the viewer is in Phoenix.
const ZONE = "America/Los_Angeles";
/** The sentence, and what a row and the results say, in each language. */
const ENGLISH = ["/clinicians", "a woman doctor in California who takes Goldenrod, with a time next week", "Takes Goldenrod PPO in California", /^Soonest first\. California time \(Pacific Time\)\./];
const SPANISH = ["/es/clinicians", "una doctora en California que acepte Goldenrod, con cita la próxima semana", "Acepta Goldenrod PPO en California", /^Más próximas primero\. Hora del Pacífico \(California\)\./];
export const WOMEN_IN_CALIFORNIA = { state: "CA", insurance: "Goldenrod PPO", gender: "female", newPatients: "true" };
export const PHONE = /510/;

export const times = (page) => page.waitForSelector("#list .time");
export const textOf = (page, selector) => page.$eval(selector, (element) => element.innerText);
const follow = (page, selector) => Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.click(selector)]);
const ask = async (site, parameters) => (await fetch(`${site}/v1/availability?${new URLSearchParams({ timeZone: ZONE, limit: 200, ...parameters })}`)).json();
const HOUR = 3_600_000;
/** What can still be booked: the demo's phones are answered on weekdays from 8 to 18 in California, and an earlier visit can't be had. */
const bookable = (from = 0) => {
  const isAnswered = (at) => {
    const [weekday, hour] = new Date(at).toLocaleString("en-US", { timeZone: "America/Los_Angeles", weekday: "short", hour: "numeric", hourCycle: "h23" }).split(/,? /);
    return !/^S/.test(weekday) && hour >= 8 && hour < 18;
  };
  let at = Date.now();
  if (isAnswered(at)) at = 0;
  else {
    for (at -= at % HOUR; !isAnswered(at); at += HOUR);
    // A call takes a quarter of an hour.
    at += HOUR / 4;
  }
  return Math.max(at, from) ? { from: new Date(Math.max(at, from)).toISOString().replace(".000", ""), horizonDays: 14 } : {};
};
export const soonest = async (site, filter) => (await ask(site, { ...bookable(), ...filter, onePer: "provider" })).slots.map(({ providerSlug }) => providerSlug);

/** The rows that are shown: each with its clinician, and the first time and the count of each cell. */
export const rows = (page, selector = "#list > .people > .who") =>
  page.$$eval(selector, (people) => people.map((person) => ({
    slug: new URL(person.querySelector(".name a").href).pathname.split("/").at(-1),
    visit: new URL(person.querySelector(".time")?.href ?? location.href).searchParams.get("visit"),
    cells: [...person.querySelectorAll("td:has(time)")].map((cell) => [cell.querySelector("time").dateTime, cell.querySelectorAll("time").length + Number(/\d+/.exec(cell.querySelector("small")?.textContent) ?? 0)]),
    text: person.innerText,
  })));

/** The cells of a clinician's table, as the API's openings of its visit make it: the next six days, by part of the day. */
export const cellsOf = async (site, { newPatients, ...filter }, { slug, visit }) => {
  const { slots } = await ask(site, { ...bookable(), ...filter, provider: slug, appointmentType: visit });
  const { slots: [first] } = await ask(site, { ...bookable(), ...filter, newPatients, provider: slug, limit: 1 });
  assert.equal(slots[0].startTime, first.startTime, `${slug}: the visit has the first opening of all`);
  const days = new Map();
  for (const { startTime, localTime } of slots) {
    const [date, hour] = [localTime.slice(0, 10), Number(localTime.slice(11, 13))];
    const part = hour < 12 ? 0 : hour < 17 ? 1 : 2;
    const parts = days.get(date) ?? days.set(date, [[], [], []]).get(date);
    parts[part].push(startTime);
  }
  const shown = [...days.values()].slice(0, 6);
  return [0, 1, 2].flatMap((part) => shown.map((parts) => parts[part]).filter(({ length }) => length > 0).map((own) => [own[0], own.length]));
};

/** From a sentence to openings on screen: at most three clicks. */
export const sentence = (open, site) => journey(open, site, ENGLISH);
export const spanish = (open, site) => journey(open, site, SPANISH);

const journey = async (open, site, [start, typed, takes, zone]) => {
  const { page } = await open(start);
  await page.click("#finder-words");
  await page.keyboard.type(typed);
  await page.click("#finder > .button");
  await times(page);
  // Next week begins on Monday, and today is the visitor's.
  const today = new Date(`${await page.evaluate(() => new Date().toLocaleDateString("en-CA"))}T00:00Z`);
  const monday = today.getTime() + (7 - ((today.getUTCDay() + 6) % 7)) * 24 * HOUR;
  const until = new Date(monday + 6 * 24 * HOUR).toISOString().slice(0, 10);
  const behind = 24 - Number(new Intl.DateTimeFormat("en-US", { timeZone: ZONE, hour: "numeric", hourCycle: "h23" }).format(monday));
  const { from } = bookable(monday + behind * HOUR);
  const filter = { ...WOMEN_IN_CALIFORNIA, providerType: "physician", from, until };
  const slugs = await soonest(site, filter);
  const shown = await rows(page);
  assert.deepEqual(shown.map(({ slug }) => slug), slugs);
  for (const row of shown) {
    assert.deepEqual(row.cells, await cellsOf(site, filter, row), row.slug);
    assert.ok(row.text.includes(takes), row.text);
  }
  assert.match(await textOf(page, "#about"), zone);
  assert.ok((await textOf(page, "h1")).startsWith(String(slugs.length)), "the heading counts them");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1", "focus is at the heading");
  assert.equal(await page.$eval("#finder-words", ({ value }) => value), "", "all of the sentence is understood");

  // A reload, and the way back from a profile, show the same.
  const address = page.url();
  await page.reload({ waitUntil: "networkidle0" });
  await times(page);
  assert.deepEqual((await rows(page)).map(({ slug }) => slug), slugs);
  await follow(page, "#list .name a");
  await page.goBack({ waitUntil: "networkidle0" });
  await times(page);
  assert.equal(page.url(), address);
  assert.deepEqual((await rows(page)).map(({ slug }) => slug), slugs);
  await page.close();
  return ["-", `the openings of ${slugs.length} clinicians, cell by cell`];
};

/** Days and times are by the clock of the asked state, and nothing else is shown. A chip adds a filter, and takes it out again. */
export const evenings = async (open) => {
  const { page } = await open("/clinicians?state=CA&part=evening");
  await times(page);
  const local = async (options, timeZone = ZONE) => {
    const all = (await rows(page)).flatMap(({ cells }) => cells.map(([time]) => time));
    return all.map((time) => new Intl.DateTimeFormat("en-US", { timeZone, ...options }).format(new Date(time)));
  };
  const hours = await local({ hour: "numeric", hourCycle: "h23" });
  assert.ok(hours.length > 0 && hours.every((hour) => Number(hour) >= 17), hours.join());
  const chip = (text) => page.$$eval("#chips a", (links, text) => links.find((link) => link.textContent === text)?.click(), text);
  await chip("Remove Evenings");
  await page.waitForFunction(() => !location.search.includes("part") && document.querySelector("#list .time"));
  await chip("Add Weekends");
  await page.waitForFunction(() => new URLSearchParams(location.search).get("day") === "sat,sun" && document.querySelector("#list .time"));
  const days = await local({ weekday: "short" });
  assert.ok(days.length > 0 && days.every((day) => ["Sat", "Sun"].includes(day)), days.join());
  await page.goBack();
  await page.waitForFunction(() => !location.search.includes("day") && document.querySelector("#list .time"));
  await page.goto(page.url().replace(/\?.*/, "?state=NY&part=evening"), { waitUntil: "networkidle0" });
  await times(page);
  const there = await local({ hour: "numeric", hourCycle: "h23" }, "America/New_York");
  assert.ok(there.length > 0 && there.every((hour) => Number(hour) >= 17), there.join());
  assert.match(await textOf(page, "#about"), /New York time \(Eastern Time\)/);
  const shown = await page.$$eval("#list .time time", (times) => times.map(({ textContent }) => textContent));
  assert.deepEqual(shown, await local({ hour: "numeric", minute: "2-digit" }, "America/New_York"));
  // A morning begins at 5: the API's has hours after midnight, too.
  const CHICAGO = "America/Chicago";
  const { slots: mornings } = await ask(new URL(page.url()).origin, { state: "IL", part: "morning", timeZone: CHICAGO, newPatients: "true" });
  assert.ok(mornings.some(({ localTime }) => localTime.slice(11) < "05"), "someone works after midnight");
  for (const part of ["morning", "-10:00"]) {
    await page.goto(page.url().replace(/\?.*/, `?state=IL&part=${part}`), { waitUntil: "networkidle0" });
    await times(page);
    const early = await local({ hour: "numeric", hourCycle: "h23" }, CHICAGO);
    assert.ok(early.length > 0 && early.every((hour) => Number(hour) >= 5 && Number(hour) < (part === "morning" ? 12 : 10)), early.join());
  }
  await page.close();
  return ["-", `${hours.length} cells in evenings, ${days.length} on weekends`];
};

/** A page says what is gone; a search without results names the one thing to change. */
export const deadEnds = async (open, site) => {
  const { page } = await open("/clinicians?plan=Aetna&state=CA");
  await page.waitForSelector("#list .links a");
  assert.equal(await textOf(page, "h1"), "We don’t take Aetna");
  const { insurances: taken } = await (await fetch(`${site}/v1/insurances?state=CA`)).json();
  assert.deepEqual((await page.$$eval("#list .links a", (all) => all.map(({ textContent }) => textContent))).toSorted(), taken.toSorted());
  // What the address asks for in vain is said in words that are true.
  const notice = async (query) => {
    await page.goto(`${site}/clinicians?state=CA&${query}`, { waitUntil: "networkidle0" });
    return textOf(page, "#notice");
  };
  for (const [day, says] of [["2026-02-30", /^We couldn’t find “2026-02-30”/], ["2031-03-03", /^Mon, Mar 3, 2031 is in the past or too far ahead/]]) assert.match(await notice(`day=${day}`), says);
  await notice("visit=201&day=sat,sun");
  assert.match(await textOf(page, "#about"), /There’s no set time\. To start, call \(510\)\s555-0100\./);
  assert.equal(new URL(page.url()).searchParams.get("day"), null);
  await page.goto(`${site}/clinicians?state=HI&gender=male`, { waitUntil: "networkidle0" });
  await page.waitForSelector(".ways a");
  assert.match(await textOf(page, ".help"), PHONE);
  const [heading, lacks, way] = await Promise.all(["h1", ".differs", ".ways a"].map((selector) => textOf(page, selector)));
  assert.deepEqual([heading, lacks], ["We have no male clinicians in Hawaii", "Not a man"]);
  const [count] = /\d+/.exec(way);
  const closest = await rows(page, ".cols .who");
  assert.ok(closest.length > 0 && closest.every(({ cells }) => cells.length > 0));
  await page.click(".ways a");
  await page.waitForSelector("#list > .people");
  assert.equal(String((await rows(page)).length), count, way);
  await page.close();
  return ["-", `an unknown plan is named; “${way.split("\n")[0]}” led on`];
};

/** An interest that has a word for a woman asks for no woman, and the API's English reasons stay off other languages' pages. */
export const spanishWords = async (open) => {
  const { page } = await open("/es/clinicians");
  const found = await page.evaluate(async () => {
    const [{ readSentence }, { load }, { why }, { fill }] = await Promise.all(["sentence", "people", "texts", "dom"].map((name) => import(`/assets/${name}.js`)));
    const index = await load("/assets/clinicians.json");
    const asked = await Promise.all(["salud de la mujer", "una mujer para salud de la mujer"].map((text) => readSentence(text, index, { words: () => "" })));
    return { asked: asked.map(({ values }) => values), why: String(why({ code: "TYPE_NOT_OFFERED", message: "English" })), clock: ["1:05 p. m.", "11:05 a. m."].map((time) => fill("Actualizado a las {time}.", { time })) };
  });
  assert.deepEqual(found.asked.map(({ gender }) => gender), [undefined, "female"]);
  assert.deepEqual(found.asked.map(({ need }) => need), ["Women's health|Menopause", "Women's health|Menopause"]);
  assert.equal(found.why, "undefined");
  assert.deepEqual(found.clock, ["Actualizado a la 1:05 p. m.", "Actualizado a las 11:05 a. m."]);
  await page.close();
  return ["-", "an interest with a woman in it, a la 1:05, and no English reason"];
};

/** What a sentence was understood as is shown: chips, what was left out, an answer, and danger before all. */
export const understood = async (open, site) => {
  const { page } = await open("/");
  const said = async (text) => {
    await page.goto(`${site}/clinicians?${new URLSearchParams({ q: text })}`, { waitUntil: "networkidle0" });
    await page.waitForFunction(() => document.querySelector("#list > *, .danger.taken"));
    return page.evaluate(() => ({ notes: [...document.querySelectorAll("#notice > *")].map(({ textContent }) => textContent), chips: [...document.querySelectorAll("#chips .on")].map(({ textContent }) => textContent), search: location.search }));
  };
  const cheap = await said("cheapest menopause woman in CA");
  assert.deepEqual(cheap.notes, ["We didn’t understand “cheapest”."]);
  assert.deepEqual(cheap.chips, ["Remove Women", "Remove Menopause"]);
  assert.equal(await page.$$eval("#chips a", (links) => links.filter(({ textContent }) => textContent === "Add Menopause").length), 0);
  const plan = await said("Medicare Arizona");
  assert.match(plan.notes[0], /^In Arizona we take /);
  // What can't be had is the heading, and what is offered instead has its own.
  assert.equal(await textOf(page, "h1"), "We don’t take Medicare in Arizona");
  assert.match(await textOf(page, "#list h2"), /^Other options: \d+ clinicians? ha(?:s|ve) openings in Arizona$/);
  assert.match(await page.title(), /^We don’t take Medicare in Arizona · /);
  assert.deepEqual((await said("in person visit in Illinois")).notes, ["All visits are online."]);
  assert.equal(await textOf(page, "h1"), "We don’t see patients in person");
  // One clinician is answered about first.
  assert.match((await said("is Katzenbach taking new patients")).notes[0], /^(?:Yes\. Miriam Katzenbach sees|No\. Miriam Katzenbach isn’t seeing) new patients in /);
  assert.match((await said("does Dr. Menon take Goldenrod in Ohio")).notes[0], /^(?:Yes|No)\. Kavita Menon .*Goldenrod PPO in /);
  assert.equal((await said("dr oriley")).notes[0], "Did you mean Siobhán O'Reilly?");
  // Keys pressed at random aren’t an illness.
  assert.deepEqual((await said("zzxqv blorp")).notes.filter((text) => text.includes("911")), []);
  for (const text of ["my legs gave out ghjkl", "heart fluttering zzxqv", "legs hurrrrrrt"]) assert.match((await said(text)).notes[0], /911/, text);
  // A symptom that no list names is not passed over, and a plain request is not taken for one.
  assert.equal((await said("my legs gave out")).notes[0], "If this is urgent, call 911. In a crisis, call or text 988.");
  assert.deepEqual(await page.$$eval("#notice a", (links) => links.map(({ href }) => href)), ["tel:911", "tel:988", "tel:+1-510-555-0100"]);
  assert.doesNotMatch((await said("I need a refill")).notes.join(), /911/);
  assert.doesNotMatch((await said("blood in my urine")).notes.join(), /988/);
  // Who is refused is left out, also after a reload.
  await said("anyone but Dr. Okonkwo in California");
  await page.reload({ waitUntil: "networkidle0" });
  await times(page);
  const others = await page.$$eval("#list .name", (names) => names.map(({ textContent }) => textContent));
  assert.ok(others.length > 0 && !others.includes("Amara Okonkwo"), String(others));
  // A plan that is taken isn't refused by the name of its kind.
  assert.deepEqual((await said("Juniper Advantage Medicare California")).notes, []);
  // The heading has the place, the day, and the time of day.
  await page.goto(`${site}/clinicians?state=CA&day=week&part=evening`, { waitUntil: "networkidle0" });
  assert.match(await textOf(page, "h1"), /^\d+ clinicians? ha(?:s|ve) openings in California in the next 7 days in the evening$/);
  const date = new Date(Date.now() + 4 * 24 * HOUR).toLocaleDateString("sv", { timeZone: ZONE });
  await page.goto(`${site}/clinicians?state=CA&day=${date}&part=evening`, { waitUntil: "networkidle0" });
  const weekday = new Date(date).toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });
  assert.match(await textOf(page, "h1"), new RegExp(`in California (?:has openings )?on ${weekday} evening$`));
  // No one meets both concerns, but each has someone, and the first way leads there.
  await said("hot flashes and insomnia in Illinois");
  const [, count] = /^Clinicians in Illinois: (\d+) for menopause and \d+ for sleep$/.exec(await textOf(page, "h1")) ?? [];
  await page.click(".ways a");
  await times(page);
  assert.equal(await page.$$eval("#list > .people > .who", ({ length }) => String(length)), count);
  const danger = await said("chest pain");
  assert.match(danger.notes[0], /call 911/);
  assert.equal(await textOf(page, "h1"), "Get help now");
  // Beside it, no list is shown as if it were the answer.
  await said("chest pain in California");
  assert.equal(await textOf(page, "h1"), "Get help now");
  assert.deepEqual(await page.$$eval("#list > *", (all) => all.map(({ localName, open }) => [localName, open])), [["details", false]]);
  // The other language keeps what was typed, and with it what to call.
  await page.focus(".top [hreflang=es]");
  assert.match(await page.$eval(".top [hreflang=es]", ({ search }) => search), /q=chest\+pain/);
  // Pills that were taken can't wait for a talk, in either language on either page.
  const taken = await said("took all my pills, I don't want to wake up");
  assert.match(taken.notes[0], /^Even if you feel fine, call 911 now\. .*1-800-222-1222.*988/);
  assert.equal(await page.$$eval("#list > *", ({ length }) => length), 0);
  // Someone else's life is spoken of as theirs, and what should be checked soon is for the clinic.
  const teenager = await said("my teenager says she wants to die");
  assert.match(teenager.notes[0], /^If a child, a teenager, or someone close to you talks about suicide, call 988 or text 988/);
  assert.match((await said("my kids would be better off without me")).notes[0], /^If you’re thinking about suicide, call 988/);
  await said("lump in my breast");
  assert.equal(await textOf(page, "h1"), "Get this checked soon");
  assert.deepEqual(await page.$$eval("#notice a", (links) => links.map(({ href }) => href)), ["tel:+1-510-555-0100", "tel:911"]);
  assert.match((await said("tengo un bulto en el pecho")).search, /need=Women/);
  // What was misspelled is said, a question about money or leave has the clinic's own answer, and a plan of one state chooses it.
  assert.deepEqual((await said("menopuase")).notes, ["Showing results for menopause. You typed “menopuase”."]);
  assert.match((await said("how much is a visit")).notes[0], /^Paying out of pocket\? Ask the price before you book\. If we take your plan, you pay .*\. Call .*510/);
  assert.match((await said("refill my lisinopril")).notes[0], /For a refill, .*510/);
  assert.match((await said("who is on leave")).notes[0], /: On leave|^No one is listed as on leave\. To be sure, .*510/);
  const mesa = await said("Blue Mesa of California");
  assert.deepEqual([mesa.notes, await textOf(page, "h1"), new URLSearchParams(mesa.search).get("state")], [[], "We take Blue Mesa of California", "CA"]);
  assert.match(await textOf(page, "#list h2"), /^\d+ clinicians? ha(?:s|ve) openings in California$/);
  assert.deepEqual((await said("00999")).notes, ["We don’t know that ZIP code. Choose a state."]);
  assert.deepEqual((await said("weekends or evenings in Texas")).notes, ["We searched only for times that fit both: weekends and evenings."]);
  assert.match((await said("testosterone or HRT in Illinois")).search, /need=Menopause$/);
  const suicide = await said("i want to kil myself");
  assert.match(suicide.notes[0], /^If you’re thinking about suicide, call 988 or text 988.*911/);
  // A link that is only clicked keeps it, too, and each page reads both languages.
  const other = async (lang, text, calls) => {
    await said(text);
    await Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.$eval(`.top [hreflang=${lang}]`, (link) => link.click())]);
    await page.waitForSelector("#notice > *");
    assert.match(await page.$eval("#notice", ({ textContent }) => textContent), calls);
  };
  await other("es", "ya no quiero vivir", /llame al 988/);
  await other("es", "I took all my pills and want to die", /llame al 911 ahora mismo\..*1-800-222-1222/);
  await other("es", "do you take Blue Cross", /^Aceptamos /);
  // What to do at once has the focus, alone, and its links do what they say.
  const veiled = await said("I don't feel safe with myself tonight, tell my family");
  assert.equal(veiled.notes.length, 1);
  assert.deepEqual(await page.$$eval("#notice a", (links) => links.map(({ href }) => href)), ["tel:988", "sms:988", "tel:911"]);
  assert.ok(await page.evaluate(() => document.activeElement.role === "alert" && document.querySelector("#list > *") !== null));
  // Beside an alarm nothing else is said, not even what wasn't understood, and each alarm names its own line.
  const after = await said("bleeding after menopause, blorptastic");
  assert.equal(after.notes.length, 1);
  assert.match(after.notes[0], /^Bleeding after menopause and changes in a breast should be checked soon: call \(510\)\s555-0100\..* call 911\./);
  await said("he forced me to have sex");
  assert.deepEqual(await page.$$eval("#notice a", (links) => links.map(({ href }) => href)), ["tel:911", "tel:1-800-656-4673"]);
  // A danger is answered late at night, behind many words, and when nothing else can be fetched.
  const late = await said("I want to kill myself at 11:30 pm");
  assert.match(late.notes[0], /988/);
  const long = await said(`${"I have not slept well for weeks and work is hard. ".repeat(12)}I want to die`);
  assert.match(long.notes[0], /988/);
  await page.setRequestInterception(true);
  const block = (request) => (request.url().includes("/assets/sentence.json") || request.url().endsWith("/clinicians.json") ? request.abort() : request.continue());
  page.on("request", block);
  await page.goto(`${site}/clinicians`, { waitUntil: "networkidle0" });
  await page.goto(`${site}/clinicians?q=${encodeURIComponent("I want to end my life")}`, { waitUntil: "networkidle0" });
  await page.waitForSelector("#notice .danger [href='tel:988']");
  page.off("request", block);
  await page.setRequestInterception(false);
  // An hour and a day that are none are named like all that isn't offered.
  await page.goto(`${site}/clinicians?state=CA&part=25:00-&day=2026-11-28..z`, { waitUntil: "networkidle0" });
  await page.waitForFunction(() => document.querySelector("#list > *"));
  assert.equal(await page.$$eval("#notice > *", (all) => all.length), 2);
  // What was typed returns for correction, also after a reload, which says the same.
  const brand = await said("do you take Blue Cross");
  await page.reload({ waitUntil: "networkidle0" });
  await page.waitForFunction(() => document.querySelector("#list > *"));
  assert.deepEqual(await page.$$eval("#notice > *", (all) => all.map(({ textContent }) => textContent)), brand.notes);
  await page.click("#ask > summary");
  await page.waitForFunction(() => document.getElementById("finder-words").value === "do you take Blue Cross");
  assert.ok(await page.$$eval("#notice a", (links) => links.length) > 5, "plans are links");
  await said("womn in Texas on wendesday");
  await page.click("#ask > summary");
  await page.waitForFunction(() => document.getElementById("finder-words").value === "womn in Texas on wendesday");
  await said("physician in Oregon");
  assert.equal(await textOf(page, "#title .busy"), "We don’t see patients in Oregon yet");
  const men = await said("no men in Texas");
  assert.deepEqual([men.notes, men.chips, men.search], [[], ["Remove No men"], "?state=TX&gender=%21male"]);
  const listed = await page.$$eval("#list .name", (names) => names.map(({ textContent }) => textContent));
  assert.ok(listed.length > 0 && !listed.includes("Gabriel Côté"), String(listed));
  const book = await said("can I book an appointment");
  assert.match(book.notes[0], /^To book, change, or cancel a visit, .*510/);
  assert.match(await page.$eval("#notice a", ({ href }) => href), /^tel:.*510/);
  // Without a state, it is chosen above the list: the states where one of those who fit is licensed.
  const sleepers = await said("menopause tomorrow evening");
  assert.ok(sleepers.chips.length === 3, String(sleepers.chips));
  assert.ok(await page.$$eval("#list .choices a", (links) => links.length) > 5);
  await page.$$eval("#list .choices a", (links) => links.find(({ textContent }) => textContent === "California").click());
  await page.waitForFunction(() => new URLSearchParams(location.search).get("state") === "CA" && document.querySelector("#list .who, #list .ways"));
  const city = await said("a woman in Springfield");
  assert.equal(city.notes[0], "Which state will you be in? Illinois, Massachusetts, or Ohio");
  await follow(page, "#notice a");
  assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), { state: "IL", gender: "female" });
  await page.close();
  return ["-", `${plan.notes[0].slice(0, 40)}…`];
};

/** No page chooses a state, and the whole search goes along to a clinician, by name and by cell, and back. */
export const context = async (open, site) => {
  const { page } = await open("/plans/goldenrod-ppo");
  await follow(page, '.where a[href^="/states/ca?"]');
  await times(page);
  assert.ok((await rows(page)).every(({ text }) => text.includes("Takes Goldenrod PPO in California")));
  const asked = { state: "CA", plan: "Goldenrod PPO", day: "week", part: "morning", language: "Spanish", visit: "101" };
  await page.goto(`${site}/clinicians?${new URLSearchParams(asked)}`, { waitUntil: "networkidle0" });
  await times(page);
  const [before, address] = [await rows(page), page.url()];
  const parts = () => Object.fromEntries(new URL(page.url()).searchParams);
  await follow(page, "#list .name a");
  assert.deepEqual(parts(), asked, "a name");
  await page.goBack({ waitUntil: "networkidle0" });
  await times(page);
  assert.deepEqual([page.url(), await rows(page)], [address, before]);
  const [[start, ofPart]] = before[0].cells;
  await follow(page, "#list .time");
  const { day, [ofPart === 1 ? "start" : "time"]: marked, ...others } = parts();
  assert.deepEqual(others, { ...Object.fromEntries(Object.entries(asked).filter(([name]) => name !== "day")) }, "a cell");
  assert.deepEqual([marked, day], [start, new Date(start).toLocaleDateString("en-CA", { timeZone: ZONE })]);
  // What is promised is what opens: without a visit in the search, that of the time, with as many times.
  await page.goto(`${site}/clinicians?state=CA&part=evening`, { waitUntil: "networkidle0" });
  await times(page);
  assert.match(await textOf(page, "#said"), /^California · New patient, any visit$/);
  for (const at of (await rows(page)).keys()) {
    const [{ visit, cells: [[first, count]] }] = (await rows(page)).slice(at);
    await follow(page, `#list .who:nth-child(${at + 1}) .time`);
    // Behind "+3 more" are several times: the first is marked, and none is opened.
    await page.waitForSelector(count > 1 ? ".time.on" : "#slot[open]");
    assert.equal(Boolean(await page.$("#slot[open]")), count === 1);
    if (count > 1) await page.click(".time.on");
    await page.waitForSelector("#slot[open]");
    assert.equal(await page.$eval("#times-visit", ({ value }) => value), visit);
    const shown = await page.$$eval(".part:last-of-type time", (all) => all.map(({ dateTime }) => dateTime));
    // Evening on the list is California's, an hour later than here.
    assert.deepEqual([shown.includes(first), shown.filter((time) => time >= first).length], [true, count], "times in the evening");
    await page.keyboard.press("Escape");
    assert.ok(await page.evaluate(() => document.activeElement.matches(".time.on")), "focus is at the time");
    await page.goBack({ waitUntil: "networkidle0" });
    await times(page);
  }
  for (const path of ["/", "/clinicians", "/visit-types/101", "/es"]) {
    await page.goto(site + path, { waitUntil: "networkidle0" });
    assert.equal(await page.$eval("#finder-state", ({ value }) => value), "", path);
  }
  await page.close();
  return ["-", "a plan's page, its state, a name and back, a cell, and no automatic state"];
};
