//! An edit that is tried.

use std::ops::Range;

use super::super::offer::{Class, Edit, Move};

/// Edits to try.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) row: &'static str,
    pub(super) class: Class,
    /// What to do; without it, the new text is told.
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
    /// It takes something away.
    Removes,
    /// It states something that was not there, such as a license.
    Adds,
}

impl Candidate {
    pub(super) fn edit(
        row: &'static str,
        class: Class,
        path: &str,
        span: Range<usize>,
        text: impl Into<String>,
    ) -> Self {
        let edit = Edit { path: path.to_owned(), span, text: text.into() };
        Self {
            row,
            class,
            title: None,
            edits: vec![edit],
            moves: Vec::new(),
            keeps: false,
            effect: Effect::Nothing,
        }
    }

    pub(super) fn moving(path: &str, class: Class, to: String, title: String) -> Self {
        let moves = vec![Move { from: path.to_owned(), to: Some(to) }];
        Self {
            row: "file",
            class,
            title: Some(title),
            edits: Vec::new(),
            moves,
            keeps: false,
            effect: Effect::Nothing,
        }
    }

    pub(super) fn titled(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    pub(super) fn keeping(self) -> Self {
        Self { keeps: true, ..self }
    }

    pub(super) fn removing(self) -> Self {
        Self { effect: Effect::Removes, ..self }
    }

    pub(super) fn putting_back(self) -> Self {
        Self { effect: Effect::PutsBack, ..self }
    }

    pub(super) fn adding(self) -> Self {
        Self { effect: Effect::Adds, ..self }
    }

    /// Whether it only writes what is there in the right notation.
    pub(super) fn is_of_notation(&self) -> bool {
        matches!(self.row, "value" | "line" | "key" | "characters")
    }
}
