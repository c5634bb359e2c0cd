//! Large clinics, written as content and loaded as content.
//!
//! Each provider works on weekdays in one of four zones, from an hour that differs by quarter hours, and is
//! accepted in one to five states. Nearly half hold visits of one type, nearly half of another, and one in
//! 500 of a rare third: three classes on a grid of quarter hours, some 284 starts each in a month.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use chrono::NaiveDate;
use directory::Directory;
use directory::content::load_and_check;
use directory::model::StateCode;

use crate::measure::Chance;

/// The visit type that few offer.
pub(crate) const RARE: i64 = 103;
const ZONES: [&str; 4] = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"];

/// The clinic of so many providers; with hours, or without for a feed to fill.
pub(crate) fn load(size: usize, has_hours: bool) -> io::Result<Directory> {
    let folder = tempfile::tempdir()?;
    write(folder.path(), size, has_hours)?;
    let today = NaiveDate::default();
    let checked =
        load_and_check(folder.path(), today).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(checked.directory)
}

#[expect(clippy::disallowed_methods, reason = "a clinic is made up, in a folder of its own")]
fn write(folder: &Path, size: usize, has_hours: bool) -> io::Result<()> {
    let mut chance = Chance::new(7);
    std::fs::write(folder.join("directory.toml"), DIRECTORY)?;
    std::fs::write(folder.join("insurances.toml"), "[[plan]]\nname = \"Plan\"\n")?;
    std::fs::write(folder.join("appointment-types.toml"), types())?;
    std::fs::create_dir(folder.join("providers"))?;
    std::fs::create_dir(folder.join("availability"))?;
    let states: Vec<&str> = StateCode::all().map(StateCode::code).collect();
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
        let provider = provider.replace("TYPE", &visit_type.to_string());
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

fn types() -> String {
    [(101, 30), (102, 45), (RARE, 60)]
        .map(|(id, minutes)| {
            format!(
                "[[type]]\nid = {id}\nname = \"Type {id}\"\ndescription = \"A visit.\"\nmodality = \"video\"\n\
                 new-patient-eligible = true\nduration = \"{minutes}m\"\nstates = \"all\"\n"
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
credentials = "MD"
provider-type = "physician"
gender = "female"
bio = "Listens first."
menopause-society-certified = false
licensed = STATES
accepting = STATES
appointment-types = [TYPE]
[insurance]
all = ["Plan"]
"#;
