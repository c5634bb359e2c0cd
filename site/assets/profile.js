// A clinician's page reads the search's state, plan and visit from its address, else the state from the last search in this
// tab. It answers whether the plan is taken, and passes all on in its links.

import { BASE, CONTEXT, DAY, capitalized, carry, daysTo, element, fill, fillPlan, fold, format, list } from "./dom.js";
import "./printed.js";
import { STATES, PROFILE_TEXTS as TEXTS, aboutState } from "./texts.js";

const profile = document.getElementById("profile");
const answer = document.getElementById("answer").firstElementChild;
const given = new URLSearchParams(location.search);
export const context = Object.fromEntries(CONTEXT.map((name) => [name, given.get(name)?.trim() ?? ""]));

/** The last search in this tab, as the results wrote it down. Storage may be switched off. */
const lastSearch = () => {
  try {
    return JSON.parse(sessionStorage.getItem("search")) ?? {};
  } catch {
    return {};
  }
};
const last = lastSearch();

const groups = [...document.querySelectorAll("#plans [data-states]")].map((group) => ({
  group, states: group.dataset.states.split(" "), plans: [...group.querySelectorAll(".plan")],
}));
const isLicensed = (state) => groups.some(({ states }) => states.includes(state));
// A state of an earlier search goes along only to those who are licensed there.
context.state ||= isLicensed(last.state) ? last.state : "";

/** The names of states: the page has those of its clinician, its texts those of its language, the API all that are served. */
const stateNames = new Map([...Object.entries(STATES), ...[...document.querySelectorAll("#licensed a[href*='/states/']")].map((link) => [new URL(link.href).pathname.split("/").at(-1).toUpperCase(), link.textContent])]);
const asked = context.state && !stateNames.has(context.state) ? await aboutState(context.state) : { isServed: true };
if (asked.name) stateNames.set(context.state, asked.name);
const stateName = (code) => stateNames.get(code) ?? code;

/** A link to the search for other clinicians. */
export const others = (wanted, text) => element("a", { className: "more-link", href: `${BASE}/clinicians?${new URLSearchParams(Object.entries(wanted).filter(([, value]) => value))}` }, text);

const note = document.getElementById("times-note");
/** Says that no one new is seen in a state. */
export const tellClosed = (search, { state } = search) => {
  const isServed = state !== context.state || asked.isServed;
  const text = isLicensed(state) ? TEXTS.currentOnly : isServed ? TEXTS.notLicensed : TEXTS.notServed;
  note.append(element("p", {}, `${fill(text, { state: stateName(state) })}. `, isServed && others(search, TEXTS.seeWhoDoes)));
};

const isPlan = (shown) => fold(shown.textContent) === fold(context.plan);

/** What the page says of the plan: whether it is taken, in words. */
export const planAnswer = () => {
  const { state, plan } = context;
  if (!plan) return null;
  const places = groups.filter(({ plans }) => plans.some(isPlan)).flatMap(({ states }) => states);
  const isTaken = state ? places.includes(state) : places.length > 0;
  const where = state ? stateName(state) : list.format(places.map(stateName));
  const text = isTaken ? TEXTS.takes : state ? TEXTS.takesNot : TEXTS.takesNowhere;
  return element("p", { className: isTaken ? "yes" : "no" }, fillPlan(text, { plan, state: where }));
};

/** The choice of a plan, among those of the clinician and the one that the search brought along. */
const choice = document.getElementById("plan");
const choosePlan = () => {
  const here = groups.filter(({ states }) => !context.state || states.includes(context.state)).flatMap(({ plans }) => plans);
  const names = [...new Set(here.map((plan) => plan.textContent))];
  const chosen = context.plan && (here.find(isPlan)?.textContent ?? context.plan);
  choice.replaceChildren(choice.options[0], ...[...new Set([...names, chosen])].filter(Boolean).map((name) => new Option(name)));
  choice.value = chosen;
  choice.closest(".field").hidden = choice.options.length === 1;
};
choice?.addEventListener("change", (event) => {
  // The times are the same for every plan.
  event.stopPropagation();
  follow({ plan: choice.value });
});

/** Whether the page has already said that no new patients are seen now. */
const isAway = () => answer.parentElement.classList.contains("not") || [...answer.querySelectorAll(".open")].some(({ hidden }) => hidden);
const seesNew = answer.querySelector(".open");
let nextOpening = null;

const say = () => {
  for (const plan of groups.flatMap(({ plans }) => plans)) plan.classList.toggle("chosen", Boolean(context.plan) && isPlan(plan));
  if (!seesNew || seesNew.hidden) return void choice?.closest(".field").remove();
  if (choice) choosePlan();
  // Those of the chosen state come first.
  for (const { group, states } of groups) if (states.includes(context.state)) group.parentElement.firstElementChild.after(group);
  const plan = planAnswer();
  const isRefused = plan?.className === "no";
  const { state, plan: name, visit } = context;
  const option = visit && document.querySelector(`#times-visit option[value="${CSS.escape(visit)}"]`);
  const isReserved = Boolean(option) && !("new" in option.dataset);
  const isClosed = isLicensed(state) && !profile.dataset.accepting.split(" ").includes(state);
  answer.parentElement.classList.toggle("refused", isRefused || isReserved || isClosed);
  answer.replaceChildren(...[
    ...answer.querySelectorAll(".leave"),
    plan ?? (isReserved ? element("p", {}, TEXTS.reserved) : isClosed ? element("p", {}, fill(TEXTS.currentOnly, { state: stateName(state) })) : state && nextOpening ? element("p", { className: "yes" }, fill(TEXTS.seesNew, { state: stateName(state) })) : seesNew),
    isRefused && element("p", {}, others({ state, plan: name, visit }, TEXTS.whoDoes)),
    !isRefused && nextOpening,
  ].filter(Boolean));
};

/** A moment's day and time: "tomorrow, 11:00 AM" on the screen, with its weekday and date written out on paper. */
const clock = format({ hour: "numeric", minute: "2-digit" });
const dayName = format(DAY);
const writtenOut = format({ weekday: "long", month: "long", day: "numeric" });
const relative = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
/** A time that isn't broken between its digits and "AM". */
export const whole = (time) => time.replace(/(?<=\d)\s(?=[ap])/gi, "\u00a0");
export const dayOf = (moment) => {
  const days = daysTo(moment);
  return days > 1 ? dayName.format(moment) : relative.format(days, "day");
};
export const inWords = (moment, day = dayOf(moment)) => fill(TEXTS.dayTime, { day, time: whole(clock.format(moment)) });
const bothWays = (moment) => [element("span", { className: "on-screen" }, inWords(moment)), element("span", { className: "on-paper" }, inWords(moment, writtenOut.format(moment)))];

/** Tells the next opening in the answer and in the bar; null if it isn't known, or if there is none (`isFull`). */
export const tellNext = (moment, isFull = false) => {
  const isShown = moment !== null && !isAway();
  nextOpening = isShown ? element("p", {}, `${TEXTS.nextOpening} `, element("b", {}, ...bothWays(moment))) : null;
  answer.parentElement.classList.toggle("full", isFull);
  document.getElementById("see-times").hidden = !isShown;
  if (isShown) document.getElementById("next").textContent = capitalized(inWords(moment));
  say();
};

/** The page's address and links follow what is chosen on it. */
export const follow = (changed = {}) => {
  Object.assign(context, changed);
  const query = new URLSearchParams(Object.entries(context).filter(([, value]) => value));
  if (Object.keys(changed).length > 0) history.replaceState(history.state, "", query.size > 0 ? `?${query}` : location.pathname);
  say();
  carry(document.getElementById("main"), context);
};

const back = document.getElementById("back");
// The words of the results are in their own language. A search in another state didn't lead here.
if (last.words && (!last.state || isLicensed(last.state)) && last.href?.startsWith(`${BASE}/`) && (BASE !== "" || !/^\/[a-z]{2}\//.test(last.href))) {
  back.lastElementChild.textContent = last.words;
  back.href = last.href;
  // The list's own address has what was chosen there.
  back.dataset.own = back.search;
}
follow();
// Without video visits, there is no form of times that would say it.
if (context.state && !document.getElementById("times") && !profile.dataset.accepting.split(" ").includes(context.state)) tellClosed({ state: context.state, plan: context.plan });
