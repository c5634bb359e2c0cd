//! Reads an export as a feed, as a client would.
//!
//! Two directories have the same content, and one gets its openings from the other's export. Both must give the same
//! answers.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::test_content::{case, demo, demo_with_one_notice, edited, now};
use super::*;
use directory::calendar::{
    Calendar, FeedFile, FeedLimits, FeedMode, FeedRules, FeedSet, Freshness, Instant, SlotFilter,
};
use directory::model::{Directory, Provider, StateCode, VisitType};
use directory::{Request, Snapshot};

/// A directory and its calendar.
type Clinic = (Directory, Calendar);

fn publisher(directory: Directory) -> Clinic {
    let calendar = Calendar::from_hours(&directory, Instant::ceil(now()));
    (directory, calendar)
}

/// Returns the path and text of every file of a publication except the manifest.
fn publication((directory, calendar): &Clinic) -> Vec<(String, String)> {
    let export = FhirExport::new(directory).unwrap();
    let targets = export.files(now()).filter(|target| *target != FhirTarget::Manifest);
    targets
        .map(|target| {
            let document = export.answer(&target, calendar, now()).unwrap().unwrap();
            (target.path(), String::from_utf8(document.body).unwrap())
        })
        .collect()
}

/// Returns a directory that gets its openings from the files, and the number of entries that it skipped.
fn client(directory: Directory, files: &[(String, String)]) -> (Clinic, usize) {
    let read = |(path, text): &(String, String)| {
        Arc::new(FeedFile::read(path, text, &FeedLimits::default()).unwrap())
    };
    let files: Vec<_> = files.iter().map(read).collect();
    let set = FeedSet::of_files(&files, &FeedRules::new(FeedMode::Open), &directory);
    let calendar = Calendar::with_feed(&directory, FeedMode::Open, Instant::ceil(now()))
        .apply(&directory, &set.providers)
        .with_freshness(&directory, Freshness::Fresh, &[]);
    let skipped = set.skipped.lines.len();
    ((directory, calendar), skipped)
}

/// Returns no type, and the types with the same openings in the publication. Where a clinician isn't accepting new patients, it has
/// none, and the API has those for current patients.
fn types_in(directory: &Directory, state: StateCode) -> Vec<Option<i64>> {
    let has_others = |visit_type: &VisitType| {
        let is_closed = |provider: &Provider| {
            provider.visit_types.contains(&visit_type.id)
                && provider.licensed.intersection(visit_type.states).contains(state)
                && !provider.accepting.contains(state)
        };
        !visit_type.new_patient_eligible && directory.providers().iter().any(is_closed)
    };
    let types = directory.visit_types().iter().filter(|visit_type| !has_others(visit_type));
    [None].into_iter().chain(types.map(|visit_type| Some(i64::from(visit_type.id.get())))).collect()
}

/// Returns the first four pages of every list of openings: each state, visit type, and several page sizes.
fn pages((directory, calendar): Clinic) -> Vec<(String, String)> {
    let snapshot = Snapshot::new(directory).with_calendar(calendar);
    let mut pages = Vec::new();
    for state in StateCode::all().filter(|state| snapshot.calendar().serves(*state)) {
        for visit_type in types_in(snapshot.directory(), state) {
            let of_type = visit_type.map_or_else(String::new, |id| format!("&appointmentType={id}"));
            for page in
                ["", "&limit=1", "&limit=200&horizonDays=30", "&onePer=provider", "&explain=true&limit=7"]
            {
                let mut path = Some(format!("/v1/availability?state={state}{of_type}{page}"));
                for _ in 0..4 {
                    let Some(asked) = path else { break };
                    let request = Request::from_target(&asked).unwrap();
                    let answer = snapshot.answer(&request, now()).unwrap();
                    path = answer.next_path(&request);
                    pages.push((asked, String::from_utf8(answer.body().to_vec()).unwrap()));
                }
            }
        }
    }
    pages
}

/// Returns every start time with its clinician, for each state and visit type.
fn starts((directory, calendar): &Clinic) -> BTreeSet<(StateCode, Option<i64>, Instant, String)> {
    let all =
        StateCode::all().flat_map(|state| types_in(directory, state).into_iter().map(move |it| (state, it)));
    all.flat_map(|(state, visit_type)| {
        let filter = SlotFilter::new(state, Instant::ceil(now()), 30 * 86_400, 1_000_000);
        let found = calendar.open(directory, &SlotFilter { visit_type, ..filter });
        found
            .into_iter()
            .map(move |(at, number)| (state, visit_type, at, directory.provider(number).slug.to_string()))
    })
    .collect()
}

const NOTICE: (&str, &str, &str) = ("availability/jane-doe.toml", "notice   = \"2h\"", "");

#[test]
fn all_answers_are_the_same_if_all_clinicians_have_one_notice() {
    let mut compared = 0;
    let contents: [&dyn Fn() -> Directory; 2] = [&|| edited(&[NOTICE]), &demo_with_one_notice];
    for content in contents {
        let publisher = publisher(content());
        let (client, skipped) = client(content(), &publication(&publisher));
        assert_eq!(skipped, 0);
        for (one, other) in pages(publisher).into_iter().zip(pages(client)) {
            assert_eq!(one, other);
            compared += usize::from(one.1.contains("startTime"));
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn openings_are_the_same_if_notices_differ() {
    for content in [case, demo] {
        let publisher = publisher(content());
        let (client, _) = client(content(), &publication(&publisher));
        let starts = [starts(&publisher), starts(&client)];
        assert!(!starts[0].is_empty());
        assert_eq!(starts[0], starts[1]);
    }
}

#[test]
fn another_publication_gives_other_answers() {
    let original = publisher(edited(&[NOTICE]));
    let files = publication(&original);
    let expected = pages(publisher(edited(&[NOTICE])));
    let read = |files: &[(String, String)]| pages(client(edited(&[NOTICE]), files).0);
    assert_eq!(read(&files), expected);
    let mut emptied = files.clone();
    emptied.iter_mut().find(|(path, _)| path.ends_with("2026-11-23.ndjson")).unwrap().1.clear();
    assert_ne!(read(&emptied), expected);
    let mut dropped = files.clone();
    let schedules = dropped.iter_mut().find(|(path, _)| path.ends_with("Schedule.ndjson")).unwrap();
    schedules.1 = schedules.1.split_once('\n').unwrap().1.to_owned();
    assert_ne!(read(&dropped), expected);
    let longer = edited(&[NOTICE, ("appointment-types.toml", "duration = \"45m\"", "duration = \"60m\"")]);
    assert_ne!(read(&publication(&publisher(longer))), expected);
    // A Schedule whose visit types have another system counts for every visit that is short enough.
    let mut strange = files.clone();
    for (_, text) in &mut strange {
        *text =
            text.replace("api.larkspur.example/v1/appointment-types", "other.example/v1/appointment-types");
    }
    assert_ne!(read(&strange), expected);
}
