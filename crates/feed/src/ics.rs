//! Calendars by their secret addresses, for clinics without a developer: lines such as `jane-doe https://…/basic.ics` in a
//! file outside the content, or in an environment variable. **An address is a password**: messages name the clinician, the
//! number of her calendar and its host alone, and the file is refused if other users can read it. It is read before each poll.
//! Each calendar is its own part and writer, so only the one that fails ages.

mod list;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{
    AsOf, BadText, Event, FeedLimits, IcsError, IcsReading, Instant as Time, Moment, PartId, Tz,
    read_calendar,
};
use futures_util::{StreamExt, stream};
use reqwest::{Client, Url};
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::time::Instant;

pub use self::list::{CALENDARS_VARIABLE, CalendarList, is_list as is_list_of_calendars};

use self::list::CalendarLine;
use crate::blocking::blocking;
use crate::bounds::time_from;
use crate::clock::{moment, real_now};
use crate::fetch::{self, Fetched, NoText, Reach, TextBudget, Validators};
use crate::source::SourceError;

/// Concurrent requests, and those of them to one host.
const AT_ONCE: usize = 4;
const OF_A_HOST: usize = 2;
const TOO_MANY: &str = "its server is slow, so this calendar wasn't requested this time";
/// The usual time for one calendar, from the request to the last byte.
const WHOLE: Duration = Duration::from_secs(30);
const MOST_BYTES: usize = 8 << 20;
/// A calendar is expanded again after this time even if it has not changed, because its series move along.
const EXPANDED: Duration = Duration::from_hours(1);

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IcsOptions {
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
    calendars: BTreeMap<CalendarLine, Calendar>,
    /// The calendars that were last reported.
    told: Option<BTreeSet<Arc<str>>>,
    /// By the host's name. Whether that leads into a private network is judged for each.
    clients: HashMap<String, Client>,
    pub(crate) whole: Duration,
    /// The longest time for which a server isn't contacted at its own request.
    max_stale: Duration,
}

#[derive(Debug, Default)]
struct Calendar {
    validators: Validators,
    asked: Option<Instant>,
    /// When its text was last expanded, and in which zone.
    expanded: Option<(Instant, Option<Tz>)>,
    /// Until when its server asked not to be contacted, and with which answer.
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

/// What a calendar says; `None` if it has not changed.
type Read = Result<Option<IcsReading>, String>;

impl IcsSource {
    pub(crate) fn new(list: CalendarList, zones: Zones, max_stale: Duration) -> Self {
        let (calendars, clients) = (BTreeMap::new(), HashMap::new());
        Self { list, zones, calendars, told: None, clients, whole: WHOLE, max_stale }
    }

    pub(crate) fn name(&self) -> String {
        self.list.to_string()
    }

    pub(crate) async fn look(&mut self, within: Duration) -> Result<Vec<Event>, SourceError> {
        let lines = self.lines().await?;
        let mut events = Vec::new();
        let all: BTreeSet<_> = lines.iter().map(|line| Arc::clone(&line.name)).collect();
        if self.told.as_ref() != Some(&all) {
            self.told = Some(all.clone());
            events.push(Event::Writers { all });
        }
        let there: BTreeSet<&CalendarLine> = lines.iter().collect();
        self.calendars.retain(|line, _| there.contains(line));
        for (line, began, read) in self.read(&lines, Instant::now() + within).await {
            let was_read = self.calendars.get(&line).is_some_and(|calendar| calendar.expanded.is_some());
            events.extend(self::events(&line, began, read, was_read));
        }
        Ok(events)
    }

    async fn lines(&self) -> Result<Vec<CalendarLine>, SourceError> {
        let list = self.list.clone();
        blocking(move || list::read(&list)).await.map_err(SourceError::Unreadable)
    }

    /// Asks for the calendars of each host in turn, those first that were not asked for the longest. A host that is slow or
    /// dead takes half of the turns and ages its own calendars alone: after the end, nothing more is asked of it.
    async fn read(&mut self, lines: &[CalendarLine], end: Instant) -> Vec<(CalendarLine, Moment, Read)> {
        let (budget, turns) = (TextBudget::new(MOST_BYTES, MOST_BYTES * AT_ONCE), Semaphore::new(AT_ONCE));
        let (budget, turns, whole) = (&budget, &turns, self.whole);
        let (mut all, mut of_hosts) = (Vec::new(), BTreeMap::<_, Vec<_>>::new());
        for line in lines {
            let zone = (self.zones.0)(line.slug.as_str());
            let calendar = self.calendars.entry(line.clone()).or_default();
            if let Some((until, why)) = &calendar.pause
                && Instant::now() < *until
            {
                all.push((line.clone(), moment(), Err(why.clone())));
                continue;
            }
            let is_due =
                calendar.expanded.is_none_or(|(at, before)| at.elapsed() >= EXPANDED || before != zone);
            let known = if is_due { Validators::default() } else { calendar.validators.clone() };
            let client = client(&mut self.clients, &line.url);
            let of_host = of_hosts.entry(line.url.host_str()).or_default();
            of_host.push((calendar.asked, line.clone(), zone, known, client));
        }
        let answers =
            of_hosts.into_values().map(|mut of_host| {
                of_host.sort_by_key(|(asked, ..)| *asked);
                let get = move |(nth, (_, line, zone, known, client)): (
                    usize,
                    (_, CalendarLine, _, _, _),
                )| async move {
                    if nth >= OF_A_HOST && Instant::now() >= end {
                        return (line, zone, None, Err(TOO_MANY.to_owned().into()));
                    }
                    let _turn = turns.acquire().await;
                    let (began, until) = (moment(), Instant::now() + whole);
                    let got = ask(client, &line.url, known, zone, budget, until).await;
                    (line, zone, Some(began), got)
                };
                stream::iter(of_host.into_iter().enumerate().map(get)).buffer_unordered(OF_A_HOST)
            });
        let mut answers = stream::select_all(answers);
        while let Some((line, zone, began, got)) = answers.next().await {
            let Some(calendar) = self.calendars.get_mut(&line) else { continue };
            let now = Instant::now();
            if began.is_some() {
                calendar.asked = Some(now);
            }
            let read = match got {
                Err(NoText { why, pause }) => {
                    calendar.pause = pause.map(|pause| (now + pause.min(self.max_stale), why.clone()));
                    Err(why)
                }
                Ok(None) => Ok(None),
                Ok(Some((reading, validators))) => {
                    (calendar.validators, calendar.expanded) = (validators, Some((now, zone)));
                    Ok(Some(reading))
                }
            };
            all.push((line, began.unwrap_or_else(moment), read));
        }
        all
    }
}

async fn ask(
    client: Result<Client, String>,
    url: &Url,
    known: Validators,
    zone: Option<Tz>,
    budget: &Arc<TextBudget>,
    until: Instant,
) -> Result<Option<(IcsReading, Validators)>, NoText> {
    let got = fetch::get(&client?, url, known, MOST_BYTES, budget, until).await;
    let got = got.map_err(|no_text| NoText { why: advised(no_text.why), ..no_text })?;
    let Some(Fetched { text, validators, .. }) = got else { return Ok(None) };
    let (zones, now) = (zones(zone), Time::floor(real_now()));
    let read = tokio::task::spawn_blocking(move || read_calendar(text.text.as_bytes(), &zones, now));
    let read = read.await.map_err(|error| error.to_string())?;
    Ok(Some((read.map_err(with_advice)?, validators)))
}

/// A calendar that was never read still names its clinician, so that no one else is withheld for it.
fn events(line: &CalendarLine, began: Moment, read: Read, was_read: bool) -> Vec<Event> {
    let writer = Arc::clone(&line.name);
    let part = PartId::calendar(&line.slug, Arc::clone(&writer));
    let beat = Event::Beat { writer: Arc::clone(&writer), as_of: AsOf::read(None, began), late: Vec::new() };
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
    let mut source = IcsSource::new(options.calendars.clone(), zones, Duration::ZERO);
    let lines = source.lines().await?;
    // Each is asked for, however long that takes.
    let end = Instant::now() + source.whole.saturating_mul(u32::try_from(lines.len()).unwrap_or(u32::MAX));
    let read = source.read(&lines, end).await.into_iter();
    let same = |line: &CalendarLine| {
        let same = lines.iter().find(|other| other.url == line.url && other.name != line.name);
        same.map(|other| Arc::clone(&other.name))
    };
    let shown = read.map(|(line, _, read)| CalendarRead {
        same_as: same(&line),
        name: line.name,
        slug: line.slug.to_string(),
        read: read
            .and_then(|read| read.ok_or_else(|| "it reports no change before it was first read".to_owned())),
    });
    Ok(shown.collect())
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

fn client(clients: &mut HashMap<String, Client>, url: &Url) -> Result<Client, String> {
    let name = url.host_str().unwrap_or_default();
    if let Some(client) = clients.get(name) {
        return Ok(client.clone());
    }
    let (connect, quiet) = (Duration::from_secs(10), Duration::from_secs(20));
    let client = fetch::client(connect, quiet, &Reach::of(url))?;
    clients.insert(name.to_owned(), client.clone());
    Ok(client)
}

fn with_advice(error: IcsError) -> String {
    let advice = match error {
        IcsError::NotCalendar => "Copy the calendar's ICS address: this one leads to a web page",
        IcsError::CutOff => "It's requested again automatically",
        IcsError::TooLarge => "Publish fewer months",
    };
    format!("{error} {advice}")
}

fn advised(why: String) -> String {
    let is_reset =
        ["404", "410", "401", "403"].iter().any(|status| why.contains(&format!("it answers {status}")));
    if is_reset { format!("{why}: the address was reset or is no longer shared; copy it again") } else { why }
}
