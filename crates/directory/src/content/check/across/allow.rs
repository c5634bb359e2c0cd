//! Texts that must not be published, unless `allow.toml` allows them with a reason.

use std::collections::HashSet;

use super::super::fields::File;
use super::super::lints::{ALLOW_PATH, Finding, LINTS, MISREAD};
use super::context::Context;
use crate::content::mistakes::nearest;
use crate::content::problem::{FileSpan, Kind, Problem};
use crate::content::problems::Problems;
use crate::content::raw::{AllowFile, Located};
use crate::content::sources::Sources;
use crate::misread;

pub(super) fn texts_may_be_published(context: &Context<'_>, problems: &mut Problems) {
    let allowed = allowed(context.sources, problems);
    let found: HashSet<_> = context.findings.kept.iter().map(Finding::key).collect();
    for allow in &allowed {
        if !found.contains(&allow.key()) {
            let place = FileSpan::new(ALLOW_PATH, &allow.text.span);
            let warning = Problem::warning(place, "Nothing in the content needs this entry anymore.");
            problems.push(warning.hint("Delete this entry."));
        }
    }
    let allowed: HashSet<_> = allowed.iter().map(Allowed::key).collect();
    let mut before: Option<&FileSpan> = None;
    for finding in context.findings.kept.iter().filter(|finding| !allowed.contains(&finding.key())) {
        let lint = &LINTS[finding.lint];
        // The value of an unknown key isn't published, such as a calendar's address.
        let is_unknown =
            |known: &Problem| known.kind == Kind::UnknownKey && known.path() == finding.place.path;
        if lint.name == "link" && context.known.iter().any(is_unknown) {
            continue;
        }
        // The lines of one list are one mistake.
        let is_next = |(before, place): (&FileSpan, &FileSpan)| {
            let gap = before.span.zip(place.start()).map(|((_, end), start)| start.saturating_sub(end));
            lint.name == "markdown"
                && before.path == place.path
                && gap.is_some_and(|gap| (1..4).contains(&gap))
        };
        if before.replace(&finding.place).zip(Some(&finding.place)).is_some_and(is_next) {
            continue;
        }
        let original = misread::original(finding.text.trim()).filter(|_| lint.name == MISREAD);
        let original = original.map(|word| format!("Did you mean \"{word}\"? ")).unwrap_or_default();
        let hint = format!(
            "{original}{} If you do want this text, add to allow.toml:\n[[allow]]\nlint = \"{}\"\ntext = \"{}\"\nreason = \"…\"    # why you want it",
            lint.hint,
            lint.name,
            escaped(finding.text.trim())
        );
        problems.push(Problem::new(lint.severity, finding.place.clone(), lint.what).hint(hint));
    }
    for (lint, path) in &context.findings.cut {
        let lint = &LINTS[*lint];
        let what = format!("The lint {} finds too many texts in this file to list them all.", lint.name);
        let problem = Problem::new(lint.severity, FileSpan::file(path), what);
        problems.push(problem.hint("Fix the listed ones, then check again."));
    }
}

type LintedText<'a> = (&'a str, &'a str);

impl Finding {
    fn key(&self) -> LintedText<'_> {
        (LINTS[self.lint].name, self.text.trim())
    }
}

struct Allowed {
    lint: String,
    text: Located<String>,
}

impl Allowed {
    fn key(&self) -> LintedText<'_> {
        (&self.lint, self.text.value.trim())
    }
}

fn allowed(sources: &Sources, problems: &mut Problems) -> Vec<Allowed> {
    let Some(text) = sources.text(ALLOW_PATH) else { return Vec::new() };
    let (mut file, raw) = File::read::<AllowFile>(ALLOW_PATH, text, problems);
    let mut allowed = Vec::new();
    for table in raw.allow {
        let lint = file.required_line(table.value.lint, Some(&table.span), "lint", "\"html\"");
        let reason = file.reason(table.value.reason, &table.span, "\"why you want it\"");
        if table.value.text.is_none() {
            file.missing(Some(&table.span), "text", "\"the exact text\"");
        }
        let (Some(lint), Some(()), Some(text)) = (lint, reason, table.value.text) else { continue };
        if LINTS.iter().all(|known| known.name != lint.value) {
            let names = LINTS.iter().map(|lint| lint.name);
            let hint = match nearest(&lint.value, names.clone()) {
                Some(near) => format!("Did you mean \"{near}\"?"),
                None => format!("The lints are: {}.", names.collect::<Vec<_>>().join(", ")),
            };
            file.error(&lint.span, format!("No lint is named \"{}\".", lint.value), hint);
            continue;
        }
        allowed.push(Allowed { lint: lint.value, text });
    }
    allowed
}

/// Escapes a text for TOML: quotes, backslashes and everything that may be invisible.
fn escaped(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        _ if c.is_alphanumeric() => c.to_string(),
        _ => format!("\\U{:08X}", u32::from(c)),
    };
    text.chars().map(escaped).collect()
}
