// A sentence as a line of words, from which each rule takes what it understands.

/** Text in small letters without accents and apostrophes, and for each of its letters where it stood. */
const folded = (text) => {
  let plain = "";
  const places = [];
  let at = 0;
  for (const letter of text) {
    const small = letter.normalize("NFD").replace(/[\p{M}'’‘ʼʻ`]/gu, "").toLowerCase();
    plain += small;
    for (let more = 0; more < small.length; more += 1) places.push(at);
    at += letter.length;
  }
  return { plain, places: [...places, at] };
};

/** Dates and hours are one word each, "5pm" is two; a comma stands for what separates phrases. */
const WORD = /\d{4}-\d\d?-\d\d?|\d\d?\/\d\d?(?:\/\d{2,4})?|\d\d?:\d\d|\d+|\p{L}+|[,;.?!()\n]+(?=\s|$)|(?<=\d\s?)[-–—]/gu;
/** "Dr. Okonkwo" is one phrase, "in Texas. Okonkwo" is two. */
const LONGEST_ABBREVIATION = 4;

const tokensOf = (given) => {
  const text = given.replace(/\b([ap])\.\s?m\b\.?/gi, "$1m").replace(/\b([md])\.\s?([do])\b\.?/gi, "$1$2");
  const { plain, places } = folded(text);
  const tokens = [];
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    const last = tokens.at(-1);
    const end = index + word.length;
    if (word === "." && last?.end === index && last.word.length <= LONGEST_ABBREVIATION) continue;
    const mark = /[-–—]/.test(word[0]) ? "-" : /\P{L}/u.test(word[0]) && !/\d/.test(word[0]) ? "," : undefined;
    tokens.push({ word: mark ?? word, isMark: Boolean(mark), typed: text.slice(places[index], places[end]).trim(), end });
  }
  return tokens;
};

/** A phrase of a table as the words of a line. */
export const phraseOf = (text) => tokensOf(text).filter(({ isMark }) => !isMark).map(({ word }) => word).join(" ");

/** What was taken: no rule matches it, and no phrase reaches across it. */
const TAKEN = "·";

export const lineOf = (text) => {
  const tokens = tokensOf(text);
  const written = () => tokens.map(({ word }) => word).join(" ");
  const expression = (source) => new RegExp(`(?<![^ ])(?:${source})(?![^ ])`, "g");
  return {
    tokens,
    /** Takes some tokens, in whose place a word may stay; `kind` is what they were. */
    take(at, count, word = TAKEN, kind = undefined) {
      const typed = tokens.slice(at, at + count).map((token) => token.typed).join(" ");
      tokens.splice(at, count, { word, typed, isMark: true, kind });
    },
    /** Takes a pattern of whole words wherever it stands, unless `act` returns false; a text that it returns stays in its place. */
    each(source, act) {
      const pattern = expression(source);
      for (let match = pattern.exec(written()); match; match = pattern.exec(written())) {
        const at = written().slice(0, match.index).split(" ").length - 1;
        const result = act(match, at);
        if (result === false) continue;
        this.take(at, match[0].split(" ").length, typeof result === "string" ? result : undefined);
        pattern.lastIndex = 0;
      }
    },
    has: (source) => expression(source).test(written()),
    /** Takes words that stand in a row, the most first, unless `act` returns false; a text that it returns is their kind. */
    phrases(most, least, act) {
      for (let count = Math.min(most, tokens.length); count >= least; count -= 1) {
        for (let at = 0; at + count <= tokens.length; at += 1) {
          const some = tokens.slice(at, at + count);
          const result = !some.some(({ isMark }) => isMark) && act(some.map(({ word }) => word).join(" "), at, count);
          if (result) this.take(at, count, TAKEN, result);
        }
      }
    },
    /** The words that nobody took, and days that contradict another one. */
    rest: () => tokens.filter(({ word, isMark }) => !isMark || word.startsWith("@")),
  };
};
