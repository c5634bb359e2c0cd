// What each phrase means in one clinic: its names, plans, visits, languages and interests, and what all clinics share.

import { phraseOf } from "./line.js";
import { NEAR_ME } from "./names.js";
import { COMMON, farness, FIELDS, INTEREST_WORDS, isFilling, isNear, isSlip, isTwoOff, LANGUAGES, NOTHING, PLAN_WORDS, SELF_PAY, SOONEST, TYPED, unique, UNLIKE, VISIT_WORDS, VISITS } from "./words.js";

/** The parts of a name that aren't names on their own. */
const PARTICLES = new Set("de la las los le del el al da do dos di van von der den san st mac ben bin y e".split(" "));
const LEAST_LETTERS = 3;
const NEAR_NAME = 6;
const LEAST_ALIKE = 7;
const LEAST_MENDED = 5;

const split = (text) => (text ? text.split(" ") : []);

/** The names of a clinic: `data` is assets/sentence.json, which the build writes; `people` are the clinicians of the index, none where a large clinic's index has no rows. */
export const clinicOf = ({ states, served, plans, visits, languages, types, concepts, ...others }, people) => ({
  ...others,
  states: Object.fromEntries(Object.entries(states).map(([code, name]) => [code, [name]])),
  served: split(served),
  plans: plans.map(([name, states]) => ({ name, states: split(states) })),
  visits: visits.map(([id, name, video, open]) => ({ id: String(id), name, video, open })),
  languages: languages.map(([name, code]) => ({ name, code })),
  types: Object.fromEntries(Object.entries(types).map(([type, phrases]) => [type, phrases.split(", ")])),
  concepts: concepts.map(([names, phrases]) => [names, phrases.split(", ")]),
  people: people?.map(({ slug, name, licensed, leaves }) => ({ slug, name, states: licensed, leaves })),
});

const set = (list) => new Set(list.map(phraseOf));
const [ofInterests, common, ofVisits, ofPlans] = [INTEREST_WORDS, COMMON, VISIT_WORDS, PLAN_WORDS].map(set);

/** The runs of a name's words, longest first, that name someone: "María de la Vega", "de la Vega", "Vega". */
const runsOf = (name) => {
  const all = phraseOf(name).split(" ");
  const runs = all.flatMap((_, from) => all.slice(from).map((_, more) => all.slice(from, from + more + 1)));
  const isTelling = (run) => run.some((word) => !PARTICLES.has(word) && word.length >= LEAST_LETTERS);
  const reversed = all.length > 1 ? [[all.at(-1), ...all.slice(0, -1)]] : [];
  return [...runs.filter(isTelling), ...reversed].map((run) => run.join(" "));
};

const addPlans = (add, { plans, states }) => {
  const places = new Set(Object.values(states).flat().flatMap((name) => phraseOf(name).split(" ")));
  const telling = (name) => phraseOf(name).split(" ").filter((word) => !ofPlans.has(word) && !places.has(word)).join(" ");
  const near = new Map();
  for (const { name } of plans) {
    add([name, name.replace("&", "and")], { plan: name });
    for (const word of telling(name).split(" ")) near.set(word, [...(near.get(word) ?? []), name]);
  }
  for (const { name } of plans) {
    const part = telling(name);
    const named = plans.filter((other) => telling(other.name) === part).map(({ name }) => name);
    const isWord = !part.includes(" ") && (part.length <= LEAST_LETTERS || isFilling(part));
    const spelled = name.includes("&") ? [part, part.replace(" ", " and ")] : [part];
    if (part && !isWord) add(spelled, named.length > 1 ? { whichPlan: named } : { plan: name });
  }
  return near;
};

const addVisits = (add, { visits, interests }) => {
  const inInterests = new Set(interests.flatMap((name) => phraseOf(name).split(" ")));
  for (const { id, name } of visits) add([name], { fields: { visit: id } });
  for (const { id, name } of visits) {
    const all = phraseOf(name).split(" ");
    const endings = all.map((_, at) => all.slice(at)).filter((ending) => ending.length > 1 || !ofVisits.has(ending[0]));
    const short = all.filter((word) => !ofVisits.has(word));
    const isTelling = (part) => {
      const own = part.filter((word) => !ofVisits.has(word));
      const isShared = visits.some((other) => other.id !== id && phraseOf(other.name).includes(part.join(" ")));
      return own.length > 0 && !isShared && !isFilling(own[0]) && !own.some((word) => inInterests.has(word));
    };
    add([...endings, short].filter(isTelling).map((part) => part.join(" ")), { fields: { visit: id } });
  }
  for (const [names, phrases] of VISITS) {
    const pattern = new RegExp(`\\b(?:${names})\\b`);
    const fitting = visits.filter(({ name, video }) => pattern.test(phraseOf(name)) || (names.includes("async") && video === false));
    const visit = fitting.find(({ open }) => open) ?? fitting[0];
    if (visit) add(phrases, { fields: { visit: visit.id } });
  }
};

const addInterests = (add, { interests, concepts }) => {
  const isPhysician = set(FIELDS.filter(([{ type }]) => type).flatMap(([, phrases]) => phrases));
  // The table goes before names: "insomnia" is "Sleep" where the clinic has that.
  for (const [names, phrases] of concepts) {
    for (const phrase of phrases) {
      const type = phraseOf(phrase).split(" ").some((word) => isPhysician.has(word)) ? { fields: { type: "physician" } } : {};
      add([phrase], { interests: names, ...type });
    }
  }
  for (const name of interests) add([name], { interests: [name] });
  for (const name of interests) {
    const telling = phraseOf(name).split(" ").filter((word) => !ofInterests.has(word));
    if (telling.length > 1 || !common.has(telling[0])) add([telling.join(" ")], { interests: [name] });
  }
};

/** All codes of two letters, of which some name a language or a country. */
const CODES = Array.from({ length: 676 }, (_, at) => String.fromCharCode(65 + at / 26, 65 + (at % 26)));
/** Making an object takes longer than asking it for a thousand names. */
const namesOf = (type, made = {}) => (code, ...locales) => locales.flatMap((locale) => (made[locale] ??= new Intl.DisplayNames([locale], { type, fallback: "none" })).of(code) ?? []);
export const namesIn = namesOf("language");
const regionsIn = namesOf("region");
const spoken = (code, ...locales) => [...(LANGUAGES[code]?.split(", ") ?? []), ...namesIn(code, "en", "es", ...locales)];
const addLanguages = (add, { languages }) => {
  // "Chinese" is Mandarin before it is Cantonese.
  for (const { name, code } of languages.toReversed()) add([name, ...spoken(code, code)], { fields: { language: name } });
  for (const code of [...Object.keys(LANGUAGES), "hmn", ...CODES]) add(spoken(code), { notSpoken: code });
};

/** Cities and what is abroad are of assets/sentence-places.json, which is fetched where a word would stay unread. */
const addPlaces = (add, { states, names = [], cities = [] }) => {
  for (const [code, own] of Object.entries(states)) add(own, { place: [code], isState: true });
  for (const [code, called] of names) add(called.split(", "), { place: [code] });
  for (const [codes, names] of cities) add(names.split(", "), { place: codes.split(" "), isCity: true });
};

const addAbroad = (add, { abroad }) => {
  if (abroad) add([...abroad.split(", "), ...CODES.flatMap((code) => regionsIn(code, "en", "es"))], { isAbroad: true });
};

const addProfessions = (add, { types }) => {
  const meanings = new Map();
  for (const [type, phrases] of Object.entries(types)) {
    for (const phrase of phrases) meanings.set(phrase, unique([...(meanings.get(phrase) ?? []), type]));
  }
  for (const [fields, phrases] of FIELDS) add(phrases, { fields });
  for (const [phrase, [type, ...others]] of meanings) add([phrase], others.length > 0 ? { word: true } : { fields: { type } });
};

const LEAST_BEGINNING = 3;
const LEAST_JOINED = 6;
/** What a phrase means: as it stands, its words as one ("newyork"), as the beginning of a word, or two of its words are one: "golden rod". */
const meaningOf = (phrases, joined, phrase) => {
  const exact = phrases.get(phrase) ?? joined.get(phrase);
  if (exact) return exact;
  for (let end = phrase.length; end > LEAST_BEGINNING; end -= 1) {
    const stem = phrases.get(`${phrase.slice(0, end)}*`);
    if (stem && !phrase.slice(end).includes(" ")) return stem;
  }
  const words = phrase.split(" ");
  const inOne = words.slice(1).map((word, at) => phrases.get([...words.slice(0, at), words[at] + word, ...words.slice(at + 2)].join(" ")));
  return inOne.find((meaning) => meaning?.plan || (meaning && words.length === 2 && words.every(({ length }) => length >= LEAST_BEGINNING)));
};

/** Short names are too much like other words. */
const [LEAST_NAME, LEAST_STEMMED] = [7, 8];
const LONGEST_ENDING = 4;
const IMPOSSIBLE = 9;
const farOf = (typed, { name, isStem }) => {
  if (isStem && name.length < LEAST_STEMMED) return isSlip(typed, name) ? 1 : IMPOSSIBLE;
  const ends = isStem ? [-1, 0, 1].map((more) => name.length + more).filter((end) => typed[end - 1] === name.at(-1) && typed.length <= end + LONGEST_ENDING) : [typed.length];
  return Math.min(...ends.map((end) => farness(typed.slice(0, end), name) ?? IMPOSSIBLE));
};
/** What the phrase that is nearest to what was typed means. A plan is then a question. */
const meaningNear = (names, isKnown) => (phrase) => {
  const words = phrase.split(" ");
  const joined = words.join("");
  const isRight = words.every(isKnown);
  if (isRight && words.length === 1) return undefined;
  const fitting = names.filter(({ name, count, meaning }) => (count > 1 || words.length === 1) && (!isRight || meaning.fields?.visit || (meaning.isState && count > 2)) && name.slice(0, 2).includes(joined[0]));
  const all = fitting.map((name) => [farOf(joined, name), name.meaning]);
  const least = Math.min(...all.map(([far]) => far));
  if (least >= IMPOSSIBLE) return undefined;
  const nearest = all.filter(([far]) => far === least).map(([, meaning]) => meaning);
  const [first] = nearest;
  if (first.plan) return { whichPlan: unique(nearest.flatMap(({ plan }) => plan ?? [])) };
  return first.place && (!first.isCity || nearest.length > 1) ? { place: unique(nearest.flatMap(({ place }) => place ?? [])) } : first;
};
const nearable = (phrases) => [...phrases].map(([phrase, meaning]) => {
  const name = phrase.replace(/[ *]/g, "");
  return { name, count: phrase.split(" ").length, isStem: phrase.endsWith("*"), isPlace: meaning.place && !meaning.isCity, meaning };
}).filter(({ name, count, isPlace, meaning }) => {
  const { isCity, plan, brand, notSpoken, interests, fields } = meaning;
  return name.length >= ((isPlace || notSpoken || fields?.language) && count === 1 ? LEAST_LETTERS + 1 : count > 1 || isCity ? LEAST_NAME : LEAST_MENDED) && (isPlace || isCity || plan || brand || notSpoken || interests || fields);
});

const made = new WeakMap();

/** The phrases of a clinic, made once: `phrases` by their words, `names` the words of names, `plans` those that share a word. */
export const lexiconOf = (clinic) => {
  if (made.has(clinic)) return made.get(clinic);
  const phrases = new Map();
  const [joined, names] = [new Map(), new Map()];
  const add = (all, meaning) => {
    for (const text of all) {
      const phrase = phraseOf(text) + (text.endsWith("*") ? "*" : "");
      if (phrase && !phrases.has(phrase)) phrases.set(phrase, meaning);
      const whole = phrase.replaceAll(" ", "");
      if (whole.length >= LEAST_JOINED && (meaning.place || meaning.interests || meaning.brand) && !joined.has(whole)) joined.set(whole, meaning);
    }
  };
  for (const { slug, name } of clinic.people ?? []) {
    for (const run of runsOf(name)) names.set(run, unique([...(names.get(run) ?? []), slug]));
  }
  for (const [run, slugs] of names) if (run.includes(" ")) add([run], { names: slugs });
  const plans = addPlans(add, clinic);
  for (const [brand, words] of (clinic.brands ?? []).map((row) => row.split("="))) add([brand, ...(words?.split(", ") ?? [])], { brand });
  add(SELF_PAY, { selfPay: true });
  add(SOONEST, { fields: { sort: "soonest" } });
  addVisits(add, clinic);
  addProfessions(add, clinic);
  addInterests(add, clinic);
  addPlaces(add, clinic);
  addLanguages(add, clinic);
  add(NEAR_ME, { isNear: true });
  add(NOTHING, { nothing: true });
  addAbroad(add, clinic);
  const longest = Math.max(...[...phrases.keys()].map((phrase) => phrase.split(" ").length));
  const namesNear = (word, least = NEAR_NAME) => (word.length < least ? [] : [...names.keys()].filter((name) => name.length >= least && !name.includes(" ") && isNear(word, name)));
  const slugsAlike = (word) => [...names].filter(([name]) => name.length >= LEAST_ALIKE && isTwoOff(word, name)).flatMap(([, slugs]) => slugs);
  const lexicon = { phrases, names, plans, longest, namesNear, slugsAlike, meaningOf: (phrase) => meaningOf(phrases, joined, phrase) };
  const own = new Set([...names.keys(), ...phrases.keys()].flatMap((phrase) => phrase.split(" ")));
  const isOwn = (word) => own.has(word) || lexicon.meaningOf(word) || namesNear(word).length > 0;
  const isKnown = (word) => isFilling(word) || UNLIKE.has(word) || TYPED.has(word) || isOwn(word);
  Object.assign(lexicon, { isOwn, meaningNear: meaningNear(nearable(phrases), isKnown) });
  made.set(clinic, lexicon);
  return lexicon;
};
