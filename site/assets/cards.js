// A clinician as a card of the results, like card.html, with what depends on the search: the state, the plan, the
// times.

import { BASE, CONTEXT, LOCALE, element, fill, format, list } from "./dom.js";
import { kind, takesNew } from "./people.js";
import { TEXTS, WRITTEN } from "./texts.js";

const STATES_NAMED = 4;
const INTERESTS = 3;
const PLANS = 2;

const short = format({ weekday: "short", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
const dayName = format({ weekday: "short", month: "short", day: "numeric" });
const clock = format({ hour: "numeric", minute: "2-digit" });
export const moment = (time) => short.format(new Date(time));

const initials = (name) => {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...word][0] ?? "");
  // Letters of scripts that join, such as Arabic, would otherwise form a word.
  return letters.join(/^[\u0600-\u08ff]/.test(letters[0]) ? "\u200c" : "").toUpperCase();
};

/** The same tone as on the pages that the build makes. */
const tone = (slug) => [...new TextEncoder().encode(slug)].reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 0) % 6 + 1;

/** The address of the profile, with the search's state, plan and visit. */
export const profile = ({ href }, wanted, time) => {
  const given = [...CONTEXT.map((name) => [name, wanted[name]]), ["time", time]].filter(([, value]) => value);
  return given.length > 0 ? `${BASE}${href}?${new URLSearchParams(given)}` : BASE + href;
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

/** Where new patients are taken, unless the clinician is on leave now; and what is to be said of leaves. */
const status = ({ accepting }, about, state, stateNames) => {
  const said = about.map(({ text }) => element("p", { className: "closed leave" }, text));
  if (about.some(({ isNow }) => isNow)) return said;
  const isOpen = takesNew({ accepting }, state);
  const names = (state ? [state] : accepting).map((code) => stateNames.get(code) ?? code);
  const states = names.length > STATES_NAMED ? fill(TEXTS.states, { count: names.length }) : list.format(names);
  const text = isOpen ? TEXTS.openIn : accepting.length > 0 ? TEXTS.closedIn : TEXTS.closed;
  return [element("p", { className: isOpen ? "open" : "closed" }, fill(text, { states })), ...said];
};

/** The plans that are taken, the one that was asked for first. */
const plans = (person, { state, plan }, stateNames) => {
  const places = state ? [state] : person.licensed;
  const taken = [...new Set(places.flatMap((place) => person.plans.get(place) ?? []))];
  if (taken.length === 0) return fill(state ? TEXTS.takesNoneIn : TEXTS.takesNone, { state: stateNames.get(state) });
  const ordered = [...taken.filter((name) => name === plan), ...taken.filter((name) => name !== plan)];
  const named = ordered.slice(0, PLANS);
  const count = taken.length - named.length;
  return fill(count > 0 ? TEXTS.takesMore : TEXTS.takes, { plans: count > 0 ? named.join(", ") : list.format(named), count });
};

/** `times` is a list, empty if nothing is open; "…" while it is looked up; undefined if it is not known. */
const next = (person, wanted, times) => {
  if (times === undefined) return null;
  if (times === "…") return element("p", { className: "next quiet" }, TEXTS.looking);
  if (times.length === 0) return element("p", { className: "next quiet" }, TEXTS.nothing);
  let last;
  const links = times.map((time) => {
    const day = dayName.format(new Date(time));
    const isNew = day !== last;
    last = day;
    // A screen reader reads the day in each link, although it is shown once for several.
    const link = element("a", { href: profile(person, wanted, time) }, !isNew && element("span", { className: "unseen" }, `${day}, `),
      element("time", { dateTime: time }, clock.format(new Date(time))));
    return element("li", {}, isNew && element("span", { className: "day-name" }, `${day} `), link);
  });
  return element("ul", { className: "next", role: "list", ariaLabel: fill(TEXTS.next, person) }, ...links);
};

/** Times stand above the other details, because most people look for them. */
export const card = (person, wanted, stateNames, times) => {
  const { name, credentials, portrait, slug, interests, badges = [] } = person;
  const picture = portrait
    ? element("img", { className: "portrait", src: portrait, alt: "", width: 64, height: 64, loading: "lazy" })
    : element("span", { className: `portrait tone-${tone(slug)}`, ariaHidden: "true" }, initials(name));
  const details = [
    interests.length > 0 && element("p", { className: "quiet", dir: "auto", ...WRITTEN }, interests.slice(0, INTERESTS).join(" · ")),
    // A clinician who was found by a plan in a state takes it there, even if no other plan is known.
    (person.plans || (wanted.plan && wanted.state)) && element("p", { className: "quiet" }, person.plans ? plans(person, wanted, stateNames) : fill(TEXTS.takes, { plans: wanted.plan })),
  ];
  const about = (person.leaves ?? []).map(aboutLeave).filter(Boolean);
  const isAway = about.some(({ isNow }) => isNow) && times?.length === 0;
  const open = !isAway && next(person, wanted, times);
  return element("li", { className: "person" }, picture, element("div", {},
    element("h3", { dir: "auto" }, element("a", { href: profile(person, wanted) }, name)),
    element("p", { className: "quiet" }, element("bdi", {}, credentials), " · ", kind(person)),
    ...badges.map((issuer) => element("p", { className: "quiet" }, `✓ ${fill(TEXTS.certifiedBy, { issuer })}`)),
    ...status(person, about, wanted.state, stateNames),
    ...(open ? [] : details)),
  open, open && element("div", { className: "details" }, ...details));
};
