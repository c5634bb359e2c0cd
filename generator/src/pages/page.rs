use directory::api::{OPERATIONS, Operation, OperationId};
use directory::model::{Directory, PlanNumber, ProviderNumber, StateCode, VisitTypeId};

use super::routes::{self, Routes};
use crate::path::{PathError, TreePath};

/// Hosts serve `x.html` at `/x`.
pub(super) fn file(route: &str) -> Result<TreePath, PathError> {
    match route.trim_start_matches('/') {
        "" => "index.html".parse(),
        path => format!("{path}.html").parse(),
    }
}

pub(super) fn twin_route(route: &str) -> String {
    match route {
        "/" => "/index.md".to_owned(),
        route => format!("{route}.md"),
    }
}

pub(super) fn twin(route: &str) -> Result<TreePath, PathError> {
    twin_route(route).trim_start_matches('/').parse()
}

/// A long list has several pages, numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Home,
    /// The first also has the search.
    Clinicians {
        number: usize,
    },
    Provider(ProviderNumber),
    State {
        state: StateCode,
        number: usize,
    },
    Plan(PlanNumber),
    VisitType(VisitTypeId),
    Docs(DocsPage),
    /// It exists only with an `[accuracy]` policy.
    Accuracy,
    /// For patients. Developers have a page of the documentation.
    Assistants,
    Accessibility,
    NotFound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocsPage {
    Start,
    Operation(OperationId),
    Assistants,
    Embed,
    Content,
}

impl DocsPage {
    /// In the order of the menu.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let operations = OPERATIONS.iter().map(|row| Self::Operation(row.id));
        [Self::Start].into_iter().chain(operations).chain([Self::Assistants, Self::Embed, Self::Content])
    }

    pub(super) fn route(self) -> String {
        match self {
            Self::Start => "/docs".to_owned(),
            Self::Operation(id) => format!("/docs/{}", Operation::get(id).name.replace('_', "-")),
            Self::Assistants => "/docs/assistants".to_owned(),
            Self::Embed => "/docs/embed".to_owned(),
            Self::Content => "/docs/content".to_owned(),
        }
    }
}

impl Page {
    /// In the first language.
    pub(super) fn route(self, directory: &Directory, routes: &Routes) -> String {
        let numbered = |stem: String, number: usize| match number {
            1 => stem,
            number => format!("{stem}/{number}"),
        };
        match self {
            Self::Home => "/".to_owned(),
            Self::Clinicians { number } => numbered("/clinicians".to_owned(), number),
            Self::Provider(number) => routes::profile(&directory.provider(number).slug),
            Self::State { state, number } => numbered(routes::state(state), number),
            Self::Plan(plan) => routes.plan(plan).to_owned(),
            Self::VisitType(id) => routes::visit_type(id),
            Self::Docs(page) => page.route(),
            Self::Accuracy => "/accuracy".to_owned(),
            Self::Assistants => "/assistants".to_owned(),
            Self::Accessibility => "/accessibility".to_owned(),
            Self::NotFound => "/404".to_owned(),
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
            Self::Docs(DocsPage::Embed) => "docs-embed.html",
            Self::Docs(DocsPage::Content) => "docs-content.html",
            Self::Accuracy => "accuracy.html",
            Self::Assistants => "assistants.html",
            Self::Accessibility => "accessibility.html",
            Self::NotFound => "404.html",
        }
    }
}
