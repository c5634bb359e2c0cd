// From what was typed to the form's values, and what the page says about it. Fetched when a search first has words.

import { element, fill, list, zone } from "../dom.js";
import { STATES, TEXTS } from "../texts.js";
import { clinicOf } from "./clinic.js";
import { understand } from "./understand.js";

const DATA = "/assets/sentence.json";
const AHEAD = 30;

let data;
const fetched = async () => {
  const response = await fetch(DATA);
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
};

let clinic;
/** The clinic of an index; a large one's index has no rows, so that nobody's name is known here. */
const clinicIn = async (index) => {
  data ??= fetched();
  data.catch(() => (data = undefined));
  return (clinic ??= clinicOf(await data, index.api ? undefined : index.people));
};

const later = (date, days) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
const dayIn = ({ from, to = from && later(from, AHEAD), weekdays }) => (from ? (from === to ? from : `${from}..${to}`) : weekdays?.join(","));
const partIn = ({ part, after = "", before = "" }) => (after || before ? `${after}-${before}` : part);

const answerOf = ({ kind, state, ...answer }, { states }, contact, planLink) => {
  const place = (code) => STATES[code] ?? states[code][0];
  switch (kind) {
    case "plan": {
      const { notTaken: plan, taken } = answer;
      return fill(state ? TEXTS.notTakenIn : TEXTS.notTaken, { plan, state: state && place(state), plans: list.format(taken) });
    }
    case "state": {
      const served = answer.neighbors.map(place);
      return fill(served.length > 0 ? TEXTS.notServedBut : TEXTS.notServed, { state: place(answer.notServed), states: list.format(served) });
    }
    case "whichPlan": {
      const [before, after] = TEXTS.whichPlan.split("{plans}");
      return element("span", {}, before, ...answer.plans.flatMap((plan, at) => [at > 0 && ", ", planLink(plan)]), after);
    }
    case "language": return fill(TEXTS.goneLanguage, { value: answer.notSpoken });
    default: return fill(TEXTS.selfPay, { contact });
  }
};

const NUMBERS = { call: "911", text: "988" };
const emergency = () => {
  const link = (number) => element("a", { href: `tel:${number}` }, number);
  return element("strong", {}, ...TEXTS.emergency.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? link(NUMBERS[part]) : part)));
};

/** The values of the form's fields that a text means, and the sentences about it, an emergency first. */
export const readSentence = async (text, index, { contact, planLink }) => {
  const clinic = await clinicIn(index);
  const { fields, concepts, ignored, answer, danger } = understand(text, { now: new Date(), zone, lang: document.documentElement.lang, clinic });
  const { state, plan, gender, type, language, visit, name, q } = fields;
  const person = name && index.people.find(({ slug }) => slug === name).name;
  const need = concepts.map(({ interests }) => interests.join("|")).join(";");
  const values = { state, plan, gender, type, language, visit, need, day: dayIn(fields), part: partIn(fields), q: person ?? q };
  const sentences = [
    danger && emergency(),
    answer && answerOf(answer, clinic, contact, planLink),
    ignored.length > 0 && fill(TEXTS.ignored, { words: ignored.join(", ") }),
  ];
  return { values: Object.fromEntries(Object.entries(values).filter(([, value]) => value)), sentences: sentences.filter(Boolean) };
};
