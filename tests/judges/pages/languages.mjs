// Pages in other languages: their links to each other, what is kept on the way, and that no text of the site is left untranslated.

import assert from "node:assert/strict";

const ROUTES = ["", "/clinicians", "/states/ca", "/plans/goldenrod-ppo", "/visit-types/101", "/providers/amara-okonkwo"];

/** What a page says of itself and of its other languages. */
const said = (page) => page.evaluate(() => ({
  lang: document.documentElement.lang,
  canonical: document.querySelector("link[rel=canonical]").href,
  others: Object.fromEntries([...document.querySelectorAll("link[rel=alternate][hreflang]")].map(({ hreflang, href }) => [hreflang, href])),
}));

export const languages = async (open, site) => {
  for (const route of ROUTES) {
    const english = site + (route || "/");
    const expected = { en: english, es: `${site}/es${route}`, "x-default": english };
    for (const [lang, path] of [["en", route || "/"], ["es", `/es${route}`]]) {
      const { page } = await open(path);
      assert.deepEqual(await said(page), { lang, canonical: expected[lang], others: expected }, path);
      await page.close();
    }
  }
  // The link to the other language keeps the page, the state, the plan and the search.
  const query = "?state=CA&plan=Goldenrod+PPO&day=week";
  const { page } = await open(`/clinicians${query}`);
  const follow = (selector) => Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.click(selector)]);
  const times = () => page.$$eval("#list .time time", (all) => all.map(({ dateTime }) => dateTime));
  await page.waitForSelector("#list .time time");
  const before = await times();
  await follow(".top [hreflang]");
  const { pathname, search } = new URL(page.url());
  assert.equal(pathname, "/es/clinicians");
  assert.deepEqual(Object.fromEntries(new URLSearchParams(search)).plan, "Goldenrod PPO");
  await page.waitForSelector("#list .time time");
  assert.deepEqual(await times(), before, "the same times");
  await follow("#list .time");
  assert.match(new URL(page.url()).pathname, /^\/es\/providers\//);
  await page.waitForSelector(".times .on");
  assert.equal(await page.$eval("#answer .yes", ({ textContent }) => textContent), "Acepta Goldenrod PPO en California");
  // Behind "+3 more" no time is opened.
  if (!new URL(page.url()).searchParams.has("start")) await page.click(".times .on");
  await page.waitForSelector("#slot[open]");
  const dialog = await page.$eval("#slot", ({ innerText }) => innerText);
  // Which visit has the earliest time depends on the hour of the day.
  assert.match(dialog, /: (45 minutos|1\u00a0hora), por video/);
  assert.match(dialog, /[ap]\.\sm\./, "times are written as in the United States");
  // On a weekend, the earliest time is before the clinic answers its phone.
  assert.match(dialog, /Para reservar, llame y pida este horario\.|Elija un horario posterior\./);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("#slot[open]") && !history.state?.slot);
  await follow(".top [hreflang]");
  assert.match(page.url(), /\/providers\/[a-z-]+\?.*plan=Goldenrod/);
  assert.equal((await said(page)).lang, "en");
  await page.close();
  // What people wrote has a direction, and its own language unless it is translated.
  const { page: profile } = await open("/es/providers/amara-okonkwo");
  assert.deepEqual(await profile.$eval(".bio", ({ lang, dir, innerText }) => [lang, dir, innerText.slice(0, 14)]), ["", "auto", "La Dra. Okonkw"]);
  const school = (spans) => spans.find(({ innerText }) => innerText === "Sablewood Medical College")?.lang;
  assert.equal(await profile.$$eval("[aria-labelledby=training] span", school), "en");
  assert.equal(await profile.$eval("h1", ({ dir }) => dir), "auto");
  const text = await profile.$eval("main", ({ innerText }) => innerText);
  for (const word of ["Pick a time", "Openings", "Takes", "Insurance"]) assert.ok(!text.includes(word), word);
  await profile.close();
  return ["-", `${ROUTES.length} kinds of page in 2 languages, and the way between them with a search`];
};
