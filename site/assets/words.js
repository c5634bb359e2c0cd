// A sentence that was typed into the search becomes its fields: "a woman doctor in California who takes Goldenrod, with
// a time this week". What is not understood stays and is looked for in names, interests and languages.

import { wordsOf } from "./people.js";
import { WORDS } from "./texts.js";

/** The fields that words choose, by the words' names in the table of texts. The other names are professions. */
const FIELDS = {
  female: ["gender", "female"], male: ["gender", "male"], nonBinary: ["gender", "nonBinary"],
  week: ["when", "week"], today: ["when", "today"], tomorrow: ["when", "tomorrow"],
  evening: ["evening", "yes"], open: ["open", "yes"],
};
const phrasesOf = (name) => WORDS[name].split(",").map((phrase) => wordsOf(phrase)).filter((phrase) => phrase.length > 0);

/** Each phrase with all that it means, the longest first: "tonight" is a day and an evening. */
const MEANINGS = new Map();
for (const name of Object.keys(WORDS).filter((name) => !["nothing", "filling"].includes(name))) {
  const field = FIELDS[name] ?? ["type", name];
  for (const phrase of phrasesOf(name)) {
    const key = phrase.join(" ");
    MEANINGS.set(key, { phrase, fields: [...(MEANINGS.get(key)?.fields ?? []), field] });
  }
}
// These phrases choose nothing, although their words alone would.
for (const phrase of phrasesOf("nothing")) MEANINGS.set(phrase.join(" "), { phrase, fields: [] });
const PHRASES = [...MEANINGS.values()].toSorted((one, other) => other.phrase.length - one.phrase.length);
const FILLING = new Set(phrasesOf("filling").flat());

/** Takes a phrase out of the words; returns whether it was there. */
const take = (words, phrase) => {
  for (let at = 0; at + phrase.length <= words.length; at += 1) {
    if (phrase.every((word, offset) => words[at + offset] === word)) {
      words.splice(at, phrase.length);
      return true;
    }
  }
  return false;
};

/** The first words of a name that nothing else begins with: "goldenrod" of "Goldenrod PPO". Longer ones are tried first. */
const beginnings = (names) => {
  const all = names.map((name) => [name, wordsOf(name)]);
  const found = all.flatMap(([name, words]) => words.map((_, at) => [name, words.slice(0, at + 1)]));
  const isOnlyOne = ([name, start]) => start.join("").length > 3
    && all.every(([other, words]) => other === name || !start.every((word, at) => words[at] === word));
  return found.filter(isOnlyOne).sort(([, one], [, other]) => other.length - one.length);
};

/** The fields that the text names, and the words that are left. `known` are the clinicians' words, `phrases` their interests of
    several words, which name no field: "salud de la mujer" does not ask for a woman. */
export const understand = (text, form, { words: known, phrases }) => {
  const words = wordsOf(text);
  const interests = phrases.toSorted((one, other) => other.length - one.length).filter((phrase) => take(words, phrase)).flat();
  const said = {};
  const options = (name) => [...(form.elements[name].options ?? [])].filter(({ value }) => value);
  const set = (name, value, phrase) => {
    if (!(name in said) && take(words, phrase)) said[name] = value;
  };
  for (const [name, start] of beginnings(options("plan").map(({ value }) => value))) set("plan", name, start);
  const states = options("state");
  const names = states.flatMap(({ value, text: name, dataset }) => [name, dataset.also].filter(Boolean).map((name) => [value, wordsOf(name)]));
  for (const [value, phrase] of names.toSorted(([, one], [, other]) => other.join("").length - one.join("").length)) {
    if (phrase.length > 1 || !known.has(phrase[0])) set("state", value, phrase);
  }
  const isOffered = ([name, value]) => form.elements[name].type === "checkbox" || options(name).some((option) => option.value === value);
  // Codes such as IN, OR and ME are words as well: only capitals are a code. "A PA" is a profession, where the clinic has it.
  for (const { value } of states) {
    const isProfession = MEANINGS.get(value.toLowerCase())?.fields.some((field) => field[0] === "type" && isOffered(field));
    const code = new RegExp(`${isProfession ? "(?<!\\b(?:an?|una?) )" : ""}\\b${value}\\b`);
    if (code.test(text)) set("state", value, [value.toLowerCase()]);
  }
  for (const { value, text: name } of options("language")) for (const called of [name, value]) set("language", value, wordsOf(called));
  for (const { value, dataset } of options("when")) if (dataset.day) set("when", value, wordsOf(dataset.day));
  for (const { phrase, fields } of PHRASES) {
    const meant = fields.filter((field) => !(field[0] in said) && isOffered(field));
    // "Nurse" may mean several professions: then it stays, and is looked for in the names of professions.
    if (meant.filter(([name]) => name === "type").length > 1) continue;
    if ((fields.length === 0 || meant.length > 0) && take(words, phrase)) Object.assign(said, Object.fromEntries(meant));
  }
  const rest = [...interests, ...words].filter((word) => !FILLING.has(word));
  // A name may have such words: "María de la Vega".
  const isAsTyped = Object.keys(said).length === 0 && (rest.length === 0 || words.every((word) => known.has(word)));
  return { fields: said, rest: isAsTyped ? text.trim() : rest.join(" ") };
};
