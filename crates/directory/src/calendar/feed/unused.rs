//! Entries that resolve to no provider: counts them, and withholds the providers whose busy time they may be.

use std::sync::Arc;

use super::FeedMode;
use super::error::BadLine;
use super::file::{FeedFile, NamedOwner};
use super::line::{Owner, SlotState};
use super::resolve::{Candidates, Former, Meaning, Resolution, map};
use super::set_builder::SetBuilder;
use super::skipped::{SkipReason, SkippedLine};
use crate::model::Slug;

impl SetBuilder<'_> {
    /// Lists the providers that the feed does not describe.
    pub(super) fn find_undescribed(&mut self) {
        let providers = self.directory.providers().iter().zip(&self.described);
        for (provider, _) in providers.filter(|(_, is_described)| !**is_described) {
            self.undescribed.all.push(provider.slug.clone());
            if provider.npi.is_none() {
                self.undescribed.without_npi.push(provider.slug.clone());
            }
        }
    }

    /// Counts the entries of a file that resolve to no provider, and withholds the candidates.
    pub(super) fn add_unused(&mut self, file: &FeedFile, meanings: &[Meaning]) {
        let mut counts = vec![0_usize; meanings.len()];
        for entry in &file.entries {
            let counts_in_mode = (entry.state == SlotState::Free) == (self.rules.mode == FeedMode::Open);
            if let Some(count) = counts.get_mut(entry.owner as usize) {
                *count += usize::from(counts_in_mode);
            }
        }
        for ((named, meaning), count) in file.owners.iter().zip(meanings).zip(counts) {
            self.remember(&named.owner, &meaning.resolution);
            match self.rules.mode {
                _ if count == 0 => {}
                FeedMode::Open => self.skip(file, named, &meaning.resolution, count, None),
                FeedMode::Busy => self.withhold(file, named, &meaning.resolution, count),
            }
        }
    }

    /// Withholds the providers that no file lists if a file has no line: a failed export looks the same.
    pub(super) fn withhold_for_empty_files(&mut self, files: &[Arc<FeedFile>]) {
        if self.rules.mode == FeedMode::Open {
            return;
        }
        let slugs = self.directory.providers().iter().map(|provider| &provider.slug);
        let unlisted: Vec<Slug> = slugs
            .zip(&self.listed)
            .filter(|(_, listed)| listed.is_none())
            .map(|(slug, _)| slug.clone())
            .collect();
        let Some(first) = unlisted.first() else { return };
        for file in files.iter().filter(|file| file.is_blank()) {
            let who = match unlisted.len() - 1 {
                0 => first.to_string(),
                others => format!("{first} and {others} more"),
            };
            self.skipped.add(SkipReason::EmptyFile, 1, || SkippedLine {
                file: Arc::clone(&file.name),
                line: 1,
                reason: SkipReason::EmptyFile,
                what: format!(
                    "this file has no line, so no time is offered of those whom no file lists: {who}"
                ),
                help: "list one taken time for each provider, even one that has passed".to_owned(),
                span: None,
            });
            self.withheld.extend(unlisted.iter().cloned());
        }
    }

    /// Withholds the candidates for busy time of an owner that does not resolve, or of whom some people are unknown.
    fn withhold(&mut self, file: &FeedFile, named: &NamedOwner, resolution: &Resolution, count: usize) {
        let before = self.before.0.get(&named.owner);
        let candidates = match resolution {
            Resolution::One(_) | Resolution::Several { others: Candidates::None, .. } => return,
            Resolution::Several { others, .. } => *others,
            Resolution::NotPublished(candidates) => *candidates,
            Resolution::Unresolved { what, help } => {
                if before.is_none() {
                    let position = (named.line, 1);
                    let what = if count == 1 { what.clone() } else { format!("{what} ({count} lines)") };
                    self.bad.push(BadLine::new(&file.name, position, named.span.clone(), &what, help));
                    self.bad_count += count;
                    return;
                }
                before.map_or(Candidates::None, |before| before.others)
            }
        };
        let possible = match candidates {
            Candidates::None => &[][..],
            Candidates::WithoutNpi => &self.undescribed.without_npi,
            Candidates::Any => &self.undescribed.all,
        };
        let former = before.into_iter().flat_map(|before| &before.providers);
        let known = former.filter_map(|name| self.resolver.present(name));
        let known = known.filter(|number| resolution.providers().binary_search(number).is_err());
        let known = known.map(|number| &self.directory.provider(number).slug);
        let withheld: Vec<Slug> = known.chain(possible.first()).cloned().collect();
        let others = (withheld.len() + possible.len().saturating_sub(1)).saturating_sub(1);
        self.candidates.insert(candidates);
        // The busy time of a Schedule of several people is used; it counts as skipped only if that withholds a provider.
        if !withheld.is_empty() || resolution.providers().is_empty() {
            self.skip(file, named, resolution, count, withheld.first().map(|first| (first, others)));
        }
        self.withheld.extend(withheld);
    }

    /// Records the people of a slug or Schedule for the next reading: those to whom it resolves and, in a busy feed, those
    /// of earlier readings if it does not resolve completely now. An owner without busy time is recorded, too: in the next
    /// reading it may have some and still not resolve.
    pub(super) fn remember(&mut self, owner: &Owner<'static>, resolution: &Resolution) {
        let providers = resolution.providers().iter().map(|&number| self.directory.provider(number));
        let now = providers.map(|provider| (provider.slug.clone(), provider.id.clone()));
        let is_over = self.rules.mode == FeedMode::Open || resolution.is_complete();
        let mut people =
            if is_over { Former::default() } else { self.before.0.get(owner).cloned().unwrap_or_default() };
        people.providers.extend(now);
        if people.providers.is_empty() {
            return;
        }
        if !is_over {
            people.others = people.others.max(resolution.others());
        }
        let led_to = self.led_to.0.entry(owner.clone()).or_default();
        led_to.providers.append(&mut people.providers);
        led_to.others = led_to.others.max(people.others);
    }

    /// Counts entries as skipped. `withheld` is the first provider that is withheld for them, and the number of others.
    fn skip(
        &mut self,
        file: &FeedFile,
        named: &NamedOwner,
        resolution: &Resolution,
        count: usize,
        withheld: Option<(&Slug, usize)>,
    ) {
        let Some((reason, what, help)) = explain(&named.owner, resolution, withheld) else { return };
        if reason == SkipReason::Retired {
            return self.skipped.count_only(reason, count);
        }
        self.skipped.add(reason, count, || SkippedLine {
            file: Arc::clone(&file.name),
            line: named.line,
            reason,
            what,
            help,
            span: Some(named.span.clone()),
        });
    }
}

/// Why the entries of an owner are skipped, and what to do about it. `withheld` is the first provider that is withheld for
/// them, and the number of others.
pub(super) fn explain(
    owner: &Owner<'_>,
    resolution: &Resolution,
    withheld: Option<(&Slug, usize)>,
) -> Option<(SkipReason, String, String)> {
    let (reason, mut what, help) = match resolution {
        Resolution::One(_) => return None,
        Resolution::Several { .. } if withheld.is_some() => (
            SkipReason::NotPublished,
            format!("the {owner} belongs to several people, and the content lacks at least one of them"),
            format!("publish a Schedule for each, or {}", owner.map_by_hand()),
        ),
        Resolution::Several { .. } => (
            SkipReason::SeveralPeople,
            format!("the {owner} is of several people"),
            format!("publish a Schedule for each, or {}", owner.map_by_hand()),
        ),
        Resolution::NotPublished(Candidates::None) => (
            if withheld.is_some() { SkipReason::NotPublished } else { SkipReason::Retired },
            format!("the {owner} is a clinician who has left"),
            "remove its lines from the feed if the time belongs to no clinician of the content".to_owned(),
        ),
        Resolution::NotPublished(_) => (
            SkipReason::NotPublished,
            format!("the {owner} is of a clinician, a place or a service that the content does not have"),
            format!(
                "ignore this if it belongs to no clinician of the content; otherwise {}",
                owner.map_by_hand()
            ),
        ),
        Resolution::Unresolved { what, help } => (SkipReason::Unresolved, what.clone(), help.clone()),
    };
    if let Some((first, others)) = withheld {
        let others = match others {
            0 => String::new(),
            1 => " or of one other".to_owned(),
            _ => format!(" or of one of {others} others"),
        };
        what = format!("{what}: its time may be that of {first}{others}, so no time of theirs is offered");
    }
    Some((reason, what, help))
}

impl Owner<'_> {
    fn map_by_hand(&self) -> String {
        match self {
            Self::Provider(_) => "leave its lines out of the feed".to_owned(),
            Self::Schedule(id) => map(id),
        }
    }
}
