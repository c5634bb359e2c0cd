// Reads a tool's result. What has not the shape of one of the six answers is shown as text; nothing of it becomes markup.

const MOST_ITEMS = 200;
const LONGEST_TEXT = 4_000;
const LONGEST_ANSWER = 20_000;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const shorten = (text, length) => (text.length > length ? `${text.slice(0, length)}…` : text);

/** Readers throw it: the answer has another shape. */
class OtherShape extends Error {}

const reader = (isRight, made = (value) => value) => (value) => {
  if (!isRight(value)) throw new OtherShape();
  return made(value);
};
const text = reader((value) => typeof value === "string", (value) => shorten(value, LONGEST_TEXT));
const count = reader((value) => Number.isSafeInteger(value) && value >= 0);
const whole = reader(Number.isSafeInteger);
const flag = reader((value) => typeof value === "boolean");
const instant = reader((value) => typeof value === "string" && !Number.isNaN(Date.parse(value)));
/** An address that a browser may open or load. */
const address = reader((value) => typeof value === "string" && /^https?:\/\/[^\s"<>\\]+$/.test(value));
const optional = (read) => (value) => (value === undefined || value === null ? null : read(value));
/** The first items of a list. `isCut` of the list says that it has more. */
const listOf = (read) => (value) => {
  if (!Array.isArray(value)) throw new OtherShape();
  return Object.assign(value.slice(0, MOST_ITEMS).map(read), { isCut: value.length > MOST_ITEMS });
};
const record = (readers) => (value) => {
  if (!isObject(value)) throw new OtherShape();
  return Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(value[name])]));
};
const byCode = (read) => (value) => {
  if (!isObject(value)) throw new OtherShape();
  return new Map(Object.entries(value).slice(0, MOST_ITEMS).map(([code, item]) => [code, read(item)]));
};

const texts = listOf(text);
const person = record({
  slug: text, displayName: text, credentials: text, providerType: text, headshotUrl: optional(address), profileUrl: address,
  clinicalInterests: texts, statesLicensed: texts, statesAcceptingPatients: texts, menopauseSocietyCertified: optional(flag),
  languages: optional(texts), leave: optional(listOf(record({ from: text, until: optional(instant) }))),
});
const profile = record({
  bio: text, acceptedInsuranceByState: byCode(texts), appointmentTypes: listOf(record({ id: whole, name: text, states: texts })),
});
const page = record({ total: count, offset: count, providers: listOf(person) });
const slots = record({
  slots: listOf(record({ startTime: instant, providerSlug: text })), nextAvailable: optional(instant), state: text,
  appointmentType: optional(whole), newPatients: optional(flag), truncated: optional(flag), next: optional(text),
  reason: optional(record({ message: text })), clinicians: optional(byCode(text)),
});
const coverage = record({ states: listOf(record({ code: text, name: text })) });
const plans = record({ state: optional(text), insurances: texts });
const visits = record({
  state: optional(text),
  appointmentTypes: listOf(record({ id: whole, name: text, description: text, modality: text, newPatientEligible: flag, states: texts })),
});

const SHAPES = {
  people: page,
  profile: (value) => ({ person: person(value), ...profile(value) }),
  times: slots,
  states: coverage,
  plans,
  visits,
};

/** Some hosts hand over the text alone, which is the same JSON. */
const parsed = (json) => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** What an assistant reads of a cut list whose body can't say it. */
const CUT = /This list is cut\.[^"]*"after": "([\w-]+)"[^.]*\. ?/;

const written = (value) => {
  try {
    return JSON.stringify(value, null, 1) ?? "";
  } catch {
    return "";
  }
};

/**
 * A tool's result as `{ kind, … }`. `kind` is one of `SHAPES`, `error` with its sentences, or `unknown` with its texts. The
 * texts after the first are notes, such as the one about times that were not confirmed for a while.
 */
const read = (result) => {
  const content = (Array.isArray(result?.content) ? result.content : []).slice(0, MOST_ITEMS);
  const all = content.filter((item) => item?.type === "text" && typeof item.text === "string").map((item) => item.text);
  const shortened = all.map((each) => shorten(each, LONGEST_ANSWER));
  if (result?.isError === true) return { kind: "error", texts: shortened };
  const body = result?.structuredContent ?? parsed(all[0]);
  const notes = shortened.slice(1).map((note) => note.replace(CUT, "").trim()).filter(Boolean);
  const next = all[1]?.match(CUT)?.[1];
  for (const [kind, shape] of Object.entries(SHAPES)) {
    try {
      return { kind, notes, ...shape(body), ...(next && { truncated: true, next }) };
    } catch (error) {
      if (!(error instanceof OtherShape)) throw error;
    }
  }
  return { kind: "unknown", texts: shortened.length > 0 ? shortened : [shorten(written(body), LONGEST_ANSWER)] };
};
