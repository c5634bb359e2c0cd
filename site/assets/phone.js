// When the clinic's phone is answered: what a patient reads about it, and when a reminder to call may ring. The hours are
// those of the clinic's time zone, whatever the viewer's is.

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** How long a call takes: a reminder's length, and how soon after it a visit may begin. */
const CALL = 15 * MINUTE;
/** Two weeks hold each weekday twice. */
const DAYS_AHEAD = 14;

const parts = (moment, timeZone) => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" });
  return Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
};

/** The moment of a local time; `minutes` are those since midnight. Where the clock changes, the offset of the result counts. */
const moment = (timeZone, { year, month, day }, minutes) => {
  const wanted = Date.UTC(year, month - 1, day) + minutes * MINUTE;
  let at = wanted;
  for (let turn = 0; turn < 2; turn += 1) {
    const now = parts(at, timeZone);
    at += wanted - Date.UTC(now.year, now.month - 1, now.day, now.hour, now.minute, now.second);
  }
  return at;
};

/** The stretches in which the phone is answered, from now on, as [from, until] in milliseconds, and whether that is sure: on a holiday of some clinicians it isn't. */
const stretches = ({ zone, week, closed = "", unsure = "" }, now) => {
  const today = parts(now, zone);
  const all = Array.from({ length: DAYS_AHEAD }, (_, more) => {
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day) + more * DAY);
    const iso = date.toISOString().slice(0, 10);
    if (closed.includes(iso)) return [];
    const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    return week.filter(([weekday]) => weekday === date.getUTCDay()).map(([, from, until]) => [moment(zone, day, from), moment(zone, day, until), !unsure.includes(iso)]);
  });
  return all.flat().filter(([, until]) => until > now).sort(([one], [other]) => one - other);
};

/** The next hours of the phone, if they are sure; `isOpen` says whether they have begun. */
export const next = (hours, now = Date.now()) => {
  const [first] = stretches(hours, now);
  return first?.[2] && { isOpen: first[0] <= now, from: first[0], until: first[1] };
};

/** While the phone isn't answered: when a visit begins at the earliest that can be booked by it. Undefined while it is. */
export const bookableFrom = (hours, now = Date.now()) => {
  const phones = next(hours, now);
  return phones && !phones.isOpen ? phones.from + CALL : undefined;
};

/**
 * When to ring: within the phone's hours, at least five minutes from now, and over before the visit begins, so that no one
 * takes the reminder for the visit. Undefined if there is no such time.
 */
export const reminder = (hours, visit, now = Date.now()) => {
  const soon = Math.ceil((now + 5 * MINUTE) / (5 * MINUTE)) * 5 * MINUTE;
  const starts = stretches(hours, now).filter(([, , isSure]) => isSure).map(([from, until]) => [Math.max(from, soon), until]);
  const [at] = starts.find(([from, until]) => from + CALL <= until && from + CALL <= visit) ?? [];
  return at && { from: at, until: at + CALL };
};
