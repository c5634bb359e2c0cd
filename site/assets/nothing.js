// No one fits: which one filter to change, who is closest, and a person to talk to.

import { chosen, midSentence, wordsFor } from "./address.js";
import { moment, row, soonestFirst } from "./cards.js";
import { LOCALE, element, fill, list } from "./dom.js";
import { find } from "./find.js";
import { TEXTS } from "./texts.js";

const CLOSEST = 2;
const ANY = { plan: TEXTS.anyPlan, day: TEXTS.anyDay, part: TEXTS.anyPart, gender: TEXTS.anyGender, type: TEXTS.anyType, language: TEXTS.anyLanguage, visit: TEXTS.anyVisit };

const THE = { plan: TEXTS.thePlan, day: TEXTS.theDay, part: TEXTS.thePart, gender: TEXTS.theGender, type: TEXTS.theType, language: TEXTS.theLanguage, visit: TEXTS.theVisit };
/** If more filters than this stay, none of them is listed. */
const MOST_KEPT = 2;

/** Patients expect the plan to stay, so it isn't listed. */
const isWorthSaying = ({ name }) => name !== "plan";

const help = ({ phone, dial, hours }) => phone && element("aside", { className: "help" }, element("h2", {}, TEXTS.talk), element("p", {}, TEXTS.talkMore),
  element("a", { className: "button", href: `tel:${dial}` }, fill(TEXTS.call, { phone })), hours && element("p", { className: "quiet small" }, hours));

export const nothingFound = async ({ index, wanted, availability, form, own, addressOf, stateNames, whole, away }) => {
  const onLeave = away.length > 0 && element("ul", { className: "people" }, ...away.map((person) => row(person, wanted, stateNames)));
  const fields = chosen(form).filter(([name]) => name !== "state" && name !== own);
  if (fields.length === 0) return { heading: TEXTS.nothing, parts: [help(form.dataset), ...whole] };
  const attempt = async (names, text, field) => {
    const changed = { ...wanted, ...Object.fromEntries(names.map((name) => [name, ""])) };
    const found = await find(index, changed, availability);
    const rows = await found.next(CLOSEST);
    return rows.length > 0 && { changed, text, found, rows, field };
  };
  const single = fields.map(([name, field]) => {
    const others = fields.filter(([other]) => other !== name).map(([, other]) => other);
    const any = ANY[name] ?? fill(TEXTS.without, { words: wordsFor(field) });
    const kept = others.filter(isWorthSaying).map(midSentence);
    return attempt([name], kept.length > 0 && kept.length <= MOST_KEPT ? fill(TEXTS.still, { any, others: list.format(kept) }) : any, field);
  });
  let ways = (await Promise.all(single)).filter(Boolean);
  if (ways.length === 0) {
    const text = wanted.state ? fill(TEXTS.noFilters, { state: stateNames.get(wanted.state) }) : TEXTS.noFiltersAtAll;
    ways = [await attempt(fields.map(([name]) => name), text)].filter(Boolean);
  }
  const rows = ways.map(({ changed, text, found, rows }) => {
    const count = found.total ?? rows.length;
    const { day, time, isNear } = found.first ? moment(found.first) : {};
    const next = time && `${isNear ? day.toLocaleLowerCase(LOCALE) : day}, ${time.replaceAll(" ", "\u00a0")}`;
    return element("li", {}, element("a", { href: addressOf(changed) },
      element("span", {}, element("b", {}, text), element("small", {}, fill(next ? TEXTS.countNext : TEXTS.count, { count, time: next }))),
      element("span", { className: "go" }, fill(TEXTS.see, { count }))));
  });
  const closest = new Map();
  for (const way of ways) {
    const [person, days] = way.rows.find(([{ slug }]) => !closest.has(slug)) ?? [];
    if (person && closest.size < CLOSEST && way.field) closest.set(person.slug, { person, days, way });
  }
  const matches = [...closest.values()].map(({ person, days, way: { changed, field } }) => {
    const differs = fill(TEXTS.except, { what: THE[field.name] ?? `“${wordsFor(field)}”` });
    return row(person, changed, stateNames, { days, differs, level: "h3" });
  });
  const section = (heading, name, items) => items.length > 0 && element("section", { className: "block" }, element("h2", {}, heading), element("ul", { className: name }, ...items));
  const zone = matches.length > 0 && element("p", { className: "quiet small said-found" }, soonestFirst());
  const main = element("div", {}, section(TEXTS.change, "ways", rows), section(TEXTS.closest, "people", matches), zone);
  return { heading: onLeave ? fill(TEXTS.allAway, { count: away.length }) : TEXTS.noOne, parts: [onLeave, element("div", { className: "cols" }, main, help(form.dataset))] };
};
