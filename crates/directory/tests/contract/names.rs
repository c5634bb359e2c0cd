//! Which clinician and which plan a request means by a name, on the demo clinic.

use directory::{Fault, Operation, Request};
use serde_json::{Value, json};

use super::additions::{NOW, ask, demo};

#[test]
fn a_clinician_is_known_by_slug_address_and_name() {
    let demo = demo();
    let tool = Operation::for_tool("get_provider").unwrap();
    let profile = |text: &str| {
        let arguments = json!({ "slug": text });
        let request = Request::from_tool(tool, arguments.as_object().unwrap())?;
        let answer = demo.answer(&request, NOW.parse().unwrap())?;
        let body: Value = serde_json::from_slice(answer.body()).unwrap();
        Ok::<_, Fault>(body["slug"].as_str().unwrap().to_owned())
    };
    let site = &demo.directory().organization().site_url;
    for text in [
        "amara-okonkwo",
        "Dr. Okonkwo",
        "amara okonkwo",
        "Doctor Amara Okonkwo",
        "Amara Okonkwo, MD",
        &format!("{site}/providers/amara-okonkwo"),
        &format!("{site}/es/providers/amara-okonkwo?state=CA#times"),
        &format!("{}/providers/amara-okonkwo/", site.trim_start_matches("https://")),
    ] {
        assert_eq!(profile(text).unwrap(), "amara-okonkwo", "{text}");
        let query = format!("state=CA&limit=1&provider={}", text.replace('#', "%23").replace('?', "%3F"));
        assert_eq!(ask(&demo, &query).unwrap()["provider"], "amara-okonkwo", "{text}");
    }
    for text in [
        "Okonkw",
        "Dr.",
        "MD",
        "",
        "Amara Okonkwo Smith",
        "https://elsewhere.example/providers/amara-okonkwo",
        &format!("{site}/clinics/x/providers/amara-okonkwo"),
        &format!("{site}.evil.example/providers/amara-okonkwo"),
        "providers/amara-okonkwo",
    ] {
        let Err(fault) = profile(text) else { panic!("{text} is a clinician") };
        assert!([400, 404].contains(&fault.kind().status()), "{text}");
    }
    // Paths of REST stay exact.
    let path = Request::from_target("/v1/providers/Dr.%20Okonkwo").unwrap();
    assert_eq!(demo.answer(&path, NOW.parse().unwrap()).unwrap_err().kind().status(), 404);
}

#[test]
fn a_plan_that_only_resembles_is_a_question_and_an_unknown_one_lists_those_accepted() {
    let demo = demo();
    let blue = ask(&demo, "state=AZ&insurance=Blue+Cross").unwrap_err();
    let plans = "Amberline Choice PPO, Goldenrod PPO, Harbor Mutual HMO, Juniper Advantage";
    assert_eq!(blue.message(), format!("invalid insurance: Blue Cross; accepted in AZ: {plans}"));
    assert_eq!(
        blue.spoken(),
        format!("Blue Cross isn't accepted in Arizona. Accepted plans there: {plans}.")
    );
    for (query, message) in [
        ("state=AZ&insurance=goldenrod", "goldenrod; did you mean \"Goldenrod PPO\"?"),
        ("state=AZ&insurance=Golden+Rod+PPO", "Golden Rod PPO; did you mean \"Goldenrod PPO\"?"),
        ("state=AZ&insurance=PPO", "PPO; did you mean \"Amberline Choice PPO\" or \"Goldenrod PPO\"?"),
        ("state=AK&insurance=goldenrod", "goldenrod; no plan is accepted in AK"),
    ] {
        let fault = ask(&demo, query).unwrap_err();
        assert_eq!(fault.message(), format!("invalid insurance: {message}"), "{query}");
    }
}
