// Openings from the API: who has one, the soonest first, with one request for each stretch of days that is asked for; and
// the openings of one clinician by day and part of the day.

import { clockIn, request, zone } from "./dom.js";
import { bookableFrom } from "./phone.js";

const LIMIT = 200;
const AHEAD = 14;
export const FARTHEST = 30;
export const A_WEEK = 7;
const DAYS_IN_A_ROW = 6;
export const SUNDAY_FIRST = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/** Hours after midnight are no one's morning. */
const DAWN = "05:00";
const PARTS = { morning: [DAWN, "12:00"], afternoon: ["12:00", "17:00"], evening: ["17:00", "24:00"] };

/** The next dates by the clock that is shown, today first. */
export const nextDays = (count = AHEAD) => {
  const today = Date.parse(clockIn(zone).slice(0, 10));
  return Array.from({ length: count }, (_, at) => new Date(today + at * 86_400_000).toISOString().slice(0, 10));
};
const weekdayOf = (date) => new Date(date).getUTCDay();

/** A date or a range of dates, also beyond the days that have openings. */
export const DATES = /^\d{4}-\d\d-\d\d(?:\.\.\d{4}-\d\d-\d\d)?$/;

/** The days that a value of the field "day" means; undefined for any day. */
export const daysOf = (value) => {
  const dates = nextDays(FARTHEST);
  const today = weekdayOf(dates[0]);
  switch (value) {
    case "": return undefined;
    case "today": return dates.slice(0, 1);
    case "tomorrow": return dates.slice(1, 2);
    case "week": return dates.slice(0, A_WEEK);
    // On a Sunday, this weekend is only that day.
    case "weekend": return today === 0 ? dates.slice(0, 1) : dates.slice(6 - today, 8 - today);
    default: {
      const [first, last = first] = value.split("..");
      if (DATES.test(value)) return dates.filter((date) => date >= first && date <= last);
      const named = value.split(",");
      return dates.slice(0, AHEAD).filter((date) => named.includes(SUNDAY_FIRST[weekdayOf(date)]));
    }
  }
};

/** The hours that a value of the field "part" means, as [from, until); undefined for any or none. */
export const hoursOf = (value) => {
  if (Object.hasOwn(PARTS, value)) return PARTS[value];
  const [, from, until] = /^((?:[01]\d|2[0-3]):[0-5]\d)?-((?:[01]\d|2[0-3]):[0-5]\d|24:00)?$/.exec(value) ?? [];
  const isNever = from && until && from >= until;
  return !isNever && (from || until) ? [from ?? (until > DAWN ? DAWN : "00:00"), until ?? "24:00"] : undefined;
};

export const partOf = (hour) => (hour < DAWN ? "night" : Object.keys(PARTS).find((name) => hour < PARTS[name][1]));
/** The same as a value of the field "part". */
export const fieldOf = (part) => (Object.hasOwn(PARTS, part) ? part : `-${DAWN}`);

const { phones } = document.getElementById("finder")?.dataset ?? {};
/** Where times are booked by phone alone, those that begin before it is answered next can't be booked. */
const bookable = (asked) => {
  const from = phones && bookableFrom(JSON.parse(phones));
  if (!from) return asked;
  const least = clockIn(zone, from);
  const isLater = ({ until }) => !until || until > least.slice(0, until.length) || until === least.slice(0, 10);
  return asked.filter(isLater).map(({ from, until }) => ({ from: from > least ? from : least, ...(until ? { until } : { horizonDays: AHEAD }) }));
};

/** Stretches of days, and of hours of a day unless they are a part of the day that the API knows. */
const stretches = ({ day, part }) => {
  const hours = part && !Object.hasOwn(PARTS, part) && hoursOf(part);
  const days = daysOf(day) ?? (hours ? nextDays(A_WEEK) : undefined);
  if (!days) return [{}];
  if (hours) return days.slice(0, A_WEEK).map((date) => ({ from: `${date}T${hours[0]}`, until: hours[1] === "24:00" ? date : `${date}T${hours[1]}` }));
  const isNext = (date, last) => Math.round((Date.parse(date) - Date.parse(last)) / 86_400_000) === 1;
  const found = [];
  for (const date of days) {
    if (found.length > 0 && isNext(date, found.at(-1).until)) found.at(-1).until = date;
    else found.push({ from: date, until: date });
  }
  return found;
};

const NAMES = { state: "state", insurance: "plan", gender: "gender", providerType: "type", language: "language", appointmentType: "visit" };

/** What is asked for, as the API's parameters; it knows one gender at a time. */
export const filters = (wanted) =>
  new URLSearchParams(Object.entries(NAMES).filter(([, name]) => wanted[name] && !(name === "gender" && /[!,]/.test(wanted.gender))).map(([parameter, name]) => [parameter, wanted[name]]));

const ask = async (path, wanted, more) => {
  const query = filters(wanted);
  if (!wanted.visit) query.set("newPatients", "true");
  if (Object.hasOwn(PARTS, wanted.part)) query.set("part", wanted.part);
  for (const [name, value] of Object.entries({ timeZone: zone, limit: LIMIT, explain: "true", ...more })) query.set(name, value);
  const [answer] = await request(`${path}?${query}`);
  return answer;
};

/** The API names no more of those whose openings can't be read. */
const MOST_UNKNOWN = 200;

/** Each clinician's first opening by slug, or only one clinician's, the soonest first, and of whom none can be read; `more` are other parameters. */
export const openings = async (path, wanted, provider, more) => {
  const answers = await Promise.all(bookable(stretches(wanted)).map((stretch) => ask(path, wanted, { onePer: "provider", ...(provider && { provider }), ...stretch, ...more })));
  const first = new Map();
  const found = answers.flatMap(({ slots }) => slots);
  // The API's morning begins at midnight.
  const isNight = ({ localTime }) => wanted.part === "morning" && localTime.slice(11) < DAWN;
  const nights = new Set(found.filter(isNight).map(({ providerSlug }) => providerSlug));
  const mornings = await Promise.all([...nights].map((slug) => openings(path, { ...wanted, part: PARTS.morning.join("-") }, slug, more)));
  const slots = [...found.filter((slot) => !isNight(slot)), ...mornings.flatMap(({ first }) => [...first.values()])].sort((one, other) => one.startTime.localeCompare(other.startTime));
  for (const slot of slots) if (!first.has(slot.providerSlug)) first.set(slot.providerSlug, slot);
  const isCut = answers.some(({ truncated, unknown: slugs = [] }) => truncated || slugs.length >= MOST_UNKNOWN);
  const staleSince = answers.find(({ stale }) => stale)?.asOf;
  const unknown = new Set(answers.flatMap(({ unknown: slugs = [] }) => slugs));
  return { first, isCut, staleSince, unknown };
};

/** A clinician's openings within what is asked for: the next days that have some, each with its parts. */
export const daysWith = async (path, wanted, provider) => {
  const asked = bookable(stretches(wanted));
  const until = asked.at(-1)?.until;
  const { slots, truncated } = await ask(path, wanted, { provider, ...asked[0], ...(until && { until }) });
  const days = daysOf(wanted.day);
  const hours = hoursOf(wanted.part);
  const found = new Map();
  for (const slot of slots) {
    const [date, hour] = [slot.localTime.slice(0, 10), slot.localTime.slice(11, 16)];
    if ((days && !days.includes(date)) || (hours && (hour < hours[0] || hour >= hours[1]))) continue;
    const parts = found.get(date) ?? found.set(date, {}).get(date);
    (parts[partOf(hour)] ??= []).push(slot.startTime);
  }
  const all = [...found].map(([date, parts]) => ({ date, parts }));
  // The last day may have more than is shown if the answer was cut, or ends at the hour that it is now.
  const isPart = truncated || (!until && all.at(-1)?.date === nextDays(AHEAD + 1).at(-1));
  return all.slice(0, isPart && all.length > 1 ? Math.min(DAYS_IN_A_ROW, all.length - 1) : DAYS_IN_A_ROW);
};
