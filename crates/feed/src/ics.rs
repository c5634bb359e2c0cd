//! Calendars by their secret addresses, for clinics without a developer.
//!
//! The addresses are lines of a file that lies outside the content, or of an environment variable:
//! `jane-doe https://…/basic.ics`. **An address is a password**: messages name the clinician, the number of her calendar and
//! its host alone, and the file is refused if others may read it. It is looked at before each poll, so a line that is added
//! or removed counts at the next one.
//!
//! Each calendar is a part and a writer of its own, so one that fails grows old alone.

mod list;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{
    AsOf, BadText, Event, FeedLimits, IcsError, IcsReading, Instant as Time, PartId, Tz, read_calendar,
};
use futures_util::{StreamExt, stream};
use reqwest::{Client, Url};
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::time::Instant;

pub use self::list::{CALENDARS_VARIABLE, CalendarList, is_list as is_list_of_calendars};

use self::list::Line;
use crate::bounds::time_from;
use crate::event::{SourceError, moment, real_now};
use crate::fetch::{self, Fetched, NoText, Reach, TextBudget, Validators};

/// The number of concurrent requests.
const AT_ONCE: usize = 4;
/// The number of them to one host.
const OF_A_HOST: usize = 2;
/// The usual time for one calendar, from the request to the last byte.
const WHOLE: Duration = Duration::from_secs(30);
const MOST_BYTES: usize = 8 << 20;
/// A calendar is expanded anew after this time even if it has not changed, because its series move along.
const EXPANDED: Duration = Duration::from_hours(1);

/// The settings of calendars.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IcsOptions {
    /// Where the addresses are.
    pub calendars: CalendarList,
    #[serde(default = "five_minutes", deserialize_with = "time_from::<60_000, _>")]
    pub poll: Duration,
    /// What is offered of a clinician without a line.
    #[serde(default)]
    pub unlisted: crate::nats_options::Unlisted,
}

fn five_minutes() -> Duration {
    Duration::from_mins(5)
}

/// The time zone of a clinician, in which all-day events and times without a zone are meant.
#[derive(Clone)]
pub struct Zones(pub Arc<ZoneOf>);

type ZoneOf = dyn Fn(&str) -> Option<Tz> + Send + Sync;

impl std::fmt::Debug for Zones {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Zones")
    }
}

#[derive(Debug)]
pub(crate) struct IcsSource {
    list: CalendarList,
    pub(crate) zones: Zones,
    calendars: BTreeMap<Line, Calendar>,
    hosts: HashMap<String, Host>,
    /// The time for one calendar.
    pub(crate) whole: Duration,
    /// The longest time for which a server is left alone because it asks for that.
    max_stale: Duration,
}

/// A server of calendars. Whether its name leads into a private network is judged for each.
#[derive(Debug, Clone)]
struct Host {
    client: Client,
    turns: Arc<Semaphore>,
}

/// What is known of a calendar.
#[derive(Debug, Default)]
struct Calendar {
    validators: Validators,
    /// When its text was last expanded, and in which zone.
    expanded: Option<(Instant, Option<Tz>)>,
    /// Until when its server asked to be left alone, and with which answer.
    pause: Option<(Instant, String)>,
}

/// A calendar as it was read, for `check`.
#[derive(Debug)]
pub struct CalendarRead {
    pub name: Arc<str>,
    pub slug: String,
    /// Another calendar with the same address.
    pub same_as: Option<Arc<str>>,
    pub read: Result<IcsReading, String>,
}

impl IcsSource {
    pub(crate) fn new(list: CalendarList, zones: Zones, max_stale: Duration) -> Self {
        Self { list, zones, calendars: BTreeMap::new(), hosts: HashMap::new(), whole: WHOLE, max_stale }
    }

    pub(crate) fn name(&self) -> String {
        self.list.to_string()
    }

    /// Asks for all calendars.
    pub(crate) async fn look(&mut self) -> Result<Vec<Event>, SourceError> {
        let lines = list::read(&self.list).map_err(SourceError::Unreadable)?;
        let mut events =
            vec![Event::Writers { all: lines.iter().map(|line| Arc::clone(&line.name)).collect() }];
        let there: BTreeSet<&Line> = lines.iter().collect();
        self.calendars.retain(|line, _| there.contains(line));
        for (line, read) in self.read(&lines).await {
            let was_read = self.calendars.get(&line).is_some_and(|calendar| calendar.expanded.is_some());
            events.extend(self::events(&line, read, was_read));
        }
        Ok(events)
    }

    async fn inspect(&mut self) -> Result<Vec<CalendarRead>, SourceError> {
        let lines = list::read(&self.list).map_err(SourceError::Unreadable)?;
        let read = self.read(&lines).await.into_iter();
        let same = |line: &Line| {
            let same = lines.iter().find(|other| other.url == line.url && other.name != line.name);
            same.map(|other| Arc::clone(&other.name))
        };
        let shown = read.map(|(line, read)| CalendarRead {
            same_as: same(&line),
            name: line.name,
            slug: line.slug.to_string(),
            read: read
                .and_then(|read| read.ok_or_else(|| "it has not changed before it was read".to_owned())),
        });
        Ok(shown.collect())
    }

    /// What each calendar says; `None` if it has not changed.
    async fn read(&mut self, lines: &[Line]) -> Vec<(Line, Result<Option<IcsReading>, String>)> {
        let budget = TextBudget::new(MOST_BYTES, MOST_BYTES * AT_ONCE);
        let (mut all, mut gets) = (Vec::new(), Vec::new());
        for line in lines {
            let zone = (self.zones.0)(line.slug.as_str());
            let calendar = self.calendars.entry(line.clone()).or_default();
            if let Some((until, why)) = &calendar.pause
                && Instant::now() < *until
            {
                all.push((line.clone(), Err(why.clone())));
                continue;
            }
            let is_due =
                calendar.expanded.is_none_or(|(at, before)| at.elapsed() >= EXPANDED || before != zone);
            let known = if is_due { Validators::default() } else { calendar.validators.clone() };
            let host = host(&mut self.hosts, &line.url);
            let (budget, line, whole) = (Arc::clone(&budget), line.clone(), self.whole);
            gets.push(async move {
                let got = match host {
                    Ok(Host { client, turns }) => {
                        let _turn = turns.acquire().await;
                        let until = Instant::now() + whole;
                        fetch::get_secretly(&client, &line.url, known, MOST_BYTES, &budget, until).await
                    }
                    Err(why) => Err(why.into()),
                };
                (line, zone, got)
            });
        }
        let mut answers = stream::iter(gets).buffer_unordered(AT_ONCE);
        while let Some((line, zone, got)) = answers.next().await {
            let read = match got {
                Err(NoText { why, pause }) => {
                    let why = advised(why);
                    if let Some(calendar) = self.calendars.get_mut(&line) {
                        let until = |pause: Duration| Instant::now() + pause.min(self.max_stale);
                        calendar.pause = pause.map(|pause| (until(pause), why.clone()));
                    }
                    Err(why)
                }
                Ok(None) => Ok(None),
                Ok(Some(Fetched { text, validators, .. })) => {
                    let now = Time::floor(real_now());
                    let zones = zones(zone);
                    let read =
                        tokio::task::spawn_blocking(move || read_calendar(text.text.as_bytes(), &zones, now));
                    let read = read.await.map_err(|error| error.to_string());
                    let read = read.and_then(|read| read.map_err(with_advice));
                    if let (Ok(_), Some(calendar)) = (&read, self.calendars.get_mut(&line)) {
                        (calendar.validators, calendar.expanded) = (validators, Some((Instant::now(), zone)));
                    }
                    read.map(Some)
                }
            };
            all.push((line, read));
        }
        all
    }
}

/// What a look at a calendar tells the engine. Also of one that was never read it tells whose it is, so that nobody else
/// is withheld for it.
fn events(line: &Line, read: Result<Option<IcsReading>, String>, was_read: bool) -> Vec<Event> {
    let writer = Arc::clone(&line.name);
    let part = PartId::calendar(&line.slug, Arc::clone(&writer));
    let beat =
        Event::Beat { writer: Arc::clone(&writer), as_of: AsOf::read(None, moment()), late: Vec::new() };
    let reading = match read {
        Err(why) if was_read => return vec![Event::Failed { why: format!("{writer}: {why}"), writer }],
        Err(why) => return vec![Event::PartChanged { part, text: Err(BadText::Other(why)) }],
        Ok(None) => return vec![beat],
        Ok(Some(reading)) => reading,
    };
    let lines = reading.lines(line.slug.as_str(), Time::floor(real_now()));
    let text = part.read(&lines, &FeedLimits::default());
    let mut events = vec![Event::PartChanged { part: part.clone(), text }];
    // What can be placed is taken; the rest may be anywhere, so the calendar is in doubt.
    if let Some(why) = reading.doubt() {
        events.push(Event::PartChanged { part, text: Err(BadText::Other(why)) });
    }
    events.push(beat);
    events
}

/// Asks for all calendars once, and says what is in each: for `check`.
pub async fn inspect(options: &IcsOptions, zones: Zones) -> Result<Vec<CalendarRead>, SourceError> {
    // Asked once, it waits for no one.
    IcsSource::new(options.calendars.clone(), zones, Duration::ZERO).inspect().await
}

/// The zones of all-day events and times without a zone. Of a clinician whose zone is unknown, all of the United States.
fn zones(zone: Option<Tz>) -> Vec<Tz> {
    let all = [
        Tz::America__New_York,
        Tz::America__Chicago,
        Tz::America__Denver,
        Tz::America__Los_Angeles,
        Tz::America__Anchorage,
        Tz::Pacific__Honolulu,
    ];
    zone.map_or_else(|| all.to_vec(), |zone| vec![zone])
}

fn host(hosts: &mut HashMap<String, Host>, url: &Url) -> Result<Host, String> {
    let name = url.host_str().unwrap_or_default();
    if let Some(host) = hosts.get(name) {
        return Ok(host.clone());
    }
    let (connect, quiet) = (Duration::from_secs(10), Duration::from_secs(20));
    let client = fetch::client(connect, quiet, &Reach::of(url))?;
    let host = Host { client, turns: Arc::new(Semaphore::new(OF_A_HOST)) };
    hosts.insert(name.to_owned(), host.clone());
    Ok(host)
}

fn with_advice(error: IcsError) -> String {
    let advice = match error {
        IcsError::NotCalendar => "Copy the calendar's ICS address: this one leads to a web page",
        IcsError::CutOff => "It's asked for again by itself",
        IcsError::TooLarge => "Publish fewer months of it",
    };
    format!("{error} {advice}")
}

/// A reason, with what to do about it.
fn advised(why: String) -> String {
    let is_reset =
        ["404", "410", "401", "403"].iter().any(|status| why.contains(&format!("it answers {status}")));
    if is_reset { format!("{why}: the address was reset or is no longer shared; copy it anew") } else { why }
}
