//! An edit that is tried.

use std::ops::Range;

use super::super::offer::{Class, Edit, Move};

#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) row: &'static str,
    pub(super) class: Class,
    /// What to do; without it, the new text is shown.
    pub(super) title: Option<String>,
    pub(super) edits: Vec<Edit>,
    pub(super) moves: Vec<Move>,
    /// Whether each letter, digit and key must stay.
    pub(super) keeps: bool,
    /// What else it does. The less, the sooner it is offered.
    pub(super) effect: Effect,
}

/// What a repair does beside writing what is there in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    Nothing,
    /// It adds what is named elsewhere.
    PutsBack,
    Removes,
    /// It states something that was not there, such as a license.
    Adds,
    /// It takes away what stands at another place, which is not marked as wrong.
    RemovesOther,
}

impl Candidate {
    pub(super) fn of(row: &'static str, mut edits: Vec<Edit>) -> Self {
        edits.sort_by(|one, other| (&one.path, one.span.start).cmp(&(&other.path, other.span.start)));
        let (class, effect) = (Class::Likely, Effect::Nothing);
        Self { row, class, title: None, edits, moves: Vec::new(), keeps: false, effect }
    }

    pub(super) fn edit(row: &'static str, path: &str, span: Range<usize>, text: impl Into<String>) -> Self {
        Self::of(row, vec![Edit { path: path.to_owned(), span, text: text.into() }])
    }

    pub(super) fn rename(from: &str, to: String) -> Self {
        let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let verb = if name(from) == name(&to) { "Move" } else { "Rename" };
        let title = format!("{verb} {from} to {to}");
        let moves = vec![Move { from: from.to_owned(), to: Some(to) }];
        Self { moves, ..Self::of("file", Vec::new()).titled(title) }
    }

    pub(super) fn without_files(row: &'static str, paths: &[&str]) -> Self {
        let moves = paths.iter().map(|path| Move { from: (*path).to_owned(), to: None }).collect();
        Self { moves, ..Self::of(row, Vec::new()) }.with(Effect::Removes)
    }

    pub(super) fn titled(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    pub(super) fn class(self, class: Class) -> Self {
        Self { class, ..self }
    }

    pub(super) fn with(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    pub(super) fn is_of_notation(&self) -> bool {
        matches!(self.row, "value" | "line" | "key" | "characters")
    }
}
