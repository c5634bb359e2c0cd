//! The two designs that were not chosen, each in its simplest form: no notice, no rotation, no feed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use directory::Directory;
use directory::calendar::Instant;
use directory::model::{ProviderNumber, StateCode};

use crate::measure::{Chance, Spread, medians, timed};

/// What a rival costs.
pub(crate) struct Cost {
    /// For every state, in bytes.
    pub(crate) bytes: usize,
    pub(crate) build: Duration,
    pub(crate) first_fifty: Spread,
    pub(crate) rare: Spread,
    pub(crate) provider: Spread,
}

/// Every provider's starts, in seconds since now.
type Lists = Vec<(ProviderNumber, Vec<u32>)>;

fn lists(directory: &Directory, now: Instant) -> Lists {
    let to = now.plus_seconds(31 * 86_400);
    let starts = |number| {
        let schedule = directory.schedule(number)?;
        let starts = schedule.starts(now, to, &[]).into_iter();
        let since = starts.filter_map(|start| u32::try_from(start.at.unix() - now.unix()).ok());
        Some((number, since.collect()))
    };
    directory.provider_numbers().filter_map(starts).collect()
}

fn is_rare(directory: &Directory, number: ProviderNumber) -> bool {
    directory.provider(number).visit_types.iter().any(|id| i64::from(id.get()) == crate::clinic::RARE)
}

/// Starts in an array for each state, and a heap over the lists of a state's providers.
pub(crate) fn measure(directory: &Directory, now: Instant, state: StateCode) -> [Cost; 2] {
    let (lists, expansion) = timed(|| lists(directory, now));
    [sorted_array(directory, &lists, expansion, state), heap_merge(directory, &lists, expansion, state)]
}

fn sorted_array(directory: &Directory, lists: &Lists, expansion: Duration, state: StateCode) -> Cost {
    let accepting = |number| directory.provider(number).accepting;
    let (array, sorting) = timed(|| {
        let here = lists.iter().filter(|(number, _)| accepting(*number).contains(state));
        let mut array: Vec<(u32, ProviderNumber, bool)> = here
            .flat_map(|(number, starts)| {
                let rare = is_rare(directory, *number);
                starts.iter().map(move |&start| (start, *number, rare))
            })
            .collect();
        array.sort_unstable();
        array
    });
    let entries: usize = lists.iter().map(|(number, starts)| accepting(*number).len() * starts.len()).sum();
    let mut chance = Chance::new(3);
    let from = |array: &[(u32, ProviderNumber, bool)], second: u32| {
        array.partition_point(|&(start, _, _)| start < second)
    };
    let mut moments: Vec<u32> = Vec::new();
    moments.extend((0..64).filter_map(|_| u32::try_from(chance.below(86_400)).ok()));
    let someone: Vec<ProviderNumber> =
        (0..64).filter_map(|_| array.get(chance.below(array.len())).map(|entry| entry.1)).collect();
    let first_fifty = medians(301, 8, |nth| {
        let at = from(&array, moments[nth % 64]);
        std::hint::black_box(array[at..].iter().take(50).copied().collect::<Vec<_>>());
    });
    let rare = medians(51, 1, |nth| {
        let at = from(&array, moments[nth % 64]);
        std::hint::black_box(array[at..].iter().filter(|entry| entry.2).take(200).collect::<Vec<_>>());
    });
    let provider = medians(51, 1, |nth| {
        let only = someone.get(nth % 64);
        let mine = array.iter().filter(|entry| Some(&entry.1) == only);
        std::hint::black_box(mine.take(50).collect::<Vec<_>>());
    });
    let states = u32::try_from(StateCode::all().len()).unwrap_or(1);
    Cost {
        bytes: entries * size_of::<(u32, ProviderNumber, bool)>(),
        build: expansion + sorting * states,
        first_fifty,
        rare,
        provider,
    }
}

fn heap_merge(directory: &Directory, lists: &Lists, expansion: Duration, state: StateCode) -> Cost {
    let here: Vec<&(ProviderNumber, Vec<u32>)> =
        lists.iter().filter(|(number, _)| directory.provider(*number).accepting.contains(state)).collect();
    let rare: Vec<_> = here.iter().filter(|(number, _)| is_rare(directory, *number)).copied().collect();
    let merge = |lists: &[&(ProviderNumber, Vec<u32>)], from: u32, limit: usize| {
        let heads = lists.iter().enumerate().filter_map(|(which, (_, starts))| {
            let at = starts.partition_point(|&start| start < from);
            starts.get(at).map(|&start| Reverse((start, which, at)))
        });
        let mut heap: BinaryHeap<_> = heads.collect();
        let mut found = Vec::with_capacity(limit);
        while found.len() < limit
            && let Some(Reverse((start, which, at))) = heap.pop()
        {
            found.push((start, lists[which].0));
            heap.extend(lists[which].1.get(at + 1).map(|&next| Reverse((next, which, at + 1))));
        }
        found
    };
    let mut chance = Chance::new(3);
    let moments: Vec<u32> = (0..64).filter_map(|_| u32::try_from(chance.below(86_400)).ok()).collect();
    let ask = |lists: &[&(ProviderNumber, Vec<u32>)], limit: usize| {
        medians(101, 1, |nth| {
            std::hint::black_box(merge(lists, moments[nth % 64], limit));
        })
    };
    let one: Vec<_> = here.iter().take(1).copied().collect();
    let (first_fifty, rare, provider) = (ask(&here, 50), ask(&rare, 200), ask(&one, 50));
    let bytes = lists.iter().map(|(_, starts)| starts.capacity() * 4 + 32).sum();
    Cost { bytes, build: expansion, first_fifty, rare, provider }
}
