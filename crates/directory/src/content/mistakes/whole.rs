//! Explains mistakes about a whole file. Each is reported alone, because it causes the other problems of the file.

use std::ops::Range;

use super::slugs::slug_like;
use super::{Form, Mistake};

/// The lines that git writes around the two versions of a conflict.
const MARKERS: [&str; 3] = ["<<<<<<<", ">>>>>>>", "|||||||"];
const MIDDLE: &str = "=======";

pub(in super::super) fn rich_text(text: &str) -> Option<Mistake> {
    let what = "this is a file of a word processor (RTF), and not plain text";
    let hint = "open it in TextEdit, choose Format > Make Plain Text, and save it under its name, which ends in .toml; \
                in Word, choose the file type Plain Text";
    text.starts_with("{\\rtf").then(|| Mistake::new(&(0..5), what, hint))
}

/// Explains a file that is not UTF-8 text. `valid_up_to` is the offset of the first wrong byte.
pub(in super::super) fn not_text(bytes: &[u8], valid_up_to: usize) -> (String, &'static str) {
    const WORD: &str = "this is a Word document, and not plain text: another name does not convert it";
    const UTF_16: &str = "this file is in the encoding UTF-16";
    let convert = "open it in Word, choose File > Save As with the file type Plain Text (.txt) and the encoding UTF-8, and \
                   put the new file in place of this one, under this name";
    let encode = "save it again with the encoding UTF-8";
    let kinds: [(&[u8], _, _); 5] = [
        (b"PK\x03\x04", WORD, convert),
        (b"\xd0\xcf\x11\xe0", WORD, convert),
        (b"%PDF", "this is a PDF, and not plain text", "copy its text into a plain text file of this name"),
        (b"\xff\xfe", UTF_16, encode),
        (b"\xfe\xff", UTF_16, encode),
    ];
    if let Some((_, what, hint)) = kinds.into_iter().find(|(beginning, ..)| bytes.starts_with(beginning)) {
        return (what.to_owned(), hint);
    }
    let line = String::from_utf8_lossy(&bytes[..valid_up_to]).matches('\n').count() + 1;
    (format!("this file is not UTF-8 text: line {line} has an invalid byte"), encode)
}

pub(in super::super) fn merge_markers(text: &str) -> Option<Mistake> {
    let is_marker =
        |line: &str| line.trim_end() == MIDDLE || MARKERS.iter().any(|mark| line.starts_with(mark));
    let mut markers = lines(text).filter(|(_, line)| is_marker(line));
    let (first, line) = markers.next()?;
    let span = first..first + line.trim_end().len();
    let what = "this file holds two versions that git could not merge".to_owned();
    let hint = match markers.last() {
        Some((last, _)) => format!(
            "between lines {} and {}, keep the lines of one version (above or below {MIDDLE}), and delete those of the \
             other and every line that begins with <<<<<<<, {MIDDLE} or >>>>>>>",
            line_number(text, first),
            line_number(text, last)
        ),
        None => {
            "delete this line, which git wrote, and see that only one version is left around it".to_owned()
        }
    };
    Some(Mistake::new(&span, what, hint))
}

/// Explains a file in the wrong folder, a file with a second clinician, or a pasted table. `errors` are the places of
/// syntax errors.
pub(in super::super) fn one_for_all(text: &str, errors: &[Range<usize>], form: &Form<'_>) -> Option<Mistake> {
    misplaced(text, form).or_else(|| second_record(text, form)).or_else(|| pasted_table(text, errors, form))
}

pub(in super::super) const MISPLACED: &str = "this is a clinician's file, and availability/ is for hours";

fn misplaced(text: &str, form: &Form<'_>) -> Option<Mistake> {
    let first = |key: &str| lines(text).find(|(_, line)| has_key(line, key)).map(|(at, _)| at);
    let (at, what, folder) = if form.keys.contains(&"timezone") {
        (first("display-name")?, MISPLACED, "providers/")
    } else if form.keys.contains(&"display-name") && first("display-name").is_none() {
        (first("timezone")?, "these are hours, and providers/ is for clinicians", "availability/")
    } else {
        return None;
    };
    let hint = format!(
        "move this file into {folder}; if {folder} has a file of this name, keep the right one of the two"
    );
    Some(Mistake::new(&line_span(text, at), what, hint))
}

fn second_record(text: &str, form: &Form<'_>) -> Option<Mistake> {
    let places = |key: &str| -> Vec<(usize, &str)> {
        lines(text).filter(|(_, line)| has_key(line, key)).take(2).collect()
    };
    if form.keys.contains(&"display-name") {
        let (ids, names) = (places("id"), places("display-name"));
        let ([(first, _), (id, _)], [_, (name, line)]) = (ids.as_slice(), names.as_slice()) else {
            let is_header = |line: &str| ["[[provider]]", "[provider]"].contains(&line.trim());
            let (header, _) = lines(text).find(|(_, line)| is_header(line))?;
            let what = "a clinician's file has no such line: it is about one clinician as a whole";
            return Some(Mistake::new(&line_span(text, header), what, "delete this line"));
        };
        let mut begin = *id.min(name);
        let above = text[..begin].trim_end();
        let header = above.rfind('\n').map_or(0, |at| at + 1);
        let headers = if above[header..].trim_start().starts_with('[') {
            begin = header;
            format!("; in both files delete the line {}", above[header..].trim())
        } else {
            String::new()
        };
        let slug = line.split('"').nth(1).and_then(slug_like).unwrap_or_else(|| "jane-doe".to_owned());
        let hint = format!(
            "cut everything from line {} to the end of the file, and paste it into a new file providers/{slug}.toml; if that \
             file is there already, keep the right one of the two texts there{headers}",
            line_number(text, begin)
        );
        let mistake =
            Mistake::new(&line_span(text, begin), "a second clinician begins here: each has a file", hint);
        return Some(mistake.also(Some((line_span(text, *first), "the first one"))));
    }
    if form.keys.contains(&"timezone") {
        let zones = places("timezone");
        let [(first, _), (second, _)] = zones.as_slice() else { return None };
        let is_between =
            text[*first..*second].lines().any(|line| line.trim_start().starts_with("[[weekly]]"));
        if is_between {
            let hint = format!(
                "cut everything from line {} to the end of the file, and paste it into a file of availability/ that \
                 has that clinician's file name",
                line_number(text, *second)
            );
            let what = "the hours of a second clinician begin here: each has a file";
            let mistake = Mistake::new(&line_span(text, *second), what, hint);
            return Some(mistake.also(Some((line_span(text, *first), "the first ones"))));
        }
    }
    None
}

/// Explains rows that were pasted from a spreadsheet, a web page or a CSV file.
fn pasted_table(text: &str, errors: &[Range<usize>], form: &Form<'_>) -> Option<Mistake> {
    let mut broken = errors.iter().map(|span| span.start).peekable();
    let mut run: Option<(char, usize, usize, &str)> = None;
    for (start, line) in lines(text) {
        let mut is_broken = false;
        while broken.next_if(|at| *at <= start + line.len()).is_some() {
            is_broken = true;
        }
        let separator = if is_broken { separator(line) } else { None };
        run = match (run, separator) {
            (Some((sign, first, ..)), Some(this)) if sign == this => Some((sign, first, start, line)),
            (Some((_, first, last, _)), _) if first < last => break,
            (_, Some(sign)) => Some((sign, start, start, line)),
            (_, None) => None,
        };
    }
    let (sign, first, last, row) = run.filter(|(_, first, last, _)| first < last)?;
    let (from, to) = (line_number(text, first), line_number(text, last));
    let what = format!("lines {from} to {to} are a table pasted from elsewhere, which this file cannot hold");
    let cell = row.split(sign).map(|cell| cell.trim().trim_matches('"')).find(|cell| !cell.is_empty());
    Some(Mistake::new(&line_span(text, first), what, instead_of_rows(text, form, cell.unwrap_or("…"))))
}

fn instead_of_rows(text: &str, form: &Form<'_>, cell: &str) -> String {
    let has = |key: &str| form.keys.contains(&key);
    if has("plan") {
        format!("write each plan as two lines: [[plan]], and below it name = \"{cell}\"")
    } else if has("weekly") {
        let has_zone = lines(text).any(|(_, line)| has_key(line, "timezone"));
        let zone = if has_zone { "" } else { "timezone = \"…\" first, and then " };
        format!(
            "write {zone}each row with hours as three lines: [[weekly]], days = [\"mon\"], hours = [\"09:00-17:00\"]; a day \
             that is closed needs none"
        )
    } else if has("dates") {
        "write the dates as one list: dates = [YYYY-MM-DD, YYYY-MM-DD]".to_owned()
    } else {
        "write each cell on a line of its own, as key = \"value\"".to_owned()
    }
}

/// The character between the cells of a row; `None` if the line is not such a row.
fn separator(line: &str) -> Option<char> {
    let line = line.trim();
    if line.starts_with(['[', '#', '"', '\'']) || line.contains('=') {
        return None;
    }
    // In a sentence, a space follows each comma.
    let is_tight =
        |sign: char| line.contains(sign) && !line.contains(&format!("{sign} ")) && !line.ends_with(sign);
    if line.contains('\t') {
        Some('\t')
    } else if line.contains('|') {
        Some('|')
    } else {
        [',', ';'].into_iter().find(|sign| is_tight(*sign))
    }
}

fn has_key(line: &str, key: &str) -> bool {
    line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// The lines of a text, each with its offset.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let at = start;
        start += line.len() + 1;
        (at, line.strip_suffix('\r').unwrap_or(line))
    })
}

/// The number of the line at an offset.
pub(super) fn line_number(text: &str, start: usize) -> usize {
    text[..start].matches('\n').count() + 1
}

/// The range of the line at an offset, without spaces at its end.
fn line_span(text: &str, start: usize) -> Range<usize> {
    let line = text[start..].lines().next().unwrap_or_default();
    start..start + line.trim_end().len()
}
