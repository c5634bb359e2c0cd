// Clinicians: a page of a search as cards, and one clinician's profile.

const initials = (name) => {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "").join("").toUpperCase();
};

/** A message in the patient's name says a text of the directory only as a few words of one line. */
const plain = (value) => shorten(value.replace(/[\p{C}\s]+/gu, " ").trim(), 80);

/** The leave that lasts today by the patient's clock. */
const leaveToday = (leave) => {
  const now = new Date();
  const today = new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  return leave.find(({ from, until }) => from <= today && !(until && until <= today));
};

const seeTimes = (view, { slug, displayName }, state) =>
  view.lead(view.say("times"), {
    name: displayName,
    tool: "check_availability",
    asks: { state, provider: slug, newPatients: true },
    message: view.say("askTimes", { name: plain(displayName), state: stateName(state) }),
  });

const openPage = (view, { profileUrl, displayName }) => view.link(view.say("page"), profileUrl, { name: displayName });

const cardOf = (view, one, state) => {
  const { slug, displayName, clinicalInterests, statesAcceptingPatients } = one;
  const more = view.lead(view.say("profile"), {
    name: displayName, tool: "get_provider", asks: { slug }, known: { state },
    message: view.say("askProfile", { name: plain(displayName) }),
  });
  const times = statesAcceptingPatients.includes(state) && seeTimes(view, one, state);
  return view.card("li", one, ...view.statuses(one, state), make("p", "text", {}, clinicalInterests.join(" · ")),
    view.actions(more ?? openPage(view, one), times));
};

/** A page of a search. The next pages are asked for with the same arguments, if they are known. */
const drawPeople = (view, answer, asked) => {
  const state = stateCode(asked?.state);
  const title = view.title(asked?.insurance ? "whoTakes" : state ? "peopleIn" : "people", { state: stateName(state), plan: asked?.insurance });
  if (answer.total === 0) return [title, view.note("none")];
  for (const one of answer.providers) view.people.set(one.slug, one.displayName);
  const list = make("ul", "list", { role: "list" }, ...answer.providers.map((one) => cardOf(view, one, state)));
  const found = view.note("found", { count: answer.total });
  const position = view.note("shown", { shown: list.childElementCount, count: answer.total });
  let next = answer.offset + answer.providers.length;
  const more = asked && view.button(view.say("more"), async () => {
    const further = await view.ask("search_providers", { ...asked, offset: next });
    if (further.kind !== "people" || further.providers.length === 0) {
      view.tell(further.kind === "error" ? further.texts.join("\n") : view.say("failed"));
      return;
    }
    const cards = further.providers.map((one) => cardOf(view, one, state));
    for (const one of further.providers) view.people.set(one.slug, one.displayName);
    view.unfold();
    list.append(...cards);
    next = further.offset + further.providers.length;
    position.textContent = view.say("shown", { shown: list.childElementCount, count: further.total });
    more.hidden = next >= further.total;
    (cards[0].querySelector("button") ?? list).focus?.();
  }, "serverTools");
  const isWhole = answer.offset === 0 && next >= answer.total;
  return [title, found, answer.providers.isCut && view.note("cut"), list, !isWhole && position, next < answer.total && view.actions(more)];
};

const pills = (items) => make("ul", "pills", { role: "list" }, ...items.map((item) => make("li", "pill", {}, item)));

const drawProfile = (view, { person: one, bio, acceptedInsuranceByState, appointmentTypes }, asked) => {
  view.people.set(one.slug, one.displayName);
  const places = one.statesLicensed.filter((code) => code in STATES);
  const opens = one.statesAcceptingPatients;
  let state = [stateCode(asked?.state), opens[0], places[0]].find((code) => code && places.includes(code));
  const here = make("div", "part", {});
  const show = () => {
    const name = stateName(state);
    const plans = acceptedInsuranceByState.get(state) ?? [];
    const visits = appointmentTypes.filter(({ states }) => states.includes(state)).map((visit) => visit.name);
    here.replaceChildren(...[
      ...view.statuses(one, state),
      view.actions(opens.includes(state) && seeTimes(view, one, state), openPage(view, one)),
      make("h2", "", {}, view.say(plans.length > 0 ? "plans" : "noPlans", { state: name })), plans.length > 0 && pills(plans),
      visits.length > 0 && make("h2", "", {}, view.say("visits", { state: name })), visits.length > 0 && pills(visits),
    ].filter(Boolean));
  };
  const select = make("select", "", { id: "state" }, ...places.map((code) => {
    const option = make("option", "", { value: code }, stateName(code));
    option.selected = code === state;
    return option;
  }));
  select.addEventListener("change", () => {
    state = select.value;
    show();
  });
  if (state) show();
  else here.replaceChildren(...view.statuses(one), view.actions(openPage(view, one)));
  const title = view.title("of", { label: view.say("clinician"), name: one.displayName });
  const about = [
    one.menopauseSocietyCertified && make("p", "text", {}, view.say("certified")),
    make("p", "text", {}, one.clinicalInterests.join(" · ")),
    one.languages?.length > 0 && make("p", "text", {}, view.say("languages", { languages: one.languages.join(", ") })),
  ];
  title.classList.add("unseen");
  return [title, make("div", "profile", {}, view.card("div", one, ...about)),
    places.length > 1 && make("label", "field", { for: "state" }, view.say("where"), select), here, make("p", "bio", {}, bio)];
};
