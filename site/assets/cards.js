// A clinician as a row of a list, like card.html, with what depends on the search: the plan, and a table of openings.

import { BASE, CONTEXT, DAY, LOCALE, capitalized, element, fill, fillPlan, format, list, place } from "./dom.js";
import { A_WEEK, FARTHEST, fieldOf, nextDays, openings } from "./openings.js";
import { kind, newIn, takesNew } from "./people.js";
import { TEXTS, generic, languageOf, said, small, zoneName } from "./texts.js";

const STATES_NAMED = 4;
const INTERESTS = 3;
/** Of one day, a part shows this many times. */
const TIMES_OF_A_DAY = 6;

const [weekday, fullDay, monthDay] = [{ weekday: "short" }, DAY, { month: "short", day: "numeric" }].map((options) => format({ ...options, timeZone: "UTC" }));
const clock = format({ hour: "numeric", minute: "2-digit" });
const PARTS = { night: TEXTS.night, morning: TEXTS.morning, afternoon: TEXTS.afternoon, evening: TEXTS.eveningRow };

/** "Tomorrow" or a weekday, and the date. */
const dayNames = (date) => {
  const [today, tomorrow] = nextDays();
  const day = Date.parse(date);
  return [{ [today]: TEXTS.today, [tomorrow]: TEXTS.tomorrow }[date] ?? weekday.format(day), monthDay.format(day), weekday.format(day)];
};

/** Whose clock the times are by. */
export const whoseClock = () => capitalized(place ? zoneName() : /^(?:GMT|UTC)/.test(generic()) ? TEXTS.deviceClock : fill(TEXTS.yourZone, { zone: generic() }));
export const soonestFirst = () => fill(TEXTS.soonest, { zone: whoseClock() });

/** An opening's day and hour: "tomorrow" or "Wed, Nov 25", and "5:00 PM"; `short` is the weekday alone in the next week. */
export const moment = ({ startTime, localTime }) => {
  const date = localTime.slice(0, 10);
  const [name] = dayNames(date);
  const isNear = [TEXTS.today, TEXTS.tomorrow].includes(name);
  const isSoon = nextDays(A_WEEK).includes(date);
  return { short: isSoon ? name : fullDay.format(Date.parse(date)), day: isNear ? name : fullDay.format(Date.parse(date)), time: clock.format(new Date(startTime)), isNear };
};

/** "Next opening: Wed, Nov 25, 5:00 PM", or that there is none in the days that the API knows, and a leave. */
export const nextOf = (slot, { leaves = [] } = {}) => {
  if (!slot) return [TEXTS.noneFar, ...leaves.map((leave) => aboutLeave(leave)?.text)].filter(Boolean).join(" ");
  const { day: name, time: hour, isNear } = moment(slot);
  const [day, time] = [isNear ? name.toLocaleLowerCase(LOCALE) : name, hour].map((words) => words.replaceAll(" ", "\u00a0"));
  return `${TEXTS.nextOpening} ${fill(TEXTS.dayTime, { day, time })}`;
};

const initials = (name) => {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...word][0] ?? "");
  // Letters of scripts that join, such as Arabic, would otherwise form a word.
  return letters.join(/^[\u0600-\u08ff]/.test(letters[0]) ? "\u200c" : "").toUpperCase();
};

/** The same tone as on the pages that the build makes. */
const tone = (slug) => [...new TextEncoder().encode(slug)].reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 0) % 6 + 1;

export const face = ({ name, portrait, slug }) => (portrait
  ? element("img", { className: "face", src: portrait, alt: "", width: 64, height: 64, loading: "lazy" })
  : element("span", { className: `face tone-${tone(slug)}`, ariaHidden: "true" }, initials(name)));

/** The address of the profile, with the search; `own` is what a single opening adds. */
export const profile = ({ href }, wanted, own = {}) => {
  const values = { ...Object.fromEntries(CONTEXT.map((name) => [name, wanted[name]])), ...own };
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value));
  return query.size > 0 ? `${BASE}${href}?${query}` : BASE + href;
};

const date = (options) => {
  const format = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", ...options });
  return (day, more = 0) => format.format(Date.parse(day) + more * 86_400_000);
};
const fullDate = date({ dateStyle: "long" });
const shortDate = date({ month: "long", day: "numeric" });

/** The sentence about a leave, and whether it has begun; undefined if it is over. `until` is the first day back. */
export const aboutLeave = ({ from, until, zone }) => {
  // Today is where the clinician is, not where the page is read.
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone ?? undefined, year: "numeric", month: "2-digit", day: "2-digit" }).format();
  if (until && until <= today) return undefined;
  if (from <= today) return { isNow: true, text: until ? fill(TEXTS.leaveUntil, { day: fullDate(until) }) : TEXTS.leave };
  const text = until ? fill(TEXTS.leaveDays, { from: shortDate(from), last: shortDate(until, -1) }) : fill(TEXTS.leaveFrom, { from: shortDate(from) });
  return { isNow: false, text };
};

export const isAway = ({ leaves = [] }) => leaves.some((leave) => aboutLeave(leave)?.isNow);

/** Leaves, and where new patients are seen, unless the clinician is on leave now. */
const status = (person, { state, visit, plan }, stateNames) => {
  const { accepting, visits, leaves = [] } = person;
  const about = leaves.map(aboutLeave).filter(Boolean);
  const said = about.map(({ text }) => element("p", { className: "no" }, text));
  if (isAway(person)) return said;
  // Without a state, the plan says where.
  const takenIn = !state && plan;
  const isOpen = takesNew(person, state, visit, takenIn);
  const codes = isOpen && state ? [state] : newIn(person, visit, takenIn);
  const states = codes.length > STATES_NAMED ? fill(TEXTS.states, { count: codes.length }) : list.format(codes.map((code) => stateNames.get(code) ?? code));
  if (!isOpen && state && !person.licensed.includes(state)) {
    const named = (code) => stateNames.get(code) ?? code;
    return [...said, element("p", { className: "no" }, fill(TEXTS.seesIn, { name: person.name, state: named(state), states: list.format(person.licensed.map(named)) }))];
  }
  const isOffer = visits?.get(visit)?.open;
  const text = isOpen ? (said.length > 0 ? (isOffer ? TEXTS.offersAround : TEXTS.openAround) : isOffer ? TEXTS.offersIn : TEXTS.openIn) : state && accepting.length > 0 ? TEXTS.currentOnly : TEXTS.closed;
  const isTaken = takenIn && isOpen && said.length === 0;
  return [...said, element("p", { className: isOpen ? "yes open" : "no" }, isTaken ? fillPlan(TEXTS.takes, { plan, state: states }) : fill(text, { states, state: stateNames.get(state) }))];
};

/** Interests as in a sentence, as the build writes them: "Menopause, bone health". */
const inASentence = (interests) => interests.slice(0, INTERESTS).flatMap((interest, at) => {
  const name = said(interest);
  const words = at === 0 ? name : small(name);
  return [at > 0 && ", ", element("span", { dir: "auto", ...languageOf(interest) }, words)];
});

/** As many columns as the clinician's next days have; the style hides those that have no room. */
const table = (person, wanted, found) => {
  const { visit = wanted.visit } = found;
  // Who asks for no hours means no hours of the night.
  const byDay = found.map(({ date, parts: { night, ...parts } }) => ({ date, parts })).filter(({ parts }) => Object.keys(parts).length > 0);
  const days = wanted.part || byDay.length === 0 ? found : byDay;
  const cell = ({ date, parts }, part) => {
    const times = parts[part];
    if (!times) return element("td");
    const link = (own, ...said) => element("a", { className: "time", href: profile(person, { ...wanted, visit }, { day: date, part: fieldOf(part), ...own }) }, ...said);
    const said = (time) => clock.format(new Date(time));
    const most = times.length > TIMES_OF_A_DAY + 1 ? TIMES_OF_A_DAY : times.length;
    const shown = times.slice(0, days.length > 1 ? 1 : most);
    const rest = times.slice(shown.length);
    const more = rest.length > 0 && element("small", {}, fill(TEXTS.also, { count: rest.length }));
    // Paper has no page behind it.
    if (more) more.dataset.paper = rest.map(said).join(", ");
    // Behind "+3 more" are all times of that part: the first is marked, and none is opened.
    const isFirst = days.length > 1 && more;
    const links = shown.map((time) => link({ [isFirst ? "time" : "start"]: time }, element("time", { dateTime: time }, said(time))));
    // One time shares its button; several have one of its own beside them.
    if (days.length > 1) links[0].append(...(more ? [element("span", { className: "unseen" }, ", "), more] : []));
    return element("td", {}, ...links, days.length === 1 && more && link({}, more));
  };
  const heads = days.map(({ date }) => {
    const [name, more, day] = dayNames(date);
    // On paper, "tomorrow" is soon another day.
    const head = element("b", {}, name);
    head.dataset.paper = day;
    return element("th", { scope: "col" }, head, element("span", {}, more));
  });
  const rows = Object.entries(PARTS).filter(([part]) => days.some(({ parts }) => parts[part]))
    .map(([part, name]) => element("tr", {}, element("th", { scope: "row" }, name), ...days.map((day) => cell(day, part))));
  return element("table", { className: "when" }, element("caption", { className: "unseen" }, fill(TEXTS.next, person)),
    element("thead", {}, element("tr", {}, element("td"), ...heads)), element("tbody", {}, ...rows));
};

/** A row: without `days`, where the clinician sees new patients; with them, a table. `level` is that of its heading. */
export const row = (person, wanted, stateNames, { days, differs, level = "h2" } = {}) => {
  const { name, interests, badges = [] } = person;
  const hasPlan = wanted.plan && wanted.state;
  const hasWhen = wanted.day || wanted.part;
  const speaks = person.languages?.includes(wanted.language) && document.querySelector(`#finder-language [value="${CSS.escape(wanted.language)}"]`);
  const visit = days?.visit && document.querySelector(`#finder-visit [value="${days.visit}"]`);
  // The profile begins with the visit whose times the row shows.
  const address = profile(person, days?.visit ? { ...wanted, visit: days.visit } : wanted);
  const more = [
    ...badges.map((issuer) => element("p", { className: "quiet small" }, `✓ ${fill(TEXTS.certifiedBy, { issuer })}`)),
    ...(days || differs ? [] : status(person, wanted, stateNames)),
    days && hasPlan && !differs && element("p", { className: "yes" }, fillPlan(TEXTS.takes, { plan: wanted.plan, state: stateNames.get(wanted.state) })),
    speaks && element("p", { className: "yes" }, fill(TEXTS.speaks, { language: LOCALE.language === "es" ? small(speaks.text) : speaks.text })),
    visit && element("p", { className: "quiet small", ...(visit.lang && { lang: visit.lang }) }, visit.text),
    differs && element("p", { className: "differs" }, differs),
    !days && !differs && !hasWhen && !wanted.state && takesNew(person) && element("p", { className: "next small" }),
  ];
  const sought = wanted.need?.split(/[;|]/) ?? [];
  const matchedFirst = interests.toSorted((one, other) => sought.includes(other) - sought.includes(one));
  const about = element("p", { className: "quiet small" }, kind(person), interests.length > 0 && " · ", ...inASentence(matchedFirst));
  const id = element("div", { className: "id" }, face(person), element("div", {},
    element(level, { className: "name", dir: "auto" }, element("a", { href: address }, name)), about, ...more));
  const all = days && element("a", { className: "more-link", href: address }, TEXTS.all, element("span", { className: "unseen" }, ` ${fill(TEXTS.with, { name })}`));
  return element("li", { className: "who" }, id, days && table(person, wanted, days), all);
};

/** The API is asked for each state. With more of them, the list does without. */
const MOST_STATES = 12;

/** In the list of everyone, before a state is chosen: when each clinician has the next opening, on the viewer's clock. True if the API answered; visits by message have none. */
export const upcoming = async (index, path, wanted, list) => {
  const lines = [...list.querySelectorAll(".next")];
  const states = [...new Set(index.people.flatMap(({ accepting }) => accepting))];
  const isFew = index.visits.get(wanted.visit)?.video !== false && states.length > 0 && states.length <= MOST_STATES;
  const found = isFew ? await Promise.all(states.map((state) => openings(path, { ...wanted, state }, undefined, { horizonDays: FARTHEST }))).catch(() => null) : null;
  for (const line of lines) {
    const who = line.closest(".who");
    const slug = who.querySelector(".name a").pathname.split("/").at(-1);
    const slots = found?.map(({ first }) => first.get(slug)).filter(Boolean) ?? [];
    const [soonest] = slots.sort((one, other) => one.startTime.localeCompare(other.startTime));
    line.textContent = found ? nextOf(soonest) : "";
    if (found && !soonest) for (const open of who.querySelectorAll(".open")) open.className = "quiet small open";
    line.hidden = !found || (!soonest && who.querySelector("[data-now]"));
  }
  return Boolean(found);
};
