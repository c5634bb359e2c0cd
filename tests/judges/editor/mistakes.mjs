// Mistakes that people make in the form: the field that `check` names, and what it says, in the form's own words.

const HOURS = "content/availability/annelise-bjork.toml";
const PERSON = "content/providers/annelise-bjork.toml";
const CLINIC = "content/directory.toml";
const VISITS = "content/appointment-types.toml";
const PLANS = "content/insurances.toml";
const LAST = "\nhours = [\"09:00-12:00\"]";

/** The file, what stands there, what is written instead, the field, and what is said of it. */
const MISTAKES = [
  [HOURS, "13:00-16:00", "9-5", "Hours › Weekly hours › 1 › Hours › 2", '"9-5" is not a valid range of hours: a time of day is HH:MM, from 00:00 to 23:59; 24:00 may end a window: write it like "09:00-17:00".'],
  [HOURS, "13:00-16:00", "9am to 5pm", "Hours › Weekly hours › 1 › Hours › 2", '"9am to 5pm" is not a valid range of hours: hours are two times of day with a hyphen between them, such as "09:00-17:00".'],
  [HOURS, "13:00-16:00", "11:00-16:00", "Hours › Weekly hours › 1 › Hours › 2", "these hours overlap others of the visit type 101 on Monday: let one end where the other begins."],
  [HOURS, "13:00-16:00", "16:00-13:00", "Hours › Weekly hours › 1 › Hours › 2", 'these hours overlap others of the visit type 101 on Tuesday: write "13:00-16:00".'],
  [HOURS, '["fri"]', "[]", "Hours › Weekly hours › 2 › Days", "“Days” is empty: choose some, or remove the entry."],
  [HOURS, "to   = 2032-06-25", "to   = 2032-06-05", "Hours › Exceptions › 2 › To", '“From” is 2032-06-14, which is after “To”, 2032-06-05: write 2033-06-05; or swap the two dates.'],
  [HOURS, "2032-06-25", "2099-06-25", "Hours › Exceptions › 2 › To", 'this exception is off for 24483 days: write 2032-06-25.'],
  [HOURS, "# First", "[effective]\nfrom = 2027-03-01\nuntil = 2026-12-01\n# First", "Hours › Weekly hours hold › Until", '“From” is 2027-03-01, which is after “Until”, 2026-12-01: write 2027-12-01; or swap the two dates.'],
  [HOURS, "[102]", "[104]", "Hours › Weekly hours › 2 › Only these visits › 1", 'annelise-bjork does not offer the visit type 104: add 104 to `appointment-types` in “Clinicians › annelise-bjork”.'],
  ["content/availability/nobody-here.toml", "", `timezone = "America/Chicago"\n[[weekly]]\ndays = ["tue"]${LAST}`, "Hours", "there is no “Clinicians › nobody-here”: add the clinician first, or press New and write the address of the right one."],
  [PERSON, "Annelise Björk", "Dr. Annelise Björk", "Clinicians › Name", 'titles and credentials are not part of the name: pages show the credentials after it: write "Annelise Björk".'],
  [PERSON, "Annelise Björk", " ", "Clinicians › Name", '“Name” is empty: fill it in, such as "Jane Doe".'],
  [PERSON, "annelise-bjork.svg", "https://drive.google.com/file/d/1a2b/view", "Clinicians › Portrait", "this is the address of a page of Google Drive, and not of the picture on it: download the picture, upload it here."],
  [PERSON, "Dr. Björk trained", "<b>Dr. Björk</b> trained", "Clinicians › Biography", "there is HTML in this text: content is plain text: take the tags out."],
  [PERSON, "Dr. Björk trained", "Call 510-555-0100. She trained", "Clinicians › Biography", "this looks like a phone number: patients call the clinic, whose number belongs into “Who we are”: take it out."],
  [PERSON, 'accepting = ["CO"]', 'accepting = ["CO", "HI"]', "Clinicians › Takes new patients in › 2", 'new patients are accepted in HI, but there is no license for HI: remove "HI" here; or add "HI" to “Licensed in”.'],
  [PERSON, '"Goldenrod PPO"', '"Goldenrod POP"', "Clinicians › Insurance › Further ones in Arizona › 1", 'there is no plan "Goldenrod POP" in “Insurance plans”: write "Goldenrod PPO".'],
  [PERSON, "9561203842", "956120384", "Clinicians › NPI", '"956120384" is not an NPI, which has ten digits: look the clinician up in https://npiregistry.cms.hhs.gov, and copy the NPI from there.'],
  [PERSON, '"Swedish"', '"Sweedish"', "Clinicians › Languages › 2", '"Sweedish" is not a language: write "Swedish".'],
  [PERSON, "year = 1999", "year = 19999", "Clinicians › Education › 1 › Year", "19999 is not a year of a degree: write four digits, such as 2009."],
  [CLINIC, "+1-510-555-0100", "1-800-LARKSPUR", "Who we are › Address › Phone", '"1-800-LARKSPUR" is not a phone number that can be dialled: write one, such as "510-555-0100", "510-555-0100 ext. 12" or "+44 20 7946 0958".'],
  [CLINIC, "site-languages", 'booking-url = "book.larkspur.example/{providerSlug}"\nsite-languages', "Who we are › Booking address", 'a booking address begins with https://: write it like "https://book.example.org/{providerSlug}{?startTime,appointmentType,state}".'],
  [VISITS, 'duration = "45m"\n', "", "Visit types › Visit types › 1", "a video visit needs a “Length”, such as 30m."],
  [VISITS, "id = 301", "id = 101", "Visit types › Visit types › 7 › Number", 'the id 101 is used twice: write 301.'],
  [PLANS, '"Amberline Choice PPO"', '"goldenrod ppo"', "Clinicians › Insurance › In every state of licensure › 1", 'there is no plan "Amberline Choice PPO" in “Insurance plans”: change "goldenrod ppo" back to "Amberline Choice PPO" in “Insurance plans”.'],
];

/** `problems` gives all that `check` finds in the files with some of them changed. */
export const mistakes = (files, problems) => {
  const wrong = [];
  for (const [path, old, now, label, words] of MISTAKES) {
    const text = files[path] ?? "";
    if (!text.includes(old)) throw new Error(`${path} has no ${old}`);
    const found = problems({ [path]: text.replace(old, () => now) });
    if (!found.some((problem) => problem.label === label && problem.inWords.endsWith(words))) {
      wrong.push(`${label}: ${words} Told instead: ${found.slice(0, 4).map((problem) => `${problem.label}: ${problem.inWords}`).join(" / ") || "nothing"}`);
    }
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return `${MISTAKES.length} mistakes are told by the label of their field and in the words of the form`;
};
