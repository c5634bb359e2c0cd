//! Invented clinics of any size: content folders in the form that people write, out of a seed.
//!
//! One seed and one size give the same folder on every machine. A provider's file has about 1.9 KB, and the
//! profile that comes out of it about 1.8 KB, as a real one of the demo does.
#![expect(clippy::disallowed_methods, reason = "content folders are written here, for measuring")]

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use rayon::prelude::*;

use crate::chance::Chance;

/// A clinic to be invented.
#[derive(Debug, Clone, Copy)]
pub struct Clinic {
    /// How many providers.
    pub providers: usize,
    /// What everything is drawn from.
    pub seed: u64,
    /// Whether each provider also has weekly hours.
    pub with_hours: bool,
}

const FIRST: [&str; 24] = [
    "Amara", "Beatriz", "Carmen", "Dalia", "Esther", "Farah", "Greta", "Hana", "Ines", "June", "Kavita",
    "Lena", "Mirela", "Nadia", "Odile", "Petra", "Quinn", "Rosa", "Sunniva", "Tamsin", "Uma", "Vera", "Wren",
    "Yara",
];
const LAST: [&str; 24] = [
    "Abernathy",
    "Bjork",
    "Castellanos",
    "Dubois",
    "Eriksen",
    "Fairweather",
    "Galanis",
    "Hollis",
    "Ibarra",
    "Janssen",
    "Kowalska",
    "Lindqvist",
    "Moreau",
    "Nakashima",
    "Okonkwo",
    "Pemberton",
    "Quesada",
    "Rautio",
    "Solheim",
    "Thackeray",
    "Ulrich",
    "Vasquez",
    "Whitcombe",
    "Zielinska",
];
const STATES: [&str; 12] = ["AZ", "CA", "CO", "FL", "GA", "IL", "MA", "NY", "OH", "PA", "TX", "WA"];
const INTERESTS: [&str; 12] = [
    "Perimenopause",
    "Menopause",
    "Bone health",
    "Preventive care",
    "Sleep",
    "Mood",
    "Thyroid conditions",
    "Heart health",
    "Migraine",
    "Nutrition",
    "Pelvic health",
    "Contraception",
];
const SENTENCES: [&str; 12] = [
    "Patients describe a visit that begins with listening and ends with a plan in plain words.",
    "Years in a busy community practice taught the value of an unhurried first conversation.",
    "Perimenopause and the years after it are the heart of this work, beside everyday primary care.",
    "Together you will look at what changed, when it changed, and what matters most to you now.",
    "Evidence comes first, and so does the life that a treatment has to fit into.",
    "A residency on the coast was followed by a fellowship devoted to women in midlife.",
    "Teaching has always been part of the week, and so has learning from each patient's story.",
    "Away from the screen there is a stubborn citrus tree, a choir and a very old bicycle.",
    "Sleep, mood and bone health are looked at as one picture and not as three complaints.",
    "Questions between visits are welcome, and small steps count as much as large ones.",
    "Every plan is written down, shared at once, and looked at again when something changes.",
    "Families, work and worries belong into the room as much as numbers from a laboratory.",
];
const SCHOOLS: [&str; 6] = [
    "Sablewood Medical College",
    "Copper Basin University Hospitals",
    "Saguaro Ridge University",
    "Tidewell University",
    "Alder Point School of Nursing",
    "Northlake State University",
];
const PLANS: usize = 40;

impl Clinic {
    /// Writes the content folder; files of that name are replaced, others stay.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder.join("providers"))?;
        fs::write(folder.join("directory.toml"), DIRECTORY)?;
        fs::write(folder.join("appointment-types.toml"), VISIT_TYPES)?;
        let plans: Vec<_> =
            (0..PLANS).map(|plan| format!("[[plan]]\nname = \"{}\"\n", plan_name(plan))).collect();
        fs::write(folder.join("insurances.toml"), plans.join("\n"))?;
        if self.with_hours {
            fs::create_dir_all(folder.join("availability"))?;
        }
        (0..self.providers).into_par_iter().try_for_each(|number| {
            let mut chance = Chance::new(self.seed ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95));
            let (slug, state, text) = provider(number, &mut chance);
            fs::write(folder.join(format!("providers/{slug}.toml")), text)?;
            if self.with_hours {
                fs::write(folder.join(format!("availability/{slug}.toml")), hours(state, &mut chance))?;
            }
            Ok(())
        })
    }
}

/// The slug, a state of the licenses and the file of one provider.
fn provider(number: usize, chance: &mut Chance) -> (String, &'static str, String) {
    let (first, last) = (chance.pick(&FIRST), chance.pick(&LAST));
    let slug = format!("{}-{}-{number}", first.to_lowercase(), last.to_lowercase());
    let states = chance.some(&STATES, 2);
    let mut text = String::with_capacity(2048);
    // Writing into a string cannot fail.
    let mut line = |words: String| _ = writeln!(text, "{words}");
    line("# The name of this file is the web address of the profile. A clinician who leaves is listed in retired.toml,\n\
          # so that no one else is ever given this id or this name; see the handbook before you change either."
        .to_owned());
    line("# Texts are read aloud, shown on pages and handed to assistants: full sentences, no links, no numbers."
        .to_owned());
    line("# Weekly hours stand in the file of the same name in availability/, in the clinician's own time zone.\n\
          # Portraits are 600 × 600 pixels and are in headshots/; without one, the initials are shown instead."
        .to_owned());
    line("# Plans must be spelled as insurances.toml has them; states are two-letter codes.".to_owned());
    line(format!("id = \"prov-{number:06}\"\ndisplay-name = \"{first} {last} the {number}th\""));
    let kind = chance.pick(&["physician", "nursePractitioner"]);
    let credentials = if kind == "physician" { "MD, FACOG, MSCP" } else { "MSN, APRN, MSCP" };
    line(format!("credentials = \"{credentials}\""));
    line(format!("provider-type = \"{kind}\""));
    line(format!("gender = \"{}\"", chance.pick(&["female", "female", "male", "nonBinary"])));
    line(format!("bio = \"\"\"{} {first} is provider {number}.\"\"\"", chance.some(&SENTENCES, 5).join(" ")));
    line(format!("menopause-society-certified = {}", chance.below(2) == 0));
    line(format!("clinical-interests = {:?}", chance.some(&INTERESTS, 5)));
    line(format!("licensed = {states:?}\naccepting = {:?}", &states[..states.len() - chance.below(2)]));
    // Neither is offered in a few of the states, which would be a warning.
    let has_both = states.iter().any(|state| !["GA", "MA", "OH", "PA"].contains(state));
    let other = chance.pick(&["103", "201"]);
    line(format!("appointment-types = [101{}]", if has_both { format!(", {other}") } else { String::new() }));
    line(format!("\n[insurance]\nall = {:?}", plans(chance, 0, 2)));
    line(format!("{} = {:?}", states[0], plans(chance, PLANS / 2, 2)));
    let graduated = 1989 + chance.below(26);
    for (degree, field, year) in [("MD", "Medicine", graduated), ("BS", "Human Biology", graduated - 4)] {
        let school = chance.pick(&SCHOOLS);
        line(format!(
            "\n[[education]]\ndegree = \"{degree}\"\nfield = \"{field}\"\ninstitution = \"{school}\"\nyear = {year}"
        ));
    }
    line("\n[[certifications]]\nissuer = \"ABOG\"\nname = \"Obstetrics & Gynecology\"".to_owned());
    line(
        "\n[[certifications]]\nissuer = \"The Menopause Society\"\n\
         name = \"Menopause Society Certified Practitioner\""
            .to_owned(),
    );
    (slug, states[0], text)
}

/// A provider's weekly hours, in the zone of a state.
fn hours(state: &str, chance: &mut Chance) -> String {
    let zone = match state {
        "AZ" => "America/Phoenix",
        "CA" | "WA" => "America/Los_Angeles",
        "CO" => "America/Denver",
        "IL" | "TX" => "America/Chicago",
        _ => "America/New_York",
    };
    let (from, until) = (7 + chance.below(3), 15 + chance.below(4));
    format!(
        "timezone = \"{zone}\"\n\n[[weekly]]\ndays  = [\"mon\", \"tue\", \"wed\", \"thu\", \"fri\"]\n\
         hours = [\"{from:02}:00-12:00\", \"13:00-{until}:00\"]\n"
    )
}

/// Some plans of one half of the catalog.
fn plans(chance: &mut Chance, from: usize, at_most: usize) -> Vec<String> {
    let first = from + chance.below(PLANS / 2 - at_most);
    (first..first + at_most).map(plan_name).collect()
}

fn plan_name(plan: usize) -> String {
    let word =
        ["Amberline", "Bluebonnet", "Cedar", "Goldenrod", "Harbor", "Juniper", "Mangrove", "Puget"][plan % 8];
    format!("{word} {} {}", ["PPO", "HMO", "EPO", "Choice", "Plus"][plan / 8], plan + 1)
}

const DIRECTORY: &str = r#"name        = "Larkspur Health"
description = "Virtual care for midlife"
api-url     = "https://api.larkspur.example"
mcp-url     = "https://api.larkspur.example/api/mcp"
site-url    = "https://larkspur.example"
live-url    = "https://live.larkspur.example"
"#;

const VISIT_TYPES: &str = r#"[[type]]
id = 101
name = "New patient visit"
description = "A first visit to get to know each other: your history, your goals, and a plan to start with."
modality = "video"
new-patient-eligible = true
duration = "45m"
states = "all"

[[type]]
id = 102
name = "Follow-up visit"
description = "A shorter visit with a clinician you have already met, to see how things are going."
modality = "video"
new-patient-eligible = false
duration = "30m"
states = "all"

[[type]]
id = 103
name = "Menopause consultation"
description = "An hour set aside for perimenopause and menopause: what is changing, what the choices are."
modality = "video"
new-patient-eligible = true
duration = "60m"
states = ["AZ", "CA", "CO", "FL", "IL", "MA", "NY", "TX", "WA"]

[[type]]
id = 201
name = "Message visit"
description = "Write to a clinician when it suits you and read the answer within two working days. No video."
modality = "async"
new-patient-eligible = true
states = ["AZ", "CA", "CO", "FL", "IL", "NY", "TX", "WA"]
"#;

#[cfg(test)]
mod tests {
    use directory::content::load_and_check;

    use super::*;

    #[test]
    fn an_invented_clinic_is_a_valid_one_of_the_promised_size() {
        let folder = tempfile::tempdir().unwrap();
        Clinic { providers: 300, seed: 1, with_hours: true }.write(folder.path()).unwrap();
        let checked = load_and_check(folder.path(), chrono::NaiveDate::default()).unwrap();
        let snapshot = directory::Snapshot::new(checked.directory);
        assert_eq!(snapshot.directory().providers().len(), 300);
        let (mut written, mut published) = (0, 0);
        for provider in snapshot.directory().providers() {
            let file = folder.path().join(format!("providers/{}.toml", provider.slug));
            written += fs::metadata(file).unwrap().len();
            let request = directory::Request::profile(&provider.slug);
            published += snapshot.answer(&request, chrono::DateTime::UNIX_EPOCH).unwrap().body().len();
        }
        assert!((1_800..2_000).contains(&(written / 300)), "{}", written / 300);
        assert!((1_700..1_900).contains(&(published / 300)), "{}", published / 300);
    }
}
