//! Merges the layers of settings: defaults, file, environment, flags. A later layer overrides an earlier one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use toml::de::{DeTable, DeValue};

use super::keys::{KEYS, Key, names_in};
use super::secrets::masked;
use crate::near::nearest;

pub(super) const FILE_VARIABLE: &str = "NAMEPLATE_CONFIG";
const PREFIX: &str = "NAMEPLATE_";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    Default,
    File(Range<usize>),
    Environment(String),
    Flag(String),
}

#[derive(Debug, Clone)]
pub(super) struct Setting {
    pub(super) value: toml::Value,
    pub(super) origin: Origin,
}

#[derive(Debug)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) text: String,
    /// The bytes of each value, by its full name.
    spans: BTreeMap<String, Range<usize>>,
}

#[derive(Debug, Default)]
pub(super) struct Layers {
    pub(super) values: BTreeMap<&'static str, Setting>,
    pub(super) file: Option<File>,
}

#[derive(Debug)]
pub(super) struct Problem {
    pub(super) origin: Origin,
    pub(super) what: String,
    pub(super) hint: Option<String>,
}

impl Problem {
    pub(super) fn new(origin: Origin, what: impl Into<String>) -> Self {
        Self { origin, what: what.into(), hint: None }
    }
}

impl Layers {
    pub(super) fn new() -> Self {
        let mut layers = Self::default();
        for key in &KEYS {
            if let Some(value) = key.default.and_then(|text| key.kind.read(text)) {
                layers.values.insert(key.name, Setting { value, origin: Origin::Default });
            }
        }
        layers
    }

    /// Adds a file's settings; its mistakes are added to the problems.
    pub(super) fn add_file(&mut self, path: &Path, text: String, problems: &mut Vec<Problem>) {
        let (parsed, errors) = DeTable::parse_recoverable(&text);
        for error in &errors {
            let origin = Origin::File(error.span().unwrap_or_default());
            problems.push(Problem::new(origin, error.message()));
        }
        let mut spans = BTreeMap::new();
        check_names(parsed.get_ref(), "", &mut spans, problems);
        // With broken syntax, further mistakes may follow from it and are not reported.
        let table = if errors.is_empty() { text.parse().unwrap_or_default() } else { toml::Table::new() };
        let table = toml::Value::Table(table);
        for key in &KEYS {
            let value = key.name.split('.').try_fold(&table, |table, name| table.get(name));
            let Some(value) = value.cloned() else { continue };
            let origin = Origin::File(spans.get(key.name).cloned().unwrap_or_default());
            if key.kind.fits(&value) {
                self.values.insert(key.name, Setting { value, origin });
            } else {
                problems.push(Problem::new(origin, format!("{} is {}", key.name, key.kind.words())));
            }
        }
        self.file = Some(File { name: path.display().to_string(), text, spans });
    }

    /// Adds the environment's settings. Returns warnings about unknown variables with the prefix. They are not errors:
    /// container platforms set variables named after services.
    pub(super) fn add_environment(
        &mut self,
        variables: impl Iterator<Item = (String, String)>,
        problems: &mut Vec<Problem>,
    ) -> Vec<String> {
        let mut unknown = Vec::new();
        for (variable, text) in variables {
            let Some(bare) = variable.strip_prefix(PREFIX).filter(|_| variable != FILE_VARIABLE) else {
                continue;
            };
            let Some(key) = KEYS.iter().find(|key| key.variable() == variable) else {
                // Without the common prefix, which would make all names similar.
                let known: Vec<_> = KEYS.iter().map(|key| key.variable().split_off(PREFIX.len())).collect();
                let near = nearest(bare, known.iter().map(String::as_str));
                let hint = near.map(|near| format!("; did you mean {PREFIX}{near}?")).unwrap_or_default();
                unknown.push(format!("the environment variable {variable} sets nothing{hint}"));
                continue;
            };
            // An empty variable counts as not set.
            if text.is_empty() {
                continue;
            }
            let origin = Origin::Environment(variable);
            if let Some(value) = key.kind.read(&text) {
                self.values.insert(key.name, Setting { value, origin });
            } else {
                problems.push(Problem::new(origin, format!("\"{text}\" is not {}", key.kind.words())));
            }
        }
        unknown.sort();
        unknown
    }

    pub(super) fn add_flag(&mut self, name: &'static str, flag: &str, value: Option<toml::Value>) {
        if let Some(value) = value {
            self.values.insert(name, Setting { value, origin: Origin::Flag(flag.to_owned()) });
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&toml::Value> {
        self.values.get(name).map(|setting| &setting.value)
    }

    /// The text of a setting; `None` if it is not set.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(toml::Value::as_str)
    }

    /// The origin of a setting, or of a name in a setting's table.
    pub(super) fn origin(&self, name: &str) -> Origin {
        let is_in =
            |key: &str| name.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let setting = self.values.iter().find(|(key, _)| is_in(key)).map(|(_, setting)| &setting.origin);
        let span = self.file.as_ref().and_then(|file| file.spans.get(name));
        match (setting, span) {
            (Some(Origin::File(_)), Some(span)) => Origin::File(span.clone()),
            (Some(origin), _) => origin.clone(),
            (None, _) => Origin::Default,
        }
    }

    /// A problem with the source line that it is about.
    pub(super) fn drawn(&self, problem: &Problem, styled: bool) -> String {
        let Problem { origin, what, hint } = problem;
        let what = match origin {
            Origin::Environment(name) | Origin::Flag(name) => format!("{name}: {what}"),
            Origin::Default | Origin::File(_) => what.clone(),
        };
        let mut group = Group::with_title(Level::ERROR.primary_title(what.as_str()));
        if let (Origin::File(span), Some(file)) = (origin, &self.file) {
            let end = file.text.len();
            let span = span.start.min(end)..span.end.min(end);
            let snippet = Snippet::source(masked(&file.text)).path(&file.name);
            group = group.element(snippet.annotation(AnnotationKind::Primary.span(span)));
        }
        if let Some(hint) = hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

impl File {
    pub(super) fn line(&self, at: usize) -> usize {
        self.text.get(..at).unwrap_or(&self.text).matches('\n').count() + 1
    }
}

/// Reports unknown names in a table, and collects the spans of its values.
fn check_names(
    table: &DeTable<'_>,
    outer: &str,
    spans: &mut BTreeMap<String, Range<usize>>,
    problems: &mut Vec<Problem>,
) {
    let known = names_in(outer);
    for (key, value) in table {
        let bare: &str = key.get_ref();
        let name = if outer.is_empty() { bare.to_owned() } else { format!("{outer}.{bare}") };
        spans.insert(name.clone(), value.span());
        if !known.contains(&bare) && known != ["*"] {
            let elsewhere = KEYS.iter().map(Key::place).find(|(_, name)| *name == bare);
            let hint = match elsewhere {
                Some((Some(table), _)) => Some(format!("\"{bare}\" belongs in [{table}]")),
                Some((None, _)) => Some(format!("\"{bare}\" belongs above all tables")),
                None => nearest(bare, known.iter().copied()).map(|near| format!("did you mean \"{near}\"?")),
            };
            let problem = Problem::new(Origin::File(key.span()), format!("there is no setting \"{name}\""));
            problems.push(Problem { hint, ..problem });
        } else if !names_in(&name).is_empty() {
            if let DeValue::Table(inner) = value.get_ref() {
                check_names(inner, &name, spans, problems);
            } else if !name.starts_with("feed.schedules") {
                let what = format!("{name} is a table: write [{name}] and its settings below");
                problems.push(Problem::new(Origin::File(value.span()), what));
            }
        }
    }
}
