// The element that shows results, and leads from one to the next. Each screen is drawn anew when the host's language or
// time zone changes.

const CLINIC = JSON.parse(document.getElementById("clinic").textContent);
const STATES = CLINIC.states;

/** The code of a state that is given as a code or a name. */
const stateCode = (given) => {
  if (typeof given !== "string") return undefined;
  const wanted = given.trim().toLowerCase();
  return Object.keys(STATES).find((code) => [code, STATES[code].name].some((known) => known.toLowerCase() === wanted));
};
const stateName = (code) => STATES[code]?.name ?? code;

/** The variables of hosts that the look uses. */
const VARIABLES = [
  "background-primary", "background-secondary", "text-primary", "text-secondary", "text-info", "text-success", "text-warning",
  "border-primary", "border-secondary", "ring-primary",
].map((name) => `--color-${name}`).concat("--font-sans", "--border-radius-md");

/** A value that `Intl` takes, or nothing. */
const known = (value, make) => {
  try {
    return typeof value === "string" && make(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const DRAWN = { people: drawPeople, profile: drawProfile, times: drawTimes, states: drawStates, plans: drawPlans, visits: drawVisits };

class View extends NameplateElement {
  people = new Map();
  visits = new Map();
  language = navigator.language;
  timeZone = undefined;
  #screens = [];
  #asked = null;

  connectedCallback() {
    document.adoptedStyleSheets = [pageSheet];
    this.shadowRoot.adoptedStyleSheets = [sheet, viewSheet];
    this.host = new Host({
      "ui/notifications/tool-input": ({ arguments: asked }) => {
        this.#asked = isObject(asked) ? asked : null;
      },
      "ui/notifications/tool-result": (result) => this.result(result),
      "ui/notifications/tool-cancelled": () => this.begin(() => [this.note("canceled")]),
      "ui/notifications/host-context-changed": (context) => this.follow(context),
    });
    this.prepare();
    this.begin(() => [this.note(this.host.isAbsent ? "alone" : "wait")]);
    if (this.host.isAbsent) this.preview();
    else this.#meet();
    new ResizeObserver(() => requestAnimationFrame(() => this.measure())).observe(document.documentElement);
  }

  async #meet() {
    try {
      this.follow(await this.host.begin());
    } catch {
      // Results are shown all the same, without buttons.
    }
    this.redraw();
  }

  /** The elements' own texts and the view's, in the host's language if they are there. */
  prepare() {
    const [wanted] = this.language.toLowerCase().split("-");
    const language = wanted in VIEW_TEXTS ? wanted : "en";
    document.documentElement.lang = language;
    this.texts = { ...TEXTS[language], ...VIEW_TEXTS[language], ...CLINIC.professions[language] };
  }

  follow(context) {
    if (!isObject(context)) return;
    const { theme, styles, safeAreaInsets, locale, timeZone } = context;
    const { style } = document.documentElement;
    if (["light", "dark"].includes(theme)) style.colorScheme = theme;
    for (const name of VARIABLES) {
      const value = styles?.variables?.[name];
      if (typeof value === "string") style.setProperty(name, value);
    }
    if (isObject(safeAreaInsets)) {
      const edges = ["top", "right", "bottom", "left"].map((edge) => `${Math.max(0, Math.min(200, Number(safeAreaInsets[edge]) || 0))}px`);
      document.body.style.padding = edges.join(" ");
    }
    const language = known(locale, Intl.getCanonicalLocales) ?? this.language;
    const zone = known(timeZone, (value) => new Intl.DateTimeFormat("en", { timeZone: value })) ?? this.timeZone;
    const isNew = language !== this.language || zone !== this.timeZone;
    Object.assign(this, { language, timeZone: zone });
    if (zone) this.setAttribute("time-zone", zone);
    if (isNew) this.redraw();
  }

  result(result) {
    const [answer, asked] = [read(result), this.#asked];
    this.begin(() => this.drawn(answer, asked));
  }

  /** The nodes of an answer to a call with these arguments; null if they are not known. */
  drawn(answer, asked) {
    if (answer.kind in DRAWN) return DRAWN[answer.kind](this, answer, asked);
    const parts = answer.kind === "error" ? "" : "plain";
    return answer.texts.map((each) => make("p", parts, {}, each));
  }

  preview() {
    const { target, body } = CLINIC.preview ?? {};
    if (!target) return;
    this.#asked = Object.fromEntries(new URL(target, "https://preview.invalid").searchParams);
    this.result({ structuredContent: body });
  }

  // Screens

  begin(draw) {
    this.#screens = [{ draw }];
    this.#show();
  }

  go(draw) {
    this.#screens.at(-1).left = this.shadowRoot.activeElement;
    this.#screens.push({ draw });
    this.#show();
    (this.shadowRoot.querySelector("h1") ?? this.shadowRoot.querySelector("button")).focus();
  }

  /** Draws every screen anew when it is next shown. */
  redraw() {
    this.prepare();
    for (const screen of this.#screens) screen.nodes = null;
    this.#show();
  }

  #show() {
    const screen = this.#screens.at(-1);
    const back = this.#screens.length > 1 && this.button(this.say("back"), () => this.#back(), undefined, undefined, "back");
    screen.nodes ??= [back, ...screen.draw(), make("p", "note", { role: "status" })].filter(Boolean);
    screen.more = this.button(this.say("more"), () => this.unfold(), undefined, undefined, "more");
    this.shadowRoot.replaceChildren(...screen.nodes);
    this.measure();
  }

  /** Shows the whole screen, also what comes into it later. */
  unfold() {
    const screen = this.#screens.at(-1);
    screen.isWhole = true;
    unfold(screen.nodes, screen.more);
  }

  #back() {
    this.#screens.pop();
    this.#show();
    this.#screens.at(-1).left?.focus();
  }

  // Parts of a screen

  say(name, values = {}) {
    const [one, many = one] = this.texts[name].split("|");
    return fill(values.count === 1 ? one : many, values);
  }

  note(name, values) {
    return make("p", "note", {}, this.say(name, values));
  }

  title(name, values) {
    return make("h1", "", { tabindex: -1 }, this.say(name, values));
  }

  time(moment, options) {
    return this.format(moment, options).map(({ value }) => value).join("");
  }

  actions(...all) {
    const given = all.filter(Boolean);
    return given.length > 0 && make("div", "actions", {}, ...given);
  }

  /** A card of the elements, whose portrait falls back to initials and whose name leads nowhere by itself. */
  card(name, one, ...more) {
    const type = one.providerType in this.texts ? this.texts[one.providerType] : "";
    const credentials = [one.credentials, type].filter(Boolean).join(" · ");
    const card = super.card(name, { ...one, credentials }, ...more);
    const letters = make("span", "portrait initials", { "aria-hidden": "true" }, initials(one.displayName));
    const portrait = card.querySelector("img");
    portrait?.addEventListener("error", () => card.prepend(letters));
    if (!portrait) card.prepend(letters);
    card.querySelector("a").replaceWith(one.displayName);
    return card;
  }

  /** Where new patients are taken, the asked state first; during a leave, until when it lasts. */
  statuses({ statesLicensed, statesAcceptingPatients: accepting, leave }, state) {
    const away = leave && leaveToday(leave);
    if (away) {
      const until = away.until && new Intl.DateTimeFormat(this.language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(away.until));
      return [make("p", "status closed", {}, this.say(until ? "awayUntil" : "away", { until }))];
    }
    const states = (codes) => ({ states: codes.map(stateName).join(", ") });
    const line = (isOpen, name, codes) => make("p", `status ${isOpen ? "open" : "closed"}`, {}, this.say(name, states(codes)));
    if (!statesLicensed.includes(state)) return [accepting.length > 0 ? line(true, "open", accepting) : line(false, "nowhere", [])];
    const isOpen = accepting.includes(state);
    const others = accepting.filter((code) => code !== state);
    return [line(isOpen, isOpen ? "open" : "closed", [state]), others.length > 0 && make("p", "text", {}, this.say("others", states(others)))];
  }

  /** A button that waits for what it does. Without the host's consent to `needs`, there is none. */
  button(label, act, needs, name, parts = "") {
    if (needs && !this.host.can(needs)) return null;
    const button = make("button", parts, { type: "button", ...(name && { "aria-label": this.say("of", { label, name }) }) }, label);
    button.addEventListener("click", async () => {
      if (button.ariaBusy === "true") return;
      button.ariaBusy = "true";
      this.tell("");
      try {
        await act();
      } catch {
        this.tell(this.say(this.host.isAbsent ? "alone" : "refused"));
      }
      button.ariaBusy = "false";
    });
    return button;
  }

  /** A button that leads to the answer of a tool; where the host calls none, it says the question in the chat. */
  lead(label, { tool, asks, message, name, known: context, parts }) {
    if (!this.host.can("serverTools")) return message ? this.message(label, () => message, name, parts) : null;
    return this.button(label, async () => {
      const answer = await this.ask(tool, asks);
      this.go(() => this.drawn(answer, { ...context, ...asks }));
    }, undefined, name, parts);
  }

  message(label, text, name, parts) {
    return this.button(label, async () => {
      await this.#accepted("ui/message", { role: "user", content: [{ type: "text", text: text() }] });
      this.tell(this.say("sent"));
    }, "message", name, parts);
  }

  link(label, url, { name, parts } = {}) {
    return this.button(label, () =>
      this.#accepted("ui/open-link", { url }).catch(() => this.tell(this.say("unopened", { address: url }))), "openLinks", name, parts);
  }

  tell(text) {
    const status = this.shadowRoot.querySelector("[role=status]");
    if (status) status.textContent = text;
  }

  // Messages to the host

  async ask(name, asks) {
    return read(await this.host.request("tools/call", { name, arguments: asks }));
  }

  async #accepted(method, params) {
    const { isError } = await this.host.request(method, params);
    if (isError === true) throw new Error("refused");
  }

  /** Tells the model what the patient has chosen. */
  choose(text) {
    if (this.host.isAbsent || !this.host.can("updateModelContext")) return;
    this.host.request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
  }

  #size = "";
  measure() {
    const screen = this.#screens.at(-1);
    if (!screen.isWhole) fold(screen.nodes, screen.more);
    const height = heightNow();
    const size = `${innerWidth} ${height}`;
    if (size === this.#size) return;
    this.#size = size;
    this.host.notify("ui/notifications/size-changed", { width: innerWidth, height });
  }
}

customElements.define("nameplate-view", View);
