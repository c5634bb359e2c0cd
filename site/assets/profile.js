// A clinician's page reads the search's state, plan and visit from its address. It shows whether the plan is taken in
// the state, and passes all three on in its links.

import { BASE, CONTEXT, carry, element, fill, fold, list } from "./dom.js";
import { STATES, PROFILE_TEXTS as TEXTS } from "./texts.js";

const main = document.getElementById("main");
const { clinician } = main.querySelector("article").dataset;
const given = new URLSearchParams(location.search);
export const context = Object.fromEntries(CONTEXT.map((name) => [name, given.get(name)?.trim() ?? ""]));
const back = main.querySelector(".eyebrow a");

/** The names of states: the page has those of its clinician, its texts those of its language, the API all that are served. */
const stateNames = new Map([...Object.entries(STATES), ...[...main.querySelectorAll("#where ~ .facts a")].map((link) => [link.pathname.split("/").at(-1).toUpperCase(), link.textContent])]);
if (context.state && !stateNames.has(context.state)) {
  const answer = await fetch("/v1/states").then((response) => response.json()).catch(() => ({}));
  for (const { code, name } of answer.states ?? []) stateNames.set(code, name);
}
export const stateName = (code) => stateNames.get(code) ?? code;

/** A link to the search for other clinicians. */
export const others = (wanted, text) => element("a", { href: `${BASE}/clinicians?${new URLSearchParams(Object.entries(wanted).filter(([, value]) => value))}` }, text);

const sayPlan = () => {
  const { state, plan } = context;
  const said = document.getElementById("your-plan");
  said.hidden = !plan;
  if (!plan) return;
  const groups = [...main.querySelectorAll("#plans ~ .facts [data-states]")];
  const takers = groups.filter((group) => [...group.querySelectorAll("li")].some((item) => fold(item.textContent.trim()) === fold(plan)));
  const places = takers.flatMap(({ dataset }) => dataset.states.split(" "));
  const isTaken = state ? places.includes(state) : places.length > 0;
  said.className = isTaken ? "open" : "closed";
  const where = list.format((state && isTaken ? [state] : places).map(stateName));
  if (isTaken) {
    said.textContent = fill(TEXTS.planTaken, { plan, states: where });
    return;
  }
  const sentence = fill(state ? TEXTS.planNotTaken : TEXTS.planTakenNowhere, { plan, state: stateName(state), name: clinician });
  said.replaceChildren(places.length > 0 ? `${sentence} ${fill(TEXTS.planElsewhere, { states: where })} ` : `${sentence} `,
    others({ state, plan }, fill(state ? TEXTS.whoTakesIn : TEXTS.whoTakes, { plan, state: stateName(state) })));
};

/** The page's address and links follow what is chosen on it. */
export const follow = (changed = {}) => {
  Object.assign(context, changed);
  const query = new URLSearchParams(Object.entries(context).filter(([, value]) => value));
  if (Object.keys(changed).length > 0) history.replaceState(null, "", query.size > 0 ? `?${query}` : location.pathname);
  sayPlan();
  carry(main, context);
};

if (CONTEXT.some((name) => context[name])) back.textContent = TEXTS.back;
follow();
