use rayon::prelude::*;

use super::context::Context;
use super::ids::slot_file_number;
use super::schedules::{Offer, offers};
use super::systems::{
    BOOKING_LINK_EXTENSION, OLD_BOOKING_LINK_EXTENSION, PATIENT_TYPE_EXTENSION, SLOT_PATIENTS_SYSTEM,
    patients_code,
};
use super::template::BookingLink;
use super::time::{Moment, SlotDay};
use directory::calendar::{Calendar, Instant};
use directory::model::{Directory, StateCode, StateSet};

/// A larger clinic has several files for each day.
const CLINICIANS_PER_FILE: usize = 1000;
const SLOTS_PER_BATCH: usize = 2048;
/// The estimated bytes of a line with two links.
const LINE_LENGTH: usize = 800;

/// If a day has several files, each has the slots of some clinicians.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SlotFile {
    pub(crate) day: SlotDay,
    pub(crate) number: Option<u32>,
}

impl SlotFile {
    /// A path below `/fhir/slots/`.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let stem = path.strip_suffix(".ndjson")?;
        let Some((day, digits)) = stem.split_once('/') else {
            return Some(Self { day: SlotDay::parse(stem)?, number: None });
        };
        let number: u32 = digits.parse().ok()?;
        // Parsing also accepts "01".
        (number.to_string() == digits).then_some(Self { day: SlotDay::parse(day)?, number: Some(number) })
    }

    pub(crate) fn path(self) -> String {
        match self.number {
            None => format!("{}.ndjson", self.day),
            Some(number) => format!("{}/{number}.ndjson", self.day),
        }
    }
}

fn files_per_day(directory: &Directory) -> u32 {
    u32::try_from(directory.providers().len().div_ceil(CLINICIANS_PER_FILE)).unwrap_or(u32::MAX).max(1)
}

pub(crate) fn files(directory: &Directory, moment: Moment) -> impl Iterator<Item = SlotFile> {
    let per_day = files_per_day(directory);
    moment.days().flat_map(move |day| {
        (0..per_day).map(move |number| SlotFile { day, number: (per_day > 1).then_some(number) })
    })
}

pub(crate) fn is_published(directory: &Directory, moment: Moment, file: SlotFile) -> bool {
    let per_day = files_per_day(directory);
    moment.publishes(file.day) && file.number.map_or(per_day == 1, |number| per_day > 1 && number < per_day)
}

/// The slots of each of the [`files`], and the states where they can be booked.
pub(crate) fn counts(context: &Context<'_>, calendar: &Calendar, moment: Moment) -> Vec<(usize, StateSet)> {
    let per_day = files_per_day(context.directory);
    let (today, days) = (moment.today(), moment.days().count());
    let period = (today.start(), moment.days().last().unwrap_or(today).end());
    let calendar = calendar.covering_period(context.directory, period.0, period.1);
    let zeros = || vec![(0, StateSet::EMPTY); days * per_day as usize];
    let add_offer = |mut counts: Vec<(usize, StateSet)>, offer: &Offer<'_>| {
        let file_number = slot_file_number(&offer.provider.id, per_day) as usize;
        for start in
            calendar.starts_for(offer.provider_number, offer.visit_type.id, moment.bookable_from, period)
        {
            let day = usize::try_from(SlotDay::containing(start).days_after(today)).unwrap_or_default();
            if let Some((count, states)) = counts.get_mut(day * per_day as usize + file_number) {
                *count += 1;
                *states = states.union(offer.states);
            }
        }
        counts
    };
    let add_counts = |mut counts: Vec<(usize, StateSet)>, others: Vec<(usize, StateSet)>| {
        for ((count, states), (other_count, other_states)) in counts.iter_mut().zip(others) {
            *count += other_count;
            *states = states.union(other_states);
        }
        counts
    };
    offers(context).par_iter().with_min_len(256).fold(zeros, add_offer).reduce(zeros, add_counts)
}

pub(crate) fn lines(context: &Context<'_>, calendar: &Calendar, moment: Moment, file: SlotFile) -> Vec<u8> {
    let writers = sorted_writers(context, file);
    let period = (file.day.start(), file.day.end());
    let calendar = calendar.covering_period(context.directory, period.0, period.1);
    // Writers are in the order of their slots' ids, so these pairs sort by start time and then by id.
    let mut slots: Vec<(Instant, usize)> = writers
        .par_iter()
        .enumerate()
        .with_min_len(64)
        .flat_map_iter(|(position, SlotWriter { offer, .. })| {
            let starts =
                calendar.starts_for(offer.provider_number, offer.visit_type.id, moment.bookable_from, period);
            starts.into_iter().map(move |start| (start, position))
        })
        .collect();
    slots.par_sort_unstable();
    let batches: Vec<Vec<u8>> = slots
        .par_chunks(SLOTS_PER_BATCH)
        .map(|batch| {
            let mut lines = Vec::with_capacity(batch.len() * LINE_LENGTH);
            for &(start, position) in batch {
                writers[position].write(start, &mut lines);
            }
            lines
        })
        .collect();
    batches.concat()
}

/// In the order of their slots' ids: of two slots at the same time, that of the first writer has the smaller id.
fn sorted_writers<'a>(context: &Context<'a>, file: SlotFile) -> Vec<SlotWriter<'a>> {
    let per_day = files_per_day(context.directory);
    let mut writers: Vec<_> = offers(context)
        .into_iter()
        .filter(|offer| slot_file_number(&offer.provider.id, per_day) == file.number.unwrap_or(0))
        .map(|offer| SlotWriter::new(context, offer))
        .collect();
    // Sorting by the schedule's id alone would be wrong: "a.1" (clinician "a", type 1) comes before "a.1.1" (clinician
    // "a.1", type 1), but the slot "a.1.1.1795305600" comes before "a.1.1795305600". So writers are sorted by their ids at
    // the start of the day. Not handled: a part of an id that looks like the start of such a time, as in
    // "a.1.179531.1795305600", whose order changes during the day.
    let day_start = file.day.start().unix();
    writers.sort_by_cached_key(|writer| format!("{}.{day_start}", writer.schedule_id));
    writers
}

struct SlotWriter<'a> {
    offer: Offer<'a>,
    schedule_id: String,
    link: Option<BookingLink>,
}

impl<'a> SlotWriter<'a> {
    fn new(context: &Context<'_>, offer: Offer<'a>) -> Self {
        let mut states = offer.states.iter();
        let only_state = states.next().filter(|_| states.next().is_none()).map(StateCode::code);
        let link = context.directory.organization().booking_url.as_deref().and_then(|template| {
            let visit_type = offer.visit_type.id.to_string();
            BookingLink::fill_in(template, offer.provider.slug.as_str(), &visit_type, only_state)
        });
        Self { offer, schedule_id: offer.schedule_id(), link }
    }

    /// As text, which is much faster than making a `Value` for each slot.
    fn write(&self, start: Instant, to: &mut Vec<u8>) {
        let time = start.unix().to_string();
        put(to, &["{\"resourceType\":\"Slot\",\"id\":\"", &self.schedule_id, ".", &time]);
        put(to, &["\",\"extension\":["]);
        if let Some(link) = &self.link {
            // `content::check` allows only characters that JSON does not escape.
            for url in [BOOKING_LINK_EXTENSION, OLD_BOOKING_LINK_EXTENSION] {
                put(to, &["{\"url\":\"", url, "\",\"valueUrl\":\""]);
                link.write(start, to);
                put(to, &["\"},"]);
            }
        }
        put(to, &["{\"url\":\"", PATIENT_TYPE_EXTENSION, "\",\"valueCoding\":{\"system\":\""]);
        let patients = patients_code(self.offer.visit_type.new_patient_eligible);
        put(to, &[SLOT_PATIENTS_SYSTEM, "\",\"code\":\"", patients, "\"}}]"]);
        put(to, &[",\"schedule\":{\"reference\":\"Schedule/", &self.schedule_id, "\"}"]);
        put(to, &[",\"status\":\"free\",\"start\":\""]);
        to.extend_from_slice(&start.ascii());
        put(to, &["\",\"end\":\""]);
        to.extend_from_slice(&start.plus_seconds(i64::from(self.offer.minutes) * 60).ascii());
        put(to, &["\"}\n"]);
    }
}

fn put(to: &mut Vec<u8>, texts: &[&str]) {
    for text in texts {
        to.extend_from_slice(text.as_bytes());
    }
}
