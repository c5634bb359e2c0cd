//! Applies the last reading to the target, unless it is bad or held.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use directory::calendar::{FeedEntries, FeedMode, FeedSet, Instant};
use directory::model::Slug;

use super::{Driver, Outcome, Trigger};
use crate::apply::Target;
use crate::first::{PAST, hold_of_first};
use crate::loss::{FEW_ENTRIES, Size, ahead, is_ahead};
use crate::orders::ORDER;
use crate::providers::FeedProviders;

impl<T: Target> Driver<T> {
    /// Builds the sets of the last reading, and gives those that differ to the target.
    pub(super) fn swap(&mut self, trigger: Trigger) -> Outcome {
        let parts: Vec<_> = self.latest.files.values().cloned().collect();
        let (rules, now) = (Arc::clone(&self.rules), self.now());
        let (made, generation) = Arc::clone(&self.target).with_directory(|directory| {
            (FeedSet::resolve(&parts, &rules, directory, &self.led_to), directory.generation().clone())
        });
        let set = match made {
            Ok(set) => set,
            Err(error) => {
                if trigger == Trigger::NewDirectory {
                    // This reading is not applied to the new directory, so the next one sends all sets again.
                    self.sets.clear();
                }
                return Outcome::Bad(error);
            }
        };
        let size = Size::of(&set, &parts, rules.mode);
        let here: HashSet<&Slug> = set.providers.iter().map(|feed| &feed.provider).collect();
        let is_first = self.applied.is_none() && !self.is_restored;
        if trigger == Trigger::NewReading
            && let Some((what, help)) = hold_of_first(&parts, &set, rules.mode)
            // Later readings: an open feed without a free slot is usually a fully booked clinic, and one that lists
            // no provider is judged as a loss below. A busy feed that lists providers without busy time would offer
            // all their hours, so it is held.
            && (is_first || (rules.mode == FeedMode::Busy && set.lists_any()))
        {
            return Outcome::Held(format!("{what}: {help}; if it is right as it is, accept it with {ORDER}"));
        }
        if trigger == Trigger::NewReading
            && let Some(why) = self.file_gone_since_restart(&set, now)
        {
            return Outcome::Held(why);
        }
        match trigger {
            Trigger::NewReading if is_first => {
                if set.is_past(now) {
                    tracing::warn!(feed = self.name, "{PAST}");
                }
                self.shrink.begin_with(size, now);
            }
            Trigger::NewReading => match self.shrink.judge(&size, &here, self.max_shrink, now) {
                Some(why) => return Outcome::Held(why),
                None => self.shrink.accept(size, &here, now),
            },
            Trigger::Accepted => self.shrink.begin_with(size, now),
            // Sizes of different sets of providers cannot be compared.
            Trigger::NewDirectory if here != self.sets.keys().collect() => self.shrink.begin_with(size, now),
            Trigger::NewDirectory => self.shrink.accept(size, &here, now),
        }
        if trigger == Trigger::NewDirectory {
            // All sets are sent again, because none was made for the new directory.
            self.sets.clear();
        }
        self.led_to = set.led_to;
        let changed: Vec<_> =
            set.providers.into_iter().filter(|feed| self.sets.get(&feed.provider) != Some(feed)).collect();
        let is_unlisted = |slug: &&Slug| !set.listed.contains_key(*slug);
        let mut unlisted = BTreeSet::new();
        if self.rules.mode == FeedMode::Busy {
            let all: BTreeSet<_> =
                self.sets.keys().chain(changed.iter().map(|feed| &feed.provider)).collect();
            unlisted = all.into_iter().filter(is_unlisted).cloned().collect();
        }
        let listed = set.listed.into_iter().map(|(slug, listed)| (slug, listed.files)).collect();
        let providers = Arc::new(FeedProviders::of(listed, unlisted, set.withheld));
        self.target.apply_feed(&changed, || {
            self.status.send_modify(|status| self.note_applied(status, providers, set.skipped, trigger));
            self.status.borrow().judgement()
        });
        if !changed.is_empty() {
            tracing::info!(providers_changed = changed.len(), %generation, "the feed has changed the times of providers");
        }
        self.sets.extend(changed.into_iter().map(|feed| (feed.provider.clone(), feed)));
        self.applied_to = Some(generation);
        if trigger != Trigger::NewDirectory {
            self.applied = Some(self.latest.clone());
            self.before_restart = None;
        }
        self.save();
        Outcome::Applied
    }

    /// Why a first reading after a restart is held: a file of a busy feed is no longer listed, and more than
    /// `feed.max-shrink` of its future busy time, and more than a few entries, are in no other file. While a service runs,
    /// such a file stays in use ([`Parts::keep_unlisted`](crate::parts::Parts::keep_unlisted)). The memory has no
    /// files, only the clinicians that each file listed, so their times are compared and the whole reading waits.
    fn file_gone_since_restart(&self, set: &FeedSet, now: Instant) -> Option<String> {
        if !self.is_restored || self.applied.is_some() || self.rules.mode != FeedMode::Busy {
            return None;
        }
        let in_use = Arc::clone(&self.status.borrow().providers);
        let (providers, sets) = match &self.before_restart {
            Some(before) => (&before.providers, &before.sets),
            None => (&*in_use, &self.sets),
        };
        let after: HashMap<&Slug, &FeedEntries> =
            set.providers.iter().map(|feed| (&feed.provider, &feed.entries)).collect();
        // A clinician's future taken times before the restart: how many there were, and how many are gone. One who is no
        // longer in the content has lost nothing.
        let counts = |slug: &Slug| {
            let before = sets.get(slug).map(|feed| &feed.entries);
            let (Some(FeedEntries::Busy(before)), Some(FeedEntries::Busy(after))) = (before, after.get(slug))
            else {
                return (0, 0);
            };
            let before = || before.iter().filter(|busy| is_ahead(busy.start, now));
            (before().count(), before().filter(|busy| after.binary_search(busy).is_err()).count())
        };
        let mut gone: BTreeMap<&Arc<str>, (usize, usize)> = BTreeMap::new();
        for (slug, parts) in providers.listed() {
            let (there, missing) = counts(slug);
            for part in parts.iter().filter(|part| !self.latest.files.contains_key(*part)) {
                let of_part = gone.entry(part).or_default();
                *of_part = (of_part.0 + there, of_part.1 + missing);
            }
        }
        gone.into_iter().find_map(|(part, (there, missing))| {
            // Some of these times may be of other files. A file that was alone has no size of its own.
            let own = self.shrink.entries.get(&Some(Arc::clone(part)));
            let busy = own.map_or(there, |own| there.min(ahead(&own.last, now)));
            let missing = missing.min(busy);
            #[expect(clippy::cast_precision_loss, reason = "counts of slots are far below 2^52")]
            let is_too_much = missing > FEW_ENTRIES && missing as f64 > self.max_shrink * busy as f64;
            is_too_much.then(|| {
                format!(
                    "{part} is no longer listed, and {missing} of its {busy} future taken times are in no other file: the \
                     reading waits until they are listed again, or are accepted as lost with {ORDER}"
                )
            })
        })
    }
}
