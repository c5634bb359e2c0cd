//! Advice about hours, days off and former addresses, and what a person does who follows it to the letter.

use directory::Directory;

use super::followed::{Delete, Followed, Rename, Replace};

const ANN: &str = "availability/ann-one.toml";
const BO: &str = "providers/bo-two.toml";
const HOURS: &str = "availability/bo-two.toml";
const STRAY: &str = "availability/bo-too.toml";

/// The days off of a clinician, as "from to", and whether only some hours of them are off.
fn off(directory: &Directory, slug: &str) -> Vec<(String, bool)> {
    let number =
        directory.provider_numbers().find(|&number| directory.provider(number).slug.as_str() == slug);
    let schedule = directory.schedule(number.unwrap()).unwrap();
    let off = schedule.parts().off.iter();
    off.map(|off| (format!("{} {}", off.from, off.to), off.hours.is_some())).collect()
}

fn is_off(directory: &Directory, slug: &str, days: &[(&str, bool)]) -> bool {
    let days = days.iter().map(|&(days, in_part)| (days.to_owned(), in_part));
    off(directory, slug).into_iter().eq(days)
}

fn has_hours(directory: &Directory) -> bool {
    is_off(directory, "bo-two", &[])
}

pub(super) const FOLLOWED: [Followed; 11] = [
    ("hours-of-a-former-address", &[Delete(STRAY)], has_hours),
    ("hours-of-a-former-address", &[Delete(HOURS), Rename(STRAY, HOURS)], has_hours),
    ("hours-of-a-former-address-alone", &[Rename(STRAY, HOURS)], has_hours),
    (
        "former-slug-that-is-retired",
        &[Replace("retired.toml", "[[provider]]\nid = \"prov-3\"\nslug = \"bo-too\"\n", "")],
        has_hours,
    ),
    ("former-slug-that-is-retired", &[Replace(BO, "\"bo-too\"", "")], has_hours),
    (
        "days-off-that-begin-at-noon",
        &[
            Replace(
                HOURS,
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-14 12:00\nto   = 2026-12-18\n",
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-14\nhours = [\"12:00-24:00\"]\n\
                 [[exception]]\nkind = \"off\"\nfrom = 2026-12-15\nto = 2026-12-18\n",
            ),
            Replace(
                HOURS,
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-21T09:30:00\nto   = \"2026-12-23 12:00\"\n",
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-21\nhours = [\"09:30-24:00\"]\n\
                 [[exception]]\nkind = \"off\"\nfrom = 2026-12-22\n\
                 [[exception]]\nkind = \"off\"\nfrom = 2026-12-23\nhours = [\"00:00-12:00\"]\n",
            ),
            Replace(
                HOURS,
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-28\nto   = 2026-12-29T12:00:00\n",
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-28\n\
                 [[exception]]\nkind = \"off\"\nfrom = 2026-12-29\nhours = [\"00:00-12:00\"]\n",
            ),
            Replace(HOURS, "2026-12-30T00:00:00", "2026-12-30"),
            Replace(HOURS, "2026-12-31T23:59:00", "2026-12-31"),
        ],
        |directory| {
            let days = [
                ("2026-12-14 2026-12-14", true),
                ("2026-12-15 2026-12-18", false),
                ("2026-12-21 2026-12-21", true),
                ("2026-12-22 2026-12-22", false),
                ("2026-12-23 2026-12-23", true),
                ("2026-12-28 2026-12-28", false),
                ("2026-12-29 2026-12-29", true),
                ("2026-12-30 2026-12-31", false),
            ];
            is_off(directory, "bo-two", &days)
        },
    ),
    (
        "hours-off-on-several-days",
        &[
            Replace(HOURS, "to    = 2026-12-18\n", ""),
            Replace(HOURS, "from  = 2026-12-30\nto    = 2026-12-31\n", "from = 2026-12-31\n"),
            Replace(
                HOURS,
                "[[exception]]",
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-15\nto = 2026-12-18\n\
                 [[exception]]\nkind = \"off\"\nfrom = 2026-12-30\nto = 2026-12-30\n[[exception]]",
            ),
        ],
        |directory| {
            let days = [
                ("2026-12-15 2026-12-18", false),
                ("2026-12-30 2026-12-30", false),
                ("2026-12-14 2026-12-14", true),
                ("2026-12-21 2026-12-23", true),
                ("2026-12-28 2026-12-29", true),
                ("2026-12-31 2026-12-31", true),
            ];
            is_off(directory, "bo-two", &days)
        },
    ),
    (
        "exceptions-below-weekly-hours",
        &[
            Replace(HOURS, "kind = \"off\"", "[[exception]]\nkind = \"off\""),
            Replace(HOURS, "kind  = \"replace\"", "[[exception]]\nkind  = \"replace\""),
            Replace(ANN, "date = 2026-12-24\nkind = \"replace\"\nhours = [\"10:00-11:00\"]\n", ""),
            Replace(
                ANN,
                "kind = \"off\"\nfrom = 2026-12-28\n",
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-28\n\
                 [[exception]]\ndate = 2026-12-24\nkind = \"replace\"\nhours = [\"10:00-11:00\"]\n",
            ),
        ],
        |directory| {
            is_off(directory, "bo-two", &[("2026-12-14 2026-12-18", false)])
                && is_off(directory, "ann-one", &[("2026-12-28 2026-12-28", false)])
        },
    ),
    (
        "exception-at-the-top",
        &[
            Replace(HOURS, "kind = \"off\"\nfrom = 2026-12-14\nto   = 2026-12-18\n", ""),
            Replace(
                HOURS,
                "types = [101]\n",
                "types = [101]\n[[exception]]\nkind = \"off\"\nfrom = 2026-12-14\nto   = 2026-12-18\n",
            ),
            Replace(ANN, "from = 2026-12-28", "[[exception]]\nfrom = 2026-12-28"),
        ],
        |directory| {
            is_off(directory, "bo-two", &[("2026-12-14 2026-12-18", false)])
                && is_off(directory, "ann-one", &[("2026-12-28 2026-12-28", false)])
        },
    ),
    (
        "hours-of-a-type-that-is-not-enabled",
        &[Replace(HOURS, "types = [301]", "types = [301, 101]")],
        has_hours,
    ),
    (
        "hours-of-a-provider-without-an-enabled-type",
        &[Replace(BO, "appointment-types = [301]", "appointment-types = [301, 101]")],
        has_hours,
    ),
];
