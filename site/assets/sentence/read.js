// From what was typed to the form's values, and what the page says about it. Fetched when a search first has words.

import { LOCALE, element, fill, list, zone } from "../dom.js";
import { STATES, TEXTS } from "../texts.js";
import { ABUSED, HELP, MAYBE, readDanger } from "./danger.js";
import { clinicOf, namesIn } from "./lexicon.js";
import { lineOf } from "./line.js";
import { understand } from "./understand.js";
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

/** A text whose names in `nodes` become elements. */
const say = (text, values, nodes) => {
  const kept = Object.fromEntries(Object.keys(nodes).map((name) => [name, `{${name}}`]));
  return element("span", {}, ...fill(text, { ...values, ...kept }).split(/\{(\w+)\}/).flatMap((part, at) => (at % 2 ? nodes[part] : part)));
};
/** How to ask people, by the phone's number and hours. */
const reach = (text, { contact, dial, hours }) => say(hours ? `${text} ${hours}.` : text, {}, { contact: dial ? element("a", { href: `tel:${dial}` }, contact) : contact });
const TO_PEOPLE = { minor: TEXTS.toAskMinor, ask: TEXTS.toAsk, booking: TEXTS.toBook, selfPay: TEXTS.selfPay };

const notServedIn = ({ notServed, notEither }, place) => {
  const names = [notServed, ...notEither].map(place);
  return fill(TEXTS.notServed, { state: isSpanish ? names.join(" ni ") : either.format(names) });
};

const answerOf = ({ kind, state, isHeading, ...answer }, { states }, clinic, linkTo, words) => {
  const links = (name, values, text = (value) => value, how = list) => {
    let at = 0;
    return how.formatToParts(values.map(text)).map(({ type, value }) => (type === "element" ? linkTo({ [name]: values[at++] }, value) : value));
  };
  const place = (code) => STATES[code] ?? states[code][0];
  switch (kind) {
    case "plan": {
      const plan = isSpanish ? answer.notTaken.join(" ni ") : either.format(answer.notTaken);
      return say(state ? TEXTS.notTakenIn : TEXTS.notTaken, { plan, state: state && place(state) }, { plans: links("plan", answer.taken) });
    }
    case "state": {
      const closest = answer.neighbors.length > 0 && say(TEXTS.closestStates, { count: answer.neighbors.length }, { states: links("state", answer.neighbors, place) });
      return isHeading ? closest : element("span", {}, `${notServedIn(answer, place)}. `, closest);
    }
    case "whichPlan": return say(TEXTS.whichPlan, {}, { plans: links("plan", answer.plans, undefined, either) });
    case "plans": return say(answer.isMyPlan ? TEXTS.yourPlan : state ? TEXTS.takenIn : TEXTS.taken, { state: state && place(state) }, { plans: links("plan", answer.taken, undefined, answer.isMyPlan ? either : list) });
    case "whichState": return element("span", {}, TEXTS.whichState, " ", ...links("state", answer.states, place, either));
    case "seesIn": return fill(TEXTS.seesIn, { name: answer.name, state: place(state), states: list.format(answer.states.map(place)) });
    case "abroad": return TEXTS.abroad;
    case "timeZone": return TEXTS.ownZone;
    case "noDate": return fill(TEXTS.noDate, { date: answer.date });
    case "past": return TEXTS.pastDay;
    case "languages": return say(answer.isQuestion ? TEXTS.whichLanguage : TEXTS.spoken, {}, { languages: links("language", answer.spoken, (name) => words("language", name), answer.isQuestion ? either : list) });
    case "language": return fill(TEXTS.goneLanguage, { value: namesIn(answer.notSpoken, LOCALE)[0] });
    default: return reach(TO_PEOPLE[kind], clinic);
  }
};

const DANGERS = { 988: TEXTS.crisis, [ABUSED]: TEXTS.abuse, [HELP]: TEXTS.emergency, [MAYBE]: TEXTS.emergency };
/** What to call: for thoughts of suicide 988 first. In Spanish, the crisis line answers to a word. */
const dangerOf = (first) => {
  const link = (href, words) => element("a", { href }, words);
  const nodes = { call911: link("tel:911", TEXTS.call911), call988: link("tel:988", TEXTS.call988), text988: link(isSpanish ? "sms:988?&body=AYUDA" : "sms:988", TEXTS.text988), hotline: link(`tel:${ABUSED}`, ABUSED) };
  const said = say(DANGERS[first] ?? TEXTS.medical, {}, nodes);
  return element("p", { className: "danger", role: "alert", tabIndex: -1 }, said);
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
  const { fields, concepts, ignored, notLeftOut, answer, profession, danger, isUrgent, refuses } = understood;
  const { state, plan, gender, type, language, visit, name, q } = fields;
  const person = name && index.people.find(({ slug }) => slug === name).name;
  // Who is named is meant, whatever she is asked for.
  const need = person ? "" : concepts.map(({ interests }) => interests.join("|")).join(";");
  const all = { state, plan, gender, type, language, visit, need, day: dayIn(fields), part: partIn(fields), q: person ?? q };
  const values = Object.fromEntries(Object.entries(all).filter(([, value]) => value));
  const alarms = danger ? [dangerOf(danger)] : read === text ? [] : alarm(text);
  if (alarms.length > 0) return { values, sentences: alarms, refuses };
  const place = (code) => STATES[code] ?? clinic.states[code][0];
  const isUnread = Object.keys(values).length === 0 && ignored.some((word) => /[^\p{Script=Latin}\P{L}]/u.test(word));
  const heard = [person, ...concepts.map(({ typed }) => typed), plan, language, state && place(state), ...["visit", "gender", "type", "day", "part"].map((field) => values[field] && words(field, values[field]))].filter(Boolean);
  // Without a wish nothing is searched, and the heading stays.
  const isHeading = answer?.kind === "state" && !state && Object.keys(values).length > 0;
  const sentences = [
    isUrgent && dangerOf(HELP),
    answer && answerOf({ ...answer, isHeading }, clinic, reached, (value, text) => link({ ...values, ...value }, text), words),
    profession && reach(fill(TEXTS.noProfession, { value: profession, contact: "{contact}" }), answer ? { ...reached, hours: "" } : reached),
    notLeftOut.length > 0 && fill(TEXTS.notLeftOut, { words: notLeftOut.join(", ") }),
    text.length > LONGEST && TEXTS.tooLong,
    isUnread ? reach(TEXTS.unread, reached) : ignored.length > 0 && fill(TEXTS.ignored, { words: ignored.join(", ") }),
    ignored.length >= MANY && heard.length > 0 && fill(TEXTS.searchedOnly, { words: heard.join(", ") }),
  ];
  const heading = isHeading ? notServedIn(answer, place) : undefined;
  return { values, sentences: sentences.filter(Boolean), refuses, heading, isAnswered: Boolean(answer ?? profession) };
};
