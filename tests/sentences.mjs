// Runs a file of sentences (default: tests/cases/sentences.json) against the demo's names: `node tests/sentences.mjs [FILE]`.
// Prints each miss, and last `N of M`.

import { clinic, json, read } from "./sentence-demo.mjs";

const languages = new Intl.DisplayNames(["en"], { type: "language" });
const sorted = (list) => [...list].sort();
/** What was understood, as the cases write it. */
const told = ({ fields, concepts, ignored, notLeftOut, answer, profession, danger, isUrgent }, { first }) => {
  const { visit, ...rest } = fields;
  return {
    ...rest,
    ...(visit && { visit: clinic.visits.find(({ id }) => id === visit).name }),
    ...(concepts.length > 0 && { concepts: sorted(concepts.flatMap(({ interests }) => interests)) }),
    ...(ignored.length > 0 && { ignored: ignored.map((word) => word.toLowerCase()) }),
    ...(answer?.kind === "plan" && { planNotTaken: answer.typed.toLowerCase() }),
    ...(answer?.kind === "state" && { stateNotServed: [answer.notServed, ...answer.notEither].join(", ") }),
    ...(answer?.kind === "selfPay" && { selfPay: true }),
    ...(answer?.kind === "whichPlan" && { [answer.field === "q" ? "nameQuestion" : "planQuestion"]: answer.plans }),
    ...(answer?.kind === "language" && { languageNotSpoken: languages.of(answer.notSpoken) }),
    ...(answer?.kind === "whichState" && { stateQuestion: answer.states }),
    ...(answer?.kind === "languages" && (answer.isQuestion ? { languageQuestion: true } : { languagesSpoken: true })),
    ...(answer?.kind === "booking" && { booking: true }),
    ...(answer?.kind === "ask" && { ask: true }),
    ...(answer?.kind === "inPerson" && { inPerson: true }),
    ...(answer?.kind === "refill" && { refill: true }),
    ...(answer?.kind === "leave" && { onLeave: true }),
    ...(answer?.kind === "minor" && { minor: true }),
    ...(answer?.kind === "noDate" && { noDate: true }),
    ...(answer?.kind === "past" && { past: true }),
    ...(answer?.kind === "abroad" && { abroad: true }),
    ...(answer?.kind === "timeZone" && { timeZone: true }),
    ...(answer?.kind === "twoTimes" && { twoTimes: true }),
    ...(answer?.kind === "seesIn" && { seesIn: answer.states }),
    ...(answer?.kind === "plans" && answer.isMyPlan && { yourPlan: true }),
    ...(profession && { profession }),
    ...(notLeftOut?.length > 0 && { notLeftOut: notLeftOut.map((words) => words.toLowerCase()) }),
    ...(isUrgent && { urgent: isUrgent === "menopause" ? isUrgent : true }),
    ...(danger && { emergency: true }),
    ...(first && danger && { first: numberOf(danger) }),
  };
};
/** A cry for help, an overdose and what may hurt someone else get 911 and, unlike what is medical, 988. */
const numberOf = (danger) => (["harm", "help", "taken"].includes(danger) ? "911" : danger);
const ordered = (value) => JSON.stringify(Object.fromEntries(Object.entries(value).sort()));

const [file = new URL("cases/sentences.json", import.meta.url)] = process.argv.slice(2);
const { now, timeZone, cases } = json(file);
let met = 0;
for (const { lang, text: typed, danger, want } of cases) {
  // What is urgent is all that some cases are about.
  if (danger !== undefined) {
    const called = numberOf(read(typed, lang, now, timeZone).danger);
    if (called === danger) met += 1;
    else console.log(`[${lang}] ${typed}\n  wanted ${danger}\n  got    ${called}`);
    continue;
  }
  const is = told(read(typed, lang, now, timeZone), want);
  // What was ignored is part of what a sentence means: a case that names nothing ignores nothing.
  const { ignored = [], concepts, ...others } = want;
  const expected = { ...others, ...(ignored.length > 0 && { ignored }), ...(concepts && { concepts: sorted(concepts) }) };
  if (ordered(is) === ordered(expected)) met += 1;
  else console.log(`[${lang}] ${typed}\n  wanted ${ordered(expected)}\n  got    ${ordered(is)}`);
}
console.log(`${met} of ${cases.length}`);
process.exitCode = met === cases.length ? 0 : 1;
