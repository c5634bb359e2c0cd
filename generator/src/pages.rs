//! The pages that people read: HTML from Tera templates, and nothing but HTML.
//!
//! A page is made from the very bytes that the API answers, parsed again, so that site and API cannot
//! disagree. Every value is escaped on its way into a page, since every template is named `.html`; what a
//! template may use is listed at [`Pages::new`]. Maps keep the wire's order, so a page is a function of the
//! answers and the templates alone.
//!
//! The generation stands on no page: one edited provider changes that provider's pages and no other.

use std::collections::BTreeMap;

use bytes::Bytes;
use chrono::DateTime;
use directory::api::{Fault, OPERATIONS, ProviderSearch, Question, Request, Snapshot};
use directory::model::{Slug, StateCode};
use serde_json::json;
use serde_transcode::Transcoder;
use tera::{Context, Kwargs, State, Tera, Value};

use crate::examples;
use crate::path::{PathError, TreePath};
use crate::site::Site;

/// How many clinicians one page lists: the largest page of the API.
const CLINICIANS_ON_A_PAGE: i64 = 100;

/// A page of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Page {
    /// What the clinic offers, and its first clinicians.
    Home,
    /// More clinicians: the second page of the list and those after it.
    Clinicians {
        /// Counted from one.
        number: i64,
    },
    /// One clinician.
    Provider(Slug),
    /// How to use the API.
    Docs,
    /// What is shown where nothing is.
    NotFound,
}

/// Why a page cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// A template is broken; Tera's report names file and line and draws a caret.
    #[error("a template of the site cannot be used, so nothing was published:\n{0}")]
    Template(#[from] tera::Error),
    /// An answer that a page shows cannot be given.
    #[error("an answer that a page needs cannot be given: {code}: {message}", code = .0.kind().code(), message = .0.message())]
    Answer(Fault),
}

impl Page {
    /// Every page of the site.
    pub(crate) fn all(snapshot: &Snapshot) -> Vec<Self> {
        let providers = snapshot.directory().providers();
        let mut pages = vec![Self::Home, Self::Docs, Self::NotFound];
        let total = i64::try_from(providers.len()).unwrap_or(i64::MAX);
        pages.extend((2..=page_count(total)).map(|number| Self::Clinicians { number }));
        pages.extend(providers.iter().map(|provider| Self::Provider(provider.slug().clone())));
        pages
    }

    /// Where the page stands in the tree; hosts serve it without the extension.
    pub(crate) fn path(&self) -> Result<TreePath, PathError> {
        match self {
            Self::Home => "index.html".to_owned(),
            Self::Clinicians { number } => format!("clinicians/{number}.html"),
            Self::Provider(slug) => format!("{}.html", profile_route(slug).trim_start_matches('/')),
            Self::Docs => "docs.html".to_owned(),
            Self::NotFound => "404.html".to_owned(),
        }
        .parse()
    }

    fn template(&self) -> &'static str {
        match self {
            Self::Home => "index.html",
            Self::Clinicians { .. } => "clinicians.html",
            Self::Provider(_) => "provider.html",
            Self::Docs => "docs.html",
            Self::NotFound => "404.html",
        }
    }
}

/// Templates that are ready, and what all of them may use.
pub(crate) struct Pages<'a> {
    snapshot: &'a Snapshot,
    tera: Tera,
}

impl<'a> Pages<'a> {
    /// Parses the templates.
    ///
    /// All may use: `organisation`, which has `name`, `description`, `api_url`, `mcp_url` and `site_url`;
    /// `state_names`, from code to name; `modalities`, from a visit type's id as text to its modality; the
    /// filter `initials`, and the filter `own`, which turns an address of this site into a path on whatever
    /// host shows the page. A page has its own values besides: see `Pages::render`.
    ///
    /// # Errors
    /// A template is broken, or refers to one that does not exist.
    pub(crate) fn new(snapshot: &'a Snapshot, site: &Site) -> Result<Self, PageError> {
        let organisation = snapshot.directory().organisation();
        let mut tera = Tera::new();
        tera.register_filter("initials", initials);
        let site_url = organisation.site_url().to_owned();
        tera.register_filter("own", move |url: &str, _: Kwargs, _: &State| own(url, &site_url));
        // Said here although it is Tera's default: every page depends on it. Tera's fast escape leaves the
        // apostrophe alone, so templates quote attributes with `"`.
        tera.autoescape_on([".html"]);
        tera.add_raw_templates(site.templates.iter())?;

        let global = tera.global_context();
        global.insert(
            "organisation",
            &json!({
                "name": organisation.name(),
                "description": organisation.description(),
                "api_url": organisation.api_url(),
                "mcp_url": organisation.mcp_url(),
                "site_url": organisation.site_url(),
            }),
        );
        let names: BTreeMap<_, _> = StateCode::all().map(|state| (state.code(), state.name())).collect();
        global.insert("state_names", &names);
        let visit_types = snapshot.directory().visit_types().iter();
        let modalities: BTreeMap<_, _> = visit_types
            .map(|visit_type| (visit_type.id().to_string(), visit_type.modality().word()))
            .collect();
        global.insert("modalities", &modalities);
        Ok(Self { snapshot, tera })
    }

    /// Makes a page.
    pub(crate) fn render(&self, page: &Page) -> Result<Bytes, PageError> {
        let mut context = Context::new();
        match page {
            Page::Home => {
                context.insert_value("states", self.answer(Question::States)?);
                context.insert_value("insurances", self.answer(Question::Insurances { state: None })?);
                let visit_types = self.answer(Question::AppointmentTypes { state: None })?;
                context.insert_value("visit_types", visit_types);
                self.list_clinicians(&mut context, 1)?;
            }
            Page::Clinicians { number } => self.list_clinicians(&mut context, *number)?,
            Page::Provider(slug) => {
                context.insert_value("provider", self.answer(Request::profile(slug).question().clone())?);
            }
            Page::Docs => {
                let operations = OPERATIONS.iter().map(|row| examples::describe(row, self.snapshot));
                context.insert("operations", &operations.collect::<Vec<_>>());
                context.insert("error_example", &examples::error());
            }
            Page::NotFound => {}
        }
        Ok(self.tera.render(page.template(), &context)?.into())
    }

    fn list_clinicians(&self, context: &mut Context, number: i64) -> Result<(), PageError> {
        let search = ProviderSearch {
            limit: CLINICIANS_ON_A_PAGE,
            offset: (number - 1) * CLINICIANS_ON_A_PAGE,
            ..ProviderSearch::default()
        };
        let total = i64::try_from(self.snapshot.directory().providers().len()).unwrap_or(i64::MAX);
        context.insert_value("clinicians", self.answer(Question::Providers(search))?);
        context.insert("page_number", &number);
        context.insert("page_count", &page_count(total));
        Ok(())
    }

    /// An answer as templates take it: the body's values go straight from its bytes into the template's
    /// own kind of value, since ten thousand pages are made of them.
    fn answer(&self, question: Question) -> Result<Value, PageError> {
        // No question that a page asks depends on the time.
        let answer =
            self.snapshot.answer(&question.into(), DateTime::UNIX_EPOCH).map_err(PageError::Answer)?;
        let mut json = serde_json::Deserializer::from_slice(answer.body());
        Ok(Value::try_from_serializable(&Transcoder::new(&mut json))?)
    }
}

/// The path of a profile page, as `Directory::profile_url` and every host have it.
pub(crate) fn profile_route(slug: &Slug) -> String {
    format!("/providers/{slug}")
}

/// How many pages a list of clinicians has: one at least.
fn page_count(total: i64) -> i64 {
    (total.max(1) - 1) / CLINICIANS_ON_A_PAGE + 1
}

/// The first letters of the first and the last word of a name, for a clinician without a portrait.
fn initials(name: &str, _: Kwargs, _: &State) -> String {
    let mut words = name.split_whitespace();
    let first = words.next().and_then(|word| word.chars().next());
    let last = words.next_back().and_then(|word| word.chars().next());
    first.into_iter().chain(last).flat_map(char::to_uppercase).collect()
}

/// The path of an address on this site; any other address as it is.
fn own(url: &str, site_url: &str) -> String {
    match url.strip_prefix(site_url) {
        Some("") => "/".to_owned(),
        Some(path) if path.starts_with('/') => path.to_owned(),
        _ => url.to_owned(),
    }
}
