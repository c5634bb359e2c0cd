//! The forms that people read elsewhere: an issue, metrics, a private page.

use std::fmt::Write as _;

use directory::audit::{Rule, Strength};
use directory::visible;
use serde_json::Value;

use super::{Report, SHOWN};

impl Report<'_> {
    /// For an issue that is kept up to date.
    pub(crate) fn markdown(&self) -> String {
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

    /// Metrics, for the textfile collector of Prometheus's node exporter.
    pub(crate) fn prometheus(&self) -> String {
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
                "Pairs of a plan and a state without a clinician who takes new patients.",
                self.audit.gaps.len(),
            ),
            ("nameplate_audit_held_sources", "Sources that were held back.", self.audit.held.len()),
            (
                "nameplate_audit_allowed_findings",
                "Findings that allow.toml accepts.",
                self.audit.allowed.len(),
            ),
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
    pub(crate) fn html(&self, history: &[Value]) -> String {
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

/// A text with the characters of Markdown and HTML escaped.
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

/// A text as inline code. Its backticks are replaced, since they would end the code.
fn code(text: &str) -> String {
    format!("`{}`", visible::line(text).replace('`', "'"))
}

fn html(text: &str) -> String {
    visible::line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
