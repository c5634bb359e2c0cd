//! The second workload: a feed that lists a start at every minute of the working day.

use std::io::{self, Write};

use benches::measure::resident_mebibytes;
use directory::Directory;
use directory::calendar::{
    Calendar, FeedEntries, FeedMode, Freshness, Instant, OpenSlot, ProviderFeed, SlotFilter,
};
use directory::model::StateCode;

use crate::clinic;
use crate::measure::{Chance, medians, shown, timed};

const NOW: i64 = 1_780_318_800;
const DAY: i64 = 86_400;
/// How many providers a feed learns about at once: a set of these slots takes some room before it is packed.
const AT_ONCE: usize = 1_000;

/// Measures a clinic of `size` providers.
pub(crate) fn print(out: &mut impl Write, size: usize) -> io::Result<()> {
    let directory = clinic::load(size, false)?;
    writeln!(
        out,
        "\n{size} providers from a feed, |every minute|: 8 hours of 22 days; |any second|: 284 starts"
    )?;
    writeln!(out, "| | every minute | any second |\n|---|---|---|")?;
    let columns = [measure(&directory, every_minute), measure(&directory, any_second)];
    let names = ["open starts", "memory", "feed applied", "limit 50, p50", "rare type, p50", "provider, p50"];
    for (name, nth) in names.iter().zip(0..) {
        let [minutes, seconds]: [&String; 2] = [&columns[0][nth], &columns[1][nth]];
        writeln!(out, "| {name} | {minutes} | {seconds} |")?;
    }
    Ok(())
}

fn measure(directory: &Directory, starts: fn(&mut Chance) -> Vec<i64>) -> [String; 6] {
    let now = Instant::from_unix(NOW);
    let before = resident_mebibytes().unwrap_or_default();
    let mut calendar =
        Calendar::with_feed(directory, FeedMode::Open, now).with_freshness(directory, Freshness::Fresh, &[]);
    let mut chance = Chance::new(13);
    let mut applied = std::time::Duration::ZERO;
    for providers in directory.providers().chunks(AT_ONCE) {
        let slots = |start: i64| OpenSlot {
            start: Instant::from_unix(start),
            end: Instant::from_unix(start + 3_600),
            types: None,
        };
        let feeds: Vec<ProviderFeed> = providers
            .iter()
            .map(|provider| ProviderFeed {
                provider: provider.slug.clone(),
                entries: FeedEntries::Open(starts(&mut chance).into_iter().map(slots).collect()),
            })
            .collect();
        let (changed, time) = timed(|| calendar.apply(directory, &feeds));
        calendar = changed;
        applied += time;
    }
    let memory = resident_mebibytes().unwrap_or_default() - before;
    let states: Vec<StateCode> = StateCode::all().collect();
    let numbers: Vec<_> = directory.provider_numbers().collect();
    let base = |nth: usize| {
        SlotFilter::new(
            states[nth % states.len()],
            now.plus_seconds(i64::try_from(nth % 97).unwrap_or_default() * 601),
            30 * DAY,
            50,
        )
    };
    let time = |filter: &dyn Fn(usize) -> SlotFilter| {
        medians(501, 16, |nth| {
            std::hint::black_box(calendar.open(directory, &filter(nth)));
        })
        .to_string()
    };
    let of = |nth: usize| numbers[nth * 37 % numbers.len()];
    let home = |nth: usize| directory.provider(of(nth)).accepting.iter().next();
    [
        calendar.starts().to_string(),
        format!("{memory:.0} MB"),
        shown(applied),
        time(&base),
        time(&|nth| SlotFilter { visit_type: Some(clinic::RARE), limit: 200, ..base(nth) }),
        time(&|nth| SlotFilter {
            provider: Some(of(nth)),
            state: home(nth).unwrap_or(states[0]),
            ..base(nth)
        }),
    ]
}

fn every_minute(_: &mut Chance) -> Vec<i64> {
    let days = (0..31).filter(|day| day % 7 < 5);
    days.flat_map(|day| (0..480).map(move |minute| NOW + day * DAY + minute * 60)).collect()
}

fn any_second(chance: &mut Chance) -> Vec<i64> {
    (0..284)
        .filter_map(|_| i64::try_from(chance.below(31 * 86_400)).ok())
        .map(|second| NOW + second)
        .collect()
}
