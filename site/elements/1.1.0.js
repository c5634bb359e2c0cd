// Nameplate elements 1.1.0: a clinic's clinicians and openings on any website. /docs/embed describes them.

const API = import.meta.url.replace(/\/v1\/elements.*$/, "");
const TIMEOUT = 10_000;
const PRIVATE = { credentials: "omit", referrerPolicy: "no-referrer" };

const TEXTS = {
  en: {
    loading: "Loading…",
    failed: "This can't be shown right now. Please try again later.",
    none: "No clinicians found.",
    some: "{count} of {total} clinicians shown.",
    open: "Accepting new patients in {states}",
    closed: "Not accepting new patients in {states}",
    nowhere: "Not accepting new patients right now",
    next: "Next opening:",
    noTimes: "No openings right now.",
    noPlan: "{plan} isn't accepted here in {state}.",
    lateTimes: "Openings can't be shown right now.",
    zone: "Times shown in {zone}.",
    stale: "Last confirmed {time}. Some openings may be taken.",
  },
  es: {
    loading: "Cargando…",
    failed: "Esto no se puede mostrar en este momento. Inténtelo más tarde.",
    none: "No se encontraron especialistas.",
    some: "Se muestran {count} de {total} especialistas.",
    open: "Acepta pacientes nuevos en {states}",
    closed: "No acepta pacientes nuevos en {states}",
    nowhere: "No acepta pacientes nuevos por ahora",
    next: "Próxima cita:",
    noTimes: "No hay citas disponibles en este momento.",
    noPlan: "{plan} no se acepta aquí en {state}.",
    lateTimes: "Las citas no se pueden mostrar en este momento.",
    zone: "Horario: {zone}.",
    stale: "Última confirmación: {time}. Algunas citas pueden estar ocupadas.",
  },
};

const STATES = (
  "AL Alabama,AK Alaska,AS American Samoa,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware," +
  "DC District of Columbia,FL Florida,GA Georgia,GU Guam,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas," +
  "KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri," +
  "MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina," +
  "ND North Dakota,MP Northern Mariana Islands,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,PR Puerto Rico,RI Rhode Island," +
  "SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,VI U.S. Virgin Islands,UT Utah,VT Vermont,VA Virginia," +
  "WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming"
).split(",").map((state) => [state.slice(0, 2), state.slice(3)]);

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; container-type: inline-size; min-inline-size: 14rem; color: var(--nameplate-text, inherit); overflow-wrap: anywhere; }
  :host([hidden]) { display: none; }
  * { box-sizing: border-box; margin: 0; }
  ul { display: grid; gap: var(--nameplate-gap, 1rem); padding: 0; list-style: none; }
  a { color: var(--nameplate-accent, inherit); }
  img { flex: none; inline-size: 4rem; block-size: 4rem; border-radius: var(--nameplate-portrait-radius, 50%); object-fit: cover; }
  .card { display: flex; gap: 1rem; padding: 1rem; border: 1px solid var(--nameplate-border, color-mix(in srgb, currentcolor 30%, transparent)); border-radius: var(--nameplate-radius, .75rem); background: var(--nameplate-surface, transparent); }
  .card > div { display: grid; flex: 1; gap: .35rem; align-content: start; min-inline-size: 0; }
  .name { font-size: 1.15em; }
  .status { font-weight: 600; }
  .bio { max-width: 65ch; white-space: pre-line; }
  .times { display: flex; flex-wrap: wrap; gap: .5rem; }
  .slot { display: inline-block; padding: .5rem .8rem; border: 1px solid; border-radius: var(--nameplate-radius, .75rem); font-weight: 600; text-decoration: none; }
  .note { margin-top: .75rem; font-size: .9em; }
  @container (width >= 40rem) { .list { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
  @container (width >= 64rem) { .list { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
`);

/** Texts among the children stay texts: they never become markup. */
const make = (name, parts, attributes, ...children) => {
  const made = document.createElement(name);
  made.className = made.part = parts;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter(Boolean));
  return made;
};

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** Attributes as parameters of the API: `provider-type` is `providerType`. */
const query = (element, names) => {
  const all = names.map((name) => [name.replace(/-(.)/g, (_, letter) => letter.toUpperCase()), element.getAttribute(name)]);
  return all.filter(([, value]) => value);
};

/** Expands a URI template (RFC 6570) of the operators that directory.toml allows. */
const expand = (template, values) =>
  template.replace(/\{([?&]?)([^}]*)\}/g, (_, operator, names) => {
    const given = names.split(",").filter((name) => values[name]);
    const texts = given.map((name) => (operator && `${name}=`) + encodeURIComponent(values[name]));
    return texts.length ? operator + texts.join(operator ? "&" : ",") : "";
  });

const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    target.refresh();
  }
}, { rootMargin: "300px" });

/** The attributes that any HTML element may have, or that frameworks add. */
const GLOBAL = new Set(["class", "style", "is"]);
for (const name in HTMLElement.prototype) GLOBAL.add(name.toLowerCase());
const FOREIGN = /^((data|aria|js|ng|v|x)-|item)|[^a-z-]/;

/** A mistake of the page's author, and the text that visitors see. */
const mistake = (message, shows = "failed") => Object.assign(new Error(message), { shows });

const UNREACHED = "The directory can't be reached right now. Please try again in a few minutes.";
const failure = (text) => ({ content: [{ type: "text", text }], isError: true });
const given = (all) => Object.fromEntries(Object.entries(all ?? {}).filter(([, value]) => value != null));

/** Answers a call of a tool: its arguments, as a request of the API. */
const answer = async (path, { slug, view, ...parameters }, stop) => {
  const whole = path.replace("{slug}", encodeURIComponent(slug)) + (view === "summary" ? "/summary" : "");
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT)].filter(Boolean));
  try {
    const response = await fetch(`${whole}?${new URLSearchParams(parameters)}`, { ...PRIVATE, signal });
    const body = await response.json();
    return response.ok ? body : failure(body.message);
  } catch (error) {
    if (stop?.aborted) throw error;
    return failure(UNREACHED);
  }
};

/** Offers what the API answers to assistants in the browser, as tools of the page (WebMCP). */
const offer = async (api, signal) => {
  const tools = await (await fetch(`${api}/v1/webmcp.json`, { ...PRIVATE, signal })).json();
  for (const { path, defaults, ...tool } of tools) {
    const execute = (asked, { signal: stop } = {}) => answer(api + path, { ...defaults, ...given(asked) }, stop);
    await document.modelContext.registerTool({ ...tool, name: `clinic_${tool.name}`, execute }, { signal });
  }
};

/** The elements that ask for tools. The page has them as long as it has one of these. */
const offering = new Set();
let offered = null;
const follow = (element) => {
  if (!document.modelContext?.registerTool) return;
  if (element.isConnected && element.hasAttribute("webmcp")) offering.add(element);
  else offering.delete(element);
  if (offering.size === 0) {
    offered?.abort();
    offered = null;
  } else if (!offered) {
    offered = new AbortController();
    // The elements are whole without tools: a browser may refuse them.
    offer(element.api, offered.signal).catch(() => {});
  }
};

const COMMON = ["api", "heading", "time-zone", "labels", "booking-url", "lang", "webmcp"];
const WHO = ["state", "insurance", "provider-type", "gender", "language"];

class NameplateElement extends HTMLElement {
  /** The number of the last load: answers of earlier ones are dropped. */
  #load = 0;
  #warned = new Set();

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
  }

  connectedCallback() {
    this.prepare();
    this.fallback("loading");
    sight.observe(this);
    follow(this);
  }

  disconnectedCallback() {
    sight.unobserve(this);
    this.#load += 1;
    follow(this);
  }

  attributeChangedCallback() {
    // One report, however many attributes change at once.
    sight.unobserve(this);
    if (this.isConnected) sight.observe(this);
    follow(this);
  }

  get api() {
    return this.getAttribute("api")?.replace(/\/+$/, "") || API;
  }

  async refresh() {
    const load = ++this.#load;
    const signal = AbortSignal.timeout(TIMEOUT);
    const ask = async (path, parameters = []) => {
      const url = `${this.api}/v1/${path}?${new URLSearchParams(parameters)}`;
      const response = await fetch(url, { ...PRIVATE, signal });
      const answer = await response.json().catch(() => ({}));
      if (!response.ok) throw new Error(answer.message ?? url, { cause: { status: response.status, code: answer.code } });
      return { ...answer, headers: response.headers };
    };
    try {
      this.prepare();
      this.check();
      const shown = await this.content(ask);
      if (load !== this.#load) return;
      this.shadowRoot.replaceChildren(...shown.filter(Boolean));
      this.tell("load");
    } catch (error) {
      if (load !== this.#load) return;
      const { status, code } = error.cause ?? {};
      const named = this.getAttribute("slug") ?? this.getAttribute("provider");
      if (code === "PROVIDER_NOT_FOUND") this.warn(`no clinician "${named}" (${this.hasAttribute("slug") ? "slug" : "provider"})`);
      else if (error.shows || (status >= 400 && status < 429)) this.warn(error.message);
      this.fallback(error.shows ?? "failed");
      this.tell("error", { message: error.message, ...error.cause });
    }
  }

  /** Tells the page's author, once. */
  warn(message) {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    console.warn(`nameplate: ${message}`, this);
  }

  /** Reads the attributes that more than one element has. */
  check() {
    for (const name of this.getAttributeNames()) {
      const isKnown = this.constructor.observedAttributes.includes(name) || GLOBAL.has(name) || FOREIGN.test(name);
      if (!isKnown) this.warn(`unknown attribute "${name}"`);
    }
    try {
      Object.assign(this.texts, JSON.parse(this.getAttribute("labels") || "{}"));
    } catch {
      throw mistake("this isn't JSON (labels)");
    }
    const written = this.getAttribute("state")?.trim();
    const wanted = written?.toLowerCase();
    this.state = STATES.find((names) => names.some((name) => name.toLowerCase() === wanted));
    if (written && !this.state) throw mistake(`"${written}" isn't a US state (state)`);
  }

  /** A list is empty: perhaps because no one works in the state. */
  async empty(ask, text) {
    const { states } = this.state ? await ask("states") : {};
    if (states && !states.some(({ code }) => code === this.state[0])) throw mistake(`no clinicians in ${this.state[1]} yet (state)`, "none");
    return [this.note(text)];
  }

  prepare() {
    this.language = this.closest("[lang]")?.lang.replace("_", "-") || "en";
    this.texts = { ...TEXTS.en, ...TEXTS[this.language.slice(0, 2).toLowerCase()] };
  }

  /** Shows what stands inside the element, or a sentence if nothing does. */
  fallback(text) {
    const isEmpty = !this.childElementCount && !this.textContent.trim();
    this.shadowRoot.replaceChildren(isEmpty ? this.note(text) : document.createElement("slot"));
  }

  tell(what, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(`nameplate-${what}`, { bubbles: true, composed: true, cancelable, detail }));
  }

  required(name) {
    const value = this.getAttribute(name);
    if (!value) throw mistake(`<${this.localName}> needs the attribute "${name}"`);
    return value;
  }

  note(text, values) {
    return make("p", "note", {}, fill(this.texts[text], values));
  }

  format(time, options) {
    const timeZone = this.getAttribute("time-zone") || undefined;
    return new Intl.DateTimeFormat(this.language, { timeZone, ...options }).formatToParts(new Date(time));
  }

  moment(time) {
    const options = { weekday: "short", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" };
    return this.format(time, options).map(({ value }) => value).join("");
  }

  /** Openings; those for new patients, unless the page asks for others. */
  times(ask, more) {
    const isNamed = this.hasAttribute("appointment-type") || this.hasAttribute("current-patients");
    const what = query(this, [...WHO, "appointment-type", "horizon-days"]);
    return ask("availability", [...what, ...(isNamed ? [] : [["newPatients", true]]), ...more]);
  }

  notes({ slots, headers }) {
    if (!slots.length) return [];
    const zone = this.format(slots[0].startTime, { timeZoneName: "long" }).find(({ type }) => type === "timeZoneName").value;
    const asOf = headers.get("availability-status") === "stale" && headers.get("availability-as-of");
    return [this.note("zone", { zone }), asOf && this.note("stale", { time: this.moment(asOf) })];
  }

  /** A time, as a link to its booking or else to the profile. */
  slot({ startTime, providerSlug }, { profileUrl }, { state, appointmentType, headers }) {
    const detail = { startTime, providerSlug, state, appointmentType };
    const [, told] = headers.get("link-template")?.match(/"([^"]+)"; *rel="https:\/\/schema.org\/ReserveAction"/) ?? [];
    const template = this.getAttribute("booking-url") || told || "";
    const href = /^https:/.test(template) ? expand(template, detail) : `${profileUrl}?state=${state}`;
    const link = make("a", "slot", { href }, make("time", "time", { datetime: startTime }, this.moment(startTime)));
    link.addEventListener("click", (event) => {
      if (!this.tell("select", detail, true)) event.preventDefault();
    });
    return link;
  }

  slots(list, person, answer) {
    const items = list.map((slot) => make("li", "", {}, this.slot(slot, person, answer)));
    return items.length > 0 && make("ul", "times", { role: "list" }, ...items);
  }

  status({ statesLicensed, statesAcceptingPatients: accepting }) {
    const [here] = this.state ?? [];
    const states = statesLicensed.includes(here) ? [here] : accepting;
    const isOpen = states.length > 0 && accepting.includes(states[0]);
    const text = isOpen ? "open" : states.length ? "closed" : "nowhere";
    return make("p", `status ${isOpen ? "open" : "closed"}`, {}, fill(this.texts[text], { states: states.join(", ") }));
  }

  card(name, person, ...more) {
    const { displayName, credentials, headshotUrl, profileUrl } = person;
    const [level] = this.getAttribute("heading")?.match(/^[1-6]$/) ?? [3];
    const portrait = headshotUrl && make("img", "portrait", { src: headshotUrl, alt: "", width: 64, height: 64, loading: "lazy" });
    if (portrait) portrait.addEventListener("error", () => portrait.remove());
    const heading = make(`h${level}`, "name", {}, make("a", "link", { href: profileUrl }, displayName));
    return make(name, "card", {}, portrait, make("div", "", {}, heading, make("p", "credentials", {}, credentials), ...more));
  }
}

class Providers extends NameplateElement {
  static observedAttributes = [...COMMON, ...WHO, "q", "limit", "offset", "next", "current-patients"];

  async content(ask) {
    const hasTimes = this.hasAttribute("next");
    if (hasTimes) this.required("state");
    const listing = ask("providers/summary", query(this, [...WHO, "q", "limit", "offset"]));
    // The list is right without times, so it is shown without them.
    const times = hasTimes ? this.times(ask, [["onePer", "provider"], ["limit", 200]]).catch(() => ({ slots: [], late: true })) : null;
    const [{ providers, total }, answer] = await Promise.all([listing, times]);
    if (!providers.length) return this.empty(ask, "none");
    const cards = providers.map((person) => {
      const slot = answer?.slots.find(({ providerSlug }) => providerSlug === person.slug);
      const time = slot && make("p", "next", {}, `${this.texts.next} `, this.slot(slot, person, answer));
      return this.card("li", person, this.status(person), make("p", "text", {}, person.clinicalInterests.join(" · ")), time);
    });
    const cut = providers.length < total && this.note("some", { count: providers.length, total });
    const notes = answer ? (answer.late ? [this.note("lateTimes")] : this.notes(answer)) : [];
    return [make("ul", "list", { role: "list" }, ...cards), cut, ...notes];
  }
}

class NextAvailable extends NameplateElement {
  static observedAttributes = [...COMMON, ...WHO, "provider", "appointment-type", "horizon-days", "limit", "current-patients"];

  async content(ask) {
    this.required("state");
    const who = query(this, ["provider"]);
    const answer = await this.times(ask, [...who, ["limit", this.getAttribute("limit") || 6]]);
    if (!answer.slots.length) {
      const plan = this.getAttribute("insurance");
      const { reason } = plan ? await this.times(ask, [...who, ["explain", true]]) : {};
      if (reason?.code === "PLAN_NOT_ACCEPTED") return [this.note("noPlan", { plan, state: this.state[1] })];
      return this.empty(ask, "noTimes");
    }
    const slugs = [...new Set(answer.slots.map(({ providerSlug }) => providerSlug))];
    const people = await Promise.all(slugs.map((slug) => ask(`providers/${slug}`)));
    const cards = people.map((person, at) => {
      const own = answer.slots.filter(({ providerSlug }) => providerSlug === slugs[at]);
      return this.card("li", person, this.slots(own, person, answer));
    });
    return [make("ul", "list", { role: "list" }, ...cards), ...this.notes(answer)];
  }
}

class Profile extends NameplateElement {
  static observedAttributes = [...COMMON, "slug", "state", "appointment-type", "limit", "current-patients"];

  async content(ask) {
    const slug = this.required("slug");
    const asked = this.getAttribute("state") && this.times(ask, [["provider", slug], ["limit", this.getAttribute("limit") || 3]]);
    const late = asked && asked.catch(() => null);
    const [person, answer] = await Promise.all([ask(`providers/${encodeURIComponent(slug)}`), late]);
    const times = answer && this.slots(answer.slots, person, answer);
    const missing = asked && !times && this.note(answer ? "noTimes" : "lateTimes");
    const bio = make("p", "bio", {}, person.bio);
    return [this.card("div", person, this.status(person), bio, times, missing), ...(answer ? this.notes(answer) : [])];
  }
}

const ELEMENTS = { "nameplate-providers": Providers, "nameplate-next-available": NextAvailable, "nameplate-profile": Profile };
for (const [name, element] of Object.entries(ELEMENTS)) {
  if (!customElements.get(name)) customElements.define(name, element);
}
