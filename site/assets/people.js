// The clinicians of the search: the index is fetched once, when it is first needed, and filtered here. The index of a
// large clinic has no clinicians, but the addresses of its API (`api`), which remote.js requests instead.

import { distance } from "./distance.js";
import { fold } from "./dom.js";
import { TEXTS, said } from "./texts.js";

export const wordsOf = (text) => fold(text).replace(/[’']/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];

let index;
export const load = (source) => {
  index ??= fetch(source).then((response) => {
    if (!response.ok) throw new Error(response.statusText);
    return response.json();
  }).then(prepare).catch((error) => {
    index = undefined;
    throw error;
  });
  return index;
};

/** The profession. Some languages have another word for a woman. */
export const kind = ({ type, gender }) => TEXTS[type + ({ female: "Female", male: "Male" }[gender] ?? "")] ?? TEXTS[type];

const split = (text) => (text ? text.split(" ") : []);

/** The fields of specialists that the index has: who looks for a concern sees the concern. */
export const SPECIALTIES = new Set();

const prepare = ({ plans, interests, languages, specialties, visits: offers, api, clinicians }) => {
  for (const name of specialties) if (!interests.includes(name)) SPECIALTIES.add(name);
  const visits = new Map(offers.map(({ id, states, ...visit }) => [String(id), { ...visit, states: new Set(split(states)) }]));
  const people = clinicians.map(([href, name, credentials, portrait, licensed, accepting, byState, offered, interested, gender, type, spoken, { badges, leaves, specialties: certified = [] } = {}]) => {
    const person = {
      href, name, credentials, portrait, gender, type, badges,
      slug: href.split("/").at(-1),
      licensed: split(licensed),
      accepting: split(accepting),
      plans: new Map(byState.map(([state, numbers]) => [state, numbers.map((number) => plans[number])])),
      visits: new Map(offered.map((id) => [String(id), visits.get(String(id))])),
      interests: interested.map((number) => interests[number]),
      languages: spoken.map((number) => languages[number]),
      specialties: certified.map((number) => specialties[number]),
      leaves,
    };
    return { ...person, words: wordsOf([name, credentials, kind(person), ...person.interests, ...person.interests.map(said), ...person.languages, ...person.specialties].join(" ")) };
  });
  return {
    people,
    interests,
    specialties,
    api,
    /** Interests of more than one word. */
    phrases: interests.map(wordsOf).filter(({ length }) => length > 1),
    words: new Set([...people.flatMap(({ words }) => words), ...wordsOf([...interests, ...languages].join(" "))]),
    visits,
  };
};

/** Whether a word was meant, as the API's `q` decides it: from 4 letters one mistake, from 8 two, never in the first letter. */
export const isNear = (word, known) => {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  return word[0] === known[0] && Math.abs(word.length - known.length) <= most && distance(word, known) <= most;
};

/** What a specialist's field begins with: "cardiologist" and "cardióloga" mean "cardiolog". */
const FIELD = /^(?:(\p{L}{3,}olog)(?:ists?|[oa]s?)|(\p{L}{4,})(?:ists?|icians?))$/u;
/** Fields that boards call by another name, as the API's `q` knows them. */
const OTHER_FIELDS = { cardiolog: "cardiovascular" };

/** Spanish writes "reumatología", "oftalmología", "ginecología". */
const sound = (word) => word.replaceAll("ph", "f").replaceAll("h", "").replaceAll("y", "i");

/** The specialties and certifications that a typed word means, if it is that of a specialist. */
export const specialtiesOf = (word, { specialties }) => {
  const [, ology, other] = FIELD.exec(word) ?? [];
  const fields = [ology ?? other, OTHER_FIELDS[ology]].filter(Boolean).map(sound);
  return specialties.filter((name) => wordsOf(name).some((known) => fields.some((field) => sound(known).startsWith(field))));
};

/** For each typed word, a test of a clinician's words. Unless the word begins a known one, a typing mistake is forgiven. */
const wordTests = (text, { words }) =>
  wordsOf(text).filter((word) => word !== "dr").map((word) => {
    const begins = (known) => known.startsWith(word);
    return [...words].some(begins) ? begins : (known) => isNear(word, known);
  });

/** The concerns of a search, each with the interests or specialties that may meet it. A narrower interest counts as the wider one, too. */
const groups = (need) => (need ? need.split(";").map((names) => names.split("|").map(fold)) : []);

/** Of a gender, of one of several, or "!male": known to be another one. */
export const isOfGender = (own, wanted) => (wanted[0] === "!" ? ![wanted.slice(1), "preferNotToSay"].includes(own) : wanted.split(",").includes(own));

/** The clinicians who fit: one state must meet all that depends on the state. */
export const search = (index, wanted) => {
  const { gender, type, language, state, plan, visit } = wanted;
  const needs = groups(wanted.need);
  // "Not Okonkwo": everyone else.
  const [, others] = /^not? (.+)/i.exec(wanted.q) ?? [];
  const tests = wordTests(others ?? wanted.q, index);
  const held = index.visits.get(visit);
  const fits = (person) => {
    const places = state ? person.licensed.filter((place) => place === state) : person.licensed;
    return (!gender || isOfGender(person.gender, gender))
      && (!type || person.type === type)
      && (!language || person.languages.includes(language))
      && (!visit || person.visits.has(visit))
      && needs.every((names) => person.specialties.some((name) => names.includes(fold(name))) || person.interests.some((interest) => names.some((name) => fold(interest).includes(name))))
      && tests.every((test) => person.words.some(test)) === !others
      && places.some((place) => (!visit || held?.states.has(place)) && (!plan || person.plans.get(place)?.includes(plan)));
  };
  return index.people.filter(fits);
};

/** Where new patients are seen, or offered a visit that is for them; of a plan, where it is taken besides. */
export const newIn = ({ accepting, visits, plans }, visit, plan) => {
  const { open, states } = visits?.get(visit) ?? {};
  return accepting.filter((code) => (!open || states.has(code)) && (!plan || !plans || plans.get(code)?.includes(plan)));
};
export const takesNew = (person, state, visit, plan) => newIn(person, visit, plan).some((code) => !state || code === state);
