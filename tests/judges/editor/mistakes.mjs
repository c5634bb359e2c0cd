// Mistakes that people make in the form: the field that `check` names, and what it says, in the form's own words.

const HOURS = "content/availability/annelise-bjork.toml";
const PERSON = "content/providers/annelise-bjork.toml";
const CLINIC = "content/directory.toml";
const VISITS = "content/appointment-types.toml";
const PLANS = "content/insurances.toml";
const LAST = "\nhours = [\"09:00-12:00\"]";

/** The file, what stands there, what is written instead, the field, and what is said of it. */
const MISTAKES = [
  [HOURS, "13:00-16:00", "9-5", "Hours › Weekly hours › 1 › Hours › 2", '"9-5" isn\'t a valid range of hours. A time of day is HH:MM, from 00:00 to 23:59; only an end can be 24:00. Write it like "09:00-17:00".'],
  [HOURS, "13:00-16:00", "9am to 5pm", "Hours › Weekly hours › 1 › Hours › 2", '"9am to 5pm" isn\'t a valid range of hours. Hours are two times of day with a hyphen between them, such as "09:00-17:00".'],
  [HOURS, "13:00-16:00", "11:00-16:00", "Hours › Weekly hours › 1 › Hours › 2", "On Monday, these hours overlap other hours for visit type 101. Check both with the clinician: end one before the other begins, or write other days if one was copied."],
  [HOURS, "13:00-16:00", "16:00-13:00", "Hours › Weekly hours › 1 › Hours › 2", 'On Tuesday, these hours overlap other hours for visit type 101. Write "13:00-16:00".'],
  [HOURS, '["fri"]', "[]", "Hours › Weekly hours › 2 › Days", "“Days” is empty. Choose some, or remove the entry."],
  [HOURS, "to   = 2028-06-25", "to   = 2028-06-05", "Hours › Exceptions › 2 › To", '“From” (2028-06-14) is after “To” (2028-06-05). Write 2028-07-05, or swap the two dates.'],
  [HOURS, "2028-06-25", "2099-06-25", "Hours › Exceptions › 2 › To", "This closes this clinician's hours for 25944 days. Write 2028-06-25."],
  [HOURS, "# First", "[effective]\nfrom = 2027-03-01\nuntil = 2026-12-01\n# First", "Hours › Weekly hours apply › Until", '“From” (2027-03-01) is after “Until” (2026-12-01). Write 2026-03-01, or write 2027-12-01.'],
  [HOURS, "[102]", "[104]", "Hours › Weekly hours › 2 › Only these visits › 1", 'annelise-bjork doesn\'t offer visit type 104. Write 102 here, if Follow-up visit (102) is meant: no hours are for it yet, or if this clinician offers Sleep and mood visit (104), add 104 to `appointment-types` in “Clinicians › annelise-bjork”, or delete these hours.'],
  ["content/availability/nobody-here.toml", "", `timezone = "America/Chicago"\n[[weekly]]\ndays = ["tue"]${LAST}`, "Hours", "“Clinicians › nobody-here” doesn't exist. If nobody-here has left, delete these hours."],
  [PERSON, "Annelise Björk", "Dr. Annelise Björk", "Clinicians › Name", 'Titles and credentials aren\'t part of the name. Pages show the credentials after it. Write "Annelise Björk".'],
  [PERSON, "Annelise Björk", " ", "Clinicians › Name", '“Name” is empty. Fill it in, such as "Jane Doe".'],
  [PERSON, "annelise-bjork.svg", "https://drive.google.com/file/d/1a2b/view", "Clinicians › Portrait", "This is the address of a Google Drive page, not of the picture on it. Download the picture, upload it here."],
  [PERSON, "Dr. Björk trained", "<b>Dr. Björk</b> trained", "Clinicians › Biography", "This text contains HTML. Delete the HTML tags."],
  [PERSON, "Dr. Björk trained", "Call 510-555-0100. She trained", "Clinicians › Biography", "This looks like a phone number. Remove the sentence: patients call the clinic, whose number is in “Who we are”."],
  [PERSON, 'accepting = ["CO"]', 'accepting = ["CO", "HI"]', "Clinicians › Accepts new patients in › 2", 'HI is in “Accepts new patients in” but not in “Licensed in”. If there is a license for HI, add "HI" to “Licensed in”, or remove "HI" here.'],
  [PERSON, '"Goldenrod PPO"', '"Goldenrod POP"', "Clinicians › Insurance › More plans in Arizona › 1", 'No plan in “Insurance plans” is named "Goldenrod POP". Write "Goldenrod PPO".'],
  [PERSON, "9561203842", "956120384", "Clinicians › NPI", '"956120384" isn\'t an NPI: an NPI has ten digits. Look the clinician up at https://npiregistry.cms.hhs.gov and copy the NPI from there.'],
  [PERSON, '"Swedish"', '"Sweedish"', "Clinicians › Languages › 2", '"Sweedish" isn\'t a language. Write "Swedish".'],
  [PERSON, "year = 1999", "year = 19999", "Clinicians › Education › 1 › Year", "19999 isn't a valid year for a degree. Write 1999."],
  [CLINIC, "+1-510-555-0100", "1-800-LARKSPUR", "Who we are › Address › Phone", '"1-800-LARKSPUR" isn\'t a phone number that can be dialed. Write "+18005275778".'],
  [CLINIC, "site-languages", 'booking-url = "book.larkspur.example/{providerSlug}"\nsite-languages', "Who we are › Booking address", 'A booking address begins with https://. Write "https://book.larkspur.example/{providerSlug}".'],
  [VISITS, 'duration = "45m"\n', "", "Visit types › Visit types › 1", "A video visit needs a “Length”, such as 30m."],
  [VISITS, "id = 301", "id = 101", "Visit types › Visit types › 7 › Number", 'Two visit types have the id 101. Write 301.'],
  [PLANS, '"Amberline Choice PPO"', '"goldenrod ppo"', "Clinicians › Insurance › In every licensed state › 1", 'No plan in “Insurance plans” is named "Amberline Choice PPO". The plans there are "Blue Mesa of California", "Bluebonnet Trail PPO", "Cedar & Stone EPO", "Harbor Mutual HMO", "Hudson Lantern EPO", "Juniper Advantage" and 4 more. Change "goldenrod ppo" back to "Amberline Choice PPO" in “Insurance plans”.'],
];

/** `problems` gives all that `check` finds in the files with some of them changed. */
export const mistakes = (files, problems) => {
  const wrong = [];
  for (const [path, old, now, label, words] of MISTAKES) {
    const text = files[path] ?? "";
    if (!text.includes(old)) throw new Error(`${path} has no ${old}`);
    const found = problems({ [path]: text.replace(old, () => now) });
    if (!found.some((problem) => problem.label === label && problem.inWords.endsWith(words))) {
      wrong.push(`${label}: ${words} Found instead: ${found.slice(0, 4).map((problem) => `${problem.label}: ${problem.inWords}`).join(" / ") || "nothing"}`);
    }
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return `${MISTAKES.length} mistakes name their field by its label and use the form's words`;
};
