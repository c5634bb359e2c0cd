// No one fits: which one filter to change, who is closest, and a person to talk to.

import { TEXTS } from "./answer-texts.js";
import { chosen, midSentence, needWords, whenWords, wordsFor } from "./address.js";
import { moment, row } from "./cards.js";
import { LOCALE, capitalized, element, fill, fold, isSpanish, list } from "./dom.js";
import { countOf, find, isTimed } from "./find.js";
import { kind, search, takesNew } from "./people.js";
import { small } from "./texts.js";

const CLOSEST = 2;
/** Who lacks more isn't close. */
const MOST_LACKS = 2;
const ANY = { plan: TEXTS.anyPlan, day: TEXTS.anyDay, part: TEXTS.anyPart, gender: TEXTS.anyGender, type: TEXTS.anyType, language: TEXTS.anyLanguage, visit: TEXTS.anyVisit, need: TEXTS.anyNeed };

/** What a heading says of each filter: "No one in Ohio takes Goldenrod PPO and speaks Spanish". */
const DOES = { plan: TEXTS.doesPlan, language: TEXTS.doesLanguage, visit: TEXTS.doesVisit, need: TEXTS.doesNeed };
const NONE = { female: TEXTS.noWomenIn, male: TEXTS.noMenIn };
const WHO = { female: [TEXTS.noWoman, TEXTS.noFemale], male: [TEXTS.noMan, TEXTS.noMale] };
/** "No openings on Sunday morning in Ohio for menopause with a woman who speaks Spanish". */
const FOR = { need: TEXTS.forWords, visit: TEXTS.forVisit, language: TEXTS.withLanguage, gender: TEXTS.withWho, plan: TEXTS.withPlan };
const SOMEONE = { female: TEXTS.aWoman, male: TEXTS.aMan };
/** With more than these, a heading is no longer read. */
const MOST_CAUSES = 3;
const TIMES = ["day", "part"];

const whenIn = (fields) => whenWords(...TIMES.map((time) => fields.find(([name]) => name === time)?.[1]));

/** The cause in words: the filters that no one meets alone, else those whose removal helps, else all. They are true together. */
const cause = (index, wanted, none, fields, helpful, own, state) => {
  const unmet = index.api ? [] : fields.filter(([name]) => !TIMES.includes(name) && search(index, { ...none, [name]: wanted[name] }).length === 0);
  // Of one other filter it is known that its removal helps no one.
  const some = unmet.length > 0 ? unmet : helpful.length > 0 && fields.length - helpful.length === 1 ? helpful : fields;
  const all = [...some, ...own];
  // Of several concerns, those that someone meets aren't the cause.
  const lacking = wanted.need.split(";").filter((need) => !index.api && search(index, { ...none, need }).length === 0).join(";") || undefined;
  const isBoth = !index.api && !lacking && wanted.need.split(";").length === 2;
  const isIn = (names) => all.filter(([name]) => names.includes(name));
  const [anyone, ofType] = (isIn(["gender"]).length > 0 && WHO[wanted.gender]) || [TEXTS.noPerson, TEXTS.noType];
  const isType = isIn(["type"]).length > 0;
  // "Ningún médico" is said of everyone; "médico o médica" would be clumsy.
  const type = isType && lower(kind({ ...wanted, gender: ofType === TEXTS.noFemale ? "female" : "male" }));
  const who = isType ? fill(ofType, { type }) : anyone;
  const does = all.filter(([name]) => ![...TIMES, "type"].includes(name) && !(name === "gender" && WHO[wanted.gender]))
    .map(([name, field]) => fill(name === "need" && isBoth ? TEXTS.doesBoth : DOES[name] ?? TEXTS.doesMatch, { words: name === "need" && lacking ? neither(lacking.split(";")) : midSentence(field) }));
  const when = whenIn(isIn(TIMES));
  const hasMatches = isTimed(index, wanted) && unmet.length === 0 && (index.api || search(index, { ...none, ...Object.fromEntries(all.map(([name]) => [name, wanted[name]])), day: "", part: "" }).length > 0);
  const asked = Object.keys(FOR).filter((name) => isIn([name]).length > 0 && (name !== "gender" || isIn(["language"]).length === 0));
  if (hasMatches && asked.length <= MOST_CAUSES && all.every(([name]) => name in FOR || TIMES.includes(name)) && (!wanted.gender || SOMEONE[wanted.gender])) {
    const who = (isIn(["gender"]).length > 0 && SOMEONE[wanted.gender]) || TEXTS.someone;
    const words = asked.map((name) => fill(FOR[name], { who, words: midSentence(isIn([name])[0][1]) }));
    return fill(state ? TEXTS.noOpeningsIn : TEXTS.noOpenings, { state, when: when || TEXTS.soon, words: words.join(" ") }).trim();
  }
  if (hasMatches) does.push(when ? fill(TEXTS.doesOpen, { words: when }) : TEXTS.doesOpenSoon);
  if (does.length > MOST_CAUSES) return TEXTS.noOne;
  // Who takes a plan that no one takes doesn't depend on anything else.
  if (state && unmet.some(([name]) => name === "plan")) return fill(TEXTS.planNotIn, { plan: wanted.plan, state });
  if (state && unmet.length > 0 && does.length === 0 && !isType && NONE[wanted.gender]) return fill(NONE[wanted.gender], { state });
  if (state && isType && ofType === TEXTS.noType && does.length === 0) return fill(TEXTS.noTypeIn, { type, state });
  return fill(state ? TEXTS.noneIn : TEXTS.none, { who, state, does: list.format(does.length > 0 ? does : [TEXTS.doesSee]) });
};

const LACKS = { plan: TEXTS.lacksPlan, gender: TEXTS.lacksGender, type: TEXTS.lacksType, language: TEXTS.lacksLanguage, visit: TEXTS.lacksVisit, q: TEXTS.lacksWords };
/** If more filters than this stay, none of them is listed. */
const MOST_KEPT = 2;

const anyOf = (name, field) => ANY[name] ?? fill(TEXTS.without, { words: wordsFor(field) });

/** None of several concerns. */
const neither = (needs) => (isSpanish ? needs.map((need) => small(needWords(need))).join(" ni en ") : small(needWords(needs.join("|"))));

/** English begins with the words. */
const onlyWords = (need) => (TEXTS.only.startsWith("{") ? String : small)(needWords(need));

const lower = (text) => text.charAt(0).toLocaleLowerCase(LOCALE) + text.slice(1);

const help = ({ phone, dial, hours }) => phone && element("aside", { className: "help" }, element("h2", {}, TEXTS.talk), element("p", {}, TEXTS.talkMore),
  element("a", { className: "button", href: `tel:${dial}` }, fill(TEXTS.call, { phone })), hours && element("p", { className: "quiet small" }, hours));

export const nothingFound = async ({ index, wanted, availability, form, own, addressOf, stateNames, whole, missing, away }) => {
  const { phone, dial } = form.dataset;
  const onLeave = away.length > 0 && element("ul", { className: "people" }, ...away.map((person) => row(person, wanted, stateNames)));
  const isNamed = ({ name }) => wanted.q && fold(name).includes(fold(wanted.q));
  const closed = index.people.filter((person) => isNamed(person) && !takesNew(person, wanted.state) && !away.includes(person));
  const sought = closed.length > 0 ? closed : search(index, wanted).filter(isNamed);
  const named = closed.length > 0 && element("ul", { className: "people" }, ...closed.map((person) => row(person, wanted, stateNames)));
  // Where a visit's own page offers it to no one, another visit may help.
  const isOffered = index.visits.get(wanted.visit)?.states.has(wanted.state) && (index.api || index.people.some((person) => takesNew(person, wanted.state, wanted.visit)));
  const isOwn = (name) => name === own && (name === "state" || !wanted.state || isOffered);
  const fields = chosen(form).filter(([name]) => name !== "state" && !isOwn(name)).toSorted(([one], [other]) => (one === "q") - (other === "q"));
  if (fields.length === 0) return { heading: TEXTS.nothing, parts: missing.some(Boolean) ? missing : [help(form.dataset), ...whole] };
  const without = (names) => Object.fromEntries(names.map((name) => [name, ""]));
  const attempt = async (change, text, dropped) => {
    const changed = { ...wanted, ...change };
    const found = await find(index, changed, availability);
    const rows = await found.next(CLOSEST);
    return rows.length > 0 && { changed, text, found, rows, dropped };
  };
  const none = { ...wanted, ...without(fields.map(([name]) => name)) };
  /** What someone lacks of the filters that were dropped. */
  const lacksOf = (person, dropped) => {
    const isMissing = ([name]) => index.api || !search(index, { ...none, [name]: wanted[name] }).includes(person);
    const isOfNeed = (need) => index.api || !search(index, { ...none, need }).includes(person);
    const lacks = dropped.filter((field) => ![...TIMES, "need"].includes(field[0]) && isMissing(field))
      .map(([name, field]) => fill(LACKS[name], { kind: kind(person), words: name === "gender" ? lower(field.selectedOptions[0].text) : midSentence(field) }));
    const needs = dropped.some(([name]) => name === "need") ? concerns.filter(isOfNeed) : [];
    const when = dropped.some(([name]) => TIMES.includes(name)) && whenIn(fields);
    const words = [...lacks, needs.length > 0 && fill(TEXTS.lacksNeed, { words: neither(needs) }), when && fill(TEXTS.lacksTime, { words: when })].filter(Boolean);
    return { words: words.join(" · "), facts: words.length, count: words.length + needs.length };
  };
  const single = fields.map(([name, field]) => {
    const others = fields.filter(([other]) => other !== name);
    const any = anyOf(name, field);
    // Patients expect the plan to stay, so it isn't listed.
    const kept = [...others.filter(([other]) => ![...TIMES, "plan"].includes(other)).map(([, other]) => midSentence(other)), whenIn(others)].filter(Boolean);
    return attempt(without([name]), kept.length > 0 && kept.length <= MOST_KEPT ? capitalized(fill(TEXTS.still, { any: lower(any), others: kept.join(", ") })) : any, [[name, field]]);
  });
  const concerns = wanted.need.split(";");
  const ofNeed = fields.filter(([name]) => name === "need");
  const alone = concerns.length > 1 ? concerns.map((need) => attempt({ need }, fill(TEXTS.only, { words: onlyWords(need) }), ofNeed)) : [];
  // Who sees to menopause may be who is meant by "perimenopause".
  const wider = index.interests.filter((name) => !/[;|]/.test(wanted.need) && name !== wanted.need && fold(wanted.need).includes(fold(name)));
  const wide = wider.map((need) => attempt({ need }, needWords(need), ofNeed));
  const [each, helps, others] = await Promise.all([alone, single, wide].map((tries) => Promise.all(tries)));
  // Where one of several concerns may stay, none has to go.
  if (each.some(Boolean)) helps[fields.findIndex(([name]) => name === "need")] = false;
  // No one meets all of several concerns, but each has someone.
  const isEach = each.length > 0 && each.every(Boolean);
  let ways = [...each, ...others, ...helps].filter(Boolean);
  // One of several concerns at another time is closer than none of them.
  const isUnfocused = concerns.length > 1 && ways.every(({ changed }) => !changed.need);
  const unfocused = isUnfocused ? ways.splice(0) : [];
  // Where no single filter helps, several are dropped: first the times, with all concerns but one, and the plan last.
  const isSeveral = ways.length === 0;
  for (const dropped of [["part"], ["day"], TIMES]) {
    const times = fields.filter(([name]) => dropped.includes(name));
    if (!isSeveral || times.length === 0 || ways.length > 0) continue;
    const kept = fields.filter(([name]) => TIMES.includes(name) && !dropped.includes(name));
    const tries = concerns.map((need) => {
      const left = concerns.filter((other) => other !== need);
      const text = [left.length > 0 && fill(TEXTS.only, { words: onlyWords(need) }), ...(times.length > 1 ? [lower(TEXTS.anyWhen)] : times.map(([name, field]) => lower(anyOf(name, field)))), dropped[0] === "part" ? whenIn(kept) : kept.map(([, field]) => midSentence(field)).join()];
      return attempt({ ...without(dropped), need }, capitalized(text.filter(Boolean).join(", ")), [...(left.length > 0 ? ofNeed : []), ...times]);
    });
    ways = (await Promise.all(tries)).filter(Boolean);
  }
  const isLoose = isSeveral && ways.length > 0;
  if (!isLoose) ways.push(...unfocused);
  // Else each is kept alone, the concerns first and the times together; the plan stays.
  const needs = wider.length > 0 ? wider.slice(0, 1) : concerns.filter(Boolean);
  const groups = fields.filter(([name]) => ![...TIMES, "plan", "need"].includes(name)).map((field) => [field]);
  if (fields.some(([name]) => TIMES.includes(name))) groups.push(fields.filter(([name]) => TIMES.includes(name)));
  for (const stay of [["plan"], []]) {
    if (ways.length > 0 || needs.length + groups.length < 2) break;
    const others = (kept) => fields.filter((field) => !kept.includes(field) && !stay.includes(field[0]));
    const alone = (kept, need, words) => attempt({ ...without(others(kept).map(([name]) => name)), ...need }, words, others(kept));
    const tries = [...needs.map((need) => alone([], { need }, needWords(need))), ...groups.map((kept) => alone(kept, {}, capitalized(whenIn(kept) || midSentence(kept[0][1]))))];
    ways = (await Promise.all(tries)).filter(Boolean);
  }
  const isKept = isSeveral && !isLoose && ways.length > 0;
  const isAll = ways.length === 0;
  if (isAll) {
    const text = wanted.state ? fill(TEXTS.noFilters, { state: stateNames.get(wanted.state) }) : TEXTS.noFiltersAtAll;
    ways = [await attempt(without(fields.map(([name]) => name)), text, fields)].filter(Boolean);
  }
  const rows = ways.map(({ changed, text, found, rows }) => {
    const count = countOf(found, rows);
    const { short, time, isNear } = found.first ? moment(found.first) : {};
    const next = time && `${isNear ? short.toLocaleLowerCase(LOCALE) : short}, ${time}`.replaceAll(" ", "\u00a0");
    return element("li", {}, element("a", { href: addressOf(changed) },
      element("span", {}, element("b", {}, text), element("small", {}, fill(next ? TEXTS.countNext : TEXTS.count, { count, time: next }))),
      element("span", { className: "go" }, TEXTS.see)));
  });
  // Others don't resemble the one who was asked for. The first of each way come before the second ones.
  const isCandidate = ([person]) => sought.length === 0 || sought.includes(person);
  const candidates = Array.from({ length: CLOSEST }, (_, at) => ways.flatMap(({ rows, changed, dropped }) =>
    rows.filter(isCandidate).slice(at, at + 1).map(([person, days]) => ({ person, days, changed, lacks: lacksOf(person, dropped) })))).flat();
  const byLacks = candidates.filter(({ lacks }) => lacks.facts <= MOST_LACKS).toSorted((one, other) => one.lacks.count - other.lacks.count);
  const closest = byLacks.filter(({ person }, at) => byLacks.findIndex((other) => other.person === person) === at).slice(0, CLOSEST);
  const matches = closest.map(({ person, days, changed, lacks }) => row(person, changed, stateNames, { days, differs: lacks.words, level: "h3" }));
  const section = (heading, name, items) => items.length > 0 && element("section", { className: "block" }, element("h2", {}, heading), element("ul", { className: name }, ...items));
  const call = phone && element("p", { className: "call-first" }, element("a", { className: "tap", href: `tel:${dial}` }, fill(TEXTS.call, { phone })));
  const main = element("div", {}, call, section(isLoose ? TEXTS.changeMore : isKept ? TEXTS.keep : isSeveral ? TEXTS.changeAll : isEach ? TEXTS.changeNeed : TEXTS.change, "ways", rows), section(TEXTS.closest, "people", matches));
  const heading = onLeave ? fill(TEXTS.allAway, { count: away.length }) : sought.length > 0 ? fill(TEXTS.noneWith, { name: list.format(sought.map(({ name }) => name)), when: whenIn(fields) }).trim()
    : isEach ? fill(wanted.state ? TEXTS.eachIn : TEXTS.each, { state: stateNames.get(wanted.state), each: list.format(each.map(({ found, rows }, at) => fill(TEXTS.forNeed, { count: countOf(found, rows), words: small(needWords(concerns[at])) }))) })
    : cause(index, wanted, none, fields, fields.filter((_, at) => helps[at]), chosen(form).filter(([name]) => name === "visit" && isOwn(name)), wanted.state && stateNames.get(wanted.state));
  return { heading, parts: [onLeave, named, ...missing, element("div", { className: "cols" }, main, help(form.dataset))] };
};
