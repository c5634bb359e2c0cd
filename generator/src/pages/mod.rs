//! The HTML pages, rendered from Tera templates, and the files beside them that programs read.
//!
//! - [`page`] enumerates the pages, [`routes`] their paths, [`lists`] the clinicians on each list.
//! - [`profile`] builds the context of a clinician's page and card, [`docs`] and [`embed`] that of the documentation, [`browse`] that
//!   of the other pages. [`tiles`] is the map; [`wording`] formats names and lengths.
//! - [`choices`] are those of the search's form; [`fragments`] are parts that many pages share.
//! - [`structured`], [`finder`] and [`machines`] make what programs read, without templates.
//!
//! Texts come from the same accessors as the API's answers. Tera escapes every value, since all templates are named
//! `.html`, except those marked as safe: structured data, and the output of other templates (cards and fragments).
//!
//! Each clinician's card is rendered once and copied into every list.
//!
//! Pages do not contain the generation, so an edited provider changes only the pages that show that provider.

mod accuracy;
mod browse;
mod choices;
mod docs;
mod embed;
mod finder;
mod fragments;
mod link;
mod lists;
mod machines;
mod page;
mod profile;
mod routes;
mod samples;
mod structured;
mod tiles;
mod wording;

use bytes::Bytes;
use directory::api::{Operation, OperationId, Snapshot};
use directory::model::{Directory, Provider, ProviderNumber, StateSet};
use rayon::prelude::*;
use serde_json::json;
use tera::{Context, Tera, Value};

use self::choices::Choices;
use self::docs::Docs;
use self::fragments::Fragments;
use self::lists::Lists;
use self::page::DocsPage;
pub(crate) use self::page::Page;
use self::profile::{Person, ProfilePage};
use self::routes::Routes;
pub(crate) use self::routes::profile as profile_route;
use crate::path::{PathError, TreePath};
use crate::site::Site;

/// Why a page cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// A template is broken; Tera's report has the file, the line and a caret.
    #[error("a template of the site cannot be used, so nothing was published:\n{0}")]
    Template(#[from] tera::Error),
    /// A page has an invalid path.
    #[error(transparent)]
    Path(#[from] PathError),
}

pub(crate) struct Pages<'a> {
    snapshot: &'a Snapshot,
    tera: Tera,
    routes: Routes,
    lists: Lists,
    fragments: Fragments,
    docs: Docs,
    /// By provider number.
    cards: Vec<Box<str>>,
}

impl<'a> Pages<'a> {
    /// Parses the templates and renders the cards of all clinicians.
    ///
    /// All templates may use: `organisation` with `name`, `description`, `api_url`, `mcp_url`, `site_url`, `booking_url`,
    /// `phone` and `address`; `states`, `plans`, `visits` and `search`, the choices of filters; `has_finder`, whether there is
    /// a search; `has_accuracy`, whether there is a page `/accuracy`; `availability`, the path of the open times; `docs_menu`; and `route`, the page's path. Pages also print `page_top` and `page_foot`, which are rendered once
    /// from `top.html` and `foot.html`; those two have no `route`.
    ///
    /// # Errors
    /// A template is broken, or refers to one that does not exist.
    pub(crate) fn new(snapshot: &'a Snapshot, site: &Site) -> Result<Self, PageError> {
        let mut tera = Tera::new();
        // Tera's default, set explicitly because every page depends on it. Tera's fast escape does not escape `'`, so
        // templates quote attributes with `"`.
        tera.autoescape_on([".html"]);
        tera.add_raw_templates(site.templates.iter())?;
        let directory = snapshot.directory();
        let routes = Routes::new(directory);
        let mut pages = Self {
            snapshot,
            tera,
            fragments: Fragments::default(),
            routes,
            lists: Lists::new(directory),
            docs: Docs::default(),
            cards: Vec::new(),
        };
        pages.fill_global_context();
        for (name, template) in [("page_top", "top.html"), ("page_foot", "foot.html")] {
            let part = fragments::render(&pages.tera, template, &Context::new())?;
            pages.tera.global_context().insert_value(name, Value::safe_string(&part));
        }
        pages.docs = Docs::new(snapshot);
        pages.fragments = Fragments::new(&pages.tera, directory, &pages.routes)?;
        pages.cards = (0..directory.providers().len())
            .into_par_iter()
            .with_min_len(64)
            .map(|at| pages.card(&directory.providers()[at]))
            .collect::<Result<_, _>>()?;
        Ok(pages)
    }

    fn fill_global_context(&mut self) {
        let organisation = self.snapshot.directory().organisation();
        let address = organisation.address();
        let lines = address.map(|address| {
            let mut lines = address.line.clone();
            let place = [address.city.clone(), address.state.map(|state| state.code().to_owned())];
            let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
            let place = [place, address.postal_code.clone().unwrap_or_default()].join(" ");
            lines.push(place.trim().to_owned());
            lines.retain(|line| !line.is_empty());
            lines
        });
        let about = json!({
            "name": organisation.name(),
            "description": organisation.description(),
            "api_url": organisation.api_url(),
            "mcp_url": organisation.mcp_url(),
            "site_url": organisation.site_url(),
            "booking_url": organisation.booking_url(),
            "phone": address.and_then(|address| address.phone.as_deref()),
            "address": lines,
        });
        let menu: Vec<_> = DocsPage::all()
            .map(|page| json!({ "href": page.route(), "title": docs::title(page), "path": docs::path(page) }))
            .collect();
        let (states, plans, visits) = self.choices();
        let choices = [
            ("states", Value::from_serializable(&states)),
            ("plans", Value::from_serializable(&plans)),
            ("visits", Value::from_serializable(&visits)),
        ];
        let has_finder = self.has_finder();
        let has_accuracy = self.snapshot.directory().accuracy().is_some();
        let search = Choices::new(self.snapshot.directory());
        let global = self.tera.global_context();
        global.insert("organisation", &about);
        global.insert("availability", Operation::get(OperationId::Availability).path);
        global.insert("docs_menu", &menu);
        global.insert("has_finder", &has_finder);
        global.insert("has_accuracy", &has_accuracy);
        global.insert("search", &search);
        for (name, value) in choices {
            global.insert_value(name, value);
        }
    }

    pub(crate) fn all(&self) -> Result<Vec<(TreePath, Page)>, PathError> {
        let directory = self.snapshot.directory();
        let mut pages = vec![Page::Home, Page::NotFound];
        pages.extend(directory.accuracy().map(|_| Page::Accuracy));
        pages.extend(DocsPage::all().map(Page::Docs));
        pages.extend((1..=self.lists.all.pages()).map(|number| Page::Clinicians { number }));
        for (&state, list) in &self.lists.by_state {
            pages.extend((1..=list.pages()).map(|number| Page::State { state, number }));
        }
        pages.extend(self.lists.by_plan.keys().copied().map(Page::Plan));
        pages.extend(self.lists.by_visit_type.keys().copied().map(Page::VisitType));
        pages.extend(directory.provider_numbers().map(Page::Provider));
        let pages = pages.into_par_iter().with_min_len(256);
        pages.map(|page| Ok((page.file(directory, &self.routes)?, page))).collect()
    }

    /// The files beside these pages, for programs.
    pub(crate) fn files(&self, pages: &[(TreePath, Page)]) -> Result<Vec<(TreePath, Bytes)>, PathError> {
        let directory = self.snapshot.directory();
        let mut files = machines::files(self, self.snapshot)?;
        let sitemap = || {
            let listed = pages.iter().filter(|(_, page)| *page != Page::NotFound);
            let routes: Vec<_> = listed.map(|(_, page)| page.route(directory, &self.routes)).collect();
            machines::sitemap(directory.organisation().site_url(), &routes)
        };
        let (sitemap, finder) = rayon::join(sitemap, || self.finder());
        files.extend(sitemap?);
        files.extend(finder?);
        Ok(files)
    }

    pub(crate) fn render(&self, page: &Page, html: &mut Vec<u8>) -> Result<(), PageError> {
        let mut context = Context::new();
        context.insert_value("route", text(&page.route(self.snapshot.directory(), &self.routes)));
        match *page {
            Page::Home => self.home(&mut context),
            Page::Clinicians { number } => self.clinicians(&mut context, number),
            Page::Provider(number) => self.provider(&mut context, number)?,
            Page::State { state, number } => self.state(&mut context, state, number),
            Page::Plan(plan) => self.plan(&mut context, plan),
            Page::VisitType(id) => self.visit_type(&mut context, id),
            Page::Docs(page) => self.docs.fill(&mut context, page),
            Page::Accuracy => {
                if let Some(policy) = self.snapshot.directory().accuracy() {
                    self.accuracy(&mut context, policy);
                }
            }
            Page::NotFound => {}
        }
        Ok(self.tera.render_to(page.template(), &context, html)?)
    }

    fn provider(&self, context: &mut Context, number: ProviderNumber) -> Result<(), PageError> {
        let directory = self.snapshot.directory();
        let provider = directory.provider(number);
        ProfilePage::new(directory, &self.fragments, provider).fill(context)?;
        let data = structured::clinician(directory, provider);
        context.insert_value("structured_data", Value::safe_string(&data));
        context.insert("confirmation", &accuracy::confirmation(directory, provider));
        context.insert("report_url", &accuracy::report_url(directory, provider));
        context.insert("shared_picture", &profile::shared_picture(directory, provider));
        Ok(())
    }

    fn card(&self, provider: &Provider) -> Result<Box<str>, PageError> {
        let person = Person::new(self.snapshot.directory(), provider);
        let mut context = Context::new();
        context.insert_value("person", Value::try_from_serializable(&person)?);
        Ok(self.tera.render("card.html", &context)?.into())
    }
}

/// The states where care is offered.
fn covered(directory: &Directory) -> StateSet {
    let offered = directory.visit_types().iter().map(|visit_type| directory.offered(visit_type.id()));
    offered.fold(StateSet::EMPTY, StateSet::union)
}

fn text(text: &str) -> Value {
    Value::normal_string(text)
}
