// The demo clinic as its sentences need it: what the build writes for it (a test of the generator keeps the copy), and the
// names of its content.

import { deepStrictEqual as deepEqual } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";

import { clinicOf } from "../site/assets/sentence/lexicon.js";
import * as asides from "../site/assets/sentence/asides.js";
import * as when from "../site/assets/sentence/when.js";
import { understand } from "../site/assets/sentence/understand.js";

const here = (path) => new URL(path, import.meta.url);
const text = (path) => readFileSync(path, "utf8");
export const json = (path) => JSON.parse(text(path));

const providers = here("../content/providers/");
const named = /^display-name = "(.+)"$/m;
const licensedIn = /^licensed = (\[.*\])/m;
const people = readdirSync(providers).map((file) => {
  const content = text(new URL(file, providers));
  return { slug: file.replace(".toml", ""), name: named.exec(content)[1], licensed: JSON.parse(licensedIn.exec(content)?.[1] ?? "[]") };
});
const data = json(here("cases/sentence-clinic.json"));
// A case asks for a visit that the demo has switched off, which the built clinic does not name.
const types = text(here("../content/appointment-types.toml")).split("[[type]]").filter((type) => /^enabled = false$/m.test(type));
data.visits.push(...types.map((type) => [Number(/^id = (\d+)$/m.exec(type)[1]), /^name = "(.+)"$/m.exec(type)[1], true, false]));
const near = clinicOf(data, people);
/** With the places that the page fetches together with those rules. */
export const clinic = { ...near, ...json(here("cases/sentence-places.json")) };

export const fixedClock = "2026-11-24T18:40:00-08:00";
const zone = "America/Los_Angeles";
const all = { ...asides, ...when };
const readWith = (rest, typed, lang = "en", now = fixedClock, timeZone = zone) => understand(typed, { now: new Date(now), zone: timeZone, lang, clinic: rest ? clinic : near, rest });
/** As the page does, which fetches some rules for the sentences that need them: to others they would add nothing. */
export const read = (typed, ...others) => {
  const first = readWith(undefined, typed, ...others);
  const got = readWith(all, typed, ...others);
  if (!first.needsRest) deepEqual(first, got, `${typed} needs the other rules`);
  return got;
};
