//! The visit types that a line of a feed names.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::model::{Directory, VisitTypeId};

/// How the system of a clinic's own visit types ends, behind its `api-url`.
const OWN: &str = "/v1/appointment-types";

/// Visit types by their ids: some without a system, some in systems that may be the reader's own. Sorted, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct TypeNames {
    plain: Vec<VisitTypeId>,
    of_systems: Vec<(Box<str>, VisitTypeId)>,
}

impl TypeNames {
    pub(super) fn plain(mut types: Vec<VisitTypeId>) -> Self {
        types.sort_unstable();
        types.dedup();
        Self { plain: types, of_systems: Vec::new() }
    }

    /// The types of codings: systems and codes. `None` if no coding can name a type.
    pub(super) fn parse<'a>(codings: impl Iterator<Item = (Option<&'a str>, &'a str)>) -> Option<Self> {
        let mut names = Self::default();
        for (system, code) in codings {
            let Ok(id) = code.parse() else { continue };
            match system {
                None => names.plain.push(id),
                Some(system) if system.ends_with(OWN) => names.of_systems.push((system.into(), id)),
                Some(_) => {}
            }
        }
        names.of_systems.sort_unstable();
        names.of_systems.dedup();
        let names = Self { of_systems: names.of_systems, ..Self::plain(names.plain) };
        (names != Self::default()).then_some(names)
    }

    /// The types that they are in a directory; `None` if they name none of its own.
    pub(super) fn in_directory(&self, directory: &Directory) -> Option<Cow<'_, [VisitTypeId]>> {
        let api = &directory.organisation().api_url;
        let is_own = |system: &str| system.strip_suffix(OWN) == Some(api);
        let mut own =
            self.of_systems.iter().filter(|(system, _)| is_own(system)).map(|(_, id)| *id).peekable();
        if own.peek().is_some() {
            return Some(Cow::Owned(Self::plain(self.plain.iter().copied().chain(own).collect()).plain));
        }
        (!self.plain.is_empty()).then_some(Cow::Borrowed(&*self.plain))
    }

    /// The ids without a system.
    pub(super) fn ids(&self) -> &[VisitTypeId] {
        &self.plain
    }

    /// The codings: systems and ids.
    pub(super) fn codings(&self) -> impl Iterator<Item = (Option<&str>, VisitTypeId)> {
        let plain = self.plain.iter().map(|id| (None, *id));
        plain.chain(self.of_systems.iter().map(|(system, id)| (Some(&**system), *id)))
    }
}
