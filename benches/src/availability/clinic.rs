//! Large clinics, written as content and loaded as content.
//!
//! Each provider works on weekdays in one of four zones, from an hour that differs by quarter hours, and is
//! accepted in one to five states. Nearly half hold visits of one type, nearly half of another, which is not for new
//! patients, and one in 500 of a rare third: three classes on a grid of quarter hours, some 284 starts each in a month.
//! Each accepts one plan in eight; seven of ten are female, and one in three is a nurse practitioner.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use chrono::{NaiveDate, TimeDelta};
use directory::Directory;
use directory::content::load_and_check;
use directory::model::StateCode;

use crate::measure::Chance;

/// The visit type that few offer.
pub(crate) const RARE: i64 = 103;
const ZONES: [&str; 4] = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"];

/// How many plans there are, and how many of them a provider accepts.
const PLANS: usize = 40;
const ACCEPTED: usize = 5;

/// What a clinic is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clinic {
    pub(crate) size: usize,
    /// How many states there are, of all.
    pub(crate) states: usize,
    /// With hours, or without for a feed to fill.
    pub(crate) has_hours: bool,
    /// Whether some are licensed where they aren't accepting new patients, and some are on leave.
    pub(crate) is_varied: bool,
}

/// A clinic of this size, with providers in all states.
pub(crate) fn load(size: usize, has_hours: bool) -> io::Result<Directory> {
    Clinic { size, states: StateCode::all().len(), has_hours, is_varied: false }.load()
}

impl Clinic {
    pub(crate) fn load(self) -> io::Result<Directory> {
        let folder = tempfile::tempdir()?;
        write(folder.path(), self)?;
        let today = NaiveDate::default();
        let checked =
            load_and_check(folder.path(), today).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(checked.directory)
    }
}

#[expect(clippy::disallowed_methods, reason = "a clinic is made up, in a folder of its own")]
fn write(folder: &Path, Clinic { size, states, has_hours, is_varied }: Clinic) -> io::Result<()> {
    let (mut chance, mut traits, mut variety) = (Chance::new(7), Chance::new(17), Chance::new(29));
    std::fs::write(folder.join("directory.toml"), DIRECTORY)?;
    let names: Vec<String> = (10..10 + PLANS).map(|number| format!("Plan {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let plans: Vec<String> = names.iter().map(|name| format!("[[plan]]\nname = \"{name}\"\n")).collect();
    std::fs::write(folder.join("insurances.toml"), plans.concat())?;
    std::fs::write(folder.join("appointment-types.toml"), types())?;
    std::fs::create_dir(folder.join("providers"))?;
    std::fs::create_dir(folder.join("availability"))?;
    let states: Vec<&str> = StateCode::all().map(StateCode::code).take(states).collect();
    for index in 0..size {
        let mut accepting: Vec<&str> =
            (0..=chance.below(5)).map(|_| states[chance.below(states.len())]).collect();
        accepting.sort_unstable();
        accepting.dedup();
        let visit_type = match chance.below(500) {
            0 => RARE,
            1..250 => 101,
            _ => 102,
        };
        let provider = PROVIDER.replace("INDEX", &index.to_string());
        let provider = provider.replace("STATES", &format!("{accepting:?}"));
        let mut licensed = accepting.clone();
        let mut leaves = String::new();
        if is_varied {
            licensed.extend((0..variety.below(3)).map(|_| states[variety.below(states.len())]));
            licensed.sort_unstable();
            licensed.dedup();
            leaves = self::leaves(&mut variety);
        }
        let provider = provider.replace("LICENSED", &format!("{licensed:?}")).replace("LEAVES", &leaves);
        let provider = provider.replace("TYPE", &visit_type.to_string());
        let provider = provider.replace("PLANS", &format!("{:?}", traits.some(&names, ACCEPTED)));
        let gender = ["male", "nonBinary", "other"].get(traits.below(10)).copied().unwrap_or("female");
        let provider = provider.replace("GENDER", gender);
        let kind = traits.pick(&["physician", "physician", "nursePractitioner"]);
        let provider = provider.replace("KIND", kind);
        let provider = provider.replace("CREDENTIALS", if kind == "physician" { "MD" } else { "NP" });
        std::fs::write(folder.join(format!("providers/p-{index}.toml")), provider)?;
        if has_hours {
            let first = 8 * 60 + chance.below(8) * 15;
            let time = |minutes: usize| format!("{:02}:{:02}", minutes / 60, minutes % 60);
            let mut hours = String::new();
            let zone = ZONES[chance.below(4)];
            let morning = format!("{}-{}", time(first), time(first + 180));
            let afternoon = format!("{}-{}", time(first + 240), time(first + 450));
            let _ = write!(
                hours,
                "timezone = \"{zone}\"\n[[weekly]]\ndays = [\"mon\", \"tue\", \"wed\", \"thu\", \"fri\"]\n\
                 hours = [\"{morning}\", \"{afternoon}\"]\nstep = \"30m\"\n"
            );
            std::fs::write(folder.join(format!("availability/p-{index}.toml")), hours)?;
        }
    }
    Ok(())
}

/// Two in three have no leave. Days are from the middle of October on, in which the oracle asks.
fn leaves(variety: &mut Chance) -> String {
    let mut leaves = String::new();
    let mut day = NaiveDate::from_ymd_opt(2026, 10, 1).unwrap_or_default();
    let count = if variety.below(3) == 0 { 1 + variety.below(2) } else { 0 };
    for _ in 0..count {
        day += TimeDelta::days(i64::try_from(1 + variety.below(25)).unwrap_or_default());
        let _ = write!(leaves, "[[leave]]\nfrom = {day}\n");
        if variety.below(6) == 0 {
            break;
        }
        day += TimeDelta::days(i64::try_from(1 + variety.below(20)).unwrap_or_default());
        let _ = writeln!(leaves, "until = {day}");
    }
    leaves
}

fn types() -> String {
    [(101, 30), (102, 45), (RARE, 60)]
        .map(|(id, minutes)| {
            format!(
                "[[type]]\nid = {id}\nname = \"Type {id}\"\ndescription = \"A visit.\"\nmodality = \"video\"\n\
                 new-patient-eligible = {}\nduration = \"{minutes}m\"\nstates = \"all\"\n",
                id != 102
            )
        })
        .concat()
}

const DIRECTORY: &str = r#"
name = "Crowd"
description = "A clinic for measuring"
api-url = "https://api.crowd.example"
mcp-url = "https://api.crowd.example/api/mcp"
site-url = "https://crowd.example"
"#;

const PROVIDER: &str = r#"
id = "prov-INDEX"
display-name = "Provider INDEX"
credentials = "CREDENTIALS"
provider-type = "KIND"
gender = "GENDER"
bio = "Listens first."
menopause-society-certified = false
licensed = LICENSED
accepting = STATES
appointment-types = [TYPE]
LEAVES
[insurance]
all = PLANS
"#;
