//! What pages say of days, times, people and places.

use super::*;
use crate::test_fixture as fixture;

/// The texts of a built-in language.
fn texts(code: &str) -> Texts {
    let folder = fixture::copy();
    fixture::edit(folder.path(), "directory.toml", |text| format!("{text}site-languages = [\"{code}\"]\n"));
    fixture::load(folder.path()).directory().texts()[0].clone()
}

#[test]
fn up_to_four_states_are_named() {
    let set = |codes: &[&str]| codes.iter().map(|code| code.parse().unwrap()).collect::<StateSet>();
    let (english, spanish) = (texts("en"), texts("es"));
    assert_eq!(states(&english, set(&["AZ"])), "Arizona");
    assert_eq!(states(&english, set(&["NY", "AZ"])), "Arizona and New York");
    assert_eq!(states(&english, set(&["NY", "AZ", "TX"])), "Arizona, New York, and Texas");
    assert_eq!(states(&english, set(&["NY", "AZ", "TX", "CA", "WA"])), "5 states");
    assert_eq!(states(&spanish, set(&["NY", "AZ", "TX"])), "Arizona, Nueva York y Texas");
    assert_eq!(states(&spanish, set(&["AZ", "ID"])), "Arizona e Idaho");
    assert_eq!(states(&spanish, set(&["NY", "AZ", "TX", "CA", "WA"])), "5 estados");
}

#[test]
fn phones_are_written_as_people_read_them() {
    let words = |number: &str, hours: &str, code: &str| {
        let folder = fixture::copy();
        fixture::edit(folder.path(), "directory.toml", |text| {
            format!(
                "site-languages = [\"{code}\"]\n{text}\n[address]\nphone = \"{number}\"\n[patients]\n\
                 phone-hours = [\"mon-fri 08:00-17:30\", \"sat 10:00-12:00\"]\nphone-time-zone = \"{hours}\"\n"
            )
        });
        let snapshot = fixture::load(folder.path());
        let (texts, organization) = (&snapshot.directory().texts()[0], snapshot.directory().organization());
        let hours = organization.patients.phone_hours.as_ref().unwrap();
        (organization.phone().unwrap().shown(), phone_hours(texts, hours))
    };
    let (number, hours) = words("510.555.0100", "America/Los_Angeles", "en");
    assert_eq!(number, "(510) 555-0100");
    assert_eq!(hours, "Monday–Friday, 8\u{a0}AM–5:30\u{a0}PM; Saturday, 10\u{a0}AM–12\u{a0}PM Pacific");
    let (_, hours) = words("510.555.0100", "America/Phoenix", "en");
    assert_eq!(hours, "Monday–Friday, 8\u{a0}AM–5:30\u{a0}PM; Saturday, 10\u{a0}AM–12\u{a0}PM Arizona");
    let (number, hours) = words("1-800-FLOWERS", "Europe/London", "es");
    assert_eq!(number, "1-800-FLOWERS");
    assert_eq!(
        hours,
        "De lunes a viernes, de 8\u{a0}a.\u{a0}m. a 5:30\u{a0}p.\u{a0}m.; sábado, de 10\u{a0}a.\u{a0}m. a 12\u{a0}p.\u{a0}m., hora Europe/London"
    );
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
fn scripts_know_the_holidays_that_all_clinicians_share() {
    let folder = fixture::copy();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for (name, list, dates) in
        [("ada-moreau", "a", "2026-11-26, 2026-12-25"), ("state", "b", "2026-11-11, 2026-11-26")]
    {
        write(&format!("holidays/{list}.toml"), &format!("dates = [{dates}]"));
        let week = "timezone = \"America/New_York\"\n[[weekly]]\ndays = [\"mon\"]\nhours = [\"09:00-12:00\"]";
        write(&format!("availability/{name}.toml"), &format!("holidays = \"{list}\"\n{week}"));
    }
    fixture::edit(folder.path(), "providers/state.toml", |text| {
        text.replace("accepting = []", "accepting = [\"NY\"]")
    });
    fixture::edit(folder.path(), "directory.toml", |text| {
        format!(
            "{text}\n[patients]\nphone-hours = [\"mon-fri 08:00-17:30\"]\nphone-time-zone = \"America/New_York\"\n"
        )
    });
    let snapshot = fixture::load(folder.path());
    let directory = snapshot.directory();
    let hours = directory.organization().patients.phone_hours.as_ref().unwrap();
    let data = phone_hours_data(&directory.texts()[0], directory, hours);
    assert_eq!((&data["closed"], &data["unsure"]), (&json!("2026-11-26"), &json!("2026-11-11 2026-12-25")));
}

#[test]
fn letters_after_a_name_are_explained() {
    let english = texts("en");
    assert_eq!(credentials(&english, "M.D., XYZ"), "Doctor of Medicine (M.D.), XYZ");
    assert_eq!(credentials(&english, "RN"), "Registered nurse (RN)");
    assert_eq!(credentials(&texts("es"), "MD"), "Título en Medicina (MD)");
}

#[test]
fn lengths_are_in_hours_and_minutes() {
    let english = texts("en");
    let lengths = [1, 45, 60, 61, 90, 120].map(|minutes| length(&english, minutes));
    let words = [
        "1 minute",
        "45 minutes",
        "1\u{a0}hour",
        "1\u{a0}hour 1 minute",
        "1\u{a0}hour 30 minutes",
        "2\u{a0}hours",
    ];
    assert_eq!(lengths, words);
    assert_eq!(length(&texts("es"), 90), "1\u{a0}hora y 30 minutos");
}

#[test]
fn initials_are_those_of_the_first_and_last_word() {
    assert_eq!(initials("Maria de la Vega"), "MV");
    assert_eq!(initials("Wulandari"), "W");
    assert_eq!(initials("émile ångström"), "ÉÅ");
    assert_eq!(initials("ليلى الحدّاد"), "ل\u{200c}ا");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
fn interests_are_joined_as_in_a_sentence() {
    let joined = |names: &[&str]| {
        interests(&texts("en"), &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    };
    let one = |text: &str| vec![(false, text.to_owned())];
    assert_eq!(joined(&["Perimenopause", "Bone health"]), one("Perimenopause, bone health"));
    assert_eq!(
        joined(&["Sleep", "LGBTQ+ health", "Crohn's disease", "Women's health", "Men's health"]),
        one("Sleep, LGBTQ+ health, Crohn's disease, women's health, men's health")
    );
    assert_eq!(joined(&["Rash", "Latina health", "Latex"]), one("Rash, Latina health, latex"));
    assert_eq!(joined(&[]), []);
    let folder = fixture::copy();
    fixture::add_spanish(folder.path());
    std::fs::create_dir(folder.path().join("translations")).unwrap();
    std::fs::write(folder.path().join("translations/es.toml"), "\"Sleep\" = \"Dormir bien\"").unwrap();
    let snapshot = fixture::load(folder.path());
    let names = ["Bone health", "BONE  HEALTH", "Zebra care", "Sleep", "LGBTQ+ health"].map(str::to_owned);
    assert_eq!(
        interests(&snapshot.directory().texts()[1], &names),
        [
            (true, "Salud ósea, salud ósea".to_owned()),
            (false, "zebra care".to_owned()),
            (true, "dormir bien, salud LGBTQ+".to_owned())
        ]
    );
}
