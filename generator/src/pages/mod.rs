//! Makes the HTML pages from Tera templates, and the files beside them that programs read.
//!
//! Tera escapes every value but those marked as safe: structured data, and the output of other templates. Each clinician's
//! card is rendered once and copied into every list. Pages do not contain the generation, so an edit changes only the pages
//! that show the clinician, and the home page, whose order of people it seeds.

mod accuracy;
mod ask;
mod booking;
mod browse;
mod choices;
mod docs;
mod embed;
mod feed;
mod finder;
mod fragments;
mod link;
mod lists;
mod machines;
mod page;
mod places;
mod profile;
mod programs;
mod routes;
mod samples;
mod scripts;
mod sentence;
mod specialties;
mod structured;
mod translate;
mod twin;
mod wording;

use std::collections::HashSet;
use std::sync::Arc;

use directory::api::{Operation, OperationId, Snapshot};
use directory::model::{Directory, Phone, Provider, ProviderNumber, StateSet, Texts, VisitType};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;
use tera::{Context, Kwargs, State, Tera, Value};

use self::choices::Choices;
use self::docs::Docs;
pub(crate) use self::feed::{feed, feed_times};
use self::fragments::Fragments;
use self::link::Local;
use self::lists::Lists;
use self::page::{DocsPage, Page};
use self::profile::Person;
use self::routes::Routes;
pub(crate) use self::routes::profile as profile_route;
use self::structured::Employer;
pub use self::translate::TextError;
use crate::path::{PathError, TreePath};
use crate::site::Site;

#[derive(Debug, thiserror::Error)]
pub enum PageError {
    #[error("a template of the site can't be used, so nothing was published:\n{0}")]
    Template(#[from] tera::Error),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Text(#[from] TextError),
}

struct Shared<'a> {
    snapshot: &'a Snapshot,
    routes: Routes,
    lists: Lists,
    employer: Employer,
}

pub(crate) struct Pages<'a> {
    docs: Docs,
    /// The addresses of the first edition do not contain the language.
    editions: Vec<Edition<'a>>,
}

struct Edition<'a> {
    shared: Arc<Shared<'a>>,
    texts: &'a Texts,
    tera: Tera,
    fragments: Fragments,
    /// By provider number.
    cards: Vec<Box<str>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TranslatedPage {
    /// An index of `Pages::editions`.
    edition: usize,
    page: Page,
}

#[derive(Debug, Serialize)]
struct Alternate<'a> {
    code: &'static str,
    name: &'a str,
    route: String,
}

impl<'a> Pages<'a> {
    /// All templates may use these values:
    /// - `organization`: see `fill_global_context`; `dial` is the number for `tel:`, `contact` words for "call us"
    /// - `states`, `plans`, `visits` and `search`: the options of filters
    /// - `has_accuracy`: the page `/accuracy` exists; `has_leave`: a clinician is, was or will be on leave
    /// - `availability`: the API's path for open times
    /// - `lang`, `home`, `docs_menu`, and `base`, with which links to pages begin
    /// - `in_english` and `in_english_part`: attributes for the language of a text or a link; the filter `written` returns
    ///   those of a text from the content
    /// - `route`: the page's path, and `twin`: that of its Markdown twin
    /// - `page_top` and `page_foot`: rendered once, without the route
    pub(crate) fn new(snapshot: &'a Snapshot, site: &Site) -> Result<Self, PageError> {
        let directory = snapshot.directory();
        let (routes, lists) = (Routes::new(directory), Lists::new(directory));
        let shared =
            Arc::new(Shared { snapshot, routes, lists, employer: Employer::new(directory.organization()) });
        let editions = directory.texts().iter().map(|texts| Edition::new(&shared, site, texts));
        Ok(Self { docs: Docs::new(snapshot), editions: editions.collect::<Result<_, _>>()? })
    }

    pub(crate) fn all(&self) -> Result<Vec<(TreePath, TranslatedPage)>, PathError> {
        let Some(first) = self.editions.first() else { return Ok(Vec::new()) };
        let shared = &first.shared;
        let directory = shared.snapshot.directory();
        let mut pages = vec![Page::Home, Page::Assistants, Page::Accessibility, Page::NotFound];
        pages.extend(directory.accuracy().map(|_| Page::Accuracy));
        pages.extend((1..=shared.lists.all.pages()).map(|number| Page::Clinicians { number }));
        for (&state, list) in &shared.lists.by_state {
            pages.extend((1..=list.pages()).map(|number| Page::State { state, number }));
        }
        pages.extend(shared.lists.states_of_plan.keys().copied().map(Page::Plan));
        pages.extend(shared.lists.by_visit_type.keys().copied().map(Page::VisitType));
        pages.extend(directory.provider_numbers().map(Page::Provider));
        let docs =
            DocsPage::all().map(|page| TranslatedPage { edition: self.english(), page: Page::Docs(page) });
        let translated = (0..self.editions.len())
            .flat_map(|edition| pages.iter().map(move |&page| TranslatedPage { edition, page }));
        let all: Vec<_> = docs.chain(translated).collect();
        let all = all.into_par_iter().with_min_len(256);
        all.map(|page| Ok((page::file(&self.route(page))?, page))).collect()
    }

    /// The documentation is in English, or else in the first language.
    fn english(&self) -> usize {
        self.editions.iter().position(|edition| edition.texts.language.code() == "en").unwrap_or_default()
    }

    fn route(&self, TranslatedPage { edition, page }: TranslatedPage) -> String {
        self.editions[edition].route(page)
    }

    pub(crate) fn render(
        &self,
        &TranslatedPage { edition, page }: &TranslatedPage,
        html: &mut Vec<u8>,
    ) -> Result<(), PageError> {
        let mut context = Context::new();
        if !matches!(page, Page::Docs(_)) && self.editions.len() > 1 {
            // A missing page has no translation, so its link to another language leads home.
            let other = if page == Page::NotFound { Page::Home } else { page };
            let alternates: Vec<_> = self.editions.iter().map(|edition| edition.alternate(other)).collect();
            context.insert("editions", &alternates);
        }
        let edition = &self.editions[edition];
        if let Page::Docs(page) = page {
            self.docs.fill(&mut context, page);
        }
        edition.render(page, context, html)
    }
}

impl<'a> Edition<'a> {
    fn new(shared: &Arc<Shared<'a>>, site: &Site, texts: &'a Texts) -> Result<Self, PageError> {
        let mut tera = Tera::new();
        // Tera does not escape `'`, so templates quote attributes with `"`.
        tera.autoescape_on([".html"]);
        tera.register_filter("written", language_of(texts));
        let templates = site.templates.iter();
        let templates =
            templates.map(|(name, source)| Ok((name, translate::translate(name, source, texts)?)));
        tera.add_raw_templates(templates.collect::<Result<Vec<_>, TextError>>()?)?;
        let (fragments, cards) = (Fragments::default(), Vec::new());
        let mut edition = Self { shared: Arc::clone(shared), texts, tera, fragments, cards };
        edition.fill_global_context();
        for (name, template) in [("page_top", "top.html"), ("page_foot", "foot.html")] {
            let part = fragments::render(&edition.tera, template, &Context::new())?;
            edition.tera.global_context().insert_value(name, Value::safe_string(&part));
        }
        edition.fragments = Fragments::new(&edition.tera, edition.local())?;
        let providers = edition.directory().providers().par_iter().with_min_len(64);
        edition.cards = providers.map(|provider| edition.card(provider, None)).collect::<Result<_, _>>()?;
        Ok(edition)
    }

    fn directory(&self) -> &'a Directory {
        self.shared.snapshot.directory()
    }

    fn local(&self) -> Local<'_> {
        Local { directory: self.directory(), routes: &self.shared.routes, texts: self.texts }
    }

    fn href(&self, route: &str) -> String {
        self.local().href(route)
    }

    fn route(&self, page: Page) -> String {
        if let Page::Docs(page) = page {
            return page.route();
        }
        match (page.route(self.directory(), &self.shared.routes).as_str(), &self.texts.base) {
            ("/", base) if !base.is_empty() => base.to_owned(),
            (route, base) => [base, route].concat(),
        }
    }

    fn alternate(&self, page: Page) -> Alternate<'_> {
        Alternate {
            code: self.texts.language.code(),
            name: wording::text(self.texts, "language"),
            route: self.route(page),
        }
    }

    fn fill_global_context(&mut self) {
        let texts = self.texts;
        let organization = self.directory().organization();
        let address = organization.address.as_ref();
        let lines = address.map(|address| {
            let mut lines = address.line.clone();
            let place = [address.city.clone(), address.state.map(|state| state.code().to_owned())];
            let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
            let place = [place, address.postal_code.clone().unwrap_or_default()].join(" ");
            lines.push(place.trim().to_owned());
            lines.retain(|line| !line.is_empty());
            lines
        });
        let phone = organization.phone();
        let share_image = organization.discovery.share_image.as_ref();
        let share_image = share_image.map(|image| format!("{}/{}", organization.site_url, image.path));
        let notices = organization.discovery.notices.iter().map(|notice| {
            let label = wording::text(texts, &format!("notice-{}", notice.name));
            json!({ "label": label, "address": &notice.address })
        });
        let patients = &organization.patients;
        let hours = patients.phone_hours.as_ref();
        let say = |text: &'a Option<String>| text.as_deref().map(|text| texts.say(text));
        let about = json!({
            "name": &organization.name,
            "description": texts.say(&organization.description),
            "api_url": &organization.api_url,
            "mcp_url": &organization.mcp_url,
            "site_url": &organization.site_url,
            "booking_url": organization.booking_url.as_deref(),
            "phone": phone.map(Phone::shown),
            "notices": notices.collect::<Vec<_>>(),
            "dial": phone.map(Phone::dial),
            "contact": wording::contact(texts, organization),
            "phone_hours": hours.map(|hours| wording::phone_hours(texts, hours)),
            "hours": hours.map(|hours| wording::phone_hours_data(texts, self.directory(), hours).to_string()),
            "cost": say(&patients.cost),
            "cost_without_insurance": say(&patients.cost_without_insurance),
            "emergency": say(&patients.emergency),
            "address": lines,
            "share_image": share_image,
        });
        let menu: Vec<_> = DocsPage::all()
            .map(|page| json!({ "href": page.route(), "title": docs::title(page), "path": docs::path(page) }))
            .collect();
        let (states, plans, visits) = self.choices();
        let choices = [
            ("states", Value::from_serializable(&states)),
            ("plans", Value::from_serializable(&plans)),
            ("visits", Value::from_serializable(&visits)),
            ("has_leave", self.directory().providers().iter().any(|it| !it.leave.is_empty()).into()),
        ];
        let has_accuracy = self.directory().accuracy().is_some();
        let search = Choices::new(self.directory(), texts);
        let (language, base) = (texts.language, &texts.base);
        let is_english = language.code() == "en";
        let safe = [
            ("in_english", Value::safe_string(if is_english { "" } else { " hreflang=\"en\"" })),
            ("in_english_part", Value::safe_string(if is_english { "" } else { " lang=\"en\" dir=\"ltr\"" })),
        ];
        let global = self.tera.global_context();
        global.insert("availability", Operation::get(OperationId::Availability).path);
        global.insert("docs_menu", &menu);
        global.insert("origin_trials", &organization.discovery.origin_trials);
        global.insert("has_accuracy", &has_accuracy);
        global.insert("search", &search);
        global.insert("lang", language.code());
        global.insert("base", base);
        global.insert("home", if base.is_empty() { "/" } else { base });
        global.insert("organization", &about);
        for (name, value) in choices.into_iter().chain(safe) {
            global.insert_value(name, value);
        }
    }

    fn render(&self, page: Page, mut context: Context, html: &mut Vec<u8>) -> Result<(), PageError> {
        let route = self.route(page);
        if page != Page::NotFound {
            context.insert_value("twin", Value::normal_string(&page::twin_route(&route)));
        }
        context.insert_value("route", Value::normal_string(&route));
        match page {
            Page::Home => self.home(&mut context),
            Page::Clinicians { number } => self.clinicians(&mut context, number),
            Page::Provider(number) => self.provider(&mut context, number),
            Page::State { state, number } => self.state(&mut context, state, number),
            Page::Plan(plan) => self.plan(&mut context, plan),
            Page::VisitType(id) => self.visit_type(&mut context, id)?,
            Page::Accuracy => {
                if let Some(policy) = self.directory().accuracy() {
                    self.accuracy(&mut context, policy);
                }
            }
            Page::Assistants => self.assistants(&mut context),
            Page::Docs(_) | Page::Accessibility | Page::NotFound => {}
        }
        Ok(self.tera.render_to(page.template(), &context, html)?)
    }

    fn provider(&self, context: &mut Context, number: ProviderNumber) {
        let directory = self.directory();
        let provider = directory.provider(number);
        profile::fill(context, self.local(), &self.fragments, provider);
        let data = structured::clinician(directory, &self.shared.employer, provider);
        context.insert_value("structured_data", Value::safe_string(&data));
        context.insert("confirmation", &self.confirmation(provider));
        context.insert("report_url", &accuracy::report_url(directory, provider));
        context.insert("shared_picture", &profile::preview_picture(directory, provider));
    }

    /// `visit` is the visit type for new patients whose list has the card.
    fn card(&self, provider: &Provider, visit: Option<&VisitType>) -> Result<Box<str>, tera::Error> {
        let mut context = Context::new();
        context.insert("person", &Person::new(self.local(), provider));
        let offered = visit.map(|it| wording::states(self.texts, provider.bookable_in(it)));
        context.insert("offered", &offered);
        Ok(self.tera.render("card.html", &context)?.into())
    }
}

fn covered(directory: &Directory) -> StateSet {
    let offered = directory.visit_types().iter().map(|visit_type| directory.offered(visit_type.id));
    offered.fold(StateSet::EMPTY, StateSet::union)
}

/// The filter `written`: the attributes of a text from the content, which may be translated.
fn language_of(texts: &Texts) -> impl Fn(&str, Kwargs, &State<'_>) -> Value + use<> {
    let translations: HashSet<String> = texts.translations().map(str::to_owned).collect();
    let (as_written, in_this) = (content_attributes(texts), " dir=\"auto\"");
    move |text, _, _| Value::safe_string(if translations.contains(text) { in_this } else { &as_written })
}

fn content_attributes(texts: &Texts) -> String {
    let content = texts.content;
    let language =
        if content == texts.language { String::new() } else { format!(" lang=\"{}\"", content.code()) };
    format!("{language} dir=\"auto\"")
}

#[cfg(test)]
mod tests;
