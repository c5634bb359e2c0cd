//! Mistakes about a whole file. Each is reported alone, because it causes the other problems of the file.

use std::ops::Range;

use super::super::lines::each_line;
use super::super::problem::Kind;
use super::Mistake;

/// The lines that git writes around the two versions of a conflict.
const MARKERS: [&str; 3] = ["<<<<<<<", ">>>>>>>", "|||||||"];
const MIDDLE: &str = "=======";

pub(in super::super) fn rich_text(text: &str) -> Option<Mistake> {
    let what = "This is a word processor's file (RTF), not plain text.";
    let hint = "Save it as plain text under this name, which ends in .toml. In TextEdit: Format > Make Plain Text. In \
                WordPad: File > Save as > Plain text document.";
    text.starts_with("{\\rtf").then(|| Mistake::new(Kind::File, &(0..5), what, hint))
}

/// Explains a file that has lost its text, or whose letters have two bytes each.
pub(in super::super) fn without_text(path: &str, text: &str) -> Option<Mistake> {
    if text.matches('\0').count() * 3 > text.len() {
        return Some(Mistake::new(Kind::File, &(0..0), UTF_16, ENCODE));
    }
    let is_wanted =
        ["providers/", "availability/", "directory.toml"].iter().any(|home| path.starts_with(home));
    let restore = "If this is a mistake, restore its last version (Undo, your backup, or the file's history on GitHub). \
                   Otherwise write its lines again";
    // Without the clinician's file, the hours would belong to no one.
    let or = if path.starts_with("availability/") {
        ", or delete the file: then this clinician has no openings."
    } else {
        "."
    };
    let is_note = |line: &str| {
        line.trim().is_empty() || line.trim().starts_with('#') && !path.starts_with("availability/")
    };
    (is_wanted && text.lines().all(is_note))
        .then(|| Mistake::new(Kind::File, &(0..0), "This file is empty.", format!("{restore}{or}")))
}

const UTF_16: &str = "This file was saved as UTF-16, which can't be read.";
const ENCODE: &str =
    "In Notepad: File > Save as > Encoding: UTF-8. In other programs, choose UTF-8 under Save As.";

pub(in super::super) fn not_text(bytes: &[u8], valid_up_to: usize) -> (String, &'static str) {
    const WORD: &str = "This is a Word document, not plain text. Renaming it doesn't convert it.";
    let convert = "In Word, save it as Plain Text (.txt) with UTF-8 encoding, and give it this name.";
    let kinds: [(&[u8], _, _); 5] = [
        (b"PK\x03\x04", WORD, convert),
        (b"\xd0\xcf\x11\xe0", WORD, convert),
        (b"%PDF", "This is a PDF, not plain text.", "Copy its text into a plain text file with this name."),
        (b"\xff\xfe", UTF_16, ENCODE),
        (b"\xfe\xff", UTF_16, ENCODE),
    ];
    if let Some((_, what, hint)) = kinds.into_iter().find(|(beginning, ..)| bytes.starts_with(beginning)) {
        return (what.to_owned(), hint);
    }
    let line = String::from_utf8_lossy(&bytes[..valid_up_to]).matches('\n').count() + 1;
    (format!("This file wasn't saved as UTF-8, so a letter on line {line} can't be read."), ENCODE)
}

pub(in super::super) fn is_marker(line: &str) -> bool {
    line.trim_end() == MIDDLE || MARKERS.iter().any(|mark| line.starts_with(mark))
}

/// Whether a line of a comparison of two versions is one of the new version.
pub(in super::super) fn is_added(line: &str) -> bool {
    line.strip_prefix('+').is_some_and(is_statement)
}

pub(in super::super) fn is_removed(line: &str) -> bool {
    line.strip_prefix('-').is_some_and(is_statement)
}

fn is_statement(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('[')
        || line.starts_with(|sign: char| sign.is_alphabetic() || sign == '"') && line.contains('=')
}

pub(in super::super) fn marks_of_comparison(text: &str) -> Option<Mistake> {
    let (first, _) = each_line(text).find(|(_, line)| is_added(line))?;
    let what = "This file holds a comparison of two versions: some lines begin with + or -.";
    let hint = "Delete each line that begins with -, and the + of the others.";
    Some(Mistake::new(Kind::File, &(first..first + 1), what, hint))
}

pub(in super::super) fn merge_markers(text: &str) -> Option<Mistake> {
    let (first, line) = each_line(text).find(|(_, line)| is_marker(line))?;
    let what = "Unresolved merge conflict: this file holds two versions.";
    let hint = "Keep the lines of one version. Delete the others and the lines with <<<<<<<, ======= and \
                >>>>>>>.";
    Some(Mistake::new(Kind::File, &(first..first + line.trim_end().len()), what, hint))
}

/// The lines of a file that was pasted into itself, from where it begins again.
pub(in super::super) fn second_copy(text: &str) -> Option<Range<usize>> {
    let lines: Vec<_> = each_line(text).filter(|(_, line)| !line.trim().is_empty()).collect();
    let (first, second) = lines.split_at(lines.len() / 2);
    let is_same = first.iter().map(|(_, line)| line.trim()).eq(second.iter().map(|(_, line)| line.trim()));
    // A line that comes again and again isn't a copy of the file.
    let &(at, begin) = second.first().filter(|_| is_same)?;
    let begins_again = second.iter().filter(|(_, line)| line.trim() == begin.trim()).count() == 1;
    begins_again.then_some(at..text.len())
}

/// A line as it was before a spreadsheet put it in quotes.
pub(in super::super) fn as_before_spreadsheet(line: &str) -> Option<String> {
    let inner = line.trim_end().strip_prefix('"')?.strip_suffix('"')?;
    (!inner.replace("\"\"", "").contains('"')).then(|| inner.replace("\"\"", "\""))
}

pub(in super::super) fn saved_by_spreadsheet(text: &str) -> Option<Mistake> {
    let is_of_it = |line: &str| {
        let is_of_file = |line: String| line.starts_with(['#', '[']) || is_statement(&line);
        line.contains("\"\"") && as_before_spreadsheet(line).is_some_and(is_of_file)
    };
    let (at, _) = each_line(text).find(|(_, line)| is_of_it(line))?;
    let what = "A spreadsheet put the lines of this file in quotes, and doubled the quotes inside them.";
    let hint = "Restore the file's last version, and edit it in a text editor.";
    Some(Mistake::new(Kind::File, &line_span(text, at), what, hint))
}

pub(in super::super) fn one_for_all(path: &str, text: &str) -> Option<Mistake> {
    let (folder, _) = path.split_once('/')?;
    if let Some(second) = second_copy(text) {
        let (what, hint) =
            ("This file's text is in it twice: it starts again here.", "Delete the second half.");
        return Some(Mistake::new(Kind::File, &line_span(text, second.start), what, hint));
    }
    let places =
        |key: &'static str| each_line(text).filter(move |(_, line)| has_key(line, key)).map(|(at, _)| at);
    let (own, other) = match folder {
        "providers" => ("display-name", "timezone"),
        "availability" => ("timezone", "display-name"),
        "holidays" => ("dates", "timezone"),
        _ => return None,
    };
    let mut own_places = places(own);
    if let (None, Some(at)) = (own_places.next(), places(other).next()) {
        let (what, hint) = match folder {
            "providers" => (
                "These are hours, but providers/ is for clinicians.",
                "If availability/ has no file of this name, move this one there. If it has one, the clinician's own text \
                     is gone from this file: copy these hours there, and restore this file's last version (a backup, or \
                     History on GitHub).",
            ),
            "holidays" => {
                ("This file has hours, but holidays/ is for dates.", "Move this file to availability/.")
            }
            _ => (MISPLACED, "Move this file to providers/."),
        };
        return Some(Mistake::new(Kind::File, &line_span(text, at), what, hint));
    }
    let second = own_places.next()?;
    let first = places(own).next()?;
    let second =
        places("id").find(|id| folder == "providers" && (first..second).contains(id)).unwrap_or(second);
    let is_entry = each_line(text).any(|(_, line)| line.trim_start().starts_with("[["));
    let has_two_ids = folder == "providers" && places("id").nth(1).is_some();
    let has_hours_between = folder == "availability" && is_entry && text[..second].contains("[[weekly]]");
    let ids: Vec<&str> = text.lines().filter(|line| has_key(line, "id")).map(str::trim).collect();
    let (what, hint) = if has_two_ids && ids[0] == ids[1] {
        ("This clinician begins here again.", "Read both, and delete the older one from its id to its end.")
    } else {
        (
            "A second clinician begins here. Each clinician needs a separate file.",
            "Cut everything from here to the end, and paste it into a new file with that clinician's name.",
        )
    };
    (has_two_ids || has_hours_between).then(|| Mistake::new(Kind::File, &line_span(text, second), what, hint))
}

pub(in super::super) const MISPLACED: &str = "This is a clinician's file, but availability/ is for hours.";

pub(in super::super) fn has_key(line: &str, key: &str) -> bool {
    line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
}

pub(in super::super) const ON_COMPUTER: &str = "This is a file on your computer, which others can't open.";
pub(in super::super) const WITH_HTTPS: &str =
    "Put it on your website, and write its address there, which begins with https://.";

/// Whether a text is the path of a file on someone's computer. In quotes, `\t` is a tab.
pub(in super::super) fn is_of_computer(text: &str) -> bool {
    const FOLDERS: [&str; 9] =
        ["file:", "/users/", "/home/", "/volumes/", "~/", "\\\\", "desktop/", "documents/", "downloads/"];
    let lower = text.to_lowercase();
    let has_drive =
        lower.as_bytes().get(1) == Some(&b':') && lower.starts_with(|sign: char| sign.is_alphabetic());
    let is_within = lower.contains('\\') || lower.contains("onedrive") && !lower.contains("://");
    has_drive
        || is_within && !lower.starts_with("http")
        || FOLDERS.iter().any(|folder| lower.starts_with(folder))
}

fn line_span(text: &str, start: usize) -> Range<usize> {
    let line = text[start..].lines().next().unwrap_or_default();
    start..start + line.trim_end().len()
}
