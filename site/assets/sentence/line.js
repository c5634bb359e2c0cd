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

/** How people type on phones, and ranges of days. */
const SHORT = [
  [/\b(any|some|every)(?:1|body)\b/gi, "$1one"], [/\bcan ?not\b/gi, "cant"], [/\bokay\b/gi, "ok"], [/\b2(nite|night|day|moro|morrow|mrw)\b/gi, "to$1"], [/\bb4\b/gi, "before"], [/\bw\/o\b/gi, "without"], [/\bw\/ ?/gi, "with "], [/\b(my|him|her) self\b(?![- ][cdehipw])/gi, "$1self"], [/\bnxt\b/gi, "next"], [/\by\/?o\b/gi, "yo"], [/\byrs?\b/gi, "year"], [/\bquince\b/gi, "15"], [/\bwk(nd|end)?(s?)\b/gi, (_, end, more) => `week${end ? "end" : ""}${more}`],
  [/\b(doctor|dr|np|looking|help|appt|visit) 4 (?!am\b|pm\b)(?=[a-z])/gi, "$1 for "], [/\b(?:x|xq) (?=las?\b|el\b)/gi, "por "], [/\bd (?=ma[nñ]ana|la\b|el\b|tarde|noche|lunes|martes)/gi, "de "], [/\bpa'? (?=mi\b|el\b|la\b|ma[nñ]ana)/gi, "para "],
  [/(?<=\b(?:mon|tues?|wed|thu|thurs?|fri|sat|sun)(?:day|nesday|urday)?s?) ?[-–—] ?(?=mon|tue|wed|thu|fri|sat|sun)/gi, " to "], [/\bm ?[-–—] ?f\b/gi, "monday to friday"],
];

/** Spanish as it sounds, and a first letter that was missed. */
const SOUNDS = [
  [/\bsita(?=s?\b)/gi, "cita"], [/\basep/gi, "acep"], [/\bk(?=ier[eo]|isiera|ien\b|e\b)/gi, "qu"], [/\bne[sc]e[sc](?=it)/gi, "neces"], [/\baser\b/gi, "hacer"], [/(?<=\bc[oó]mo )ago\b/gi, "hago"], [/\bcamvi/gi, "cambi"], [/\bancel(?=ar?\b|l?ed|l?ing|\b)/gi, "cancel"],
  [/\babl(?=[aeo]n? (?:(?:bien|muy|nada|mucho|poco|de) )*(?:espa|ingl))/gi, "habl"], [/\bb(?=iernes|oy a|iene|omit|iol[aoó]|e[sc]in)/gi, "v"], [/\bvorr/gi, "borr"], [/\bzang/gi, "sang"], [/\binchad/gi, "hinchad"], [/\bmuger/gi, "mujer"],
];

const tokensOf = (given) => {
  const text = [...SHORT, ...SOUNDS].reduce((text, [short, long]) => text.replace(short, long), given).replace(/\b([ap])\.\s?m\b\.?/gi, "$1m").replace(/\b([md])\.\s?([do])\b\.?/gi, "$1$2");
  const { plain, places } = folded(text);
  const tokens = [];
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    const last = tokens.at(-1);
    const end = index + word.length;
    if (word === "." && last?.end === index && last.word.length <= LONGEST_ABBREVIATION) continue;
    const mark = /[-–—]/.test(word[0]) ? "-" : /\P{L}/u.test(word[0]) && !/\d/.test(word[0]) ? "," : undefined;
    const [from, to] = [places[index], places[end]];
    tokens.push({ word: mark ?? word, isMark: Boolean(mark), typed: text.slice(from, to).trim(), end, from, to });
  }
  return { tokens, text };
};

/** A phrase of a table as the words of a line. */
export const phraseOf = (text) => tokensOf(text).tokens.filter(({ isMark }) => !isMark).map(({ word }) => word).join(" ");

/** What was taken: no rule matches it, and no phrase reaches across it. */
const TAKEN = "·";

/** `isRefused` is that of asides.js, where it is needed. */
export const lineOf = (given, isRefused = () => false) => {
  const { tokens, text } = tokensOf(given);
  const typed = (at, count) => text.slice(tokens[at].from, tokens[at + count - 1].to).trim();
  const written = () => tokens.map(({ word }) => word).join(" ");
  const expression = (source) => new RegExp(`(?<![^ ])(?:${source})(?![^ ])`, "g");
  /** Where a rule looks now, and what it refuses there. */
  let now = { at: -1, count: 1, values: {} };
  return {
    tokens,
    typed,
    look: (at, count = 1) => (now = { at, count, values: {} }),
    /** Whether what stands where a rule looks is refused. */
    refuses: (name, phrase) => (now.how = isRefused({ tokens }, now.at, now.count, name, phrase)),
    refuse: (values) => now.how === "softly" || Boolean(Object.assign(now.values, values)),
    /** Takes some tokens, in whose place a word may stay; `kind` is what they were. */
    take(at, count, word = TAKEN, kind = undefined) {
      const some = tokens.slice(at, at + count);
      const words = typed(at, count);
      const values = Object.assign({}, ...some.map(({ left }) => left?.values), now.at === at ? now.values : {});
      const left = Object.keys(values).length > 0 ? { values, typed: words } : undefined;
      tokens.splice(at, count, { word, typed: words, isMark: true, kind, left, from: some[0].from, to: some.at(-1).to });
      if (now.at === at) now = { at: -1, count: 1, values: {} };
    },
    /** Takes a pattern of whole words wherever it stands, unless `act` returns false; a text that it returns stays in its place. */
    each(source, act) {
      const pattern = expression(source);
      for (let match = pattern.exec(written()); match; match = pattern.exec(written())) {
        const at = written().slice(0, match.index).split(" ").length - 1;
        const count = match[0].split(" ").length;
        this.look(at, count);
        const result = act(match, at);
        if (result === false) continue;
        this.take(at, count, typeof result === "string" ? result : undefined);
        pattern.lastIndex = 0;
      }
    },
    has: (source) => expression(source).test(written()),
    /** Takes words that stand in a row, the most first, unless `act` returns false; a text that it returns is their kind. */
    phrases(most, least, act) {
      for (let count = Math.min(most, tokens.length); count >= least; count -= 1) {
        for (let at = 0; at + count <= tokens.length; at += 1) {
          const some = tokens.slice(at, at + count);
          this.look(at, count);
          const result = !some.some(({ isMark }) => isMark) && act(some.map(({ word }) => word).join(" "), at, count);
          if (result) this.take(at, count, TAKEN, result);
        }
      }
    },
    /** The words that no rule took, and days that contradict another one. */
    rest: () => tokens.filter(({ word, isMark }) => !isMark || word.startsWith("@")),
  };
};
