//! Which pages there are, and where each one stands.

use directory::api::{OPERATIONS, OperationId};
use directory::model::{Directory, PlanNumber, ProviderNumber, StateCode, VisitTypeId};

use super::places::{self, Places};
use crate::path::{PathError, TreePath};

/// A page of the site. Pages of a list are counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// What the clinic offers, and where.
    Home,
    /// The search, and the clinicians one behind the other.
    Clinicians {
        /// Which page of the list.
        number: usize,
    },
    /// One clinician.
    Provider(ProviderNumber),
    /// What a state offers, and who is licensed there.
    State {
        /// Which state.
        state: StateCode,
        /// Which page of its clinicians.
        number: usize,
    },
    /// Where a plan is taken, and by whom.
    Plan(PlanNumber),
    /// What a visit is, and with whom.
    VisitType(VisitTypeId),
    /// How to use the API.
    Docs(DocsPage),
    /// What is shown where nothing is.
    NotFound,
}

/// A page of the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocsPage {
    /// The quickstart, and what holds for every operation.
    Start,
    /// One operation.
    Operation(OperationId),
    /// How to give an assistant the tools.
    Assistants,
    /// How to write the content folder.
    Content,
}

impl DocsPage {
    /// Every page of the documentation, in the order of its menu.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let operations = OPERATIONS.iter().map(|row| Self::Operation(row.id));
        [Self::Start].into_iter().chain(operations).chain([Self::Assistants, Self::Content])
    }

    /// Where the page is on the host.
    pub(super) fn route(self) -> String {
        match self {
            Self::Start => "/docs".to_owned(),
            Self::Operation(id) => {
                format!("/docs/{}", directory::Operation::get(id).tool.replace('_', "-"))
            }
            Self::Assistants => "/docs/assistants".to_owned(),
            Self::Content => "/docs/content".to_owned(),
        }
    }
}

impl Page {
    /// The address of the page on its host.
    pub(super) fn route(self, directory: &Directory, places: &Places) -> String {
        let numbered = |stem: String, number: usize| match number {
            1 => stem,
            number => format!("{stem}/{number}"),
        };
        match self {
            Self::Home => "/".to_owned(),
            Self::Clinicians { number } => numbered("/clinicians".to_owned(), number),
            Self::Provider(number) => places::profile(directory.provider(number).slug()),
            Self::State { state, number } => numbered(places::state(state), number),
            Self::Plan(plan) => places.plan(plan).to_owned(),
            Self::VisitType(id) => places::visit_type(id),
            Self::Docs(page) => page.route(),
            Self::NotFound => "/404".to_owned(),
        }
    }

    /// Where the page stands in the tree: hosts serve `x.html` at `/x`.
    pub(super) fn file(self, directory: &Directory, places: &Places) -> Result<TreePath, PathError> {
        match self.route(directory, places).trim_start_matches('/') {
            "" => "index.html".parse(),
            path => format!("{path}.html").parse(),
        }
    }

    pub(super) fn template(self) -> &'static str {
        match self {
            Self::Home => "index.html",
            Self::Clinicians { .. } => "clinicians.html",
            Self::Provider(_) => "provider.html",
            Self::State { .. } => "state.html",
            Self::Plan(_) => "plan.html",
            Self::VisitType(_) => "visit-type.html",
            Self::Docs(DocsPage::Start) => "docs.html",
            Self::Docs(DocsPage::Operation(_)) => "docs-operation.html",
            Self::Docs(DocsPage::Assistants) => "docs-assistants.html",
            Self::Docs(DocsPage::Content) => "docs-content.html",
            Self::NotFound => "404.html",
        }
    }
}
