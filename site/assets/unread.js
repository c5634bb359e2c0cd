// What a text doesn't only search for: the heading of a question, who or what isn't here, the words that stay unread, and whether
// they may name an illness that can't wait.

import { TEXTS } from "./answer-texts.js";
import { capitalized, element, fill, fold } from "./dom.js";
import { specialtiesOf } from "./people.js";

/** Something is said of oneself or one's family, and not that someone is looked for. */
const OF_US = /\b(?:(?:i|s?he)(?!['’]?d\b| (?:need|want|would|prefer|look|live|like|can|saw)|['’]?m (?:look|in\b|an?\b))|(?:my|mi)(?! (?:plan|insur|segur|area))|tengo|estoy|está|me (?!gust|llam|revis|ve|atiend|oper|ayud))\b/i;
const NO_ILLNESS = /^(?:\d.*|[hp]mo|[ep]po|plan|gold|silver|bronze|portal|password|phone|e?mail|pay(?:ment)?|afford|)$/i;
/** Keys pressed at random: no word has six consonants in a row, and no abbreviation of an illness has five. A letter that is drawn out is someone's "hurrrrts". */
const NONSENSE = /\b(?!\w*(\w)\1\1)(?:\w*[bcdfghjklmnpqrstvwxz]{6}|[bcdfghjklmnpqrstvwxz]{5}\b)/i;
/** Words stay unread that may name an illness: no list has them all. The heart is urgent also where it is understood. */
const mayBeUrgent = (typed, { values, isAnswered, isOfHeart, unread }) => isOfHeart || (OF_US.test(typed) || (!isAnswered && !Object.values(values).some(Boolean) && !NONSENSE.test(typed))) && !unread.every((word) => NO_ILLNESS.test(word));

/** The headings of questions. */
const TOPICS = { minor: TEXTS.aboutMinors, refill: TEXTS.aboutRefills, booking: TEXTS.aboutBooking, selfPay: TEXTS.aboutCost, languages: TEXTS.aboutLanguages, plans: TEXTS.otherPlans };

/** More of what was typed isn't repeated. */
const quoted = (text) => text.replace(/(?<=^.{60}).+/su, "…");
const PLANNED = /surg|operat|operaci|cirug|replacement|reemplazo|transplant|trasplant|[a-z]{4}ectom|remov|oper(?:[ae]n?r?|ar(?:me|se|l[aeo]))\b|quit[ae]n/i;
/** An operation is asked for, by words for that or by none about oneself. */
const ASKED = /(?<!\p{L})(?:need|want|find|looking for|who (?:do|does|performs?)|necesito|quiero|busco|tienen? que|que (?:me|haga))(?!\p{L})/iu;
/** What was done isn't asked for, and what follows it may be urgent. */
const AFTER = /(?<!\p{L})(?:had|after|since|was|from my|wound|scar|stitch|incision|infect|ooz|swell|swol|leak|pain|hurt|fever|open|tuve|me hicieron|después|desde|hace|herida|puntos|cicatri|infec|hinch|supur|duele|dolor|fiebre|abri)/iu;
/** "Dermatologist", "cirujana": who isn't here. */
const SPECIALIST = /(?:[oó]log(?:ist|[oa])|(?:tri|ti)cian|iatrist|[^f]iatra|surgeon|cirujan[oa]|obstetra)s?$/i;
const TITLED = /(?<!\p{L})(?:[Dd]ra?\.?|M[rs]s?\.|Sra?\.|[Dd]octora?(?= \p{Lu})) (\p{L}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*)/u;
/** "Low" alone may be a crisis. */
const DEGREE = /^(?:baj[oa]s?|low)$/i;
const OF_DEGREE = /libid|sexual|deseo|desire/i;
/** Words that say nothing alone: "who does hysterectomies". */
const IDLE = /^(?:do(?:es)?|performs?|ha(?:ga|ce)n?|oper[ae]n?|cu[aá]nt[oa]s?)$/i;
const SPOKEN = /(?<!\p{L})(?:speaks?|habl[ae]n?) (?!\p{L}+ly(?!\p{L})|despacio|claro|lento)(\p{L}+)|(\p{L}+)[ -]speak(?:er|ing)s?(?!\p{L})/iu;
/** "Someone for ADHD". */
const FOR = /(?<!\p{L})(?:for|treats?|para|tratan?) (\p{L}+)/u;
const SMALL = String.raw`\W+(?:(?:of|the|in|on|my|and|a|del?|el|la|en|mi|y) )*`;

/** The heading for who or what isn't here, and the words that aren't an illness: "We don't have dermatologists". */
const unmetOf = (typed, { values, heading, isAnswered, topic }, unread, index) => {
  const [, spoken, speaking] = SPOKEN.exec(typed) ?? [];
  if (unread.includes(spoken ?? speaking) && (!heading || topic === "languages")) {
    const [heading, ways] = fill(TEXTS.goneLanguage, { value: spoken ?? speaking }).split(/\. /);
    return { heading, ways };
  }
  if (heading || isAnswered || values.q || NONSENSE.test(typed)) return undefined;
  const [, name] = TITLED.exec(typed) ?? [];
  if (unread.includes(name?.split(" ")[0])) return { calm: name.split(" "), ways: TEXTS.checkName, heading: fill(TEXTS.noName, { name: capitalized(name) }) };
  const specialist = typed.split(/[^\p{L}]+/u).find((word) => SPECIALIST.test(word) && specialtiesOf(fold(word), index).length === 0);
  if (specialist) return { isAll: true, calm: [specialist], ways: TEXTS.mayHelp, heading: fill(TEXTS.noSpecialist, { words: specialist.toLowerCase().replace(/s?$/, "s") }) };
  const isPlanned = PLANNED.test(typed) && !AFTER.test(typed) && (ASKED.test(typed) || !OF_US.test(typed));
  const isOfIllness = unread.length > 0 && (OF_US.test(typed) || isPlanned || FOR.exec(typed)?.[1] === unread[0]) || unread.length > 1 && Object.values(values).some(Boolean);
  if (!isOfIllness || values.need) return undefined;
  if (isPlanned) return { isAll: true, calm: unread, ways: TEXTS.whereTo, heading: TEXTS.noSurgery };
  const [words] = new RegExp(unread.map((word) => word.replace(/[^\p{L}\p{N}]/gu, ".")).join(SMALL), "iu").exec(typed) ?? [unread.join(" ")];
  return { ways: TEXTS.mayHelp, heading: fill(TEXTS.unmet, { words: quoted(words) }) };
};

/** The meaning with what is to be said of it, and first what to do if it is urgent. */
export const toldOf = (typed, meant, index, more) => {
  const isSearch = Object.values(meant.values).some(Boolean);
  if (meant.isYes) meant.heading ??= fill(TEXTS.planTaken, { plan: meant.values.plan });
  if (meant.topic) meant.heading ??= TOPICS[meant.topic] ?? (isSearch ? more.idle : TEXTS.yourQuestion);
  const isIdle = (word) => IDLE.test(word) || (DEGREE.test(word) && OF_DEGREE.test(typed));
  const unread = (meant.unread ?? []).filter((word) => !NO_ILLNESS.test(word) && !isIdle(word));
  const unmet = unmetOf(typed, meant, unread, index);
  if (unmet) Object.assign(meant, { heading: unmet.heading, isRefusal: true });
  // The heading says whom or what it is about.
  const unknown = (meant.unknown ?? []).filter((word) => !isIdle(word) && !unmet?.isAll && !unmet?.heading.toLowerCase().includes(word.toLowerCase()));
  if (unknown.length > 0) meant.sentences.push(fill(TEXTS.ignored, { words: quoted(unknown.join(", ")) }));
  // Whether children are seen is asked first, and the list isn't for them.
  if (meant.topic === "minor") meant.isRefusal = true;
  const isOnlyIll = Object.keys(meant.values).every((name) => name === "need");
  const isChild = meant.topic === "minor" && (isOnlyIll || Boolean(meant.values.need));
  if (isChild && isOnlyIll) meant.values = {};
  // Who is looked for isn't an illness, and an operation can wait.
  const ill = unread.filter((word) => !unmet?.calm?.includes(word));
  const isUrgent = isChild || mayBeUrgent(typed, { ...meant, unread: ill });
  const ways = unmet && !isUrgent && `${unmet.ways} `;
  const call = more.dial && element("a", { href: `tel:${more.dial}` }, fill(TEXTS.call, { phone: more.phone }));
  if (ways || (unmet && call)) meant.sentences.push(element("span", {}, ways, call, call && more.hours && ` · ${more.hours}`));
  if (!isUrgent) return meant;
  const urgent = (isChild ? TEXTS.urgentChild : TEXTS.urgent).split(/(?=911|988)|(?<=911|988)/).map((part) => (/\d/.test(part) ? element("a", { href: `tel:${part}` }, part) : part));
  return { ...meant, sentences: [element("span", {}, ...urgent), ...meant.sentences] };
};
