use super::super::Pages;
use super::*;
use crate::site::Site;
use crate::test_fixture as fixture;
use chrono::DateTime;
use directory::api::Request;
use serde_json::json;

#[test]
fn a_page_has_the_same_texts_as_the_apis_answer() {
    let snapshot = fixture::snapshot();
    let directory = snapshot.directory();
    let pages = Pages::new(&snapshot, &Site::load(None).unwrap()).unwrap();
    for provider in directory.providers() {
        let answer = snapshot.answer(&Request::profile(&provider.slug), DateTime::UNIX_EPOCH).unwrap();
        let answer: serde_json::Value = serde_json::from_slice(answer.body()).unwrap();
        let mut context = Context::new();
        let edition = &pages.editions[0];
        fill(&mut context, edition.local(), &edition.fragments, provider);
        let given = ["provider", "education", "certifications", "state_options"];
        let given = given.map(|key| (key.to_owned(), json!(context.get(key).unwrap())));
        let page = serde_json::Value::from_iter(given);
        let fields = [
            ("/provider/slug", "slug"),
            ("/provider/name", "displayName"),
            ("/provider/credentials", "credentials"),
            ("/provider/bio", "bio"),
            ("/provider/menopause_society_certified", "menopauseSocietyCertified"),
            ("/education", "education"),
            ("/certifications", "certifications"),
        ];
        for (on_the_page, in_the_answer) in fields {
            let shown = page.pointer(on_the_page);
            assert_eq!(shown, Some(&answer[in_the_answer]), "{on_the_page} of {}", provider.slug);
        }
        let interests = context.get("interests").unwrap();
        let interests =
            json!(interests).as_array().unwrap().iter().map(|interest| interest["name"].clone()).collect();
        assert_eq!(serde_json::Value::Array(interests), answer["clinicalInterests"]);
        assert_eq!(page["provider"]["kind"] == "Physician", answer["providerType"] == "physician");
        // The portraits of this clinic are drawings, which no other service shows with a link.
        assert_eq!(preview_picture(directory, provider), None);
        let languages = if provider.slug.as_str() == "ada-moreau" { "English and French" } else { "" };
        assert_eq!(json!(context.get("languages").unwrap()), languages);
        let options = page["state_options"].as_str().unwrap();
        let codes = options.split("value=\"").skip(1).map(|option| &option[..2]);
        let open: Vec<_> = codes.collect();
        assert_eq!(json!(open), answer["statesAcceptingPatients"]);
    }
}

const FOLLOW_UP: &str = "
[[type]]
id = 102
name = \"Follow-up\"
description = \"How things are going.\"
modality = \"video\"
new-patient-eligible = false
duration = \"20m\"
states = \"all\"
";

/// The clinician's page and the list of all, with a visit for current patients and other lines in her file.
fn pages_with(from: &str, to: &str) -> (String, String) {
    let folder = fixture::copy();
    fixture::edit(folder.path(), "appointment-types.toml", |text| text + FOLLOW_UP);
    fixture::edit(folder.path(), "providers/ada-moreau.toml", |text| {
        assert!(text.contains(from), "{from}");
        text.replace("[101, 201]", "[101, 102, 201]").replace(from, to)
    });
    let snapshot = fixture::load(folder.path());
    let pages = Pages::new(&snapshot, &Site::load(None).unwrap()).unwrap();
    let read = |path: &str| {
        let all = pages.all().unwrap();
        let (_, page) = all.iter().find(|(found, _)| found.as_str() == path).unwrap();
        let mut html = Vec::new();
        pages.render(page, &mut html).unwrap();
        String::from_utf8(html).unwrap()
    };
    (read("providers/ada-moreau.html"), read("clinicians.html"))
}

#[test]
fn pages_and_cards_have_both_days_of_a_leave() {
    let (page, list) =
        pages_with("[insurance]", "[[leave]]\nfrom = 2026-12-01\nuntil = 2027-03-01\n\n[insurance]");
    let said = "<p class=\"no leave\" data-from=\"2026-12-01\" data-until=\"2027-03-01\">\
                On leave December 1, 2026 – February 28, 2027</p>";
    let script = "<script type=\"module\" src=\"/assets/leave.js\"></script>";
    for html in [&page, &list] {
        assert!(html.contains(said) && html.contains(script), "{html}");
        assert!(html.contains(">New patients in California before and after leave</p>"), "{html}");
        assert!(!html.contains(">Sees new patients"), "{html}");
    }
    // Search engines don't know the date, either.
    assert!(!page.contains("isAcceptingNewPatients"), "{page}");
    let (page, list) = pages_with("[insurance]", "[[leave]]\nfrom = 2026-12-01\n\n[insurance]");
    for html in [&page, &list] {
        assert!(html.contains("data-from=\"2026-12-01\">On leave from December 1, 2026</p>"), "{html}");
    }
    let (page, list) = pages_with("", "");
    assert!(
        page.contains("\"isAcceptingNewPatients\":true")
            && page.contains(">Sees new patients in California</p>")
    );
    assert!(![page, list].iter().any(|html| html.contains("leave")));
}

#[test]
fn visits_for_current_patients_are_below_the_times_and_first_if_no_one_new_is_seen() {
    let details =
        |open: &str| format!("<details class=\"current\"{open}>\n<summary>Already a patient?</summary>");
    let place = |page: &str, text: &str| page.find(text).unwrap_or_else(|| panic!("no {text} in {page}"));
    let (page, _) = pages_with("", "");
    assert!(place(&page, &details("")) > place(&page, "id=\"times\""));
    for part in [
        // No state is chosen. The first visit of a new patient is, and a follow-up can be in the other state of licensure.
        "<option value=\"\">Choose a state</option><option value=\"CA\" data-zones=\"America/Los_Angeles\">",
        "<option value=\"101\" data-states=\"CA\" data-minutes=\"30\" data-length=\"30 minutes\" data-new selected>",
        "<option value=\"102\" data-states=\"CA NY\" data-minutes=\"20\" data-length=\"20 minutes\">",
        "<optgroup label=\"Current patients only\"><option value=\"NY\"",
        "<a href=\"/providers/ada-moreau?visit=102#times-title\"><span dir=\"auto\">Follow-up</span>, 20 minutes</a>",
    ] {
        place(&page, part);
    }
    for (to, said) in [
        ("accepting = []", "Sees current patients only"),
        ("accepting = [\"CA\"]\nstatus = \"paused\"", "Sees current patients only"),
    ] {
        let (page, _) = pages_with("accepting = [\"CA\"]", to);
        assert!(place(&page, &details(" open")) < place(&page, "id=\"times\""));
        place(&page, said);
        assert!(!page.contains(" selected>") && page.contains("<option value=\"102\" data-states=\"CA NY\""));
        assert!(!page.contains("New patient visit"), "{page}");
    }
}
