//! The calendar against a slow answer to the same questions: all starts of all providers, then filter, sort, leave out,
//! cut. A third of the providers are booked for some of the month, a third are on leave once or twice, and some are licensed
//! in states where they see current patients alone. The rules are written here again, from docs/CONTENT.md and docs/API.md.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use chrono::DateTime;
use directory::Directory;
use directory::calendar::{
    Busy, Calendar, FeedEntries, FeedMode, Freshness, Instant, ProviderFeed, ProviderFilter, SlotFilter, Tz,
};
use directory::model::{Gender, Leave, Provider, ProviderNumber, ProviderType, StateCode, VisitTypeId};
use rayon::prelude::*;

use crate::clinic::{Clinic, RARE};
use crate::measure::Chance;

/// A Monday morning in New York, thirteen days before clocks are set back.
const NOW: i64 = 1_792_414_800;
const DAY: i64 = 86_400;

/// Asks clinics of three sizes this many questions together.
pub(crate) fn print(out: &mut impl Write, count: usize) -> io::Result<()> {
    let all = StateCode::all().len();
    for (nth, (size, states)) in [(24, 2), (300, 4), (10_000, all)].into_iter().enumerate() {
        let directory = Clinic { size, states, has_hours: true, is_varied: true }.load()?;
        let slow = Slow::new(&directory);
        let calendar = slow.calendar();
        let asked = count / 3 + usize::from(nth < count % 3);
        let answers: Result<Vec<usize>, String> = (0..asked)
            .into_par_iter()
            .map(|nth| {
                let filter = question(&directory, states, &mut Chance::new((nth * 3) as u64 ^ size as u64));
                let (found, expected) = (calendar.open(&directory, &filter), slow.answer(&filter));
                if found == expected {
                    Ok(found.len())
                } else {
                    Err(format!("{filter:?}\n{found:?}\nexpected {expected:?}"))
                }
            })
            .collect();
        let answers = answers.map_err(io::Error::other)?;
        let some = answers.iter().filter(|slots| **slots > 0).count();
        let slots: usize = answers.iter().sum();
        writeln!(out, "{size} providers: {asked} answers are equal, {some} with slots, {slots} slots")?;
    }
    Ok(())
}

/// Any question, each filter more or less often.
fn question(directory: &Directory, states: usize, chance: &mut Chance) -> SlotFilter {
    let number = |chance: &mut Chance, bound: usize| i64::try_from(chance.below(bound)).unwrap_or_default();
    let state =
        StateCode::all().nth(chance.below(states)).unwrap_or_else(|| unreachable!("there are that many"));
    let now = Instant::from_unix(NOW + number(chance, 86_400));
    let days = [1, 3, 14, 30][chance.below(4)];
    let limit = [1, 5, 20, 50, 51, 201][chance.below(6)];
    let mut filter = SlotFilter::new(state, now, days * DAY, limit);
    let some = |chance: &mut Chance, one_in: usize| chance.below(one_in) == 0;
    if some(chance, 10) {
        filter.provider = directory.provider_numbers().nth(chance.below(directory.providers().len()));
    }
    if some(chance, 3) {
        filter.visit_type = Some([101, 102, RARE, 999][chance.below(4)]);
    }
    if some(chance, 3) {
        filter.from = Some(now.plus_seconds(number(chance, 31 * 86_400) - 3_600));
    }
    filter.one_per_provider = some(chance, 2);
    filter.new_patients = some(chance, 4);
    if some(chance, 2) {
        filter.providers.plan = directory.plan_numbers().nth(chance.below(directory.plans().len()));
    }
    if some(chance, 3) {
        filter.providers.gender = Some(Gender::ALL[chance.below(4)]);
    }
    if some(chance, 3) {
        filter.providers.provider_type = Some(ProviderType::ALL[chance.below(2)]);
    }
    filter
}

/// All starts of a clinic.
struct Slow<'a> {
    directory: &'a Directory,
    /// By rank.
    providers: Vec<ProviderStarts>,
}

struct ProviderStarts {
    number: ProviderNumber,
    busy: Vec<Busy>,
    notice: i64,
    /// Starts outside leaves, and the types that start then.
    starts: Vec<(i64, Vec<VisitTypeId>)>,
}

impl<'a> Slow<'a> {
    fn new(directory: &'a Directory) -> Self {
        let mut chance = Chance::new(23);
        let mut busy = |number: ProviderNumber| {
            let days = i64::try_from(chance.below(40)).unwrap_or_default();
            let start = Instant::from_unix(NOW);
            let is_booked = number.index().is_multiple_of(3) && days > 0;
            is_booked.then(|| Busy { start, end: start.plus_seconds(days * DAY) }).into_iter().collect()
        };
        let mut providers: Vec<ProviderStarts> = directory
            .provider_numbers()
            .map(|number| ProviderStarts { number, busy: busy(number), notice: 0, starts: Vec::new() })
            .collect();
        providers.par_sort_by_cached_key(|provider| {
            let id = directory.provider(provider.number).id.as_str();
            (id.bytes().fold(0, |mixed, byte| mix(mixed ^ u64::from(byte))), id)
        });
        let (from, to) = (Instant::from_unix(NOW), Instant::from_unix(NOW + 32 * DAY));
        providers.par_iter_mut().for_each(|provider| {
            let Some(schedule) = directory.schedule(provider.number) else { return };
            provider.notice = i64::from(schedule.notice()) * 60;
            let starts = schedule.starts(from, to, &provider.busy).into_iter();
            let leaves = &directory.provider(provider.number).leave;
            let zone = schedule.parts().zone;
            for start in starts {
                let class = &schedule.classes()[start.class];
                let last = start.at.unix() + i64::from(class.duration()) * 60 - 1;
                if !leaves.iter().any(|leave| is_away(*leave, zone, start.at.unix(), last)) {
                    provider.starts.push((start.at.unix(), class.types().to_vec()));
                }
            }
        });
        Self { directory, providers }
    }

    /// The calendar with the same busy time.
    fn calendar(&self) -> Calendar {
        let now = Instant::from_unix(NOW);
        let calendar = Calendar::with_feed(self.directory, FeedMode::Busy, now);
        let sets: Vec<ProviderFeed> = self
            .providers
            .iter()
            .filter(|provider| !provider.busy.is_empty())
            .map(|provider| ProviderFeed {
                provider: self.directory.provider(provider.number).slug.clone(),
                entries: FeedEntries::Busy(provider.busy.clone()),
            })
            .collect();
        calendar.with_freshness(self.directory, Freshness::Fresh, &[]).apply(self.directory, &sets)
    }

    fn answer(&self, filter: &SlotFilter) -> Vec<(Instant, ProviderNumber)> {
        let (now, until) = (filter.now.unix(), filter.now.unix() + filter.horizon_seconds);
        let mut present: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for (rank, of_one) in self.providers.iter().enumerate() {
            let provider = self.directory.provider(of_one.number);
            if filter.provider.is_some_and(|only| only != of_one.number) || !self.is_wanted(provider, filter)
            {
                continue;
            }
            let starts = of_one.starts.iter().filter(|(at, types)| {
                now <= *at && *at < until && types.iter().any(|id| self.is_asked_for(provider, *id, filter))
            });
            for at in starts.map(|(at, _)| *at).collect::<BTreeSet<_>>() {
                present.entry(at).or_default().push(rank);
            }
        }
        let mut slots = Vec::new();
        for (at, mut ranks) in present {
            let mixed = mix(at.cast_unsigned());
            let first = mixed % self.providers.len() as u64;
            let before = ranks.iter().filter(|&&rank| (rank as u64) < first).count();
            ranks.rotate_left(before);
            let window = ranks.len().min(48);
            let lead = mix(mixed) % window as u64;
            ranks[..window].rotate_left(usize::try_from(lead).unwrap_or_default());
            ranks.retain(|&rank| now + self.providers[rank].notice <= at);
            slots.extend(ranks.into_iter().map(|rank| (Instant::from_unix(at), self.providers[rank].number)));
        }
        slots.retain(|(at, _)| filter.from.is_none_or(|from| from <= *at));
        if filter.one_per_provider {
            let mut seen = BTreeSet::new();
            slots.retain(|(_, number)| seen.insert(number.index()));
        }
        slots.truncate(filter.limit);
        slots
    }

    fn is_asked_for(&self, provider: &Provider, id: VisitTypeId, filter: &SlotFilter) -> bool {
        provider.visit_types.contains(&id)
            && filter.visit_type.is_none_or(|only| only == i64::from(id.get()))
            && self.directory.visit_type(id).is_some_and(|visit_type| {
                visit_type.states.contains(filter.state)
                    && (!filter.new_patients || visit_type.new_patient_eligible)
            })
    }

    /// A patient who asks for a type that new patients can't book is a current one: the license is enough.
    fn is_wanted(&self, provider: &Provider, filter: &SlotFilter) -> bool {
        let ProviderFilter { plan, gender, provider_type, language } = filter.providers;
        let asked = filter.visit_type.and_then(|id| VisitTypeId::try_from(id).ok());
        let asked = asked.and_then(|id| self.directory.visit_type(id));
        let is_for_current = asked.is_some_and(|visit_type| !visit_type.new_patient_eligible);
        let seen = if is_for_current { provider.licensed } else { provider.accepting };
        seen.contains(filter.state)
            && plan.is_none_or(|plan| provider.plans_in(filter.state).contains(&plan))
            && gender.is_none_or(|gender| provider.gender == gender)
            && provider_type.is_none_or(|provider_type| provider.provider_type == provider_type)
            && language.is_none_or(|language| provider.languages.contains(&language))
    }
}

/// Whether the clock of the zone shows a day of leave at the first or last second. No visit here lasts longer than a leave.
fn is_away(leave: Leave, zone: Tz, first: i64, last: i64) -> bool {
    [first, last].into_iter().filter_map(|at| DateTime::from_timestamp(at, 0)).any(|at| {
        let day = at.with_timezone(&zone).date_naive();
        leave.from <= day && leave.until.is_none_or(|until| day < until)
    })
}

/// The finalizer of `SplitMix64`.
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
