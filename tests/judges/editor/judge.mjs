// The judges of the editors' form, one after the other. Each gives a version and a figure, and throws what is wrong.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { guard } from "./guard.mjs";
import { append, contentOf, difference, entry, fill, host, launch, open, pause, save, stored, unfold, value, written } from "./form.mjs";
import { more } from "./actions.mjs";
import { mistakes } from "./mistakes.mjs";
import { pictures } from "./pictures.mjs";

const require = createRequire(import.meta.url);
const only = process.argv.slice(2);
const { WORK, MODULES, NAMEPLATE } = process.env;
const form = join(WORK, "form");
const files = contentOf(join(WORK, "content"));
const cms = JSON.parse(readFileSync(join(MODULES, "@sveltia/cms/package.json"), "utf8")).version;
const config = JSON.parse(readFileSync(join(form, "config.json"), "utf8"));
const { server, site } = await host(form);
const browser = await launch();

/** What `check` finds in the content with these files changed. */
const found = (changed) => {
  const folder = written({ ...files, ...changed });
  const { stdout } = spawnSync(NAMEPLATE, ["check", "--content", folder, "--format", "json"], { encoding: "utf8" });
  return JSON.parse(stdout);
};

/** The same; throws on errors. */
const check = (changed) => {
  const report = found(changed);
  const errors = report.problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ path, what }) => `${path}: ${what}`).join("\n"));
  return report;
};

/** One edit of a file of each kind: the collection and the entry, and what is changed. */
const edits = () =>
  Object.keys(files).filter((path) => path.endsWith(".toml") && !/\/allow\.toml$|\/translations\//.test(path)).map((path) => {
    const [, folder, name] = path.match(/^content\/(?:(\w+)\/)?([\w-]+)\.toml$/);
    if (folder === "providers") {
      return { path, at: ["providers", name], edit: (page) => append(page, "bio", " She teaches.") };
    }
    if (folder === "availability") {
      const isEmpty = !files[path].includes("[[weekly]]");
      const edit = async (page) => {
        if (isEmpty) return fill(page, "notice", "3h");
        const hours = await value(page, "weekly.0.hours");
        return fill(page, "weekly.0.hours", hours.replace(/^(\d\d):(\d\d)/, (_, hour, minute) => `${hour}:${minute === "15" ? "30" : "15"}`));
      };
      return { path, at: ["availability", name], edit };
    }
    if (folder === "holidays") return { path, at: ["clinic", `holidays-${name}`], edit: (page) => fill(page, "dates", "2026-01-02") };
    const keys = { insurances: "plan.1.name", "appointment-types": "type.0.description", directory: "description", retired: "provider.0.slug" };
    const edit = async (page) => {
      const key = keys[name];
      if (key.includes(".")) await unfold(page, key.split(".")[0]);
      const text = await value(page, key);
      return fill(page, key, name === "retired" ? `${text}-b` : `${text} B`);
    };
    return { path, at: ["clinic", name], edit };
  });

const judges = {
  /** The configuration against the CMS's own schema, which finds a wrong key. */
  async schema() {
    const { default: Ajv } = await import("ajv");
    const schema = JSON.parse(readFileSync(join(MODULES, "@sveltia/cms/schema/sveltia-cms.json"), "utf8"));
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    if (!validate(config)) throw new Error(JSON.stringify(validate.errors[0]));
    const wrong = structuredClone(config);
    wrong.collections[0].identifier_feild = "x";
    if (validate(wrong)) throw new Error("the schema does not find a wrong key");
    return [cms, `config.json is valid, ${JSON.stringify(config).length} bytes; a wrong key is found`];
  },

  /** Every single edit of every file, by the format alone. */
  guard: () => guard(files, config, join(WORK, "form")).then((figure) => [cms, figure]),

  /** Each content file through the form, one field edited: one line changes, and `check` accepts it. */
  async files() {
    const wrong = [];
    const changed = {};
    const { page, noted, close } = await open(browser, site, files);
    for (const { path, at, edit } of edits()) {
      try {
        await entry(page, ...at);
        await edit(page);
        const said = await save(page);
        // The words may be those of the entry before.
        let after = await stored(page, path);
        for (let wait = 0; wait < 40 && after === files[path]; wait += 1) {
          await pause(200);
          after = await stored(page, path);
        }
        const lines = difference(files[path], after);
        if (lines.length === 0 || lines.length > 2) wrong.push(`${path}: ${lines.join(" / ") || `nothing changed: ${said}`}`);
        // A plan or a retired clinician that was renamed only here isn't content.
        if (!/insurances|retired/.test(path)) changed[path] = after;
      } catch (error) {
        wrong.push(`${path}: ${error.message}`);
      }
    }
    // The fonts are the only thing from elsewhere.
    wrong.push(...noted.outside.filter((url) => !url.startsWith("https://cdn.jsdelivr.net/fontsource/")).map((url) => `asks ${url}`), ...noted.wrong);
    await close();
    try {
      check(changed);
    } catch (error) {
      wrong.push(error.message);
    }
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
    return [cms, `${edits().length} files, one line changed in each; nothing but fonts was asked outside`];
  },
};

Object.assign(judges, more({ browser, site, files, check, cms, form }));
judges.mistakes = () => [cms, mistakes(files, (changed) => found(changed).problems)];
judges.pictures = () => pictures(browser, site, files);
let failed = false;
for (const [name, judge] of Object.entries(judges)) {
  if (only.length > 0 ? !only.includes(name) : name === "pictures" && !process.env.PICTURES) continue;
  const started = Date.now();
  try {
    const [made, figure] = await judge();
    console.log(`editor/${name} ${made} PASSED ${figure} (${Math.round((Date.now() - started) / 1000)} s)`);
  } catch (error) {
    failed = true;
    console.log(`editor/${name} - FAILED ${error.message.split("\n").length} finding(s)\n${error.message}`);
  }
}
await browser.close();
server.close();
process.exitCode = failed ? 1 : 0;
