// The search of a clinic whose index has no clinicians: it asks the API, some clinicians at a time.
//
// With a state and without words, the answer about openings gives the clinicians. Otherwise the API's search gives them; it
// does not filter by visit, so that only openings show who offers one.

import { request } from "./dom.js";
import { daysOfVisits, isTimed } from "./find.js";
import { filters, openings } from "./openings.js";
import { isOfGender, wordsOf } from "./people.js";

/** The most pages that are searched for clinicians who fit, before the visitor is asked whether to go on. */
const MOST_PAGES = 10;
/** The longest `q` that the API takes. */
const MOST_WORDS = 8;
const MOST_LETTERS = 64;

const get = async (path) => (await request(path))[0];

/** No more words than the API takes. */
const queried = (text) => wordsOf(text).filter((word) => word !== "dr").slice(0, MOST_WORDS).join(" ").slice(0, MOST_LETTERS);

const pageOf = (index, wanted, limit, offset) => {
  const query = filters({ ...wanted, visit: "" });
  // The API's words must all match, so that one interest stands for each concern.
  const words = queried([wanted.q, ...(wanted.need ?? "").split(";").map((names) => names.split("|")[0])].join(" "));
  if (words) query.set("q", words);
  for (const [name, value] of Object.entries({ limit, offset })) query.set(name, value);
  return get(`${index.api.summary}?${query}`);
};

/** A clinician in the form of the index. A summary doesn't name the plans. */
const person = ({ api }, { slug, displayName, credentials, headshotUrl, statesLicensed, statesAcceptingPatients, acceptedInsuranceByState, clinicalInterests, gender, providerType, leave }) => ({
  href: `/providers/${slug}`, slug, name: displayName, credentials, gender, type: providerType,
  portrait: headshotUrl?.startsWith(`${api.site}/`) ? headshotUrl.slice(api.site.length) : headshotUrl,
  licensed: statesLicensed, accepting: statesAcceptingPatients, interests: clinicalInterests, leaves: leave,
  plans: acceptedInsuranceByState && new Map(Object.entries(acceptedInsuranceByState)),
});

const profile = async (index, slug) => person(index, await get(index.api.profile.replace("{slug}", slug)));

/** Those who have openings, the soonest first. */
const byTime = (index, wanted, availability, { first, isCut, staleSince }) => {
  const open = [...first.values()];
  const daysOf = daysOfVisits(index, availability, wanted);
  const whoAndWhen = async (slot) => {
    const [someone, days] = await Promise.all([profile(index, slot.providerSlug).catch(() => undefined), daysOf(slot)]);
    return [someone, days];
  };
  const next = async (count) => {
    const found = await Promise.all(open.splice(0, count).map(whoAndWhen));
    const known = found.filter(([someone]) => someone);
    const fitting = known.filter(([someone]) => !wanted.gender || isOfGender(someone.gender, wanted.gender));
    // One clinician may have left since the answer was made, but not all of them.
    if (found.length > 0 && known.length === 0) throw new Error("no profile can be had");
    return fitting;
  };
  return { isTimed: true, staleSince, total: isCut ? undefined : open.length, first: open[0], others: [], away: [], full: async () => [], next, hasMore: () => open.length > 0 };
};

/** Those who fit, in the order of the API; if openings are asked for, only those who have some. */
const byName = (index, wanted, availability, isTimed) => {
  let [offset, total] = [0, Infinity];
  const daysOf = daysOfVisits(index, availability, wanted);
  const isWanted = ({ gender }) => !wanted.gender || isOfGender(gender, wanted.gender);
  const next = async (count) => {
    const found = [];
    for (let pages = 0; pages < MOST_PAGES && found.length < count && offset < total; pages += 1) {
      const answer = await pageOf(index, wanted, count, offset);
      offset += count;
      total = answer.total;
      const people = answer.providers.map((summary) => person(index, summary)).filter(isWanted);
      const timed = await Promise.all(people.map(async (someone) => {
        const slot = isTimed && (await openings(availability, wanted, someone.slug)).first.get(someone.slug);
        return slot ? [someone, await daysOf(slot)] : [someone];
      }));
      found.push(...timed.filter(([, days]) => !isTimed || days));
    }
    return found;
  };
  // The API's total also counts those without openings, who are left out here.
  return { isTimed, get total() { return isTimed ? undefined : total; }, others: [], away: [], full: async () => [], next, hasMore: () => offset < total };
};

export const find = async (index, wanted, availability) => {
  const timed = isTimed(index, wanted);
  if (!timed || wanted.q || wanted.need) return byName(index, wanted, availability, timed);
  return byTime(index, wanted, availability, await openings(availability, wanted));
};
