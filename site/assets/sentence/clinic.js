// The clinic's names as the sentences need them: `data` is assets/sentence.json, which the build writes; `people` are the
// clinicians of the index (people.js), none where a large clinic's index has no rows.

const split = (text) => (text ? text.split(" ") : []);

export const clinicOf = ({ states, served, plans, visits, languages, types, concepts, ...others }, people) => ({
  ...others,
  states: Object.fromEntries(Object.entries(states).map(([code, name]) => [code, [name]])),
  served: split(served),
  plans: plans.map(([name, states]) => ({ name, states: split(states) })),
  visits: visits.map(([id, name, video, open]) => ({ id: String(id), name, video, open })),
  languages: languages.map(([name, code]) => ({ name, code })),
  types: Object.fromEntries(Object.entries(types).map(([type, phrases]) => [type, phrases.split(", ")])),
  concepts: concepts.map(([names, phrases]) => [names, phrases.split(", ")]),
  people: people?.map(({ slug, name }) => ({ slug, name })),
});
