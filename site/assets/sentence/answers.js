// What the page says of a sentence: answers, corrections, and what was left out. Fetched for the sentences that have some.

import { aboutLeave } from "../cards.js";
import { LOCALE, capitalized, element, fill, list } from "../dom.js";
import { TEXTS } from "../answer-texts.js";
import { STATES } from "../texts.js";
import { namesIn } from "./lexicon.js";
import { isSpanish, say } from "./read.js";

const either = new Intl.ListFormat(LOCALE, { type: "disjunction" });
/** With this many words not understood, it is said which were. */
const MANY = 3;
const ZIP = /^\d{5}$/;
/** "Weekends or evenings" is read as both. */
const EITHER = / (?:or|o) (?:evening|morning|afternoon|weekend|tarde|noche|ma[nñ]ana|fin)/i;
/** What is said of a search that goes on, so that its heading may stay. */
const BESIDE = /^(which|self|sees|time|two|noD|past|ref)/;

/** How to ask people, by the phone's number and hours. */
const reach = (text, { contact, dial, hours }) => say(hours ? `${text} ${hours}.` : text, {}, { contact: dial ? element("a", { href: `tel:${dial}` }, contact) : contact });
const TO_PEOPLE = { minor: TEXTS.toAskMinor, refill: TEXTS.toRefill, booking: TEXTS.toBook };

const notServedIn = ({ notServed, notEither }, place) => {
  const names = [notServed, ...notEither].map(place);
  return fill(TEXTS.notServed, { state: isSpanish ? names.join(" ni ") : either.format(names) });
};

const answerOf = ({ kind, state, ...answer }, { people }, place, clinic, linkTo, words) => {
  const links = (name, values, text = (value) => value, how = list) => {
    let at = 0;
    return how.formatToParts(values.map(text)).map(({ type, value }) => (type === "element" ? linkTo({ [name]: values[at++] }, value) : value));
  };
  switch (kind) {
    case "plan": {
      const plan = isSpanish ? answer.notTaken.join(" ni ") : either.format(answer.notTaken);
      const told = say(state ? TEXTS.notTakenIn : TEXTS.notTaken, { plan, state: state && place(state) }, { plans: links("plan", answer.taken) });
      if (clinic.without) told.append(` ${fill(TEXTS.outOfPocket, { words: clinic.without })}`);
      return told;
    }
    case "state": {
      const closest = answer.neighbors.length > 0 && say(TEXTS.closestStates, { count: answer.neighbors.length }, { states: links("state", answer.neighbors, place) });
      return element("span", {}, `${notServedIn(answer, place)}. `, closest);
    }
    case "whichPlan": return say(TEXTS.whichPlan, {}, { plans: links(answer.field, answer.plans, undefined, either) });
    case "plans": return say(answer.isMyPlan ? TEXTS.yourPlan : state ? TEXTS.takenIn : TEXTS.taken, { state: state && place(state) }, { plans: links("plan", answer.taken, undefined, answer.isMyPlan ? either : list) });
    case "whichState": return element("span", {}, TEXTS.whichState, " ", ...links("state", answer.states, place, either));
    case "seesIn": return fill(TEXTS.seesIn, { name: answer.name, state: place(state), states: list.format(answer.states.map(place)) });
    case "abroad": return TEXTS.abroad;
    case "timeZone": return TEXTS.ownZone;
    case "twoTimes": return TEXTS.twoTimes;
    case "noDate": return fill(TEXTS.noDate, { date: answer.date });
    case "past": return TEXTS.pastDay;
    case "languages": return say(answer.isQuestion ? TEXTS.whichLanguage : TEXTS.spoken, {}, { languages: links("language", answer.spoken, (name) => words("language", name), answer.isQuestion ? either : list) });
    case "language": return say(TEXTS.goneLanguage, { value: namesIn(answer.notSpoken, LOCALE)[0] }, {});
    case "inPerson": return say(TEXTS.byVideo, {}, {});
    case "leave": if (people) {
      const away = ({ name, leaves = [] }) => leaves.flatMap((leave) => aboutLeave(leave)?.text ?? []).map((text) => `${name}: ${text}. `);
      return people.filter(({ slug }) => slug === (answer.slug ?? slug)).flatMap(away).join("") || reach(TEXTS.noLeave, clinic);
    }
    case "selfPay": {
      const costs = [clinic.without && fill(TEXTS.outOfPocket, { words: clinic.without }), clinic.cost].filter(Boolean);
      // The clinic's own words say what to ask.
      return element("span", {}, ...costs.map((text) => `${text} `), clinic.without ? reach("{contact}.", { ...clinic, contact: capitalized(clinic.contact) }) : reach(TEXTS.selfPay, clinic));
    }
    default: return reach(TO_PEOPLE[kind] ?? TEXTS.toAsk, clinic);
  }
};

/** What a misspelled word was taken for, which is never silent. */
const correctedIn = (corrected, { person, values }, words) => {
  const meant = ({ interests, names, fields = {} }) => {
    if (interests) return words("need", interests.join("|"));
    if (names) return person ?? values.q;
    return list.format(Object.keys(fields).filter((name) => name in values).map((name) => words(name, values[name])));
  };
  const all = corrected.filter(meant);
  return all.length > 0 && fill(TEXTS.corrected, { words: list.format(all.map(meant)), typed: all.map(({ typed }) => typed).join("”, “") });
};

/** The sentences about what was understood, a heading if what was asked for can't be had, and what the heading is about if it isn't a search. */
export const said = ({ concepts, ignored, notLeftOut, corrected, answer: asked, besides, profession, person, values, typed, isCut, fields }, clinic, reached, link, words) => {
  const { plan, language, state } = values;
  const place = (code) => STATES[code] ?? clinic.states[code][0];
  const isSearch = Object.keys(values).length > 0;
  const isZip = !state && ignored.some((word) => ZIP.test(word));
  // The sentence about ZIP codes asks for the state.
  const answer = isZip && asked?.kind === "whichState" ? undefined : asked;
  const unknown = ignored.filter((word) => !(isZip && ZIP.test(word)));
  const isUnread = !isSearch && ignored.some((word) => /[^\p{Script=Latin}\P{L}]/u.test(word));
  const heard = [person, ...concepts.map(({ typed }) => typed), plan, language, state && place(state), ...["visit", "gender", "type", "day", "part"].map((field) => values[field] && words(field, values[field]))].filter(Boolean);
  const tell = (answer) => answerOf(answer, clinic, place, reached, (value, text) => link({ ...values, ...value }, text), words);
  const answered = answer && tell(answer);
  const instead = profession && reach(fill(TEXTS.noProfession, { value: profession, contact: "{contact}" }), answer ? { ...reached, hours: "" } : reached);
  // What can't be had is the heading; its sentence goes on without it.
  const none = /^(plan|state|language|inPerson)$/.test(answer?.kind) ? answered : instead;
  const [begin, no] = /^(.*?\p{L}{3})\. /u.exec(none?.textContent) ?? [];
  if (no) none.firstChild.data = none.firstChild.data.slice(begin.length);
  const sentences = [
    correctedIn(corrected, { person, values }, words),
    answered, instead, ...besides.map(tell),
    notLeftOut.length > 0 && fill(TEXTS.notLeftOut, { words: notLeftOut.join(", ") }),
    isCut && TEXTS.tooLong,
    isUnread && reach(TEXTS.unread, reached),
    isZip && TEXTS.noZip,
    values.day && values.part && EITHER.test(typed) && fill(TEXTS.bothTimes, { words: list.format(["day", "part"].map((field) => words(field, values[field]))) }),
    fields.after && !values.part && TEXTS.neverTimes,
    ignored.length >= MANY && heard.length > 0 && fill(TEXTS.searchedOnly, { words: heard.join(", ") }),
  ];
  // A search goes on below what is said beside it.
  const isBeside = isSearch && (answer?.isMyPlan || answer?.isQuestion || BESIDE.test(answer?.kind));
  return { sentences: sentences.filter((said) => said?.textContent ?? said), heading: no, topic: isBeside ? undefined : answer?.kind, unknown: isUnread ? [] : unknown };
};
