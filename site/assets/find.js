// Who fits a search: with a state, those who have openings, the soonest first; without one, by name.

import { isAway } from "./cards.js";
import { FARTHEST, daysWith, openings, partOf } from "./openings.js";
import { search, takesNew } from "./people.js";

/**
 * Returns a function that finds the days of a clinician. If any visit will do, they are of the first one that has the first
 * opening, so that a profile shows as many times as were promised. Which one it is, one request for each visit says for all
 * clinicians. If the days can't be had, the first opening is shown alone.
 */
export const daysOfVisits = (index, path, wanted) => {
  const isFit = ({ video, open, states }) => video && open && states.has(wanted.state);
  const visits = wanted.visit ? [wanted.visit] : [...index.visits].filter(([, visit]) => isFit(visit)).map(([id]) => id);
  const asked = new Map();
  const firstOf = async (visit, slug) => {
    if (!asked.has(visit)) asked.set(visit, openings(path, { ...wanted, visit }));
    const { first, isCut } = await asked.get(visit);
    return first.get(slug) ?? (isCut ? (await openings(path, { ...wanted, visit }, slug)).first.get(slug) : undefined);
  };
  /** The last candidate needs no request. */
  const visitOf = async ({ startTime, providerSlug }, offered) => {
    const own = visits.filter((visit) => offered?.has(visit) ?? true);
    for (const visit of own.slice(0, -1)) if ((await firstOf(visit, providerSlug))?.startTime === startTime) return visit;
    return own.at(-1);
  };
  return async (slot, offered) => {
    const { startTime, localTime, providerSlug } = slot;
    try {
      const visit = await visitOf(slot, offered);
      const days = await daysWith(path, { ...wanted, visit }, providerSlug);
      if (days.some(({ parts }) => Object.values(parts).some((times) => times.includes(startTime)))) return wanted.visit ? days : Object.assign(days, { visit });
    } catch {}
    return [{ date: localTime.slice(0, 10), parts: { [partOf(localTime.slice(11, 16))]: [startTime] } }];
  };
};

/** How many fit: "10+" if there are more than are known. */
export const countOf = ({ total, hasMore }, { length }) => total ?? (hasMore() ? `${length}+` : length);

/** Whether openings can be asked for: a visit by message has none, and without a state no one can be seen. */
export const isTimed = (index, wanted) => Boolean(wanted.state) && index.visits.get(wanted.visit)?.video !== false;

/**
 * `next(count)` returns the next clinicians, each with the days that have openings, and `hasMore()` whether there are others.
 * `total` counts them, `first` is the soonest opening, `others` are those who fit but see current patients only, `away` those on leave, and
 * `unread` those whose openings can't be read right now.
 * `full()` returns those who are booked up for now, each with the first opening after that; null if it isn't known.
 */
export const find = async (index, wanted, availability) => {
  if (index.api) return (await import("./remote.js")).find(index, wanted, availability);
  const matches = search(index, wanted);
  if (!isTimed(index, wanted) || matches.length === 0) {
    // A visit for new patients isn't for those who are seen already, and who asks who takes a plan is new.
    const { state, visit, plan } = wanted;
    const isForNew = index.visits.get(visit)?.open ?? Boolean(plan && !state);
    const isFor = (person) => !isForNew || takesNew(person, state, visit, !state && plan);
    const rest = matches.filter(isFor);
    return { isTimed: false, total: rest.length, others: matches.filter((person) => !isFor(person) && !takesNew(person, state)), away: [], full: async () => [], next: async (count) => rest.splice(0, count).map((person) => [person]), hasMore: () => rest.length > 0 };
  }
  const { first, isCut, staleSince, unknown } = await openings(availability, wanted);
  const bySlug = new Map(matches.map((person) => [person.slug, person]));
  const open = [...first.values()].filter(({ providerSlug }) => bySlug.has(providerSlug));
  const here = matches.filter((person) => !isAway(person));
  const daysOf = daysOfVisits(index, availability, wanted);
  const isForNew = index.visits.get(wanted.visit)?.open !== false;
  const isFull = (person) => !first.has(person.slug) && !unknown.has(person.slug) && (!isForNew || takesNew(person, wanted.state));
  // On another day or at another hour, they may have openings.
  const booked = isCut || wanted.day || wanted.part ? [] : here.filter(isFull);
  const full = async () => {
    if (booked.length === 0) return [];
    const later = await openings(availability, wanted, undefined, { horizonDays: FARTHEST }).catch(() => null);
    return booked.map((person) => [person, later && later.first.get(person.slug)]);
  };
  return {
    full, isTimed: true, staleSince, total: open.length, first: open[0],
    others: isForNew ? here.filter((person) => !takesNew(person, wanted.state)) : [],
    away: matches.filter(isAway), unread: here.filter(({ slug }) => unknown.has(slug)),
    next: (count) => Promise.all(open.splice(0, count).map(async (slot) => {
      const person = bySlug.get(slot.providerSlug);
      return [person, await daysOf(slot, person.visits)];
    })),
    hasMore: () => open.length > 0,
  };
};
