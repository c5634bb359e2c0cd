// The search as the query of the page's address, and back. The query has the whole search, so that a link, a reload and
// the browser's back button show the same one. A notice names each value of it that is no longer offered.

import { fill, fold, format } from "./dom.js";
import { dateOf, dayOf, nextDays } from "./openings.js";
import { TEXTS } from "./texts.js";

const FIELDS = ["q", "state", "plan", "when", "gender", "type", "language", "visit"];
const CHECKS = ["evening", "open"];
const ALL = [...FIELDS, ...CHECKS];
/** The fields that this page's form has. */
const fields = (form) => ALL.map((name) => [name, form.elements[name]]).filter(([, field]) => field);

const GONE = { plan: TEXTS.gonePlan, state: TEXTS.goneState, visit: TEXTS.goneVisit, language: TEXTS.goneLanguage, when: TEXTS.goneDay };

/** Adds the days of the next two weeks to the choice of the time. */
export const addDays = (form) => {
  const name = format({ weekday: "short", month: "short", day: "numeric" });
  const weekday = format({ weekday: "long" });
  nextDays().forEach((day, at) => {
    const option = new Option(name.format(day), dateOf(day));
    // A weekday's name means the next one.
    if (at < 7) option.dataset.day = weekday.format(day);
    form.elements.when.append(option);
  });
};

/** "today" and "tomorrow" become dates, so that the address still means the same day later. */
const dated = (value) => {
  const [today, tomorrow] = nextDays();
  return { today: dateOf(today), tomorrow: dateOf(tomorrow) }[value] ?? value;
};

/** Sets a field; false if it does not offer the value. Values and names may be written in any case. */
export const set = (field, value) => {
  if (field.type === "checkbox") field.checked = value === "yes";
  if (field.type === "checkbox" || !field.options) return field.type === "checkbox" || ((field.value = value), true);
  const wanted = field.name === "when" ? dated(value) : value;
  const options = [...field.options];
  const exact = options.find((option) => option.value === wanted) ?? options.find((option) => [option.value, option.text].some((text) => fold(text) === fold(wanted)));
  if (exact) field.value = exact.value;
  return Boolean(exact);
};

/** Fills the form from the address; returns a sentence for each value that is no longer offered. */
export const read = (form, query = new URLSearchParams(location.search)) => {
  const sentences = [];
  for (const [name, field] of fields(form)) {
    const value = query.get(name)?.trim();
    if (!value || set(field, value)) continue;
    const day = name === "when" && dayOf(value);
    sentences.push(fill(GONE[name] ?? TEXTS.goneOther, { value: day ? format({ dateStyle: "full" }).format(day) : value }));
  }
  return sentences;
};

/** What the form asks for. */
export const wantedOf = (form) => {
  const values = Object.fromEntries(ALL.map((name) => [name, ""]));
  for (const [name, field] of fields(form)) {
    values[name] = field.type === "checkbox" ? (field.checked ? "yes" : "") : field.value.trim();
  }
  return { ...values, when: dated(values.when) };
};

/** The form's values as a query, without the field that the page's path already gives. */
export const queryOf = (wanted, without) =>
  new URLSearchParams(ALL.filter((name) => wanted[name] && name !== without).map((name) => [name, wanted[name]])).toString();

/** What was chosen in a field, in words: the text of its option or of its label. */
export const wordsFor = (field) =>
  field.type === "checkbox" ? field.labels[0].textContent : field.options ? field.selectedOptions[0].text : field.value;

/** The fields that were set, each with its name. */
export const chosen = (form) => fields(form).filter(([, field]) => (field.type === "checkbox" ? field.checked : field.value.trim()));

export const clear = (field) => {
  if (field.type === "checkbox") field.checked = false;
  else field.value = "";
};
