// What a typed text means: of the words that are no one's name or plan, which illness they may name, and whether that can wait.

import { element, fill } from "./dom.js";
import { specialtiesOf, wordsOf } from "./people.js";
import { TEXTS } from "./texts.js";

/** What the typed text means. Specialists that it doesn't refuse are found by their interests and by certifications in their field. */
const readIn = async (readSentence, text, index, more) => {
  const read = (part) => (part ? readSentence(part, index, more) : { values: {}, sentences: [] });
  const all = await read(text);
  const specialists = wordsOf(text).map((word) => [word, specialtiesOf(word, index)]).filter(([, names]) => names.length > 0);
  if (all.refuses || specialists.length === 0) return all;
  const alone = new Map(await Promise.all(specialists.map(async ([word]) => [word, (await read(word)).values])));
  const isOurs = (word) => alone.has(word) && Object.keys(alone.get(word)).length === 0;
  const { values, ...others } = await read(text.split(/\s+/).filter((typed) => !isOurs(wordsOf(typed)[0])).join(" "));
  const needs = new Set(values.need?.split(";"));
  for (const [word, names] of specialists) {
    const { need } = alone.get(word);
    if (needs.delete(need) || isOurs(word)) needs.add([need, ...names].filter(Boolean).join("|"));
  }
  return { ...others, values: { ...values, need: [...needs].join(";") } };
};

/** Something is said of oneself or one's family, and not that someone is looked for. */
const OF_US = /\b(?:(?:i|s?he)(?!['’]?d\b| (?:need|want|would|prefer|look|live|like|can|saw)|['’]?m (?:look|in\b|an?\b))|(?:my|mi)(?! (?:plan|insur|segur|area))|tengo|estoy|está|me (?!gust|llam))\b/i;
const NO_ILLNESS = /^(?:\d.*|[hp]mo|[ep]po|plan|gold|silver|bronze|portal|password|phone|e?mail|pay(?:ment)?|afford|)$/i;
/** Keys pressed at random: no word has six consonants in a row, and no abbreviation of an illness has five. A letter that is drawn out is someone's "hurrrrts". */
const NONSENSE = /\b(?!\w*(\w)\1\1)(?:\w*[bcdfghjklmnpqrstvwxz]{6}|[bcdfghjklmnpqrstvwxz]{5}\b)/i;
/** Words stay unread that may name an illness: no list has them all. The heart is urgent also where it is understood. */
const mayBeUrgent = (typed, { values, isAnswered, unread = [] }) => /palpit|heart|coraz|chest|pecho|dizz|mare/i.test(typed) || (OF_US.test(typed) || (!isAnswered && !Object.values(values).some(Boolean) && !NONSENSE.test(typed))) && !unread.every((word) => NO_ILLNESS.test(word));

const MOST_QUOTED = 60;
/** What the text means. One that may be urgent says so first. */
export const meaningOf = async (readSentence, typed, index, more) => {
  const meant = await readIn(readSentence, typed, index, more);
  // "Una ginecóloga" is a woman.
  if (!meant.refuses && wordsOf(typed).some((word) => /.ologas?$/.test(word))) meant.values = { gender: "female", ...meant.values };
  const isDanger = meant.sentences.some(({ className }) => className?.startsWith("danger"));
  if (isDanger) return meant;
  // What no one sees to is the heading: "a knee replacement in Texas".
  const { values, heading, isAnswered } = meant;
  const unread = (meant.unread ?? []).filter((word) => !NO_ILLNESS.test(word));
  const isOfIllness = unread.length > 0 && OF_US.test(typed) || unread.length > 1 && Object.values(values).some(Boolean);
  if (isOfIllness && !isAnswered && !heading && !values.need && !values.q && !NONSENSE.test(typed)) meant.heading = fill(TEXTS.unmet, { words: unread.join(" ").slice(0, MOST_QUOTED) });
  if (!mayBeUrgent(typed, meant)) return meant;
  const urgent = TEXTS.urgent.split(/(?=911|988)|(?<=911|988)/).map((part) => (/\d/.test(part) ? element("a", { href: `tel:${part}` }, part) : part));
  return { ...meant, sentences: [element("span", {}, ...urgent), ...meant.sentences] };
};
