// What the scripts of the search and of a clinician's page share.

/** Makes an element. Texts among the children stay texts: they never become markup. */
export const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child || child === 0));
  return made;
};

export const capitalized = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** Text without accents and capitals, for comparisons. */
export const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** A text of the table with its `{names}` filled in; `one|many` is chosen by `count`.
 * Where a value ends in a period, such as "6:30 p.m.", the sentence's own is left out. Spanish says "a la 1:05". */
export const fill = (text, values = {}) => {
  const [one, many = one] = text.split("|");
  const filled = (_, name, stop) => `${values[name]}${stop}`.replace(/\.\.$/, ".");
  return (values.count === 1 ? one : many).replace(/\{(\w+)\}(\.?)/g, filled).replace(/ las (?=1(?:\D|$))/g, " la ")
    .replace(/(?<=\b(?:in|and|or) )(?=District of)/g, "the ").replace(/(?<=\b(?:en|y) )(?=Distrito de)/g, "el ");
};

/** Of a plan that names the state itself, such as "Blue Mesa of California", the sentence ends before it. */
export const fillPlan = (text, values) => fill(values.plan.includes(values.state) ? text.replace(/ \S+ \{state\}$/, "") : text, values);

export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** The time zone in which all times are shown: the viewer's, unless a state is asked for that has another one. */
export let zone = ownZone;
/** The name of that state; "" in the viewer's own zone. */
export let place = "";
export const clockIn = (timeZone, moment = Date.now()) => new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" }).format(moment).replace(" ", "T");
/** How many midnights lie before a moment: 1 is tomorrow, also when the clocks change tonight. */
export const daysTo = (moment, timeZone = zone) => {
  const [then, today] = [moment, Date.now()].map((at) => Date.parse(clockIn(timeZone, at).slice(0, 10)));
  return (then - today) / 86_400_000;
};
/** The zone of an option's state. Clocks that differ a month later are two. */
export const zoneOf = (state) => {
  const zones = state?.dataset.zones?.split(" ") ?? [ownZone];
  const isOwn = (there) => [0, 30].map((days) => Date.now() + days * 86_400_000).every((moment) => clockIn(there, moment) === clockIn(ownZone, moment));
  return zones.some(isOwn) ? ownZone : zones[0];
};
export const useZoneOf = (state) => {
  zone = zoneOf(state);
  place = zone === ownZone ? "" : state.text;
};
/** The page's language, as it is written in the United States: "3:00 p. m." and not "15:00". */
export const LOCALE = new Intl.Locale(document.documentElement.lang, { region: "US" });
export const isSpanish = LOCALE.language === "es";
/** As people write Spanish in the United States and Mexico: "lunes 30 de nov., 11:30 a. m.". */
const spanish = (text) => text.replace(/([ap])\.m\./g, "$1.\u00a0m.").replace(/(?<=^|–\s)(\p{L}+), (?=\d)/gu, "$1 ").replace(/(?<=\d |de )(ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic)(?![\p{L}.])/gu, "$1.");
export const format = (options) => {
  const made = {};
  const there = () => made[zone] ??= new Intl.DateTimeFormat(LOCALE, { timeZone: zone, ...options });
  const written = isSpanish ? spanish : (text) => text;
  return { format: (moment) => written(there().format(moment)), formatRange: (...moments) => written(there().formatRange(...moments)), formatToParts: (moment) => there().formatToParts(moment) };
};
/** "Mon, Nov 30". */
export const DAY = { weekday: isSpanish ? "long" : "short", month: "short", day: "numeric" };
export const list = new Intl.ListFormat(LOCALE);

/** What the paths of this language's pages begin with. */
export const BASE = document.documentElement.dataset.base ?? "";

// The link to another language keeps what the address asks for, and what was typed.
for (const link of document.querySelectorAll(".top [hreflang]")) {
  for (const event of ["pointerdown", "focus", "click"]) link.addEventListener(event, () => {
    const query = new URLSearchParams(location.search);
    const { typed } = document.documentElement.dataset;
    if (typed) query.set("q", typed);
    link.search = query;
  });
}

// As in any menu, Escape closes it.
document.addEventListener("keydown", ({ key }) => {
  const menu = key === "Escape" && document.querySelector(".to-menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.firstElementChild.focus();
});

const PATIENCE = 10_000;
/** What the API answers. A static host never has an API: the error then has `isNever`. */
export const request = async (address) => {
  const response = await fetch(address, { headers: { accept: "application/json" }, cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
  const isNever = response.status < 500 && !response.headers.get("content-type")?.includes("json");
  if (isNever) throw Object.assign(new Error(response.statusText), { isNever });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return [answer, response.headers];
};

/** The parameters that pages pass on in their links. */
export const CONTEXT = ["state", "plan", "visit", "day", "part", "language"];
/** The pages whose path gives one of them. */
const PATHS = { state: "/states/", plan: "/plans/", visit: "/visit-types/" };
const ROOTS = [...Object.values(PATHS), "/providers/", "/clinicians"];
const pathOf = (url) => (url.pathname.startsWith(`${BASE}/`) ? url.pathname.slice(BASE.length) : "");

/** Adds the search to the links to other pages, so that the next page begins with it. */
export const carry = (within, context) => {
  for (const link of within.querySelectorAll("a[href^='/']")) {
    const url = new URL(link.href);
    const path = pathOf(url);
    // A filter's link says itself what it changes.
    if (!ROOTS.some((root) => path.startsWith(root)) || link.closest(".chips, .ways, .choices")) continue;
    // A link's own query is kept, also when the context changes.
    link.dataset.own ??= url.search;
    const query = new URLSearchParams(link.dataset.own);
    for (const name of CONTEXT) {
      const isSaid = query.has(name) || path.startsWith(PATHS[name]);
      if (context[name] && !isSaid) query.set(name, context[name]);
    }
    url.search = query;
    link.href = url.pathname + url.search + url.hash;
  }
};
