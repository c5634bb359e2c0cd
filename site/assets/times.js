// Open times on a profile: asked for one visit in one state, shown by day in the viewer's own time zone.
// Nothing is stored, and nothing is sent but the question.

const form = document.getElementById("times");
const found = document.getElementById("times-found");
const dialog = document.getElementById("slot");
const DAYS_AT_FIRST = 3;
const TIMES_AT_FIRST = 6;
const PATIENCE = 10_000;
/** The answer holds at most this many times; one that holds as many may be cut. */
const LIMIT = Number(form.elements.limit.value);
/** How far ahead the API looks when the question does not say. */
const HORIZON = 14 * 86_400_000;
const contact = form.dataset.contact;

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const part = (options) => new Intl.DateTimeFormat("en-US", { timeZone: zone, ...options });
const dayKey = part({ year: "numeric", month: "2-digit", day: "2-digit" });
const dayName = part({ weekday: "long", month: "long", day: "numeric" });
const weekday = part({ weekday: "long" });
const clock = part({ hour: "numeric", minute: "2-digit" });
const whole = part({ weekday: "long", year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "long" });
const utc = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", dateStyle: "full", timeStyle: "short" });

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** What the zone is called at that moment: it differs between summer and winter. */
const zoneName = (moment) =>
  part({ timeZoneName: "long" }).formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value ?? zone;

/** What was asked for: the visit, and where the patient will be. */
const wanted = () => {
  const { state, appointmentType } = form.elements;
  const [visit] = appointmentType.selectedOptions;
  const codes = { appointmentType: visit.value, state: state.value };
  return { visit: visit.text, minutes: Number(visit.dataset.minutes ?? 0), isReserved: !("new" in visit.dataset), state: state.selectedOptions[0].text, codes };
};

/** Fills in directory.toml's booking-url, a URI template (RFC 6570). */
const expand = (template, values) =>
  template.replace(/\{([?&]?)([^}]*)\}/g, (_, operator, names) => {
    const texts = names.split(",").map((name) => (operator && `${name}=`) + encodeURIComponent(values[name]));
    return operator + texts.join(operator ? "&" : ",");
  });

/** A calendar's time (RFC 5545), in UTC. */
const stamp = (moment) => moment.toISOString().replace(/[-:]|\.\d+/g, "");

/** A line of a calendar file. Lines longer than 75 bytes are folded, between characters. */
const line = (name, value) => {
  const escaped = value.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");
  let [folded, length] = ["", 0];
  for (const character of `${name}:${escaped}`) {
    const bytes = new TextEncoder().encode(character).length;
    if (length + bytes > 75) [folded, length] = [`${folded}\r\n `, 1];
    folded += character;
    length += bytes;
  }
  return `${folded}\r\n`;
};

/** The time as a file for a calendar. It is tentative, because nothing is booked by it. */
const calendar = (slot, { visit, minutes, state }) => {
  const start = new Date(slot.startTime);
  const { clinician, clinic } = dialog.dataset;
  return [
    ["BEGIN", "VCALENDAR"], ["VERSION", "2.0"], ["PRODID", `-//${clinic}//Open times//EN`], ["BEGIN", "VEVENT"],
    ["UID", `${slot.startTime}-${slot.providerSlug}@${location.host}`], ["DTSTAMP", stamp(new Date())],
    ["DTSTART", stamp(start)], ["DTEND", stamp(new Date(start.getTime() + minutes * 60_000))],
    ["SUMMARY", `${visit}, with ${clinician}`], ["STATUS", "TENTATIVE"],
    ["DESCRIPTION", `By video, while you are in ${state}. This entry books nothing: see ${location.href} or ${contact}.`],
    ["END", "VEVENT"], ["END", "VCALENDAR"],
  ].map(([name, value]) => line(name, value)).join("");
};

const download = (text, name) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/calendar" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

const open = (slot, asked) => {
  const { visit, isReserved, state, codes } = asked;
  const moment = new Date(slot.startTime);
  const book = document.getElementById("slot-book");
  if (book) book.href = expand(dialog.dataset.booking, { ...slot, ...codes });
  document.getElementById("slot-calendar").onclick = () => download(calendar(slot, asked), `${slot.providerSlug}.ics`);
  document.getElementById("slot-title").textContent = `${clock.format(moment)} on ${dayName.format(moment)}`;
  document.getElementById("slot-local").textContent = whole.format(moment);
  document.getElementById("slot-utc").textContent = `In UTC: ${utc.format(moment)}`;
  document.getElementById("slot-visit").textContent = visit;
  document.getElementById("slot-state").textContent = `while you are in ${state}`;
  document.getElementById("slot-reserved").hidden = !isReserved;
  dialog.showModal();
};

const day = (slots, asked, isCut) => {
  const first = new Date(slots[0].startTime);
  const times = slots.map((slot) => {
    const moment = new Date(slot.startTime);
    const button = element("button", { type: "button" }, element("time", { dateTime: slot.startTime }, clock.format(moment)));
    button.addEventListener("click", () => open(slot, asked));
    return element("li", {}, button);
  });
  const list = element("ul", { className: "slots" }, ...times.slice(0, TIMES_AT_FIRST));
  const later = times.slice(TIMES_AT_FIRST);
  const section = element("section", { className: "day" }, element("h3", {}, dayName.format(first)), list);
  if (later.length > 0) {
    const more = element("button", { type: "button", className: "link" }, `${isCut ? "At least " : ""}${later.length} more on ${weekday.format(first)}`);
    more.addEventListener("click", () => {
      list.append(...later);
      later[0].querySelector("button").focus();
      more.remove();
    });
    section.append(more);
  }
  if (isCut) {
    const last = new Date(slots.at(-1).startTime);
    section.append(element("p", { className: "quiet cut" }, `More times may be open on ${weekday.format(first)} after ${clock.format(last)}.`));
  }
  return section;
};

/** Where the list ends, and how to get a time that it does not show. */
const end = (slots, isCut) => {
  if (isCut) {
    const last = new Date(slots.at(-1).startTime);
    return `Not all open times are shown: this list of ${slots.length} ends on ${dayName.format(last)} at ${clock.format(last)}. For a later time, ${contact}.`;
  }
  const horizon = new Date(Date.now() + HORIZON);
  return `These are all open times until ${dayName.format(horizon)} at ${clock.format(horizon)}, two weeks from now. For a later time, look again in a few days, or ${contact}.`;
};

const show = (answer, headers, asked) => {
  const what = [element("p", { className: "visit" }, `${asked.visit}, in ${asked.state}`)];
  if (asked.isReserved) what.push(element("p", { className: "closed" }, "Only for patients who are already seen here."));
  if (answer.slots.length === 0) {
    found.replaceChildren(...what, element("p", {}, `No time is open for this visit in the next two weeks. Try another kind of visit, look again in a few days, or ${contact}.`));
    return;
  }
  const isCut = answer.slots.length >= LIMIT;
  const days = new Map();
  for (const slot of answer.slots) {
    const key = dayKey.format(new Date(slot.startTime));
    days.set(key, [...(days.get(key) ?? []), slot]);
  }
  const sections = [...days.values()].map((slots, at) => day(slots, asked, isCut && at === days.size - 1));
  const where = element("p", { className: "quiet zone" }, `In your time zone: ${zoneName(new Date(answer.slots[0].startTime))} (${zone.replaceAll("_", " ")}).`);
  const asOf = headers.get("Availability-As-Of");
  if (headers.get("Availability-Status") === "stale" && asOf) {
    where.append(` Last confirmed ${clock.format(new Date(asOf))}.`);
  }
  const later = sections.slice(DAYS_AT_FIRST);
  found.replaceChildren(...what, where, ...sections.slice(0, DAYS_AT_FIRST));
  if (later.length > 0) {
    const more = element("button", { type: "button", className: "button plain more-days" }, `Show ${later.length} later day${later.length === 1 ? "" : "s"}`);
    more.addEventListener("click", () => {
      more.replaceWith(...later);
      later[0].querySelector("button")?.focus();
    });
    found.append(more);
  }
  found.append(element("p", { className: "quiet end" }, end(answer.slots, isCut)));
};

/** No visit is chosen: none in this state is for new patients, or none is held there at all. */
const explain = () => {
  const state = form.elements.state.selectedOptions[0].text;
  const isAny = [...form.elements.appointmentType.options].some((option) => option.value && !option.disabled);
  found.replaceChildren(element("p", {}, isAny
    ? `The video visits in ${state} are for current patients. If you are one, choose a visit to see its times; if you are new, ${contact}.`
    : `No video visit is held in ${state}. Choose another state, or ${contact}.`));
};

const fail = (message) => {
  const again = element("button", { type: "button", className: "button plain" }, "Look again");
  again.addEventListener("click", look);
  found.replaceChildren(element("p", {}, message), element("p", { className: "actions" }, again));
};

let turns = 0;
async function look() {
  const turn = ++turns;
  if (form.elements.appointmentType.value === "") {
    explain();
    return;
  }
  const asked = wanted();
  const query = new URLSearchParams(new FormData(form));
  const url = new URL(form.getAttribute("action"), location.href);
  url.search = query;
  found.replaceChildren(element("p", { className: "quiet" }, "Looking for open times…"));
  try {
    const response = await fetch(url, { headers: { accept: "application/json" }, cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
    const answer = await response.json();
    if (turn !== turns) return;
    if (response.ok) show(answer, response.headers, asked);
    else fail("Open times cannot be shown at the moment. Please look again in a few minutes.");
  } catch {
    if (turn === turns) fail("Open times could not be fetched. Is the connection there?");
  }
}

/**
 * Visits that are not held in the chosen state cannot be chosen. Where the one that was chosen is not, the first that a
 * new patient may book is; where there is none either, the viewer has to choose.
 */
const fit = () => {
  const { state, appointmentType } = form.elements;
  const visits = [...appointmentType.options].filter(({ value }) => value !== "");
  for (const option of visits) {
    option.hidden = option.disabled = !option.dataset.states.split(" ").includes(state.value);
  }
  const isChosen = visits.some(({ selected, disabled }) => selected && !disabled);
  if (!isChosen) appointmentType.value = visits.find(({ dataset, disabled }) => "new" in dataset && !disabled)?.value ?? "";
};

form.querySelector("[type=submit]").hidden = true;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  look();
});
form.addEventListener("change", () => {
  fit();
  look();
});
const given = new URLSearchParams(location.search).get("state");
if ([...form.elements.state.options].some(({ value }) => value === given)) form.elements.state.value = given;
fit();
look();
