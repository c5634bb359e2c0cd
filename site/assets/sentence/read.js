// From what was typed to the form's values, and what the page says about it. Fetched when a search first has words.

import { LOCALE, capitalized, element, fill, zone } from "../dom.js";
import { TEXTS } from "../texts.js";
import { ABUSED, HARM, HELP, MAYBE, MENOPAUSE, OVERDOSED, RAPED, readDanger } from "./danger.js";
import { clinicOf } from "./lexicon.js";
import { lineOf } from "./line.js";
import { understand } from "./understand.js";
import { WEEKDAYS } from "./words.js";

const DATA = "/assets/sentence.json";
const AHEAD = 30;
const LONGEST = 500;

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

export const isSpanish = LOCALE.language === "es";
/** A text whose names in `nodes` become elements. */
export const say = (text, values, nodes) => {
  const kept = Object.fromEntries(Object.keys(nodes).map((name) => [name, `{${name}}`]));
  return element("span", {}, ...fill(text, { ...values, ...kept }).split(/\{(\w+)\}/).flatMap((part, at) => (at % 2 ? nodes[part] : part)));
};

/** Poison Help. */
const POISON = "1-800-222-1222";
const DANGERS = { 988: TEXTS.crisis, [ABUSED]: TEXTS.abuse, [RAPED]: TEXTS.assault, [HARM]: TEXTS.harm, [MENOPAUSE]: TEXTS.afterMenopause, [HELP]: TEXTS.emergency, [MAYBE]: TEXTS.bleeding, [OVERDOSED]: TEXTS.overdose };
/** What to call: for thoughts of suicide 988 first. In Spanish, the crisis line answers to a word. */
const dangerOf = (first) => {
  const words = { call911: TEXTS.call911, call988: TEXTS.call988, text988: TEXTS.text988, hotline: first, poison: POISON };
  const to = { call911: "tel:911", call988: "tel:988", text988: isSpanish ? "sms:988?&body=AYUDA" : "sms:988" };
  const text = DANGERS[first] ?? TEXTS.medical;
  // In the order of the sentence, since what comes first there is to be pressed first.
  const buttons = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => element("a", { className: "button", href: to[name] ?? `tel:${words[name]}` }, to[name] ? capitalized(words[name]) : fill(TEXTS.call, { phone: words[name] })));
  return element("div", { className: "danger", role: "alert", tabIndex: -1 }, element("p", {}, fill(text, words)), ...buttons);
};

/** What is said first of a danger, wherever it stands in a text. */
export const alarm = (text) => [readDanger(lineOf(text))].filter(Boolean).map(dangerOf);

/** The values of the form's fields that a text means, the sentences about it, whether it refuses something, and a heading if it can't be had. About a danger nothing else is said. */
export const readSentence = async (text, index, { link, words, zoneIn, ...reached }) => {
  const read = text.slice(0, LONGEST);
  const clinic = await clinicIn(index);
  const asked = { now: new Date(), zone, zoneIn, lang: document.documentElement.lang, clinic };
  let understood = understand(read, asked);
  // Fetched for the sentences that have such words.
  if (understood.needsRest) understood = understand(read, { ...asked, rest: Object.assign({}, ...(await Promise.all([import("./asides.js"), import("./when.js")]))) });
  const { fields, concepts, notLeftOut, corrected, answer, profession, danger, isUrgent, refuses } = understood;
  const { state, plan, gender, type, language, visit, name, not, q = not && fill(TEXTS.notDay, { day: not }) } = fields;
  const person = name && index.people.find(({ slug }) => slug === name).name;
  // Who is named is meant, whatever she is asked for.
  const need = person ? "" : concepts.map(({ interests }) => interests.join("|")).join(";");
  const named = { state, plan, gender, type, language, visit, need, day: dayIn(fields), part: partIn(fields), q: person ?? q };
  const values = Object.fromEntries(Object.entries(named).filter(([, value]) => value));
  const alarms = danger ? [dangerOf(danger)] : read === text ? [] : alarm(text);
  if (alarms.length > 0) return { values, sentences: alarms, refuses };
  // A plan that is taken in one state asks for it.
  const { states = [] } = clinic.plans.find(({ name }) => name === plan) ?? {};
  const asks = answer ?? (plan && !state && !reached.state && states.length === 1 && { kind: "whichState", states });
  // Beside an alarm nothing else is to be read.
  const ignored = isUrgent ? [] : understood.ignored;
  const isSilent = !asks && !profession && corrected.length + notLeftOut.length + ignored.length === 0 && read === text;
  const { sentences, heading } = isSilent ? {} : (await import("./answers.js")).said({ ...understood, ignored, answer: asks, person, values, isCut: read !== text }, clinic, reached, link, words);
  const all = [isUrgent && dangerOf(isUrgent), ...(sentences ?? [])].filter(Boolean);
  return { values, sentences: all, unread: clinic.people ? ignored : q?.split(" "), refuses, heading, isAnswered: Boolean(answer ?? profession) };
};
