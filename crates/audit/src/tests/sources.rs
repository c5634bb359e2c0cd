//! Sources that are old, incomplete or wrong themselves.

use super::*;

#[test]
fn an_ended_row_is_certain_and_a_missing_row_at_most_likely() {
    let directory = clinic(JANE, &[]);
    let ended = || roster_row(Some(day(2026, 6, 30)));
    let judged = |is_complete, rows| found(&directory, &[roster(&directory, is_complete, rows)]);
    assert_eq!(judged(false, vec![ended()]), [("roster", Strength::Certain)]);
    assert_eq!(judged(false, vec![ended(), roster_row(None)]), []);
    assert_eq!(judged(false, vec![]), []);
    assert_eq!(judged(true, vec![]), [("roster", Strength::Likely)]);
    let elsewhere = RosterRow { state: Some("NY".parse().unwrap()), ..ended() };
    assert_eq!(judged(true, vec![elsewhere.clone()]), []);
    // A current row of another state does not make up for this state's.
    let current = RosterRow { until: None, ..elsewhere };
    assert_eq!(judged(true, vec![ended(), current]), [("roster", Strength::Certain)]);
    assert_eq!(judged(true, vec![roster_row(Some(today()))]), []);
    assert_eq!(judged(true, vec![roster_row(Some(day(2026, 11, 21)))]), [("roster", Strength::Certain)]);
    let closed = RosterRow { is_accepting: Some(false), ..roster_row(None) };
    assert_eq!(judged(true, vec![closed.clone()]), [("roster-closed", Strength::Likely)]);
    // The entry accepts no new patients in Texas, and the roster says the same.
    let texas = RosterRow { state: Some("TX".parse().unwrap()), ..closed.clone() };
    assert_eq!(found(&directory, &[roster(&directory, false, vec![texas])]), []);
    let elsewhere = RosterRow { state: Some("NY".parse().unwrap()), ..closed };
    assert_eq!(judged(true, vec![elsewhere]), []);
}

#[test]
fn a_source_that_is_old_or_older_than_a_confirmation_is_not_certain() {
    let directory = clinic(JANE, &[]);
    let mut old = roster(&directory, false, vec![roster_row(Some(day(2026, 6, 30)))]);
    old.as_of = day(2026, 10, 1);
    assert_eq!(found(&directory, &[old]), [("roster", Strength::Likely)]);
    for (by, strength) in [("clinician", Strength::Likely), ("clinic", Strength::Certain)] {
        let jane = format!("{JANE}\n[confirmed]\non = 2026-11-20\nby = \"{by}\"\n");
        let directory = clinic(&jane, &[]);
        let source = roster(&directory, false, vec![roster_row(Some(day(2026, 6, 30)))]);
        assert_eq!(found(&directory, &[source]), [("roster", strength)], "{by}");
    }
}

#[test]
fn a_source_of_the_future_or_that_lost_half_of_its_rows_is_rejected() {
    let directory = clinic(JANE, &[]);
    let bad = || roster(&directory, false, vec![roster_row(Some(day(2026, 6, 30)))]);
    for (source, why) in [
        (AuditSource { as_of: day(2027, 1, 1), ..bad() }, "in the future"),
        (AuditSource { previous_row_count: Some(22), ..bad() }, "had 22 last time"),
        (AuditSource { previous_row_count: Some(21), ..bad() }, "had 21 last time"),
        (AuditSource { previous_row_count: Some(1), row_count: 0, ..bad() }, "had 1 last time"),
    ] {
        let audit = audit(&directory, &[source], false, today());
        assert_eq!(audit.findings, []);
        assert!(audit.rejected[0].1.contains(why), "{:?}", audit.rejected);
    }
    assert_eq!(found(&directory, &[AuditSource { previous_row_count: Some(20), ..bad() }]).len(), 1);
}

#[test]
fn two_sources_that_say_the_same_give_the_stronger_finding_once() {
    let directory = clinic(JANE, &[]);
    let new = || roster(&directory, false, vec![roster_row(Some(day(2026, 6, 30)))]);
    let old = || AuditSource { as_of: day(2026, 10, 1), ..new() };
    for sources in [[old(), new()], [new(), old()]] {
        assert_eq!(found(&directory, &sources), [("roster", Strength::Certain)]);
        let name = audit(&directory, &sources, false, today()).findings[0].name.clone();
        let allow = format!("[[audit]]\nfinding = \"{name}\"\nreason = \"looked up\"\nuntil = 2026-11-22\n");
        let allowing = clinic(JANE, &[("allow.toml", &allow)]);
        let allowed = audit(&allowing, &sources, false, today());
        assert_eq!((allowed.findings.len(), allowed.allowed.len(), allowed.unused.len()), (0, 1, 0));
        // Nothing is known of a rejected source's findings.
        let future = || AuditSource { as_of: day(2027, 1, 1), ..new() };
        assert_eq!(audit(&allowing, &[future()], false, today()).unused, []);
        assert_eq!(audit(&allowing, &[], false, today()).unused.len(), 1);
    }
}

/// Adds the check digit of an NPI to nine digits: by Luhn's algorithm, over "80840" and the digits.
fn npi(nine: &str) -> String {
    let doubled = |(at, digit): (usize, u32)| match (at % 2, digit * 2) {
        (0, twice) => twice / 10 + twice % 10,
        _ => digit,
    };
    let digits = nine.chars().rev().filter_map(|digit| digit.to_digit(10));
    // 24 is what the digits of "80840" add.
    let sum: u32 = 24 + digits.enumerate().map(doubled).sum::<u32>();
    format!("{nine}{}", (10 - sum % 10) % 10)
}

#[test]
fn a_source_that_disagrees_about_a_twentieth_is_rejected() {
    // Four of 80 clinicians are 5 percent, and four of 79 are more.
    for (clinicians, is_rejected) in [(80, false), (79, true)] {
        let mut more = Vec::new();
        for number in 0..clinicians {
            let npi = npi(&format!("1{number:08}"));
            let file = JANE
                .replace("prov-1", &format!("prov-9{number}"))
                .replace("Jane Doe", &format!("Jane Doe the {number}th"))
                .replace("9941339100", &npi)
                .replace("accepting = [\"CA\"]", "accepting = []");
            more.push((format!("providers/jane-{number}.toml"), file));
        }
        let files: Vec<_> = more.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let without_plan = JANE.replace("all = [\"Goldenrod PPO\"]", "");
        let directory = clinic(&without_plan, &files);
        let npis: Vec<_> =
            directory.providers().iter().filter(|provider| provider.slug.as_str() != "jane-doe").collect();
        let rows = npis.iter().enumerate().map(|(at, provider)| RosterRow {
            npi: provider.npi.as_deref().unwrap().to_owned(),
            ..roster_row((at < 4).then_some(day(2026, 6, 30)))
        });
        let source = roster(&directory, false, rows.collect());
        let audit = audit(&directory, &[source], false, today());
        assert_eq!(audit.rejected.len(), usize::from(is_rejected), "{:?}", audit.rejected);
        let from_roster = audit.findings.iter().filter(|finding| finding.rule == Rule::Roster).count();
        assert_eq!(from_roster, if is_rejected { 0 } else { 4 });
    }
}
