use std::fmt::Write as _;

use bytes::Bytes;
use chrono::NaiveDate;
use directory::model::Directory;

use super::page::{self, Page};
use super::{Edition, PageError, Pages, TranslatedPage, docs, finder, machines, scripts, sentence, twin};
use crate::path::{PathError, TreePath};

impl Pages<'_> {
    /// Of the pages that search engines list.
    pub(crate) fn twins(
        &self,
        pages: &[(TreePath, TranslatedPage)],
    ) -> Result<Vec<(TreePath, TranslatedPage)>, PathError> {
        let listed = pages.iter().filter(|(_, translated)| translated.page != Page::NotFound);
        listed.map(|(_, page)| Ok((page::twin(&self.route(*page))?, *page))).collect()
    }

    pub(crate) fn render_twin(&self, page: &TranslatedPage, to: &mut Vec<u8>) -> Result<(), PageError> {
        let mut html = Vec::new();
        self.render(page, &mut html)?;
        let Some(edition) = self.editions.get(page.edition) else { return Ok(()) };
        let organization = edition.directory().organization();
        let site_url = &organization.site_url;
        let url = format!("{site_url}{}", self.route(*page));
        let mut text = twin::twin(&String::from_utf8_lossy(&html), site_url, &url);
        let phone = organization.phone().map(|phone| format!(" · {}", phone.shown())).unwrap_or_default();
        _ = writeln!(text, "\n---\n\n{}{phone} · <{url}>", machines::inline(&organization.name));
        to.extend_from_slice(text.as_bytes());
        Ok(())
    }

    /// Up to a size, the clinic's pages first.
    fn all_twins(&self, pages: &[(TreePath, TranslatedPage)]) -> Result<Bytes, PageError> {
        let mut text = Vec::new();
        for page in self.english_pages(pages) {
            let length = text.len();
            self.render_twin(&page, &mut text)?;
            text.push(b'\n');
            if text.len() + machines::REST.len() > machines::MAX_BYTES {
                text.truncate(length);
                text.extend_from_slice(machines::REST.as_bytes());
                break;
            }
        }
        Ok(text.into())
    }

    /// The documentation comes last.
    fn english_pages(&self, pages: &[(TreePath, TranslatedPage)]) -> Vec<TranslatedPage> {
        let english = self.english();
        let of_english = pages.iter().map(|(_, page)| *page).filter(|page| page.edition == english);
        let listed = of_english.filter(|page| page.page != Page::NotFound);
        let (docs, others): (Vec<_>, Vec<_>) = listed.partition(|page| matches!(page.page, Page::Docs(_)));
        others.into_iter().chain(docs).collect()
    }

    /// The sitemap lists `pages`.
    pub(crate) fn files(
        &self,
        pages: &[(TreePath, TranslatedPage)],
    ) -> Result<Vec<(TreePath, Bytes)>, PageError> {
        let Some(first) = self.editions.first() else { return Ok(Vec::new()) };
        let snapshot = first.shared.snapshot;
        let directory = snapshot.directory();
        let twins = self.english_pages(pages).into_iter().filter_map(|page| {
            let title = self.editions.get(page.edition)?.title(page.page);
            Some((page.page, title, page::twin(&self.route(page)).ok()?))
        });
        let mut files = machines::files(snapshot, twins)?;
        files.push((machines::FULL.parse()?, self.all_twins(pages)?));
        for edition in &self.editions {
            files.extend(scripts::texts(directory, edition.texts)?);
        }
        let sitemap = || {
            let listed = pages.iter().filter(|(_, translated)| translated.page != Page::NotFound);
            let routes: Vec<_> =
                listed.map(|(_, page)| (self.route(*page), confirmed(directory, page.page))).collect();
            machines::sitemap(&directory.organization().site_url, &routes)
        };
        let (sitemap, finder) = rayon::join(sitemap, || finder::index(directory));
        files.extend(sitemap?);
        files.push(finder?);
        files.extend(sentence::files(directory, &first.shared.lists)?);
        Ok(files)
    }
}

impl Edition<'_> {
    fn title(&self, page: Page) -> String {
        let directory = self.directory();
        let numbered = |title: &str, number: usize| match number {
            1 => title.to_owned(),
            number => format!("{title} ({number})"),
        };
        match page {
            Page::Home | Page::NotFound => directory.organization().name.clone(),
            Page::Clinicians { number } => numbered("All clinicians", number),
            Page::Provider(number) => {
                let provider = directory.provider(number);
                format!("{}, {}", provider.display_name, provider.credentials)
            }
            Page::State { state, number } => numbered(state.name(), number),
            Page::Plan(plan) => directory.plan(plan).as_str().to_owned(),
            Page::VisitType(id) => directory.visit_type(id).map(|it| it.name.clone()).unwrap_or_default(),
            Page::Docs(page) => docs::title(page).to_owned(),
            Page::Accuracy => "How accurate this is".to_owned(),
            Page::Assistants => "Ask your AI assistant to find a clinician".to_owned(),
            Page::Accessibility => "Accessibility".to_owned(),
        }
    }
}

fn confirmed(directory: &Directory, page: Page) -> Option<NaiveDate> {
    let Page::Provider(number) = page else { return None };
    directory.accuracy()?;
    directory.provider(number).record.confirmed.as_ref().map(|confirmed| confirmed.on)
}
