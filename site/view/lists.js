// States, insurance plans and kinds of visits: each leads on to clinicians or times.

const PLANS_AT_FIRST = 60;

/** The map of tiles. `act` makes what stands on the tile of a state, or nothing. */
const map = (codes, act) => {
  const isShown = ([code, { isAlwaysShown }]) => isAlwaysShown || codes.includes(code);
  const tiles = Object.entries(STATES).filter(isShown).map(([code, { row, column }]) => {
    const here = codes.includes(code);
    const tile = (here && act(code)) || make("span", here ? "here" : "", {}, code);
    const item = make("li", "", here ? {} : { "aria-hidden": "true" }, tile);
    item.style.gridArea = `${row} / ${column}`;
    return item;
  });
  return make("ul", "map", { role: "list" }, ...tiles);
};

const drawStates = (view, { states }) => {
  const names = new Map(states.map(({ code, name }) => [code, name]));
  const people = (code, label) => view.lead(label, {
    parts: "here", name: names.get(code), tool: "search_providers", asks: { state: code }, message: view.say("askState", { state: plain(names.get(code)) }),
  });
  const elsewhere = states.filter(({ code }) => !(code in STATES)).map(({ code, name }) => people(code, name) ?? make("span", "", {}, name));
  return [
    view.title("states"), states.isCut && view.note("cut"),
    states.length > 0 ? map([...names.keys()], (code) => people(code, code)) : null,
    elsewhere.length > 0 && view.actions(...elsewhere),
    make("p", "note", {}, states.map(({ name }) => name).join(", ")),
  ];
};

const drawPlans = (view, { state: code, insurances, notes }) => {
  const state = stateCode(code);
  const title = view.title(state ? "planListIn" : "planList", { state: stateName(state) });
  if (insurances.length === 0) return [title, view.note("noPlan")];
  const items = insurances.map((plan) => {
    const asks = { insurance: plan, ...(state && { state }) };
    const lead = view.lead(plan, { parts: "pill", tool: "search_providers", asks, message: view.say("askPlan", { plan: plain(plan) }) });
    return make("li", "", {}, lead ?? make("span", "pill", {}, plan));
  });
  const list = make("ul", "pills", { role: "list" }, ...items.slice(0, PLANS_AT_FIRST));
  const later = items.slice(PLANS_AT_FIRST);
  const more = later.length > 0 && view.button(view.say("all", { count: items.length }), () => {
    view.unfold();
    list.append(...later);
    later[0].querySelector("button")?.focus();
    more.parentElement.remove();
  });
  return [title, insurances.isCut && view.note("cut"), ...notes.map((note) => make("p", "note", {}, note)), list, more && view.actions(more)];
};

const visitTimes = (view, { id, name }, state, label, more) => view.lead(label, {
  ...more, tool: "check_availability", asks: { state, appointmentType: id },
  message: view.say("askVisit", { visit: plain(name), state: stateName(state) }),
});

const drawVisits = (view, { state: code, appointmentTypes }) => {
  const state = stateCode(code);
  const title = view.title(state ? "visitListIn" : "visitList", { state: stateName(state) });
  if (appointmentTypes.length === 0) return [title, view.note("noVisit")];
  const rows = appointmentTypes.map((visit) => {
    const { id, name, description, modality, newPatientEligible, states } = visit;
    view.visits.set(id, visitLabel(view, visit));
    const choose = () => view.go(() => [view.title("choose"), make("p", "note", {}, name), map(states, (place) => visitTimes(view, visit, place, place, { parts: "here", name: stateName(place) }))]);
    const isTimed = modality === "video";
    const canAsk = view.host.can("serverTools") || view.host.can("message");
    const times = isTimed && (state ? visitTimes(view, visit, state, view.say("times"), { name }) : canAsk && view.button(view.say("times"), choose, undefined, name));
    const about = [isTimed ? view.say("video") : modality === "async" ? view.say("async") : modality, view.say(newPatientEligible ? "isNew" : "isCurrent")];
    return make("li", "", {}, make("h2", "", {}, name), make("p", "text", {}, description), make("p", "note", {}, about.join(" · ")), times && view.actions(times));
  });
  return [title, appointmentTypes.isCut && view.note("cut"), make("ul", "rows", { role: "list" }, ...rows)];
};
