// The page's sentences in its language: the build writes a module for each language of the site, from its table of
// texts. A text of two forms, `one|many`, is chosen by `count`.

import { LOCALE, fill, format, place, zone } from "./dom.js";

export const tableOf = async (page) => (await import(`./texts/${document.documentElement.lang}${page}.js`)).default;
const texts = await tableOf("");
export const { search: TEXTS } = texts;
/** Those that only a clinician's page has. */
export const PROFILE_TEXTS = document.getElementById("profile") && await tableOf("-profile");

/** Zones that people call by their state: their own names say "Standard". */
const ZONES = { "America/Phoenix": TEXTS.arizonaTime, "Pacific/Honolulu": TEXTS.hawaiiTime };
/** What the zone is called all year: "Pacific Time", in Spanish as people in the United States say it. */
export const generic = (moment) => {
  const name = format({ timeZoneName: "longGeneric" }).formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value ?? zone;
  return ZONES[zone] ?? name.replace(/oriental$/, "del Este").replace(/central$/, "del Centro").replace(/de las M.*s$/, "de la Montaña");
};
/** Of another place "Texas time (Central Time)". */
export const zoneName = (moment) => {
  const name = generic(moment);
  return place && !name.includes(place) ? fill(TEXTS.zoneIn, { state: place, zone: name }) : name;
};

/** The names of states in the page's language, by code; none in English, in which pages and the API have them. */
export const { states: STATES } = texts;

/** A state's name, also if it isn't served, such as "nv". */
export const aboutState = async (code) => {
  const known = code.toUpperCase();
  const { states, served } = await fetch("/assets/sentence.json").then((response) => response.json()).catch(() => ({}));
  return { name: STATES[known] ?? states?.[known] ?? code, isServed: !states?.[known] || served.split(" ").includes(known) };
};

/** Why a list is empty, in the API's words. They are English, so only English pages show them. */
export const why = (reason) => (document.documentElement.lang === "en" && reason && !["NO_MATCH", "NOTHING_OPEN", "PROVIDER_ON_LEAVE"].includes(reason.code) ? reason.message : undefined);

/** The language of texts of the clinic's own files, as a property of their element, if it is not the page's. */
const WRITTEN = texts.written ? { lang: texts.written } : {};

/** An interest in the page's language, if it is translated. Its own name stays in addresses. */
export const said = (interest) => texts.content?.[interest] ?? interest;
/** Peoples, who have capitals in English. */
const PROPER = /^(?:Afr|Arab|Asian|Black |Carib|Hispanic|Indigenous|Jew|Latin[aox]|Muslim|Native )/;
/** An interest within a sentence. Names keep their capitals; in Spanish, "Salud LGBTQ+" begins with none. */
export const small = (words) => (/[\p{Lu}'’]/u.test((LOCALE.language === "es" ? words.split(" ")[0] : words).replace(/^(Wom|M)en/, "").slice(1)) || PROPER.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1));
export const languageOf = (interest) => (interest in (texts.content ?? {}) ? {} : WRITTEN);
