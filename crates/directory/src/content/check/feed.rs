//! The feed in the content folder: `availability/busy.ndjson` or `availability/open.ndjson`.

use super::super::problem::{FileSpan, Problem, sentence};
use super::super::problems::Problems;
use super::super::sources::{BUSY_PATH, OPEN_PATH, SourceFile, Sources};
use crate::calendar::{
    FeedError, FeedFile, FeedLimits, FeedMode, FeedRules, FeedSet, ProviderFeed, SkipReason, Skipped,
    SkippedLine,
};
use crate::model::{Directory, Slug};

#[derive(Debug, Clone)]
pub enum FolderFeed {
    Read {
        mode: FeedMode,
        providers: Vec<ProviderFeed>,
        /// The providers without openings, because lines without a known provider may be about them.
        withheld: Vec<Slug>,
    },
    /// A link, which only a service follows. Its entries are not known here.
    Linked(FeedMode),
}

impl FolderFeed {
    pub fn mode(&self) -> FeedMode {
        match self {
            Self::Read { mode, .. } | Self::Linked(mode) => *mode,
        }
    }
}

/// A link has no lines.
pub(super) type UnresolvedFeed = (FeedMode, Option<FeedFile>);

pub(super) fn read(sources: &Sources, problems: &mut Problems) -> Option<UnresolvedFeed> {
    let (mode, path) = match (sources.get(BUSY_PATH), sources.get(OPEN_PATH)) {
        (None, None) => return None,
        (Some(_), None) => (FeedMode::Busy, BUSY_PATH),
        (None, Some(_)) => (FeedMode::Open, OPEN_PATH),
        (Some(_), Some(_)) => {
            let what = "Both open.ndjson and busy.ndjson are here.";
            let problem = Problem::in_file(OPEN_PATH, what).also(FileSpan::file(BUSY_PATH), "and here");
            problems.push(problem.hint("Delete one of the two. Open slots already leave out busy time."));
            return None;
        }
    };
    if matches!(sources.get(path), Some(SourceFile::LinkedFeed)) {
        return Some((mode, None));
    }
    match FeedFile::read(path, sources.text(path)?, &FeedLimits::default()) {
        Ok(file) => Some((mode, Some(file))),
        Err(error) => {
            report_wrong_lines(path, &error, problems);
            None
        }
    }
}

pub(super) fn resolve(
    (mode, file): UnresolvedFeed,
    directory: &Directory,
    problems: &mut Problems,
) -> Option<FolderFeed> {
    let Some(file) = file else { return Some(FolderFeed::Linked(mode)) };
    let path = file.name.to_string();
    let counts_any = file.starts(mode).next().is_some();
    let set = FeedSet::of_files(&[file.into()], &FeedRules::new(mode), directory);
    let unclear = report_unclear(&path, mode, &set.skipped, problems);
    match set {
        set if set.listed.is_empty() && !unclear && !directory.providers().is_empty() => {
            let what = "No line of the feed is about a clinician in this content, so the live service doesn't use \
                 it.";
            let hint = match mode {
                FeedMode::Open => {
                    "List each clinician's free slots, and one busy time for those who have none."
                }
                FeedMode::Busy => "List one busy time for each clinician. A past one is enough.",
            };
            problems.push(Problem::in_file(&path, what).hint(hint));
            None
        }
        _ if !counts_any && !directory.providers().is_empty() => {
            let (entries, hint) = match mode {
                FeedMode::Open => {
                    ("None of its entries is free", "If it lists busy time, name it busy.ndjson.")
                }
                FeedMode::Busy => (
                    "All of its entries are free",
                    "If it lists the times that can be booked, name it open.ndjson. If nothing is busy, \
                     list one past busy time for each clinician.",
                ),
            };
            let what = format!("{entries}, so the live service doesn't use it.");
            problems.push(Problem::in_file(&path, what).hint(hint));
            None
        }
        _ if unclear => None,
        set => {
            for line in &set.skipped.lines {
                let Some(span) = &line.span else { continue };
                let result = match (mode, line.reason) {
                    (FeedMode::Busy, SkipReason::SeveralPeople) => {
                        "it counts only for the clinicians in the content"
                    }
                    _ => "it's skipped",
                };
                let problem = Problem::warning(
                    FileSpan::new(&path, span),
                    sentence(format!("{}, so {result}", line.what)),
                );
                problems.push(problem.hint(sentence(&line.help)));
            }
            warn_of_skipped(&path, &set.skipped, problems);
            let withheld = set.withheld.into_iter().collect();
            Some(FolderFeed::Read { mode, providers: set.providers, withheld })
        }
    }
}

/// Reports the lines whose busy time belongs to no known clinician. True if there are any.
fn report_unclear(path: &str, mode: FeedMode, skipped: &Skipped, problems: &mut Problems) -> bool {
    let is_unclear = |line: &&SkippedLine| mode == FeedMode::Busy && line.reason == SkipReason::Unresolved;
    let unclear = skipped.lines.iter().filter(is_unclear);
    problems.extend(unclear.map(|line| {
        let place = line.span.as_ref().map_or_else(|| FileSpan::file(path), |span| FileSpan::new(path, span));
        Problem::error(place, sentence(&line.what)).hint(sentence(&line.help))
    }));
    mode == FeedMode::Busy && skipped.count(SkipReason::Unresolved) > 0
}

/// Warns of skipped free slots, with one count for each reason. Lines with unknown providers are reported one by one.
fn warn_of_skipped(path: &str, skipped: &Skipped, problems: &mut Problems) {
    let reasons = [
        (
            SkipReason::UnknownTypes,
            "their clinicians don't offer the visit types they name",
            "Use the numbers of video types in the clinician's `appointment-types`.",
        ),
        (
            SkipReason::Inactive,
            "their Schedules aren't active",
            "Remove their free Slots, or make them active.",
        ),
        (SkipReason::Taken, "the feed also lists their times as busy", "Remove the outdated lines."),
    ];
    for (reason, why, hint) in reasons {
        let count = skipped.count(reason);
        if count > 0 {
            let what = format!("Skipped {count} of the free slots, because {why}.");
            problems.push(Problem::warning(FileSpan::file(path), what).hint(hint));
        }
    }
}

fn report_wrong_lines(path: &str, error: &FeedError, problems: &mut Problems) {
    let wrong = error.lines.iter().map(|bad| {
        let place = if bad.line == 0 { FileSpan::file(path) } else { FileSpan::new(path, &bad.span) };
        Problem::error(place, sentence(&bad.what)).hint(sentence(&bad.help))
    });
    problems.extend(wrong);
    let more = error.count - error.lines.len();
    if more > 0 {
        let what = format!("{more} more lines of this feed are wrong.");
        problems.push(Problem::in_file(path, what));
    }
}
