// Which visit a profile's times are for, booking, long words, and pages that follow an edit.

import { spawn, spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const times = (page) => page.waitForSelector(".times .time");
const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);

/** The times that are shown first are of a visit that a new patient may book; each time names its visit. */
export const defaultVisit = async (open) => {
  const { page } = await open("/providers/amara-okonkwo?state=AZ");
  await times(page);
  const chosen = await page.$eval("#times-visit", ({ selectedOptions: [option] }) => ({ text: option.text, isNew: "new" in option.dataset }));
  assert.deepEqual(chosen, { text: "New patient visit", isNew: true });
  const dialog = async () => {
    await page.click(".times .time");
    const text = await page.$eval("#slot[open]", (element) => element.innerText);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("#slot[open]") && !history.state?.slot);
    return text;
  };
  const first = await dialog();
  assert.ok(first.includes("New patient visit: 45 minutes, by video") && first.includes("in Arizona") && !first.includes("Only for patients"), first);

  await page.select("#times-visit", "102");
  await page.waitForFunction(() => document.querySelector("#times-found .no")?.textContent === "This visit is for current patients.");
  await times(page);
  const reserved = await dialog();
  assert.ok(reserved.includes("(current patients)") && reserved.includes("Only for patients who already see"), reserved);
  await page.close();
  return ["-", `first ${chosen.text}, then the follow-up with its mark`];
};

/** A clinic of its own, which a journey may edit. */
const clinic = async (name, edit = () => {}) => {
  const folder = mkdtempSync(join(process.env.WORK, name));
  cpSync(join(process.env.TOP, "content"), join(folder, "content"), { recursive: true });
  const change = (file, ...pairs) => {
    const path = join(folder, "content", file);
    const text = readFileSync(path, "utf8");
    const changed = pairs.reduce((text, [from, to]) => text.replace(from, to), text);
    assert.notEqual(changed, text, `${file} is edited`);
    writeFileSync(path, changed);
  };
  edit(change);
  // `dev` would wait for the mistake to be corrected.
  const { status, stdout } = spawnSync(process.env.NAMEPLATE, ["check", "--content", join(folder, "content")], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
  const dev = spawn(process.env.NAMEPLATE, ["dev", "--content", join(folder, "content"), "--out", join(folder, "dist"), "--listen", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, NAMEPLATE_LOG_LEVEL: "info" } });
  const site = await new Promise((resolve, reject) => {
    let said = "";
    dev.stderr.on("data", (bytes) => {
      said += bytes;
      const [, address] = said.match(/address=(\S+)/) ?? [];
      if (address) resolve(`http://${address}`);
    });
    dev.on("exit", () => reject(new Error(said)));
  });
  return { change, site, stop: () => dev.kill("SIGTERM") };
};

/** A visit's page names only where it is offered to new patients, and counts no one else. */
export const offered = async (open, site) => {
  const { page } = await open("/visit-types/201?state=OH");
  await page.waitForSelector(".ways a");
  const heading = () => page.$eval("h1", (element) => element.innerText);
  assert.equal(await heading(), "None of our clinicians in Ohio offers this visit");
  assert.match(await textOf(page, ".ways a"), /^Any new patient visit/);
  await page.goto(`${site}/visit-types/201?state=TX`, { waitUntil: "networkidle0" });
  const offered = await page.$$eval("#list > .people > .who", (all) => all.map(({ textContent }) => textContent));
  assert.ok(offered.length > 0 && offered.every((text) => text.includes("Offers this visit in Texas")), String(offered));
  assert.ok((await heading()).startsWith(`${offered.length} clinicians`));
  await page.goto(`${site}/visit-types/201`, { waitUntil: "networkidle0" });
  assert.match(await page.$$eval(".who", (all) => all.find(({ textContent }) => textContent.includes("Kavita Menon")).textContent), /Offers this visit in Illinois(?! and)/);
  return ["-", "each page names the states of its own visit"];
};

/** A chosen time leads to the clinic's booking page first, and to its phone. */
export const booking = async (browser) => {
  const { site, stop } = await clinic("book-", (change) =>
    change("directory.toml", [/^live-url.*/m, 'booking-url = "https://book.example/{providerSlug}{?startTime,appointmentType,state}"']));
  const page = await browser.newPage();
  try {
    await page.goto(`${site}/providers/amara-okonkwo?state=CA`, { waitUntil: "load" });
    await times(page);
    const time = await page.$eval(".times time", (element) => element.dateTime);
    await page.click(".times .time");
    const actions = await page.$$eval("#slot .todo a", (all) => all.map(({ textContent, href }) => [textContent, href]));
    assert.deepEqual(actions, [
      ["Continue to booking", `https://book.example/amara-okonkwo?startTime=${encodeURIComponent(time)}&appointmentType=101&state=CA`],
      ["Call (510) 555-0100", "tel:+1-510-555-0100"],
    ]);
    assert.ok((await page.$eval("#slot", ({ innerText }) => innerText)).includes("Not booked yet"));
    return ["-", "booked or called"];
  } finally {
    await page.close();
    stop();
  }
};

const LONG = "Wolfeschlegelsteinhausenbergerdorffpapadimitrakopoulou";

/** Nothing scrolls sideways, however long a word is. */
export const longNames = async (browser) => {
  const { site, stop } = await clinic("long-", (change) => {
    change("providers/amara-okonkwo.toml",
      [/display-name = .*/, `display-name = "${LONG} ${LONG}"`],
      [/credentials = .*/, `credentials = "${LONG}"`],
      [/clinical-interests = \[/, `clinical-interests = ["${LONG}", `],
      [/bio = """/, `bio = """${LONG}.${LONG} `],
      [/institution = .*/, `institution = "${LONG}"`],
      [/name = .*/, `name = "${LONG}"`]);
    change("appointment-types.toml", [/name = "New patient visit"/, `name = "${LONG}"`], [/description = "A first/, `description = "${LONG} A first`]);
    change("directory.toml", [/name +=.*/, `name = "${LONG}"`], [/line +=.*/, `line = ["${LONG}"]`]);
  });
  try {
    const paths = ["/", "/clinicians", "/states/az", "/providers/amara-okonkwo?state=CA", "/visit-types/101", "/docs", "/docs/get-provider", "/docs/assistants", "/assistants", "/accessibility", "/no-such-page"];
    for (const width of [320, 390]) {
      for (const path of paths) {
        const page = await browser.newPage();
        await page.setViewport({ width, height: 900 });
        await page.goto(site + path, { waitUntil: "load" });
        if (path.startsWith("/providers/")) {
          await times(page);
          await page.click(".times .time");
        }
        const wide = await page.evaluate(() => {
          const scrolls = (element) => element && (["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
          const over = [...document.body.querySelectorAll("*")].filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement));
          return { page: document.documentElement.scrollWidth > innerWidth, over: over.map(({ outerHTML }) => outerHTML.slice(0, 80)) };
        });
        assert.deepEqual(wide, { page: false, over: [] }, `${path} at ${width} px`);
        await page.close();
      }
    }
    return ["-", `${paths.length} pages at 320 and 390 px`];
  } finally {
    stop();
  }
};

/** A page that is open follows each edit by itself; so does the page of mistakes. */
export const editing = async (browser) => {
  const { change, site, stop } = await clinic("edit-");
  const page = await browser.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  try {
    await page.goto(`${site}/providers/jun-nakashima`, { waitUntil: "load" });
    const says = (text) => page.waitForFunction((text) => document.querySelector("h1")?.textContent === text, { timeout: 20_000 }, text);
    change("providers/jun-nakashima.toml", ['"Jun Nakashima"', '"Juno Nakashima"']);
    await says("Juno Nakashima");
    change("providers/jun-nakashima.toml", ['"nonBinary"', '"100%"']);
    await says("The content has mistakes");
    assert.match(await textOf(page, ".mistakes"), /"100%" isn.t a valid gender/);
    for (const width of [320, 1440]) {
      await page.setViewport({ width, height: 900 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${width} px`);
    }
    change("providers/jun-nakashima.toml", ['"100%"', '"nonBinary"']);
    await says("Juno Nakashima");
    assert.deepEqual(wrong, []);
    return ["-", "an edit, a mistake and its correction were shown without a reload by hand"];
  } finally {
    await page.close();
    stop();
  }
};

/** Who is on leave isn't said to see new patients; specialists are found by a certification; a state without a license is named. */
export const leaves = async (browser) => {
  const day = (more) => new Date(Date.now() + more * 86_400_000).toISOString().slice(0, 10);
  const { site, stop } = await clinic("leave-", (change) => {
    change("providers/marcus-bellweather.toml", ["[insurance]", `[[leave]]\nfrom = ${day(-30)}\nuntil = ${day(60)}\n\n[insurance]`]);
    change("providers/farah-noorzai.toml", ["[insurance]", `[[leave]]\nfrom = ${day(40)}\n\n[insurance]`]);
    change("providers/desmond-tillery.toml", ['name = "Internal Medicine"', 'name = "Cardiovascular Disease"']);
    change("providers/tamika-broussard.toml", [/appointment-types = .*/, "appointment-types = [201]"]);
    change("availability/tamika-broussard.toml", [/^types = .*/gm, ""]);
  });
  const page = await browser.newPage();
  const go = (path) => page.goto(site + path, { waitUntil: "networkidle0" });
  try {
    await go("/providers/marcus-bellweather");
    const profile = await page.$eval("main", ({ innerText }) => innerText);
    assert.ok(/On leave until /.test(profile) && !/ees new patients|New patients in/.test(profile), profile);
    assert.ok(!(await page.content()).includes("isAcceptingNewPatients"));
    const twin = await (await fetch(`${site}/providers/marcus-bellweather.md`)).text();
    assert.ok(/On leave .+ – /.test(twin) && !twin.includes("Sees new patients"), twin);
    await go("/providers/farah-noorzai");
    assert.match(await textOf(page, "#answer"), /On leave from .+New patients in .+ before and after leave/);
    await go("/clinicians?q=Bellweather&state=FL");
    assert.equal(await textOf(page, "#title .busy"), "1 clinician matches, but is on leave");
    assert.match(await textOf(page, "#list .who"), /Marcus Bellweather.*On leave until /);
    await go("/clinicians?q=cardiologist+in+Ohio");
    await page.waitForSelector("#list .who");
    const found = await page.$$eval("#list .who .name", (names) => names.map(({ textContent }) => textContent));
    assert.ok(found.includes("Desmond Tillery"), found.join(", "));
    await go("/providers/tamika-broussard?state=CA");
    assert.match(await textOf(page, "#times-note"), /^Not licensed in California\. See who can see you there$/);
    await go("/providers/tamika-broussard?state=FL");
    assert.equal(await textOf(page, "#times-note"), "");
    // Whose calendar can't be read isn't said to be booked up, and the list doesn't look whole without them.
    await page.setRequestInterception(true);
    page.on("request", async (request) => {
      if (!request.url().includes("/v1/availability?")) return request.continue();
      const answer = await (await fetch(request.url())).json();
      answer.slots = answer.slots.filter(({ providerSlug }) => providerSlug !== "desmond-tillery");
      return request.respond({ contentType: "application/json", body: JSON.stringify({ ...answer, unknown: ["desmond-tillery"] }) });
    });
    await go("/clinicians?state=OH");
    const blocks = await page.$$eval("#list .block", (all) => all.map(({ innerText }) => innerText.replace(/\s+/g, " ")));
    const [unread] = blocks.filter((block) => block.includes("Desmond Tillery"));
    assert.match(unread ?? "", /^The openings of 1 more can’t be shown right now .*Call/);
    assert.ok(!/no openings/i.test(unread), unread);
    return ["-", "on leave now and later, a cardiologist, and a state without a license"];
  } finally {
    await page.close();
    stop();
  }
};
