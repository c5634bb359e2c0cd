//! Advice about values, keys and files, and what a person does who follows it to the letter.

use directory::Directory;

use super::followed::{Followed, Rename, Replace, Write, is_there};

const BO: &str = "providers/bo-two.toml";
const HOURS: &str = "availability/bo-two.toml";
const ANN: &str = "availability/ann-one.toml";

fn is_listed(directory: &Directory, slug: &str) -> bool {
    directory.providers().iter().any(|provider| provider.slug.as_str() == slug)
}

fn closes(directory: &Directory, slug: &str, dates: &[&str]) -> bool {
    let number =
        directory.provider_numbers().find(|&number| directory.provider(number).slug.as_str() == slug);
    let schedule = directory.schedule(number.unwrap()).unwrap();
    dates.iter().all(|date| schedule.parts().holidays.contains(&date.parse().unwrap()))
}

pub(super) const FOLLOWED: [Followed; 11] = [
    (
        "retired-entry-of-two-clinicians",
        &[Replace("retired.toml", "[[provider]]\nid = \"prov-1\"\nslug = \"bo-two\"\n", "")],
        |directory| is_listed(directory, "ann-one") && is_listed(directory, "bo-two"),
    ),
    (
        "holiday-lists-that-are-two",
        &[
            Write(
                "holidays/us-federal-and-clinic.toml",
                "dates = [2026-11-26, 2026-12-24, 2026-12-25, 2026-12-31]\n",
            ),
            Replace(ANN, "\"us-federal, clinic\"", "\"us-federal-and-clinic\""),
            Replace(HOURS, "[\"us-federal\", \"clinic\"]", "\"us-federal-and-clinic\""),
        ],
        |directory| {
            ["ann-one", "bo-two"].iter().all(|slug| closes(directory, slug, &["2026-11-26", "2026-12-31"]))
        },
    ),
    (
        "lists-given-twice",
        &[
            Replace(BO, "licensed = [\"NY\"]", "licensed = [\"NY\", \"CA\"]"),
            Replace(BO, "licensed = [\"CA\"]\n", ""),
            Replace(BO, "[\"bo-one\"]", "[\"bo-one\", \"bo-zero\"]"),
            Replace(BO, "former-slugs = [\"bo-zero\"]\n", ""),
            Replace(HOURS, "[\"wed\"]\ndays  = [\"thu\"]", "[\"wed\", \"thu\"]"),
        ],
        |directory| directory.remembers("bo-one") && directory.remembers("bo-zero"),
    ),
    (
        "buffer-whose-times-have-no-quotes",
        &[Replace(
            HOURS,
            "buffer = { before = 5m, after = 5m }",
            "buffer = { before = \"5m\", after = \"5m\" }",
        )],
        |directory| is_listed(directory, "bo-two"),
    ),
    (
        "effective-dates-exchanged",
        &[
            Replace(HOURS, "from = 2026-11-01", "from = 2026-03-31"),
            Replace(HOURS, "until = 2026-03-31", "until = 2026-11-01"),
        ],
        |directory| is_listed(directory, "bo-two"),
    ),
    (
        "file-name-with-accents",
        &[Rename("providers/josé-peña.toml", "providers/jose-pena.toml")],
        |directory| is_listed(directory, "jose-pena"),
    ),
    (
        "days-from-to-without-a-list",
        &[
            Replace(HOURS, "\"tue-fri\"", "[\"tue\", \"wed\", \"thu\", \"fri\"]"),
            Replace(HOURS, "days  = mon", "days = [\"mon\"]"),
        ],
        |directory| is_listed(directory, "bo-two"),
    ),
    ("search-words-of-two-words", &[Replace("directory.toml", "hot flash", "hotflash")], |directory| {
        is_listed(directory, "bo-two")
    }),
    (
        "address-as-a-text",
        &[Replace(
            "directory.toml",
            "address     = \"1 Main Street\"",
            "[address]\nline = [\"1 Main Street\"]",
        )],
        is_there,
    ),
    (
        "plan-names-as-a-list",
        &[Replace(
            "insurances.toml",
            "name = [\"Goldenrod PPO\", \"Harbor Mutual HMO\"]",
            "name = \"Goldenrod PPO\"\n[[plan]]\nname = \"Harbor Mutual HMO\"",
        )],
        |directory| directory.plans().len() == 2,
    ),
    (
        "plan-name-without-its-header",
        &[Replace("insurances.toml", "name = \"Goldenrod PPO\"\n", "[[plan]]\nname = \"Goldenrod PPO\"\n")],
        |directory| directory.plans().len() == 2,
    ),
];
