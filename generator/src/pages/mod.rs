//! The pages that people read: HTML from Tera templates, and nothing but HTML.
//!
//! - [`page`] says which pages there are, [`places`] where they are, [`lists`] who is on which list.
//! - [`profile`] is what a clinician's page and card are given, [`browse`] what the others are, [`docs`] the
//!   documentation. [`tiles`] is the map, [`wording`] how things are said.
//! - [`fragments`] are the parts that many pages have alike.
//! - [`structured`], [`finder`] and [`machines`] make what programs read; none of it by template.
//!
//! Texts on a page come from the directory by the accessors that the API's answers are made with, so that site
//! and API cannot disagree. Every value is escaped on its way into a page, since every template is named `.html`; the
//! exceptions are made here and are marked as safe: structured data, and what a template made already: cards and
//! fragments.
//!
//! Each clinician's card is made once and joined into every list, since a clinic of ten thousand has ten
//! thousand of them on some hundred pages.
//!
//! The generation stands on no page: one edited provider changes that provider's pages and no other.

mod browse;
mod docs;
mod finder;
mod fragments;
mod lists;
mod machines;
mod page;
mod places;
mod profile;
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

use self::docs::Docs;
use self::fragments::Fragments;
use self::lists::Lists;
use self::page::DocsPage;
pub(crate) use self::page::Page;
use self::places::Places;
pub(crate) use self::places::profile as profile_route;
use self::profile::{Person, ProfilePage};
use crate::path::{PathError, TreePath};
use crate::site::Site;

/// Why a page cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// A template is broken; Tera's report names file and line and draws a caret.
    #[error("a template of the site cannot be used, so nothing was published:\n{0}")]
    Template(#[from] tera::Error),
    /// A page has no place in the tree.
    #[error(transparent)]
    Path(#[from] PathError),
}

/// Templates that are ready, and what all of them may use.
pub(crate) struct Pages<'a> {
    snapshot: &'a Snapshot,
    tera: Tera,
    places: Places,
    lists: Lists,
    fragments: Fragments,
    docs: Docs,
    /// By position in the directory.
    cards: Vec<Box<str>>,
}

impl<'a> Pages<'a> {
    /// Parses the templates, and makes the cards of all clinicians.
    ///
    /// All templates may use: `organisation`, which has `name`, `description`, `api_url`, `mcp_url`,
    /// `site_url`, `phone` and `address`; `states`, `plans` and `visits`, which are what can be chosen on this
    /// site; `availability`, the path of the open times; `docs_menu`; and `route`, the page's own path. A page
    /// has its own values besides. Pages print `page_top` and `page_foot`, which are the same on all of them and are
    /// made once, of `top.html` and `foot.html`; those two have no `route`.
    ///
    /// # Errors
    /// A template is broken, or refers to one that does not exist.
    pub(crate) fn new(snapshot: &'a Snapshot, site: &Site) -> Result<Self, PageError> {
        let mut tera = Tera::new();
        // Said here although it is Tera's default: every page depends on it. Tera's fast escape leaves the
        // apostrophe alone, so templates quote attributes with `"`.
        tera.autoescape_on([".html"]);
        tera.add_raw_templates(site.templates.iter())?;
        let directory = snapshot.directory();
        let places = Places::new(directory);
        let mut pages = Self {
            snapshot,
            tera,
            fragments: Fragments::default(),
            places,
            lists: Lists::new(directory),
            docs: Docs::default(),
            cards: Vec::new(),
        };
        pages.fill_global_context();
        for (name, template) in [("page_top", "top.html"), ("page_foot", "foot.html")] {
            let part = fragments::made(&pages.tera, template, &Context::new())?;
            pages.tera.global_context().insert_value(name, Value::safe_string(&part));
        }
        pages.docs = Docs::new(snapshot);
        pages.fragments = Fragments::new(&pages.tera, directory, &pages.places)?;
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
        let global = self.tera.global_context();
        global.insert("organisation", &about);
        global.insert("availability", Operation::get(OperationId::Availability).path);
        global.insert("docs_menu", &menu);
        for (name, value) in choices {
            global.insert_value(name, value);
        }
    }

    /// Every page of the site with its place in the tree.
    pub(crate) fn all(&self) -> Result<Vec<(TreePath, Page)>, PathError> {
        let directory = self.snapshot.directory();
        let mut pages = vec![Page::Home, Page::NotFound];
        pages.extend(DocsPage::all().map(Page::Docs));
        pages.extend((1..=self.lists.everybody.pages()).map(|number| Page::Clinicians { number }));
        for (&state, list) in &self.lists.by_state {
            pages.extend((1..=list.pages()).map(|number| Page::State { state, number }));
        }
        pages.extend(self.lists.by_plan.keys().copied().map(Page::Plan));
        pages.extend(self.lists.by_visit_type.keys().copied().map(Page::VisitType));
        pages.extend(directory.provider_numbers().map(Page::Provider));
        // Most are a clinician's, and each is only an address in a form.
        let placed = pages.into_par_iter().with_min_len(256);
        placed.map(|page| Ok((page.file(directory, &self.places)?, page))).collect()
    }

    /// The files beside these pages: what programs read.
    pub(crate) fn files(&self, pages: &[(TreePath, Page)]) -> Result<Vec<(TreePath, Bytes)>, PathError> {
        let directory = self.snapshot.directory();
        let mut files = machines::files(self, self.snapshot)?;
        let sitemap = || {
            let listed = pages.iter().filter(|(_, page)| *page != Page::NotFound);
            let routes: Vec<_> = listed.map(|(_, page)| page.route(directory, &self.places)).collect();
            machines::sitemap(directory.organisation().site_url(), &routes)
        };
        let (sitemap, finder) = rayon::join(sitemap, || self.finder());
        files.extend(sitemap?);
        files.extend(finder?);
        Ok(files)
    }

    /// Makes a page, behind what is in the buffer.
    pub(crate) fn render(&self, page: &Page, html: &mut Vec<u8>) -> Result<(), PageError> {
        let mut context = Context::new();
        context.insert_value("route", text(&page.route(self.snapshot.directory(), &self.places)));
        match *page {
            Page::Home => self.home(&mut context),
            Page::Clinicians { number } => self.clinicians(&mut context, number),
            Page::Provider(number) => self.provider(&mut context, number)?,
            Page::State { state, number } => self.state(&mut context, state, number),
            Page::Plan(plan) => self.plan(&mut context, plan),
            Page::VisitType(id) => self.visit_type(&mut context, id),
            Page::Docs(page) => self.docs.fill(&mut context, page),
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
        Ok(())
    }

    fn card(&self, provider: &Provider) -> Result<Box<str>, PageError> {
        let person = Person::new(self.snapshot.directory(), provider);
        let mut context = Context::new();
        context.insert_value("person", Value::try_from_serializable(&person)?);
        Ok(self.tera.render("card.html", &context)?.into())
    }
}

/// Where care can be booked.
fn covered(directory: &Directory) -> StateSet {
    let offered = directory.visit_types().iter().map(|visit_type| directory.offered(visit_type.id()));
    offered.fold(StateSet::EMPTY, StateSet::union)
}

/// A text that a template escapes.
fn text(text: &str) -> Value {
    Value::normal_string(text)
}
