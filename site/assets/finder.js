// The search on the clinicians' page: the list is fetched once, when it is first needed, and filtered here.
// Without this file the page is the whole list, with links by state, plan and visit.

const form = document.getElementById("finder");
const list = document.getElementById("list");
const found = document.getElementById("found");
const browse = document.getElementById("browse");
const whole = [...list.childNodes];
const ON_A_PAGE = 30;
const NAMED = 4;

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const stateNames = new Map([...form.elements.state.options].map(({ value, text }) => [value, text]));
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

let index;
const load = () => {
  index ??= fetch(form.dataset.source).then((response) => {
    if (!response.ok) throw new Error(response.statusText);
    return response.json();
  }).then(prepare);
  return index;
};

const prepare = ({ plans, interests, visits, clinicians }) => ({
  plans: new Map(plans.map((name, number) => [name, number])),
  visits: new Map(visits.map(({ id, states }) => [String(id), new Set(states.split(" "))])),
  clinicians: clinicians.map(([href, name, credentials, portrait, licensed, accepting, byState, offered, interested]) => ({
    href, name, credentials, portrait,
    licensed: new Set(licensed.split(" ")),
    accepting: accepting ? accepting.split(" ") : [],
    plans: new Map(byState),
    visits: new Set(offered.map(String)),
    words: fold([name, credentials, ...interested.map((number) => interests[number])].join(" ")),
  })),
});

const search = ({ plans, visits, clinicians }, { q, state, plan, visit, open }) => {
  const words = fold(q).split(/\s+/).filter(Boolean);
  const number = plans.get(plan);
  const held = visits.get(visit);
  const fits = (clinician) => {
    const places = state ? [state] : [...clinician.licensed];
    const isOpen = places.some((place) => clinician.accepting.includes(place));
    return (!state || clinician.licensed.has(state))
      && (!open || isOpen)
      && (!visit || (clinician.visits.has(visit) && places.some((place) => held?.has(place))))
      && (!plan || places.some((place) => clinician.plans.get(place)?.includes(number)))
      && words.every((word) => clinician.words.includes(word));
  };
  const takes = (clinician) => (state ? clinician.accepting.includes(state) : clinician.accepting.length > 0);
  const matches = clinicians.filter(fits);
  return [...matches.filter(takes), ...matches.filter((clinician) => !takes(clinician))];
};

const sentence = (names) =>
  names.length > NAMED ? `${names.length} states` : new Intl.ListFormat("en-US").format(names);

const initials = (name) => {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...word][0] ?? "").join("").toUpperCase();
};

/** The same tone as on the pages that are made without this. */
const tone = (href) => [...new TextEncoder().encode(href.split("/").at(-1))].reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 0) % 6 + 1;

const card = ({ href, name, credentials, portrait, accepting }, state) => {
  const picture = portrait
    ? element("img", { className: "portrait", src: portrait, alt: "", width: 64, height: 64, loading: "lazy" })
    : element("span", { className: `portrait tone-${tone(href)}`, ariaHidden: "true" }, initials(name));
  const isOpen = state ? accepting.includes(state) : accepting.length > 0;
  const names = accepting.map((code) => stateNames.get(code) ?? code);
  const says = isOpen
    ? `New patients in ${state ? stateNames.get(state) : sentence(names)}`
    : `Not taking new patients${state && accepting.length > 0 ? ` in ${stateNames.get(state)}` : ""}`;
  const link = state && isOpen ? `${href}?state=${state}` : href;
  return element("li", { className: "person" }, picture, element("div", {},
    element("h3", {}, element("a", { href: link }, name)),
    element("p", { className: "quiet" }, credentials),
    element("p", { className: isOpen ? "open" : "closed" }, says)));
};

const show = (matches, state) => {
  found.textContent = matches.length === 0
    ? "Nobody fits all of this. Take one filter away, or try another state."
    : `${matches.length} clinician${matches.length === 1 ? "" : "s"} found, those who take new patients first.`;
  const cards = element("ul", { className: "people" }, ...matches.slice(0, ON_A_PAGE).map((match) => card(match, state)));
  list.replaceChildren(cards);
  let shown = ON_A_PAGE;
  if (matches.length > shown) {
    const more = element("button", { type: "button", className: "button plain" }, "Show more");
    more.addEventListener("click", () => {
      const next = matches.slice(shown, shown + ON_A_PAGE).map((match) => card(match, state));
      shown += ON_A_PAGE;
      cards.append(...next);
      next[0].querySelector("a").focus();
      if (shown >= matches.length) more.parentElement.remove();
    });
    list.append(element("p", { className: "actions" }, more));
  }
};

let asked = 0;
const look = async () => {
  const turn = ++asked;
  const { q, state, plan, visit, open } = form.elements;
  const wanted = { q: q.value.trim(), state: state.value, plan: plan.value, visit: visit.value, open: open.checked };
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value).map(([name, value]) => [name, value === true ? "yes" : value]));
  history.replaceState(null, "", query.size > 0 ? `?${query}` : location.pathname);
  browse.hidden = query.size > 0;
  if (query.size === 0) {
    found.textContent = "";
    list.replaceChildren(...whole);
    return;
  }
  try {
    const ready = await load();
    if (turn === asked) show(search(ready, wanted), wanted.state);
  } catch {
    index = undefined;
    if (turn === asked) {
      found.textContent = "The search cannot be used at the moment; the whole list is below.";
      browse.hidden = false;
      list.replaceChildren(...whole);
    }
  }
};

const given = new URLSearchParams(location.search);
for (const name of ["q", "state", "plan", "visit"]) {
  const field = form.elements[name];
  const value = given.get(name) ?? "";
  if (field.tagName === "INPUT" || [...field.options].some((option) => option.value === value)) field.value = value;
}
form.elements.open.checked = given.get("open") === "yes";
form.addEventListener("submit", (event) => {
  event.preventDefault();
  look();
});
form.addEventListener("input", look);
form.addEventListener("focusin", () => load().catch(() => { index = undefined; }), { once: true });
if (location.search) look();
