//! Open slots: a line for each open start and visit type, and a file for each day.

use rayon::prelude::*;

use super::context::Context;
use super::ids;
use super::schedules::{Offer, offers};
use super::systems::{ACCEPTING, BOOKING_LINK, OLD_BOOKING_LINK, PATIENT_TYPE, patients};
use super::template::BookingLink;
use super::time::{DAYS, Moment, SlotDay};
use directory::calendar::{Calendar, Instant};
use directory::model::{Directory, StateCode, StateSet};

/// The most clinicians in one file of a day. A larger clinic has several files for each day.
const CLINICIANS: usize = 1000;
/// The slots that one thread writes at a time.
const BATCH: usize = 2048;
/// The estimated length of a line with two links, in bytes.
const LINE: usize = 800;

/// A file of slots: those that start on a day, or a part of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SlotFile {
    pub(crate) day: SlotDay,
    /// Its number, if a day has several files.
    pub(crate) part: Option<u32>,
}

impl SlotFile {
    /// Parses a path below `/fhir/slots/`.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let stem = path.strip_suffix(".ndjson")?;
        match stem.split_once('/') {
            None => Some(Self { day: SlotDay::parse(stem)?, part: None }),
            Some((day, number)) => {
                let part: u32 = number.parse().ok()?;
                (part.to_string() == number).then_some(Self { day: SlotDay::parse(day)?, part: Some(part) })
            }
        }
    }

    /// Its path below `/fhir/slots/`.
    pub(crate) fn path(self) -> String {
        match self.part {
            None => format!("{}.ndjson", self.day),
            Some(part) => format!("{}/{part}.ndjson", self.day),
        }
    }
}

/// The number of files of a day.
fn parts(directory: &Directory) -> u32 {
    u32::try_from(directory.providers().len().div_ceil(CLINICIANS)).unwrap_or(u32::MAX).max(1)
}

/// The files of a publication, by day and part.
pub(crate) fn files(directory: &Directory, moment: Moment) -> impl Iterator<Item = SlotFile> {
    let parts = parts(directory);
    moment
        .days()
        .flat_map(move |day| (0..parts).map(move |part| SlotFile { day, part: (parts > 1).then_some(part) }))
}

/// Whether a publication has the file.
pub(crate) fn is_published(directory: &Directory, moment: Moment, file: SlotFile) -> bool {
    let is_ahead = (0..DAYS).contains(&file.day.after(moment.today()));
    let parts = parts(directory);
    is_ahead && file.part.map_or(parts == 1, |part| parts > 1 && part < parts)
}

/// The number of slots in each file of a publication, and the states where they can be booked.
pub(crate) fn counts(context: &Context<'_>, calendar: &Calendar, moment: Moment) -> Vec<(usize, StateSet)> {
    let (directory, parts) = (context.directory, parts(context.directory));
    let (days, first) = (moment.days().count(), moment.today());
    let period = (first.begin(), moment.days().last().unwrap_or(first).end());
    let calendar = calendar.over(directory, period.0, period.1);
    let none = || vec![(0, StateSet::EMPTY); days * parts as usize];
    let add = |mut counts: Vec<(usize, StateSet)>, offer: &Offer<'_>| {
        let part = if parts > 1 { ids::shard(&offer.provider.id, parts) } else { 0 };
        for at in calendar.starts_for(offer.number, offer.visit_type.id, moment.bookable_from, period) {
            let day = usize::try_from(SlotDay::of(at).after(first)).unwrap_or_default();
            if let Some((count, states)) = counts.get_mut(day * parts as usize + part as usize) {
                (*count, *states) = (*count + 1, states.union(offer.states));
            }
        }
        counts
    };
    let sum = |one: Vec<(usize, StateSet)>, other: Vec<(usize, StateSet)>| {
        let pairs = one.into_iter().zip(other);
        pairs.map(|((count, states), (more, others))| (count + more, states.union(others))).collect()
    };
    offers(context).par_iter().with_min_len(256).fold(none, add).reduce(none, sum)
}

/// The lines of a file, sorted by start and then by id.
pub(crate) fn lines(context: &Context<'_>, calendar: &Calendar, moment: Moment, file: SlotFile) -> Vec<u8> {
    let (directory, parts) = (context.directory, parts(context.directory));
    let period = (file.day.begin(), file.day.end());
    let calendar = calendar.over(directory, period.0, period.1);
    let is_here =
        |offer: &Offer<'_>| file.part.is_none_or(|part| ids::shard(&offer.provider.id, parts) == part);
    let mut writers: Vec<_> = offers(context)
        .into_iter()
        .filter(is_here)
        .map(|offer| (SlotWriter::of(context, &offer), offer))
        .collect();
    // Slots that start together are sorted by their ids. The time is part of the key because one Schedule's id may
    // begin with another's.
    let time = file.day.begin().unix();
    writers.sort_by_cached_key(|(writer, _)| format!("{}.{time}", writer.id));
    let starts = writers.par_iter().enumerate().with_min_len(64).flat_map_iter(|(writer, (_, offer))| {
        let id = offer.visit_type.id;
        let starts = calendar.starts_for(offer.number, id, moment.bookable_from, period);
        starts.into_iter().map(move |at| (at, writer))
    });
    let mut slots: Vec<(Instant, usize)> = starts.collect();
    slots.par_sort_unstable();
    let written = slots.par_chunks(BATCH).map(|slots| {
        let mut lines = Vec::with_capacity(slots.len() * LINE);
        for &(at, writer) in slots {
            writers[writer].0.write(at, &mut lines);
        }
        lines
    });
    let written: Vec<Vec<u8>> = written.collect();
    written.concat()
}

/// Writes the slots of an offer, which differ only in their start.
struct SlotWriter {
    id: String,
    link: Option<BookingLink>,
    patients: &'static str,
    seconds: i64,
}

impl SlotWriter {
    fn of(context: &Context<'_>, offer: &Offer<'_>) -> Self {
        let template = context.directory.organisation().booking_url.as_deref();
        let mut states = offer.states.iter();
        let state = states.next().filter(|_| states.next().is_none()).map(StateCode::code);
        let link = template.and_then(|template| {
            let (slug, id) = (offer.provider.slug.as_str(), offer.visit_type.id.to_string());
            BookingLink::of(template, slug, &id, state)
        });
        Self {
            id: offer.id(),
            link,
            patients: patients(offer.visit_type.new_patient_eligible),
            seconds: i64::from(offer.minutes) * 60,
        }
    }

    fn write(&self, at: Instant, to: &mut Vec<u8>) {
        let time = at.unix().to_string();
        put(to, &["{\"resourceType\":\"Slot\",\"id\":\"", &self.id, ".", &time, "\",\"extension\":["]);
        if let Some(link) = &self.link {
            // `content::check` allows only characters that JSON does not escape.
            for url in [BOOKING_LINK, OLD_BOOKING_LINK] {
                put(to, &["{\"url\":\"", url, "\",\"valueUrl\":\""]);
                link.write(at, to);
                put(to, &["\"},"]);
            }
        }
        put(
            to,
            &["{\"url\":\"", PATIENT_TYPE, "\",\"valueCoding\":{\"system\":\"", ACCEPTING, "\",\"code\":\""],
        );
        put(to, &[self.patients, "\"}}],\"schedule\":{\"reference\":\"Schedule/", &self.id, "\"}"]);
        put(to, &[",\"status\":\"free\",\"start\":\""]);
        to.extend_from_slice(&at.ascii());
        put(to, &["\",\"end\":\""]);
        to.extend_from_slice(&at.plus_seconds(self.seconds).ascii());
        put(to, &["\"}\n"]);
    }
}

fn put(to: &mut Vec<u8>, texts: &[&str]) {
    for text in texts {
        to.extend_from_slice(text.as_bytes());
    }
}
