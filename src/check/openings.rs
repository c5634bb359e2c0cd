//! The next openings of each clinician, at the end of `check`.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::RangeInclusive;

use chrono::{DateTime, Days, NaiveDate, Utc};
use directory::Directory;
use directory::calendar::{FeedMode, Instant, ProviderFeed, Tz, next_starts};
use directory::content::FolderFeed;
use directory::model::{Listing, ProviderNumber};

/// For an editor to check the hours: each provider's next three starts in local time, under the folder's feed.
pub(super) fn print(
    out: &mut impl Write,
    directory: &Directory,
    feed: Option<&FolderFeed>,
    now: DateTime<Utc>,
) -> io::Result<()> {
    const MAX_PROVIDERS: usize = 100;
    let (mode, listed) = match feed {
        None => (None, &[][..]),
        Some(FolderFeed::Read { mode, providers, .. }) => (Some(*mode), &providers[..]),
        // The content of a linked feed is not known here.
        Some(FolderFeed::Linked(_)) => return Ok(()),
    };
    let by_slug: HashMap<&str, &ProviderFeed> =
        listed.iter().map(|feed| (feed.provider.as_str(), feed)).collect();
    let feed_of = |number| by_slug.get(directory.provider(number).slug.as_str()).copied();
    let is_withheld = |number| match feed {
        Some(FolderFeed::Read { withheld, .. }) => withheld.contains(&directory.provider(number).slug),
        _ => false,
    };
    let has_source = |&number: &_| directory.schedule(number).is_some() || feed_of(number).is_some();
    let providers: Vec<_> = directory.provider_numbers().filter(has_source).collect();
    if providers.is_empty() {
        return Ok(());
    }
    let source = match mode {
        Some(FeedMode::Busy) => "without the taken times in availability/busy.ndjson",
        Some(FeedMode::Open) => "from availability/open.ndjson",
        None => "by weekly hours (calendars aren't read here)",
    };
    writeln!(out, "Next openings in each clinician's time zone, {source}:")?;
    let names = providers.iter().take(MAX_PROVIDERS).map(|&number| directory.provider(number).slug.as_str());
    let width = names.map(str::len).max().unwrap_or_default();
    for &number in providers.iter().take(MAX_PROVIDERS) {
        let zone = directory.schedule(number).map_or("UTC", |schedule| schedule.parts().zone.name());
        let feed = mode.map(|mode| (mode, feed_of(number)));
        let starts: Vec<_> = next_starts(directory, number, feed, Instant::ceil(now), 3)
            .into_iter()
            .map(|start| start.format("%a, %b %-d, %-I:%M %p").to_string())
            .collect();
        let starts = if is_withheld(number) {
            "withheld: skipped lines of the feed may be theirs".to_owned()
        } else if starts.is_empty() {
            let is_booked = mode == Some(FeedMode::Busy)
                && !next_starts(directory, number, None, Instant::ceil(now), 1).is_empty();
            let why =
                if is_booked { Some("fully booked".to_owned()) } else { why_none(directory, number, now) };
            "none within 30 days".to_owned() + &why.map(|why| format!(": {why}")).unwrap_or_default()
        } else {
            starts.join(" · ") + &coming_leave(directory, number, now)
        };
        writeln!(out, "  {:width$}  {starts}  ({zone})", directory.provider(number).slug)?;
    }
    if providers.len() > MAX_PROVIDERS {
        writeln!(out, "  … and those of {} more", providers.len() - MAX_PROVIDERS)?;
    }
    writeln!(out)
}

/// Today and the last day that is looked at, where the clinician works.
fn month(directory: &Directory, number: ProviderNumber, now: DateTime<Utc>) -> RangeInclusive<NaiveDate> {
    let zone = directory.schedule(number).map_or(Tz::UTC, |schedule| schedule.parts().zone);
    let today = now.with_timezone(&zone).date_naive();
    today..=today.checked_add_days(Days::new(30)).unwrap_or(today)
}

fn coming_leave(directory: &Directory, number: ProviderNumber, now: DateTime<Utc>) -> String {
    let month = month(directory, number, now);
    let leaves = &directory.provider(number).leave;
    let next = leaves.iter().map(|leave| leave.from).filter(|from| month.contains(from)).min();
    next.map(|from| format!(" · on leave from {}", from.format("%b %-d"))).unwrap_or_default()
}

/// Why a clinician has no openings, as far as the content says it.
fn why_none(directory: &Directory, number: ProviderNumber, now: DateTime<Utc>) -> Option<String> {
    let provider = directory.provider(number);
    let schedule = directory.schedule(number)?.parts();
    let (today, last) = month(directory, number, now).into_inner();
    let day = |day: NaiveDate| day.format("%B %-d, %Y").to_string();
    let leave = provider
        .leave
        .iter()
        .find(|leave| leave.from <= last && leave.until.is_none_or(|until| today < until));
    if provider.record.listing == Listing::Paused {
        Some("status = \"paused\"".to_owned())
    } else if let Some(leave) = leave {
        let until = leave
            .until
            .map_or_else(|| "until further notice".to_owned(), |until| format!("until {}", day(until)));
        Some(format!("on leave {until}"))
    } else if let Some(ended) = schedule.effective_until.filter(|until| *until < today) {
        Some(format!("the weekly hours ended on {}", day(ended)))
    } else if let Some(from) = schedule.effective_from.filter(|from| today < *from) {
        Some(format!("the weekly hours begin on {}", day(from)))
    } else if schedule.weekly.is_empty() && schedule.extra.is_empty() && schedule.replace.is_empty() {
        Some("no hours are listed".to_owned())
    } else {
        None
    }
}
