// Which day "today" and "tomorrow" are, around midnight and where the clocks change: `node tests/days.mjs` prints `N of M`.

globalThis.document = { documentElement: { lang: "en", dataset: {} }, querySelectorAll: () => [], getElementById: () => null, addEventListener: () => {} };
const { daysTo } = await import("../site/assets/dom.js");

const cases = [
  // Clocks go forward on March 14, 2027, so that day has 23 hours; and back on November 7, which has 25.
  ["2027-03-13T23:30:00-08:00", "2027-03-14T09:00:00-07:00", "America/Los_Angeles", 1],
  ["2027-03-13T23:30:00-08:00", "2027-03-15T09:00:00-07:00", "America/Los_Angeles", 2],
  ["2027-11-07T00:10:00-07:00", "2027-11-07T23:50:00-08:00", "America/Los_Angeles", 0],
  ["2027-11-07T00:10:00-07:00", "2027-11-08T00:00:00-08:00", "America/Los_Angeles", 1],
  ["2026-11-28T23:59:00-05:00", "2026-11-29T00:00:00-05:00", "America/New_York", 1],
  // The same two moments, by a clock five hours behind.
  ["2026-11-28T23:59:00-05:00", "2026-11-29T00:00:00-05:00", "Pacific/Honolulu", 0],
  ["2026-12-31T12:00:00-07:00", "2027-01-01T08:00:00-07:00", "America/Phoenix", 1],
];
let met = 0;
for (const [now, moment, timeZone, days] of cases) {
  Date.now = () => Date.parse(now);
  const got = daysTo(Date.parse(moment), timeZone);
  if (got === days) met += 1;
  else console.log(`${now} to ${moment} in ${timeZone}: wanted ${days}, got ${got}`);
}
console.log(`${met} of ${cases.length}`);
process.exitCode = met === cases.length ? 0 : 1;
