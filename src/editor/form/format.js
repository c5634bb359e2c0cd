// Reads and writes content files for the form. What the form does not show stays as it is: notes, order, alignment.

import { LocalDate, parse, patch, stringify } from "./toml-patch.js";

/** The key under which the form carries the file's own text along. */
const SOURCE = "x-source";
/** The key of the form's action "Confirm". */
const CONFIRM = "x-confirm";

const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
const isEmpty = (value) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0) || (isTable(value) && Object.values(value).every(isEmpty));
const mapped = (table, change) => Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value, key)]));

/** A TOML value as JSON: dates become strings. */
const plain = (value, date = (text) => text) => {
  if (value instanceof Date) return date(value.toISOString());
  if (Array.isArray(value)) return value.map((item) => plain(item, date));
  return isTable(value) ? mapped(value, (item) => plain(item, date)) : value;
};

/** Text for comparing two values: the order of keys doesn't count, and a date isn't text. */
const compared = (value) =>
  JSON.stringify(plain(value, (text) => ({ "": text })), (_, item) => (isTable(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item));
const isSame = (a, b) => compared(a) === compared(b);

/** The item of an old list that an item of the new one was made from. */
const before = (item, at, items, old) => {
  if (!Array.isArray(old)) return undefined;
  const same = old.find((candidate) => isSame(withoutEmpty(candidate), withoutEmpty(item)));
  return same ?? (old.length === items.length ? old[at] : undefined);
};
const withoutEmpty = (value) => {
  const whole = plain(value);
  return isTable(whole) ? Object.fromEntries(Object.entries(whole).filter(([, item]) => !isEmpty(item))) : whole;
};

const below = (path, key) => (path === "" ? key : `${path}.${key}`);

/** What the form shows: if a single word may replace a list, a list of that word. */
const shown = (value, path, { words }) => {
  if (typeof value === "string" && words.includes(path)) return [value];
  if (Array.isArray(value)) return value.map((item) => shown(item, below(path, "*"), { words }));
  return isTable(value) ? mapped(value, (item, key) => shown(item, below(path, key), { words })) : value;
};

/** A license in its British spelling, which files may have. The form shows the American one. */
const BRITISH = "licence";
const american = ({ [BRITISH]: licence, ...values }) => (licence ? { ...values, license: [...(values.license ?? []), ...licence] } : values);
const withAmericanKinds = ({ license, ...values }) =>
  license ? { ...values, license: license.map((entry) => (entry.kind === BRITISH ? { ...entry, kind: "license" } : entry)) } : values;

/** The value to write: without what is empty, unless the file already has it or needs it, and with dates as dates. */
const meant = (value, old, path, keys) => {
  if (isEmpty(value)) {
    if (old !== undefined && isEmpty(old)) return old;
    return keys.lists.includes(path) ? [] : undefined;
  }
  if (Array.isArray(value)) {
    if (keys.words.includes(path) && value.includes("all")) return "all";
    const items = value.filter((item) => item !== "" && item !== null && item !== undefined);
    return items.map((item, at) => meant(item, before(item, at, items, old), below(path, "*"), keys) ?? {});
  }
  if (isTable(value)) {
    // What is empty in the file stays: a form leaves it out.
    const empty = isTable(old) ? Object.entries(old).filter(([key, item]) => isEmpty(item) && isEmpty(value[key])) : [];
    const whole = { ...value, ...Object.fromEntries(empty) };
    const items = mapped(whole, (item, key) => meant(item, old?.[key], below(path, key), keys));
    return Object.fromEntries(Object.entries(items).filter(([, item]) => item !== undefined));
  }
  if (old === BRITISH && value === "license") return old;
  const isDate = keys.dates.includes(path) && /^\d{4}-\d{2}-\d{2}$/.test(value) && old !== value;
  return isDate ? new LocalDate(value) : value;
};

/** Why nothing is saved. The form shows the cause. */
const refused = (sentence) => new Error("saving_failed", { cause: new Error(sentence) });
const OLDER = "This form is older than the content. Reload the page. If that doesn't help, the form must be built again.";

/** Refuses to lose what the form cannot show: a key it does not know, or a value that it does not offer. */
const keepsWhatIsNotShown = (old, value, fields, where) => {
  if (!isTable(old)) return;
  const known = new Map(fields.map((field) => [field.name, field]));
  for (const [key, item] of Object.entries(old)) {
    const field = known.get(key);
    const now = value?.[key];
    const label = [...where, field?.label ?? key];
    if (!field) {
      if (isEmpty(now) && !isEmpty(item)) throw refused(`Nothing was saved: "${label.join(" › ")}" would be lost. ${OLDER}`);
    } else if (field.options && Array.isArray(item)) {
      const offered = field.options.map((option) => (isTable(option) ? option.value : option));
      const lost = item.filter((entry) => !offered.includes(entry) && !(now ?? []).includes(entry));
      if (lost.length > 0) throw refused(`Nothing was saved: "${label.join(" › ")}" would lose ${lost.join(", ")}, which the form doesn't offer. ${OLDER}`);
    } else if (field.fields && isTable(item) && now !== undefined) {
      keepsWhatIsNotShown(item, now, field.fields, label);
    }
  }
};

/** The notes at the top of a file. */
const head = (text) => text.match(/^(?:[ \t]*(?:#[^\n]*)?\n)*/)[0];

/** Puts the notes behind empty lists back, which the patch loses. */
const withNotes = (source, text) => {
  const lines = text.split("\n");
  for (const [line, code] of source.matchAll(/^(.*\[\])[ \t]+#.*$/gm)) {
    const at = lines.indexOf(code);
    if (at >= 0 && at === lines.lastIndexOf(code)) lines[at] = line;
  }
  return lines.join("\n");
};

/** The file's text with the new values: patched, and rewritten if the patch differs from what was meant. */
const written = (source, values) => {
  const anew = () => stringify(values, { bracketSpacing: false });
  const ways = source === undefined ? [] : [() => withNotes(source, patch(source, values)), () => head(source) + anew()];
  for (const way of [...ways, anew]) {
    try {
      const text = way();
      if (isSame(parse(text), values)) return text;
    } catch {
      // The next way.
    }
  }
  throw refused("Nothing was saved: some text here can't be written to the file. Remove its unusual characters.");
};

/**
 * The format of one kind of file. `keys` has paths: of its `dates`, of the `lists` that are kept even if they are empty,
 * and of the `words` that may replace a list. `fields` are the form's.
 */
export const format = (keys, fields, today = () => new Date().toISOString().slice(0, 10)) => ({
  fromFile: (text) => ({ ...withAmericanKinds(american(shown(plain(parse(text)), "", keys))), [SOURCE]: text }),
  toFile: ({ [SOURCE]: source, [CONFIRM]: by, ...values }) => {
    const parsed = source === undefined ? {} : parse(source);
    const old = american(parsed);
    keepsWhatIsNotShown(shown(plain(old), "", keys), values, fields, []);
    const wanted = meant(values, old, "", keys) ?? {};
    for (const list of keys.lists) {
      if (!list.includes(".")) wanted[list] ??= [];
    }
    if (by) wanted.confirmed = { on: new LocalDate(today()), by, how: "the form" };
    if (BRITISH in parsed && !("license" in parsed) && wanted.license) {
      wanted[BRITISH] = wanted.license;
      delete wanted.license;
    }
    return written(source, wanted);
  },
});
