//! What people type into a search, on the demo clinic, and why a search finds no one. Worked out by hand from the content.

use std::path::Path;

use chrono::{DateTime, NaiveDate};
use directory::content::load_and_check;
use directory::{Request, Snapshot};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::ask;

const WITH_MENOPAUSE: &[&str] = &[
    "folasade-adeyemi",
    "naomi-begaye",
    "annelise-bjork",
    "maria-de-la-vega",
    "lucia-ibanez",
    "miriam-katzenbach",
    "farah-noorzai",
    "amara-okonkwo",
    "ingrid-solheim",
    "hannah-whitfield-moss",
    "wulandari",
];

/// With those whose interest is perimenopause alone.
const WITH_EITHER: &[&str] = &[
    "folasade-adeyemi",
    "naomi-begaye",
    "annelise-bjork",
    "tamika-broussard",
    "maria-de-la-vega",
    "lucia-ibanez",
    "miriam-katzenbach",
    "grace-kealoha",
    "farah-noorzai",
    "amara-okonkwo",
    "ingrid-solheim",
    "hannah-whitfield-moss",
    "wulandari",
];

const SPEAK_SPANISH: &[&str] =
    &["tamika-broussard", "maria-de-la-vega", "rafael-dominguez", "lucia-ibanez", "ingrid-solheim"];

const NURSES_WITH_SLEEP: &[&str] = &[
    "rowan-achterberg",
    "naomi-begaye",
    "rafael-dominguez",
    "grace-kealoha",
    "le-thanh-mai",
    "kavita-menon",
    "jun-nakashima",
    "wulandari",
];

/// Kavita Menon's certificate does not say "nurse".
const SAID_TO_BE_NURSES: &[&str] = &[
    "rowan-achterberg",
    "naomi-begaye",
    "rafael-dominguez",
    "grace-kealoha",
    "le-thanh-mai",
    "jun-nakashima",
    "wulandari",
    "kavita-menon",
];

#[test]
fn what_people_type_finds_whom_they_mean() {
    let cases: &[(&str, &[&str])] = &[
        // Names: with titles, commas, credentials, with and without accents and apostrophes.
        ("amara okonkwo", &["amara-okonkwo"]),
        ("Dr. Okonkwo", &["amara-okonkwo"]),
        ("Okonkwo, Amara, MD, FACOG", &["amara-okonkwo"]),
        ("M.D. Björk", &["annelise-bjork"]),
        ("bjork", &["annelise-bjork"]),
        ("IBÁÑEZ", &["lucia-ibanez"]),
        ("lucia ibanez", &["lucia-ibanez"]),
        ("Doctor Cote", &["gabriel-cote"]),
        ("doctor menon", &["kavita-menon"]),
        ("Dr Menon", &["kavita-menon"]),
        ("miss wulandari", &["wulandari"]),
        ("O’Reilly", &["siobhan-oreilly"]),
        ("oreilly", &["siobhan-oreilly"]),
        ("de la vega", &["maria-de-la-vega"]),
        ("Le Thanh", &["le-thanh-mai"]),
        ("hannah whitfield", &["hannah-whitfield-moss"]),
        ("whit", &["hannah-whitfield-moss"]),
        // Typing mistakes.
        ("Siobhan O'Reily", &["siobhan-oreilly"]),
        ("Okonkow", &["amara-okonkwo"]),
        ("ragunathan", &["priya-raghunathan"]),
        ("menopase", WITH_MENOPAUSE),
        ("spansh", SPEAK_SPANISH),
        // What a clinician is, and which language they speak.
        ("woman doctor spanish", &["maria-de-la-vega", "lucia-ibanez", "ingrid-solheim"]),
        ("female doctor who speaks Russian", &["miriam-katzenbach", "yevgenia-sokolik"]),
        ("nurse practitioner sleep", NURSES_WITH_SLEEP),
        ("non-binary", &["jun-nakashima"]),
        ("vietnamese", &["le-thanh-mai"]),
        ("chinese doctor", &["marcus-bellweather"]),
        ("farsi", &["farah-noorzai"]),
        ("sign language", &["grace-kealoha"]),
        ("haitian creole", &["tamika-broussard"]),
        // Interests, in the clinic's words or in others; those who have the very word come first.
        ("early menopause", &["miriam-katzenbach", "hannah-whitfield-moss"]),
        ("shift work", &["marcus-bellweather", "wulandari"]),
        ("men's health", &["gabriel-cote"]),
        ("hot flashes", WITH_EITHER),
        ("HRT", WITH_EITHER),
        ("sofocos", WITH_EITHER),
        ("can't fall asleep nurse", SAID_TO_BE_NURSES),
        ("gynecologist", WITH_EITHER),
        ("ob-gyn spanish", &["tamika-broussard", "maria-de-la-vega", "lucia-ibanez", "ingrid-solheim"]),
        ("insomnia nurse", SAID_TO_BE_NURSES),
        // Certifications: whose they are, and that there is one.
        ("board certified russian", &["miriam-katzenbach", "yevgenia-sokolik"]),
        ("ABIM russian", &["yevgenia-sokolik"]),
        // No one: a word of a biography, and words that no clinician has.
        ("bakery", &[]),
        ("klingon", &[]),
        ("amara klingon", &[]),
    ];
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
    let clinic = Snapshot::new(load_and_check(&content, NaiveDate::default()).unwrap().directory);
    for (typed, expected) in cases {
        let typed_in_address = utf8_percent_encode(typed, NON_ALPHANUMERIC);
        let request =
            Request::from_target(&format!("/v1/providers/summary?limit=100&q={typed_in_address}")).unwrap();
        let answer = clinic.answer(&request, DateTime::UNIX_EPOCH).unwrap();
        let answer: Value = serde_json::from_slice(answer.body()).unwrap();
        let found: Vec<_> = answer["providers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| found["slug"].as_str().unwrap())
            .collect();
        assert_eq!(&found, expected, "{typed}");
        assert_eq!(answer["total"], expected.len(), "{typed}");
    }
}

#[test]
fn a_search_says_why_it_finds_no_one() {
    let nobody = |code: &str, message: &str| {
        format!(
            r#"{{"total":0,"limit":10,"offset":0,"providers":[],"reason":{{"code":"{code}","message":"{message}"}}}}"#
        )
    };
    let gender = "No one matches all of that. Clinicians match if gender doesn't matter.";
    for path in ["/v1/providers", "/v1/providers/summary"] {
        for (query, expected) in [
            ("state=WY&q=ann", nobody("STATE_NOT_SERVED", "No clinician here is licensed in Wyoming.")),
            (
                "state=NY&insurance=harbor+mutual+hmo&gender=other",
                nobody("PLAN_NOT_ACCEPTED", "No clinician here accepts Harbor Mutual HMO in New York."),
            ),
            ("gender=other", nobody("NO_MATCH", gender)),
            ("state=NY&gender=other", nobody("NO_MATCH", gender)),
            (
                "q=nobody",
                nobody(
                    "NO_MATCH",
                    r#"We couldn't find \"nobody\" or a word like it. Search for the other words."#,
                ),
            ),
            (
                "q=ann+south+carolina",
                nobody(
                    "NO_MATCH",
                    "South Carolina is a state, not a name. Choose South Carolina as the state and search for the other words.",
                ),
            ),
        ] {
            assert_eq!(ask(&format!("{path}?{query}&explain=true")).unwrap(), expected, "{path}?{query}");
            let plain = ask(&format!("{path}?{query}")).unwrap();
            assert_eq!(plain, r#"{"total":0,"limit":10,"offset":0,"providers":[]}"#, "{path}?{query}");
        }
        let past = ask(&format!("{path}?offset=50&explain=true")).unwrap();
        assert_eq!(past, r#"{"total":2,"limit":10,"offset":50,"providers":[],"reason":null}"#);
        assert!(ask(&format!("{path}?explain=true")).unwrap().ends_with(r#"],"reason":null}"#));
    }
}
