//! Random clinics, whose feeds say anything at any time: booked time is never offered, and a restart is never laxer.
//!
//! `SEED=17 cargo test -p directory --lib engine` replays a seed, `SEEDS=10000` tries that many.

mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;

use super::super::super::{FeedEntries, FeedRules, SkipReason};
use super::super::{AsOf, Engine, Event, Moment};
use crate::calendar::Instant;
use crate::calendar::test_clinics::seeds;
use crate::model::Slug;

use self::world::{World, content};

#[test]
fn nothing_booked_is_offered_and_a_restart_is_never_laxer() {
    for seed in seeds(300) {
        let mut world = World::new(seed);
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for _ in 0..40 {
                world.step();
                world.engine.assert_whole(&world.directory);
                world.check(seed);
            }
        }));
        if let Err(panic) = run {
            eprintln!("the seed is {seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

/// New content judges what was said as a new engine does that hears it all at once.
#[test]
fn what_was_said_means_the_same_to_a_new_engine() {
    let mut compared = 0;
    for seed in seeds(300) {
        let mut world = World::new(seed);
        // A feed without doubt: nothing counts as lost.
        let rules = FeedRules { max_shrink: 1.0, ..FeedRules::clone(&world.rules) };
        world.rules = Arc::new(rules);
        world.engine = Engine::new(Arc::clone(&world.rules));
        let mut last: BTreeMap<Arc<str>, Event> = BTreeMap::new();
        for _ in 0..30 {
            if world.chance.is(20) {
                world.content = world.chance.below(4);
                world.directory = content(world.content);
                world.take(Vec::new());
                continue;
            }
            let event = world.change();
            let name = match &event {
                Event::PartChanged { part, text: Ok(_) } | Event::PartGone { part } => {
                    Arc::clone(part.name())
                }
                _ => continue,
            };
            last.insert(name, event.clone());
            world.take(vec![event]);
        }
        let mut events: Vec<_> = last.into_values().collect();
        events.reverse();
        let all: BTreeSet<Slug> = world.directory.providers().iter().map(|one| one.slug.clone()).collect();
        let mut fresh = Engine::new(Arc::clone(&world.rules));
        let writers = world.writers();
        let beats = writers.iter().map(|writer| Event::Beat {
            writer: Arc::clone(writer),
            as_of: AsOf::read(None, world.now),
            late: Vec::new(),
        });
        let beats: Vec<_> = beats.collect();
        let at = world.instant();
        let events = events.into_iter().chain(beats.clone()).collect();
        fresh.take(events, world.directory.generation(), &world.directory, at);
        world.take(beats);
        // What is unclear to one of them may be clear to the other, which remembers more or less.
        let is_clear = |engine: &Engine| {
            engine.set(&world.directory).skipped.count(SkipReason::Unresolved) == 0
                && !world.names().iter().any(|name| engine.is_in_doubt_by_name(name))
        };
        if !is_clear(&world.engine) || !is_clear(&fresh) {
            continue;
        }
        compared += 1;
        let sets = |engine: &Engine| -> BTreeMap<Slug, FeedEntries> {
            let set = engine.set(&world.directory);
            set.providers.into_iter().map(|feed| (feed.provider, feed.entries)).collect()
        };
        let reported = world.sets.iter().map(|(slug, set)| (slug.clone(), set.entries.clone())).collect();
        assert_eq!(sets(&world.engine), sets(&fresh), "SEED={seed}");
        assert_eq!(sets(&world.engine), reported, "SEED={seed}: the reported sets are the current ones");
        // Whom owners led to before is known to the old engine alone, which then withholds more.
        let (old, new) = (world.judge(), fresh.ages().judge(world.now));
        for slug in all {
            let (is_shown, would_be) = (World::is_shown(&old, &slug), World::is_shown(&new, &slug));
            assert!(!is_shown || would_be, "SEED={seed}: {slug} is shown");
        }
    }
    assert!(compared > 0 || seeds(0).len() == 1, "none is without doubt");
}

/// No age shrinks but by a beat, whatever the clocks do.
#[test]
fn no_age_shrinks_without_a_beat() {
    for seed in seeds(200) {
        let mut world = World::new(seed);
        for _ in 0..12 {
            world.step();
        }
        let (mut now, mut shown): (Moment, Option<BTreeSet<Slug>>) = (world.now, None);
        for _ in 0..12 {
            let memory = world.engine.memory(&world.directory, now);
            let by = TimeDelta::minutes(i64::try_from(world.chance.below(40)).unwrap());
            now.tick += by.to_std().unwrap();
            match world.chance.below(3) {
                0 => now.wall += by,
                1 => now.wall -= by,
                _ => {}
            }
            if world.chance.is(20) {
                // Of a restart, another process counts the ticks.
                now.tick = Duration::from_hours(90_000);
                let at = Instant::floor(now.wall);
                let memory = serde_json::from_slice(&serde_json::to_vec(&memory).unwrap()).unwrap();
                world.engine = Engine::new(Arc::clone(&world.rules));
                world.engine.restore(memory, &world.directory, (now, at));
            }
            let judgment = world.engine.ages().judge(now);
            let all = world.directory.providers().iter().map(|one| one.slug.clone());
            let is_shown: BTreeSet<Slug> = all.filter(|slug| World::is_shown(&judgment, slug)).collect();
            if let Some(before) = &shown {
                assert!(is_shown.is_subset(before), "SEED={seed}: {before:?} {is_shown:?}");
            }
            shown = Some(is_shown);
        }
    }
}
