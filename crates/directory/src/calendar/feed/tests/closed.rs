//! Lines that resolve to no provider: busy time withholds those to whom it may belong.

use std::collections::BTreeSet;

use super::*;
use crate::model::Provider;

const BUSY: &str = r#"{"resourceType":"Slot","schedule":{"reference":"Schedule/ID"},"status":"busy","start":"2026-12-01T10:00:00Z","end":"2026-12-01T10:30:00Z"}"#;

fn busy(schedule: &str) -> String {
    BUSY.replace("ID", schedule)
}

fn schedule(id: &str, actor: &str) -> String {
    format!(r#"{{"resourceType":"Schedule","id":"{id}","actor":[{actor}]}}"#)
}

fn practitioner(id: &str) -> String {
    format!(r#"{{"reference":"Practitioner/{id}"}}"#)
}

fn npi(number: &str) -> String {
    format!(r#"{{"identifier":{{"system":"http://hl7.org/fhir/sid/us-npi","value":"{number}"}}}}"#)
}

fn id_of(slug: &str) -> String {
    let directory = directory();
    let provider = directory.providers().iter().find(|provider| provider.slug.as_str() == slug);
    provider.unwrap().id.to_string()
}

/// A feed of files, read again and again.
struct Feed(Engine);

impl Feed {
    fn new(mode: FeedMode) -> Self {
        Self(Engine::new(Arc::new(FeedRules::new(mode))))
    }

    fn read(&mut self, texts: &[String]) -> FeedSet {
        let writer: Arc<str> = "feed".into();
        let (mut events, mut parts) = (Vec::new(), BTreeSet::new());
        for (number, text) in texts.iter().enumerate() {
            let part = PartId::file(&writer, format!("{number}.ndjson").into());
            parts.insert(Arc::clone(part.name()));
            let text = part.read(text, &FeedLimits::default());
            events.push(Event::PartChanged { part, text });
        }
        events.push(Event::Complete { writer: Arc::clone(&writer), parts });
        let as_of = AsOf::read(None, Moment::default());
        events.push(Event::Beat { writer, as_of, late: Vec::new() });
        let here = directory();
        self.0.take(events, here.generation(), &here, Instant::from_unix(0));
        self.0.set(&directory())
    }
}

fn read_once(mode: FeedMode, texts: &[String]) -> FeedSet {
    Feed::new(mode).read(texts)
}

fn withheld(set: &FeedSet) -> Vec<&str> {
    set.withheld.iter().map(Slug::as_str).collect()
}

#[test]
fn unresolved_busy_time_withholds_everyone_undescribed_and_unresolved_free_slots_are_skipped() {
    let line = line("anne-one", "10:00:00Z", "10:30:00Z", "busy");
    for (texts, what, help) in [
        (vec![busy("s1")], "no file of the feed describes the Schedule s1", "[feed.schedules.s1]"),
        (vec![busy("s.1")], "no file of the feed describes the Schedule s.1", "[feed.schedules.\"s.1\"]"),
        // The file of Schedules is empty.
        (
            vec![busy("s1"), String::new()],
            "no file of the feed describes the Schedule s1",
            "publish the Schedule",
        ),
        (
            vec![busy("s1"), schedule("s1", "")],
            "doesn't name a clinician by a valid NPI",
            "[feed.schedules.s1]",
        ),
        (
            vec![busy("s1"), schedule("s1", &npi("1234567890"))],
            "doesn't name a clinician by a valid NPI",
            "give its actor",
        ),
        (
            vec![busy("s1"), schedule("s1", &practitioner(""))],
            "doesn't name a clinician by a valid NPI",
            "give its actor",
        ),
        (
            vec![busy("s1"), schedule("s1", r#"{"reference":"PractitionerRole/7"}"#)],
            "doesn't name a clinician by a valid NPI",
            "give its actor",
        ),
        (vec![line], "no clinician has the slug \"anne-one\"", "did you mean \"ann-one\"?"),
    ] {
        let set = read_once(FeedMode::Busy, &texts);
        let bad = set.skipped.lines.iter().find(|line| line.reason == SkipReason::Unresolved).unwrap();
        assert!(bad.what.contains(what) && bad.help.contains(help), "{bad:?}");
        assert_eq!((&*bad.file, bad.line), ("0.ndjson", 1));
        assert_eq!(withheld(&set).len(), directory().providers().len());
        // The same lines as free slots are skipped and counted.
        let free: Vec<_> = texts.iter().map(|text| text.replace("\"busy\"", "\"free\"")).collect();
        let set = read_once(FeedMode::Open, &free);
        assert_eq!((set.skipped.count(SkipReason::Unresolved), set.listed.len()), (1, 0));
        // In a busy feed free slots do not count.
        assert_eq!(read_once(FeedMode::Busy, &free).skipped.count(SkipReason::Unresolved), 0);
    }
}

#[test]
fn an_unknown_clinician_withholds_only_undescribed_providers() {
    let all: Vec<_> = directory().providers().iter().map(|provider| provider.slug.to_string()).collect();
    let others: Vec<&str> = all.iter().map(String::as_str).filter(|slug| *slug != "ann-one").collect();
    assert!(!others.is_empty());
    let (ann, stranger) =
        (schedule("s1", &practitioner(&id_of("ann-one"))), schedule("s2", &practitioner("x-9")));
    let set = read_once(FeedMode::Busy, &[[ann, stranger.clone(), busy("s1"), busy("s2")].join("\n")]);
    assert_eq!((withheld(&set), entries_of(&set, "ann-one")), (others, vec![TEN.to_owned()]));
    assert_eq!(set.skipped.count(SkipReason::NotPublished), 1);

    // Every provider has a Schedule, so an unknown Practitioner or a room is none of them.
    let mut lines: Vec<_> = all.iter().map(|slug| schedule(slug, &practitioner(&id_of(slug)))).collect();
    lines.extend([
        stranger,
        busy("s2"),
        schedule("s3", r#"{"reference":"Location/1"}"#),
        busy("s3"),
        busy("ann-one"),
    ]);
    let set = read_once(FeedMode::Busy, &[lines.join("\n")]);
    assert_eq!((withheld(&set).len(), set.skipped.count(SkipReason::NotPublished)), (0, 2));

    // An unknown NPI excludes providers who have another.
    let lines =
        [schedule("s1", &npi("1234567893")), busy("s1"), line("ann-one", "10:00:00Z", "10:30:00Z", "free")];
    let set = read_once(FeedMode::Busy, &[lines[..2].join("\n")]);
    let directory = directory();
    let without = directory.providers().iter().filter(|provider| provider.npi.is_none());
    assert_eq!(withheld(&set), without.map(|provider| provider.slug.as_str()).collect::<Vec<_>>());
    assert!(!withheld(&set).contains(&"ann-one"));
}

#[test]
fn a_schedule_that_resolves_no_longer_withholds_its_former_provider() {
    let by_npi = |number: &str| schedule("s2", &npi(number));
    let own = schedule("s1", &practitioner(&id_of("ann-one")));
    let before = [own.clone(), by_npi("9941339100"), busy("s1"), busy("s2")].join("\n");
    // One of the provider's two Schedules now has an unknown NPI, or is no longer described.
    for second in [by_npi("1234567893"), String::new()] {
        let mut feed = Feed::new(FeedMode::Busy);
        let first = feed.read(std::slice::from_ref(&before));
        assert_eq!((withheld(&first).len(), entries_of(&first, "ann-one")), (0, vec![TEN.to_owned()]));
        let text = [own.clone(), second, busy("s1"), busy("s2")].join("\n");
        let set = feed.read(std::slice::from_ref(&text));
        assert!(withheld(&set).contains(&"ann-one"), "{set:?}");
        // The next reading of the same files withholds the same.
        assert_eq!(feed.read(&[text]).withheld, set.withheld);
    }
}

#[test]
fn a_reading_without_busy_time_of_an_owner_does_not_forget_its_providers() {
    let other = other_than_ann();
    let own = format!("{}\n{}", schedule("s1", &practitioner(&id_of("ann-one"))), busy("s1"));
    let rest = schedule("s3", &practitioner(&id_of(&other)));
    let free = busy("s2").replace("\"busy\"", "\"free\"");
    let (known, unknown) =
        (schedule("s2", &practitioner(&id_of("ann-one"))), schedule("s2", &practitioner("x-9")));
    let with = |second: &str| [[own.clone(), rest.clone(), second.to_owned()].join("\n")];
    // The Schedule is described without Slots, or only free ones are listed, of a person who is known or no longer known.
    for between in [
        known.clone(),
        unknown.clone(),
        format!("{known}\n{free}"),
        format!("{unknown}\n{free}"),
        free.clone(),
    ] {
        for third in [format!("{unknown}\n{}", busy("s2")), busy("s2")] {
            let mut feed = Feed::new(FeedMode::Busy);
            feed.read(&with(&format!("{known}\n{}", busy("s2"))));
            assert!(!withheld(&feed.read(&with(&between))).contains(&"ann-one"), "{between}");
            let third = feed.read(&with(&third));
            assert!(withheld(&third).contains(&"ann-one"), "{between}: {third:?}");
        }
    }
    // A reading that does not name the owner forgets it. Then its time may be anyone's who isn't described.
    let mut feed = Feed::new(FeedMode::Busy);
    feed.read(&[[own.clone(), known, busy("s2")].join("\n")]);
    feed.read(std::slice::from_ref(&own));
    let last = feed.read(&[[own, busy("s2")].join("\n")]);
    assert_eq!(withheld(&last).len(), directory().providers().len() - 1);
}

#[test]
fn unknown_people_of_a_shared_schedule_withhold_the_providers_they_may_be() {
    let read = |actors: &str, more: &str| {
        let shared = schedule("s1", actors).replace("}]}", &format!("}}]{more}}}"));
        read_once(FeedMode::Busy, &[[shared, busy("s1")].join("\n")])
    };
    let directory = directory();
    let all: Vec<&str> = directory.providers().iter().map(|provider| provider.slug.as_str()).collect();
    let others: Vec<&str> = all.iter().copied().filter(|slug| *slug != "ann-one").collect();
    let has_no_npi = |provider: &&Provider| provider.npi.is_none() && provider.slug.as_str() != "ann-one";
    let without_npi: Vec<&str> =
        directory.providers().iter().filter(has_no_npi).map(|provider| provider.slug.as_str()).collect();
    let (ann, ann_npi) = (practitioner(&id_of("ann-one")), npi("9941339100"));
    let with_npi = |reference: &str, number: &str| {
        format!("{},{}", &practitioner(reference)[..practitioner(reference).len() - 1], &npi(number)[1..])
    };
    let no_one = Vec::new();
    let own_npi = r#","identifier":[{"system":"http://hl7.org/fhir/sid/us-npi","value":"9941339100"}]"#;
    for (actors, more, expected) in [
        (format!("{ann},{}", practitioner("x-9")), "", &others),
        (format!("{ann_npi},{}", practitioner("x-9")), "", &others),
        (format!("{ann_npi},{}", npi("1234567893")), "", &without_npi),
        // The ids and NPIs of one known person, and what names no person, don't count as a second person.
        (with_npi("x-9", "9941339100"), "", &no_one),
        (with_npi(&id_of("ann-one"), "1234567893"), "", &no_one),
        (practitioner("x-9"), own_npi, &no_one),
        (format!(r#"{ann},{{"reference":"PractitionerRole/7"}}"#), "", &no_one),
    ] {
        let set = read(&actors, more);
        assert_eq!(
            (entries_of(&set, "ann-one"), withheld(&set)),
            (vec![TEN.to_owned()], expected.clone()),
            "{actors}"
        );
        let named: Vec<_> = set.skipped.lines.iter().map(|line| line.what.as_str()).collect();
        assert_eq!(named.len(), usize::from(!expected.is_empty()), "{actors}: {named:?}");
        assert!(
            named.iter().all(|what| what.contains("at least one of them isn't in the content")),
            "{named:?}"
        );
    }
}

#[test]
fn a_provider_who_becomes_unknown_on_a_shared_schedule_is_withheld() {
    let (ann, bob) = (practitioner(&id_of("ann-one")), other_than_ann());
    let mut feed = Feed::new(FeedMode::Busy);
    let mut read = |second: &str| {
        let shared = schedule("s1", &format!("{ann},{}", practitioner(second)));
        let own = schedule("s2", &practitioner(&id_of(&bob)));
        // The same Schedule in a second file does not make the first one forgotten.
        let free = busy("s1").replace("\"busy\"", "\"free\"");
        feed.read(&[[shared, own, busy("s1")].join("\n"), free])
    };
    let first = read(&id_of(&bob));
    assert_eq!((entries_of(&first, &bob), withheld(&first)), (vec![TEN.to_owned()], vec![]));
    let second = read("x-9");
    assert!(withheld(&second).contains(&&*bob) && !withheld(&second).contains(&"ann-one"), "{second:?}");
    assert_eq!(read("x-9").withheld, second.withheld);
}

#[test]
fn a_schedule_that_vanishes_withholds_also_whom_its_unknown_people_may_be() {
    let ann = practitioner(&id_of("ann-one"));
    let directory = directory();
    let all: Vec<&str> = directory.providers().iter().map(|provider| provider.slug.as_str()).collect();
    let shared = schedule("s1", &format!("{ann},{}", practitioner("x-9")));
    let one = |lines: &[String]| [lines.join("\n")];
    // The unknown person is named beside a known one, or took the place of one before there was busy time again.
    let together = vec![one(&[shared, busy("s1")])];
    let replaced =
        vec![one(&[schedule("s1", &ann), busy("s1")]), one(&[schedule("s1", &practitioner("x-9"))])];
    for before in [together, replaced] {
        let mut feed = Feed::new(FeedMode::Busy);
        for texts in before {
            feed.read(&texts);
        }
        assert_eq!(withheld(&feed.read(&one(&[busy("s1")]))), all);
        // Once the Schedule is described again, no one is unknown.
        assert!(withheld(&feed.read(&one(&[schedule("s1", &ann), busy("s1")]))).is_empty());
        assert_eq!(withheld(&feed.read(&one(&[busy("s1")]))), ["ann-one"]);
    }
    // An unknown NPI means none of those who have another.
    let mut feed = Feed::new(FeedMode::Busy);
    feed.read(&one(&[schedule("s1", &format!("{ann},{}", npi("1234567893"))), busy("s1")]));
    let set = feed.read(&one(&[busy("s1")]));
    let expected =
        directory.providers().iter().filter(|it| it.npi.is_none() || it.slug.as_str() == "ann-one");
    assert_eq!(withheld(&set), expected.map(|provider| provider.slug.as_str()).collect::<Vec<_>>());
}

fn other_than_ann() -> String {
    let directory = directory();
    let other = directory.providers().iter().find(|provider| provider.slug.as_str() != "ann-one");
    other.unwrap().slug.to_string()
}

#[test]
fn an_empty_file_withholds_the_providers_that_no_other_file_lists() {
    let text = line("ann-one", "10:00:00Z", "10:30:00Z", "busy");
    let alone = read_once(FeedMode::Busy, std::slice::from_ref(&text));
    assert!(withheld(&alone).is_empty());
    let set = read_once(FeedMode::Busy, &[text.clone(), " \n".to_owned()]);
    assert_eq!(withheld(&set).len(), directory().providers().len() - 1);
    assert!(!withheld(&set).contains(&"ann-one"));
    let [reason] = &*set.skipped.lines else { panic!("{:?}", set.skipped) };
    assert_eq!((&*reason.file, reason.line, set.skipped.count(SkipReason::EmptyFile)), ("1.ndjson", 1, 1));
    assert!(
        reason.what.contains(&format!("whom no file lists have no openings: {}", withheld(&set)[0])),
        "{reason:?}"
    );
    // As the message advises, every provider is listed in some file.
    let all: String = directory()
        .providers()
        .iter()
        .map(|provider| line(provider.slug.as_str(), "10:00:00Z", "10:30:00Z", "free") + "\n")
        .collect();
    let set = read_once(FeedMode::Busy, &[all, String::new()]);
    assert!(withheld(&set).is_empty() && set.skipped.counts().next().is_none(), "{set:?}");
    // A file that is empty and alone withholds every clinician: a service uses it once an operator accepts it.
    let set = read_once(FeedMode::Busy, &[String::new()]);
    assert_eq!(withheld(&set).len(), directory().providers().len());
    // In an open feed no provider is withheld.
    let set = read_once(FeedMode::Open, &[text, String::new()]);
    assert!(withheld(&set).is_empty() && set.skipped.counts().next().is_none());
}

#[test]
fn the_sentences_about_skipped_lines_are_bounded() {
    let id = "s".repeat(5_000);
    let set = read_once(FeedMode::Busy, &[[schedule(&id, &practitioner("x")), busy(&id)].join("\n")]);
    let [skipped] = &*set.skipped.lines else { panic!("{:?}", set.skipped) };
    assert_eq!((skipped.what.len(), skipped.help.len()), (300, 300));
    let set = read_once(FeedMode::Busy, &[busy(&id)]);
    let [skipped] = &*set.skipped.lines else { panic!("{:?}", set.skipped) };
    assert_eq!((skipped.what.len(), skipped.help.len()), (300, 300));
}

#[test]
fn a_time_of_one_schedule_that_is_free_and_busy_is_busy() {
    let own = |id: &str| schedule(id, &practitioner(&id_of("ann-one")));
    let with = |status: &str, start: &str, end: &str| {
        let slot = slot("").replace("\"free\"", &format!("\"{status}\""));
        slot.replace("10:00:00Z", "START").replace("10:30:00Z", end).replace("START", start)
    };
    for (second, is_open) in [
        (with("busy", "10:00:00Z", "10:30:00Z"), false),
        (with("busy-tentative", "10:15:00Z", "11:00:00Z"), false),
        (with("busy-unavailable", "09:00:00Z", "12:00:00Z"), false),
        (with("entered-in-error", "10:00:00Z", "10:30:00Z"), false),
        // An erroneous slot of other times does not cancel this one.
        (with("entered-in-error", "10:00:00Z", "11:00:00Z"), true),
        (with("busy", "10:30:00Z", "11:00:00Z"), true),
        (with("busy", "09:30:00Z", "10:00:00Z"), true),
        // Another Schedule of the same clinician does not count.
        (with("busy", "10:00:00Z", "10:30:00Z").replace("Schedule/s1", "Schedule/s2"), true),
    ] {
        let mut texts = vec![[own("s1"), own("s2"), slot("")].join("\n"), second.clone()];
        for _ in 0..2 {
            let set = read_once(FeedMode::Open, &texts);
            let expected = if is_open { vec![TEN.to_owned()] } else { vec![] };
            assert_eq!(entries_of(&set, "ann-one"), expected, "{second}");
            assert_eq!(set.skipped.count(SkipReason::Taken), usize::from(!is_open));
            texts.reverse();
        }
    }
    // Fractions of seconds: the free slot is rounded inwards, what cancels it outwards.
    let times = |status| line("ann-one", "10:00:00.25Z", "10:29:59.75Z", status);
    let set = read_once(FeedMode::Open, &[[times("entered-in-error"), times("free")].join("\n")]);
    assert!(entries_of(&set, "ann-one").is_empty());
}

#[test]
fn each_line_of_an_unknown_slug_is_counted() {
    let lines: Vec<_> = (0..12)
        .flat_map(|hour| (0..8).map(move |number| (hour, number)))
        .map(|(hour, number)| {
            line(&format!("x-{number}"), &format!("{hour:02}:00:00Z"), &format!("{hour:02}:30:00Z"), "busy")
        })
        .collect();
    let set = read_once(FeedMode::Busy, &[lines.join("\n")]);
    assert_eq!((set.skipped.count(SkipReason::Unresolved), set.skipped.lines.len()), (96, 8), "{set:?}");
}
