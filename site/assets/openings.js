// The next open times of all clinicians who are found, with one or two requests to the API and not one for each
// clinician.
//
// One request gives the first time of each clinician (`onePer`), another the next 200 times of all, which are further
// times of those who have some soon. The API has no parameter for evenings: each of several evenings is a request of
// its own, of which a card shows the first time.

const PATIENCE = 10_000;
const DAY = 86_400_000;
const LIMIT = 200;
const FARTHEST = 30;
const EVENING = 17;
const DAYS_OF_A_WEEK = 7;
export const TIMES_ON_A_CARD = 3;

/** A moment of the viewer's calendar, some days from a day. */
const dayAt = (day, more, hour = 0) => new Date(day.getFullYear(), day.getMonth(), day.getDate() + more, hour);
export const dateOf = (day) => [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
/** The day of a date such as 2026-11-25; null if there is none. */
export const dayOf = (date) => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  const made = year && new Date(year, month - 1, day);
  return made && dateOf(made) === date ? made : null;
};

/** The stretches of time that were asked for. No `from`: from now on; no `until`: the two weeks of the API. */
export const windows = ({ when, evening }, now = new Date()) => {
  const chosen = dayOf(when);
  const days = chosen ? 1 : DAYS_OF_A_WEEK;
  const first = chosen ?? now;
  if (evening) {
    const evenings = Array.from({ length: days }, (_, at) => ({ from: dayAt(first, at, EVENING), until: dayAt(first, at + 1) }));
    return evenings.filter(({ until }) => until > now);
  }
  if (chosen) return [{ from: chosen > now ? chosen : null, until: dayAt(chosen, 1) }];
  return [{ from: null, until: when === "week" ? new Date(now.getTime() + DAYS_OF_A_WEEK * DAY) : null }];
};

const NAMES = { state: "state", insurance: "plan", gender: "gender", providerType: "type", language: "language", appointmentType: "visit" };

/** What is asked for, as the API's parameters. */
export const filters = (wanted) =>
  new URLSearchParams(Object.entries(NAMES).filter(([, name]) => wanted[name]).map(([parameter, name]) => [parameter, wanted[name]]));

/** Makes one request; returns its answer with the age that its headers give. */
const ask = async (path, wanted, { from, until }, more) => {
  const query = filters(wanted);
  if (!wanted.visit) query.set("newPatients", "true");
  if (from > new Date()) query.set("from", from.toISOString().replace(/\.\d+/, ""));
  if (until) query.set("horizonDays", Math.min(FARTHEST, Math.max(1, Math.ceil((until - Date.now()) / DAY))));
  for (const [name, value] of Object.entries({ limit: LIMIT, ...more })) query.set(name, value);
  const response = await fetch(`${path}?${query}`, { headers: { accept: "application/json" }, cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  const isStale = response.headers.get("Availability-Status") === "stale";
  const slots = answer.slots.filter(({ startTime }) => !until || new Date(startTime) < until);
  return { slots, reason: answer.reason, isCut: answer.truncated === true, staleSince: isStale && response.headers.get("Availability-As-Of") };
};

const first = { onePer: "provider", explain: "true" };

/** The next times of each clinician, by slug, those who have the earliest first; without `more`, each one's first alone. */
export const openings = async (path, wanted, more = true) => {
  const stretches = windows(wanted);
  if (stretches.length === 0) return { times: new Map(), reason: null };
  const questions = stretches.map((stretch) => ask(path, wanted, stretch, first));
  if (more && stretches.length === 1) questions.push(ask(path, wanted, stretches[0], {}));
  const answers = await Promise.all(questions);
  const times = new Map();
  // The first times decide the order, so they come first; a time that both answers have counts once.
  for (const { startTime, providerSlug } of answers.flatMap(({ slots }) => slots)) {
    const own = times.get(providerSlug) ?? times.set(providerSlug, []).get(providerSlug);
    if (own.length < TIMES_ON_A_CARD && !own.includes(startTime)) own.push(startTime);
  }
  // One answer for each stretch of time; that of an evening may be cut where another is complete.
  const firsts = answers.slice(0, stretches.length);
  const staleSince = firsts.map((answer) => answer.staleSince).find(Boolean);
  return { times, reason: firsts[0].reason, isCut: firsts.some(({ isCut }) => isCut), staleSince };
};

/** The next times of one clinician within what is asked for. */
export const timesOf = async (path, wanted, provider) => {
  const stretches = windows(wanted);
  if (stretches.length === 0) return [];
  const whole = { from: stretches[0].from, until: stretches.at(-1).until };
  const { slots } = await ask(path, wanted, whole, { provider, limit: stretches.length > 1 ? LIMIT : TIMES_ON_A_CARD });
  const isWithin = (time) => stretches.some(({ from, until }) => (!from || time >= from) && (!until || time < until));
  return slots.map(({ startTime }) => startTime).filter((time) => isWithin(new Date(time))).slice(0, TIMES_ON_A_CARD);
};

/** The next open time at all for these filters, whenever it is; undefined if there is none. */
export const earliest = async (path, wanted) => {
  const until = new Date(Date.now() + FARTHEST * DAY);
  const { slots } = await ask(path, wanted, { until }, { ...first, limit: 1 });
  return slots[0];
};

/** The days that can be chosen: the next two weeks, as the viewer's calendar has them. */
export const nextDays = (now = new Date()) => Array.from({ length: 14 }, (_, at) => dayAt(now, at));
