// The search on the lists of clinicians: who has openings, the soonest first, each with a table of them.
//
// The clinicians are filtered here (people.js), and the API gives the openings (openings.js). For a clinic too large for
// that, the API is asked for both (remote.js). Without this script the page shows its list, with links by state. The page
// of a state or visit gives that field; when it is changed, the search continues on the page of all clinicians.

import { chosen, midSentence, queryOf, read, set, wantedOf, whenWords, wordsFor } from "./address.js";
import { nextOf, row, soonestFirst, upcoming, whoseClock } from "./cards.js";
import { BASE, capitalized, carry, element, fill, fold, format, useZoneOf, zoneOf } from "./dom.js";
import { countOf, find, isTimed } from "./find.js";
import { load, search, takesNew } from "./people.js";
import { TEXTS, small } from "./texts.js";

const root = document.documentElement;
const [form, ask, notice, title, found, about, list, said, chips] = ["finder", "ask", "notice", "title", "found", "about", "list", "said", "chips"].map((id) => document.getElementById(id));
const { source, availability, contact, phone, dial, own = "" } = form.dataset;
const { state: stateField, visit: visitField, q: words } = form.elements;
const whole = [...list.childNodes];
const nothingAsked = about.textContent;
const titled = document.title;
const stateNames = new Map([...stateField.options].map(({ value, text }) => [value, text]));
const clock = format({ hour: "numeric", minute: "2-digit" });
const ON_A_PAGE = 10;
const INTERESTS_OFFERED = 3;
const TIMES = ["day", "part"];

/** The address of a search: on this page, unless its path gives something else. */
const addressOf = (wanted) => {
  const isHere = !own || wanted[own] === form.elements[own].dataset.given;
  const query = queryOf(wanted, isHere && own);
  return `${isHere ? location.pathname : `${BASE}/clinicians`}${query ? `?${query}` : ""}`;
};

/** The search in a line and in chips: the chosen filters, which are removed by their links, then some to add. */
const sumUp = (wanted, index) => {
  const state = stateField.value ? stateNames.get(stateField.value) : TEXTS.anyState;
  // A visit's page has its name above.
  said.textContent = own === "visit" ? state : `${state} · ${visitField.selectedOptions[0].text}`;
  // Where the chips have no room, the line has their words.
  said.dataset.words = [state, ...chosen(form).filter(([name]) => name !== "state").map(([, field]) => midSentence(field))].join(" · ");
  const link = (name, value, className) => {
    const field = form.elements[name];
    const does = element("span", { className: "unseen" }, `${className ? TEXTS.remove : TEXTS.add} `);
    return element("li", {}, element("a", { href: addressOf({ ...wanted, [name]: className ? "" : value }), className }, does, (name === "day" ? capitalized : String)(wordsFor(field, value))));
  };
  const on = chosen(form).filter(([name]) => !["state", "visit"].includes(name)).map(([name, { value }]) => link(name, value, "on"));
  const isTimeless = isByMessage(index, wanted);
  const offered = index && !isOnlyAnswered() ? [["part", "evening"], ["day", "sat,sun"], ["gender", "female"], ...interests(index).map((name) => ["q", name]), ["language", "Spanish"]] : [];
  const sought = [wanted.q, ...wanted.need.split(/[;|]/)].map(fold);
  const isOffered = ([name, value]) => (name === "q" ? !wanted.q && !sought.includes(fold(value)) : !wanted[name] && !(isTimeless && TIMES.includes(name)) && [...form.elements[name].options].some((option) => option.value === value));
  chips.replaceChildren(...on, ...offered.filter(isOffered).map(([name, value]) => link(name, value, "")));
  fade();
};

/** Chips fade out where there are more of them. */
const fade = () => chips.classList.toggle("cut", chips.scrollWidth - chips.clientWidth - Math.abs(chips.scrollLeft) > 1);

/** A visit by message has no times to filter. */
const isByMessage = (index, { visit }) => index?.visits.get(visit)?.video === false;

/** Of the states, those where the chosen visit is offered. */
const offer = (index) => {
  const held = index.visits.get(visitField.value)?.states;
  for (const option of stateField.options) option.hidden = Boolean(held && option.value && !held.has(option.value));
};

/** The commonest interests. */
const interests = ({ people, interests }) => {
  const count = new Map(interests.map((name) => [name, 0]));
  for (const name of people.flatMap((person) => person.interests)) count.set(name, count.get(name) + 1);
  return [...count].toSorted(([, one], [, other]) => other - one).slice(0, INTERESTS_OFFERED).map(([name]) => name);
};

/** Whether the typed text tells of a danger. What to do at once is said first, and the list waits until it is opened. */
const isDanger = (kind = "") => Boolean(notice.querySelector(`.danger${kind}`));

/** A question that is answered asks for no one. */
const isOnlyAnswered = () => isAnswered && !Object.values(named).some(Boolean);
const isHeaded = () => Boolean(headline) && headline !== idle();
const idle = () => title.querySelector(".idle").textContent;
const show = (counted, sentences, parts, wanted) => {
  const isBelow = Boolean(counted && headline);
  const heading = isDanger(".menopause") ? TEXTS.checkSoon : isDanger() ? TEXTS.helpFirst : isBelow || isHeaded() ? headline : counted;
  document.title = heading ? heading + titled.slice(titled.lastIndexOf(" · ")) : titled;
  title.querySelector(".busy").textContent = heading;
  found.textContent = heading;
  about.textContent = sentences.filter(Boolean).join(" ");
  // On paper there is no form that says what was asked for.
  about.dataset.asked = chosen(form).map(([, field]) => wordsFor(field)).join(" · ");
  about.dataset.printed = `${fill(TEXTS.printed, { date: format({ dateStyle: "full" }).format() })} · ${TEXTS.all}: ${location.href}`;
  // What was asked for can't be had: the list isn't the answer. Beside an answer or another "no" it isn't another option.
  const isOther = isRefusal && !parts.some((part) => part?.className === "cols");
  const made = [isBelow && !isDanger() && element("h2", {}, isOther ? fill(TEXTS.instead, { heading: small(counted) }) : counted), ...parts].filter(Boolean);
  list.replaceChildren(...(isDanger(".taken") ? [] : isDanger() && counted ? [element("details", { className: "aside" }, element("summary", {}, counted), ...made)] : made));
  // The height that was kept for it would be left empty.
  list.classList.toggle("short", isDanger() || list.querySelectorAll(".who").length < 3);
  carry(list, wanted);
};

const button = (text, act) => {
  const made = element("button", { type: "button", className: "button plain" }, text);
  made.addEventListener("click", act);
  return made;
};

/** The rows, with a button for the next ones. */
const listed = (answer, rows, wanted, added) => {
  const made = ([person, days]) => row(person, wanted, stateNames, { days });
  const people = element("ul", { className: "people" }, ...rows.map(made));
  const how = element("span", { className: "quiet small", role: "status" });
  const tell = () => (how.textContent = answer.total === undefined ? "" : fill(TEXTS.shown, { shown: people.children.length, count: answer.total }));
  const more = button(TEXTS.more, async () => {
    more.disabled = true;
    try {
      const next = (await answer.next(ON_A_PAGE)).map(made);
      people.append(...next);
      carry(people, wanted);
      added();
      next[0]?.querySelector("a").focus();
      tell();
    } catch {
      how.textContent = fill(TEXTS.tryAgain, { contact });
    }
    more.disabled = false;
    if (!answer.hasMore()) more.remove();
  });
  tell();
  return [people, answer.hasMore() && element("p", { className: "actions" }, more, how)];
};

/** Those who fit, but have no openings. */
const closed = (others, text, wanted) => {
  if (others.length === 0) return false;
  return element("details", { className: "aside" }, element("summary", {}, fill(text, { count: others.length, plan: wanted.plan })),
    element("ul", { className: "people" }, ...others.map((person) => row(person, wanted, stateNames))));
};

const withoutTimes = (text, people, wanted) => people.length > 0 && element("section", { className: "block" }, element("h2", {}, fill(text, { count: people.length })),
  element("ul", { className: "people" }, ...people.map(([person, differs]) => row(person, wanted, stateNames, { differs, level: "h3" }))), phone && element("p", { className: "actions" }, callLink()));

/** Those whose openings can't be read, and those who are booked up, who would otherwise seem not to be there; and the phone: someone may cancel. */
const missing = ({ unread = [] }, full, wanted) => [
  withoutTimes(TEXTS.notReadable, unread.map((person) => [person]), wanted),
  withoutTimes(TEXTS.full, full.map(([person, slot]) => [person, slot === null ? TEXTS.nothing : nextOf(slot, person)]), wanted),
];

const callLink = (className = "button plain") => element("a", { className, href: `tel:${dial}` }, fill(TEXTS.call, { phone }));

/** Only some searches need it. */
const places = () => import("./places.js");

/** A visit by message is begun on the phone. */
const toWrite = (index, wanted) => isByMessage(index, wanted) && phone && element("p", { className: "actions" }, callLink("button"), form.dataset.hours);

/** Before a state is chosen, each row has the next opening, and the page says whose clock it is by. */
const tellNext = async (index, wanted, isCurrent) => {
  const isKnown = await upcoming(index, availability, wanted, list);
  if (isKnown && isCurrent() && !about.textContent.endsWith(`${whoseClock()}.`)) about.textContent = `${about.textContent} ${whoseClock()}.`.trim();
};

const failed = (index, wanted, isNever) => {
  const newFirst = (one, other) => takesNew(other, wanted.state) - takesNew(one, wanted.state);
  const rows = index?.people.length > 0 ? [element("ul", { className: "people" }, ...search(index, wanted).toSorted(newFirst).map((person) => row(person, wanted, stateNames)))] : whole;
  const ways = element("p", { className: "actions" }, ...[!isNever && button(TEXTS.retry, () => look()), phone && callLink()].filter(Boolean));
  show(isNever ? TEXTS.notOnline : TEXTS.noTimes, [isNever ? !phone && fill(TEXTS.askTimes, { contact }) : fill(TEXTS.tryAgain, { contact })], [ways, ...rows], wanted);
};

const results = async (index, wanted, isCurrent) => {
  const answer = await find(index, wanted, availability);
  const [rows, full] = await Promise.all([answer.next(ON_A_PAGE), answer.full()]);
  if (rows.length === 0 && !answer.hasMore()) {
    const { nothingFound } = await import("./nothing.js");
    const { heading, parts } = await nothingFound({ index, wanted, availability, form, own, addressOf, stateNames, whole, missing: missing(answer, full, wanted), away: answer.away });
    if (!isCurrent()) return;
    sumUp(wanted);
    show(answer.unread?.length > 0 ? TEXTS.noTimes : heading, [wanted.state && isTimed(index, wanted) && `${whoseClock()}.`], parts, wanted);
    return;
  }
  const where = !wanted.state && (await places()).whereTo(index, wanted, stateField, addressOf);
  if (!isCurrent()) return;
  const count = countOf(answer, rows);
  const state = stateNames.get(wanted.state);
  const isUnchecked = !wanted.state && Boolean(wanted.day || wanted.part);
  const counted = isUnchecked ? TEXTS.noStateTimes : answer.isTimed ? TEXTS.openings : TEXTS.matches;
  const when = answer.isTimed && whenWords(form.elements.day, form.elements.part);
  const [[{ name }]] = rows;
  // Who was asked for by name is the answer.
  const says = counted === TEXTS.openings && count === 1 && name === wanted.q ? TEXTS.personOpenings : counted;
  const heading = answer.total === undefined ? TEXTS.someOpenings : [fill(says, { name, count, state }), when].filter(Boolean).join(" ");
  const hasNext = !wanted.state && !isUnchecked;
  const more = hasNext ? () => tellNext(index, wanted, isCurrent) : () => {};
  const visit = index.visits.get(wanted.visit);
  // Where new patients are seen matters to no one who is a patient already.
  list.classList.toggle("current-only", visit?.open === false);
  show(heading, [
    !wanted.state && !isUnchecked && !isByMessage(index, wanted) && TEXTS.noState,
    isByMessage(index, wanted) ? fill(TEXTS.byMessage, { contact }) : visit?.open === false && TEXTS.reserved,
    answer.isTimed && soonestFirst(),
    answer.staleSince && fill(TEXTS.stale, { time: clock.format(new Date(answer.staleSince)) }),
  ], [where, toWrite(index, wanted), ...listed(answer, rows, wanted, more), ...missing(answer, full, wanted), closed(answer.others, wanted.plan && wanted.state ? TEXTS.othersPlan : TEXTS.others, wanted), closed(answer.away, TEXTS.othersAway, wanted)], wanted);
  more();
  // A profile leads back to this list.
  const back = fill(wanted.state ? TEXTS.countIn : TEXTS.count, { count, state });
  try {
    sessionStorage.setItem("search", JSON.stringify({ href: location.pathname + location.search, words: back, state: wanted.state, plan: wanted.plan }));
  } catch {
    // Storage may be switched off.
  }
};

const pageOf = () => location.href.split("#")[0];
let here = "";
let turns = 0;
let gone = [];
/** What was typed, the words of it that are looked for, a heading, and whether it says that something can't be had. */
let [typed, sought, headline, isRefusal] = ["", "", "", false];
/** The fields that the typed text names. */
let named = {};
let isAnswered = false;
async function look({ isNew = false } = {}) {
  const turn = ++turns;
  here = pageOf();
  let wanted = wantedOf(form);
  useZoneOf(stateField.selectedOptions[0]);
  const query = queryOf(wanted, own);
  const unknownPlan = gone.find(({ name }) => name === "plan");
  const isAsked = Boolean(query || own === "state" || unknownPlan);
  root.classList.toggle("asked", isAsked || isDanger() || isHeaded());
  ask.open = !isAsked && own !== "visit" && !isAnswered;
  sumUp(wanted);
  carry(document.getElementById("main"), wanted);
  if (isAsked) {
    about.textContent = TEXTS.looking;
    list.replaceChildren();
  }
  root.classList.add("ready");
  let index;
  try {
    index = await load(source);
    if (turn !== turns) return;
    if (isByMessage(index, wanted) && (wanted.day || wanted.part)) {
      for (const name of TIMES) form.elements[name].value = "";
      wanted = wantedOf(form);
      history.replaceState(history.state, "", addressOf(wanted));
    }
    sumUp(wanted, index);
    offer(index);
    if (unknownPlan) {
      const { plansInstead } = await places();
      if (turn === turns) show(unknownPlan.text, [], plansInstead(index, wanted, form.elements.plan, stateNames, addressOf), wanted);
    } else if (isAsked) await results(index, wanted, () => turn === turns);
    // A question that is answered asks for no one.
    else show("", [isByMessage(index, wanted) ? fill(TEXTS.byMessage, { contact }) : nothingAsked], [toWrite(index, wanted), ...(isAnswered ? [element("p", { className: "actions" }, phone && !isDanger() && !isByMessage(index, wanted) && callLink("button"), element("a", { className: "more-link", href: `${BASE}/clinicians` }, TEXTS.noFiltersAtAll))] : whole)], wanted);
    if (!isAsked && index.visits.get(wanted.visit)?.open === false) places().then(({ tellStates }) => turn === turns && tellStates(index, wanted, list, stateNames));
    if (!isAsked && !isAnswered) tellNext(index, wanted, () => turn === turns);
  } catch (error) {
    if (turn === turns) failed(index, wanted, error.isNever);
  }
  if (isNew && turn === turns) (notice.querySelector(".danger") ?? title).focus();
}

/** What there is to say about the typed text; of a new one, the fields that it names are set. If it can't be read, the words are looked for. */
const interpret = async (isRead) => {
  try {
    const index = await load(source);
    const link = (wanted, text) => element("a", { href: addressOf({ ...wantedOf(form), q: "", ...wanted }), dir: "auto" }, text);
    const [{ meaningOf }, { readSentence }] = await Promise.all([import("./meant.js"), import("./sentence/read.js")]);
    const meant = await meaningOf(readSentence, typed, index, { ...form.dataset, idle: idle(), state: stateField.value, link, zoneIn: (code) => zoneOf([...stateField.options].find(({ value }) => value === (code ?? stateField.value))), words: (name, value) => midSentence(form.elements[name], value) });
    headline = meant.heading ?? "";
    isRefusal = meant.isRefusal;
    named = meant.values;
    isAnswered = meant.isAnswered;
    if (isRead) return meant.sentences;
    words.value = "";
    const lost = Object.entries(named).filter(([name, value]) => !set(form.elements[name], value) && name === "day");
    return [...meant.sentences, ...lost.map(([name, value]) => fill(TEXTS.goneDay, { value: wordsFor(form.elements[name], value) }))];
  } catch {
    // Whatever failed, a danger is answered.
    return import("./sentence/read.js").then(({ alarm }) => alarm(typed, form.dataset)).catch(() => []);
  }
};

const tell = (sentences) => notice.replaceChildren(...sentences.map((sentence) => (sentence.className?.startsWith("danger") ? sentence : element("p", {}, sentence))));

/** Shows what the address asks for. What was typed isn't part of it: a reload finds it in the history, and no link carries it. */
const arrive = async (isNew) => {
  form.reset();
  gone = await read(form);
  useZoneOf(stateField.selectedOptions[0]);
  const isRead = !words.value;
  typed = words.value || history.state?.typed || "";
  headline = "";
  named = {};
  isAnswered = false;
  root.dataset.typed = typed;
  const understood = typed ? await interpret(isRead) : [];
  sought = words.value;
  tell([...gone.filter(({ name }) => name !== "plan").map(({ text }) => text), ...understood]);
  isAnswered ||= isDanger();
  // An unknown plan stays in the address, so that a reload says the same.
  if (!gone.some(({ name }) => name === "plan")) history.replaceState({ typed }, "", addressOf(wantedOf(form)));
  await look({ isNew });
  if (ask.open && typed) words.value = typed;
};

/** The open form has the whole sentence, so that it can be corrected; as long as it is the same, it isn't read again. */
ask.addEventListener("toggle", () => {
  if (ask.open && typed) words.value = typed;
  else if (words.value === typed) words.value = sought;
});

const go = (address) => {
  if (new URL(address, location.href).pathname !== location.pathname) location.assign(address);
  else {
    history.pushState(null, "", address);
    arrive(true);
  }
};

chips.addEventListener("scroll", fade, { passive: true });
new ResizeObserver(fade).observe(chips);
if (own) form.elements[own].dataset.given = form.elements[own].value;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (words.value === typed) words.value = sought;
  // A corrected sentence stands for the whole of the first.
  else if (typed) for (const [name, value] of Object.entries(named)) if (form.elements[name].value === value) form.elements[name].value = "";
  if (own && !form.elements[own].value) form.elements[own].value = form.elements[own].dataset.given;
  go(addressOf(wantedOf(form)));
});
document.getElementById("main").addEventListener("click", (event) => {
  const link = event.target.closest(".chips a, .ways a, .choices a, .links.far a");
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!link || !isPlain || link.pathname !== location.pathname) return;
  event.preventDefault();
  go(link.href);
});
// The menu changes the address behind its "#" alone.
addEventListener("popstate", () => pageOf() !== here && arrive());
visitField.addEventListener("change", () => load(source).then(offer, () => {}));
form.addEventListener("focusin", () => load(source).catch(() => {}), { once: true });
// A typed search that led here has its results read first.
arrive(new URLSearchParams(location.search).has("q"));
