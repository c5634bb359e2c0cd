// The search as the query of the page's address, and back. The query has the whole search, so that a link, a reload and
// the browser's back button show the same one. A notice names each value of it that is no longer offered.

import { DAY, LOCALE, fill, fold, format, isSpanish, list } from "./dom.js";
import { A_WEEK, DATES, SUNDAY_FIRST, daysOf, hoursOf, nextDays } from "./openings.js";
import { SPECIALTIES } from "./people.js";
import { TEXTS, aboutState, said, small } from "./texts.js";

const ALL = ["q", "state", "plan", "day", "part", "gender", "type", "language", "visit", "need"];
const fields = (form) => ALL.map((name) => [name, form.elements[name]]);

const GONE = { plan: TEXTS.gonePlan, state: TEXTS.goneState, visit: TEXTS.goneVisit, language: TEXTS.goneLanguage, day: TEXTS.goneDay };

/** Spanish writes weekdays small. */
const timeZone = "UTC";
const shortDay = format({ ...DAY, timeZone });
const monthDay = format({ month: "short", day: "numeric", timeZone });
const weekday = format({ weekday: "long", timeZone });
const dayAndYear = format({ ...DAY, year: "numeric", timeZone });
const clock = format({ hour: "numeric", minute: "2-digit", timeZone });
const at = (hour) => new Date(`2026-01-01T${hour}Z`);

/** A day or an hour that the form does not list, in words. */
const dayWords = (value, field) => {
  if (/^\d/.test(value)) {
    const [first, last = first] = value.split("..");
    const days = [first, last].map(Date.parse);
    return first === last ? shortDay.format(days[0]) : monthDay.formatRange(...days);
  }
  const days = value.split(",");
  const nameOf = (day, isWithin) => {
    const name = [...field.options].find((option) => option.value === day)?.text;
    return isWithin && isSpanish ? name?.toLocaleLowerCase(LOCALE) : name;
  };
  const others = SUNDAY_FIRST.filter((day) => !days.includes(day));
  if (others.length === 1) return fill(TEXTS.notDay, { day: nameOf(others[0], true) });
  if (others.length === 2) return fill(TEXTS.notDays, { day: nameOf(others[0], true), other: nameOf(others[1], true) });
  return list.format(days.map((day, at) => nameOf(day, at > 0)));
};
const partWords = (value) => {
  const [from, until] = value.split("-");
  if (from && until) return clock.formatRange(at(from), at(until)).replace(/\s–\s/, "–");
  return from === "12:00" ? TEXTS.fromNoon : from ? fill(TEXTS.after, { time: clock.format(at(from)) }) : fill(TEXTS.before, { time: clock.format(at(until)) });
};
const either = new Intl.ListFormat(LOCALE, { type: "disjunction" });
/** Several genders: "Women or nonbinary". */
const genderWords = (value, field) => PLURAL[value] ?? either.format(value.split(",").map((one, at) => {
  const words = PLURAL[one] ?? [...field.options].find((option) => option.value === one)?.text;
  return at > 0 ? words?.toLocaleLowerCase(LOCALE) : words;
}));
const isGender = (value, field) => ["!male", "!female"].includes(value) || value.split(",").every((one) => [...field.options].some((option) => option.value === one));
const isDay = (value) => daysOf(value)?.length > 0 && (/^\d/.test(value) || value.split(",").every((day) => SUNDAY_FIRST.includes(day)));

/** Sets a field; false if it does not offer the value. Values and names may be written in any case. */
export const set = (field, value) => {
  if (!field.options) {
    field.value = value;
    return true;
  }
  const options = [...field.options];
  const exact = options.find((option) => option.value === value) ?? options.find((option) => [option.value, option.text].some((text) => fold(text) === fold(value)));
  if (exact) field.value = exact.value;
  else if (field.name === "day" && isDay(value)) field.add(new Option(dayWords(value, field), value, false, true));
  else if (field.name === "part" && hoursOf(value)) field.add(new Option(partWords(value), value, false, true));
  else if (field.name === "gender" && isGender(value, field)) field.add(new Option(genderWords(value, field), value, false, true));
  else return false;
  return true;
};

/** Fills the form from the address; returns the values that are no longer offered. */
export const read = async (form, query = new URLSearchParams(location.search)) => {
  // Addresses of earlier versions.
  if (query.get("when")) query.set("day", query.get("when"));
  if (query.get("evening")) query.set("part", "evening");
  const gone = fields(form).map(([name, field]) => [name, field, query.get(name)?.trim()]).filter(([, field, value]) => value && !set(field, value));
  return Promise.all(gone.map(async ([name, , value]) => {
    const days = name === "day" ? value.split("..") : [];
    // February 30 would be a day of March.
    const isDate = days.length > 0 && days.every((day) => new Date(day).toJSON()?.startsWith(day));
    const text = name === "day" && !isDate ? TEXTS.goneOther : GONE[name] ?? TEXTS.goneOther;
    return { name, value, text: fill(text, { value: isDate ? dayAndYear.formatRange(Date.parse(days[0]), Date.parse(days.at(-1))) : name === "state" ? (await aboutState(value)).name : value }) };
  }));
};

/** What the form asks for. */
export const wantedOf = (form) => Object.fromEntries(fields(form).map(([name, field]) => [name, field.value.trim()]));

/** The fields that were set, each with its name. */
export const chosen = (form) => fields(form).filter(([, field]) => field.value.trim());

/** The values as a query, without the field that the page's path already gives. */
export const queryOf = (wanted, without) =>
  new URLSearchParams(ALL.filter((name) => wanted[name] && name !== without).map((name) => [name, wanted[name]])).toString();

const PLURAL = { __proto__: null, "!male": TEXTS.noMen, "!female": TEXTS.noWomen, morning: TEXTS.mornings, afternoon: TEXTS.afternoons, evening: TEXTS.evenings, female: TEXTS.women, male: TEXTS.men, "sat,sun": TEXTS.weekends };

/** Concerns, of each the interests that may meet it: "Sleep;Women's health|Menopause". */
export const needWords = (value) => list.format(value.split(";").map((names, at) => {
  const all = names.split("|");
  const concerns = all.filter((name) => !SPECIALTIES.has(name));
  return either.format((concerns.length > 0 ? concerns : all).map((name, other) => (at + other > 0 ? small : String)(said(name))));
}));

/** A value of a field in the words of a chip. */
export const wordsFor = (field, value = field.value) =>
  (field.name === "type" ? TEXTS[value + { female: "Female", male: "Male" }[field.form.elements.gender.value]] : undefined) ?? PLURAL[value] ?? (field.name === "need" ? needWords(value) : undefined) ?? (field.options ? [...field.options].find((option) => option.value === value)?.text : undefined) ?? (field.name === "day" && (DATES.test(value) || isDay(value)) ? dayWords(value, field) : field.name === "part" && hoursOf(value) ? partWords(value) : said(value));

/** The same within a sentence. Names of plans, languages and weekdays are written as they are. */
export const midSentence = (field, value = field.value) => {
  const words = wordsFor(field, value);
  const isDayName = field.name === "day" && /\d/.test(value) || !isSpanish && SUNDAY_FIRST.includes(value.slice(0, 3)) && value !== "sat,sun" && !ALL_WEEKDAYS.test(value);
  const isName = ["q", "plan"].includes(field.name) || field.name === "language" && !isSpanish || isDayName;
  return isName ? words : field.name === "need" ? small(words) : words.charAt(0).toLocaleLowerCase(LOCALE) + words.slice(1);
};

const ALL_WEEKDAYS = /^mon.{13}fri$/;
const SOME_DAYS = /^(?:\w{3},?){1,3}$/;
/** Longer lists of days leave one or two out, which the form says. */
const LEFT_OUT = "sat,sun".length;
const isRange = ({ value }) => value.includes("..");
/** The day within a sentence; `at` is its place in the next week. */
const onDay = (day, at) => {
  const words = midSentence(day);
  if (at > 1) return fill(TEXTS.onDay, { day: weekday.format(Date.parse(nextDays(A_WEEK)[at])) });
  if (at >= 0) return [TEXTS.today, TEXTS.tomorrow][at].toLocaleLowerCase(LOCALE);
  if (isRange(day)) {
    const dates = day.value.split("..");
    if (dates.join() === nextDays(A_WEEK).filter((date) => [0, 6].includes(new Date(date).getUTCDay())).join()) return TEXTS.thisWeekend;
    const [first, last] = dates.map((date) => monthDay.format(Date.parse(date)));
    // Spanish names the month once: "del 5 al 6 de dic."
    const [month] = (isSpanish && / de \p{L}+\.?$/u.exec(last)) || [""];
    return fill(TEXTS.between, { first: month && first.endsWith(month) ? first.slice(0, -month.length) : first, last });
  }
  const text = /^\d/.test(day.value) ? TEXTS.onDay : day.value === "week" ? TEXTS.inDays : SOME_DAYS.test(day.value) || ALL_WEEKDAYS.test(day.value) ? TEXTS.onDays : day.value.length > LEFT_OUT ? "" : "{day}";
  return fill(text, { day: words });
};
/** A day, a time of day or both within a sentence: "on Tuesday evening"; "" for neither. */
export const whenWords = (day, part) => {
  const named = { morning: TEXTS.morning, afternoon: TEXTS.afternoon, evening: TEXTS.evening }[part?.value]?.toLocaleLowerCase(LOCALE);
  const hours = part?.value ? midSentence(part) : "";
  const [from, until] = hours.split("–");
  const during = named ? fill(TEXTS.inPart, { part: named }) : until ? fill(TEXTS.fromTo, { from, until }) : hours;
  if (!day?.value) return during;
  const at = { today: 0, tomorrow: 1 }[day.value] ?? nextDays(A_WEEK).indexOf(day.value);
  const on = onDay(day, at);
  if (named && at >= 0) return fill(at === 0 ? TEXTS.todayAt : TEXTS.dayAt, { day: on, part: named });
  return [on, during].filter(Boolean).join(named && !isRange(day) ? " " : ", ");
};
