// What a typed text means. What is to be said of it besides is fetched for the texts that need it.

import { specialtiesOf, wordsOf } from "./people.js";

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

const HEART = /palpit|heart|coraz|chest|pecho|dizz|mare/i;
/** Of whose field someone is here is looked up. */
const SPECIALIST = /[oó]log|ician|iatr|surgeon|ciruj|obstetra/i;

/** What the text means. One that may be urgent says so first. */
export const meaningOf = async (readSentence, typed, index, more) => {
  const meant = await readIn(readSentence, typed, index, more);
  // "Una ginecóloga" is a woman.
  if (!meant.refuses && wordsOf(typed).some((word) => /.ologas?$/.test(word))) meant.values = { gender: "female", ...meant.values };
  meant.isRefusal = Boolean(meant.heading);
  const isDanger = meant.sentences.some(({ className }) => className?.startsWith("danger"));
  const isOfHeart = HEART.test(typed);
  if (isDanger || !(meant.unread?.length > 0 || meant.topic || meant.isYes || isOfHeart || SPECIALIST.test(typed))) return meant;
  return (await import("./unread.js")).toldOf(typed, { ...meant, isOfHeart }, index, more);
};
