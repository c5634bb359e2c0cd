//! Merges the layers of settings: defaults, file, environment, flags. A later layer overrides an earlier one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use toml::de::{DeTable, DeValue};

use super::keys::{KEYS, Key, Type, nearest};

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
    /// The spans of all values by their full names.
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

impl Layers {
    pub(super) fn new() -> Self {
        let mut layers = Self::default();
        for key in &KEYS {
            let value = key.default.and_then(|text| key.kind.read(text));
            if let Some(value) = value {
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
            problems.push(Problem { origin, what: error.message().to_owned(), hint: None });
        }
        let mut spans = BTreeMap::new();
        collect_spans(parsed.get_ref(), "", &mut spans, problems);
        // With broken syntax, further mistakes may follow from it and are not reported.
        if let (true, Ok(table)) = (errors.is_empty(), text.parse::<toml::Table>()) {
            for key in &KEYS {
                let (group, name) = key.place();
                let holder = match group {
                    Some(group) => table.get(group).and_then(toml::Value::as_table),
                    None => Some(&table),
                };
                let Some(value) = holder.and_then(|holder| holder.get(name)) else { continue };
                let origin = Origin::File(spans.get(key.name).cloned().unwrap_or_default());
                if key.kind.fits(value) {
                    self.values.insert(key.name, Setting { value: value.clone(), origin });
                } else {
                    let what = format!("{} is {}", key.name, key.kind.words());
                    problems.push(Problem { origin, what, hint: None });
                }
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
        let known: BTreeMap<String, &Key> = KEYS.iter().map(|key| (key.variable(), key)).collect();
        let mut unknown = Vec::new();
        for (variable, text) in variables.filter(|(name, _)| name.starts_with(PREFIX)) {
            let Some(key) = known.get(&variable) else {
                if variable != FILE_VARIABLE {
                    // The common prefix would make all names similar.
                    let bare = known.keys().filter_map(|name| name.strip_prefix(PREFIX));
                    let near = nearest(variable.trim_start_matches(PREFIX), bare);
                    let near = near.map(|near| format!("; did you mean {PREFIX}{near}?")).unwrap_or_default();
                    unknown.push(format!("the environment variable {variable} sets nothing{near}"));
                }
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
                let what = format!("\"{text}\" is not {}", key.kind.words());
                problems.push(Problem { origin, what, hint: None });
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

    /// The origin of a full name, which may be inside a setting's table.
    pub(super) fn origin(&self, name: &str) -> Origin {
        let mut known = name;
        loop {
            match self.values.get(known).map(|setting| &setting.origin) {
                Some(Origin::File(span)) => {
                    let deeper = self.file.as_ref().and_then(|file| file.spans.get(name));
                    return Origin::File(deeper.unwrap_or(span).clone());
                }
                Some(origin) => return origin.clone(),
                None => match known.rsplit_once('.') {
                    Some((outer, _)) => known = outer,
                    None => return Origin::Default,
                },
            }
        }
    }

    pub(super) fn drawn(&self, problem: &Problem, styled: bool) -> String {
        let Problem { origin, what, hint } = problem;
        let position = match (origin, &self.file) {
            (Origin::File(span), Some(file)) => Some((file, span)),
            _ => None,
        };
        let what = match origin {
            Origin::Environment(variable) => format!("{variable}: {what}"),
            Origin::Flag(flag) => format!("{flag}: {what}"),
            _ => what.clone(),
        };
        let mut group = Group::with_title(Level::ERROR.primary_title(what.as_str()));
        if let Some((file, span)) = position {
            let end = file.text.len();
            let span = span.start.min(end)..span.end.min(end);
            let snippet = Snippet::source(&file.text).path(&file.name);
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

/// Collects the spans of a table's values, and reports unknown names.
fn collect_spans(
    table: &DeTable<'_>,
    outer: &str,
    spans: &mut BTreeMap<String, Range<usize>>,
    problems: &mut Vec<Problem>,
) {
    for (key, value) in table {
        let dot = if outer.is_empty() { "" } else { "." };
        let name = format!("{outer}{dot}{}", key.get_ref());
        spans.insert(name.clone(), value.span());
        let depth = name.split('.').count();
        let is_known = match outer {
            "feed.schedules" => true,
            _ if outer.starts_with("feed.schedules.") => matches!(&**key.get_ref(), "provider" | "types"),
            _ => Key::find(&name).is_some() || KEYS.iter().any(|key| key.place().0 == Some(&name)),
        };
        if !is_known {
            let siblings = || {
                let of_tables = KEYS.iter().map(Key::place);
                let here = of_tables.filter_map(|(table, name)| match table {
                    Some(table) if table == outer => Some(name),
                    Some(table) if outer.is_empty() => Some(table),
                    None if outer.is_empty() => Some(name),
                    _ => None,
                });
                let in_schedule = outer.starts_with("feed.schedules.").then_some(["provider", "types"]);
                here.chain(in_schedule.into_iter().flatten())
            };
            let near = nearest(key.get_ref(), siblings()).map(|near| format!("did you mean \"{near}\"?"));
            let elsewhere = KEYS.iter().find(|known| known.place().1 == &**key.get_ref());
            let elsewhere = elsewhere.map(|known| match known.place() {
                (Some(table), name) => format!("\"{name}\" belongs in [{table}]"),
                (None, name) => format!("\"{name}\" belongs above all tables"),
            });
            let what = format!("there is no setting \"{name}\"");
            problems.push(Problem { origin: Origin::File(key.span()), what, hint: elsewhere.or(near) });
        } else if let DeValue::Table(inner) = value.get_ref() {
            let is_deep = Key::find(&name).is_none_or(|key| key.kind == Type::Schedules);
            if is_deep && depth < 4 {
                collect_spans(inner, &name, spans, problems);
            }
        } else if Key::find(&name).is_none() && !outer.starts_with("feed.schedules") {
            let what = format!("{name} is a table: write [{name}] and its settings below");
            problems.push(Problem { origin: Origin::File(value.span()), what, hint: None });
        }
    }
}
