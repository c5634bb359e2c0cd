//! Formats an audit as text with excerpts of the files, as JSON, or as GitHub annotations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use audit::Audit;
use chrono::NaiveDate;
use directory::Directory;
use directory::accuracy::Counts;
use directory::content::{Excerpt, Folder, Located, locate};
use directory::statements::{Finding, Place, Strength, Witness};
use directory::visible;
use serde_json::{Value, json};

use crate::check::escaped;
use directory::told::count;

/// The maximum number of findings in the text or the annotations.
const MAX_SHOWN: usize = 100;
const MAX_FILE_BYTES: u64 = 1 << 20;

pub(super) struct Report<'a> {
    pub(super) folder: &'a Path,
    pub(super) audit: &'a Audit,
    pub(super) notes: &'a [String],
    /// Whether a source was named.
    pub(super) has_sources: bool,
    pub(super) today: NaiveDate,
    /// How many confirmations are current, due and so on, if the clinic has an `[accuracy]` policy.
    pub(super) counts: Option<Counts>,
    texts: BTreeMap<String, String>,
}

impl<'a> Report<'a> {
    /// Also reads the files that the findings point to. A file that can't be read is shown without an excerpt.
    pub(super) fn new(
        folder: &'a Path,
        audit: &'a Audit,
        notes: &'a [String],
        has_sources: bool,
        directory: &Directory,
        today: NaiveDate,
    ) -> Self {
        let mut texts = BTreeMap::new();
        let mut buffer = Vec::new();
        if let Ok(opened) = Folder::open(folder) {
            for Finding { place, witness, .. } in alarms(audit) {
                let compared = if let Some(Witness::Content(place)) = witness { Some(place) } else { None };
                for Place { path, .. } in [place].into_iter().chain(compared) {
                    if !texts.contains_key(path)
                        && opened.read(Path::new(path), MAX_FILE_BYTES, &mut buffer).is_ok()
                        && let Ok(text) = String::from_utf8(std::mem::take(&mut buffer))
                    {
                        texts.insert(path.clone(), text);
                    }
                }
            }
        }
        let counts = directory.accuracy().map(|policy| Counts::at(directory, policy, today));
        Self { folder, audit, notes, has_sources, today, counts, texts }
    }

    fn located(&self, place: &Place) -> Option<(&str, Located)> {
        let text = self.texts.get(&place.path)?;
        Some((text, locate(text, place)?))
    }

    /// Returns the path, the line and the column; the first character of the file if the place is not found.
    fn position(&self, place: &Place) -> (String, usize, usize) {
        let path = self.folder.join(&place.path).display().to_string();
        let found = self.located(place).map(|(_, found)| (found.line, found.column));
        let (line, column) = found.unwrap_or((1, 1));
        (path, line, column)
    }

    fn witness(&self, witness: &Witness) -> String {
        match witness {
            Witness::Content(place) => {
                let (path, line, column) = self.position(place);
                format!("{path}:{line}:{column}")
            }
            Witness::Row { file, line, says } => format!("{file}:{line}: {says}"),
            Witness::Source { file } => format!("{file}, which is marked complete"),
        }
    }

    fn number(&self, strength: Strength) -> usize {
        self.audit.with_strength(strength).count()
    }

    pub(super) fn summary(&self) -> String {
        let only = if self.has_sources { "" } else { "Compared entries with each other only: " };
        let mut text = format!(
            "{only}{} certain, {} likely findings",
            self.number(Strength::Certain),
            self.number(Strength::Likely)
        );
        if !self.audit.allowed.is_empty() {
            _ = write!(text, "; {} accepted in allow.toml", self.audit.allowed.len());
        }
        if !self.audit.rejected.is_empty() {
            _ = write!(text, "; {} rejected", count(self.audit.rejected.len(), "source"));
        }
        if !self.has_sources {
            text.push_str(". For NPIs and licenses, add --sources (docs/ACCURACY.md).");
        }
        text
    }

    /// For people: each finding has an excerpt of the file with the value underlined.
    pub(super) fn text(&self, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        let mut text = String::new();
        for finding in alarms(self.audit).take(MAX_SHOWN) {
            text.push_str(&self.draw(finding, &renderer));
            text.push_str("\n\n");
        }
        let more = alarms(self.audit).count().saturating_sub(MAX_SHOWN);
        if more > 0 {
            _ = writeln!(text, "… and {more} more; use `--format json` to list all of them\n");
        }
        for (file, reason) in &self.audit.rejected {
            _ = writeln!(text, "{} was rejected: {}\n", visible::line(file), visible::line(reason));
        }
        for note in self.notes {
            _ = writeln!(text, "note: {}", visible::line(note));
        }
        if let Some(counts) = &self.counts {
            let each: Vec<_> = counts.each().map(|(word, number)| format!("{number} {word}")).collect();
            _ = writeln!(text, "confirmations: {}", each.join(", "));
        }
        _ = writeln!(text, "{}", self.summary());
        text
    }

    fn draw(&self, finding: &Finding, renderer: &Renderer) -> String {
        let level = match finding.strength {
            Strength::Certain => Level::ERROR.with_name("certain"),
            _ => Level::WARNING.with_name("likely"),
        };
        let title = format!("{} [{}]", visible::line(&finding.what), finding.name);
        let mut group = Group::with_title(level.primary_title(title));
        let (path, line, column) = self.position(&finding.place);
        match self.located(&finding.place).and_then(|(text, found)| Excerpt::cut(text, found.span)) {
            Some(excerpt) => {
                let snippet = Snippet::source(excerpt.text).line_start(line).path(path);
                group = group.element(snippet.annotation(AnnotationKind::Primary.span(excerpt.span)));
            }
            None => group = group.element(Origin::path(path).line(line).char_column(column)),
        }
        if let Some(witness) = &finding.witness {
            let against = format!("against {}", self.witness(witness));
            group = group.element(Level::NOTE.message(visible::line(&against).into_owned()));
        }
        group = group.element(Level::HELP.message(visible::line(&finding.advice).into_owned()));
        renderer.render(&[group])
    }

    pub(super) fn json(&self) -> Value {
        let findings: Vec<_> = alarms(self.audit)
            .map(|finding| {
                let (path, line, column) = self.position(&finding.place);
                json!({
                    "name": finding.name,
                    "rule": finding.rule.word(),
                    "strength": finding.strength.word(),
                    "provider": finding.slug.as_str(),
                    "path": path,
                    "line": line,
                    "column": column,
                    "what": finding.what,
                    "against": finding.witness.as_ref().map(|witness| self.witness(witness)),
                    "advice": finding.advice,
                })
            })
            .collect();
        let held: Vec<_> =
            self.audit.rejected.iter().map(|(file, reason)| json!({"file": file, "why": reason})).collect();
        json!({
            "on": self.today.to_string(),
            "certain": self.number(Strength::Certain),
            "likely": self.number(Strength::Likely),
            "allowed": self.audit.allowed.len(),
            "findings": findings,
            "held": held,
            "notes": self.notes,
            "confirmations": self.confirmations(),
        })
    }

    pub(super) fn confirmations(&self) -> Value {
        let Some(counts) = &self.counts else { return Value::Null };
        let mut members: serde_json::Map<_, _> =
            counts.each().map(|(word, number)| (word.to_owned(), json!(number))).collect();
        members.insert("byClinician".to_owned(), json!(counts.by_clinician));
        members.insert("byClinic".to_owned(), json!(counts.by_clinic));
        Value::Object(members)
    }

    pub(super) fn github(&self) -> String {
        let property = |text: &str| escaped(text).replace(':', "%3A").replace(',', "%2C");
        let mut text = String::new();
        for finding in alarms(self.audit).take(MAX_SHOWN) {
            let (path, line, column) = self.position(&finding.place);
            let level = if finding.strength == Strength::Certain { "error" } else { "warning" };
            let against = finding
                .witness
                .as_ref()
                .map_or_else(String::new, |witness| format!("\nagainst {}", self.witness(witness)));
            let message = format!("{}{against}\n{}", finding.what, finding.advice);
            _ = writeln!(
                text,
                "::{level} file={},line={line},col={column},title={}::{}",
                property(&path),
                property(&finding.name),
                escaped(&message)
            );
        }
        for (file, reason) in &self.audit.rejected {
            _ = writeln!(
                text,
                "::warning title=nameplate audit::{} was rejected: {}",
                escaped(file),
                escaped(reason)
            );
        }
        _ = writeln!(text, "::notice title=nameplate audit::{}", escaped(&self.summary()));
        text
    }
}

/// Returns the findings to print: all but the questions, which only the clinicians get.
fn alarms(audit: &Audit) -> impl Iterator<Item = &Finding> {
    audit.findings.iter().filter(|finding| finding.strength != Strength::Question)
}
