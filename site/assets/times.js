// Openings on a profile: asked for one visit in one state, shown by day and part of the day.
// Nothing is stored, and nothing is sent but the request.

import { capitalized, element, fill, format, request, useZoneOf } from "./dom.js";
import { context, follow, others, tellClosed, tellNext } from "./profile.js";
import { bookOnline, canBook, openSlot, phonesNext } from "./slot.js";
import { PROFILE_TEXTS as TEXTS, why, zoneName } from "./texts.js";

const form = document.getElementById("times");
const found = document.getElementById("times-found");
const note = document.getElementById("times-note");
const status = document.getElementById("times-said");
const [DAYS_IN_STRIP, LIMIT, DAY] = [5, 200, 86_400_000];
/** How many days the API looks ahead without `horizonDays`, and at most. */
const [NEAR, FAR] = [14, 30];
const [DAWN, NOON, EVENING] = [5, 12, 17];
const { contact } = form.dataset;
/** The window of a chosen time has one, too. */
const toCall = document.querySelector("#slot .todo [href^='tel:']")?.cloneNode(true);

const clock = format({ hour: "numeric", minute: "2-digit" });
const [weekday, monthDay, fullDay] = [{ weekday: "short" }, { month: "short", day: "numeric" }, { weekday: "long", month: "long", day: "numeric" }].map(format);
const [hourOf, numbers] = [{ hour: "numeric", hourCycle: "h23" }, { year: "numeric", month: "2-digit", day: "2-digit" }].map(format);
/** The date, as it stands in the address: 2026-11-25. */
const dateOf = (moment) => {
  const { year, month, day } = Object.fromEntries(numbers.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${year}-${month}-${day}`;
};
const hour = (moment) => Number(hourOf.formatToParts(moment).find(({ type }) => type === "hour").value);

const visitOptions = () => [...form.elements.appointmentType.options].filter(({ value }) => value !== "");
/** A visit by message has no times. */
const isTimed = ({ dataset }) => !("message" in dataset);

/** What is asked for: the visit, and where the patient will be. */
const wanted = () => {
  const { state, appointmentType } = form.elements;
  const [visit] = appointmentType.selectedOptions;
  const codes = { appointmentType: visit.value, state: state.value };
  return { visit: visit.text, length: visit.dataset.length ?? "", isReserved: !("new" in visit.dataset), state: state.selectedOptions[0].text, codes };
};

/** Makes one request. With an earlier answer, it requests the times after that, and returns both. */
const ask = async (days, earlier, from) => {
  const query = new URLSearchParams([...new FormData(form), ["limit", LIMIT], ["explain", "true"]]);
  if (days !== NEAR || from || earlier) query.set("horizonDays", days);
  if (from) query.set("from", from);
  if (earlier?.next) query.set("after", earlier.next);
  // A list that was not cut goes on with more days: the next time begins a second later at the earliest.
  else if (earlier?.slots.length > 0) query.set("from", new Date(Date.parse(earlier.slots.at(-1).startTime) + 1000).toISOString().replace(/\.\d+/, ""));
  const url = new URL(form.getAttribute("action"), location.href);
  url.search = query;
  const [answer, headers] = await request(url);
  const isStale = headers.get("Availability-Status") === "stale";
  const slots = [...(earlier?.slots ?? []), ...answer.slots.filter(canBook)];
  const end = days < FAR && dateOf(new Date((Date.parse(answer.now) || Date.now()) + days * DAY));
  return { slots, days, end, next: answer.next, reason: answer.reason, asOf: new Date(headers.get("Availability-As-Of") ?? Date.now()), isStale };
};

const action = (text, act, className = "button plain") => {
  const button = element("button", { type: "button", className }, text);
  button.addEventListener("click", act);
  return button;
};
const paragraph = (...parts) => element("p", {}, ...parts);
const show = (...parts) => {
  found.classList.remove("waiting");
  found.replaceChildren(...parts.filter(Boolean));
};
const tell = (...parts) => note.append(paragraph(...parts));

/** The days that have openings, each with its times. A day on which the list was cut, or on which it ends, isn't complete: it waits. */
const byDay = ({ slots, next, end }) => {
  const days = new Map();
  for (const slot of slots) {
    const key = dateOf(new Date(slot.startTime));
    days.set(key, [...(days.get(key) ?? []), slot]);
  }
  const all = [...days];
  const isPart = next || all.at(-1)?.[0] === end;
  return isPart && all.length > 1 ? all.slice(0, -1) : all;
};

const part = (text, slots, asked) => {
  const times = slots.map((slot) => {
    const button = action(element("time", { dateTime: slot.startTime }, clock.format(new Date(slot.startTime))), () => openSlot(slot, asked, button), "time");
    if (slot.startTime === start) {
      button.classList.add("on");
      button.setAttribute("aria-current", "time");
    }
    return element("li", {}, button);
  });
  return element("div", { className: "part" }, element("h4", {}, text), element("ul", { className: "times", role: "list" }, ...times));
};

const DAY_PARTS = { __proto__: null, night: [TEXTS.night, 0, DAWN], morning: [TEXTS.morning, DAWN, NOON], afternoon: [TEXTS.afternoon, NOON, EVENING], evening: [TEXTS.evening, EVENING, 24] };
const partsOf = (slots) => Object.values(DAY_PARTS).map(([text, from, until]) => [text, slots.filter(({ startTime }) => from <= hour(new Date(startTime)) && hour(new Date(startTime)) < until)]).filter(([, own]) => own.length > 0);
const titleOf = ([{ startTime }]) => element("h3", { className: "unseen day-title" }, capitalized(fullDay.format(new Date(startTime))));
/** A day of which nothing can be pressed. */
const onPaper = (slots) => element("section", { className: "on-paper" }, titleOf(slots), ...partsOf(slots).map(([text, own]) =>
  element("p", { className: "hours" }, element("b", {}, text), element("span", {}, ...own.map(({ startTime }) => element("span", {}, `${clock.format(new Date(startTime))} `))))));

/** The strip of days around the chosen one, and its times. */
const draw = (answer, asked, chosen) => {
  const days = byDay(answer);
  const at = Math.max(0, days.findIndex(([key]) => key === chosen));
  const first = at - (at % DAYS_IN_STRIP);
  const [key, slots] = days[at];
  const moment = new Date(slots[0].startTime);
  const strip = days.slice(first, first + DAYS_IN_STRIP).map(([other, own]) => {
    const day = new Date(own[0].startTime);
    const words = [element("b", {}, weekday.format(day)), element("span", {}, monthDay.format(day)), element("small", {}, fill(TEXTS.open, { count: own.length }))];
    const button = action("", () => turn(answer, asked, other), "day");
    button.append(...words);
    if (other === key) button.setAttribute("aria-current", "date");
    return element("li", {}, button);
  });
  const later = days[first + DAYS_IN_STRIP]?.[0];
  // Paper has the strip's other days, too.
  const besides = days.slice(first, first + DAYS_IN_STRIP).filter(([other]) => other !== key)
    .map(([, own]) => onPaper(own));
  const goOn = answer.next || answer.days < FAR ? () => look(answer.next ? answer.days : FAR, answer, key) : null;
  const zone = capitalized(zoneName(moment));
  const about = fill(TEXTS.about, { length: asked.length, zone, time: clock.format(answer.asOf) });
  show(
    element("p", { className: "on-paper" }, `${asked.state} · ${asked.visit} · ${zone}`),
    asked.isReserved && element("p", { className: "no" }, TEXTS.reserved),
    element("ul", { className: "days", role: "list", ariaLabel: TEXTS.days }, ...strip),
    titleOf(slots),
    ...partsOf(slots).map(([text, own]) => part(text, own, asked)),
    ...besides,
    element("p", { className: "turns" }, ...[
      first > 0 && action(TEXTS.earlier, () => turn(answer, asked, days[first - DAYS_IN_STRIP][0]), "more-link"),
      later ? action(TEXTS.later, () => turn(answer, asked, later), "more-link") : goOn && action(answer.next ? TEXTS.later : TEXTS.farther, goOn, "more-link"),
    ].filter(Boolean)),
    element("p", { className: "quiet small" }, about),
    answer.isStale && element("p", { className: "no" }, fill(TEXTS.stale, { time: clock.format(answer.asOf) })),
  );
  status.textContent = `${fullDay.format(moment)}: ${fill(TEXTS.open, { count: slots.length })}`;
};

/** Shows another day, and keeps the focus in the strip. */
const turn = (answer, asked, day) => {
  draw(answer, asked, day);
  follow({ day });
  found.querySelector(".day[aria-current]")?.focus();
};

/** A leave that has begun, as leave.js says it. */
const leaveNow = () => document.querySelector("#answer .leave[data-now]");
const away = (leave, search) => [element("p", { className: "no" }, leave.textContent), paragraph(others(search, TEXTS.seeOpenings))];

const nothing = ({ reason, days }, asked) => {
  const { state, appointmentType: visit } = asked.codes;
  const search = { state, plan: context.plan, visit };
  // The API may have looked that far already.
  const isAll = days >= FAR || /next 30 days\.$/.test(reason?.message);
  const farther = !isAll && paragraph(action(TEXTS.farther, () => look(FAR)));
  // A page may be older than the answer.
  const leave = reason?.code === "PROVIDER_ON_LEAVE" && leaveNow();
  if (leave) {
    const { until } = leave.dataset;
    const isSoon = until && Date.parse(until) < Date.now() + FAR * DAY;
    show(...away(leave, search), isSoon && farther);
  } else show(paragraph(why(reason) ?? (isAll ? TEXTS.noneFar : TEXTS.none)), paragraph(others(search, TEXTS.seeWho)), farther || (toCall && paragraph(toCall)));
  status.textContent = found.textContent;
};

/** The time that a list led to, which is marked once; `start` opens it, too. Without a visit in the address, it may be one of any visit for new patients. */
const given = new URLSearchParams(location.search);
let start = given.get("start") ?? given.get("time");
if (!(/^\d{4}-\d\d-\d\dT/.test(start) && Date.parse(start))) start = null;
let [isOpened, isLooked] = [false, false];
const untried = new Set();
const isIt = ({ startTime }) => startTime === start;

const ofWeek = (day) => day.toLocaleDateString("en", { weekday: "short", timeZone: "UTC" }).toLowerCase();
/** The day that is shown first: that of the chosen time, else the first of those that were searched, else the one nearest to them. */
const firstDay = ({ slots }) => {
  const asked = start ? dateOf(new Date(start)) : (given.get("day") ?? "").replace("weekend", "sat,sun");
  const [from = ""] = /^\d{4}-\d\d-\d\d/.exec(asked) ?? [];
  const isOfWeek = /^[a-z]{3}(?:,|$)/.test(asked);
  const [, since, until] = (!start && DAY_PARTS[given.get("part")]) || ["", 0, 24];
  const isMeant = (day, at) => day >= from && since <= at && at < until && (!isOfWeek || asked.includes(ofWeek(new Date(day))));
  const all = slots.map(({ startTime }) => [dateOf(new Date(startTime)), hour(new Date(startTime))]);
  return (all.find(([day, at]) => isMeant(day, at)) ?? all.find(([day]) => day >= from) ?? all.at(-1))?.[0];
};

const startInWords = () => ({ time: `${monthDay.format(new Date(start))}, ${clock.format(new Date(start))}` });

const arrive = async (answer, asked) => {
  let shown = answer;
  if (start && !shown.slots.some(isIt) && new Date(start) > new Date()) {
    // It may be later than the times that were asked for.
    const more = await ask(FAR, null, start).catch(() => null);
    if (more?.slots.some(isIt)) shown = { ...more, slots: [...answer.slots.filter(({ startTime }) => startTime < start), ...more.slots] };
  }
  const [visit] = untried;
  if (start && visit && !shown.slots.some(isIt)) {
    untried.delete(visit);
    form.elements.appointmentType.value = visit;
    look();
    return;
  }
  untried.clear();
  if (shown.slots.length === 0) nothing(shown, asked);
  else draw(shown, asked, firstDay(shown));
  if (!start) return;
  const slot = shown.slots.find(isIt);
  const mark = found.querySelector(".time.on");
  if (slot && mark) {
    mark.scrollIntoView({ block: "nearest" });
    if (!isOpened && given.has("start")) openSlot(slot, asked, mark, { isArrival: true });
    isOpened = true;
  } else tell(fill(new Date(start) < new Date() ? TEXTS.passed : TEXTS.notOpen, startInWords()), shown.slots.length > 0 && ` ${TEXTS.closest}`);
};

let turns = 0;
async function look(days = NEAR, earlier = null, day = null) {
  const mine = ++turns;
  const { state, appointmentType } = form.elements;
  useZoneOf(state.selectedOptions[0]);
  if (state.value === "" || appointmentType.value === "" || !isTimed(appointmentType.selectedOptions[0])) {
    explain();
    return;
  }
  const asked = wanted();
  isLooked = true;
  if (!earlier) {
    found.classList.add("waiting");
    found.replaceChildren(element("p", { className: "quiet" }, TEXTS.looking));
  }
  try {
    const answer = await ask(days, earlier);
    if (mine !== turns) return;
    const [first] = answer.slots;
    if (!earlier && !asked.isReserved) tellNext(first ? new Date(first.startTime) : null, !first);
    if (!earlier) await arrive(answer, asked);
    else {
      // The list goes on after the days that are shown.
      const fresh = byDay(answer).find(([key]) => key > byDay(earlier).at(-1)[0]);
      draw(answer, asked, fresh?.[0] ?? day);
      found.querySelector(".day[aria-current]")?.focus();
    }
  } catch ({ isNever }) {
    const leave = leaveNow();
    const online = !leave && bookOnline({ providerSlug: form.elements.provider.value, ...asked.codes });
    const { state, appointmentType: visit } = asked.codes;
    if (mine === turns) show(...(leave ? away(leave, { state, plan: context.plan, visit }) : [paragraph(fill(isNever ? TEXTS.never : TEXTS.late, { contact }))]),
      online ? paragraph(element("a", { className: "button", href: online }, TEXTS.bookOnline)) : !leave && toCall && paragraph(toCall), !isNever && paragraph(action(TEXTS.again, () => look(days, earlier, day))));
  }
}

/** No state or no visit is chosen: the state has no visits for new patients, or no visits at all. */
const explain = () => {
  tellNext(null);
  const { state, appointmentType: { selectedOptions: [visit] } } = form.elements;
  if (!isTimed(visit)) {
    show(!("new" in visit.dataset) && element("p", { className: "no" }, TEXTS.reserved), paragraph(fill(TEXTS.byMessage, { contact }), ` ${phonesNext()}`), toCall && paragraph(toCall));
    return;
  }
  if (state.value === "") {
    const leave = leaveNow();
    show(...(leave ? away(leave, { plan: context.plan }) : [element("p", { className: "on-screen" }, start ? fill(TEXTS.pickStateFor, startInWords()) : TEXTS.pickState)]));
    return;
  }
  const isAny = visitOptions().some((visit) => isTimed(visit) && !visit.disabled);
  show(paragraph(fill(isAny ? TEXTS.currentVisits : TEXTS.noVideo, { state: state.selectedOptions[0].text, contact })));
};

/**
 * Visits that are not held in the chosen state cannot be chosen. Where the one that was chosen is not, the first that a
 * new patient may book is; where there is none either, the viewer has to choose.
 */
const fit = () => {
  const { state, appointmentType } = form.elements;
  const visits = visitOptions();
  for (const option of visits) option.hidden = option.disabled = state.value !== "" && !option.dataset.states.split(" ").includes(state.value);
  const isChosen = visits.some(({ selected, disabled }) => selected && !disabled);
  if (!isChosen) appointmentType.value = visits.find((visit) => isTimed(visit) && "new" in visit.dataset && !visit.disabled)?.value ?? "";
};

/** Begins with the search's choices, and names those that this clinician does not offer. No state is chosen for the viewer. */
const arriveWith = ({ state, plan, visit }) => {
  const { state: states, appointmentType } = form.elements;
  const option = visitOptions().find(({ value }) => value === visit);
  const isForNew = !option || "new" in option.dataset;
  const codes = [...states.options].filter(({ value }) => value !== "");
  const here = codes.find(({ value }) => value === state) ?? (state || codes.length > 1 ? null : codes[0]);
  if (here) states.value = here.value;
  // The states of current patients alone are in a group.
  if (state && isForNew && here?.parentElement !== states) tellClosed({ state, plan, visit });
  if (option) appointmentType.value = visit;
  fit();
  if (visit && !option) tell(TEXTS.goneVisit);
  else if (option?.disabled) tell(fill(TEXTS.goneVisitIn, { visit: option.text, state: states.selectedOptions[0].text }));
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  look();
});
form.addEventListener("change", () => {
  note.replaceChildren();
  // A time that a shared address names waits for the state.
  if (isLooked) start = null;
  fit();
  follow({ state: form.elements.state.value, visit: form.elements.appointmentType.value });
  look();
});
arriveWith(context);
if (start && !context.visit) {
  const first = form.elements.appointmentType.value;
  for (const visit of visitOptions()) if (isTimed(visit) && "new" in visit.dataset && !visit.disabled && visit.value !== first) untried.add(visit.value);
  // If no visit has that time, the first visit is shown again.
  untried.add(first);
}
look();
