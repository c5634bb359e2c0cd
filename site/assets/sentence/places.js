// States: their other names, and codes that are words as well.

/** Other names of states, in English and in Spanish. */
export const OTHER_NAMES = {
  CA: "cali, norcal, socal",
  DC: "distrito de columbia, d c, washington dc, washington d c",
  HI: "hawaii",
  LA: "luisiana",
  MO: "misuri",
  MS: "misisipi",
  NC: "carolina del norte",
  ND: "dakota del norte",
  NH: "nuevo hampshire",
  NJ: "nueva jersey",
  NM: "nuevo mexico",
  NY: "nueva york, estado de nueva york, upstate new york",
  PA: "pensilvania",
  SC: "carolina del sur",
  SD: "dakota del sur",
  TX: "tejas",
  WA: "estado de washington",
  WV: "virginia occidental",
};

/** Codes in small letters that are words as well, of English, Spanish or a title. */
const WORDS = "al as de gu hi id in la ma md me mi mo ms oh ok or pa pr va vi".split(" ");
/** Of these, those that begin phrases after "in" or "en": "en la noche". */
const ARTICLES = "al as de in la me mi or".split(" ");

export const isWord = (code) => WORDS.includes(code);
export const isArticle = (code) => ARTICLES.includes(code);
