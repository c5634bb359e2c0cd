use super::*;

#[test]
fn an_invalid_state_has_the_specified_messages() {
    let fault = Fault::invalid_state("XX");
    assert_eq!(fault.body(), r#"{"code":"SPONSOR_NOT_COVERED","message":"invalid state code: XX"}"#);
    assert_eq!(
        fault.spoken(),
        "I don't recognize the state “XX”. Please give a US state name or two-letter code."
    );
    let long = Fault::invalid_state(&"é".repeat(65));
    assert_eq!(long.message(), format!("invalid state code: {}", "é".repeat(64)));
    assert_eq!(Fault::invalid_state("a\r\nb").message(), "invalid state code: a\u{fffd}\u{fffd}b");
    for hidden in ['\u{202e}', '\u{2066}', '\u{200b}', '\u{2028}', '\u{feff}', '\u{ad}', '\u{e0041}'] {
        let fault = Fault::invalid_state(&format!("X{hidden}Y"));
        assert_eq!(fault.message(), "invalid state code: X\u{fffd}Y", "{hidden:?}");
        assert!(!fault.spoken().contains(hidden), "{hidden:?}");
    }
}

#[test]
fn messages_suggest_near_names() {
    let arizona = "AZ".parse().ok();
    let none = Fault::invalid_insurance("Blue Cross", &[], arizona, &["One", "Two"]);
    assert_eq!(none.message(), "invalid insurance: Blue Cross; accepted in AZ: One, Two");
    assert_eq!(none.spoken(), "Blue Cross isn't accepted in Arizona. Accepted plans there: One, Two.");
    let many = Fault::invalid_insurance("X", &[], None, &["P"; 23]);
    assert!(many.message().starts_with("invalid insurance: X; accepted here: P, P, "));
    assert!(many.message().ends_with("P, and 3 more"));
    assert_eq!(many.message().matches('P').count(), 20);
    let which = Fault::invalid_insurance("P", &["P"; 23], arizona, &["P"; 30]);
    assert!(which.message().starts_with("invalid insurance: P; which one? accepted in AZ: P, P, "));
    assert!(which.spoken().starts_with("P isn't the name of one plan. Which one? P, P, "));
    assert!(which.spoken().ends_with("P, and 3 more.") && !which.spoken().contains("isn't accepted"));
    let alaska = "AK".parse().ok();
    let no_plan = Fault::invalid_insurance("Xyz", &[], alaska, &[]);
    assert_eq!(no_plan.message(), "invalid insurance: Xyz; no plan is accepted in AK");
    assert_eq!(
        no_plan.spoken(),
        "Xyz isn't accepted in Alaska. No clinician in Alaska accepts an insurance plan."
    );
    let one = Fault::invalid_insurance("Juniper", &["Juniper Advantage"], None, &["Juniper Advantage"]);
    assert_eq!(one.message(), "invalid insurance: Juniper; did you mean \"Juniper Advantage\"?");
    assert_eq!(one.spoken(), "“Juniper” isn't the name of a plan. Did you mean “Juniper Advantage”?");
    let two = Fault::provider_not_found("Ann", &[("ann-one", "Ann One"), ("ann-two", "Ann Two")]);
    assert_eq!(two.message(), "provider not found: Ann; did you mean ann-one or ann-two?");
    assert_eq!(
        two.spoken(),
        "No clinician is listed as “Ann”. Did you mean Ann One (ann-one) or Ann Two (ann-two)? If not, search by \
         state."
    );
}

#[test]
fn identifiers_become_words() {
    for (name, words) in [("preferredDate", "preferred date"), ("max_results", "max results"), ("NPI", "npi")]
    {
        assert_eq!(in_words(name), words);
    }
}

#[test]
fn codes_are_unique_and_kinds_sorted_by_status() {
    let codes: std::collections::BTreeSet<_> = FaultKind::ALL.iter().map(|kind| kind.code()).collect();
    assert_eq!(codes.len(), FaultKind::ALL.len());
    assert!(FaultKind::ALL.is_sorted_by_key(|kind| kind.status()));
}

#[test]
fn exactly_the_temporary_errors_have_retry_after() {
    for kind in FaultKind::ALL {
        assert_eq!(kind.retry_after().is_some(), matches!(kind.status(), 429 | 503), "{kind:?}");
    }
}
