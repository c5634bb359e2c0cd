// Words that ask for a state, and codes of states.

/** These ask for a state. */
export const NEAR_ME = `near me, nearby, near here, close to me, around me, around here, nearest, closest, in my area, my area, my city, my town, my state, local, \
cerca de mi, cerca de aqui, por aqui, en mi area, mi zona, mi ciudad, mi estado, cercan*`.split(", ");

/** Codes in small letters that are words as well, of English, Spanish or a title. */
const WORDS = "al as de gu hi id in la ma md me mi mo ms nd oh ok or pa pr va vi".split(" ");
/** Of these, those that begin phrases after "in" or "en": "en la noche". */
const ARTICLES = "al as de in la me mi or".split(" ");

export const isWord = (code) => WORDS.includes(code);
export const isArticle = (code) => ARTICLES.includes(code);
