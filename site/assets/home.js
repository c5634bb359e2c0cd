// The home page: once a state is chosen, who has the next openings there.

import { queryOf, wantedOf } from "./address.js";
import { face, moment, profile, soonestFirst } from "./cards.js";
import { BASE, element, fill, useZoneOf } from "./dom.js";
import { openings } from "./openings.js";
import { kind, load } from "./people.js";
import { TEXTS } from "./texts.js";

const SHOWN = 5;
const form = document.getElementById("finder");
const soon = document.getElementById("soon");
const before = [...soon.childNodes];
const { source, availability } = form.dataset;

const row = (person, slot, wanted) => {
  const { day, time } = moment(slot);
  const link = element("a", { href: profile(person, wanted, { day: slot.localTime.slice(0, 10), start: slot.startTime }) }, face(person),
    element("span", {}, element("b", { dir: "auto" }, person.name), element("span", { className: "quiet small" }, kind(person))),
    element("span", { className: "at" }, time, element("small", {}, day)));
  return element("li", {}, link);
};

let turns = 0;
const look = async () => {
  const turn = ++turns;
  const wanted = { ...wantedOf(form), day: "", part: "" };
  useZoneOf(form.elements.state.selectedOptions[0]);
  const { first } = wanted.state ? await openings(availability, wanted).catch(() => ({ first: new Map() })) : { first: new Map() };
  const index = first.size > 0 && await load(source).catch(() => undefined);
  const people = new Map(index ? index.people.map((person) => [person.slug, person]) : []);
  const rows = [...first.values()].filter(({ providerSlug }) => people.has(providerSlug)).slice(0, SHOWN);
  if (turn !== turns) return;
  if (rows.length === 0) {
    soon.replaceChildren(...before);
    return;
  }
  const state = form.elements.state.selectedOptions[0].text;
  const all = element("a", { className: "tap", href: `${BASE}/clinicians?${new URLSearchParams({ state: wanted.state })}` }, TEXTS.allIn);
  soon.replaceChildren(element("h2", { id: "soon-title" }, fill(TEXTS.nextIn, { state })),
    element("ul", {}, ...rows.map((slot) => row(people.get(slot.providerSlug), slot, wanted))),
    element("p", { className: "quiet small" }, `${soonestFirst()} `, all));
};

form.addEventListener("change", look);
// What people write of their health stays on their device: nothing behind "#" is sent, and no server's log has it.
form.addEventListener("submit", (event) => {
  event.preventDefault();
  location.assign(`${form.action}#${queryOf(wantedOf(form))}`);
});
look();
