// A sentence that a patient typed becomes fields, interests, what was ignored, and at most one answer.
//
// Words of danger are taken first, then questions, what is refused, the longest phrases that the clinic's lexicon knows, days
// and times, names, single words, codes of states, and words with one mistake. What no rule took and isn't a small word was
// ignored. No DOM, no clock, no requests.

import { HELP, MAYBE, MENOPAUSE, readDanger } from "./danger.js";
import { lexiconOf } from "./lexicon.js";
import { lineOf, phraseOf } from "./line.js";
import { isArticle, isWord } from "./names.js";
import { CREDENTIALS, farness, isFilling, isForMenopause, isNear, isNearFilling, isSlip, isTurned, NIGHTS, OTHERWISE, PATIENTS, PLAIN, PLAN_KINDS, TITLES, TYPED, UNLIKE, unique } from "./words.js";

const NEAR_NAME_AFTER_TITLE = 5;
const NEAR_WORD = 8;
const [SHORT_WORD, MOST_NEAR] = [5, 3];
const SPEAKING = "speaks?|speaking|spoken|fluent|language|habla|hable|hablan|hablen|hablar|idioma";
/** "LA" is mostly the city. */
const LOS_ANGELES = { place: ["LA", "CA"], isCity: true };
const LEAST_ZONE = 5;
const [HOURS, DAYS] = [["part", "after", "before"], ["from", "to", "weekdays"]];
/** Who is from a country may be here. */
const ORIGINS = new Set(["from", "de"]);
const PLACES = "in|en|near|from|cerca de|around|desde|de";

/** Phrases that have a negator in them and mean something else: "can't sleep". */
export const NEGATED = /\b(?:not?|non|dont|doesnt|isnt|cant|wont|nothing(?= (?:before|after|in|on)(?![^ ]))|nada(?= (?:antes|despues|en|por)(?![^ ]))|never|why|if|poco)\b/;

/** What is understood so far. */
const reading = (clinic, line) => {
  const fields = {};
  const found = { fields, concepts: [], places: [], named: [], brands: [], words: [], corrected: [] };
  const isFree = ([name, value]) => !(name in fields) || String(fields[name]) === String(value);
  const isOffered = ([name, value]) => name === "gender" ? clinic.genders.includes(value) : name === "type" ? value in clinic.types : true;
  /** False if a field already has another value. */
  const sets = (values) => {
    const offered = Object.entries(values).filter(isOffered);
    // "A woman or nonbinary" are both.
    const [[name, gender] = []] = offered;
    if (name === "gender" && offered.length === 1 && !isFree(["gender", gender]) && line.has("or|o|u|y|and")) {
      fields.gender = unique([...fields.gender.split(","), gender]).join(",");
      return true;
    }
    if (offered.length === 0 || !offered.every(isFree)) return false;
    Object.assign(fields, Object.fromEntries(offered));
    return true;
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
    if (!isKnown) found.concepts.push({ typed: typed.replace(/^my /i, ""), interests });
    return true;
  };
  return { found, sets, name, concept };
};

/** The fields that a meaning is about. */
const aboutOf = ({ fields, names, plan, whichPlan, brand, place, notSpoken, interests }) => {
  if (interests) return { need: interests };
  if (names) return { name: names };
  if (place) return { state: place };
  if (notSpoken) return { language: notSpoken };
  if (plan || whichPlan || brand) return { plan: plan ?? brand ?? whichPlan };
  return fields ?? {};
};

/** "A doctor" may be a nurse practitioner as well, "a physician" isn't. */
const ANYONE = /^(?:d|medicos?$)/;
const ONLY = "(?:solo|only) (?:doctors|doctores|medicos)";
/** Takes what a phrase of the lexicon means; false if it contradicts what is already understood. */
const accept = (meaning, typed, { line, found, sets, name, concept }) => {
  if (meaning.nothing) return true;
  if (meaning.isNear) return (found.isNear = true);
  if (meaning.isAbroad) return (found.isAbroad = true);
  if (meaning.selfPay) return (found.selfPay = true);
  const about = aboutOf(meaning);
  if (Object.keys(about).some((field) => line.refuses(field, phraseOf(typed)))) return line.refuse(about);
  if (meaning.names) return name(meaning.names, typed);
  if (meaning.plan) return sets({ plan: meaning.plan });
  if (meaning.whichPlan) return Boolean(found.whichPlan ??= { typed, plans: meaning.whichPlan });
  if (meaning.brand) return found.brands.push({ ...meaning, typed }) > 0;
  if (meaning.place) return found.places.push({ codes: meaning.place, isCity: meaning.isCity }) > 0;
  if (meaning.notSpoken) return Boolean(found.notSpoken ??= meaning.notSpoken);
  if (meaning.fields?.language && found.fields.language && line.has("or|o|u|and|y")) {
    // Who is to speak English and Spanish is to speak Spanish.
    const all = unique([...(found.spoken ?? [found.fields.language]), meaning.fields.language]).filter((name) => name !== "English" || line.has("or|o"));
    if (all.length > 1) found.spoken = all;
    return Boolean([found.fields.language] = all);
  }
  if (meaning.word) return found.words.push(typed) > 0;
  if (meaning.interests) {
    if (meaning.fields) sets(meaning.fields);
    return concept(meaning.interests, typed);
  }
  if (meaning.fields.type && (!ANYONE.test(phraseOf(typed)) || line.has(ONLY))) found.isKind = true;
  return sets(meaning.fields);
};

/** Phrases of the lexicon with this many words, or fewer, that fit a pattern. */
const takePhrases = (line, lexicon, most, least, state, fitting = /./, meaningOf = lexicon.meaningOf) => {
  line.phrases(most, least, (phrase, at, count) => {
    if (!fitting.test(phrase)) return false;
    const meaning = meaningOf(phrase);
    if (!meaning || (meaning.notSpoken && line.tokens.length > 1 && !line.has(SPEAKING) && !state.found.isLanguages)) return false;
    if (meaning.isAbroad && ORIGINS.has(line.tokens[at - 1]?.word)) return false;
    if (meaning.isCity) return takeCity(line, meaning, at, count, state);
    if (meaning.brand) return takeBrand(line, meaning, at, count, state);
    if (meaning.plan) return takePlan(line, meaning, at, count, state);
    const typed = line.typed(at, count);
    // "It's" is not the Spanish "ITS".
    if (meaning.interests && count === 1 && isFilling(phrase) && typed !== typed.toUpperCase()) return false;
    if (!accept(meaning, typed, state)) return false;
    if (meaningOf === lexicon.meaningNear || line.tokens.slice(at, at + count).some(({ isMended }) => isMended)) state.found.corrected.push({ typed, ...meaning });
    return true;
  });
};

/** "Boston, MA" is one place. */
const takeCity = (line, meaning, at, count, state) => {
  const after = line.tokens[at + count]?.word === "," ? at + count + 1 : at + count;
  const { word = "", typed: code = "" } = line.tokens[after] ?? {};
  const isNamed = state.codes.has(word.toUpperCase()) && (!isWord(word) || code === word.toUpperCase() || after + 1 === line.tokens.length);
  const typed = line.typed(at, count);
  if (isNamed) line.take(after, 1);
  return accept(isNamed ? { place: [word.toUpperCase()] } : meaning, typed, state);
};

/** "Aetna PPO" is one brand. */
const takeBrand = (line, { brand }, at, count, state) => {
  const typed = line.typed(at, count);
  while (PLAN_KINDS.has(line.tokens[at + count]?.word)) line.take(at + count, 1);
  return accept({ brand }, typed, state);
};

/** A plan of another kind is not the same plan: "Goldenrod HMO" isn't taken where "Goldenrod PPO" is. */
const takePlan = (line, { plan }, at, count, state) => {
  const own = phraseOf(plan).split(" ");
  let end = at + count;
  while (own.includes(line.tokens[end]?.word) || PLAN_KINDS.has(line.tokens[end]?.word)) end += 1;
  const after = line.tokens.slice(at + count, end);
  const isOther = own.some((kind) => PLAN_KINDS.has(kind)) && after.some(({ word }) => !own.includes(word));
  const typed = line.typed(at, end - at);
  if (!accept(isOther ? { brand: typed, own: plan } : { plan }, typed, state)) return false;
  after.forEach(() => line.take(at + count, 1));
  return true;
};

/** Takes names of zones; returns whether one is another than that of the page: "evening in Hawaii time". */
const readZones = (line) => {
  const named = [];
  line.each("(?:in )?([a-z]{5,}) time|hora (?:del? )?(pacifico|este|centro|hawai)", ([, english, spanish]) => {
    const name = { este: "eastern" }[spanish] ?? english ?? spanish;
    if (!/^(?:pacific|eastern|centr|mountain|alaska|hawai)/.test(name)) return false;
    named.push(name.slice(0, LEAST_ZONE));
  });
  return (timeZone) => {
    const own = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longGeneric" }).format().toLowerCase();
    return named.some((name) => !own.includes(name));
  };
};

/** Names and the titles before them. A word that means something else as well is a name after a title. */
const takeNames = (line, lexicon, state) => {
  const isTitle = (at) => TITLES.has(line.tokens[at]?.word);
  const titles = (at) => {
    for (let before = at - 1; isTitle(before); before -= 1) line.take(before, 1);
    let after = line.tokens[at + 1]?.word === "," ? at + 2 : at + 1;
    for (; CREDENTIALS.has(line.tokens[after]?.word); after += 1) line.take(after, 1);
  };
  line.tokens.forEach(({ kind, left }, at) => (kind === "name" || left?.values.name) && titles(at));
  line.tokens.forEach(({ word, typed, isMark }, at) => {
    if (isMark) return;
    const before = line.tokens[at - 1]?.word ?? "";
    const known = lexicon.names.get(word);
    const meaning = lexicon.meaningOf(word);
    const isPlace = (meaning?.place || meaning?.isAbroad) && !PLACES.split("|").includes(before);
    const isAsName = known && (isTitle(at - 1) || (!isFilling(word) && (!meaning || isPlace)));
    const near = !known && isTitle(at - 1) && !meaning && !isFilling(word) ? lexicon.namesNear(word, NEAR_NAME_AFTER_TITLE).map((name) => lexicon.names.get(name)) : [];
    const slugs = isAsName ? known : near.length > 0 ? near.flat() : undefined;
    line.look(at);
    if (!slugs || !accept({ names: slugs }, typed, state)) return;
    line.take(at, 1);
    titles(at);
  });
  // "Not Dr. Smith": an unknown name can't be left out.
  line.tokens.forEach(({ isMark }, at) => {
    const after = line.tokens[at + 1];
    if (isMark || !isTitle(at) || !after || after.isMark || isFilling(after.word) || lexicon.meaningOf(after.word)) return;
    line.look(at);
    if (line.refuses("name") && line.refuse({ name: [] })) line.take(at, 2);
  });
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
    const isOfCity = before && (before.word === "," || !(before.isMark || isFilling(before.word)));
    const isAfterComma = before?.word === "," && !after;
    const isProfession = /^(?:an?|una?)$/.test(before?.word ?? "") && Object.values(clinic.types).flat().includes(word);
    const isGreeting = at === 0 && !isAlone && isWord(word);
    const isCapital = typed === code && !isAllCapitals && !isProfession && !isGreeting && !["MD", "MS"].includes(code);
    line.look(at);
    if ((!isWord(word) || isAlone || isIn || isAfterComma || isCapital) && accept(code === "LA" && !isOfCity ? LOS_ANGELES : { place: [code] }, typed, state)) line.take(at, 1);
  });
};

/** Of the rules' own words those with one mistake become what was meant. What is right stays. */
const mend = ({ tokens }, isRight) => tokens.forEach((token, at) => {
  const { word, isMark } = token;
  if (isMark || word.length < SHORT_WORD - 1 || isFilling(word) || TYPED.has(word) || UNLIKE.has(word) || TITLES.has(tokens[at - 1]?.word) || isRight(word)) return;
  const all = [...TYPED].filter((known) => (known.length >= SHORT_WORD ? isNear : isTurned)(word, known));
  token.word = all.find((known) => isSlip(word, known)) ?? all[0] ?? word;
  token.isMended = token.word !== word;
});

/** Names with one mistake, and those of other scripts. */
const takeNear = (line, lexicon, state) => {
  line.tokens.forEach(({ word, typed, isMark }, at) => {
    if (isMark || isFilling(word)) return;
    const names = lexicon.namesNear(word).flatMap((name) => lexicon.names.get(name));
    const language = [...lexicon.phrases].find(([phrase]) => /^[^\p{Script=Latin}\d]{2}/u.test(phrase) && word.includes(phrase))?.[1];
    const meaning = names.length > 0 ? { names } : language;
    line.look(at);
    if (!(meaning ? accept(meaning, typed, state) : isNearFilling(word))) return;
    if (meaning) state.found.corrected.push({ typed, ...meaning });
    line.take(at, 1);
  });
};

const NAMING = new Set("i have my with is do you use on for the and or".split(" "));
const OF_PLANS = "takes?|accepts?|insur[a-z]*|insured|plans?|cover[a-z]*|network|carrier|card|tarjeta|ppo|hmo|epo|pos|toman?|aceptan?|seguros?|aseguranza|plan|cubren?";
/** Words of plans that were not named whole are a question. */
const takePlanWords = (line, lexicon, state) => {
  // In a sentence that isn't about plans, one word of a plan may be any word: "my father is turning blue".
  const isAboutPlans = line.has(OF_PLANS);
  line.tokens.forEach(({ word, typed, isMark }, at) => {
    if (isMark || isFilling(word) || word.length <= 3) return;
    if (!isAboutPlans && word.length < NEAR_WORD && line.tokens.slice(0, at).some(({ word, isMark }) => !isMark && !NAMING.has(word))) return;
    const near = [...lexicon.plans].filter(([part]) => part === word || farness(word, part)).flatMap(([, names]) => names);
    line.look(at);
    if (near.length > 0 && accept({ whichPlan: near }, typed, state)) line.take(at, 1);
  });
};

/** Where the patient is: the state, one that isn't served, or `which` states it may be. Nothing is guessed. */
const placeOf = ({ tokens }, { places, isNear }, { served }) => {
  const isServed = (code) => served.includes(code);
  const named = unique(places.filter(({ isCity }) => !isCity).flatMap(({ codes }) => codes));
  // A misspelled one may be another.
  const isSure = places.every(({ isCity, codes }) => isCity || codes.length === 1);
  const cities = places.filter(({ isCity }) => isCity).map(({ codes }) => codes);
  const [notServed, ...notEither] = unique([...named.filter((code) => !isServed(code)), ...cities.filter((codes) => !codes.some(isServed)).map(([code]) => code)]);
  const states = named.filter(isServed);
  const around = cities.map((codes) => codes.filter(isServed)).filter((codes) => codes.length > 0 && (!notServed || codes.length === 1));
  const inAll = unique(around.flat()).filter((code) => around.every((codes) => codes.includes(code)));
  const all = states.length > 0 ? states : inAll.length > 0 ? inAll : unique(around.flat());
  if (all.length > 0) return all.length === 1 && isSure ? { state: all[0], notServed } : { which: all.sort(), notServed: isSure && notServed };
  const isSomewhere = isNear || tokens.some(({ word, isMark }, at) => !isMark && /^(?:near|in|en)$/.test(tokens[at - 1]?.word) && !isFilling(word));
  return { notServed, notEither, which: isSomewhere && !notServed ? [] : undefined };
};

/** The answers, the most important first: one is given. */
const answersOf = ({ fields, brands, booking, isAsking, inPerson, isRefill, isLeave, isMinor, noDate, isPast, selfPay, isPlans, isMyPlan, isLanguages, noEnglish, spoken, whichPlan, notSpoken, isElsewhere, isAbroad, isTwoTimes }, { notServed, notEither = [], which }, clinic) => {
  const { state } = fields;
  const plansIn = (state) => clinic.plans.filter(({ states }) => !state || states.includes(state)).map(({ name }) => name);
  const answers = [];
  if (notServed) {
    const neighbors = unique([notServed, ...notEither].flatMap((code) => (clinic.neighbors[code] ?? "").split(" ")).filter(Boolean));
    answers.push({ kind: "state", notServed, notEither, neighbors: neighbors.some((code) => which?.includes(code)) ? which : neighbors });
  }
  // A Medicare Advantage plan that is taken may be named with its kind.
  if (brands.length > 0 && !(brands[0].brand === "Medicare" && /advantage/i.test(fields.plan))) {
    const [{ typed, own }] = brands;
    // "Medicare Advantage" may be an Advantage plan that is taken.
    const words = phraseOf(typed).replace("medicare ", "").split(" ");
    const near = clinic.plans.map(({ name }) => name).filter((name) => words.every((word) => phraseOf(name).split(" ").includes(word)));
    if (near.length > 0) answers.push({ kind: "whichPlan", field: "plan", typed, plans: near });
    else answers.push({ kind: "plan", notTaken: unique(brands.map(({ brand }) => brand)), typed, state, taken: plansIn(state).includes(own) ? [own] : plansIn(state) });
  }
  if (fields.plan && state && !plansIn(state).includes(fields.plan)) {
    answers.push({ kind: "plan", notTaken: [fields.plan], typed: fields.plan, state, taken: plansIn(state) });
    delete fields.plan;
  }
  if (isAbroad && !state && !notServed) answers.push({ kind: "abroad" });
  if (noDate) answers.push({ kind: "noDate", date: noDate });
  if (isPast) answers.push({ kind: "past" });
  if (isMinor) answers.push({ kind: "minor" });
  if (isLeave) answers.push({ kind: "leave", slug: fields.name });
  if (isRefill) answers.push({ kind: "refill" });
  if (inPerson) answers.push({ kind: "inPerson" });
  if (isAsking) answers.push({ kind: "ask" });
  if (booking) answers.push({ kind: "booking" });
  if (which) answers.push({ kind: "whichState", states: which });
  if (selfPay) answers.push({ kind: "selfPay" });
  if (whichPlan && !fields.plan) answers.push({ kind: "whichPlan", field: "plan", ...whichPlan });
  if ((isMyPlan || isPlans) && !fields.plan) answers.push({ kind: "plans", isMyPlan, state, taken: plansIn(state) });
  if (notSpoken) answers.push({ kind: "language", notSpoken });
  if (spoken) delete fields.language;
  if ((isLanguages || noEnglish || spoken) && !fields.language) answers.push({ kind: "languages", isQuestion: Boolean(noEnglish ?? spoken), spoken: spoken ?? clinic.languages.map(({ name }) => name).filter((name) => !noEnglish || name !== "English") });
  const person = clinic.people?.find(({ slug }) => slug === fields.name);
  if (person?.states.length > 0 && state && !person.states.includes(state)) {
    answers.push({ kind: "seesIn", name: person.name, state, states: person.states });
    delete fields.state;
  }
  if (isElsewhere) answers.push({ kind: "timeZone" });
  if (isTwoTimes) answers.push({ kind: "twoTimes" });
  return answers;
};

const SIN_INGLES = "(?:no|poco) (?:(?!solo|que|si|importa|necesit)[a-z]+ ){0,3}ingles(?: muy| bien)*|ingles no es [a-z]+|solo hablo?(?= espanol)";
const INTERPRETERS = "(?:interpret|translat|traduc|traduz)[a-z]*(?: services?| de(?= [a-z]+$))?|(?:what|which|que) (?:languages|idiomas)";
const REFILLS = /^(?:refil|prescri|medica[tm]|receta|resurt|medicin[ea]s?$)/i;
const REFILL = "(?:refil|rx|r?e?surt)[a-z]*|(?<!hormone )prescriptions?|recetas?(?! de)|renov[a-z]+ mis? (?:rec|med|past)[a-z]+|out of(?: [a-z]+){0,4} (?:med[si]|pill|patch)[a-z]*|me quede sin(?: [a-z]+){0,2} (?:medic|pastill)[a-z]*|se me (?:acab|termin)[a-z]+";
/** "Do you treat men?" */
const TREATING = /^(?:do|can|does|will|atienden|tratan|aceptan|ven)\b/;

/** `clinic` is that of `clinicOf`, `rest` has what when.js and asides.js export: days, times, questions and refusals. `needsRest` says of a text without it whether it has some, or may name a city or a country. */
export const understand = (text, { now, zone, zoneIn = () => zone, lang, clinic, rest }) => {
  const lexicon = lexiconOf(clinic);
  const line = lineOf(text, rest?.isRefused);
  const state = { line, ...reading(clinic, line), codes: new Set(Object.keys(clinic.states)), served: clinic.served };
  const { found, sets, found: { fields } } = state;
  found.now = rest?.nowIn(now, zone);
  const today = Math.floor(found.now);
  const setTime = (name, value) => line.refuses(name) ? line.refuse({ [name]: value }) : sets({ [name]: value });
  const alarm = readDanger(line);
  const danger = ![MAYBE, MENOPAUSE].includes(alarm) && alarm;
  rest?.readMinors(line, found, lexicon);
  line.each(PATIENTS, ([all]) => void (found.isAsking ||= TREATING.test(all)));
  for (const [name, pattern] of NIGHTS) {
    const meaning = lexicon.meaningOf(name);
    if (meaning) line.each(pattern, ([typed]) => accept(meaning, typed, state));
  }
  mend(line, lexicon.isOwn);
  const mended = line.tokens.map(({ word }) => word).join(" ");
  const isBooking = rest?.readQuestions(line, found, clinic, lang, lexicon);
  if (rest) line.each(rest.VIDEOLESS, () => accept(lexicon.phrases.get("without video") ?? { nothing: true }, "", state));
  rest?.readLanguages(line, found);
  line.each(SIN_INGLES, () => void (found.noEnglish = "es"));
  line.each(INTERPRETERS, () => (found.isLanguages = true));
  line.each(REFILL, () => void (found.isRefill = true));
  if (rest?.isSeenBefore(line, lexicon)) accept(lexicon.phrases.get("follow up") ?? { nothing: true }, "", state);
  takePhrases(line, lexicon, lexicon.longest, 2, state, NEGATED);
  const refuses = rest?.takeNegators(line, today) ?? false;
  takePhrases(line, lexicon, lexicon.longest, 2, state);
  takePhrases(line, lexicon, MOST_NEAR, 2, state, /.../, lexicon.meaningNear);
  const isOtherZone = readZones(line);
  const readPeriods = rest?.readDays(line, today, lang, setTime, found, clinic);
  rest?.readTimes(line, setTime, lexicon, found);
  readPeriods?.();
  takePhrases(line, lexicon, lexicon.longest, 2, state);
  takePhrases(line, lexicon, 1, 1, state, /.../, lexicon.meaningNear);
  takeNames(line, lexicon, state);
  takePhrases(line, lexicon, 1, 1, state);
  takeCodes(line, text, state, clinic);
  takeNear(line, lexicon, state);
  takePlanWords(line, lexicon, state);
  // Without those rules: whether they would understand more.
  const needsRest = !rest && (OTHERWISE.test(text + mended) || found.corrected.length > 0 || found.places.length > 1 || Boolean(found.whichPlan || found.slugs && line.has(PLACES)) || line.rest().some(({ word }) => !PLAIN.has(word)));
  const unknown = unique(line.rest().filter(({ word, isSaid }) => !isSaid && !isFilling(word)).map(({ typed }) => typed));
  // A name with two mistakes is a question.
  const alike = found.slugs || fields.plan ? [] : unknown.filter((typed) => lexicon.slugsAlike(phraseOf(typed)).length > 0);
  if (alike.length > 0) found.whichPlan = { field: "q", plans: clinic.people.filter(({ slug }) => alike.some((typed) => lexicon.slugsAlike(phraseOf(typed)).includes(slug))).map(({ name }) => name) };
  found.isLanguages ||= line.tokens.some(({ word, isMark }, at) => !isMark && !isFilling(word) && /^(?:speak|habl)/.test(line.tokens[at - 1]?.word));
  // Who may have one of two interests and is to have one of them has that one.
  found.concepts = found.concepts.filter((concept) => !isForMenopause(concept, found.concepts, text)).filter(({ interests }, _, all) => !all.some((other) => other.interests.length < interests.length && other.interests.every((name) => interests.includes(name))));
  // What is to be refilled says who sees to it.
  if (found.isRefill || found.concepts.length > 1) found.concepts = found.concepts.filter(({ typed }) => !REFILLS.test(typed));
  if (found.slugs?.length === 1) [fields.name] = found.slugs;
  const where = placeOf(line, found, clinic);
  const isElsewhere = isOtherZone(zoneIn(where.state));
  if (found.noEnglish === "es" && !fields.language && !found.notSpoken && clinic.languages.some(({ name }) => name === "Spanish")) fields.language = "Spanish";
  found.isElsewhere = isElsewhere && HOURS.some((name) => name in fields);
  for (const name of [...(isElsewhere ? HOURS : []), ...(found.noDate ? DAYS : [])]) delete fields[name];
  if (where.state) fields.state = where.state;
  const notLeftOut = rest?.leaveOut(line, fields, { ...where, genders: clinic.genders, types: Object.keys(clinic.types), needs: found.concepts.length, today: rest.written(today) }) ?? [];
  if (!found.isKind && !refuses && !fields.gender && !fields.language && found.concepts.length === 0) delete fields.type;
  // Of what began yesterday nothing has passed.
  found.isPast &&= !alarm && !line.has("saw|seen|met|vi|vio") && found.concepts.length + unknown.length === 0;
  // What is said of a danger or of a canceled visit isn't a wish for a time.
  if (alarm || found.isOver) for (const name of [...HOURS, ...DAYS, "sort"]) delete fields[name];
  // Of several clinicians the words decide, and where no name is known here, any word may be one.
  const shared = found.slugs?.length > 1 ? found.named : [];
  const asked = [...shared, ...found.words, ...(clinic.people ? [] : unknown)];
  if (asked.length > 0) fields.q = asked.join(" ");
  if (isBooking && Object.keys(fields).length + found.concepts.length + notLeftOut.length === 0) found.booking = true;
  const [answer = null, ...others] = answersOf(found, where, clinic);
  return { fields, concepts: found.concepts, ignored: clinic.people && !found.isRefill ? unknown.filter((typed) => !alike.includes(typed)) : [], notLeftOut, corrected: found.corrected, answer, besides: others.filter(({ notTaken, notServed, notSpoken }) => notTaken ?? notServed ?? notSpoken), profession: found.profession, danger, isUrgent: !danger && alarm || found.isUrgent && HELP, refuses, needsRest };
};
