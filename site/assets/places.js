// What only some searches show: states or plans to choose from, and the states of each clinician on a visit's page.

import { element, fill, list as joined } from "./dom.js";
import { search } from "./people.js";
import { TEXTS } from "./texts.js";

/** Without a state no one has times, so it is chosen right here, among those where someone fits. */
export const whereTo = (index, wanted, stateField, addressOf) => {
  const fits = ({ value, hidden }) => value && !hidden && (index.api || search(index, { ...wanted, state: value }).length > 0);
  const links = [...stateField.options].filter(fits).map(({ value, text }) => element("li", {}, element("a", { href: addressOf({ ...wanted, state: value }) }, text)));
  return element("nav", { ariaLabel: TEXTS.noState }, element("ul", { className: "choices" }, ...links));
};

/** Of a visit for current patients: where each clinician gives it, instead of where new ones are seen. */
export const tellStates = (index, { visit: id }, list, stateNames) => {
  const visit = index.visits.get(id);
  for (const who of list.querySelectorAll(".who")) {
    const person = index.people.find(({ slug }) => who.querySelector(".name a").pathname.endsWith(`/${slug}`));
    const states = person?.licensed.filter((code) => visit.states.has(code)).map((code) => stateNames.get(code) ?? code);
    if (states?.length > 0) who.querySelector(".open, .closed")?.replaceWith(element("p", { className: "quiet small" }, fill(TEXTS.inStates, { states: joined.format(states) })));
  }
};

/** For a plan that isn't taken: the plans that are. */
export const plansInstead = ({ people }, wanted, planField, stateNames, addressOf) => {
  const isTaken = ({ value }) => !wanted.state || people.length === 0 || people.some(({ plans }) => plans.get(wanted.state)?.includes(value));
  const plans = [...planField.options].filter((option) => option.value && isTaken(option));
  const heading = wanted.state ? fill(TEXTS.otherPlansIn, { state: stateNames.get(wanted.state) }) : TEXTS.otherPlans;
  const links = plans.map((option) => element("li", {}, element("a", { href: addressOf({ ...wanted, plan: option.value }), dir: "auto" }, option.text)));
  return [element("h2", { className: "block" }, heading), element("ul", { className: "links far" }, ...links)];
};
