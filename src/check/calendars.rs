//! `nameplate check --feed` with a list of calendars: asks for each once, and says what is in it.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use directory::Directory;
use directory::calendar::{FeedEntries, FeedMode, IcsReading, Instant, ProviderFeed, Tz, next_starts};
use directory::model::{ProviderNumber, SlugMatch};
use directory::told::count;
use directory::{nearest, visible};
use feed::{CalendarRead, IcsOptions, SourceError, Unlisted, Zones, inspect, real_now};
use serde_json::{Value, json};

use super::Format;
use crate::outcome::Outcome;

const DAY: i64 = 24 * 60 * 60;
/// With less notice, a patient may be offered what was booked while the calendar's publisher was behind.
const LEAST_NOTICE: u32 = 4 * 60;

struct Row {
    calendar: CalendarRead,
    problems: Vec<String>,
    warning: Option<String>,
}

pub(super) async fn run(
    out: &mut impl Write,
    options: &IcsOptions,
    directory: Directory,
    format: Format,
) -> Result<io::Result<Outcome>, SourceError> {
    let directory = Arc::new(directory);
    let zones = Arc::clone(&directory);
    let calendars = inspect(options, Zones(Arc::new(move |slug| zones.zone_of(slug)))).await?;
    let mut rows: Vec<_> = calendars.into_iter().map(|calendar| Row::new(calendar, &directory)).collect();
    rows.sort_by(|one, other| one.calendar.name.cmp(&other.calendar.name));
    Ok(told(out, &rows, &directory, options.unlisted, format))
}

fn told(
    out: &mut impl Write,
    rows: &[Row],
    directory: &Directory,
    unlisted_is: Unlisted,
    format: Format,
) -> io::Result<Outcome> {
    let provider = |row: &Row| directory.find(&row.calendar.slug).map(SlugMatch::provider);
    let listed: BTreeSet<_> = rows.iter().filter_map(provider).collect();
    let read: BTreeSet<_> =
        rows.iter().filter(|row| row.calendar.read.is_ok()).filter_map(provider).collect();
    let slug = |number| directory.provider(number).slug.as_str();
    let unlisted = directory.provider_numbers().filter(|number| !listed.contains(number));
    let unlisted: Vec<_> = unlisted.map(slug).collect();
    let is_soon =
        |&number: &_| directory.schedule(number).is_some_and(|schedule| schedule.notice() < LEAST_NOTICE);
    let soon: Vec<_> = read.into_iter().filter(is_soon).map(slug).collect();
    // As in a service: time that may be anyone's is everyone's of whom no line is.
    let is_lost = rows.iter().any(|row| row.is_of_no_one(directory));
    let withheld = if is_lost || matches!(unlisted_is, Unlisted::Withheld) { &unlisted[..] } else { &[] };
    let full = listed.iter().copied().filter(|number| is_full(rows, directory, *number));
    let full: Vec<_> = full.map(slug).collect();
    if format == Format::Json {
        let rows: Vec<_> = rows.iter().map(Row::as_json).collect();
        let told = json!({"calendars": rows, "withoutCalendar": unlisted, "withheld": withheld, "shortNotice": soon, "noOpenings": full});
        writeln!(out, "{told}")?;
    } else {
        for row in rows {
            row.write(out, directory)?;
        }
        let names = unlisted.join(", ");
        match unlisted_is {
            _ if unlisted.is_empty() => {}
            _ if is_lost => writeln!(
                out,
                "without a calendar, and without openings until the unknown slugs above are corrected: {names}\n  \
                 help: one of these clinicians may have the taken times of those lines"
            )?,
            Unlisted::Open => {
                writeln!(out, "no calendar, so all weekly hours are offered: {names}")?;
            }
            Unlisted::Withheld => writeln!(
                out,
                "without a calendar: {names}\n  help: add their calendars, or set unlisted = \"open\" under [feed]; \
                 otherwise they show no openings"
            )?,
        }
        if !full.is_empty() {
            writeln!(out, "no openings left in the next 30 days: {}", full.join(", "))?;
        }
        if !soon.is_empty() {
            writeln!(
                out,
                "warning: a calendar's publisher may be hours behind, and these have less than 4 hours' notice: {}\n  \
                 help: write notice = \"4h\" or more into their files in availability/",
                soon.join(", ")
            )?;
        }
    }
    let is_good = rows.iter().all(|row| row.problems.is_empty());
    Ok(if is_good { Outcome::Done } else { Outcome::Problems })
}

/// Whether the calendars of a clinician with hours leave no opening.
fn is_full(rows: &[Row], directory: &Directory, number: ProviderNumber) -> bool {
    let of_clinician =
        |row: &&Row| directory.find(&row.calendar.slug).is_some_and(|found| found.provider() == number);
    let mut busy: Vec<_> = rows
        .iter()
        .filter(of_clinician)
        .filter_map(|row| row.calendar.read.as_ref().ok())
        .flat_map(|read| read.busy.iter().copied())
        .collect();
    busy.sort_unstable();
    busy.dedup();
    let feed =
        ProviderFeed { provider: directory.provider(number).slug.clone(), entries: FeedEntries::Busy(busy) };
    let next = |feed| next_starts(directory, number, feed, Instant::ceil(real_now()), 1);
    next(Some((FeedMode::Busy, Some(&feed)))).is_empty() && !next(None).is_empty()
}

impl Row {
    fn new(calendar: CalendarRead, directory: &Directory) -> Self {
        let (mut problems, mut warning) = (Vec::new(), None);
        match directory.find(&calendar.slug) {
            None => {
                let slugs =
                    directory.provider_numbers().map(|number| directory.provider(number).slug.as_str());
                let meant = nearest(&calendar.slug, slugs).map(|slug| format!(" Did you mean {slug}?"));
                problems.push(format!(
                    "the content has no clinician {}: correct the first word of the line; if the clinician has left, remove the \
                     line.{}",
                    calendar.slug,
                    meant.unwrap_or_default()
                ));
            }
            Some(SlugMatch::Former(number)) => {
                let current = &directory.provider(number).slug;
                warning = Some(format!("{} is a former slug: write {current}", calendar.slug));
            }
            Some(SlugMatch::Current(_)) => {}
        }
        if let Some(other) = &calendar.same_as {
            problems.push(format!("it has the same address as {other}: copy each clinician's own address"));
        }
        match &calendar.read {
            Ok(read) => problems.extend(read.doubt()),
            Err(why) => problems.push(why.clone()),
        }
        Self { calendar, problems, warning }
    }

    fn is_of_no_one(&self, directory: &Directory) -> bool {
        let is_free = self.calendar.read.as_ref().is_ok_and(|read| read.busy.is_empty());
        !is_free && !directory.remembers(&self.calendar.slug)
    }

    fn write(&self, out: &mut impl Write, directory: &Directory) -> io::Result<()> {
        let zone = directory.zone_of(&self.calendar.slug).unwrap_or(Tz::UTC);
        let name = visible::line(&self.calendar.name);
        match &self.calendar.read {
            Ok(read) => writeln!(out, "{name}: {}", in_words(read, zone))?,
            Err(_) => writeln!(out, "{name}: not read")?,
        }
        for note in self.calendar.read.iter().filter_map(free_days) {
            writeln!(out, "  {note}")?;
        }
        if let Some(warning) = &self.warning {
            writeln!(out, "  warning: {}", visible::line(warning))?;
        }
        for problem in &self.problems {
            writeln!(out, "  error: {}", visible::line(problem))?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let read = self.calendar.read.as_ref().ok().map(|read| {
            let zones = read.zones.iter().map(|zone| {
                json!({"line": zone.line, "byName": zone.by_name.map(Tz::name), "byFile": zone.by_file})
            });
            json!({
                "events": read.events,
                "busyMinutes": busy_minutes(read),
                "freeDays": read.free_days.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "lastEntry": read.last_entry.map(|at| at.to_string()),
                "zones": zones.collect::<Vec<_>>(),
                "leftOut": {
                    "free": read.left_out.free,
                    "canceled": read.left_out.canceled,
                    "components": read.left_out.components,
                    "exceptions": read.left_out.exceptions,
                },
            })
        });
        json!({
            "name": self.calendar.name.as_ref(),
            "provider": self.calendar.slug,
            "read": read,
            "problems": self.problems,
            "warnings": self.warning.as_slice(),
        })
    }
}

/// The coming days that an all-day event leaves open, because it is marked free.
fn free_days(read: &IcsReading) -> Option<String> {
    let from = real_now().date_naive();
    let days: Vec<_> =
        read.free_days.range(from..).take(5).map(|day| day.format("%a, %b %-d").to_string()).collect();
    let help = "if it is a day off, mark the event as busy";
    (!days.is_empty()).then(|| {
        format!("note: all-day events marked free don't block their days: {}; {help}", days.join("; "))
    })
}

/// The minutes of the next 30 days that are taken.
fn busy_minutes(read: &IcsReading) -> i64 {
    let now = Instant::floor(real_now()).unix();
    let within = |at: Instant| at.unix().clamp(now, now + 30 * DAY);
    read.busy.iter().map(|busy| within(busy.end) - within(busy.start)).sum::<i64>() / 60
}

fn in_words(read: &IcsReading, zone: Tz) -> String {
    let minutes = busy_minutes(read);
    let events = count(read.events, "event");
    let rest = if minutes % 60 == 0 { String::new() } else { format!(" {} min", minutes % 60) };
    let mut words = vec![format!("{events}, {} h{rest} taken in the next 30 days", minutes / 60)];
    words.extend(read.last_entry.and_then(|last| {
        let day = chrono::DateTime::from_timestamp(last.unix(), 0)?.with_timezone(&zone);
        // What repeats is read no further.
        let later = if last > Instant::floor(real_now()).plus_seconds(30 * DAY) { " or later" } else { "" };
        Some(format!("entries until {}{later} ({zone})", day.format("%a, %b %-d, %Y")))
    }));
    let others = read.zones.iter().filter(|read| read.by_name != Some(zone));
    words.extend(others.map(|zone| {
        let how = match (zone.by_name, zone.by_file) {
            (Some(zone), false) => format!("read as {zone}"),
            (Some(zone), true) => format!("read as {zone} and as the calendar describes it"),
            (None, true) => "read as the calendar describes it".to_owned(),
            (None, false) => "unknown".to_owned(),
        };
        format!("the time zone of line {} is {how}", zone.line)
    }));
    let left_out = [
        (read.left_out.free, "free"),
        (read.left_out.canceled, "canceled"),
        (read.left_out.components, "not an event"),
        (read.left_out.exceptions, "an exception that can't be read"),
    ];
    let left_out = left_out.iter().filter(|(number, _)| *number > 0);
    let left_out: Vec<_> = left_out.map(|(number, what)| format!("{number} {what}")).collect();
    if !left_out.is_empty() {
        words.push(format!("left out: {}", left_out.join(", ")));
    }
    words.join("; ")
}
