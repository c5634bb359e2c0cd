// The list of everyone, before a state is chosen: when each clinician has the next opening, on the viewer's clock.

import { nextOf } from "./cards.js";
import { FARTHEST, openings } from "./openings.js";

/** The API is asked for each state. With more of them, the list does without. */
const MOST_STATES = 12;

/** Fills the lines that the rows have for it; true if the API answered. */
export const upcoming = async (index, path, wanted, list) => {
  const lines = [...list.querySelectorAll(".next")];
  const states = [...new Set(index.people.flatMap(({ accepting }) => accepting))];
  const isFew = states.length > 0 && states.length <= MOST_STATES;
  const found = isFew ? await Promise.all(states.map((state) => openings(path, { ...wanted, state }, undefined, { horizonDays: FARTHEST }))).catch(() => null) : null;
  for (const line of lines) {
    const who = line.closest(".who");
    const slug = who.querySelector(".name a").pathname.split("/").at(-1);
    const slots = found?.map(({ first }) => first.get(slug)).filter(Boolean) ?? [];
    const [soonest] = slots.sort((one, other) => one.startTime.localeCompare(other.startTime));
    line.textContent = found ? nextOf(soonest) : "";
    line.hidden = !found || (!soonest && who.querySelector("[data-now]"));
  }
  return Boolean(found);
};
