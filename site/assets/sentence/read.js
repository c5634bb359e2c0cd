// From what was typed to the form's values, and what the page says about it. Fetched when a search first has words.

import { LOCALE, element, fill, list, zone } from "../dom.js";
import { STATES, TEXTS } from "../texts.js";
import { clinicOf } from "./lexicon.js";
import { needsRest, understand } from "./understand.js";
import { WEEKDAYS } from "./words.js";

const DATA = "/assets/sentence.json";
const AHEAD = 30;
const LONGEST = 500;
/** With this many words not understood, it is said which were. */
const MANY = 3;

let data;
const fetched = async () => {
  const response = await fetch(DATA);
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
};

let clinic;
/** The clinic of an index; a large one's index has no rows, so no clinician's name is known here. */
const clinicIn = async (index) => {
  data ??= fetched();
  data.catch(() => (data = undefined));
  return (clinic ??= clinicOf(await data, index.api ? undefined : index.people));
};

const later = (date, days) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
/** The form has days of the week or a range of dates: of "Monday or Tuesday next week" the days from one to the other. */
const dayIn = ({ from, to = from && later(from, AHEAD), weekdays }) => {
  if (!from) return weekdays?.join(",");
  const days = Array.from({ length: AHEAD * 2 }, (_, at) => later(from, at)).filter((day) => day <= to);
  const isMeant = (day) => !weekdays || weekdays.includes(WEEKDAYS[(new Date(day).getUTCDay() + 6) % 7]);
  const meant = days.filter(isMeant);
  const [first, last] = meant.length > 0 ? [meant[0], meant.at(-1)] : [from, to];
  return first === last ? first : `${first}..${last}`;
};
const partIn = ({ part, after = "", before = "" }) => (after || before ? `${after}-${before}` : part);

const isSpanish = LOCALE.language === "es";
const either = new Intl.ListFormat(LOCALE, { type: "disjunction" });

const answerOf = ({ kind, state, ...answer }, { states }, contact, linkTo) => {
  const links = (name, values, text = (value) => value) => values.flatMap((value, at) => [at > 0 && ", ", linkTo({ [name]: value }, text(value))]);
  const place = (code) => STATES[code] ?? states[code][0];
  switch (kind) {
    case "plan": {
      const { taken } = answer;
      const plan = isSpanish ? answer.notTaken.join(" ni ") : either.format(answer.notTaken);
      return fill(state ? TEXTS.notTakenIn : TEXTS.notTaken, { plan, state: state && place(state), plans: list.format(taken) });
    }
    case "state": {
      const served = answer.neighbors.map(place);
      return fill(served.length > 0 ? TEXTS.notServedBut : TEXTS.notServed, { state: place(answer.notServed), states: list.format(served) });
    }
    case "whichPlan": {
      const [before, after] = TEXTS.whichPlan.split("{plans}");
      return element("span", {}, before, ...links("plan", answer.plans), after);
    }
    case "plans": return fill(state ? TEXTS.takenIn : TEXTS.taken, { state: state && place(state), plans: list.format(answer.taken) });
    case "whichState": return element("span", {}, TEXTS.whichState, " ", ...links("state", answer.states, place));
    case "seesIn": return fill(TEXTS.seesIn, { name: answer.name, state: place(state), states: list.format(answer.states.map(place)) });
    case "timeZone": return TEXTS.ownZone;
    case "noDate": return TEXTS.noDate;
    case "minor": return fill(TEXTS.toAskMinor, { contact });
    case "ask": return fill(TEXTS.toAsk, { contact });
    case "profession": return fill(TEXTS.noProfession, { value: answer.profession });
    case "booking": return fill(TEXTS.toBook, { contact });
    case "language": return fill(TEXTS.goneLanguage, { value: answer.notSpoken });
    default: return fill(TEXTS.selfPay, { contact });
  }
};

const NUMBERS = { call: "911", text: "988", hotline: "1-800-799-7233" };
const DANGERS = { [NUMBERS.text]: TEXTS.crisis, [NUMBERS.hotline]: TEXTS.abuse };
/** What to call: for thoughts of suicide 988 first. */
const dangerOf = (first) => {
  const link = (number) => element("a", { href: `tel:${number}` }, number);
  return element("strong", {}, ...(DANGERS[first] ?? TEXTS.emergency).split(/\{(\w+)\}/).map((part, at) => (at % 2 ? link(NUMBERS[part]) : part)));
};

/** Days, times, questions and refusals are fetched for the sentences that have some. */
const restFor = async (text) => needsRest(text) ? Object.assign({}, ...(await Promise.all([import("./asides.js"), import("./when.js")]))) : undefined;

/** The values of the form's fields that a text means, the sentences about it, danger first, and whether it refuses something. */
export const readSentence = async (text, index, { contact, link, words }) => {
  const read = text.slice(0, LONGEST);
  const [clinic, rest] = await Promise.all([clinicIn(index), restFor(read)]);
  const { fields, concepts, ignored, notLeftOut, kept, answer, danger, refuses } = understand(read, { now: new Date(), zone, lang: document.documentElement.lang, clinic, rest });
  const { state, plan, gender, type, language, visit, name, q } = fields;
  const person = name && index.people.find(({ slug }) => slug === name).name;
  const need = concepts.map(({ interests }) => interests.join("|")).join(";");
  const all = { state, plan, gender, type, language, visit, need, day: dayIn(fields), part: partIn(fields), q: person ?? q };
  const values = Object.fromEntries(Object.entries(all).filter(([, value]) => value));
  const isUnread = Object.keys(values).length === 0 && ignored.some((word) => /[^\p{Script=Latin}\P{L}]/u.test(word));
  const heard = [person, ...concepts.map(({ typed }) => typed), plan, language, state && (STATES[state] ?? clinic.states[state][0]), ...["visit", "gender", "type", "day", "part"].map((field) => values[field] && words(field, values[field]))].filter(Boolean);
  const others = { male: "female", female: "male" }[kept];
  const [before, after] = others ? (kept === "male" ? TEXTS.keptMen : TEXTS.keptWomen).split("{link}") : [];
  const sentences = [
    danger && dangerOf(danger),
    answer && answerOf(answer, clinic, contact, (value, text) => link({ ...values, ...value }, text)),
    notLeftOut.length > 0 && (others ? element("span", {}, before, link({ ...values, gender: others }, words("gender", others)), after) : fill(TEXTS.notLeftOut, { words: notLeftOut.join(", ") })),
    text.length > LONGEST && TEXTS.tooLong,
    isUnread ? fill(TEXTS.unread, { contact }) : ignored.length > 0 && fill(TEXTS.ignored, { words: ignored.join(", ") }),
    ignored.length >= MANY && heard.length > 0 && fill(TEXTS.searchedOnly, { words: heard.join(", ") }),
  ];
  return { values, sentences: sentences.filter(Boolean), refuses };
};
