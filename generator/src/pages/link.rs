//! A language of the site: its texts, and links to its pages.

use directory::model::{Directory, PlanNumber, StateCode, Texts};
use serde::Serialize;
use tera::Value;

use super::routes::{self, Routes};

/// A link to a state's or a plan's page.
#[derive(Debug, Serialize)]
pub(super) struct Link<'a> {
    pub(super) code: &'a str,
    pub(super) name: &'a str,
    /// A state's English name, if it differs: people type both.
    pub(super) english: Option<&'static str>,
    pub(super) href: String,
}

/// What a page in a language is made of, beside templates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local<'a> {
    pub(super) directory: &'a Directory,
    pub(super) routes: &'a Routes,
    pub(super) texts: &'a Texts,
}

impl<'a> Local<'a> {
    /// The path of a page of this language.
    pub(super) fn href(self, route: &str) -> String {
        [self.texts.base(), route].concat()
    }

    /// The attributes of a text that people wrote: its direction follows its letters, and its language is that of the
    /// content, unless the table of the page's language has it.
    pub(super) fn written(self, text: &str) -> Value {
        let content = self.texts.content_language();
        let is_foreign = content != self.texts.language() && self.texts.of_content(text).is_none();
        let language = if is_foreign { format!(" lang=\"{}\"", content.code()) } else { String::new() };
        Value::safe_string(&format!("{language} dir=\"auto\""))
    }

    pub(super) fn state_link(self, state: StateCode) -> Link<'a> {
        let name = self.texts.state(state);
        let english = Some(state.name()).filter(|english| *english != name);
        Link { code: state.code(), name, english, href: self.href(&routes::state(state)) }
    }

    pub(super) fn plan_link(self, plan: PlanNumber) -> Link<'a> {
        let name = self.directory.plan(plan).as_str();
        Link { code: "", name, english: None, href: self.href(self.routes.plan(plan)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    /// The attributes of a text of the content, and of one that the Spanish table has, on the pages of each language.
    fn attributes(line: &str) -> Vec<[String; 2]> {
        let folder = fixture::copy();
        fixture::add_spanish(folder.path());
        fixture::edit(folder.path(), "directory.toml", |text| {
            text.replace("site-languages = [\"English\", \"Spanish\"]", line)
        });
        let snapshot = fixture::load(folder.path());
        let directory = snapshot.directory();
        let routes = Routes::new(directory);
        let local = |texts| Local { directory, routes: &routes, texts };
        let both = |local: Local<'_>| ["A text", "Sleep"].map(|text| local.written(text).to_string());
        directory.texts().iter().map(|texts| both(local(texts))).collect()
    }

    #[test]
    fn what_people_wrote_has_the_language_of_the_content() {
        let (plain, english) = (" dir=\"auto\"", " lang=\"en\" dir=\"auto\"");
        let english_first = attributes("site-languages = [\"en\", \"es\"]");
        assert_eq!(english_first, [[plain, plain], [english, plain]]);
        let spanish_first =
            attributes("site-languages = [\"Spanish\", \"English\"]\ncontent-language = \"English\"");
        assert_eq!(spanish_first, [[english, plain], [plain, plain]]);
        let spanish_alone = attributes("site-languages = [\"es\"]\ncontent-language = \"en\"");
        assert_eq!(spanish_alone, [[english, plain]]);
    }
}
