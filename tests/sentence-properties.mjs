// What must hold for every sentence, tried with the demo's own names: `node tests/sentence-properties.mjs`.
// Prints each sentence for which it does not hold, and last `N of M`.

import { clinic, fixedClock, read } from "./sentence-demo.mjs";

const misses = [];
let tried = 0;
const holds = (name, typed, isTrue, got) => {
  tried += 1;
  if (!isTrue) misses.push(`${name}: ${typed}\n  got ${JSON.stringify(got)}`);
};

const sorted = (value) => JSON.stringify(Object.entries(value).sort());
const meant = ({ fields, concepts, danger }) => sorted({ ...fields, concepts: concepts.flatMap(({ interests }) => interests).sort(), danger });

// Phrases that do not contradict each other, each with what it means.
const SETS = [
  { "a woman": { gender: "female" }, "in Texas": { state: "TX" }, "who speaks Spanish": { language: "Spanish" }, "next Tuesday": { from: "2026-12-01", to: "2026-12-01" } },
  { physician: { type: "physician" }, California: { state: "CA" }, "after 5": { after: "17:00" }, "with Goldenrod": { plan: "Goldenrod PPO" }, "hot flashes": { concepts: ["Menopause"] } },
  { "a nurse practitioner": { type: "nursePractitioner" }, "for insomnia": { concepts: ["Sleep"] }, "weekend mornings": { weekdays: ["sat", "sun"], part: "morning" }, "near Boston": { state: "MA" } },
  { tomorrow: { from: "2026-11-25", to: "2026-11-25" }, "before noon": { before: "12:00" }, "follow-up visit": { visit: "102" }, "Dr. Okonkwo": { name: "amara-okonkwo" } },
  { "first available": { sort: "soonest" }, "Harbor Mutual": { plan: "Harbor Mutual HMO" }, Denver: { state: "CO" }, "a man": { gender: "male" } },
  { "Dec 1st": { from: "2026-12-01", to: "2026-12-01" }, "between 12 and 2": { after: "12:00", before: "14:00" }, "trouble sleeping": { concepts: ["Sleep"] }, "Mandarin speaking": { language: "Mandarin" } },
  { "una mujer": { gender: "female" }, "en Nueva York": { state: "NY" }, "que hable español": { language: "Spanish" }, "el jueves": { from: "2026-11-26", to: "2026-11-26" } },
  { médica: { gender: "female", type: "physician" }, "presión alta": { concepts: ["Blood pressure"] }, "por la mañana": { part: "morning" }, "lo antes posible": { sort: "soonest" } },
  { "mondays or wednesdays": { weekdays: ["mon", "wed"] }, "in the evening": { part: "evening" }, "new patient visit": { visit: "101" }, FL: { state: "FL" } },
  { "the week of December 7": { from: "2026-12-07", to: "2026-12-13" }, anxiety: { concepts: ["Anxiety"] }, ASL: { language: "American Sign Language" }, "Juniper Advantage": { plan: "Juniper Advantage" } },
];
const subsets = (list) => list.reduce((all, item) => [...all, ...all.map((some) => [...some, item])], [[]]).slice(1);
const orders = (list) => (list.length < 2 ? [list] : list.flatMap((item, at) => orders(list.toSpliced(at, 1)).map((rest) => [item, ...rest])));
for (const set of SETS) {
  for (const subset of subsets(Object.keys(set))) {
    const wanted = sorted({ concepts: [], danger: false, ...Object.assign({}, ...subset.map((phrase) => set[phrase])) });
    for (const order of orders(subset)) {
      for (const typed of [order.join(" "), order.join(", ")]) {
        const got = read(typed);
        holds("phrases in any order", typed, meant(got) === wanted && got.ignored.length === 0, got);
      }
    }
  }
}

// An unknown word changes nothing but what was ignored.
for (const set of SETS.map(Object.keys)) {
  for (const unknown of ["qwzx", "blorptastic"]) {
    const [before, after] = [read(set.join(", ")), read(`${unknown} ${set.join(", ")}`)];
    holds("an unknown word is ignored", `${unknown} ${set.join(", ")}`, meant(before) === meant(after) && after.ignored.includes(unknown), after);
  }
}

const FRAMES = [
  "I'd like to see X", "is X taking patients", "X", "appointment with X", "dr X", "I'm looking for a doctor named X", "quiero una cita con X", "when can X see me?", "does X have time", "X, please",
];
for (const { slug, name } of clinic.people) {
  for (const frame of FRAMES) {
    for (const spelled of [name, name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()]) {
      const typed = frame.replace("X", spelled);
      const got = read(typed);
      holds("a name in a frame finds her", typed, got.fields.name === slug && Object.keys(got.fields).length === 1 && got.ignored.length === 0, got);
    }
  }
}

const alone = (name, typed, is) => {
  for (const lang of ["en", "es"]) {
    const got = read(typed, lang);
    holds(`${name} alone`, typed, is(got) && got.ignored.length === 0, got);
  }
};
const only = (fields, wanted) => sorted(fields) === sorted(wanted);
for (const { name } of clinic.plans) alone("a plan", name, ({ fields, concepts }) => only(fields, { plan: name }) && concepts.length === 0);
for (const [code, [name]] of Object.entries(clinic.states)) {
  const isServed = clinic.served.includes(code);
  alone("a state", name, ({ fields, answer }) => (isServed ? only(fields, { state: code }) : answer?.notServed === code && only(fields, {})));
}
for (const { name } of clinic.languages) alone("a language", name, ({ fields }) => only(fields, { language: name }));
for (const name of clinic.interests) {
  // A row of the table may send an interest's name to the wider one: "insomnia" is Sleep.
  const wider = clinic.concepts.find(([, phrases]) => phrases.includes(name.toLowerCase()))?.[0] ?? [name];
  alone("an interest", name, ({ fields, concepts }) => only(fields, {}) && concepts.length === 1 && sorted(concepts[0].interests) === sorted(wider));
}

// What is refused is never the wish itself, and is either left out or said.
const REFUSALS = ["not X", "I don't want X", "anything but X", "no X", "anyone except X in the evening", "please, not X", "que no sea X", "no quiero X", "cualquiera menos X"];
const REFUSED = {
  gender: ["a man", "women", "male", "female", "hombre"], type: ["a doctor", "nurses", "a nurse practitioner"], state: ["Texas", "in Ohio", "California"], language: clinic.languages.map(({ name }) => name),
  plan: clinic.plans.map(({ name }) => name), name: clinic.people.map(({ name }) => name), weekdays: ["on Mondays", "Fridays", "los domingos"], part: ["mornings", "in the afternoon", "evenings"],
};
// There are two professions: without one of them it is the other.
const professions = { "a doctor": "physician", nurses: "nursePractitioner", "a nurse practitioner": "nursePractitioner" };
const dayNames = { "on Mondays": "mon", Fridays: "fri", "los domingos": "sun" };
for (const [field, all] of Object.entries(REFUSED)) {
  for (const phrase of all) {
    for (const frame of REFUSALS) {
      const got = read(frame.replace("X", phrase));
      const value = frame.includes("evening") && field === "part" ? undefined : got.fields[field];
      const isLeftOut = field === "weekdays" ? !value?.includes(dayNames[phrase]) : field === "type" ? value !== professions[phrase] : value === undefined || value.startsWith("!");
      const isSaid = got.notLeftOut.length > 0 || Object.keys(got.fields).length > 0;
      holds("what is refused is left out or said", frame.replace("X", phrase), isLeftOut && isSaid, got);
    }
  }
}
// Whoever has no sleep needs it.
for (const name of clinic.interests.filter((name) => name !== "Sleep")) {
  const got = read(`not ${name}`);
  holds("a refused interest is no need", name, got.concepts.length === 0 && got.notLeftOut.length > 0, got);
}

// No plan is guessed from a word that it only shares, and a brand that is not taken is said to be.
for (const brand of ["blue cross", "blue shield", "medicare advantage", "community plan", "mutual of omaha", "silver choice", "health plan", "cedar sinai"]) {
  const got = read(`do you take ${brand}`);
  holds("no plan is guessed", brand, got.fields.plan === undefined, got);
}
// No word of a need alarms.
for (const [, phrases] of clinic.concepts) for (const phrase of phrases) holds("a need is no danger", phrase, read(phrase.replace("*", "")).danger === false, phrase);
// Danger is understood with one mistake in a word.
const DANGERS = ["suicidal", "I want to kill myself", "chest pain", "heart attack", "emergency", "unconscious", "better off dead", "suicidio", "emergencia", "ataque al corazon", "quiero suicidarme"];
for (const danger of DANGERS) {
  const words = danger.split(" ");
  const longest = words.indexOf(words.toSorted((one, other) => other.length - one.length)[0]);
  for (let at = 1; at < words[longest].length - 1; at += 1) {
    const letters = [...words[longest]];
    for (const wrong of [letters.toSpliced(at, 1), letters.toSpliced(at, 2, letters[at + 1], letters[at]), letters.toSpliced(at, 0, letters[at])]) {
      const typed = words.with(longest, wrong.join("")).join(" ");
      holds("danger with a mistake", typed, read(typed).danger, read(typed));
    }
  }
}
// A state with a letter dropped, doubled or swapped is that state or a question, never another state.
const isTerritory = (code) => ["AS", "GU", "MP", "PR", "VI"].includes(code);
for (const [code, [name]] of Object.entries(clinic.states).filter(([code]) => !isTerritory(code))) {
  const letters = [...name.toLowerCase()];
  for (const at of letters.keys()) {
    for (const wrong of [letters.toSpliced(at, 1), letters.toSpliced(at, 2, letters[at + 1] ?? "", letters[at]), letters.toSpliced(at, 0, letters[at])]) {
      const typed = wrong.join("").trim();
      const { fields, answer } = read(typed);
      const meant = fields.state ?? (answer?.kind === "state" ? [answer.notServed, ...answer.notEither] : []);
      holds("no other state", typed, meant.length === 0 || meant.includes(code), { fields, answer });
    }
  }
}
// Nothing that can be typed breaks it.
const ODD = ["", " ", "😀😀", "<script>alert(1)</script>", "a".repeat(5000), "@20788", "· · ·", "12/99 99:99 0/0", "the the the", "第一 医生 中文", "\u0000\u202e", "next next week week", "%00%20&q=1", "()[]{}*+?^$|\\"];
for (const odd of ODD) {
  const got = read(odd);
  holds("odd text", odd.slice(0, 40), got.danger === false && Array.isArray(got.ignored), got);
}
for (const danger of ["I want to die", "chest pain", "no puedo respirar", "quiero suicidarme", "this is an emergency"]) {
  for (const set of SETS.map(Object.keys)) holds("danger is said first", danger, read(`${set[0]}, ${danger}`).danger && read(`${danger} ${set[1]}`).danger, danger);
}

console.log(misses.slice(0, 40).join("\n"));
console.log(`${tried - misses.length} of ${tried} (${fixedClock})`);
process.exitCode = misses.length === 0 ? 0 : 1;
