//! Merges the layers of settings: defaults, file, environment, flags. A later layer overrides an earlier one. All are tables
//! of TOML, and each value knows where it is from by its span. Values that are not of the file have spans far behind its end,
//! one for each origin.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::inline::inline;
use super::keys::{KEYS, PREFIX};
use super::secrets::masked;
use authoring::near::{nearest, reword_serde_error};
use directory::content::{meaning_of_syntax_error, toml_text};
use feed::CALENDARS_VARIABLE;

pub(super) const FILE_VARIABLE: &str = "NAMEPLATE_CONFIG";
/// Where the spans of values begin that are not of the file. The first is that of the defaults.
const ELSEWHERE: usize = usize::MAX / 2;

pub(super) type Span = Range<usize>;

#[derive(Debug, Default)]
pub(super) struct Layers {
    pub(super) table: DeTable<'static>,
    /// The environment variables and flags that set values.
    origins: Vec<String>,
    /// The name and the text.
    file: Option<(String, &'static str)>,
}

#[derive(Debug)]
pub(super) struct Problem {
    pub(super) span: Span,
    what: String,
    hint: Option<String>,
}

impl Layers {
    pub(super) fn new() -> Self {
        let mut layers = Self::default();
        set_defaults(&mut layers.table, "");
        layers
    }

    pub(super) fn add_file(&mut self, path: &Path, text: String, problems: &mut Vec<Problem>) {
        // Settings are read once in a process, and their tables borrow the text.
        let text: &'static str = text.leak();
        let (parsed, errors) = DeTable::parse_recoverable(text);
        // A second error in a line is mostly the first one's.
        let mut lines = BTreeSet::new();
        let line_of =
            |error: &toml::de::Error| error.span().map(|span| text[..span.start].matches('\n').count());
        problems.extend(errors.iter().filter(|error| lines.insert(line_of(error))).map(|error| {
            let (what, hint) = meaning_of_syntax_error(error.message());
            let (what, hint) = (what.to_owned(), Some(hint.to_owned()));
            Problem { span: error.span().unwrap_or_default(), what, hint }
        }));
        // With broken syntax, further mistakes may follow from it and are not reported.
        if errors.is_empty() {
            for (key, mut value) in parsed.into_inner() {
                match (self.table.get_mut(&**key.get_ref()).map(Spanned::get_mut), value.get_mut()) {
                    (Some(DeValue::Table(known)), DeValue::Table(new)) => known.extend(std::mem::take(new)),
                    _ => _ = self.table.insert(key, value),
                }
            }
        }
        self.file = Some((path.display().to_string(), text));
    }

    /// Returns warnings about unknown variables, not errors: container platforms set variables named after services.
    pub(super) fn add_environment(
        &mut self,
        variables: impl Iterator<Item = (String, String)>,
        problems: &mut Vec<Problem>,
    ) -> Vec<String> {
        let (mut unknown, mut has_calendars) = (Vec::new(), false);
        for (variable, text) in variables {
            if variable == CALENDARS_VARIABLE {
                has_calendars = !text.is_empty();
                continue;
            }
            let is_other = [FILE_VARIABLE, authoring::attest::KEY_VARIABLE].contains(&variable.as_str());
            let Some(bare) = variable.strip_prefix(PREFIX).filter(|_| !is_other) else { continue };
            if let Some(key) = KEYS.iter().find(|key| key.variable() == variable) {
                // An empty variable counts as not set.
                if !text.is_empty() {
                    self.set(&key.full_name(), &key.literal(&text), variable);
                }
                continue;
            }
            // Without the common prefix, which would make all names similar.
            let known: Vec<_> = KEYS.iter().map(|key| key.variable().split_off(PREFIX.len())).collect();
            let near = nearest(bare, known.iter().map(String::as_str));
            let hint = near.map(|near| format!("; did you mean {PREFIX}{near}?")).unwrap_or_default();
            unknown.push(format!("the environment variable {variable} isn't a setting{hint}"));
        }
        if has_calendars {
            problems.extend(self.add_calendars());
        }
        unknown.sort();
        unknown
    }

    /// The environment has calendars. They are secret, so the setting is the name of their variable.
    fn add_calendars(&mut self) -> Option<Problem> {
        match self.get("feed.calendars") {
            Some(file) if file.get_ref().as_str() != Some(CALENDARS_VARIABLE) => {
                let what = format!(
                    "the environment variable {CALENDARS_VARIABLE} has calendars, too: remove this setting, or unset the variable"
                );
                Some(self.problem("feed.calendars", Some(file.span()), &what))
            }
            _ => {
                self.set("feed.calendars", &toml_text(CALENDARS_VARIABLE), CALENDARS_VARIABLE.to_owned());
                None
            }
        }
    }

    /// Adds the flags that are given. They have the settings' names, but for a few.
    pub(super) fn add_flags(&mut self, flags: &impl Serialize) -> Result<(), toml::ser::Error> {
        for (flag, value) in toml::Table::try_from(flags)? {
            let name = match flag.as_str() {
                "log-format" => "log.format",
                "log-level" => "log.level",
                "access-log" => "log.access",
                "state-dir" => "state",
                name => name,
            };
            if value != false.into() && value != toml::Value::Array(Vec::new()) {
                self.set(name, &inline(&value), format!("--{flag}"));
            }
        }
        Ok(())
    }

    pub(super) fn set(&mut self, name: &str, literal: &str, origin: String) {
        self.origins.push(origin);
        set(&mut self.table, name, literal, ELSEWHERE + self.origins.len());
    }

    /// Replaces a default that nothing has set.
    pub(super) fn set_default(&mut self, name: &str, literal: &str) {
        if self.is_default(name) {
            set(&mut self.table, name, literal, ELSEWHERE);
        }
    }

    pub(super) fn is_default(&self, name: &str) -> bool {
        self.get(name).is_none_or(|value| value.span().start == ELSEWHERE)
    }

    pub(super) fn remove_of_feed(&mut self, name: &str) {
        if let Some(DeValue::Table(feed)) = self.table.get_mut("feed").map(Spanned::get_mut) {
            feed.remove(name);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Spanned<DeValue<'static>>> {
        let mut names = name.split('.');
        let first = self.table.get(names.next()?)?;
        names.try_fold(first, |value, name| value.get_ref().as_table()?.get(name))
    }

    pub(super) fn overrides_file(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value.span().start > ELSEWHERE)
    }

    /// The place of a value: a line of the file, a variable, a flag or "default".
    pub(super) fn origin(&self, span: &Span) -> String {
        match (span.start.checked_sub(ELSEWHERE), &self.file) {
            (None, Some((name, text))) => {
                let before = text.get(..span.start).unwrap_or_default();
                format!("{name}:{}", before.matches('\n').count() + 1)
            }
            (Some(number @ 1..), _) => self.origins.get(number - 1).cloned().unwrap_or_default(),
            _ => "default".to_owned(),
        }
    }

    pub(super) fn problem(&self, name: &str, span: Option<Span>, what: &str) -> Problem {
        let span = span.unwrap_or(ELSEWHERE..ELSEWHERE);
        let name = if span.start > ELSEWHERE { &self.origin(&span) } else { name };
        Problem { span, what: format!("{name}: {what}"), hint: None }
    }

    /// Reads a table that is called `name`. Each mistake is a problem; then its default is read, to find the next mistake.
    pub(super) fn read<T: DeserializeOwned>(
        &self,
        name: &str,
        mut table: DeTable<'static>,
        problems: &mut Vec<Problem>,
    ) -> Option<T> {
        let mut is_first = true;
        loop {
            let whole = Spanned::new(ELSEWHERE..ELSEWHERE, table.clone());
            let error = match T::deserialize(Deserializer::from(whole)) {
                Ok(read) => return Some(read),
                Err(error) => error,
            };
            let span = error.span().unwrap_or(ELSEWHERE..ELSEWHERE);
            // A setting that is missing may be the one that was wrong.
            let is_consequence = !std::mem::take(&mut is_first) && error.message().starts_with("missing");
            let Some(found) = remove(&mut table, &span).filter(|_| span.start != ELSEWHERE) else {
                let (what, _) = reword_serde_error(error.message());
                if !is_consequence {
                    problems.push(self.problem(name, Some(span), &what));
                }
                return None;
            };
            let full = if name.is_empty() { found.clone() } else { format!("{name}.{found}") };
            // Of another table, the defaults would be unknown names.
            if name.is_empty() {
                set_defaults(&mut table, &found);
            }
            if is_consequence {
                continue;
            }
            problems.push(if !error.message().starts_with("unknown field") {
                let (what, hint) = reword_serde_error(error.message());
                Problem { hint, ..self.problem(&full, Some(span), &what) }
            } else if KEYS.iter().any(|key| key.full_name() == full) {
                let other = match full.as_str() {
                    "feed.unlisted" => "name the calendars (kind = \"ics\" and calendars = \"calendars\")",
                    _ => "set another kind",
                };
                let what = format!("this kind of feed has no such setting: remove it, or {other}");
                self.problem(&full, Some(span), &what)
            } else {
                Problem {
                    what: format!("there is no setting \"{full}\""),
                    hint: place_of(&full).or_else(|| reword_serde_error(error.message()).1),
                    span,
                }
            });
        }
    }

    pub(super) fn drawn(&self, problem: &Problem, styled: bool) -> String {
        let Problem { span, what, hint } = problem;
        let mut group = Group::with_title(Level::ERROR.primary_title(what.as_str()));
        if let Some((name, text)) = self.file.as_ref().filter(|_| span.start < ELSEWHERE) {
            let end = text.len();
            let span = span.start.min(end)..span.end.min(end);
            let snippet = Snippet::source(masked(text)).path(name);
            group = group.element(snippet.annotation(AnnotationKind::Primary.span(span)));
        }
        if let Some(hint) = hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

impl Problem {
    pub(super) fn general(what: String) -> Self {
        Self { span: ELSEWHERE..ELSEWHERE, what, hint: None }
    }

    /// What is wrong, if no line shows it.
    pub(super) fn of_no_setting(&self) -> Option<&str> {
        (self.span == (ELSEWHERE..ELSEWHERE) && self.hint.is_none()).then_some(&*self.what)
    }
}

fn set(table: &mut DeTable<'static>, name: &str, literal: &str, at: usize) {
    let key = |name: &str| Spanned::new(at..at, name.to_owned().into());
    let (table, name) = match name.split_once('.') {
        None => (table, name),
        Some((outer, name)) => {
            let inner = table
                .entry(key(outer))
                .or_insert_with(|| Spanned::new(at..at, DeValue::Table(DeTable::new())));
            // A value in the place of a table is reported when it is read.
            let DeValue::Table(inner) = inner.get_mut() else { return };
            (inner, name)
        }
    };
    let literal: &'static str = literal.to_owned().leak();
    let value = DeValue::parse(literal).map_or_else(|_| DeValue::String(literal.into()), Spanned::into_inner);
    table.insert(key(name), Spanned::new(at..at, value));
}

/// Sets the defaults of a setting, of a table, or of all for an empty name.
fn set_defaults(table: &mut DeTable<'static>, of: &str) {
    for key in KEYS.iter().filter(|key| key.is_set) {
        let name = key.full_name();
        if of.is_empty() || name == of || key.table == of {
            set(table, &name, key.sample, ELSEWHERE);
        }
    }
}

fn remove(table: &mut DeTable<'static>, span: &Span) -> Option<String> {
    for (key, value) in table.iter_mut() {
        if let DeValue::Table(inner) = value.get_mut()
            && let Some(name) = remove(inner, span)
        {
            return Some(format!("{}.{name}", key.get_ref()));
        }
    }
    let is_it = |(key, value): &(&Spanned<_>, &Spanned<DeValue<'_>>)| {
        // A mistake may be in an item of a list.
        let is_in = || value.get_ref().is_array() && value.span().contains(&span.start);
        key.span() == *span || value.span() == *span || is_in()
    };
    let name = table.iter().find(is_it)?.0.get_ref().to_string();
    table.remove(&*name);
    Some(name)
}

fn place_of(full: &str) -> Option<String> {
    let (table, bare) = full.rsplit_once('.').unwrap_or(("", full));
    match KEYS.iter().find(|key| key.name == bare) {
        Some(key) if key.table.is_empty() => Some(format!("\"{bare}\" belongs above the first table")),
        Some(key) => Some(format!("\"{bare}\" belongs in [{}]", key.table)),
        None => {
            let known = KEYS.iter().filter(|key| key.table == table).map(|key| key.name);
            let tables = KEYS.iter().map(|key| key.table).filter(|name| table.is_empty() && !name.is_empty());
            nearest(bare, known.chain(tables)).map(|near| format!("did you mean \"{near}\"?"))
        }
    }
}
