//! Takes the changes of a feed of keys.

use std::sync::Arc;

use directory::calendar::KeyedChange;
use directory::visible;

use super::{Driver, Outcome};
use crate::apply::Target;
use crate::effect::{Standing, effect};
use crate::keyed::feed::{KeyedFeed, KeysEvent};
use crate::skip_log;
use crate::status::{Accepted, FeedStatus};

impl<T: Target> Driver<T> {
    pub(super) async fn on_keys(mut self, event: KeysEvent) -> Self {
        let is_beat = event.changed.is_empty() && !event.is_whole;
        match &mut self.keys {
            // No key has changed, so this is done at once.
            Some(keys) if is_beat && keys.was_applied() => {
                if !Arc::ptr_eq(&keys.sites, &event.sites) {
                    keys.sites = event.sites;
                    self.note_sites();
                }
                self.release_keys();
                if self.is_memory_of_keys_old() {
                    self = self.in_background(Self::save_sites).await.0;
                }
                self
            }
            _ => self.in_background(|driver| driver.take_keys(event)).await.0,
        }
    }

    /// Applies all keys to a new directory. A first snapshot that is held is judged again.
    pub(super) fn apply_keys_again(&mut self) {
        if let Some(keys) = &self.keys {
            let sites = Arc::clone(&keys.sites);
            self.take_keys(KeysEvent { is_whole: false, changed: Vec::new(), sites });
        }
    }

    /// Applies what is held.
    pub(super) fn accept_keys(&mut self) -> Accepted {
        let before = self.keys_standing();
        let (now, mode) = (self.now(), self.rules.mode);
        let Some(keys) = &mut self.keys else { return Accepted::NothingHeld };
        let change = self.target.with_directory(|directory| keys.accept(directory, now));
        let Some(change) = change else { return Accepted::NothingHeld };
        self.apply_change(&change);
        self.note_held(&[]);
        self.release_keys();
        self.save_sites();
        let accepted = Accepted::Applied(effect(mode, &before, &self.keys_standing()));
        tracing::warn!(feed = self.name, accepted = accepted.word(), "an operator accepts what is held");
        accepted
    }

    fn take_keys(&mut self, event: KeysEvent) {
        let (now, max_shrink) = (self.now(), self.max_shrink);
        let restored = &mut self.restored_sites;
        let new = || Box::new(KeyedFeed::new(&self.rules, std::mem::take(restored)));
        let keys = self.keys.get_or_insert_with(new);
        let held = keys.held_sites();
        let change = self.target.with_directory(|directory| keys.take(event, directory, max_shrink, now));
        if let Some(change) = change {
            self.apply_change(&change);
        }
        self.note_held(&held);
        self.release_keys();
        if self.is_memory_of_keys_old() {
            self.save_sites();
        }
    }

    /// Gives the changed sets to the target, together with the ages of the sites.
    fn apply_change(&self, change: &KeyedChange) {
        let note = || {
            self.status.send_modify(|status| {
                self.note_change(status, change);
                self.note_reads(status);
            });
        };
        if change.providers.is_empty() && change.withheld.is_empty() {
            note();
        } else {
            self.target.apply_feed(&change.providers, || {
                note();
                self.status.borrow().judgement()
            });
            tracing::debug!(
                providers_changed = change.providers.len(),
                "keys have changed the times of providers"
            );
        }
        self.note_trouble();
    }

    fn note_change(&self, status: &mut FeedStatus, change: &KeyedChange) {
        if change.is_complete {
            status.providers = Arc::default();
        }
        if !(change.listed.is_empty() && change.withheld.is_empty()) {
            // `make_mut` copies the list only while a reader holds it.
            let providers = Arc::make_mut(&mut status.providers);
            for (slug, sites) in &change.listed {
                providers.list(slug, sites.clone());
            }
            for (slug, is_withheld) in &change.withheld {
                providers.withhold(slug, *is_withheld);
            }
            status.listed = providers.listed().len();
        }
        if let Some(skipped) = &change.skipped {
            skip_log::write(&self.name, &status.skipped, skipped);
            status.skipped = Arc::new(skipped.clone());
        }
        status.applied += 1;
    }

    /// Notes the ages of the sites and of the late keys.
    fn note_reads(&self, status: &mut FeedStatus) {
        let Some(keys) = self.keys.as_ref().filter(|keys| keys.was_applied()) else { return };
        status.parts = Arc::new(keys.reads(&status.parts));
        if keys.has_late() {
            status.late_keys = self.target.with_directory(|directory| keys.late(directory));
        } else if !status.late_keys.is_empty() {
            status.late_keys = Arc::default();
        }
    }

    fn note_sites(&self) {
        self.status.send_modify(|status| self.note_reads(status));
        self.note_trouble();
    }

    /// Notes what is wrong with sites and keys.
    fn note_trouble(&self) {
        let Some(keys) = &self.keys else { return };
        let Some(why) = keys.trouble() else {
            self.status.send_if_modified(|status| {
                let was_bad = status.last_error.take().is_some();
                if was_bad {
                    tracing::info!(feed = self.name, "the feed can be read again");
                }
                was_bad
            });
            return;
        };
        // As `failed` notes it: the same reason counts once, however often the sites are noted.
        let why = visible::line(&why);
        let is_known = self.status.borrow().last_error.as_deref() == Some(&*why);
        if !is_known {
            self.failed(&why);
        }
    }

    /// Notes what is held. Hundreds of changes a second may arrive meanwhile: an error is logged once for each site.
    fn note_held(&mut self, before: &[Arc<str>]) {
        let Some(keys) = &self.keys else { return };
        self.token = keys.token();
        let Some(why) = keys.why_held() else {
            self.status.send_modify(|status| {
                status.token = None;
                if status.held.take().is_some() {
                    tracing::info!(feed = self.name, "the feed is applied again");
                }
            });
            return;
        };
        let is_known = self.status.borrow().held.is_some() && keys.held_sites() == before;
        if is_known {
            let token = self.token.clone();
            self.status.send_modify(|status| (status.held, status.token) = (Some(why), token));
        } else {
            self.note(Outcome::Held(why));
        }
    }

    /// Stops withholding the providers that are new in the content, once all keys are applied to it.
    fn release_keys(&self) {
        let Some(keys) = self.keys.as_ref().filter(|keys| keys.was_applied()) else { return };
        if keys.why_held().is_none() {
            let generation = keys.set.generation();
            self.target.release_unapplied(generation, || self.status.borrow().judgement());
        }
    }

    fn keys_standing(&self) -> Standing {
        let status = self.status.borrow();
        let entries = self.keys.as_ref().map(|keys| keys.set.counts()).unwrap_or_default();
        Standing { providers: Arc::clone(&status.providers), judgement: status.judgement(), entries }
    }
}
