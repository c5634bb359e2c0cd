// Open times on a profile: asked for one visit in one state, shown by day in the viewer's own time zone.
// Nothing is stored, and nothing is sent but the request.

import { calendar, download, expand } from "./calendar.js";
import { LOCALE, element, fill, format, zoneName } from "./dom.js";
import { context, follow, others, stateName } from "./profile.js";
import { PROFILE_TEXTS as TEXTS, why } from "./texts.js";

const form = document.getElementById("times");
const found = document.getElementById("times-found");
const note = document.getElementById("times-note");
const dialog = document.getElementById("slot");
const DAYS_AT_FIRST = 3;
const TIMES_AT_FIRST = 6;
const PATIENCE = 10_000;
const DAY = 86_400_000;
/** How many days the API looks ahead without `horizonDays`, and at most. */
const [NEAR, FAR] = [14, 30];
const { contact } = form.dataset;
const { clinician, clinic, booking } = dialog.dataset;

const dayKey = format({ year: "numeric", month: "2-digit", day: "2-digit" });
const dayName = format({ weekday: "long", month: "long", day: "numeric" });
const weekday = format({ weekday: "long" });
const clock = format({ hour: "numeric", minute: "2-digit" });
const whole = format({ weekday: "long", year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "long" });
const utc = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", dateStyle: "full", timeStyle: "short" });

const visitOptions = () => [...form.elements.appointmentType.options].filter(({ value }) => value !== "");

/** What was asked for: the visit, and where the patient will be. */
const wanted = () => {
  const { state, appointmentType } = form.elements;
  const [visit] = appointmentType.selectedOptions;
  const codes = { appointmentType: visit.value, state: state.value };
  return { visit: visit.text, minutes: Number(visit.dataset.minutes ?? 0), isReserved: !("new" in visit.dataset), state: state.selectedOptions[0].text, codes };
};

const open = (slot, asked) => {
  const { visit, isReserved, state, codes, minutes } = asked;
  const moment = new Date(slot.startTime);
  const book = document.getElementById("slot-book");
  if (book) book.href = expand(booking, { ...slot, ...codes });
  const description = fill(TEXTS.eventAbout, { state, address: location.href, contact });
  const summary = fill(TEXTS.event, { visit, name: clinician });
  document.getElementById("slot-calendar").onclick = () =>
    download(calendar(slot, { minutes, summary, description, clinic }), `${slot.providerSlug}.ics`);
  document.getElementById("slot-title").textContent = fill(TEXTS.title, { time: clock.format(moment), day: dayName.format(moment) });
  document.getElementById("slot-local").textContent = whole.format(moment);
  document.getElementById("slot-utc").textContent = fill(TEXTS.utc, { time: utc.format(moment) });
  document.getElementById("slot-visit").textContent = visit;
  document.getElementById("slot-state").textContent = fill(TEXTS.while, { state });
  document.getElementById("slot-reserved").hidden = !isReserved;
  dialog.showModal();
};

const day = (slots, asked, isCut) => {
  const first = new Date(slots[0].startTime);
  const times = slots.map((slot) => {
    const moment = new Date(slot.startTime);
    const button = element("button", { type: "button" }, element("time", { dateTime: slot.startTime }, clock.format(moment)));
    button.addEventListener("click", () => open(slot, asked));
    return element("li", {}, button);
  });
  const list = element("ul", { className: "slots" }, ...times.slice(0, TIMES_AT_FIRST));
  const later = times.slice(TIMES_AT_FIRST);
  const section = element("section", { className: "day" }, element("h3", {}, dayName.format(first)), list);
  if (later.length > 0) {
    const text = fill(isCut ? TEXTS.moreOnAtLeast : TEXTS.moreOn, { count: later.length, day: weekday.format(first) });
    const more = element("button", { type: "button", className: "link" }, text);
    more.addEventListener("click", () => {
      list.append(...later);
      later[0].querySelector("button").focus();
      more.remove();
    });
    section.append(more);
  }
  if (isCut) {
    const last = new Date(slots.at(-1).startTime);
    section.append(element("p", { className: "quiet cut" }, fill(TEXTS.cutDay, { day: weekday.format(first), time: clock.format(last) })));
  }
  return section;
};

const action = (text, act) => {
  const button = element("button", { type: "button", className: "button plain" }, text);
  button.addEventListener("click", act);
  return element("p", { className: "actions" }, button);
};

/** Where the list ends, and how to see the times after it. */
const end = ({ slots, isCut, days }, goOn) => {
  const last = isCut ? new Date(slots.at(-1).startTime) : new Date(Date.now() + days * DAY);
  const text = fill(isCut ? TEXTS.cut : TEXTS.whole, { count: slots.length, day: dayName.format(last), time: clock.format(last), days });
  const on = isCut ? action(TEXTS.later, () => goOn(days)) : days < FAR && action(TEXTS.farther, () => goOn(FAR));
  return [element("p", { className: "quiet end" }, `${text} ${fill(TEXTS.call, { contact })}`), on];
};

const nobody = ({ reason, days }, asked, goOn) => {
  const { state, appointmentType } = asked.codes;
  const farther = days < FAR && action(TEXTS.farther, () => goOn(FAR));
  const search = { state, plan: context.plan, visit: appointmentType, when: "week" };
  // A page may be older than the answer.
  const leave = reason?.code === "PROVIDER_ON_LEAVE" && document.querySelector("header .leave:not([hidden])");
  if (leave) {
    const { until } = leave.dataset;
    const isSoon = until && Date.parse(until) < Date.now() + FAR * DAY;
    return [element("p", { className: "closed leave" }, leave.textContent), element("p", {}, others({ ...search, when: "" }, TEXTS.seeOpenings)), isSoon && farther];
  }
  return [
    element("p", {}, `${why(reason) ?? fill(TEXTS.none, { count: days })} ${fill(TEXTS.tryOther, { contact })}`),
    element("p", {}, others(search, fill(TEXTS.othersThen, { state: asked.state }))),
    farther,
  ];
};

const show = (answer, asked, goOn, seen) => {
  const { slots, isCut, staleSince } = answer;
  const what = [
    element("p", { className: "visit" }, fill(TEXTS.visitIn, asked)),
    element("p", { className: asked.isReserved ? "closed" : "quiet" }, asked.isReserved ? TEXTS.reserved : TEXTS.forAll),
  ];
  if (slots.length === 0) {
    found.replaceChildren(...what, ...nobody(answer, asked, goOn).filter(Boolean));
    return;
  }
  const days = new Map();
  for (const slot of slots) {
    const key = dayKey.format(new Date(slot.startTime));
    days.set(key, [...(days.get(key) ?? []), slot]);
  }
  const sections = [...days.values()].map((own, at) => day(own, asked, isCut && at === days.size - 1));
  const where = element("p", { className: "quiet zone" }, fill(TEXTS.zone, { zone: zoneName(new Date(slots[0].startTime)) }));
  if (staleSince) where.append(` ${fill(TEXTS.stale, { time: clock.format(new Date(staleSince)) })}`);
  const later = sections.slice(Math.max(DAYS_AT_FIRST, seen));
  found.replaceChildren(...what, where, ...sections.slice(0, sections.length - later.length));
  if (later.length > 0) {
    const more = element("button", { type: "button", className: "button plain more-days" }, fill(TEXTS.days, { count: later.length }));
    more.addEventListener("click", () => {
      more.replaceWith(...later);
      later[0].querySelector("button")?.focus();
    });
    found.append(more);
  }
  found.append(...end(answer, goOn).filter(Boolean));
  if (seen > 0) sections[seen - 1].querySelector("button")?.focus();
};

/** No visit is chosen: none in this state is for new patients, or none is held there at all. */
const explain = () => {
  const state = form.elements.state.selectedOptions[0].text;
  const isAny = visitOptions().some(({ disabled }) => !disabled);
  found.replaceChildren(element("p", {}, fill(isAny ? TEXTS.currentOnly : TEXTS.noVideo, { state, contact })));
};

const fail = (message) => found.replaceChildren(element("p", {}, fill(message, { contact })), action(TEXTS.again, () => look()));

/** Makes one request. With an earlier answer, it requests the times after that, and returns both; `from` is the first time. */
const ask = async (days, earlier, from) => {
  const query = new URLSearchParams(new FormData(form));
  query.set("explain", "true");
  const last = earlier?.slots.at(-1);
  if (days !== NEAR || from || last) query.set("horizonDays", days);
  if (from) query.set("from", from);
  if (earlier?.next) query.set("after", earlier.next);
  // A list that was not cut goes on with more days: the next time begins a second later at the earliest.
  else if (last) query.set("from", new Date(Date.parse(last.startTime) + 1000).toISOString().replace(/\.\d+/, ""));
  const url = new URL(form.getAttribute("action"), location.href);
  url.search = query;
  const response = await fetch(url, { headers: { accept: "application/json" }, cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
  const answer = await response.json();
  if (!response.ok) return null;
  const isStale = response.headers.get("Availability-Status") === "stale";
  const slots = [...(earlier?.slots ?? []), ...answer.slots];
  return { slots, days, next: answer.next, isCut: answer.truncated === true, reason: answer.reason, staleSince: isStale && response.headers.get("Availability-As-Of") };
};

let turns = 0;
async function look(days = NEAR, earlier = null) {
  const turn = ++turns;
  if (form.elements.appointmentType.value === "") {
    explain();
    return;
  }
  const asked = wanted();
  const seen = earlier ? found.querySelectorAll(".day").length : 0;
  if (!earlier) found.replaceChildren(element("p", { className: "quiet" }, TEXTS.looking));
  try {
    const answer = await ask(days, earlier);
    if (turn !== turns) return;
    if (!answer) fail(TEXTS.late);
    else {
      show(answer, asked, (further) => look(further, answer), seen);
      if (!earlier) await arrive(answer, asked);
    }
  } catch {
    if (turn === turns) fail(TEXTS.offline);
  }
}

/**
 * Opens the time that a card linked to, once. Visits have different times, because their lengths differ: without a visit in
 * the address, it may be a time of any visit for new patients, and these are tried in turn.
 */
let time = new URLSearchParams(location.search).get("time");
const untried = new Set();
const arrive = async ({ slots }, asked) => {
  if (!time) return;
  const moment = new Date(time);
  const isIt = ({ startTime }) => startTime === time;
  // It may be later than the times that were asked for.
  const later = () => (moment > new Date() ? ask(FAR, null, time).catch(() => null) : null);
  const slot = slots.find(isIt) ?? (await later())?.slots.find(isIt);
  if (!time) return;
  const [next] = untried;
  if (!slot && next) {
    choose(next);
    return;
  }
  if (slot) open(slot, asked);
  else if (!Number.isNaN(moment.getTime())) tell(fill(TEXTS.goneTime, { time: whole.format(moment) }));
  time = null;
};

const choose = (visit) => {
  untried.delete(visit);
  form.elements.appointmentType.value = visit;
  look();
};

const tell = (...parts) => note.append(element("p", {}, ...parts));

/**
 * Visits that are not held in the chosen state cannot be chosen. Where the one that was chosen is not, the first that a
 * new patient may book is; where there is none either, the viewer has to choose.
 */
const fit = () => {
  const { state, appointmentType } = form.elements;
  const visits = visitOptions();
  for (const option of visits) {
    option.hidden = option.disabled = !option.dataset.states.split(" ").includes(state.value);
  }
  const isChosen = visits.some(({ selected, disabled }) => selected && !disabled);
  if (!isChosen) appointmentType.value = visits.find(({ dataset, disabled }) => "new" in dataset && !disabled)?.value ?? "";
};

/** Begins with the search's choices, and names those that this clinician does not offer. */
const arriveWith = ({ state, plan, visit }) => {
  const { state: states, appointmentType } = form.elements;
  const option = visitOptions().find(({ value }) => value === visit);
  const isForNew = !option || "new" in option.dataset;
  const here = [...states.options].find(({ value }) => value === state);
  if (here) states.value = state;
  else if (!state && option && !option.dataset.states.split(" ").includes(states.value)) [states.value] = option.dataset.states.split(" ");
  // The states of current patients alone are in a group.
  if (state && isForNew && here?.parentElement !== states) {
    tell(`${fill(TEXTS.notHere, { name: clinician, state: stateName(state) })} `, others({ state, plan, visit }, fill(TEXTS.othersIn, { state: stateName(state) })));
  }
  if (option) appointmentType.value = visit;
  fit();
  if (visit && !option) tell(TEXTS.goneVisit);
  else if (option?.disabled) tell(fill(TEXTS.goneVisitIn, { visit: option.text, state: states.selectedOptions[0].text }));
};

form.querySelector("[type=submit]").hidden = true;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  look();
});
form.addEventListener("change", () => {
  note.replaceChildren();
  fit();
  follow({ state: form.elements.state.value, visit: form.elements.appointmentType.value });
  look();
});
arriveWith(context);
if (time && !context.visit) {
  const first = form.elements.appointmentType.value;
  for (const { value, dataset, disabled } of visitOptions()) if ("new" in dataset && !disabled && value !== first) untried.add(value);
  // If no visit has that time, the first visit is shown again.
  untried.add(first);
}
look();
