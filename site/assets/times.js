// Open times on a profile: asked for when somebody looks, shown by day in the viewer's own time zone.
// Nothing is remembered and nothing is sent but the question.

const form = document.getElementById("times");
const found = document.getElementById("times-found");
const dialog = document.getElementById("slot");
const DAYS_AT_FIRST = 3;
const TIMES_AT_FIRST = 6;
const PATIENCE = 10_000;

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

const open = (slot) => {
  const moment = new Date(slot.startTime);
  document.getElementById("slot-title").textContent = `${clock.format(moment)} on ${dayName.format(moment)}`;
  document.getElementById("slot-local").textContent = whole.format(moment);
  document.getElementById("slot-utc").textContent = `In UTC: ${utc.format(moment)}`;
  dialog.showModal();
};

const day = (slots) => {
  const first = new Date(slots[0].startTime);
  const times = slots.map((slot) => {
    const moment = new Date(slot.startTime);
    const button = element("button", { type: "button" }, element("time", { dateTime: slot.startTime }, clock.format(moment)));
    button.addEventListener("click", () => open(slot));
    return element("li", {}, button);
  });
  const list = element("ul", { className: "slots" }, ...times.slice(0, TIMES_AT_FIRST));
  const later = times.slice(TIMES_AT_FIRST);
  const section = element("section", { className: "day" }, element("h3", {}, dayName.format(first)), list);
  if (later.length > 0) {
    const more = element("button", { type: "button", className: "link" }, `${later.length} more on ${weekday.format(first)}`);
    more.addEventListener("click", () => {
      list.append(...later);
      later[0].querySelector("button").focus();
      more.remove();
    });
    section.append(more);
  }
  return section;
};

const show = (answer, headers) => {
  if (answer.slots.length === 0) {
    found.replaceChildren(element("p", {}, "No time is open in the next two weeks. Try another kind of visit, or look again later."));
    return;
  }
  const days = new Map();
  for (const slot of answer.slots) {
    const key = dayKey.format(new Date(slot.startTime));
    days.set(key, [...(days.get(key) ?? []), slot]);
  }
  const sections = [...days.values()].map(day);
  const where = element("p", { className: "quiet zone" }, `In your time zone: ${zoneName(new Date(answer.slots[0].startTime))} (${zone.replaceAll("_", " ")}).`);
  const asOf = headers.get("Availability-As-Of");
  if (headers.get("Availability-Status") === "stale" && asOf) {
    where.append(` Last confirmed ${clock.format(new Date(asOf))}.`);
  }
  const later = sections.slice(DAYS_AT_FIRST);
  found.replaceChildren(where, ...sections.slice(0, DAYS_AT_FIRST));
  if (later.length > 0) {
    const more = element("button", { type: "button", className: "button plain more-days" }, "Show later days");
    more.addEventListener("click", () => {
      more.replaceWith(...later);
      later[0].querySelector("button")?.focus();
    });
    found.append(more);
  }
};

const fail = (message) => {
  const again = element("button", { type: "button", className: "button plain" }, "Look again");
  again.addEventListener("click", look);
  found.replaceChildren(element("p", {}, message), element("p", { className: "actions" }, again));
};

let asked = 0;
async function look() {
  const turn = ++asked;
  const query = new URLSearchParams(new FormData(form));
  const url = new URL(form.getAttribute("action"), location.href);
  url.search = query;
  found.replaceChildren(element("p", { className: "quiet" }, "Looking for open times…"));
  try {
    const response = await fetch(url, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE) });
    const answer = await response.json();
    if (turn !== asked) return;
    if (response.ok) show(answer, response.headers);
    else fail("Open times cannot be shown at the moment. Please look again in a few minutes.");
  } catch {
    if (turn === asked) fail("Open times could not be fetched. Is the connection there?");
  }
}

/** Visits that are not held in the chosen state cannot be chosen. */
const fit = () => {
  const { state, appointmentType } = form.elements;
  for (const option of appointmentType.options) {
    option.hidden = option.disabled = option.value !== "" && !option.dataset.states.split(" ").includes(state.value);
  }
  if (appointmentType.selectedOptions[0]?.disabled) appointmentType.value = "";
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
const wanted = new URLSearchParams(location.search).get("state");
if ([...form.elements.state.options].some(({ value }) => value === wanted)) form.elements.state.value = wanted;
fit();
look();
