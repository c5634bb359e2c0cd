// Times of day, in English and in Spanish.

import { NUMBER, number } from "./days.js";

const HALF = "(?: (am|pm|oclock|oclock pm|en punto|de la manana|de la tarde|de la noche|in the morning|in the afternoon|in the evening|at night))?";
/** Articles are numbers of days, but no hours. */
const HOUR = NUMBER.replace(/(?<=[|(])(?:an?|un|una|uno|couple)\|/g, "");
const TIME = `(noon|midday|mediodia|\\d\\d?:\\d\\d|${HOUR})${HALF}(?! (?:days?|weeks?|months?|years?|dias?|semanas?|mes|meses|anos?|st|nd|rd|th|people|kids)(?![^ ]))`;
const NOON = 12;
/** An hour without am or pm is the one in 7 to 18. */
const EARLIEST = 7;

/** Minutes since midnight. `half` may be that of another time: "3 to 5pm". */
const minutes = (word, half) => {
  if (/^(?:noon|midday|mediodia)$/.test(word)) return NOON * 60;
  const [hour, minute = 0] = /:/.test(word) ? word.split(":").map(Number) : [number(word)];
  if (hour > 23 || minute > 59) return undefined;
  const isLate = /pm|tarde|noche|afternoon|evening|night/.test(half);
  const isEarly = /am|morning|manana/.test(half);
  const of24 = isLate ? (hour % NOON) + NOON : isEarly ? hour % NOON : hour > 0 && hour < EARLIEST ? hour + NOON : hour;
  return (hour > NOON ? hour : of24) * 60 + minute;
};
const clock = (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

const PARTS = [
  ["morning", "mornings?|before noon|mananas|(?:por|en|de|a) (?:la|las) mananas?|la manana|temprano|early in the day"],
  ["afternoon", "afternoons?|tardes?"],
  ["evening", "evenings?|nights?|at night|noches?|al final del dia"],
];
const AROUND = "(?:(?:early|late|mid|in|the|any|por|en|de|a|la|las|during) )*";

/** Takes the times of a line. */
export const readTimes = (line, set) => {
  const hours = (after, before) => {
    if (after === undefined || before === undefined) return false;
    return (after === null || set("after", clock(after))) && (before === null || set("before", clock(before)));
  };
  line.each("good (?:morning|afternoon|evening|day)|buen(?:os|as) (?:dias|tardes|noches)", () => true);
  line.each("(?:at |during |over |a la hora del? |en la hora del? )?(?:my )?(?:lunch ?time|lunch hour|lunch break|lunch|almuerzo|hora de comer)|al mediodia", () => hours(NOON * 60, 14 * 60));
  line.each("(?:after|outside|when im done with|despues del?) (?:of )?(?:work(?: hours)?|mi trabajo|trabajo|trabajar)|after business hours", () => hours(17 * 60, null));
  line.each("(?:before|antes del?) (?:work|trabajo|trabajar)", () => hours(null, 9 * 60));
  line.each("(?:after|despues de la) (?:school|escuela)", () => hours(15 * 60, null));
  line.each("(?<=(?:a|de|desde|hasta|y|entre) )la una", () => "13:00");
  const span = ([, one, half, other, otherHalf]) => {
    const to = minutes(other, otherHalf);
    const same = minutes(one, half ?? otherHalf);
    // "11 to 2pm" begins in the morning.
    return hours(half || same < to ? same : minutes(one), to);
  };
  line.each(`(?:between|entre)(?: (?:the hours of|las|la))? ${TIME} (?:and|y|to|-)(?: (?:las|la))? ${TIME}`, span);
  line.each(`(?:from|de|desde)(?: (?:las|la))? ${TIME} (?:to|until|till|-|a|hasta)(?: (?:las|la))? ${TIME}`, span);
  line.each(`${TIME} (?:-|to|until|till) ${TIME}`, (match) => (match[2] || match[4] || /:/.test(match[1] + match[3]) || match[0].includes("-") ? span(match) : false));
  line.each(`(?:any ?time )?(?:after|past|later than|not before|no earlier than|from|starting at|starting|despues de|a partir de|desde|pasadas)(?: (?:about|las|la|de))* ${TIME}(?: on| onwards?| en adelante)?`, ([, time, half]) => hours(minutes(time, half), null));
  line.each(`(?:at )?${TIME} (?:or later|or after|and later|and after|onwards?|o mas tarde|o despues|en adelante)`, ([, time, half]) => hours(minutes(time, half), null));
  line.each(`(?:any ?time )?(?:before|by|until|till|no later than|antes de|hasta)(?: (?:about|las|la))* ${TIME}`, ([, time, half]) => hours(null, minutes(time, half)));
  line.each(`(?:at )?${TIME} (?:or earlier|or before|o antes)`, ([, time, half]) => hours(null, minutes(time, half)));
  const at = ([, time, half]) => {
    const begin = minutes(time, half);
    return hours(begin, begin === undefined ? undefined : begin + 60);
  };
  line.each(`(?:at|around|about|a|como a|cerca de)(?: (?:about|around|las|la))* ${TIME}`, at);
  line.each(TIME, (match) => (match[2] || /:|noon|midday/.test(match[1]) ? at(match) : false));
  for (const [part, words] of PARTS) line.each(`${AROUND}(?:${words})`, () => set("part", part));
};
