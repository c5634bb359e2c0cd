//! Advice in sentences, and the edits that follow it literally.

use directory::Directory;

/// An edit that follows a sentence of advice.
pub(crate) enum Edit {
    Replace(&'static str, &'static str, &'static str),
    Write(&'static str, &'static str),
    Rename(&'static str, &'static str),
    Delete(&'static str),
}
pub(crate) use Edit::{Delete, Rename, Replace, Write};

/// A case of `broken/`, the edits that its advice asks for, and what must then be published.
pub(crate) type Followed = (&'static str, &'static [Edit], fn(&Directory) -> bool);

const BO: &str = "providers/bo-two.toml";
const HOURS: &str = "availability/bo-two.toml";

fn has(directory: &Directory, slug: &str, bio: &str) -> bool {
    directory.providers().iter().any(|provider| provider.slug.as_str() == slug && provider.bio == *bio)
}

fn closes_on_christmas_eve(directory: &Directory) -> bool {
    let number =
        directory.provider_numbers().find(|&number| directory.provider(number).slug.as_str() == "bo-two");
    let schedule = directory.schedule(number.unwrap()).unwrap();
    schedule.parts().replace.iter().any(|dated| dated.date.to_string() == "2026-12-24")
}

pub(super) fn is_there(directory: &Directory) -> bool {
    has(directory, "bo-two", "Bo explains.")
}

fn is_off_over_christmas(directory: &Directory) -> bool {
    let number =
        directory.provider_numbers().find(|&number| directory.provider(number).slug.as_str() == "bo-two");
    let schedule = directory.schedule(number.unwrap()).unwrap();
    let off = schedule.parts().off.iter().map(|off| (off.from.to_string(), off.to.to_string()));
    off.eq([("2026-12-24".to_owned(), "2026-12-26".to_owned())])
}

pub(crate) const FOLLOWED: [Followed; 46] = [
    (
        "biography-of-paragraphs-in-one-quote",
        &[Replace(BO, "\"Bo explains.", "\"\"\"Bo explains."), Replace(BO, "he rests.\"", "he rests.\"\"\"")],
        |directory| {
            has(directory, "bo-two", "Bo explains.\n\nHe likes to ask twice.\n\nOn Sundays he rests.")
        },
    ),
    (
        "biography-of-paragraphs-in-single-quotes",
        &[Replace(BO, "'Bo explains.", "\"\"\"Bo explains."), Replace(BO, "ask twice.'", "ask twice.\"\"\"")],
        |directory| has(directory, "bo-two", "Bo explains.\n\nHe likes to ask twice."),
    ),
    (
        "biography-of-paragraphs-each-in-quotes",
        &[
            Replace(BO, "\"Bo explains.\"", "\"\"\"Bo explains."),
            Replace(BO, "\"He likes to ask twice.\"", "He likes to ask twice.\"\"\""),
        ],
        |directory| has(directory, "bo-two", "Bo explains.\n\nHe likes to ask twice."),
    ),
    (
        "merge-markers",
        &[
            Replace(BO, "<<<<<<< HEAD\nbio = \"Bo explains.\"\n=======\n", ""),
            Replace(BO, ">>>>>>> bo-writes\n", ""),
        ],
        |directory| has(directory, "bo-two", "Bo explains twice."),
    ),
    (
        "merge-markers-in-a-biography",
        &[
            Replace(BO, "<<<<<<< HEAD\n", ""),
            Replace(BO, "=======\nBo explains twice.\n>>>>>>> bo-writes\n", ""),
        ],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "two-clinicians-in-one-file",
        &[
            Replace(
                BO,
                "\nid = \"prov-3\"\ndisplay-name = \"Cy Three\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\ngender = \"male\"\nbio = \"Bo explains.\"\nlicensed = [\"NY\"]\naccepting = [\"NY\"]\nappointment-types = [101]\n",
                "",
            ),
            Write(
                "providers/cy-three.toml",
                "id = \"prov-3\"\ndisplay-name = \"Cy Three\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\ngender = \"male\"\nbio = \"Bo explains.\"\nlicensed = [\"NY\"]\naccepting = [\"NY\"]\nappointment-types = [101]\n",
            ),
        ],
        |directory| has(directory, "bo-two", "Bo explains.") && has(directory, "cy-three", "Bo explains."),
    ),
    ("copied-file", &[Replace("providers/cy-three.toml", "\"prov-2\"", "\"prov-0100\"")], |directory| {
        directory
            .providers()
            .iter()
            .any(|provider| provider.id.as_str() == "prov-2" && provider.slug.as_str() == "bo-two")
    }),
    ("hours-that-are-a-word", &[Replace(HOURS, "hours = \"closed\"", "hours = []")], closes_on_christmas_eve),
    (
        "hours-that-are-a-word-each-week",
        &[
            Replace(HOURS, "[[weekly]]\ndays  = [\"thu\"]\nhours = \"closed\"\n", ""),
            Replace(HOURS, "[[weekly]]\ndays  = [\"fri\"]\nhours = [\"closed\"]\n", ""),
        ],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "education-as-one-text",
        &[Replace(
            BO,
            "education = \"MD, Medicine, Example University, 2009\"\n",
            "[[education]]\ndegree = \"MD\"\nfield = \"Medicine\"\ninstitution = \"Example University\"\nyear = 2009\n",
        )],
        |directory| {
            directory
                .providers()
                .iter()
                .any(|provider| provider.slug.as_str() == "bo-two" && provider.education.len() == 1)
        },
    ),
    (
        "plans-as-a-list",
        &[Replace(
            BO,
            "insurance = [\"Goldenrod PPO\", \"Harbor Mutual HMO\"]\n",
            "[insurance]\nall = [\"Goldenrod PPO\", \"Harbor Mutual HMO\"]\n",
        )],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "pasted-table-of-markdown",
        &[Write(
            "insurances.toml",
            "[[plan]]\nname = \"Goldenrod PPO\"\n[[plan]]\nname = \"Harbor Mutual HMO\"\n",
        )],
        |directory| directory.plans().len() == 2,
    ),
    (
        "pasted-table",
        &[Write(
            HOURS,
            "timezone = \"America/New_York\"\n[[weekly]]\ndays = [\"mon\"]\nhours = [\"09:00-17:00\"]\n[[weekly]]\ndays = [\"tue\"]\nhours = [\"09:00-17:00\"]\n",
        )],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "holidays-as-names",
        &[Replace(
            "holidays/us-federal.toml",
            "\"Thanksgiving\", \"Christmas\"",
            "2026-11-26, 2026-12-25, 2027-11-25",
        )],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "clinician-who-left-without-a-word",
        &[Delete(HOURS), Write("retired.toml", "[[provider]]\nid = \"prov-2\"\nslug = \"bo-two\"\n")],
        |directory| directory.providers().len() == 1,
    ),
    (
        "renamed-file",
        &[
            Rename(HOURS, "availability/bo-three.toml"),
            Replace(
                "providers/bo-three.toml",
                "appointment-types",
                "former-slugs = [\"bo-two\"]\nappointment-types",
            ),
        ],
        |directory| {
            let provider =
                directory.providers().iter().find(|provider| provider.slug.as_str() == "bo-three").unwrap();
            provider.former_slugs.len() == 1
        },
    ),
    (
        "copy-that-a-download-made",
        &[
            Delete("providers/bo-two (1).toml"),
            Delete("providers/bo-two copy.toml"),
            Delete("providers/Copy of bo-two.toml"),
            Delete("availability/bo-two (1).toml"),
        ],
        |directory| directory.providers().len() == 2,
    ),
    ("downloaded-file-without-its-original", &[Rename("providers/bo-two (1).toml", BO)], |directory| {
        has(directory, "bo-two", "Bo explains.")
    }),
    (
        "portrait-of-another-format",
        &[Rename("headshots/bo-two.jpg", "headshots/bo-two.svg"), Replace(BO, "bo-two.jpg", "bo-two.svg")],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    ("gender-missing", &[Replace(BO, "bio =", "gender = \"male\"\nbio =")], |directory| {
        has(directory, "bo-two", "Bo explains.")
    }),
    (
        "header-forgotten-before-a-second-entry",
        &[
            Replace("insurances.toml", "\nname = \"Harbor", "[[plan]]\nname = \"Harbor"),
            Replace(HOURS, "\ndays  = [\"thu\"]", "[[weekly]]\ndays  = [\"thu\"]"),
            Replace(
                HOURS,
                "\nkind = \"off\"\nfrom = 2026-12-31",
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-31",
            ),
        ],
        |directory| directory.plans().len() == 2,
    ),
    (
        "insurance-list-above-its-table",
        &[
            Replace(BO, "[insurance]\n", "[insurance]\nall = [\"Goldenrod PPO\"]\n"),
            Replace(BO, "insurance = [\"Goldenrod PPO\"]\n", ""),
        ],
        is_there,
    ),
    (
        "list-of-plans-in-their-own-file",
        &[Write(
            "insurances.toml",
            "[[plan]]\nname = \"Goldenrod PPO\"\n[[plan]]\nname = \"Harbor Mutual HMO\"\n",
        )],
        |directory| directory.plans().len() == 2,
    ),
    (
        "two-clinicians-as-a-list-in-one-file",
        &[
            Write(
                BO,
                "id = \"prov-2\"\ndisplay-name = \"Bo Two\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\ngender = \"male\"\nbio = \"Bo explains.\"\nlicensed = [\"NY\"]\naccepting = [\"NY\"]\nappointment-types = [101]\n",
            ),
            Write(
                "providers/cy-three.toml",
                "id = \"prov-3\"\ndisplay-name = \"Cy Three\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\ngender = \"male\"\nbio = \"Bo explains.\"\nlicensed = [\"NY\"]\naccepting = [\"NY\"]\nappointment-types = [101]\n",
            ),
        ],
        |directory| directory.providers().len() == 3,
    ),
    (
        "exception-with-a-list-of-dates",
        &[
            Replace(HOURS, "dates = [2026-12-24, 2026-12-26]", "from = 2026-12-24\nto = 2026-12-26"),
            Replace(HOURS, "dates = [2026-12-28]", "date = 2026-12-28"),
        ],
        is_off_over_christmas,
    ),
    (
        "dates-from-to-in-one-text",
        &[Replace(HOURS, "from = \"2026-12-24 - 2026-12-26\"", "from = 2026-12-24\nto = 2026-12-26")],
        is_off_over_christmas,
    ),
    (
        "exception-that-is-closed",
        &[Replace(HOURS, "\"closed\"\ndate = 2026-12-24", "\"off\"\nfrom = 2026-12-24\nto = 2026-12-26")],
        is_off_over_christmas,
    ),
    (
        "list-of-states-as-a-word",
        &[
            Replace(BO, "\"all\"", "[\"NY\"]"),
            Replace(BO, "true", "[\"NY\"]"),
            Replace("providers/cy-three.toml", "\"NY, CA\"", "[\"NY\", \"CA\"]"),
            Replace("providers/cy-three.toml", "\"no\"", "[]"),
        ],
        is_there,
    ),
    ("header-above-a-clinician", &[Replace(BO, "[[provider]]\n", "")], is_there),
    ("year-with-a-zero-before-it", &[Replace(BO, "09", "2009")], is_there),
    (
        "apostrophes-and-quotes-in-a-biography-in-single-quotes",
        &[
            Replace(
                BO,
                "'Bo doesn't rush, and says \"take your time\".'",
                "\"\"\"Bo doesn't rush, and says \"take your time\".\"\"\"",
            ),
            Replace("providers/cy-three.toml", "'Cy doesn't", "\"\"\"Cy doesn't"),
            Replace("providers/cy-three.toml", "patient.'", "patient.\"\"\""),
        ],
        |directory| {
            has(directory, "bo-two", "Bo doesn't rush, and says \"take your time\".")
                && has(directory, "cy-three", "Cy doesn't rush.\n\nShe's patient.")
        },
    ),
    ("hours-file-of-another-name", &[Rename("availability/second.toml", HOURS)], is_there),
    (
        "part-of-a-day-off",
        &[
            Replace(HOURS, "\"09:00\"", "2026-12-21\nhours = [\"09:00-12:00\"]"),
            Replace(HOURS, "\"12:00\"", "2026-12-21"),
            Replace(HOURS, "date = 2026-12-24\n", ""),
            Replace(HOURS, "09:00:00", "2026-12-24\nhours = [\"09:00-12:00\"]"),
            Replace(HOURS, "2026-12-28T09:00:00", "2026-12-28\nhours = [\"09:00-12:00\"]"),
            Replace(HOURS, "\"2026-12-28 12:00\"", "2026-12-28"),
        ],
        |directory| {
            let number = directory
                .provider_numbers()
                .find(|&number| directory.provider(number).slug.as_str() == "bo-two");
            let schedule = directory.schedule(number.unwrap()).unwrap();
            let off = &schedule.parts().off;
            off.len() == 3 && off.iter().all(|off| off.from == off.to && off.hours.is_some())
        },
    ),
    (
        "exceptions-without-kind-or-hours",
        &[
            Replace(HOURS, "date = 2026-12-23", "kind = \"replace\"\ndate = 2026-12-23"),
            Replace(HOURS, "date = 2026-12-24", "hours = []\ndate = 2026-12-24"),
        ],
        closes_on_christmas_eve,
    ),
    (
        "holiday-list-that-is-not-used",
        &[Replace("availability/bo-two.toml", "[[weekly]]", "holidays = \"california\"\n[[weekly]]")],
        is_there,
    ),
    (
        "holiday-list-that-ends-soon",
        &[Replace("holidays/us-federal.toml", "2026-10-12", "2026-10-12, 2027-01-01")],
        is_there,
    ),
    (
        "slugs-that-cannot-be-files",
        &[Rename("providers/index.toml", "providers/index-2.toml")],
        |directory| directory.providers().len() == 9,
    ),
    (
        "pasted-table-below-hours",
        &[Replace(
            HOURS,
            "Tuesday\t09:00\t17:00\nWednesday\tclosed\n",
            "[[weekly]]\ndays = [\"tue\"]\nhours = [\"09:00-17:00\"]\n",
        )],
        is_there,
    ),
    ("retired-entry-without-its-id-yet", &[Replace("retired.toml", "…", "prov-2")], |directory| {
        directory.providers().len() == 1
    }),
    (
        "copied-file-with-an-id-of-its-own",
        &[
            Replace("providers/cy-three.toml", "npi = \"9382650742\"\n", ""),
            Replace("providers/cy-three.toml", "Bo Two", "Cy Three"),
        ],
        |directory| directory.providers().len() == 3,
    ),
    ("copied-file-with-id-and-npi-of-its-own", &[Delete("providers/cy-three.toml")], |directory| {
        directory.providers().len() == 2
    }),
    (
        "markdown-in-a-biography",
        &[Replace(BO, "**explains**", "explains"), Replace(BO, "- Sleep", "He sleeps.")],
        |directory| has(directory, "bo-two", "Bo explains it.\nHe sleeps."),
    ),
    (
        "profile-copied-with-its-portrait",
        &[
            Delete("providers/cy-three.toml"),
            Rename("providers/ann-one.toml", "providers/cy-three.toml"),
            Replace("providers/cy-three.toml", "Ann One", "Cy Three"),
            Replace("providers/cy-three.toml", "\"ann-zero\"", "\"ann-zero\", \"ann-one\""),
            Rename("availability/ann-one.toml", "availability/cy-three.toml"),
        ],
        |directory| has(directory, "cy-three", "Ann listens.") && directory.providers().len() == 2,
    ),
    (
        "clinician-in-the-folder-of-hours",
        &[Rename("availability/cy-three.toml", "providers/cy-three.toml")],
        |directory| directory.providers().len() == 3,
    ),
    ("hours-in-the-folder-of-clinicians", &[Rename("providers/cy-three.toml", HOURS)], |directory| {
        directory.providers().len() == 2
    }),
    (
        "effective-as-a-date",
        &[
            Replace(HOURS, "effective = 2026-12-01\n", ""),
            Replace(HOURS, "types = [101]", "types = [101]\n[effective]\nfrom = 2026-12-01"),
        ],
        is_there,
    ),
];
