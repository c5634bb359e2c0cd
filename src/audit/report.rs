//! The findings with the lines that they are about, and their forms for people and programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use chrono::NaiveDate;
use directory::Directory;
use directory::accuracy::Counts;
use directory::audit::{Audit, Finding, Place, Rule, Strength, Witness};
use directory::content::{Folder, Located, locate};
use directory::visible;
use serde_json::{Value, json};

use crate::content::count;

/// How many findings are drawn for people, and as annotations.
const SHOWN: usize = 100;
/// The largest content file.
const LARGEST: u64 = 1 << 20;

/// The result of an audit, as it is printed.
pub(super) struct Report<'a> {
    pub(super) folder: &'a Path,
    pub(super) audit: &'a Audit,
    pub(super) notes: &'a [String],
    pub(super) today: NaiveDate,
    /// The standing of the confirmations, if the clinic has a policy.
    pub(super) counts: Option<Counts>,
    texts: BTreeMap<String, String>,
}

impl<'a> Report<'a> {
    /// Reads the files that the findings are about.
    pub(super) fn new(
        folder: &'a Path,
        audit: &'a Audit,
        notes: &'a [String],
        directory: &Directory,
        today: NaiveDate,
    ) -> Self {
        let mut texts = BTreeMap::new();
        let mut buffer = Vec::new();
        if let Ok(opened) = Folder::open(folder) {
            for Finding { place, witness, .. } in alarms(audit) {
                let other = match witness {
                    Some(Witness::Content(other)) => Some(other),
                    _ => None,
                };
                for Place { path, .. } in [place].into_iter().chain(other) {
                    if !texts.contains_key(path)
                        && opened.read(Path::new(path), LARGEST, &mut buffer).is_ok()
                        && let Ok(text) = String::from_utf8(std::mem::take(&mut buffer))
                    {
                        texts.insert(path.clone(), text);
                    }
                }
            }
        }
        let counts = directory.accuracy().map(|policy| Counts::at(directory, policy, today));
        Self { folder, audit, notes, today, counts, texts }
    }

    fn located(&self, place: &Place) -> Option<(&str, Located)> {
        let text = self.texts.get(&place.path)?;
        Some((text, locate(text, place)?))
    }

    /// The file with the folder's name before it, the line and the column.
    fn position(&self, place: &Place) -> (String, usize, usize) {
        let path = self.folder.join(&place.path).display().to_string();
        let found = self.located(place).map(|(_, found)| (found.line, found.column));
        let (line, column) = found.unwrap_or((1, 1));
        (path, line, column)
    }

    /// The other statement, in words.
    fn witness(&self, witness: &Witness) -> String {
        match witness {
            Witness::Content(place) => {
                let (path, line, column) = self.position(place);
                format!("{path}:{line}:{column}")
            }
            Witness::Row { file, line, says } => format!("{file}:{line}: {says}"),
            Witness::Source { file } => format!("{file}, which lists everybody"),
        }
    }

    fn number(&self, strength: Strength) -> usize {
        self.audit.of(strength).count()
    }

    /// The last line: what was found.
    pub(super) fn summary(&self) -> String {
        let mut text = format!(
            "{} certain, {} likely; {}",
            self.number(Strength::Certain),
            self.number(Strength::Likely),
            count(self.audit.gaps.len(), "gap")
        );
        if self.audit.allowed > 0 {
            _ = write!(text, "; {} accepted in allow.toml", self.audit.allowed);
        }
        if !self.audit.held.is_empty() {
            _ = write!(text, "; {} held", count(self.audit.held.len(), "source"));
        }
        text
    }

    /// For people, with the line and a caret.
    pub(super) fn text(&self, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        let mut text = String::new();
        for finding in alarms(self.audit).take(SHOWN) {
            text.push_str(&self.draw(finding, &renderer));
            text.push_str("\n\n");
        }
        let more = alarms(self.audit).count().saturating_sub(SHOWN);
        if more > 0 {
            _ = writeln!(text, "… and {more} more: `--format json` lists all\n");
        }
        for (file, why) in &self.audit.held {
            _ = writeln!(text, "held: {} judges nobody: {}\n", visible::line(file), visible::line(why));
        }
        for note in self.notes {
            _ = writeln!(text, "note: {}", visible::line(note));
        }
        for gap in &self.audit.gaps {
            _ = writeln!(
                text,
                "gap: nobody who takes \"{}\" in {} accepts new patients there ({})",
                visible::line(&gap.plan),
                gap.state,
                count(gap.clinicians, "clinician")
            );
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
        match self.located(&finding.place) {
            Some((text, Located { span, .. })) => {
                let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
                let line_text = text[start..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
                let end = (span.end - start).min(line_text.len()).max(span.start - start);
                // Long lines, such as a biography, are cut around the marked part.
                let (shown, marked) = window(line_text, span.start - start..end);
                let snippet = Snippet::source(visible::line(shown).into_owned()).line_start(line).path(path);
                group = group.element(snippet.annotation(AnnotationKind::Primary.span(marked)));
            }
            None => group = group.element(Origin::path(path).line(line).char_column(column)),
        }
        if let Some(witness) = &finding.witness {
            group = group.element(Level::NOTE.message(format!("against {}", self.witness(witness))));
        }
        group = group.element(Level::HELP.message(visible::line(&finding.advice).into_owned()));
        renderer.render(&[group])
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        let findings: Vec<_> = alarms(self.audit)
            .map(|finding| {
                let (path, line, column) = self.position(&finding.place);
                json!({
                    "name": finding.name,
                    "rule": finding.rule.name(),
                    "strength": finding.strength.word(),
                    "provider": finding.slug.as_ref().map(directory::model::Slug::as_str),
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
            self.audit.held.iter().map(|(file, why)| json!({"file": file, "why": why})).collect();
        let gaps: Vec<_> = self
            .audit
            .gaps
            .iter()
            .map(|gap| json!({"plan": gap.plan, "state": gap.state.code(), "clinicians": gap.clinicians}))
            .collect();
        json!({
            "on": self.today.to_string(),
            "certain": self.number(Strength::Certain),
            "likely": self.number(Strength::Likely),
            "allowed": self.audit.allowed,
            "findings": findings,
            "held": held,
            "notes": self.notes,
            "gaps": gaps,
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

    /// Annotations of a pull request on GitHub.
    pub(super) fn github(&self) -> String {
        let escaped =
            |text: &str| visible::lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        let property = |text: &str| escaped(text).replace(':', "%3A").replace(',', "%2C");
        let mut text = String::new();
        for finding in alarms(self.audit).take(SHOWN) {
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
        for (file, why) in &self.audit.held {
            _ = writeln!(
                text,
                "::warning title=nameplate audit::{} judges nobody: {}",
                escaped(file),
                escaped(why)
            );
        }
        _ = writeln!(text, "::notice title=nameplate audit::{}", escaped(&self.summary()));
        text
    }

    /// For an issue that is kept up to date.
    pub(super) fn markdown(&self) -> String {
        let mut text = format!("# Audit of {}\n\n{}.\n", self.today, self.summary());
        for (strength, title) in [(Strength::Certain, "Certain"), (Strength::Likely, "Likely")] {
            if self.number(strength) == 0 {
                continue;
            }
            _ = writeln!(text, "\n## {title}\n");
            for finding in self.audit.of(strength).take(SHOWN) {
                let (path, line, _) = self.position(&finding.place);
                let against = finding.witness.as_ref().map_or_else(String::new, |witness| {
                    format!(", against {}", code(&self.witness(witness)))
                });
                _ = writeln!(
                    text,
                    "- [ ] {} ({}{against}). {}. {}",
                    plain(&finding.what),
                    code(&format!("{path}:{line}")),
                    plain(&finding.advice),
                    code(&finding.name)
                );
            }
            let more = self.number(strength).saturating_sub(SHOWN);
            if more > 0 {
                _ = writeln!(text, "\n… and {more} more.");
            }
        }
        if !self.audit.held.is_empty() {
            text.push_str("\n## Sources that were held\n\n");
            for (file, why) in &self.audit.held {
                _ = writeln!(text, "- {}: {}", code(file), plain(why));
            }
        }
        if !self.audit.gaps.is_empty() {
            text.push_str("\n## Gaps\n\n| plan | state | clinicians |\n|---|---|---|\n");
            for gap in &self.audit.gaps {
                _ = writeln!(
                    text,
                    "| {} | {} | {} |",
                    plain(&gap.plan).replace('|', "\\|"),
                    gap.state,
                    gap.clinicians
                );
            }
        }
        for note in self.notes {
            _ = writeln!(text, "\n{}", plain(note));
        }
        text
    }

    /// For a textfile collector.
    pub(super) fn prometheus(&self) -> String {
        let mut text = String::from(
            "# HELP nameplate_audit_findings Findings of the audit, by rule and strength.\n# TYPE nameplate_audit_findings gauge\n",
        );
        for rule in Rule::ALL {
            for strength in [Strength::Certain, Strength::Likely] {
                let number = self.audit.of(strength).filter(|finding| finding.rule == *rule).count();
                if number > 0 {
                    _ = writeln!(
                        text,
                        "nameplate_audit_findings{{rule=\"{rule}\",strength=\"{}\"}} {number}",
                        strength.word()
                    );
                }
            }
        }
        for (name, help, number) in [
            (
                "nameplate_audit_gaps",
                "Plans that nobody takes for new patients in a state.",
                self.audit.gaps.len(),
            ),
            ("nameplate_audit_held_sources", "Sources that judge nobody.", self.audit.held.len()),
            ("nameplate_audit_allowed_findings", "Findings that allow.toml accepts.", self.audit.allowed),
        ] {
            _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {number}");
        }
        if let Some(counts) = &self.counts {
            let name = "nameplate_audit_providers";
            _ = writeln!(
                text,
                "# HELP {name} Clinicians by the standing of their confirmation.\n# TYPE {name} gauge"
            );
            for (word, number) in counts.each() {
                _ = writeln!(text, "{name}{{confirmation=\"{word}\"}} {number}");
            }
        }
        text
    }

    /// A private page, whole in one file. `history`: the counts of earlier days.
    pub(super) fn html(&self, history: &[Value]) -> String {
        let mut text = String::from(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"robots\" content=\"noindex\">\n<title>Audit</title>\n<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ccc}code{font-size:.9em}</style>\n",
        );
        _ = writeln!(text, "<h1>Audit of {}</h1>\n<p>{}.</p>", self.today, html(&self.summary()));
        if let Some(counts) = &self.counts {
            text.push_str("<h2>Confirmations</h2>\n<table><tr><th>standing<th>clinicians</tr>\n");
            for (word, number) in counts.each() {
                _ = writeln!(text, "<tr><td>{word}<td>{number}</tr>");
            }
            text.push_str("</table>\n");
        }
        for (strength, title) in [(Strength::Certain, "Certain"), (Strength::Likely, "Likely")] {
            _ = writeln!(text, "<h2>{title}: {}</h2>\n<table>", self.number(strength));
            for finding in self.audit.of(strength) {
                let (path, line, column) = self.position(&finding.place);
                let against = finding.witness.as_ref().map_or_else(String::new, |witness| {
                    format!("<br>against <code>{}</code>", html(&self.witness(witness)))
                });
                _ = writeln!(
                    text,
                    "<tr><td>{}<br><code>{}:{line}:{column}</code>{against}<td>{}<br><code>{}</code></tr>",
                    html(&finding.what),
                    html(&path),
                    html(&finding.advice),
                    finding.name
                );
            }
            text.push_str("</table>\n");
        }
        if !self.audit.held.is_empty() {
            text.push_str("<h2>Sources that were held</h2>\n<ul>\n");
            for (file, why) in &self.audit.held {
                _ = writeln!(text, "<li><code>{}</code>: {}</li>", html(file), html(why));
            }
            text.push_str("</ul>\n");
        }
        if !self.audit.gaps.is_empty() {
            text.push_str("<h2>Gaps</h2>\n<table><tr><th>plan<th>state<th>clinicians</tr>\n");
            for gap in &self.audit.gaps {
                _ = writeln!(text, "<tr><td>{}<td>{}<td>{}</tr>", html(&gap.plan), gap.state, gap.clinicians);
            }
            text.push_str("</table>\n");
        }
        if !history.is_empty() {
            text.push_str("<h2>Over time</h2>\n<table><tr><th>day<th>certain<th>likely<th>gaps<th>confirmed<th>lapsed or never</tr>\n");
            for line in history {
                let number = |value: &Value| {
                    value.as_u64().map_or_else(|| "–".to_owned(), |number| number.to_string())
                };
                let standing = &line["confirmations"];
                let bad = standing["lapsed"].as_u64().zip(standing["never"].as_u64());
                _ = writeln!(
                    text,
                    "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
                    html(line["on"].as_str().unwrap_or("–")),
                    number(&line["certain"]),
                    number(&line["likely"]),
                    number(&line["gaps"]),
                    number(&standing["confirmed"]),
                    bad.map_or_else(|| "–".to_owned(), |(lapsed, never)| (lapsed + never).to_string())
                );
            }
            text.push_str("</table>\n");
        }
        text
    }
}

/// What is told: a question is asked of the clinician alone.
fn alarms(audit: &Audit) -> impl Iterator<Item = &Finding> {
    audit.findings.iter().filter(|finding| finding.strength != Strength::Question)
}

/// A part of a long line around what is marked, and the mark in it.
fn window(line: &str, marked: std::ops::Range<usize>) -> (&str, std::ops::Range<usize>) {
    const BEFORE: usize = 60;
    const BEHIND: usize = 120;
    let boundary = |mut at: usize| {
        at = at.min(line.len());
        while !line.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let marked = boundary(marked.start)..boundary(marked.end);
    let from = if line.len() <= BEFORE + BEHIND { 0 } else { boundary(marked.start.saturating_sub(BEFORE)) };
    let to = boundary(marked.start + BEHIND);
    let to = if line.len() <= BEFORE + BEHIND { line.len() } else { to };
    (&line[from..to], marked.start - from..marked.end.min(to) - from)
}

/// A text without the signs of Markdown and HTML.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in visible::line(text).chars() {
        if "\\`*_[]<>#@".contains(c) {
            plain.push('\\');
        }
        plain.push(c);
    }
    plain
}

/// A text as code. Ticks in it would end it.
fn code(text: &str) -> String {
    format!("`{}`", visible::line(text).replace('`', "'"))
}

fn html(text: &str) -> String {
    visible::line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
