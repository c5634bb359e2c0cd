// Open times: by day in the patient's time zone, and one chosen time.

const DAYS_AT_FIRST = 3;
const TIMES_AT_FIRST = 12;
/** How many slots a list has at most when the call did not say, and whatever it says. */
const DEFAULT_LIMIT = 50;
const MOST_SLOTS = 200;
/** How many clinicians a search gives at most. */
const MOST_PEOPLE = 100;

/** The words of a slug, where the name is not known. */
const nameFrom = (slug) => slug.split("-").filter(Boolean).map((word) => word[0].toUpperCase() + word.slice(1)).join(" ");
const nameOf = (view, slug) => view.people.get(slug) ?? nameFrom(slug);

const weekday = { weekday: "long", month: "long", day: "numeric" };
const clock = { hour: "numeric", minute: "2-digit" };
const wholeTime = { ...weekday, year: "numeric", ...clock, timeZoneName: "long" };

const zoneName = (view, time) => {
  const name = (timeZoneName) => view.format(time, { timeZoneName }).find(({ type }) => type === "timeZoneName")?.value;
  const zone = new Intl.DateTimeFormat("en", { timeZone: view.timeZone }).resolvedOptions().timeZone;
  // The general name holds in summer and in winter.
  return `${name("longGeneric")} (${zone.replaceAll("_", " ")})`;
};

const isOver = ({ startTime }) => Date.parse(startTime) <= Date.now();
const visitLabel = (view, { name, newPatientEligible }) => newPatientEligible ? name : `${name}. ${view.say("isCurrent")}`;

const slotButton = (view, slot, answer, hasNames) => {
  const { startTime, providerSlug } = slot;
  const name = hasNames && make("span", "who", { "data-slug": providerSlug }, nameOf(view, providerSlug));
  const button = make("button", "", { type: "button" }, make("time", "", { datetime: startTime }, view.time(startTime, clock)), name);
  button.addEventListener("click", () => {
    if (isOver(slot)) {
      view.tell(view.say("over"));
      return;
    }
    view.choose(view.say("chosen", { start: startTime, slug: plain(providerSlug), state: plain(answer.state) }));
    view.go(() => drawMoment(view, slot, answer));
  });
  return make("li", "", {}, button);
};

const day = (view, list, answer, hasNames) => {
  const items = list.map((slot) => slotButton(view, slot, answer, hasNames));
  const shown = make("ul", "slots", { role: "list" }, ...items.slice(0, TIMES_AT_FIRST));
  const later = items.slice(TIMES_AT_FIRST);
  const first = list[0].startTime;
  const more = later.length > 0 && view.button(view.say("moreOn", { count: later.length, day: view.time(first, { weekday: "long" }) }), () => {
    view.unfold();
    shown.append(...later);
    later[0].querySelector("button").focus();
    more.remove();
  });
  return make("section", "", {}, make("h2", "", {}, view.time(first, weekday)), shown, more);
};

/** Asks once for the names of a state's clinicians, and puts them where a slug's words stand. */
const learnNames = async (view, state, slugs) => {
  if (!view.host.can("serverTools") || view.host.isAbsent || slugs.every((slug) => view.people.has(slug))) return;
  const answer = await view.ask("search_providers", { state, view: "summary", limit: MOST_PEOPLE }).catch(() => ({}));
  if (answer.kind !== "people") return;
  for (const { slug, displayName } of answer.providers) view.people.set(slug, displayName);
  for (const part of view.shadowRoot.querySelectorAll("[data-slug]")) part.textContent = nameOf(view, part.dataset.slug);
};

const drawTimes = (view, answer, asked) => {
  const { state, newPatients, truncated, reason, notes } = answer;
  for (const [slug, name] of answer.clinicians ?? []) if (!view.people.has(slug)) view.people.set(slug, name);
  // An answer may be shown long after it came.
  const list = answer.slots.filter((slot) => !isOver(slot));
  const isPartlyOver = list.length < answer.slots.length;
  const slugs = [...new Set(list.map(({ providerSlug }) => providerSlug))];
  const title = view.title("openTimes", { state: stateName(stateCode(state) ?? state) });
  const only = slugs.length === 1 && make("p", "who", { "data-slug": slugs[0] }, nameOf(view, slugs[0]));
  const about = [only, newPatients && view.note("forNew"), ...notes.map((note) => make("p", "note closed", {}, note)), isPartlyOver && view.note("over")];
  if (list.length === 0) return [title, ...about, reason ? make("p", "", {}, reason.message) : !isPartlyOver && notes.length === 0 && view.note("noTimes")];
  learnNames(view, state, slugs);
  const byDay = new Map();
  for (const slot of list) {
    const key = view.time(slot.startTime, { year: "numeric", month: "numeric", day: "numeric" });
    byDay.set(key, [...(byDay.get(key) ?? []), slot]);
  }
  const sections = [...byDay.values()].map((own) => day(view, own, answer, slugs.length > 1));
  const days = make("div", "days", {}, ...sections.slice(0, DAYS_AT_FIRST));
  const later = sections.slice(DAYS_AT_FIRST);
  const isCut = answer.slots.isCut || (truncated ?? answer.slots.length >= Math.min(Number(asked?.limit) || DEFAULT_LIMIT, MOST_SLOTS));
  const last = list.at(-1).startTime;
  // More clinicians may have the last time, unless it is the only one: then the same list would come again.
  const from = list[0].startTime === last ? new Date(Date.parse(last) + 1000).toISOString().replace(/\.\d+/, "") : last;
  const goingOn = answer.next && !answer.slots.isCut ? { after: answer.next } : { from };
  const end = make("div", "part", {}, isCut && view.note("last", { day: view.time(last, weekday), time: view.time(last, clock) }),
    isCut && asked && view.actions(view.lead(view.say("laterTimes"), {
      tool: "check_availability", asks: { ...asked, ...goingOn },
    })));
  end.hidden = later.length > 0;
  const more = later.length > 0 && view.button(view.say("laterDays", { count: later.length }), () => {
    view.unfold();
    days.append(...later);
    later[0].querySelector("button").focus();
    end.hidden = false;
    more.parentElement.remove();
  });
  const zone = view.note("zone", { zone: zoneName(view, list[0].startTime) });
  return [title, ...about, zone, days, more && view.actions(more), end];
};

/** A chosen time, with what can be done about it. Nothing is booked here. */
const drawMoment = (view, { startTime, providerSlug }, { state, appointmentType }) => {
  const place = stateName(stateCode(state) ?? state);
  const fact = (name, value, slug) => value && make("div", "", {}, make("dt", "", {}, view.say(name)), make("dd", "", slug ? { "data-slug": slug } : {}, value));
  const visit = fact("visit", view.visits.get(appointmentType) ?? " ");
  visit.hidden = !view.visits.has(appointmentType);
  if (appointmentType !== null && visit.hidden && view.host.can("serverTools")) {
    view.ask("list_appointment_types", { state }).then((answer) => {
      for (const each of answer.appointmentTypes ?? []) view.visits.set(each.id, visitLabel(view, each));
      visit.lastChild.textContent = view.visits.get(appointmentType) ?? "";
      visit.hidden = !view.visits.has(appointmentType);
    }).catch(() => {});
  }
  learnNames(view, state, [providerSlug]);
  const utc = new Intl.DateTimeFormat(view.language, { timeZone: "UTC", ...weekday, ...clock }).format(new Date(startTime));
  const booking = CLINIC.booking && view.link(view.say("book"), expand(CLINIC.booking, { startTime, providerSlug, state, appointmentType }), { parts: "strong" });
  const phone = CLINIC.phone && (view.link(view.say("call", CLINIC), `tel:${CLINIC.dial.replace(/[-.]/g, "")}`) ?? make("p", "note", {}, view.say("phone", CLINIC)));
  const ask = view.message(view.say("ask"), () => view.say("askTime", { time: view.time(startTime, wholeTime), name: plain(nameOf(view, providerSlug)), state: place }));
  return [
    view.title("title", { time: view.time(startTime, clock), day: view.time(startTime, weekday) }),
    make("dl", "facts", {}, fact("local", view.time(startTime, wholeTime)), fact("utc", utc), fact("clinician", nameOf(view, providerSlug), providerSlug),
      visit, fact("while", view.say("whileIn", { state: place }))),
    view.note("unbooked"),
    view.actions(booking, phone, ask),
  ];
};
