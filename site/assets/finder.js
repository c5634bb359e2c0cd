// The search on the lists of clinicians: it shows the results in the list's place, with each clinician's next open
// times.
//
// The clinicians are filtered here (people.js); the times are requested once (openings.js). For a clinic too large for
// that, the API is asked for both (remote.js). Without this script the page shows its list, with links by state, plan
// and visit. The page of a state, plan or visit gives that field; when it is changed, the search continues on the page
// of all clinicians.

import { addDays, chosen, clear, queryOf, read, set, wantedOf, wordsFor } from "./address.js";
import { card, moment, profile } from "./cards.js";
import { BASE, carry, element, fill, list as joined, zoneName } from "./dom.js";
import { earliest, openings } from "./openings.js";
import { load, search, takesNew } from "./people.js";
import { TEXTS, why } from "./texts.js";
import { understand } from "./words.js";

const form = document.getElementById("finder");
const notice = document.getElementById("notice");
const found = document.getElementById("found");
const list = document.getElementById("list");
const browse = document.getElementById("browse");
const { source, availability, contact, phone, own = "" } = form.dataset;
const whole = [...list.childNodes];
const stateNames = new Map([...form.elements.state.options].map(({ value, text }) => [value, text]));
const ON_A_PAGE = 30;

const button = (text, act, className = "button plain") => {
  const made = element("button", { type: "button", className }, text);
  made.addEventListener("click", act);
  return made;
};

const call = () => (phone
  ? element("p", {}, element("a", { href: `tel:${phone}` }, fill(TEXTS.help, { contact })))
  : element("p", {}, fill(TEXTS.help, { contact })));

/** The cards, those who take new patients first, thirty at a time. */
const people = (matches, wanted, timesOf) => {
  const made = (match) => card(match, wanted, stateNames, timesOf(match));
  const isOpen = (match) => takesNew(match, wanted.state);
  const parts = [matches.filter(isOpen), matches.filter((match) => !isOpen(match))];
  const shown = [];
  let left = ON_A_PAGE;
  for (const [at, part] of parts.entries()) {
    if (part.length === 0 || left <= 0) continue;
    const heading = at === 1 && parts[0].length > 0 && wanted.state && element("h3", { className: "part" }, fill(TEXTS.others, { state: stateNames.get(wanted.state) }));
    if (heading) shown.push(heading);
    shown.push(element("ul", { className: "people" }, ...part.slice(0, left).map(made)));
    left -= part.length;
  }
  if (matches.length <= ON_A_PAGE) return shown;
  const ordered = parts.flat();
  let count = ON_A_PAGE;
  const said = element("span", { className: "quiet" }, fill(TEXTS.shown, { shown: count, count: matches.length }));
  const rest = element("ul", { className: "people" });
  const more = button(TEXTS.more, () => {
    const next = ordered.slice(count, count + ON_A_PAGE).map(made);
    count += next.length;
    rest.append(...next);
    carry(rest, wanted);
    next[0].querySelector("a").focus();
    said.textContent = fill(TEXTS.shown, { shown: count, count: matches.length });
    if (count >= matches.length) more.remove();
  });
  return [...shown, rest, element("p", { className: "actions" }, more, said)];
};

const blank = (wanted) => Object.fromEntries(Object.keys(wanted).map((name) => [name, ""]));

/** The parts of an empty result: which single filter to leave out, the next open time, and the telephone. */
const deadEnd = async (index, wanted, reason) => {
  const remote = index.api && await import("./remote.js");
  const countOf = (wanted) => (remote ? remote.count(index, wanted) : search(index, wanted).length);
  const fields = chosen(form).filter(([name]) => name !== own);
  const possible = await Promise.all(fields.map(async ([name, field]) => {
    const without = { ...wanted, [name]: "" };
    const isTime = name === "when" || name === "evening";
    // Whether a clinician has a time without another filter is not known here.
    const count = isTime === (reason !== undefined) ? await countOf(without) : 0;
    const text = isTime ? TEXTS.anyTime : TEXTS.without;
    return count > 0 && { text: fill(text, { count, filter: wordsFor(field) }), names: isTime ? ["when", "evening"] : [name] };
  }));
  const offers = possible.filter((offer, at, all) => offer && all.findIndex((other) => other && other.text === offer.text) === at);
  const isSeveral = offers.length === 0 && fields.length > 1;
  if (isSeveral && wanted.state && own !== "state") {
    const count = await countOf({ ...blank(wanted), state: wanted.state });
    const names = fields.map(([name]) => name).filter((name) => name !== "state");
    if (count > 0) offers.push({ text: fill(TEXTS.only, { count, filter: wordsFor(form.elements.state) }), names });
  }
  const act = (names) => () => {
    for (const name of names) clear(form.elements[name]);
    look();
  };
  const buttons = offers.map(({ text, names }) => button(text, act(names)));
  const parts = [];
  if (why(reason)) parts.push(element("p", {}, why(reason)));
  if (wanted.q && await countOf({ ...blank(wanted), q: wanted.q }) === 0) parts.push(element("p", {}, fill(TEXTS.unknown, { words: wanted.q })));
  if (isSeveral) parts.push(element("p", {}, TEXTS.several));
  if (reason !== undefined) {
    const slot = await earliest(availability, wanted).catch(() => undefined);
    const person = slot && (remote ? await remote.profile(index, slot.providerSlug).catch(() => undefined) : index.people.find(({ slug }) => slug === slot.providerSlug));
    if (person) parts.push(element("p", {}, element("a", { href: profile(person, wanted, slot.startTime) }, fill(TEXTS.nextOpen, { time: moment(slot.startTime), name: person.name }))));
  }
  buttons.push(button(TEXTS.clear, act(fields.map(([name]) => name))));
  return [element("div", { className: "dead-end panel" }, ...parts, element("p", { className: "actions" }, ...buttons), call())];
};

const show = (sentence, parts, wanted) => {
  found.textContent = sentence;
  // On paper there is no form that says what was asked for.
  list.dataset.asked = chosen(form).filter(([name]) => name !== own).map(([, field]) => wordsFor(field)).join(" · ");
  list.replaceChildren(...parts);
  carry(document.getElementById("main"), wanted);
};

/** The sentences about times: whom the visit is for, their zone, and their age. */
const aboutTimes = (visit, first, staleSince) => [
  visit && !visit.open && TEXTS.reserved,
  first && fill(TEXTS.zone, { zone: zoneName(new Date(first)) }),
  staleSince && fill(TEXTS.stale, { time: moment(staleSince) }),
].filter(Boolean);

/** Shows the clinicians who fit, then their times. If a time is asked for, only those who have one fit. */
const results = async (index, wanted, isCurrent) => {
  const matches = search(index, wanted);
  const isTimed = Boolean(wanted.when || wanted.evening);
  const visit = index.visits.get(wanted.visit);
  // Visits for current patients don't depend on new ones.
  const mayBook = (person) => visit?.open === false || takesNew(person, wanted.state);
  const count = fill(TEXTS.found, { count: matches.length });
  if (matches.length === 0) {
    const parts = await deadEnd(index, wanted);
    if (isCurrent()) show(TEXTS.nobody, parts, wanted);
    return;
  }
  if (!wanted.state || visit?.video === false) {
    const why = visit?.video === false ? TEXTS.byMessage : TEXTS.noState;
    show(`${count} ${why}`, people(matches, wanted, () => undefined), wanted);
    return;
  }
  if (isTimed || isFirst) found.textContent = TEXTS.looking;
  else show(`${count} ${TEXTS.looking}`, people(matches, wanted, (person) => (mayBook(person) ? "…" : undefined)), wanted);
  let answer;
  try {
    answer = await openings(availability, wanted);
  } catch {
    if (isCurrent()) show(`${count} ${fill(TEXTS.noTimes, { contact })}`, people(matches, wanted, () => undefined), wanted);
    return;
  }
  if (!isCurrent()) return;
  const { times, isCut, reason, staleSince } = answer;
  const bySlug = new Map(matches.map((match) => [match.slug, match]));
  const fitting = isTimed ? [...times.keys()].map((slug) => bySlug.get(slug)).filter(Boolean) : matches;
  if (fitting.length === 0) {
    const parts = await deadEnd(index, wanted, reason ?? null);
    if (isCurrent()) show(TEXTS.nobodyOpen, parts, wanted);
    return;
  }
  const [first] = [...times.values()].flat();
  const said = [fill(isTimed ? TEXTS.foundOpen : TEXTS.found, { count: fitting.length })];
  said.push(...aboutTimes(visit, first, staleSince));
  if (isTimed && isCut) said.push(fill(TEXTS.cut, { count: fitting.length }));
  // A clinician who is not in a cut answer may still have times.
  const none = isCut ? undefined : [];
  const timesOf = (person) => (mayBook(person) ? times.get(person.slug) ?? none : undefined);
  show(said.join(" "), people(fitting, wanted, timesOf), wanted);
};

/** The sentences about the API's answer. */
const aboutAnswer = (index, wanted, answer, people) => {
  const { open, total, isByTime, isTimed } = answer;
  const visit = index.visits.get(wanted.visit);
  const isSome = total === undefined && answer.hasMore();
  const count = isSome ? TEXTS.foundSome : isByTime ? (open.isCut ? TEXTS.firstOpen : TEXTS.foundOpen) : TEXTS.found;
  const said = [fill(count, { count: total ?? people.length })];
  if (visit && !isTimed) said.push(fill(TEXTS.visitUnknown, { visit: wordsFor(form.elements.visit) }));
  if (visit?.video === false) said.push(TEXTS.byMessage);
  else if (!wanted.state) said.push(TEXTS.noState);
  if (open === null) said.push(fill(TEXTS.noTimes, { contact }));
  said.push(...aboutTimes(isTimed && visit, people.flatMap(([, times]) => times ?? [])[0], open?.staleSince));
  return said.join(" ");
};

/** The cards, with a button for the next ones, and a link to all clinicians in the state. */
const listed = (answer, people, wanted) => {
  const made = ([person, times]) => card(person, wanted, stateNames, times);
  const rows = element("ul", { className: "people" }, ...people.map(made));
  const said = element("span", { className: "quiet", role: "status" });
  const tellHowMany = () => {
    if (answer.total !== undefined) said.textContent = fill(TEXTS.shown, { shown: rows.children.length, count: answer.total });
  };
  const more = button(TEXTS.more, async () => {
    more.disabled = true;
    try {
      const next = (await answer.next()).map(made);
      rows.append(...next);
      carry(rows, wanted);
      next[0]?.querySelector("a").focus();
      tellHowMany();
    } catch {
      said.textContent = fill(TEXTS.down, { contact });
    }
    more.disabled = false;
    if (!answer.hasMore()) more.remove();
  });
  tellHowMany();
  const parts = [rows, answer.hasMore() && element("p", { className: "actions" }, more, said)];
  const everybody = wanted.state && own !== "state" && element("a", { href: `${BASE}/states/${wanted.state.toLowerCase()}` }, fill(TEXTS.inState, { state: stateNames.get(wanted.state) }));
  return [...parts, everybody && element("p", {}, everybody)].filter(Boolean);
};

/** Shows the results of a clinic whose index has no clinicians: the API finds them. */
const askedResults = async (index, wanted, isCurrent) => {
  found.textContent = TEXTS.looking;
  try {
    const { find } = await import("./remote.js");
    const answer = await find(index, wanted, availability);
    const isWhole = own === "state" && queryOf(wanted, own) === "";
    if (isWhole && !answer.isByTime) {
      if (isCurrent()) show(answer.open === null ? fill(TEXTS.noTimes, { contact }) : "", whole, wanted);
      return;
    }
    const people = await answer.next();
    const isNobody = people.length === 0 && !answer.hasMore();
    const isOfTimes = answer.isTimed && Boolean(wanted.when || wanted.evening) && answer.open.reason?.code !== "NO_MATCH";
    const parts = isNobody ? await deadEnd(index, wanted, isOfTimes ? answer.open.reason ?? null : undefined) : listed(answer, people, wanted);
    if (!isCurrent()) return;
    const nobody = isOfTimes ? TEXTS.nobodyOpen : TEXTS.nobody;
    show(isNobody ? nobody : aboutAnswer(index, wanted, answer, people), isWhole ? [...parts, ...whole] : parts, wanted);
  } catch {
    if (!isCurrent()) return;
    show(fill(TEXTS.down, { contact }), whole, wanted);
    if (browse) browse.hidden = false;
  }
};

let isFirst = true;
let asked = 0;
async function look() {
  const turn = ++asked;
  const wanted = wantedOf(form);
  const isElsewhere = own && wanted[own] !== form.elements[own].dataset.given;
  if (isElsewhere) {
    location.assign(`${form.getAttribute("action")}?${queryOf(wanted)}`);
    return;
  }
  sumUp();
  const query = queryOf(wanted, own);
  history.replaceState(null, "", query ? `?${query}` : location.pathname);
  if (browse) browse.hidden = query !== "";
  carry(document.getElementById("main"), wanted);
  // The page of a state shows its list with times from the beginning.
  if (!query && own !== "state") {
    show("", whole, wanted);
    return;
  }
  try {
    const index = await load(source);
    await (index.api ? askedResults : results)(index, wanted, () => turn === asked);
  } catch {
    if (turn === asked) show(TEXTS.failed, whole, wanted);
  }
  isFirst = false;
}

/** Sets the fields that the typed text names; returns a sentence that lists them. */
const interpret = async () => {
  const index = await load(source).catch(() => ({ words: new Set(), phrases: [] }));
  const { fields, rest } = understand(form.elements.q.value, form, index);
  const named = Object.entries(fields).filter(([name, value]) => set(form.elements[name], value));
  if (named.length === 0) return [];
  form.elements.q.value = rest;
  return [fill(TEXTS.understood, { filters: joined.format(named.map(([name]) => wordsFor(form.elements[name]))) })];
};

const tell = (sentences) => notice.replaceChildren(...sentences.map((sentence) => element("p", {}, sentence)));

addDays(form);
if (own) form.elements[own].dataset.given = form.elements[own].value;
const isAsked = location.search !== "";
const gone = read(form);
const more = form.querySelector("details");
const summary = more.querySelector("summary");
const nameOfMore = summary.textContent;

/** Shows in the summary what is chosen among the fields that are folded away. */
const sumUp = () => {
  const names = chosen(form).filter(([name, field]) => more.contains(field) && name !== own).map(([, field]) => wordsFor(field));
  summary.textContent = names.length > 0 ? `${nameOfMore}: ${names.join(" · ")}` : nameOfMore;
};

const begin = async () => {
  const understood = form.elements.q.value ? await interpret() : [];
  tell([...gone, ...understood]);
  if (isAsked || own) await look();
};
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  tell(form.elements.q.value ? await interpret() : []);
  look();
});
form.addEventListener("change", ({ target }) => {
  if (target.name !== "q") {
    tell([]);
    look();
  }
});
form.elements.q.addEventListener("input", ({ target }) => {
  if (target.value === "") look();
});
form.addEventListener("focusin", () => load(source).catch(() => {}), { once: true });
begin();
