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
        fill(&mut context, edition.local(), &edition.fragments, provider).unwrap();
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
        let languages = if provider.slug.as_str() == "ada-moreau" { "English, French" } else { "" };
        assert_eq!(json!(context.get("languages").unwrap()), languages);
        let options = page["state_options"].as_str().unwrap();
        let codes = options.split("value=\"").skip(1).map(|option| &option[..2]);
        let open: Vec<_> = codes.collect();
        assert_eq!(json!(open), answer["statesAcceptingPatients"]);
    }
}
