// From what was typed to the form's values, and what the page says about it. Fetched when a search first has words.

import { LOCALE, capitalized, element, fill, zone } from "../dom.js";
import { TEXTS } from "../texts.js";
import { ABUSED, HARM, HELP, MAYBE, MENOPAUSE, OVERDOSED, RAPED, readDanger } from "./danger.js";
import { clinicOf } from "./lexicon.js";
import { lineOf } from "./line.js";
import { understand } from "./understand.js";
import { WEEKDAYS } from "./words.js";

const AHEAD = 30;
const LONGEST = 500;

const kept = {};
/** A file of the build, fetched once. */
const fetched = (name) => (kept[name] ??= fetch(name).then((response) => {
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}).catch((error) => {
  delete kept[name];
  throw error;
}));

let [clinic, wide] = [];
/** The clinic of an index; a large one's index has no rows, so no clinician's name is known here. */
const clinicIn = async (index) => (clinic ??= clinicOf(await fetched("/assets/sentence.json"), index.api ? undefined : index.people));

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
/** None is after 5 PM and before 3 PM. */
const partIn = ({ part, after = "", before = "" }) => (before && after >= before ? "" : after + before ? `${after}-${before}` : part);

export const isSpanish = LOCALE.language === "es";
/** A text whose names in `nodes` become elements. */
export const say = (text, values, nodes) => {
  const kept = Object.fromEntries(Object.keys(nodes).map((name) => [name, `{${name}}`]));
  return element("span", {}, ...fill(text, { ...values, ...kept }).split(/\{(\w+)\}/).flatMap((part, at) => (at % 2 ? nodes[part] : part)));
};

/** Poison Help. */
const POISON = "1-800-222-1222";
const DANGERS = { 988: TEXTS.crisis, [ABUSED]: TEXTS.abuse, [RAPED]: TEXTS.assault, [HARM]: TEXTS.harm, [MENOPAUSE]: TEXTS.afterMenopause, [HELP]: TEXTS.emergency, [MAYBE]: TEXTS.bleeding, [OVERDOSED]: TEXTS.overdose };
/** Whether someone else is meant: "my teenager says she wants to die". */
const RELATIVE = /\b(?:my|mi) (?:\p{L}+ )?(?:teen|adolesc|kid|child|son\b|daughter|hij|sister|brother|herman|m[ao]m|mother|dad|father|pap|husband|wife|espos|partner|pareja|friend|amig)/iu;
const OF_SELF = /\b(?:i|i['’]?m|i['’]?ve|quiero|yo|estoy)\b(?! (?:think|worried|scared|afraid|preoc))|\b(?:without|off) me\b|\bsin m[ií](?!\p{L})|rme\b/iu;
/** What to call: for thoughts of suicide 988 first. In Spanish, the crisis line answers to a word. What should be checked soon is for the clinic. */
const dangerOf = (first, typed, { contact, dial }) => {
  const words = { clinic: contact, call911: TEXTS.call911, call988: TEXTS.call988, text988: TEXTS.text988, hotline: first, poison: POISON };
  const to = { call911: "tel:911", call988: "tel:988", text988: isSpanish ? "sms:988?&body=AYUDA" : "sms:988", clinic: dial && `tel:${dial}` };
  const text = first === "988" && RELATIVE.test(typed) && !OF_SELF.test(typed) ? TEXTS.crisisOther : DANGERS[first] ?? TEXTS.medical;
  // In the order of the sentence, since what comes first there is to be pressed first.
  const buttons = [...text.matchAll(/\{(\w+)\}/g)].filter(([, name]) => name !== "clinic" || dial).map(([, name]) => element("a", { className: "button", href: to[name] ?? `tel:${words[name]}` }, to[name] ? capitalized(words[name]) : fill(TEXTS.callHotline, { phone: words[name] })));
  return element("div", { className: `danger ${first}`, role: "alert", tabIndex: -1 }, element("p", {}, fill(text, words)), ...buttons);
};

/** What is said first of a danger, wherever it stands in a text. */
export const alarm = (text, reached) => [readDanger(lineOf(text))].filter(Boolean).map((first) => dangerOf(first, text, reached));

/** "Is she taking new patients?" */
const OF_NEW = /\b(?:tak|accept|see|acept|atiend|recib)\p{L}*(?: (?:a|any|on|new|nuev[oa]s))* pa(?:tients|cientes)/iu;

/** The values of the form's fields that a text means, the sentences about it, whether it refuses something, and a heading if it can't be had. About a danger nothing else is said. */
export const readSentence = async (text, index, { link, words, zoneIn, ...reached }) => {
  const read = text.slice(0, LONGEST);
  const clinic = await clinicIn(index);
  const asked = { now: new Date(), zone, zoneIn, lang: document.documentElement.lang, clinic };
  let understood = understand(read, asked);
  // Fetched for the sentences that have such words.
  if (understood.needsRest) {
    const [places, ...rest] = await Promise.all([fetched("/assets/sentence-places.json"), import("./asides.js"), import("./when.js")]);
    understood = understand(read, { ...asked, clinic: wide ??= { ...clinic, ...places }, rest: Object.assign({}, ...rest) });
  }
  const { fields, concepts, notLeftOut, corrected, answer, profession, danger, isUrgent, refuses } = understood;
  const { state, plan, gender, type, language, visit, name, not, q = not && fill(TEXTS.notDay, { day: not }) } = fields;
  const who = name && index.people.find(({ slug }) => slug === name);
  const person = who?.name;
  // Who is named is meant, whatever she is asked for.
  const need = person ? "" : concepts.map(({ interests }) => interests.join("|")).join(";");
  const named = { state, plan, gender, type, language, visit, need, day: dayIn(fields), part: partIn(fields), q: person ?? q };
  const values = Object.fromEntries(Object.entries(named).filter(([, value]) => value));
  const alarms = danger ? [dangerOf(danger, text, reached)] : read === text ? [] : alarm(text, reached);
  if (alarms.length > 0) return { values, sentences: alarms, refuses };
  // That a plan is taken is answered first. If it is in one state only, that is where.
  const isYes = Boolean(values.plan && !state && !reached.state && !answer && !person);
  const { states = [] } = clinic.plans.find(({ name }) => name === plan) ?? {};
  if (isYes && states.length === 1) [values.state] = states;
  // Beside an alarm nothing else is to be read.
  const ignored = isUrgent ? [] : understood.ignored;
  const isSilent = !answer && !profession && !/ or? /i.test(read) && corrected.length + notLeftOut.length + ignored.length === 0 && read === text && (values.part || !fields.after);
  const { sentences, heading, topic, unknown } = isSilent ? {} : (await import("./answers.js")).said({ ...understood, ignored, person, values, typed: read, isCut: read !== text }, clinic, reached, link, words);
  const isAbout = who && !answer && (plan || OF_NEW.test(read));
  const all = [isUrgent && dangerOf(isUrgent, text, reached), isAbout && (await import("./person.js")).aboutPerson(who, values, clinic), ...(sentences ?? [])].filter(Boolean);
  return { values, sentences: all, unread: clinic.people ? ignored : q?.split(" "), unknown, refuses, topic, isYes, heading, isAnswered: Boolean(answer ?? profession) };
};
