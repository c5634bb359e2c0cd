//! What the keys of calendars become, and which of them a beat calls late.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use directory::calendar::{AsOf, BadText, Event, FeedLimits, Instant, PartId};
use feed::moment;

use super::calendars::Calendars;
use super::plan::Due;
use crate::nats::{Beat, OwnKey, text_of};

const JANE: &str = "jane-doe, calendar 1, at calendar.example";
const JANES_OTHER: &str = "jane-doe, calendar 2, at calendar.example";
const SAM: &str = "sam-roe, calendar 1, at calendar.example";
const ALL: [&str; 3] = [JANE, JANES_OTHER, SAM];

/// Noon on December 1, 2026, and some minutes.
fn at(minute: u32) -> Instant {
    format!("2026-12-01T12:{minute:02}:00Z").parse().unwrap()
}

/// A taken hour, this many days later.
fn hour(slug: &str, day: u32) -> String {
    format!(
        "{{\"provider\":\"{slug}\",\"start\":\"2026-12-{:02}T16:00:00Z\",\"end\":\"2026-12-{:02}T17:00:00Z\",\"status\":\"busy\"}}\n",
        1 + day,
        1 + day
    )
}

fn hours(slug: &str, days: impl IntoIterator<Item = u32>) -> String {
    days.into_iter().map(|day| hour(slug, day)).collect()
}

/// What a look at a calendar says.
enum Look {
    Text(String),
    /// A text, of which something cannot be placed.
    Unclear(String),
    Same,
    /// It cannot be read, and was before.
    Failed,
    /// It cannot be read, and never was.
    Unread,
}

/// The bucket and its writer. A new writer is one after a restart.
struct World {
    writer: Calendars,
    keys: BTreeMap<String, OwnKey>,
    beat: Option<Beat>,
}

impl World {
    fn new() -> Self {
        Self { writer: Calendars::new("ehr", 0.5), keys: BTreeMap::new(), beat: None }
    }

    fn restarted(self, max_shrink: f64) -> Self {
        Self { writer: Calendars::new("ehr", max_shrink), ..self }
    }

    /// Looks at these calendars, which are all that there are, and writes what is due.
    fn look(&mut self, minute: u32, looks: Vec<(&str, Look)>) -> Result<Due, String> {
        let mut events =
            vec![Event::Writers { all: looks.iter().map(|(name, _)| Arc::from(*name)).collect() }];
        for (name, look) in looks {
            let writer: Arc<str> = name.into();
            let slug = name.split(',').next().unwrap().parse().unwrap();
            let part = PartId::calendar(&slug, Arc::clone(&writer));
            let doubt = |why: &str| Err(BadText::Other(why.to_owned()));
            let text = |text: &str| Event::PartChanged {
                part: part.clone(),
                text: part.read(text, &FeedLimits::default()),
            };
            let beat = Event::Beat {
                writer: Arc::clone(&writer),
                as_of: AsOf::read(None, moment()),
                late: Vec::new(),
            };
            match look {
                Look::Text(lines) => events.extend([text(&lines), beat]),
                Look::Unclear(lines) => {
                    let why = Event::PartChanged { part: part.clone(), text: doubt("line 3: RRULE") };
                    events.extend([text(&lines), why, beat]);
                }
                Look::Same => events.push(beat),
                Look::Failed => events.push(Event::Failed { why: format!("{name}: no answer"), writer }),
                Look::Unread => events.push(Event::PartChanged { part, text: doubt("no answer") }),
            }
        }
        let confirmed = self.writer.take(events, at(minute))?;
        let due = self.writer.due(confirmed.as_of, &self.keys, self.beat.as_ref());
        for (key, value) in &due.writings {
            let revision = self.keys.len() as u64;
            self.keys.insert(key.clone(), (revision, value.clone()));
        }
        let (as_of, late) = (confirmed.as_of, due.late.clone());
        self.beat = Some(Beat { as_of, mode: "busy".to_owned(), every: None, keys: None, sum: None, late });
        Ok(due)
    }

    /// The lines of a key; `None` if it is deleted or was never there.
    fn value(&self, key: &str) -> Option<String> {
        let (_, value) = self.keys.get(key)?;
        value.as_ref().map(|value: &Bytes| text_of(value).unwrap())
    }
}

fn late(due: &Due) -> Vec<(&str, Instant)> {
    due.late.iter().map(|(key, at)| (key.as_str(), *at)).collect()
}

fn text(slug: &str, days: &[u32]) -> Look {
    Look::Text(hours(slug, days.iter().copied()))
}

#[test]
fn a_key_has_the_merged_time_of_all_calendars_of_a_clinician() {
    let mut world = World::new();
    let half = "{\"provider\":\"jane-doe\",\"start\":\"2026-12-02T16:30:00Z\",\"end\":\"2026-12-02T18:00:00Z\",\"status\":\"busy\"}\n";
    let looks = vec![
        (JANE, text("jane-doe", &[1])),
        (JANES_OTHER, Look::Text(half.to_owned())),
        (SAM, text("sam-roe", &[2])),
    ];
    let due = world.look(0, looks).unwrap();
    assert_eq!(
        world.value("ehr.p.jane-doe").unwrap(),
        "{\"provider\":\"jane-doe\",\"start\":\"2026-12-02T16:00:00Z\",\"end\":\"2026-12-02T18:00:00Z\",\"status\":\"busy\"}\n"
    );
    assert_eq!(world.value("ehr.p.sam-roe").unwrap(), hour("sam-roe", 2));
    assert_eq!((late(&due), due.why_late.as_str()), (vec![], ""));
    let due = world.look(5, ALL.map(|name| (name, Look::Same)).into()).unwrap();
    assert!(due.writings.is_empty() && due.late.is_empty(), "{due:?}");
}

#[test]
fn in_doubt_a_key_has_old_and_new_lines_and_is_late_since_its_last_clear_reading() {
    let mut world = World::new();
    let sam = || (SAM, text("sam-roe", &[2]));
    world.look(0, vec![(JANE, text("jane-doe", &[1, 2])), sam()]).unwrap();
    let both = hours("jane-doe", [1, 2, 3]);
    for (minute, days) in [(5, vec![2, 3]), (10, vec![3])] {
        let due = world.look(minute, vec![(JANE, Look::Unclear(hours("jane-doe", days))), sam()]).unwrap();
        assert_eq!(world.value("ehr.p.jane-doe").as_ref(), Some(&both));
        assert_eq!(late(&due), [("p.jane-doe", at(0))]);
        assert_eq!(due.why_late, format!("{JANE}: line 3: RRULE"));
    }
    // A restart forgets nothing, and neither does an answer that nothing has changed.
    let mut world = world.restarted(0.5);
    let due = world.look(15, vec![(JANE, Look::Unclear(hour("jane-doe", 4))), sam()]).unwrap();
    assert_eq!(world.value("ehr.p.jane-doe"), Some(hours("jane-doe", 1..=4)));
    assert_eq!(late(&due), [("p.jane-doe", at(0))]);
    let due = world.look(20, vec![(JANE, Look::Same), sam()]).unwrap();
    assert_eq!(late(&due), [("p.jane-doe", at(0))]);
    let due = world.look(25, vec![(JANE, text("jane-doe", &[4])), sam()]).unwrap();
    assert_eq!((world.value("ehr.p.jane-doe"), late(&due)), (Some(hour("jane-doe", 4)), vec![]));
}

#[test]
fn only_what_cannot_be_read_is_late_and_it_keeps_its_lines() {
    let mut world = World::new();
    let looks = |jane, other, sam| vec![(JANE, jane), (JANES_OTHER, other), (SAM, sam)];
    world.look(0, looks(text("jane-doe", &[1]), text("jane-doe", &[2]), text("sam-roe", &[1]))).unwrap();
    let due = world.look(5, looks(Look::Failed, text("jane-doe", &[3]), Look::Same)).unwrap();
    assert_eq!(world.value("ehr.p.jane-doe"), Some(hours("jane-doe", [1, 3])));
    assert_eq!(late(&due), [("p.jane-doe", at(0))]);
    assert_eq!(due.why_late, format!("{JANE}: no answer"));
    // Her key is as old as the older of her two calendars.
    let due = world.look(10, looks(Look::Same, Look::Failed, Look::Failed)).unwrap();
    assert_eq!(late(&due), [("p.jane-doe", at(5)), ("p.sam-roe", at(5))]);
    let why = world.look(15, looks(Look::Failed, Look::Failed, Look::Failed)).unwrap_err();
    assert!(why.starts_with("no calendar can be read: ") && why.contains(SAM), "{why}");
    let due = world.look(20, looks(Look::Same, Look::Same, Look::Same)).unwrap();
    assert!(late(&due).is_empty());
}

#[test]
fn a_calendar_that_was_never_read_makes_its_clinicians_key_older_than_all() {
    let mut world = World::new();
    let due = world.look(0, vec![(JANE, Look::Unread), (SAM, text("sam-roe", &[1]))]).unwrap();
    // Listed, so a replica offers nothing of hers even under `unlisted = "open"`.
    assert_eq!(world.value("ehr.p.jane-doe").as_deref(), Some(""));
    assert_eq!(late(&due), [("p.jane-doe", "1970-01-01T00:00:00Z".parse().unwrap())]);
    let due = world.look(5, vec![(JANE, text("jane-doe", &[1])), (SAM, Look::Same)]).unwrap();
    assert!(late(&due).is_empty());
    // After a restart the bucket says since when.
    let mut world = world.restarted(0.5);
    let due = world.look(10, vec![(JANE, Look::Unread), (SAM, text("sam-roe", &[1]))]).unwrap();
    assert_eq!(world.value("ehr.p.jane-doe"), Some(hour("jane-doe", 1)));
    assert_eq!(late(&due), [("p.jane-doe", at(5))]);
}

#[test]
fn the_key_of_a_clinician_without_a_line_is_deleted() {
    let mut world = World::new();
    world.look(0, ALL.map(|name| (name, text(name.split(',').next().unwrap(), &[1]))).into()).unwrap();
    let due = world.look(5, vec![(JANE, Look::Same)]).unwrap();
    assert_eq!(due.writings, [("ehr.p.sam-roe".to_owned(), None)]);
    assert_eq!(world.value("ehr.p.jane-doe"), Some(hour("jane-doe", 1)));
    let due = world.look(10, vec![]).unwrap();
    assert_eq!(due.writings, [("ehr.p.jane-doe".to_owned(), None)]);
    assert!(world.look(15, vec![]).unwrap().writings.is_empty());
}

#[test]
fn what_loses_too_much_keeps_its_lines_until_it_is_accepted() {
    let mut world = World::new();
    let sam = || (SAM, text("sam-roe", &[1]));
    let full = hours("jane-doe", 1..=10);
    world.look(0, vec![(JANE, Look::Text(full.clone())), sam()]).unwrap();
    let due = world.look(5, vec![(JANE, text("jane-doe", &[1, 12])), sam()]).unwrap();
    assert_eq!(world.value("ehr.p.jane-doe"), Some(full.clone() + &hour("jane-doe", 12)));
    assert_eq!(late(&due), [("p.jane-doe", at(0))]);
    for words in ["jane-doe has lost 8 of the bucket's 10 entries", "--once --accept-shrink"] {
        assert!(due.why_late.contains(words), "{}", due.why_late);
    }
    // What has grown back isn't a loss.
    let due = world.look(10, vec![(JANE, Look::Text(full.clone())), sam()]).unwrap();
    assert_eq!((world.value("ehr.p.jane-doe"), late(&due)), (Some(full), vec![]));
    let mut world = world.restarted(1.0);
    let due = world.look(15, vec![(JANE, text("jane-doe", &[1])), sam()]).unwrap();
    assert_eq!((world.value("ehr.p.jane-doe"), late(&due)), (Some(hour("jane-doe", 1)), vec![]));
}

#[test]
fn a_key_that_another_program_has_spoiled_is_rewritten() {
    let mut world = World::new();
    world.look(0, vec![(JANE, text("jane-doe", &[1])), (SAM, text("sam-roe", &[1]))]).unwrap();
    world.keys.insert("ehr.p.jane-doe".to_owned(), (9, Some(Bytes::from_static(b"nonsense"))));
    let mut world = world.restarted(0.5);
    let due = world.look(5, vec![(JANE, Look::Unclear(hour("jane-doe", 2))), (SAM, Look::Unread)]).unwrap();
    // What it had is lost, so nothing is known of the time before.
    assert_eq!(world.value("ehr.p.jane-doe"), Some(hour("jane-doe", 2)));
    assert_eq!(late(&due), [("p.jane-doe", "1970-01-01T00:00:00Z".parse().unwrap()), ("p.sam-roe", at(0))]);
}
