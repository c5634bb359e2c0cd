//! Parsing lines, and resolving them to providers.

mod closed;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use chrono::NaiveDate;

use super::*;
use crate::model::Directory;

/// The clinic of `tests/clinic`.
fn directory() -> Directory {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clinic");
    let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
    crate::content::load_and_check(&folder, today).unwrap().directory
}

fn read(text: &str) -> Result<FeedFile, FeedError> {
    FeedFile::read("feed.ndjson", text, &FeedLimits::default())
}

fn set(mode: FeedMode, texts: &[&str]) -> FeedSet {
    set_by(&FeedRules::new(mode), texts)
}

fn set_by(rules: &FeedRules, texts: &[&str]) -> FeedSet {
    let name =
        |number: usize| if number == 0 { "feed.ndjson".to_owned() } else { format!("{number}.ndjson") };
    let read =
        |(number, text): (usize, &&str)| FeedFile::read(&name(number), text, &FeedLimits::default()).unwrap();
    let files: Vec<_> = texts.iter().enumerate().map(read).map(Arc::new).collect();
    FeedSet::of_files(&files, rules, &directory())
}

/// One provider's entries as short texts.
fn entries_of(set: &FeedSet, slug: &str) -> Vec<String> {
    let feed = set.providers.iter().find(|feed| feed.provider.as_str() == slug).unwrap();
    match &feed.entries {
        FeedEntries::Open(slots) => slots
            .iter()
            .map(|slot| match &slot.types {
                None => format!("{}/{}", slot.start, slot.end),
                Some(types) => format!("{}/{} {types:?}", slot.start, slot.end),
            })
            .collect(),
        FeedEntries::Busy(taken) => taken.iter().map(|busy| format!("{}/{}", busy.start, busy.end)).collect(),
    }
}

fn line(provider: &str, start: &str, end: &str, status: &str) -> String {
    format!(
        r#"{{"provider":"{provider}","start":"2026-12-01T{start}","end":"2026-12-01T{end}","status":"{status}"}}"#
    )
}

/// A Slot of the Schedule `s1`.
fn slot(more: &str) -> String {
    format!(
        r#"{{"resourceType":"Slot","id":"1","schedule":{{"reference":"Schedule/s1"}},"status":"free","start":"2026-12-01T10:00:00Z","end":"2026-12-01T10:30:00Z"{more}}}"#
    )
}

const TEN: &str = "2026-12-01T10:00:00Z/2026-12-01T10:30:00Z";

#[test]
fn only_the_status_free_is_an_open_slot() {
    let statuses = ["free", "busy", "busy-unavailable", "busy-tentative", "entered-in-error"];
    let mut text = String::new();
    for (hour, status) in statuses.iter().enumerate() {
        writeln!(text, "{}", line("ann-one", &format!("1{hour}:00:00Z"), &format!("1{hour}:30:00Z"), status))
            .unwrap();
    }
    assert_eq!(entries_of(&set(FeedMode::Open, &[&text]), "ann-one"), [TEN]);
    let busy = set(FeedMode::Busy, &[&text]);
    let starts: Vec<_> = entries_of(&busy, "ann-one").iter().map(|entry| entry[11..13].to_owned()).collect();
    assert_eq!(starts, ["11", "12", "13", "14"]);
}

#[test]
fn a_set_has_every_provider_and_marks_the_listed_ones() {
    let text = line("ann-one", "10:00:00Z", "10:30:00Z", "free");
    for mode in [FeedMode::Open, FeedMode::Busy] {
        let set = set(mode, &[&text]);
        let directory = directory();
        assert_eq!(set.providers.len(), directory.providers().len());
        for (feed, provider) in set.providers.iter().zip(directory.providers()) {
            assert_eq!(&feed.provider, &provider.slug);
            if feed.provider.as_str() != "ann-one" {
                assert!(entries_of(&set, feed.provider.as_str()).is_empty());
            }
        }
        let listed: Vec<_> = set.listed.iter().map(Slug::as_str).collect();
        assert_eq!(listed, ["ann-one"]);
    }
}

#[test]
fn byte_order_marks_blank_lines_and_line_ends_are_ignored() {
    let one = line("ann-one", "10:00:00Z", "10:30:00Z", "free");
    let text = format!("\u{feff}{one}\r\n\r\n   \t\n  {one}\r\n");
    assert_eq!(entries_of(&set(FeedMode::Open, &[&text]), "ann-one"), [TEN]);
    assert_eq!(set(FeedMode::Open, &[""]).listed.len(), 0);
}

#[test]
fn quoted_control_characters_are_replaced() {
    let forged = r"a\n2026-06-04T00:00:00Z  WARN forged\u001b[2K\u2028";
    let error = read(&line(forged, "10:00:00Z", "10:30:00Z", "free")).unwrap_err();
    for text in [error.to_string(), error.lines[0].what.clone()] {
        assert!(text.contains("\"a\u{fffd}2026-06-04T00:00:00Z  WARN forged\u{fffd}[2K\u{fffd}\""), "{text}");
    }
}

#[test]
fn free_slots_shrink_to_whole_seconds_and_busy_time_grows() {
    let times = |status| line("ann-one", "05:00:00.25-05:00", "05:30:59.75-05:00", status);
    let open = set(FeedMode::Open, &[&times("free")]);
    assert_eq!(entries_of(&open, "ann-one"), ["2026-12-01T10:00:01Z/2026-12-01T10:30:59Z"]);
    let busy = set(FeedMode::Busy, &[&times("busy")]);
    assert_eq!(entries_of(&busy, "ann-one"), ["2026-12-01T10:00:00Z/2026-12-01T10:31:00Z"]);
}

#[test]
fn a_bad_line_refuses_the_file_and_is_named_by_its_number() {
    let good = line("ann-one", "10:00:00Z", "10:30:00Z", "free");
    for (bad, column, reason) in [
        ("{", 1, "isn't JSON"),
        ("[1]", 1, "isn't a JSON object"),
        (r#"{"provider":"ann-one"}"#, 22, "missing field `start`"),
        (&good.replace("free", "open"), 0, "unknown variant `open`"),
        (&good.replace("provider", "slug"), 0, "unknown field `slug`"),
        (&good.replace("ann-one", "Ann One"), 1, "a slug is lowercase"),
        (&good.replace("T10:00:00Z", "T10:00:00"), 0, "a time is written with its offset"),
        (&good.replace("T10:30:00Z", "T10:00:00Z"), 1, "isn't after the start"),
        (&good.replace("T10:30:00Z", "T09:30:00Z"), 1, "isn't after the start"),
        (&good.replace("12-01T10:30", "12-02T10:30"), 1, "lasts at most a day"),
        (&good.replace('}', r#","types":[]}"#), 1, "types is empty"),
        (&good.replace('}', r#","types":[0]}"#), 0, "a visit type's id"),
        (&good.replace('}', r#","types":"101"}"#), 0, "expected a sequence"),
        (&slot("").replace("Schedule/s1", "").replace("reference", "display"), 1, "names no Schedule"),
        (&slot("").replace("free", "unknown"), 0, "unknown variant"),
        (r#"{"resourceType":"Schedule"}"#, 1, "has no id"),
        (r#"{"resourceType":"Location","name":}"#, 0, "isn't JSON"),
        (r#"{"resourceType":"Bundle","entry":[]}"#, 1, "would be lost"),
        (r#"{"resourceType":"Slots"}"#, 1, "\"Slots\" isn't a FHIR resource type"),
        (r#"{"resourceType":"schedule","id":"s1"}"#, 1, "\"schedule\" isn't a FHIR resource type"),
        (&slot("").replace("\"Slot\"", "\"slot\""), 1, "\"slot\" isn't a FHIR resource type"),
        (&slot("").replace("\"Slot\"", "\"SLOT\""), 1, "\"SLOT\" isn't a FHIR resource type"),
        (&slot("").replace("\"Slot\"", "\"Slot \""), 1, "isn't a FHIR resource type"),
        (&format!(r#"{{"provider":"{}"}}"#, "x".repeat(70_000)), 1, "longer than 65536 bytes"),
    ] {
        let error = read(&format!("{good}\n\n{bad}\n{good}\n")).unwrap_err();
        let [bad_line] = &*error.lines else { panic!("{bad}: {error}") };
        assert_eq!((bad_line.line, error.count), (3, 1), "{error}");
        assert!(bad_line.what.contains(reason) && bad_line.what.len() <= 300, "{error}");
        assert!(column == 0 || bad_line.column == column, "{error}");
    }
}

#[test]
fn every_bad_line_is_counted_and_the_first_hundred_are_kept() {
    let error = read(&"no\n".repeat(250)).unwrap_err();
    assert_eq!((error.count, error.lines.len()), (250, 100));
    let text = error.to_string();
    assert!(text.starts_with("feed.ndjson:1:1: this isn't a JSON object"), "{text}");
    assert!(text.ends_with("; and 245 more bad lines"), "{text}");
}

#[test]
fn a_feed_beyond_its_limits_is_refused_and_not_cut() {
    let text = format!("{}\n", line("ann-one", "10:00:00Z", "10:30:00Z", "free")).repeat(3);
    let limits = FeedLimits { bytes: text.len(), lines: 3, ..FeedLimits::default() };
    let refused = |limits| FeedFile::read("feed.ndjson", &text, &limits).unwrap_err().to_string();
    assert!(FeedFile::read("feed.ndjson", &text, &limits).is_ok());
    assert!(refused(FeedLimits { bytes: text.len() - 1, ..limits }).contains("larger than"));
    assert!(refused(FeedLimits { lines: 2, ..limits }).contains("more than 2 lines"));
    let described =
        |id: &str, actor: &str| format!(r#"{{"resourceType":"Schedule","id":"{id}","actor":[{actor}]}}"#);
    let named =
        [line("ann-one", "10:00:00Z", "10:30:00Z", "free"), described("1", "{}"), described("1", "{}")];
    let of = |owners| FeedLimits { owners, ..FeedLimits::default() };
    let named = |owners| FeedFile::read("feed.ndjson", &named.join("\n"), &of(owners));
    assert_eq!(named(3).unwrap().named, 3, "a clinician, a Schedule and its person");
    assert!(named(2).unwrap_err().to_string().contains("names more than 2 clinicians and Schedules"));
    let many = described("1", &vec!["{}"; 1_001].join(","));
    assert!(read(&many).unwrap_err().to_string().contains("more than 1000 actors"));
    let mut rules = FeedRules::new(FeedMode::Open);
    rules.limits.entries_per_provider = 2;
    let set = set_by(&rules, &[&text]);
    assert!(entries_of(&set, "ann-one").is_empty());
    assert_eq!(set.withheld.iter().map(Slug::as_str).collect::<Vec<_>>(), ["ann-one"]);
}

#[test]
fn a_line_that_adds_no_entry_is_within_the_limit() {
    let free = line("ann-one", "10:00:00Z", "10:30:00Z", "free");
    let busy = line("ann-one", "11:00:00Z", "11:30:00Z", "busy");
    for (mode, text) in
        [(FeedMode::Open, format!("{free}\n{busy}\n")), (FeedMode::Busy, format!("{busy}\n{free}\n"))]
    {
        let mut rules = FeedRules::new(mode);
        rules.limits.entries_per_provider = 1;
        assert_eq!(entries_of(&set_by(&rules, &[&text]), "ann-one").len(), 1, "{mode:?}");
    }
}

#[test]
fn unknown_providers_and_types_that_are_not_offered_are_skipped_and_counted() {
    let mine = line("ann-one", "10:00:00Z", "10:30:00Z", "free");
    let typed = |types: &str| mine.replace('}', &format!(r#","types":{types}}}"#));
    let stranger = mine.replace("ann-one", "nobody-here");
    // A former slug means its present provider; 201 is a type without a duration.
    let text = [
        typed("[101, 999, 101, 201]").replace("ann-one", "ann-zero"),
        typed("[999]").replace("T10", "T11"),
        stranger.clone(),
        stranger,
    ]
    .join("\n");
    let set = set(FeedMode::Open, &[&text]);
    assert_eq!(entries_of(&set, "ann-one"), [format!("{TEN} [VisitTypeId(101)]")]);
    let counts: Vec<_> = set.skipped.counts().collect();
    assert_eq!(counts, [(SkipReason::Unresolved, 2), (SkipReason::UnknownTypes, 1)]);
    let [of_types, unknown] = &*set.skipped.lines else { panic!("{:?}", set.skipped) };
    assert_eq!((of_types.line, unknown.line), (2, 3));
    assert_eq!(unknown.what, "no clinician has the slug \"nobody-here\"");
}

#[test]
fn a_free_slot_into_which_no_visit_fits_is_skipped_and_counted() {
    let short = line("ann-one", "10:00:00Z", "10:05:00Z", "free");
    let set = set(FeedMode::Open, &[&short, &line("ann-one", "10:00:00Z", "10:30:00Z", "free")]);
    assert_eq!(entries_of(&set, "ann-one"), [TEN]);
    assert_eq!(set.skipped.count(SkipReason::UnknownTypes), 1);
    assert_eq!(set.skipped.lines[0].what, "no video visit of ann-one is as short as 300 seconds");
}

#[test]
fn a_schedule_resolves_by_map_then_identifier_then_practitioner() {
    let schedule = |more: &str| format!(r#"{{"resourceType":"Schedule","id":"s1"{more}}}"#);
    let directory = directory();
    let ann = directory.providers().iter().find(|provider| provider.slug.as_str() == "ann-one").unwrap();
    let by_id = format!(
        r#","actor":[{{"reference":"https://ehr.example/fhir/Practitioner/{}"}},{{"reference":"Location/7","identifier":{{"system":"http://hl7.org/fhir/sid/us-npi","value":"1"}}}}]"#,
        ann.id
    );
    // The Schedule may be in another file, in any order of files.
    let found = set(FeedMode::Open, &[&slot(""), &schedule(&by_id)]);
    assert_eq!(entries_of(&found, "ann-one"), [TEN]);
    let with_type = schedule(&format!(r#"{by_id},"serviceType":[{{"coding":[{{"code":"101"}}]}}]"#));
    assert_eq!(
        entries_of(&set(FeedMode::Open, &[&slot(""), &with_type]), "ann-one"),
        [format!("{TEN} [VisitTypeId(101)]")]
    );

    let inactive = set(FeedMode::Open, &[&slot(""), &schedule(&format!(r#"{by_id},"active":false"#))]);
    assert_eq!(
        (entries_of(&inactive, "ann-one").len(), inactive.skipped.count(SkipReason::Inactive)),
        (0, 1)
    );

    let npi = r#","identifier":[{"system":"http://hl7.org/fhir/sid/us-npi","value":"9941339100"}]"#;
    assert_eq!(entries_of(&set(FeedMode::Open, &[&slot(""), &schedule(npi)]), "ann-one"), [TEN]);

    // Two people, an unknown one, or none: the slot resolves to no provider.
    for actors in [
        by_id.replace("}]", r#"},{"reference":"Practitioner/someone-else"}]"#),
        r#","actor":[{"identifier":{"system":"http://hl7.org/fhir/sid/us-npi","value":"1234567893"}}]"#
            .to_owned(),
        String::new(),
    ] {
        let set = set(FeedMode::Open, &[&slot(""), &schedule(&actors)]);
        let skipped: usize = set.skipped.counts().map(|(_, count)| count).sum();
        assert_eq!((set.listed.len(), skipped), (0, 1), "{actors}");
    }

    let mut rules = FeedRules::new(FeedMode::Open);
    let types = Some(vec![VisitTypeId::try_from(101).unwrap()]);
    let meaning = ScheduleMeaning { provider: "ann-one".parse().unwrap(), types };
    rules.schedules.insert("s1".to_owned(), meaning);
    // A text with an escape cannot be borrowed from its line.
    for reference in [
        "Schedule/s1",
        "https://ehr.example/Schedule/s1/_history/3",
        r"Schedule\/s1",
        r"x\/Schedule\/s1\/_history",
    ] {
        let text = slot("").replace("Schedule/s1", reference);
        assert_eq!(entries_of(&set_by(&rules, &[&text]), "ann-one"), [format!("{TEN} [VisitTypeId(101)]")]);
    }
}

#[test]
fn a_coding_with_a_system_names_no_visit_type() {
    let mut rules = FeedRules::new(FeedMode::Open);
    let meaning = ScheduleMeaning { provider: "ann-one".parse().unwrap(), types: None };
    rules.schedules.insert("s1".to_owned(), meaning);
    let public = r#","serviceType":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/service-type","code":"101"}]}]"#;
    assert_eq!(entries_of(&set_by(&rules, &[&slot(public)]), "ann-one"), [TEN]);
    let own = r#","appointmentType":{"coding":[{"code":"101","display":"x"}],"text":"y"},"comment":"z""#;
    assert_eq!(entries_of(&set_by(&rules, &[&slot(own)]), "ann-one"), [format!("{TEN} [VisitTypeId(101)]")]);
}

#[test]
fn other_resources_are_skipped_and_contradicting_schedules_of_a_file_are_refused() {
    let location = r#"{"resourceType":"Location","status":"active","identifier":{"odd":1},"schedule":5}"#;
    let others = set(FeedMode::Open, &[location, location]).skipped.other_resources;
    assert_eq!(others, [("Location".to_owned(), 2)].into());
    let one = r#"{"resourceType":"Schedule","id":"s1"}"#;
    let other = r#"{"resourceType":"Schedule","id":"s1","active":false}"#;
    assert!(read(&format!("{one}\n{one}")).is_ok());
    assert_eq!(read(&format!("{one}\n{other}")).unwrap_err().lines[0].line, 2);
}
