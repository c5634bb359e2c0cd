use std::fmt;
use std::path::Path;

use directory::told::count;

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    pub files: usize,
    /// New and changed files.
    pub written: usize,
    /// New, changed or removed; 0 for a first publication.
    pub pages: usize,
    pub answers: usize,
    pub removed: usize,
    /// Of all published files.
    pub bytes: u64,
    pub generation: String,
    /// For the operator.
    pub notes: Vec<String>,
    /// What changed for patients; empty for a first publication.
    pub changes: Vec<String>,
}

impl Summary {
    pub fn is_unchanged(&self) -> bool {
        self.written == 0 && self.removed == 0
    }

    /// Texts from the content are escaped.
    pub fn markdown(&self) -> String {
        let mut text = if self.is_unchanged() {
            "**Nothing changes.**\n".to_owned()
        } else {
            format!("**{} written, {} removed.**\n", count(self.written, "file"), self.removed)
        };
        if !self.changes.is_empty() {
            text.push('\n');
        }
        for change in &self.changes {
            text.extend(["- ", &escaped(change), "\n"]);
        }
        for note in &self.notes {
            text.extend(["\n> ", &escaped(note), "\n"]);
        }
        let size = ByteCount(self.bytes);
        text + &format!("\n{}, {size}, generation `{}`\n", count(self.files, "file"), self.generation)
    }
}

/// What became of the files of the old tree that no build had written.
pub(crate) fn foreign(removed: &[String], kept: &[String], out: &Path) -> impl Iterator<Item = String> {
    let help = "; to publish a file, put it into the site's \"assets\"";
    let removed = foreign_with(removed, out, "removed with the old tree", help);
    removed.into_iter().chain(foreign_with(kept, out, "kept", ""))
}

fn foreign_with(names: &[String], out: &Path, fate: &str, help: &str) -> Option<String> {
    const MAX_NAMES: usize = 10;
    let shown = names.iter().take(MAX_NAMES).map(|name| name.escape_debug().to_string()).collect::<Vec<_>>();
    let more = names.len().saturating_sub(MAX_NAMES);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let (files, were) = (count(names.len(), "file"), if names.len() == 1 { "was" } else { "were" });
    (!names.is_empty()).then(|| {
        format!(
            "{files} in {} that no build had written {were} {fate}: {}{more}{help}",
            out.display(),
            shown.join(", ")
        )
    })
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '@' => escaped.push_str("&#64;"),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '#' | '!' | '|' | '~' | '>' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// Such as `240 files, 3 written, 1 removed, 412.6 KB`, then a line for each change and each note.
impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} files, ", self.files)?;
        if self.is_unchanged() {
            formatter.write_str("all up to date, ")?;
        } else {
            write!(formatter, "{} written, {} removed, ", self.written, self.removed)?;
        }
        write!(formatter, "{}", ByteCount(self.bytes))?;
        self.changes.iter().try_for_each(|change| write!(formatter, "\n- {change}"))?;
        self.notes.iter().try_for_each(|note| write!(formatter, "\nnote: {note}"))
    }
}

/// In units of powers of 1000.
struct ByteCount(u64);

impl fmt::Display for ByteCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = |unit: u64| (self.0 * 10 / unit / 10, self.0 * 10 / unit % 10);
        let ((whole, tenth), unit) = match self.0 {
            0..1_000 => return write!(formatter, "{} bytes", self.0),
            1_000..1_000_000 => (tenths(1_000), "KB"),
            1_000_000..1_000_000_000 => (tenths(1_000_000), "MB"),
            _ => (tenths(1_000_000_000), "GB"),
        };
        write!(formatter, "{whole}.{tenth} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_displays_as_lines_and_as_escaped_markdown() {
        let summary = Summary {
            files: 240,
            written: 3,
            pages: 1,
            answers: 1,
            removed: 1,
            bytes: 412_680,
            generation: "0a1b".into(),
            notes: vec!["look here".into()],
            changes: vec!["Ada @moreau *is* <new>".into()],
        };
        assert_eq!(
            summary.markdown(),
            "**3 files written, 1 removed.**\n\n- Ada &#64;moreau \\*is\\* &lt;new\\>\n\n> look here\n\n\
             240 files, 412.6 KB, generation `0a1b`\n"
        );
        assert_eq!(
            summary.to_string(),
            "240 files, 3 written, 1 removed, 412.6 KB\n- Ada @moreau *is* <new>\nnote: look here"
        );
        let unchanged =
            Summary { written: 0, removed: 0, notes: Vec::new(), changes: Vec::new(), bytes: 999, ..summary };
        assert_eq!(unchanged.to_string(), "240 files, all up to date, 999 bytes");
    }
}
