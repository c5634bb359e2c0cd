// The search of a clinic whose index has no clinicians: it asks the API, some clinicians at a time.
//
// Without words, the answer about times gives the clinicians, the earliest first. With words, and where no time can be
// asked for, the API's search gives them. That search filters neither by visit nor by new patients: if times are asked
// for, they decide it; otherwise the cards or the profiles show it.

import { filters, openings, timesOf } from "./openings.js";
import { takesNew, wordsOf } from "./people.js";

const PATIENCE = 10_000;
const AT_ONCE = 8;
const LARGEST_PAGE = 100;
/** The most pages that are searched for clinicians who fit, before the visitor is asked whether to go on. */
const MOST_PAGES = 10;
/** The longest `q` that the API takes. */
const MOST_WORDS = 8;
const MOST_LETTERS = 64;

const get = async (path) => {
  const response = await fetch(path, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
};

/** No more words than the API takes. */
const queried = (text) => wordsOf(text).filter((word) => word !== "dr").slice(0, MOST_WORDS).join(" ").slice(0, MOST_LETTERS);

const pageOf = (index, wanted, limit, offset) => {
  const query = filters({ ...wanted, visit: "" });
  const words = queried(wanted.q);
  if (words) query.set("q", words);
  for (const [name, value] of Object.entries({ limit, offset })) query.set(name, value);
  return get(`${index.api.summary}?${query}`);
};

/** How many fit; 0 where the API cannot count them. */
export const count = async (index, wanted) => (wanted.visit || wanted.open ? 0 : (await pageOf(index, wanted, 1, 0)).total);

/** A clinician as the cards have one. A summary does not name the plans. */
const person = ({ api }, { slug, displayName, credentials, headshotUrl, statesLicensed, statesAcceptingPatients, acceptedInsuranceByState, clinicalInterests, gender, providerType }) => ({
  href: `/providers/${slug}`, slug, name: displayName, credentials, gender, type: providerType,
  portrait: headshotUrl?.startsWith(`${api.site}/`) ? headshotUrl.slice(api.site.length) : headshotUrl,
  licensed: statesLicensed, accepting: statesAcceptingPatients, interests: clinicalInterests,
  plans: acceptedInsuranceByState && new Map(Object.entries(acceptedInsuranceByState)),
});

export const profile = async (index, slug) => person(index, await get(index.api.profile.replace("{slug}", slug)));

const fits = (wanted) => (someone) => !wanted.open || takesNew(someone, wanted.state);

/** Those who have a time, in the order of their first ones. */
const byTime = (index, wanted, availability, { times }) => {
  const slugs = [...times.keys()];
  const whoAndWhen = async (slug) => {
    const [someone, own] = await Promise.all([profile(index, slug).catch(() => undefined), timesOf(availability, wanted, slug).catch(() => [])]);
    return [someone, own.length > 0 ? own : times.get(slug)];
  };
  const next = async () => {
    const found = await Promise.all(slugs.splice(0, AT_ONCE).map(whoAndWhen));
    const known = found.filter(([someone]) => someone);
    // One clinician may have left since the answer was made, but not all.
    if (found.length > 0 && known.length === 0) throw new Error("no profile can be had");
    return known.filter(([someone]) => fits(wanted)(someone));
  };
  return { isByTime: true, total: slugs.length, next, hasMore: () => slugs.length > 0 };
};

/** Those who fit, in the order of the API. */
const byName = (index, wanted, availability, open, isTimed) => {
  // Only a complete answer about times tells without further questions who has none.
  const size = isTimed && !open.isCut ? LARGEST_PAGE : AT_ONCE;
  let [offset, total] = [0, Infinity];
  const own = ({ slug, accepting }) => {
    if (!open || !(isTimed || takesNew({ accepting }, wanted.state))) return undefined;
    const known = open.times.get(slug);
    if (!known && !open.isCut) return [];
    // Evenings late in a week may lie behind the most times that one answer has.
    return timesOf(availability, wanted, slug).then((times) => (times.length > 0 ? times : known)).catch(() => known);
  };
  const next = async () => {
    const found = [];
    for (let pages = 0; pages < MOST_PAGES && found.length < AT_ONCE && offset < total; pages += 1) {
      const answer = await pageOf(index, wanted, size, offset);
      offset += size;
      total = answer.total;
      const people = answer.providers.map((summary) => person(index, summary)).filter(fits(wanted));
      const timed = await Promise.all(people.map(async (someone) => [someone, await own(someone)]));
      found.push(...timed.filter(([, times]) => !isTimed || times?.length > 0));
    }
    return found;
  };
  // The API's total also counts the clinicians who are left out here.
  return { get total() { return isTimed || wanted.open ? undefined : total; }, next, hasMore: () => offset < total };
};

/**
 * The clinicians who fit: `next()` returns the next ones with their times, `hasMore()` whether there may be others. `open` is
 * the answer about times: undefined if there was nothing to request, null if the request failed.
 */
export const find = async (index, wanted, availability) => {
  const isAsked = wanted.state && index.visits.get(wanted.visit)?.video !== false;
  const open = isAsked ? await openings(availability, wanted, false).catch(() => null) : undefined;
  const isTimed = Boolean(open && (wanted.when || wanted.evening || wanted.visit));
  const isByTime = open && !wanted.q && (isTimed || open.times.size > 0);
  const list = isByTime ? byTime(index, wanted, availability, open) : byName(index, wanted, availability, open, isTimed);
  return Object.assign(list, { open, isTimed });
};
