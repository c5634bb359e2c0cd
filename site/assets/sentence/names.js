// Names that all clinics share: of states and cities, and brands of insurance.

/** Other names of states, in English and in Spanish. */
export const OTHER_NAMES = {
  CA: "cali, calif",
  DC: "distrito de columbia, d c, washington dc, washington d c",
  FL: "fla",
  HI: "hawai",
  MO: "misuri",
  MS: "misisipi",
  NC: "carolina del norte",
  ND: "dakota del norte",
  NH: "nuevo hampshire",
  NJ: "nueva jersey, jersey",
  NM: "nuevo mexico",
  NY: "nueva york",
  PA: "pensilvania",
  SC: "carolina del sur",
  SD: "dakota del sur",
  TX: "tex",
  WV: "virginia occidental",
};

/** Cities whose name does not tell the state, and parts of states. */
export const SHARED_CITIES = {
  arlington: "TX VA", aurora: "CO IL", columbia: "SC MO MD", glendale: "AZ CA",
  hollywood: "CA FL", "kansas city": "MO KS", lancaster: "CA PA", pasadena: "CA TX", peoria: "AZ IL", portland: "OR ME",
  rochester: "NY MN", springfield: "IL MA MO OH",
};

/** These ask for a state. */
export const NEAR_ME = `near me, nearby, near here, close to me, around me, around here, nearest, closest, in my area, my area, my city, my town, my state, local, \
cerca de mi, cerca de aqui, por aqui, en mi area, mi zona, mi ciudad, mi estado, cercan*`.split(", ");

/** Where no one can be seen, besides the countries that the browser knows. */
export const ABROAD = "london, londres, toronto, ciudad de mexico, mexico city, madrid, paris, el extranjero".split(", ");

/** Codes in small letters that are words as well, of English, Spanish or a title. */
const WORDS = "al as de gu hi id in la ma md me mi mo ms nd oh ok or pa pr va vi".split(" ");
/** Of these, those that begin phrases after "in" or "en": "en la noche". */
const ARTICLES = "al as de in la me mi or".split(" ");

export const isWord = (code) => WORDS.includes(code);
export const isArticle = (code) => ARTICLES.includes(code);

/** So that "not taken" can be an answer. Before an equals sign is how it is written. */
const BRANDS = `Aetna
Ambetter
Anthem=anthem blue cross
Blue Cross Blue Shield=blue cross and blue shield, bcbs, bluecross blueshield
Blue Cross=cruz azul
Blue Shield of California=blue shield california, blue shield de california, blue shield of ca
Blue Shield
CareFirst
CareSource
CHIP
Cigna
Fidelis Care=fidelis
Florida Blue
Health Net
Healthfirst
Highmark
Horizon Blue Cross
Humana
Independence Blue Cross=ibx
Kaiser Permanente=kaiser
Medi-Cal
Medicaid=medicade
Medicare=medicare advantage, medicare part b
Molina
Obamacare=marketplace insurance
Oscar Health=oscar insurance
Oxford Health
Premera
Providence Health Plan
Regence
Tricare
UnitedHealthcare=united health care, uhc, unitedhealth, united, optum
UPMC
CHAMPVA=va benefits
WellCare`;

export const brands = BRANDS.split("\n").map((row) => {
  const [name, words] = row.split("=");
  return [name, [name.toLowerCase(), ...(words?.split(", ") ?? [])]];
});
