// A sentence that was typed into the search becomes its fields: "a woman doctor in California who takes Goldenrod, with a
// time this week". What is not understood stays and is looked for in names, interests and languages.

import { wordsOf } from "./people.js";

/** Words that choose something, by field; what the page does not offer is not chosen. English. */
const MEANINGS = {
  gender: { female: ["woman", "women", "female", "lady"], male: ["man", "men", "male"], nonBinary: ["nonbinary"] },
  type: { physician: ["doctor", "doctors", "physician", "physicians"], nursePractitioner: ["nurse practitioner", "nurse practitioners", "nurse", "nurses", "np"] },
  when: { week: ["this week", "next 7 days", "next seven days", "week"], today: ["today", "tonight"], tomorrow: ["tomorrow"] },
  evening: { yes: ["evenings", "evening", "tonight", "after work"] },
  open: { yes: ["taking new patients", "accepting new patients", "new patients", "new patient"] },
};
const FILLING = new Set(`a an and any appointment are as at by can clinician clinicians for free from good has have having i in
  is licensed me my near need of on one open or see seeing some someone speaking speak speaks that the time times take takes taking
  to wants want who with within accept accepts accepting insurance plan looking visit please`.split(/\s+/));

/** Takes a phrase out of the words; gives whether it was there. */
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

/** What the text says, by field, and the words that are left. `known` are the words of the clinicians themselves. */
export const understand = (text, form, known) => {
  const words = wordsOf(text);
  const said = {};
  const options = (name) => [...(form.elements[name].options ?? [])].filter(({ value }) => value);
  const set = (name, value, phrase) => {
    if (!(name in said) && take(words, phrase)) said[name] = value;
  };
  for (const [name, start] of beginnings(options("plan").map(({ value }) => value))) set("plan", name, start);
  const states = options("state");
  for (const { value, text: name } of states.toSorted((one, other) => other.text.length - one.text.length)) {
    const phrase = wordsOf(name);
    if (phrase.length > 1 || !known.has(phrase[0])) set("state", value, phrase);
  }
  // Codes such as IN, OR and ME are words as well: only capitals are a code.
  for (const { value } of states) if (new RegExp(`\\b${value}\\b`).test(text)) set("state", value, [value.toLowerCase()]);
  for (const { value } of options("language")) set("language", value, wordsOf(value));
  for (const { value, dataset } of options("when")) if (dataset.day) set("when", value, wordsOf(dataset.day));
  for (const [name, meanings] of Object.entries(MEANINGS)) {
    for (const [value, phrases] of Object.entries(meanings)) {
      const isOffered = form.elements[name].type === "checkbox" || options(name).some((option) => option.value === value);
      // "tonight" is a day and an evening: it is taken last, by the evening.
      for (const phrase of phrases) {
        if (isOffered && phrase === "tonight" && name === "when" && words.includes(phrase)) said.when ??= value;
        else if (isOffered) set(name, value, phrase.split(" "));
      }
    }
  }
  const rest = words.filter((word) => known.has(word) || !FILLING.has(word));
  const isAsTyped = Object.keys(said).length === 0 && (rest.length === 0 || rest.length === wordsOf(text).length);
  return { said, rest: isAsTyped ? text.trim() : rest.join(" ") };
};
