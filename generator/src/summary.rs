//! What a build did, for the terminal.

use std::fmt;
use std::path::Path;

/// What was published, and what changed by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub(crate) files: usize,
    pub(crate) written: usize,
    pub(crate) removed: usize,
    pub(crate) bytes: u64,
    pub(crate) generation: String,
    pub(crate) notes: Vec<String>,
    pub(crate) changes: Vec<String>,
}

impl Summary {
    /// How many files are published now.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files
    }

    /// How many of them are new or differ from what was published before.
    #[must_use]
    pub fn written(&self) -> usize {
        self.written
    }

    /// How many files are no longer published.
    #[must_use]
    pub fn removed(&self) -> usize {
        self.removed
    }

    /// Whether the output was left as it was.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.written == 0 && self.removed == 0
    }

    /// The bytes of all published files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The generation of the content.
    #[must_use]
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// What changed for patients, a sentence each; empty for a first publication.
    #[must_use]
    pub fn changes(&self) -> &[String] {
        &self.changes
    }

    /// The same for a pull request. Whatever comes from content stands in it as text and not as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let count =
            |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
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
        let size = Size(self.bytes);
        text + &format!("\n{}, {size}, generation `{}`\n", count(self.files, "file"), self.generation)
    }

    /// What a person should know about the tree, a sentence each.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// What is said of files that no build had put into the output, and that went with the old tree.
pub(crate) fn foreign(names: &[String], out: &Path) -> Option<String> {
    /// More than these are counted only.
    const NAMED: usize = 10;
    let shown = names.iter().take(NAMED).map(|name| name.escape_debug().to_string()).collect::<Vec<_>>();
    let more = names.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let files = if names.len() == 1 { "1 file".to_owned() } else { format!("{} files", names.len()) };
    (!names.is_empty()).then(|| {
        format!(
            "{files} that no build had put into {} went with the old tree: {}{more}; what should be published \
             belongs into the site's \"assets\"",
            out.display(),
            shown.join(", ")
        )
    })
}

/// A text in which no character means anything to Markdown, and nobody is called by `@`.
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

/// One line, and one more for each change and each note: `240 files, 3 written, 1 removed, 412.6 KB`.
impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} files, ", self.files)?;
        if self.is_unchanged() {
            formatter.write_str("nothing changed, ")?;
        } else {
            write!(formatter, "{} written, {} removed, ", self.written, self.removed)?;
        }
        write!(formatter, "{}", Size(self.bytes))?;
        self.changes.iter().try_for_each(|change| write!(formatter, "\n- {change}"))?;
        self.notes.iter().try_for_each(|note| write!(formatter, "\nnote: {note}"))
    }
}

/// Bytes as people read them, in powers of a thousand.
struct Size(u64);

impl fmt::Display for Size {
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
    fn it_reads_as_a_line() {
        let summary = Summary {
            files: 240,
            written: 3,
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
        assert_eq!(unchanged.to_string(), "240 files, nothing changed, 999 bytes");
    }
}
