// What editors do besides changing text: add a clinician and her hours, confirm, withdraw, and meet a form that is too old.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { difference, entry, fill, host, open, pause, press, save, stored, tick } from "./form.mjs";

const require = createRequire(import.meta.url);
const today = () => new Date().toISOString().slice(0, 10);

/** Opens the list of a field, if it is shut, and presses a choice of it. */
const choose = async (page, key, words) => {
  const list = await page.$(`[data-key-path="${key}"] [role=combobox]`);
  await list?.evaluate((box) => (box.querySelector("button") ?? box).click());
  const choice = await page.waitForFunction(
    (words) => [...document.querySelectorAll("[role=option], [role=menuitem]")].find((option) => option.innerText.trim().endsWith(words) && option.getClientRects().length > 0),
    { timeout: 8_000 }, words,
  );
  await choice.evaluate((option) => option.click());
  await pause(400);
};

/** A clinician with every field that must be filled in. */
const addClinician = async (page) => {
  await entry(page, "providers", "new");
  await fill(page, "display-name", "Ann Lee");
  await fill(page, "credentials", "MD");
  await choose(page, "provider-type", "Physician");
  await tick(page, "gender", "female");
  await fill(page, "bio", "She listens first.");
  for (const state of ["CA", "TX"]) await tick(page, "licensed", state);
  await tick(page, "accepting", "CA");
  await tick(page, "appointment-types", "101");
  // An optional table is added by a box.
  const box = await page.waitForSelector('[data-key-path="insurance"] button[role=checkbox]', { timeout: 8_000 });
  await box.evaluate((button) => button.click());
  await pause(300);
  await tick(page, "insurance.all", "Goldenrod PPO");
};

export const more = ({ browser, site, files, check, cms, form }) => ({
  /** A new clinician with hours passes `check`. */
  async clinician() {
    const { page, close } = await open(browser, site, files);
    await addClinician(page);
    const said = await save(page);
    const path = "content/providers/ann-lee.toml";
    const made = await stored(page, path);
    if (!made) throw new Error(`nothing was written: ${said}`);
    if (!/^id = "prov-[0-9a-f-]{36}"$/m.test(made) || !made.includes('licensed = ["CA", "TX"]') || !made.includes('all = ["Goldenrod PPO"]') || made.includes("x-")) throw new Error(made);
    const { errors } = check({ [path]: made });
    await close();
    return [cms, `a new clinician is ${made.trim().split("\n").length} lines, and check finds ${errors} errors`];
  },

  /** Hours of a clinician who was just added: two weekdays, and a day on which she is closed. */
  async hours() {
    const { page, close } = await open(browser, site, files);
    await addClinician(page);
    await save(page);
    const person = "content/providers/ann-lee.toml";
    const clinician = await stored(page, person);
    await entry(page, "availability", "new");
    const slug = await page.waitForFunction(
      () => [...document.querySelectorAll("p.hint")].find((hint) => /last part of the clinician's address/.test(hint.innerText))?.parentElement.querySelector("input"),
      { timeout: 8_000 },
    );
    await slug.focus();
    await page.keyboard.type("ann-lee");
    await choose(page, "timezone", "Central (Chicago)");
    // The CMS puts invisible signs around the names of things.
    await press(page, /Add \W?weekly hours\W?$/);
    await pause(400);
    for (const day of ["tue", "thu"]) await tick(page, "weekly.0.days", day);
    await press(page, /Add \W?Hours\W?$/);
    await pause(300);
    await fill(page, "weekly.0.hours", "09:00-12:00");
    await press(page, /Add \W?exception\W?$/);
    await choose(page, "exception", "Closed");
    await fill(page, "exception.0.from", "03152027");
    const said = await save(page);
    const path = "content/availability/ann-lee.toml";
    const made = await stored(page, path);
    if (!made) throw new Error(`nothing was written: ${said}`);
    const lines = made.split("\n").map((line) => line.replace(/ *= */, " = ").trim()).filter((line) => line !== "");
    const wanted = ['timezone = "America/Chicago"', "[[weekly]]", 'days = ["tue", "thu"]', 'hours = ["09:00-12:00"]', "[[exception]]", 'kind = "off"', "from = 2027-03-15"];
    if (JSON.stringify(lines) !== JSON.stringify(wanted)) throw new Error(made);
    check({ [person]: clinician, [path]: made });
    await close();
    return [cms, `hours of a new clinician are ${lines.length} lines, and check accepts them`];
  },

  /** Confirming and withdrawing are one choice each. */
  async actions() {
    const { page, close } = await open(browser, site, files);
    const path = "content/providers/grace-kealoha.toml";
    await entry(page, "providers", "grace-kealoha");
    await tick(page, "x-confirm", "clinic");
    await save(page);
    const confirmed = await stored(page, path);
    const lines = difference(files[path], confirmed).filter((line) => line.length > 2);
    const wanted = ["+ [confirmed]", `+ on = ${today()}`, '+ by = "clinic"', '+ how = "the form"'];
    if (JSON.stringify(lines) !== JSON.stringify(wanted)) throw new Error(`confirmed: ${lines.join(" / ")}`);
    const other = "content/providers/gabriel-cote.toml";
    await entry(page, "providers", "gabriel-cote");
    await tick(page, "status", "withdrawn");
    await save(page);
    const withdrawn = await stored(page, other);
    const added = difference(files[other], withdrawn);
    if (JSON.stringify(added) !== JSON.stringify(['+ status = "withdrawn"'])) throw new Error(`withdrawn: ${added.join(" / ")}`);
    check({ [path]: confirmed, [other]: withdrawn });
    await close();
    return [cms, "confirmed today by the clinic; withdrawn; check accepts both"];
  },

  /** A form that was built before the content changed loses nothing: it keeps what it does not offer, or names the field. */
  async older() {
    // The form knows neither the state nor the key.
    const old = await host(form, (config) => {
      const fields = config.collections[0].fields;
      const accepting = fields.find((field) => field.name === "accepting");
      accepting.options = accepting.options.filter((option) => option.value !== "HI");
      config.collections[0].fields = fields.filter((field) => field.name !== "languages");
      return config;
    });
    try {
      const { page, close } = await open(browser, old.site, files);
      const path = "content/providers/amara-okonkwo.toml";
      await entry(page, "providers", "amara-okonkwo");
      await fill(page, "credentials", "MD, PhD");
      await save(page);
      const lines = difference(files[path], await stored(page, path));
      if (lines.length !== 2 || !lines[1].includes("MD, PhD")) throw new Error(lines.join(" / "));
      await close();
    } finally {
      old.server.close();
    }
    return [cms, "a form without the key and the state of a file keeps both"];
  },

  /** A license in its British spelling is shown, and what is not edited stays as it is written. */
  async spelling() {
    const { format } = await import(`file://${form}/format.js`);
    const { fromFile, toFile } = format({ dates: [], lists: [], words: [] }, [{ name: "license", label: "Licenses" }]);
    for (const name of ["licence", "license"]) {
      const text = `id = "1"\n\n[[${name}]]\nstate = "CA" # a note\nnumber = "A"\nkind = "${name}"\n`;
      const values = fromFile(text);
      if (values.license[0].kind !== "license" || toFile(structuredClone(values)) !== text) throw new Error(name);
      values.license[0].number = "B";
      if (toFile(structuredClone(values)) !== text.replace('"A"', '"B"')) throw new Error(toFile(values));
      values.license = [];
      if (toFile(values).includes("[[")) throw new Error(`${name}: a deleted license stays`);
    }
    return [cms, "a license in either spelling is shown, edited and deleted"];
  },

  /** Someone else has changed the file that is open: the form says so, and writes nothing over it. */
  async refused() {
    const { format } = await import(`file://${form}/format.js`);
    const fields = [{ name: "licensed", label: "Licensed in", options: [{ value: "CA" }] }];
    const { fromFile, toFile } = format({ dates: [], lists: ["licensed"], words: [] }, fields);
    const values = fromFile('licensed = ["CA", "TX"]\nnpi = "1"\n');
    for (const [edited, field] of [[{ ...values, licensed: ["CA"] }, "Licensed in"], [{ ...values, npi: undefined }, "npi"]]) {
      try {
        toFile(edited);
      } catch (error) {
        if (error.message === "saving_failed" && error.cause.message.includes(field)) continue;
        throw error;
      }
      throw new Error(`${field} is lost without a word`);
    }
    return [cms, "a value or a key that the form does not know is not lost: the field is named"];
  },

  /** axe over the list and an entry. */
  async axe() {
    const { page, close } = await open(browser, site, files);
    const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    await page.setBypassCSP(true);
    const found = [];
    for (const [collection, name] of [["availability", "annelise-bjork"]]) {
      await entry(page, collection, name);
      await page.evaluate(source).catch(() => {});
      const violations = await page.evaluate(() => globalThis.axe?.run(document, { resultTypes: ["violations"] }).then((result) => result.violations.map(({ id, impact }) => `${id} (${impact})`)));
      found.push(...(violations ?? ["axe did not run"]));
    }
    await close();
    return [JSON.parse(readFileSync(require.resolve("axe-core/package.json"), "utf8")).version, `the CMS's own violations: ${found.join(", ") || "none"}`];
  },
});
