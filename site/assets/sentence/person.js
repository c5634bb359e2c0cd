// Whether one clinician takes a plan, or sees new patients. Fetched where she is named and that is asked.

import { isAway } from "../cards.js";
import { BASE, element, list } from "../dom.js";
import { STATES, TEXTS } from "../texts.js";
import { say } from "./read.js";

/** Who is on leave says that in her row. */
export const aboutPerson = (person, { plan, state }, { states: known }) => {
  const { name, href, accepting, plans } = person;
  const isHere = (code) => !state || code === state;
  const states = plan ? [...plans].filter(([code, names]) => isHere(code) && names.includes(plan)).map(([code]) => code) : accepting.filter(isHere);
  const isSo = states.length > 0;
  const text = plan ? (isSo ? TEXTS.personTakes : TEXTS.personTakesNot) : isSo ? TEXTS.personOpen : TEXTS.personClosed;
  const where = list.format((isSo ? states : [...plans.keys()].filter(isHere)).map((code) => STATES[code] ?? known[code][0]));
  return !isAway(person) && where && say(text, { plan, states: where }, { name: element("a", { href: BASE + href }, name) });
};
