// Days and times of day, in English and in Spanish. A day is a number of days since 1970; in the line it is a word such as
// `@20788`.

import { isFilling, WEEKDAYS } from "./words.js";

export const DAY = 86_400_000;

const date = (day) => new Date(day * DAY);
export const written = (day) => date(day).toISOString().slice(0, 10);
const dayOf = (...parts) => {
  const [year, month, day] = parts.map(Number);
  const made = new Date(Date.UTC(year, month - 1, day));
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day ? made / DAY : undefined;
};
/** 0 is Monday. */
const weekdayOf = (day) => (day - 4) % 7;
export const mondayOf = (day) => day - weekdayOf(day);

/** The day and the part of it that has passed, by the clock of a time zone. Swedish dates are ISO 8601. */
export const nowIn = (now, timeZone) => Date.parse(`${now.toLocaleString("sv", { timeZone }).replace(" ", "T")}Z`) / DAY;

/** Without the last "s" of a plural. */
const WEEKDAY_WORDS = [
  "mon|monday|lune", "tue|tuesday|marte", "wed|wednesday|wensday|miercole", "thu|thur|thursday|jueve", "fri|friday|vierne", "sat|saturday|sabado", "sun|sunday|domingo",
].map((words) => words.split("|"));
const weekday = (word) => WEEKDAY_WORDS.findIndex((words) => words.includes(word.replace(/s$/, "")));
const WEEKDAY = `(?:(?:${WEEKDAY_WORDS.flat().join("|")})s?)`;
const isPlural = (word) => /days$|dos$|gos$/.test(word);

const MONTH_WORDS = [
  "january|jan|enero", "february|feb|febrero", "march|mar|marzo", "april|apr|abril", "may|mayo", "june|jun|junio",
  "july|jul|julio", "august|aug|agosto", "september|sept|sep|septiembre", "october|oct|octubre", "november|nov|noviembre", "december|dec|diciembre|dic",
].map((words) => words.split("|"));
const month = (word) => MONTH_WORDS.findIndex((words) => words.includes(word)) + 1;
const MONTH = `(?:${MONTH_WORDS.flat().join("|")})`;
/** Those that aren't names or other words. */
const CLEAR_MONTH = MONTH_WORDS.flat().filter((word) => word.length > 3 && !/^(?:mar|apr|june|aug|sept$)/.test(word)).join("|");

const NUMBER_WORDS = "a|an|one|un|una|uno two|dos|couple three|tres four|cuatro five|cinco six|seis seven|siete eight|ocho nine|nueve ten|diez eleven|once twelve|doce".split(" ").map((words) => words.split("|"));
const NUMBER = `(?:\\d\\d?|${NUMBER_WORDS.flat().join("|")})`;
const number = (word) => (/^\d/.test(word) ? Number(word) : NUMBER_WORDS.findIndex((words) => words.includes(word)) + 1);

const ORDINALS = "first|primer[oa]? second|segunda third|tercera fourth fifth".split(" ");
const ORDINAL = `(?:${ORDINALS.join("|")})`;
const ordinal = (word) => ORDINALS.findIndex((words) => new RegExp(`^(?:${words})$`).test(word)) + 1;

/** The n-th weekday of a month; the last one for -1. */
const nth = (year, month, day, count) => {
  const first = dayOf(year, month, 1);
  if (count > 0) return first + ((day - weekdayOf(first) + 7) % 7) + 7 * (count - 1);
  const last = dayOf(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - 1;
  return last - ((weekdayOf(last) - day + 7) % 7);
};

/** Stands in the line for a day that no month has. */
const NO_DATE = "×";

/** Dates become words of the line: "Dec 1st", "12/3", "the 2nd", "Thanksgiving". */
const readDates = (line, today, lang, found, holidays) => {
  const thisYear = date(today).getUTCFullYear();
  /** The next day of this month and day. */
  const next = (month, day, year) => {
    if (year) return dayOf(year < 100 ? `20${year}` : year, month, day);
    const made = dayOf(thisYear, month, day);
    return made >= today ? made : dayOf(thisYear + 1, month, day);
  };
  const word = (day) => (day === undefined ? NO_DATE : `@${day}`);
  for (const [names, month, day, count] of holidays) {
    const dayIn = (year) => (count ? nth : dayOf)(year, month, day, count);
    line.each(names, () => word(dayIn(thisYear) < today ? dayIn(thisYear + 1) : dayIn(thisYear)));
  }
  const end = (day) => ordinal(day) || day;
  const TAIL = "(?: (?:st|nd|rd|th)(?![^ ]))?";
  const YEAR = "(?: (?:,|of|de|del))?(?: (20\\d\\d))?";
  const range = (month, first, last) => {
    const [from, to] = [next(month, first), next(month, last)];
    return from === undefined || to === undefined ? NO_DATE : `@${from}-${to}`;
  };
  line.each(`(${MONTH}) (\\d\\d?)${TAIL} (?:-|to|through|thru|until) (\\d\\d?)${TAIL}`, ([, name, first, last]) => range(month(name), first, last));
  line.each(`(?:del )?(\\d\\d?) (?:-|al|a) (\\d\\d?) de (${MONTH})`, ([, first, last, name]) => range(month(name), first, last));
  line.each(`(${MONTH}) (?:the )?(\\d\\d?|${ORDINAL})${TAIL}(?! (?:am|pm)(?![^ ]))${YEAR}`, ([, name, day, year]) => word(next(month(name), end(day), year)));
  line.each(`(?:the |el )?(?:dia )?(\\d\\d?|${ORDINAL})${TAIL} (?:of |de )?(${MONTH})${YEAR}`, ([, day, name, year]) => word(next(month(name), end(day), year)));
  line.each("(\\d{4})-(\\d\\d?)-(\\d\\d?)", ([, year, month, day]) => word(dayOf(year, month, day)));
  line.each("(\\d\\d?)/(\\d\\d?)(?:/(\\d{2,4}))?", ([, first, second, year]) => {
    const [american, other] = [next(first, second, year), next(second, first, year)];
    // On Spanish pages "3/12" may be the third of December: the nearer day is meant.
    const isOther = american === undefined || (lang === "es" && other < american);
    return (isOther ? other : american) === undefined && Math.min(first, second) > MONTH_WORDS.length ? false : word(isOther ? other : american);
  });
  const inMonth = (day) => {
    const [year, month] = [thisYear, date(today).getUTCMonth() + 1];
    const here = dayOf(year, month, day);
    return here >= today ? here : dayOf(month === 12 ? year + 1 : year, (month % 12) + 1, day);
  };
  line.each("(?:on )?(?:the )?(\\d\\d?) (?:st|nd|rd|th)", ([, day]) => word(inMonth(day)));
  line.each("on the (\\d\\d?)|el (?:dia )?(\\d\\d?)", ([, english, spanish]) => word(inMonth(english ?? spanish)));
  found.noDate = line.tokens.find(({ word }) => word === NO_DATE)?.typed;
};

const daysIn = (count, unit) => number(count) * (/^(?:week|semana)/.test(unit) ? 7 : 1);

/** "Tomorrow", "in two weeks", "next Tuesday": days that depend on today become words of the line, too. */
const readRelative = (line, today, set, found) => {
  const word = (day) => `@${day}`;
  const tomorrow = () => word(today + 1);
  line.each(`(?:(?:in|en|dentro de) (?:about |a )*|(?=[a-z0-9]+ [a-z]+ from (?:now|today)))(${NUMBER}) (?:of )?(days?|weeks?|dias?|semanas?)(?: from (?:now|today))?`, ([, count, unit]) => word(today + daysIn(count, unit)));
  line.each("day after tomorrow|pasado manana", () => word(today + 2));
  line.each("tonight|tonite|this evening|esta noche", () => (set("part", "evening"), word(today)));
  line.each("(?:this|today in the) morning|esta manana|hoy (?:por|en) la manana", () => (set("part", "morning"), word(today)));
  line.each("this afternoon", () => (set("part", "afternoon"), word(today)));
  line.each("(?:esta|hoy (?:por|en) la) tarde", () => (set("after", "12:00"), word(today)));
  line.each("today|same day|hoy(?: mismo)?|el mismo dia", () => word(today));
  line.each("tomorrow|tmrw|tmr|tommorow|tomorrows", tomorrow);
  line.each("(?<!(?:la|de|las|ier) )manana(?= (?:por|en|a|de|temprano))", tomorrow);
  line.each("(?<!(?:la|las|(?<!cita )de|por|cada|media|ier) )manana", tomorrow);

  const all = [];
  const named = (numbers) => WEEKDAYS.filter((_, at) => numbers.includes(at));
  const days = (numbers) => (line.refuses("weekdays") ? set("weekdays", named(numbers)) : all.push(...numbers) > 0);
  const ARTICLE = "(?:(?:on|every|any|each|los|las|el|cada|cualquier|de|desde) )*";
  line.each(`${ARTICLE}(${WEEKDAY}) (?:through|thru|to|until|till|-|a|al|hasta) (?:el )?(${WEEKDAY})`, ([, one, other]) => {
    const [from, to] = [weekday(one), weekday(other)];
    days(WEEKDAYS.map((_, at) => at).filter((at) => (from <= to ? at >= from && at <= to : at >= from || at <= to)));
  });
  const AND = "(?: ,)?(?: (?:or|and|o|u|y|e))? (?:(?:on|los|el) )?";
  line.each(`${ARTICLE}(next )?${WEEKDAY}(?:${AND}(?:next )?${WEEKDAY})+`, ([all, isNext]) => (isNext && set("from", written(mondayOf(today) + 7)) && set("to", written(mondayOf(today) + 13)), days(all.split(" ").map(weekday).filter((at) => at >= 0))));
  line.each("(?:on |any |every |the |los |las |en |cualquier )*(?:week ?days?|business days?|entre semana|dias? (?:laborables?|habiles))", () => days([0, 1, 2, 3, 4]));
  const OFTEN = "(?= (?:only|mornings|afternoons|evenings|nights|hours|appointments?|visits?|availability|slots|openings))";
  line.each(`(?:on |the )?(?:weekends|(?:any|every|each) weekend|weekend${OFTEN})|(?:en |los )*fines de semana|cualquier fin de semana`, () => days([5, 6]));
  line.each(`(?:every|any|each|los|cada|cualquier|todos los) (${WEEKDAY})|(?:on )?(?<!@\\d+ (?:or|and) (?:on )?)(${WEEKDAY})(?= (?:mornings|afternoons|evenings|nights))`, ([, one, other]) => days([weekday(one ?? other)]));
  line.each(`(?:on |el |en )?(${WEEKDAY})`, ([, name]) => (isPlural(name) || line.refuses("weekdays")) && days([weekday(name)]));
  if (all.length > 0) found.fields.weekdays = named(all);

  const inWeek = (name, weeks) => mondayOf(today) + weekday(name) + 7 * weeks;
  const ahead = (name, least = 0) => today + ((weekday(name) - weekdayOf(today) - least + 7) % 7) + least;
  line.each(`(?:on )?(?:next|following) (${WEEKDAY})|(${WEEKDAY}) (?:of )?next week|next week (?:on )?(${WEEKDAY})|(${WEEKDAY}) de la (?:proxima semana|semana que viene)`, (match) => word(inWeek(match.slice(1).find(Boolean), 1)));
  // In Spanish the "next" one is the nearest.
  line.each(`(?:el |la )?(?:proximo|siguiente) (${WEEKDAY})|(?:el )?(${WEEKDAY}) (?:proximo|siguiente|que viene)`, ([, one, other]) => word(ahead(one ?? other, 1)));
  // "Monday morning", said on a Monday afternoon, is the next one.
  line.each(`(?:(?:on|for|this|coming|upcoming|este|el) )*(${WEEKDAY})(?=( (?:morning|(?:por|en) la manana))?)`, ([, name, isEarly]) => word(ahead(name, isEarly && found.now % 1 > 0.5)));
  // "Tuesday, December 1" is one day.
  line.each("@(\\d+) (?:, )?(?:the )?@(\\d+)", ([, one, day]) => !line.refuses("from") && (day - one) % 7 === 0 && `@${day}`);
};

/** "This week", "between Dec 1 and Dec 4", "by Friday": what the line says of days becomes `from` and `to`. */
const readPeriods = (line, today, set, found) => {
  const period = (from, to) => to < today ? void (found.isPast = true) : set("from", written(Math.max(from, today))) && (to === undefined || set("to", written(to)));
  const monday = mondayOf(today);
  const THE = "(?:(?:within|during|the|durante|la|el|later|sometime|rest of|end of|any ?time|next few|early) )*";
  line.each("(?:@(\\d+)(?: [·,])* )?@(\\d+)w", ([, day, week]) => (day ? `@${Number(week) + weekdayOf(day)}` : `@${week}-${Number(week) + 6}`));
  line.each(`(${NUMBER}) (days?|weeks?|dias?|semanas?) (?:from|after|despues del?)(?: el)? @(\\d+)`, ([, count, unit, day]) => `@${Number(day) + daysIn(count, unit)}`);
  line.each("(?:week|semana) (?:after|despues del?) @(\\d+)", ([, day]) => period(mondayOf(day) + 7, mondayOf(day) + 13));
  line.each(`${THE}week of (?:the )?@(\\d+)|${THE}semana del? (?:el )?@(\\d+)|@(\\d+) week`, ([, one, two, three]) => {
    const first = mondayOf(one ?? two ?? three);
    period(first, first + 6);
  });
  line.each(`${THE}next weekend|${THE}(?:proximo fin de semana|fin de semana (?:que viene|proximo))`, () => period(monday + 12, monday + 13));
  // On a Sunday, "weekend" is today or the next one, and "this week" the one that begins.
  const isSunday = weekdayOf(today) === 6;
  line.each(`${THE}(this |coming |este )?(?:weekend|fin de semana|finde)`, ([, which]) => (isSunday && !which ? set("weekdays", ["sat", "sun"]) : `@${monday + 5}-${monday + 6}`));
  line.each(`${THE}week after next`, () => period(monday + 14, monday + 20));
  line.each(`${THE}(?:next|following|coming) week|${THE}(?:proxima|siguiente|otra) semana|${THE}semana (?:que viene|proxima|siguiente)|${THE}semana que entra`, () => period(monday + 7, monday + 13));
  line.each(`${THE}(?:this|the) week|${THE}esta (?:misma )?semana`, () => period(today, isSunday ? today + 6 : monday + 6));
  const within = ([, one, unit, two, other]) => period(today, today + daysIn(one ?? two, unit ?? other));
  const NEXT = "(?:(?:in|over|within) )?(?:the )?next|(?:en )?(?:los |las )?(?:proximos|proximas)";
  line.each(`(?:${NEXT}) (${NUMBER}) (days?|weeks?|dias?|semanas?)|(?:within|in less than|en menos de) (${NUMBER}) (days?|weeks?|dias?|semanas?)`, within);
  const monthAt = (more) => {
    const at = date(today).getUTCMonth() + more;
    const year = date(today).getUTCFullYear();
    return [Date.UTC(year, at, 1) / DAY, Date.UTC(year, at + 1, 1) / DAY - 1];
  };
  const monthOf = (name) => monthAt((month(name) - 1 - date(today).getUTCMonth() + 12) % 12);
  line.each("(?:(?:with)?in|en) (?:the next |las proximas )?(24|48|72) (?:hours|horas)", ([, hours]) => period(today, today + hours / 24));
  line.each(`${THE}(${ORDINAL}) (?:week|semana) (?:of|in|de) (${MONTH})`, ([, which, name]) => {
    const first = monthOf(name)[0] + 7 * ordinal(which);
    period(first - 7, first - 1);
  });
  line.each(`${THE}(?:this month|este mes)`, () => period(...monthAt(0)));
  line.each(`${THE}(?:next month|proximo mes|mes que viene)`, () => period(...monthAt(1)));
  line.each(`(?:in|this|next|during|late in|en|este|durante)(?: early| mid| late)? (${MONTH})|(${CLEAR_MONTH})`, ([, one, other]) => period(...monthOf(one ?? other)));

  line.each("(?:day|dia) (?:after|despues del?) @(\\d+)", ([, day]) => `@${Number(day) + 1}`);
  line.each("(?:day|dia) (?:before|antes del?) @(\\d+)", ([, day]) => `@${day - 1}`);
  line.each("(?:between )?@(\\d+) (?:and|to|through|thru|until|till|-|y|al|a|hasta)(?: el)? @(\\d+)", ([, from, to]) => period(from, to));
  line.each("(?:on or after|not? earlier than|starting(?: on)?|from|since|a partir del?|desde(?: el)?) @(\\d+)(?: on| onwards?| en adelante)?|@(\\d+) or later", ([, one, other]) => period(one ?? other));
  line.each("(?:any ?time )?(?:after|despues del?)(?: el)? @(\\d+)", ([, day]) => period(Number(day) + 1));
  line.each("(?:any ?time )?(?:before|antes del?)(?: el)? @(\\d+)", ([, day]) => period(today, day - 1));
  line.each("(?:by|until|till|not? later than|on or before|para antes del?|hasta(?: el)?) @(\\d+)", ([, day]) => period(today, day));
  line.each("@(\\d+)(?:-(\\d+))?(?: [·,])*(?: (or|and|o|y))?(?: (?:on|el))? @(\\d+)(?:-(\\d+))?", ([, one, end = one, or, other, last = other]) => (or || !line.refuses("from")) && `@${Math.min(one, other)}-${Math.max(end, last)}`);
  line.each("@(\\d+)-(\\d+)", ([, from, to]) => period(from, to));
  line.each("@(\\d+)", ([, day]) => period(day, day));
};

/** Takes the days of a line. */
export const readDays = (line, today, lang, set, found, { holidays }) => {
  line.each(`(?:(?:(?:the )?day before )?yesterday|last night|(?:ante)?ayer|antier|anoche|last ${WEEKDAY}(?! of(?![^ ]))|(?:el )?${WEEKDAY} pasado)(?: (?:(?:por|en) la )?(?:morning|afternoon|evening|night|manana|tarde|noche))?`, () => void (found.isPast = true));
  readDates(line, today, lang, found, holidays);
  readRelative(line, today, set, found);
  return () => readPeriods(line, today, set, found);
};

const HALF = "(?: (am|pm|oclock(?: pm)?|en punto|de la (?:manana|tarde|noche)|in the (?:morning|afternoon|evening)|at night))?";
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
const clock = (minutes) => new Date(minutes * 60_000).toISOString().slice(11, 16);

const PARTS = [
  ["morning", "mornings?|before noon|mananas|(?:(?:por|en|de|a) (?:la|las)|a media|cualquier) manan(?:as?|itas?)|de manana(?! en adelante)|la manana|temprano"],
  ["afternoon", "afternoons?"],
  ["evening", "evenings?|nights?|nites?|at night|noches?|end of (?:the )?day"],
];
const AROUND = "(?:(?:early|late|mid|in|the|any|por|en|de|a|la|las|during) )*";

/** Takes the times of a line. */
export const readTimes = (line, set, { meaningOf }, found) => {
  const hours = (after, before) => {
    if (after === undefined || before === undefined) return false;
    return (after === null || set("after", clock(after))) && (before === null || set("before", clock(before)));
  };
  line.each("good (?:morning|afternoon|evening|day)|buen[oa]s [a-z]+", () => true);
  line.each("(?:during )?(?:my )?(?:lunch(?: ?time| hour| break)?|almuerzo|hora de comer)|al mediodia", () => hours(NOON * 60, 14 * 60));
  line.each("(?:after|outside|despues del?|saliendo del?) (?:work|mi trabajo|trabajo|trabajar)", () => hours(17 * 60, null));
  line.each("(?:before|antes del?) (?:work|trabajo|trabajar)", () => hours(null, 9 * 60));
  line.each("(?<=(?:a|de|desde|hasta|y|entre) )la una", () => "13:00");
  line.each(`(${HOUR}) (?:y )?(thirty|fifteen|media|cuarto)|(half|quarter|cuarto) (past|to|para)(?: las?)? (${HOUR})`, ([, hour, name, part, side = "past", other]) => clock(number(hour ?? other) * 60 + (/^[qcf]/.test(name ?? part) ? 15 : 30) * (/[sf]t/.test(side) ? 1 : -1)));
  const span = ([, one, half, other, otherHalf]) => {
    const to = minutes(other, otherHalf);
    const same = minutes(one, half ?? otherHalf);
    // "11 to 2pm" begins in the morning.
    return hours(half || same < to ? same : minutes(one), to);
  };
  line.each(`(?:between|entre)(?: (?:the hours of|las|la))? ${TIME} (?:and|y|to|-)(?: (?:las|la))? ${TIME}`, span);
  line.each(`(?:from|de|desde)(?: (?:las|la))? ${TIME} (?:to|until|till|-|a|hasta)(?: (?:las|la))? ${TIME}`, span);
  line.each(`${TIME} (?:-|to|until|till) ${TIME}`, (match) => (match[2] || match[4] || /:/.test(match[1] + match[3]) || match[0].includes("-") ? span(match) : false));
  line.each(`(?:any ?time )?(?:after|past|(?<!no |not )later than|not before|not? earlier than|from|starting at|starting|despues de|a partir de|desde|pasadas)(?: (?:about|las|la|el|de))* ${TIME}(?: on| onwards?| en adelante)?`, ([, time, half]) => hours(minutes(time, half), null));
  line.each(`(?:at )?${TIME} (?:(?:or|and) (?:later|after)|onwards?|o mas tarde|o despues|en adelante)`, ([, time, half]) => hours(minutes(time, half), null));
  line.each(`(?:any ?time )?(?:before|by|until|till|not? later than|no mas tarde de|antes de|hasta)(?: (?:about|las|la))* ${TIME}`, ([, time, half]) => hours(null, minutes(time, half)));
  const at = ([, time, half]) => {
    const begin = minutes(time, half);
    return hours(begin, begin < 23 * 60 ? begin + 60 : null);
  };
  line.each(`(?:at|around|about|a|como a|cerca de)(?: (?:about|around|las|la))* ${TIME}`, at);
  line.each(TIME, (match) => (match[2] || /:|noon|midday/.test(match[1]) ? at(match) : false));
  line.each("(?<=@\\d+ )(?:in the )?am", () => set("part", "morning"));
  line.each("(?<=@\\d+ )(?:in the )?pm", () => hours(NOON * 60, null));
  line.each(`${AROUND}mornings? or ${AROUND}afternoons?|(?:en|por) la manana o (?:en |por )?la tarde`, () => hours(null, 17 * 60));
  // "Tarde" is from noon until dark.
  line.each(`${AROUND}(?:tarde noche|(?:final|caer|ultima hora)(?: de)? la tarde|nochecita)`, () => set("part", "evening"));
  line.each(`${AROUND}tarde(?:cita)?s?`, () => hours(NOON * 60, null));
  // "A cough at night" isn't a wish for evenings.
  line.each("(?<!(?:late|early|only|prefiero) )(?:at|de|(?:por|en) las?) (?:noches?|nights?)", (_, at) => {
    const { word, isMark = true } = line.tokens[at - 1] ?? {};
    const meaning = !isMark && !isFilling(word) && (meaningOf(word) ?? { interests: true });
    return Boolean(meaning.interests);
  });
  // Of several parts of the day none can be meant alone.
  const { fields } = found;
  const named = new Set([fields.part].filter(Boolean));
  for (const [part, words] of PARTS) line.each(`${AROUND}(?:${words})`, () => (line.refuses("part") ? set("part", part) : Boolean(named.add(part))));
  if (named.size > 1) found.isTwoTimes = delete fields.part;
  else if (named.size > 0) [fields.part] = named;
};
