// A sentence that a patient typed becomes fields, interests, what was ignored, and at most one answer.
//
// The longest phrases that the clinic's lexicon knows are taken first, then days and times, names, single words, codes of
// states, and words with one mistake. What nobody took and is no small word was ignored. No DOM, no clock, no requests.

import { readDays, todayIn } from "./days.js";
import { lexiconOf } from "./lexicon.js";
import { lineOf, phraseOf } from "./line.js";
import { isNear } from "./near.js";
import { isArticle, isWord } from "./places.js";
import { readTimes } from "./times.js";
import { CREDENTIALS, isFilling, LANGUAGES, PATIENTS, PLAN_KINDS as KINDS, TITLES } from "./words.js";

const NEAR_NAME = 5;
const NEAR_WORD = 6;
const SPEAKING = "speaks?|speaking|spoken|fluent|language|habla|hable|hablan|hablen|hablar|idioma";
const PLACES = "in|en|near|from|cerca de|around|desde|de";

/** What is understood so far. */
const reading = (clinic) => {
  const fields = {};
  const found = { fields, concepts: [], places: [], slugs: undefined, named: [], danger: false, selfPay: false, brand: undefined, whichPlan: undefined, notSpoken: undefined, words: [] };
  /** False if the field already has another value. */
  const set = (name, value) => {
    if (name in fields && String(fields[name]) !== String(value)) return false;
    fields[name] = value;
    return true;
  };
  const isOffered = ([name, value]) => name === "gender" ? clinic.genders.includes(value) : name === "type" ? value in clinic.types : true;
  const sets = (values) => {
    const offered = Object.entries(values).filter(isOffered);
    const isFree = offered.every(([name, value]) => !(name in fields) || String(fields[name]) === String(value));
    return offered.length > 0 && isFree && offered.every(([name, value]) => set(name, value));
  };
  const name = (slugs, typed) => {
    const both = found.slugs?.filter((slug) => slugs.includes(slug));
    if (both?.length === 0) return false;
    found.slugs = both ?? slugs;
    found.named.push(typed);
    return "name";
  };
  const concept = (interests, typed) => {
    const isKnown = found.concepts.some((known) => known.interests.join() === interests.join());
    if (!isKnown) found.concepts.push({ typed, interests });
    return true;
  };
  const place = (code, isCity) => {
    const isServed = clinic.served.includes(code);
    const other = found.places.find((known) => known.isServed === isServed && known.code !== code && !known.isCity);
    if (other && !isCity) return false;
    found.places.push({ code, isCity: Boolean(isCity), isServed });
    return true;
  };
  return { found, set, sets, name, concept, place };
};

/** Takes what a phrase of the lexicon means; false if it contradicts what is already understood. */
const accept = (meaning, typed, { found, sets, name, concept, place }) => {
  if (meaning.danger) return (found.danger = true);
  if (meaning.nothing) return true;
  if (meaning.selfPay) return (found.selfPay = true);
  if (meaning.names) return name(meaning.names, typed);
  if (meaning.plan) return sets({ plan: meaning.plan });
  if (meaning.whichPlan) return Boolean(found.whichPlan ??= { typed, plans: meaning.whichPlan });
  if (meaning.brand) return Boolean(found.brand ??= { name: meaning.brand, typed });
  if (meaning.place) return place(meaning.place, meaning.isCity);
  if (meaning.notSpoken) return Boolean(found.notSpoken ??= meaning.notSpoken);
  if (meaning.word) return found.words.push(typed) > 0;
  if (meaning.interests) {
    if (meaning.fields) sets(meaning.fields);
    return concept(meaning.interests, typed);
  }
  return sets(meaning.fields);
};

/** Phrases of the lexicon with so many words, or fewer. */
const takePhrases = (line, lexicon, most, least, state) => {
  line.phrases(most, least, (phrase, at, count) => {
    const meaning = lexicon.meaningOf(phrase);
    if (!meaning || (meaning.notSpoken && line.tokens.length > 1 && !line.has(SPEAKING))) return false;
    if (meaning.isCity) return takeCity(line, meaning, at, count, state);
    if (meaning.brand) return takeBrand(line, meaning, at, count, state);
    if (meaning.plan) return takePlan(line, meaning, at, count, state);
    return accept(meaning, typedOf(line, at, count), state);
  });
};
const typedOf = ({ tokens }, at, count) => tokens.slice(at, at + count).map(({ typed }) => typed).join(" ");

/** "Boston, MA" is one place. */
const takeCity = (line, { place }, at, count, state) => {
  const after = line.tokens[at + count]?.word === "," ? at + count + 1 : at + count;
  const code = line.tokens[after]?.word.toUpperCase();
  if (code?.length === 2 && state.codes.has(code)) {
    line.take(after, 1);
    return state.place(code);
  }
  return state.place(place, true);
};

/** "Aetna PPO" is one brand. */
const takeBrand = (line, { brand }, at, count, state) => {
  const typed = typedOf(line, at, count);
  while (KINDS.has(line.tokens[at + count]?.word)) line.take(at + count, 1);
  return accept({ brand }, typed, state);
};

/** A plan of another kind is not the same plan: "Goldenrod HMO" only resembles "Goldenrod PPO". */
const takePlan = (line, { plan }, at, count, state) => {
  const kind = line.tokens[at + count]?.word;
  if (!KINDS.has(kind)) return accept({ plan }, "", state);
  const own = phraseOf(plan).split(" ").filter((word) => KINDS.has(word));
  const typed = typedOf(line, at, count + 1);
  const isOther = own.length > 0 && !own.includes(kind);
  const isTaken = accept(isOther ? { whichPlan: [plan] } : { plan }, typed, state);
  if (isTaken) line.take(at + count, 1);
  return isTaken;
};

/** Names and the titles before them. A word that means something else as well is a name after a title. */
const takeNames = (line, lexicon, state) => {
  const isTitle = (at) => TITLES.has(line.tokens[at]?.word);
  const nearNames = (word) => (word.length < NEAR_NAME ? [] : [...lexicon.names.keys()].filter((name) => name.length >= NEAR_NAME && !name.includes(" ") && isNear(word, name)));
  const titles = (at) => {
    for (let before = at - 1; isTitle(before); before -= 1) line.take(before, 1);
    let after = line.tokens[at + 1]?.word === "," ? at + 2 : at + 1;
    for (; CREDENTIALS.has(line.tokens[after]?.word); after += 1) line.take(after, 1);
  };
  line.tokens.forEach(({ kind }, at) => kind === "name" && titles(at));
  line.tokens.forEach(({ word, typed, isMark }, at) => {
    if (isMark) return;
    const before = line.tokens[at - 1]?.word ?? "";
    const known = lexicon.names.get(word);
    const meaning = lexicon.meaningOf(word);
    const isPlace = meaning?.place && !PLACES.split("|").includes(before);
    const isAsName = known && (isTitle(at - 1) || (!isFilling(word) && (!meaning || isPlace)));
    const near = !known && isTitle(at - 1) && !meaning && !isFilling(word) ? nearNames(word).map((name) => lexicon.names.get(name)) : [];
    const slugs = isAsName ? known : near.length > 0 ? near.flat() : undefined;
    if (!slugs || !state.name(slugs, typed)) return;
    line.take(at, 1);
    titles(at);
  });
  return nearNames;
};

/** Codes of states. Codes that are words as well count in capitals, after "in", and alone. */
const takeCodes = (line, text, state, clinic) => {
  const isAllCapitals = text === text.toUpperCase() && line.tokens.length > 2;
  const isAlone = line.tokens.length === 1;
  line.tokens.forEach(({ word, typed, isMark }, at) => {
    const code = word.toUpperCase();
    if (isMark || !state.codes.has(code)) return;
    const [before, after] = [line.tokens[at - 1], line.tokens[at + 1]];
    const isIn = ["in", "en"].includes(before?.word) && (!after || after.isMark || !isArticle(word));
    const isAfterComma = before?.word === "," && !after;
    const isProfession = /^(?:an?|una?)$/.test(before?.word ?? "") && Object.values(clinic.types).flat().includes(word);
    const isGreeting = at === 0 && !isAlone && isWord(word);
    const isCapital = typed === code && !isAllCapitals && !isProfession && !isGreeting && !["MD", "MS"].includes(code);
    if ((!isWord(word) || isAlone || isIn || isAfterComma || isCapital) && state.place(code)) line.take(at, 1);
  });
};

/** Words with one mistake, and those of other scripts. */
const takeNear = (line, lexicon, nearNames, state) => {
  const singles = [...lexicon.phrases].filter(([phrase, meaning]) => !phrase.includes(" ") && phrase.length >= NEAR_WORD && !meaning.brand && !meaning.plan && !meaning.isCity && !meaning.notSpoken && !meaning.nothing);
  line.tokens.forEach(({ word, typed, isMark }, at) => {
    if (isMark || isFilling(word)) return;
    const near = singles.filter(([phrase]) => word.length >= NEAR_WORD && isNear(word, phrase)).map(([, meaning]) => meaning);
    const danger = near.find((meaning) => meaning.danger);
    const names = nearNames(word).flatMap((name) => lexicon.names.get(name));
    const other = /[^\p{Script=Latin}\d]/u.test(word) ? Object.entries(LANGUAGES).find(([, names]) => names.split(", ").some((name) => /\P{Script=Latin}/u.test(name[0]) && typed.includes(name))) : undefined;
    const language = other && [...lexicon.phrases].find(([phrase]) => other[1].split(", ").includes(phrase))?.[1];
    const meaning = danger ?? (names.length > 0 ? { names } : near[0] ?? language);
    if (meaning && accept(meaning, typed, state)) line.take(at, 1);
  });
};

/** Words of plans that were not named whole are a question. */
const takePlanWords = (line, lexicon, { found }) => {
  line.tokens.forEach(({ word, typed, isMark }, at) => {
    if (isMark || isFilling(word) || word.length <= 3) return;
    const near = [...lexicon.plans].filter(([part]) => part === word || (word.length >= NEAR_WORD && isNear(word, part))).flatMap(([, names]) => names);
    if (near.length === 0) return;
    found.whichPlan ??= { typed, plans: near };
    line.take(at, 1);
  });
};

/** At most one answer, the most important first. */
const answerOf = ({ found, fields }, clinic) => {
  const notServed = found.places.find(({ isServed, isCity }) => !isServed && !isCity) ?? found.places.find(({ isServed }) => !isServed);
  const plansIn = (state) => clinic.plans.filter(({ states }) => !state || states.includes(state)).map(({ name }) => name);
  const { state } = fields;
  const answers = [];
  if (found.brand) {
    const words = phraseOf(found.brand.typed).split(" ");
    const near = clinic.plans.map(({ name }) => name).filter((name) => words.every((word) => phraseOf(name).split(" ").includes(word)));
    if (near.length > 0) answers.push({ kind: "whichPlan", typed: found.brand.typed, plans: near });
    else answers.push({ kind: "plan", notTaken: found.brand.name, typed: found.brand.typed, state, taken: plansIn(state) });
  }
  if (fields.plan && state && !plansIn(state).includes(fields.plan)) {
    answers.push({ kind: "plan", notTaken: fields.plan, typed: fields.plan, state, taken: plansIn(state) });
    delete fields.plan;
  }
  if (notServed) answers.push({ kind: "state", notServed: notServed.code, neighbors: (clinic.neighbors[notServed.code] ?? "").split(" ").filter(Boolean) });
  if (found.selfPay) answers.push({ kind: "selfPay" });
  if (found.whichPlan && !fields.plan) answers.push({ kind: "whichPlan", ...found.whichPlan });
  if (found.notSpoken && !fields.language) answers.push({ kind: "language", notSpoken: found.notSpoken });
  return answers[0] ?? null;
};

/** `clinic` is that of clinic.js. */
export const understand = (text, { now, zone, lang, clinic }) => {
  const lexicon = lexiconOf(clinic);
  const line = lineOf(text);
  const state = { ...reading(clinic), codes: new Set(Object.keys(clinic.states)) };
  const { found, set } = state;
  line.each(PATIENTS, () => true);
  takePhrases(line, lexicon, lexicon.longest, 2, state);
  const readPeriods = readDays(line, todayIn(new Date(now), zone), lang, set);
  readTimes(line, set);
  readPeriods();
  const nearNames = takeNames(line, lexicon, state);
  takePhrases(line, lexicon, 1, 1, state);
  takeCodes(line, text, state, clinic);
  takeNear(line, lexicon, nearNames, state);
  takePlanWords(line, lexicon, state);
  const served = found.places.filter(({ isServed }) => isServed);
  const place = served.find(({ isCity }) => !isCity) ?? served[0];
  if (place) set("state", place.code);
  const rest = line.rest().filter(({ word }) => !isFilling(word)).map(({ typed }) => typed);
  const unknown = [...new Set(rest)];
  if (found.slugs?.length === 1) [found.fields.name] = found.slugs;
  // Of several clinicians the words decide, and where nobody's name is known here, any word may be one.
  const shared = found.slugs?.length > 1 ? found.named : [];
  const asked = [...shared, ...found.words, ...(clinic.people ? [] : unknown)];
  if (asked.length > 0) found.fields.q = asked.join(" ");
  return { fields: found.fields, concepts: found.concepts, ignored: clinic.people ? unknown : [], answer: answerOf({ found, fields: found.fields }, clinic), danger: found.danger };
};
