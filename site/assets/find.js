// Who fits a search: with a state, those who have openings, the soonest first; without one, by name.

import { daysWith, openings, partOf } from "./openings.js";
import { search, takesNew } from "./people.js";

/**
 * The days of a clinician. If any visit will do, they are of the first one that has the first opening, so that a profile
 * shows as many times as were promised. If they can't be had, the first opening is shown alone.
 */
export const daysOfVisit = async (index, path, wanted, { startTime, localTime, providerSlug }) => {
  const isFit = ({ video, open, states }) => video && open && states.has(wanted.state);
  const visits = wanted.visit ? [wanted.visit] : [...index.visits].filter(([, visit]) => isFit(visit)).map(([id]) => id);
  try {
    for (const visit of visits) {
      const days = await daysWith(path, { ...wanted, visit }, providerSlug);
      if (days.some(({ parts }) => Object.values(parts).some((times) => times.includes(startTime)))) return wanted.visit ? days : Object.assign(days, { visit });
    }
  } catch {}
  return [{ date: localTime.slice(0, 10), parts: { [partOf(localTime.slice(11, 16))]: [startTime] } }];
};

/** Whether openings can be asked for: a visit by message has none, and without a state nobody can be seen. */
export const isTimed = (index, wanted) => Boolean(wanted.state) && index.visits.get(wanted.visit)?.video !== false;

/**
 * `next(count)` returns the next clinicians, each with the days that have openings, and `hasMore()` whether there are others.
 * `total` counts them, `first` is the soonest opening, and `others` are those who fit but see current patients only.
 */
export const find = async (index, wanted, availability) => {
  if (index.api) return (await import("./remote.js")).find(index, wanted, availability);
  const matches = search(index, wanted);
  if (!isTimed(index, wanted) || matches.length === 0) {
    const rest = [...matches];
    return { isTimed: false, total: matches.length, others: [], next: async (count) => rest.splice(0, count).map((person) => [person]), hasMore: () => rest.length > 0 };
  }
  const { first, staleSince } = await openings(availability, wanted);
  const bySlug = new Map(matches.map((person) => [person.slug, person]));
  const open = [...first.values()].filter(({ providerSlug }) => bySlug.has(providerSlug));
  const isForNew = index.visits.get(wanted.visit)?.open !== false;
  return {
    isTimed: true, staleSince, total: open.length, first: open[0],
    others: isForNew ? matches.filter((person) => !takesNew(person, wanted.state)) : [],
    next: (count) => Promise.all(open.splice(0, count).map(async (slot) => [bySlug.get(slot.providerSlug), await daysOfVisit(index, availability, wanted, slot)])),
    hasMore: () => open.length > 0,
  };
};
