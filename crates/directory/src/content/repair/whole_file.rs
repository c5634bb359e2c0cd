//! What is tried for a whole file: the same mistake on many of its lines has one cause, and needs one repair.

use std::borrow::Cow;

use super::super::lines::each_line;
use super::super::mistakes::{as_before_spreadsheet, is_added, is_marker, is_removed, second_copy};
use super::super::offer::{Class, Edit};
use super::super::statement::begins_table;
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::values::QUOTES;
use super::written::quoted;
use crate::misread;

/// How many words a title names.
const NAMED: usize = 8;
/// On how many lines or blocks of lines a mistake is repaired at once.
const MOST_LINES: usize = 400;

impl Here<'_> {
    pub(super) fn merged(&self) -> Vec<Candidate> {
        let has = |mark: &str| self.text.lines().any(|line| line.starts_with(mark));
        if let Some(second) = second_copy(self.text) {
            let copy = vec![self.write(second, "")];
            let title = format!("Delete {}: they repeat the lines above", self.lines_of(&copy));
            return vec![Candidate::of("repeat", copy).titled(title)];
        }
        let of_line = |(at, line): (usize, &str)| {
            Some(self.write(at..at + line.trim_end().len(), as_before_spreadsheet(line)?))
        };
        let quoted: Vec<Edit> = each_line(self.text).filter_map(of_line).collect();
        if !quoted.is_empty() && self.text[self.line()].starts_with('"') {
            let title = format!("Undo the quotes of the spreadsheet on {}", self.lines_of(&quoted));
            return vec![Candidate::of("line", quoted).class(Class::Certain).titled(title)];
        }
        if !has("<<<<<<<") || !has("=======") || !has(">>>>>>>") {
            return vec![self.without_marks()];
        }
        let side = |keeps_first: bool| {
            let (mut deleted, mut kept, mut side) = (Vec::new(), Vec::new(), None);
            for (at, line) in each_line(self.text) {
                match line.get(..7) {
                    Some("<<<<<<<") => side = Some(true),
                    Some("|||||||") => side = Some(!keeps_first),
                    Some("=======") if side.is_some() => side = Some(false),
                    Some(">>>>>>>") => side = None,
                    _ if side == Some(keeps_first) => {
                        kept.push(line.trim());
                        continue;
                    }
                    _ if side.is_none() => continue,
                    _ => {}
                }
                let end = (at + line.len() + 1).min(self.text.len());
                match deleted.last_mut() {
                    Some(Edit { span, .. }) if span.end == at => span.end = end,
                    _ => deleted.push(self.write(at..end, "")),
                }
            }
            if deleted.len() > MOST_LINES {
                return None;
            }
            let which = match kept[..] {
                [only] if !only.is_empty() => format!("`{only}`"),
                _ if keeps_first => "the upper version".to_owned(),
                _ => "the lower version".to_owned(),
            };
            let title = format!("Keep {which}: delete {}", self.lines_of(&deleted));
            Some(Candidate::of("merge", deleted).titled(title).with(Effect::Removes))
        };
        [true, false].into_iter().filter_map(side).chain(self.both_sides()).collect()
    }

    /// Both sides of a conflict, each of which is a new entry of a list of tables.
    fn both_sides(&self) -> Option<Candidate> {
        let marks = self.marks();
        let [first, middle, _] = &marks[..] else { return None };
        let are_entries = [first, middle].iter().all(|mark| self.text[mark.span.end..].starts_with("[["));
        let title = format!("Keep both: delete {}", self.lines_of(&marks));
        are_entries.then(|| Candidate::of("merge", marks).titled(title))
    }

    fn marks(&self) -> Vec<Edit> {
        let lines = each_line(self.text).filter(|(_, line)| is_marker(line));
        lines.map(|(at, line)| self.write(at..(at + line.len() + 1).min(self.text.len()), "")).collect()
    }

    /// A file without the marks that git, or a comparison of two versions, left.
    fn without_marks(&self) -> Candidate {
        let lines = || each_line(self.text);
        let deleted = |at: usize, line: &str| self.write(at..(at + line.len() + 1).min(self.text.len()), "");
        let marks = self.marks();
        if !marks.is_empty() {
            let title = format!("Delete {}, which git left", self.lines_of(&marks));
            return Candidate::of("merge", marks).titled(title);
        }
        let added = lines().filter(|(_, line)| is_added(line));
        let added: Vec<Edit> = added.map(|(at, _)| self.write(at..at + 1, "")).collect();
        let removed = lines().filter(|(_, line)| is_removed(line));
        let removed: Vec<Edit> = removed.map(|(at, line)| deleted(at, line)).collect();
        let title = format!("Delete the + at the beginning of {}", self.lines_of(&added));
        if removed.is_empty() {
            return Candidate::of("line", added).titled(title).class(Class::Certain);
        }
        let title = format!("{title}, and delete {}", self.lines_of(&removed));
        let edits = added.into_iter().chain(removed).collect();
        Candidate::of("merge", edits).titled(title).with(Effect::Removes)
    }

    /// The lines of edits that follow each other: "lines 12 and 14–16".
    fn lines_of(&self, edits: &[Edit]) -> String {
        let (mut line, mut counted) = (1, 0);
        let mut line_at = |at: usize| {
            let passed = self.text.as_bytes().get(counted..at).unwrap_or_default();
            line += passed.split(|&byte| byte == b'\n').count() - 1;
            counted = at;
            line
        };
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for Edit { span, .. } in edits {
            let (first, last) = (line_at(span.start), line_at(span.start.max(span.end.saturating_sub(1))));
            match ranges.last_mut() {
                Some((_, end)) if first <= *end + 1 => *end = last,
                _ => ranges.push((first, last)),
            }
        }
        let is_one = matches!(ranges[..], [(first, last)] if first == last);
        let shown = |(first, last): (usize, usize)| {
            if first == last { first.to_string() } else { format!("{first}–{last}") }
        };
        let lines: Vec<String> = ranges.into_iter().map(shown).collect();
        match &lines[..] {
            [only] if is_one => format!("line {only}"),
            [only] => format!("lines {only}"),
            [one, last] => format!("lines {one} and {last}"),
            [others @ .., last] => format!("lines {}, and {last}", others.join(", ")),
            [] => String::new(),
        }
    }

    /// The same mistake of notation on several lines: curly quotes around texts, or keys in capitals.
    pub(super) fn on_each_line(&self) -> Option<Candidate> {
        const CURLY: [char; 9] = ['“', '”', '„', '‟', '«', '»', '‘', '’', '‚'];
        let own = &self.text[self.line()];
        let has_three = with_straight_three(own).is_some();
        let is_curly = own.contains(CURLY);
        let has_capital = |line: &str| line.trim_start_matches(['[', ' ']).starts_with(char::is_uppercase);
        let is_alike = |line: &str| if is_curly { line.contains(CURLY) } else { has_capital(line) };
        let of_line = |(at, line): (usize, &str)| {
            if let Some(straight) = with_straight_three(line) {
                return Some(self.write(at..at + line.len(), straight));
            }
            let here = Here { span: at..at, ..*self };
            let statement = here.statements(false).into_iter().find(|found| found.whole.start == at);
            let found = if begins_table(line) {
                here.header()
            } else {
                statement.map_or_else(Vec::new, |found| here.rewritten(&found))
            };
            found.into_iter().find(|found| found.class == Class::Certain)?.edits.pop()
        };
        let alike = each_line(self.text).filter(|(_, line)| is_alike(own) && is_alike(line));
        let mut edits: Vec<Edit> = alike.take(MOST_LINES).filter_map(of_line).collect();
        edits.dedup_by(|next, edit| next.span.start < edit.span.end);
        let lines = self.lines_of(&edits);
        let title = if has_three {
            format!("Write three straight quotes (\"\"\") in place of curly ones around a text: {lines}")
        } else if is_curly {
            format!("Write a straight quote (\") in place of each curly one around a text: {lines}")
        } else {
            format!("Write these keys in lowercase: {lines}")
        };
        let all = Candidate::of("line", edits).class(Class::Certain).titled(title);
        (has_three || all.edits.len() > 1).then_some(Candidate { keeps: is_curly, ..all })
    }

    /// The numbers of a list, or the signs of a quoted mail, before keys.
    pub(super) fn without_prefixes(&self) -> Option<Candidate> {
        let own = prefix(&self.text[self.line()])?;
        let is_number = own.starts_with(|sign: char| sign.is_ascii_digit());
        let is_alike = |found: &&str| found.starts_with(|sign: char| sign.is_ascii_digit()) == is_number;
        let of_line = |(at, line): (usize, &str)| {
            prefix(line).filter(is_alike).map(|prefix| self.write(at..at + prefix.len(), ""))
        };
        let edits: Vec<Edit> = each_line(self.text).filter_map(of_line).take(MOST_LINES).collect();
        let what = if is_number { "number" } else { "sign >" };
        let title = format!("Delete the {what} at the beginning of {}", self.lines_of(&edits));
        Some(Candidate::of("line", edits).titled(title))
    }

    /// All misread words of a file as they were.
    pub(super) fn decoded_file(&self) -> Option<Candidate> {
        let (mut edits, mut words, mut more) = (Vec::new(), Vec::new(), 0);
        for (at, line) in each_line(self.text) {
            let Some(text) = decoded(line) else { continue };
            for (word, misread) in text.split(' ').zip(line.split(' ')) {
                let word = word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned();
                match words.len() {
                    _ if misread.contains(&word) || words.contains(&word) => {}
                    NAMED.. => more += 1,
                    _ => words.push(word),
                }
            }
            edits.push(self.write(at..at + line.len(), text));
        }
        let more = if more > 0 { format!(", and {more} more words") } else { String::new() };
        let title = format!("Write {}{more} as UTF-8", words.join(", "));
        (edits.len() > 1).then(|| Candidate::of("characters", edits).titled(title))
    }

    /// A line of a file of translations, with both sides as texts.
    pub(super) fn translation(&self) -> Option<Candidate> {
        let line = self.line();
        let written = self.text[line.clone()].trim_end_matches([',', ';', ' ']);
        let sides = |(at, joint): (usize, &str)| (written[..at].trim(), written[at + joint.len()..].trim());
        let mut splits: Vec<(&str, &str)> = written.match_indices(['=', ':']).map(sides).collect();
        if splits.is_empty() {
            splits.extend(written.split_once("\" \"").or_else(|| written.split_once('\t')));
        }
        let ends = |side: &str| side.ends_with(QUOTES);
        let begins = |side: &str| side.starts_with(QUOTES);
        let both = splits.iter().find(|(text, other)| ends(text) && begins(other));
        let one = || splits.iter().find(|(text, other)| ends(text) || begins(other));
        let only = || splits.first().filter(|_| splits.len() == 1);
        let (text, other) = both.or_else(one).or_else(only)?;
        let side = |side: &str| {
            let side = side.strip_prefix(QUOTES).unwrap_or(side);
            quoted(&side.strip_suffix(QUOTES).unwrap_or(side).replace("\\\"", "\""))
        };
        let edit = self.edit("value", line, format!("{} = {}", side(text), side(other)));
        let class = if both.is_some() { Class::Certain } else { Class::Likely };
        Some(Candidate { keeps: true, ..edit.class(class) })
    }
}

/// What stands before a key, or a header, in a numbered list or a quoted mail: "2. ", "3) ", "> ".
fn prefix(line: &str) -> Option<&str> {
    let quoted = line.trim_start().trim_start_matches('>');
    let number = line.trim_start().trim_start_matches(|sign: char| sign.is_ascii_digit());
    let rest = if quoted.len() < line.trim_start().len() {
        quoted
    } else if number.len() < line.trim_start().len() {
        number.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' '))?
    } else {
        return None;
    };
    let rest = rest.trim_start();
    (rest.contains('=') || begins_table(rest)).then(|| &line[..line.len() - rest.len()])
}

/// A line with straight quotes in place of three of which one is curly at least, as a word processor writes them.
pub(super) fn with_straight_three(line: &str) -> Option<String> {
    const DOUBLE: [char; 4] = ['"', '“', '”', '„'];
    let mut straight = line.to_owned();
    for number in 0..64 {
        let three: String = [number / 16, number / 4 % 4, number % 4].map(|at| DOUBLE[at]).iter().collect();
        straight = straight.replace(&three, "\"\"\"");
    }
    (straight != line).then_some(straight)
}

/// A line with its misread words as they were.
pub(super) fn decoded(line: &str) -> Option<String> {
    let words: Vec<Cow<'_, str>> =
        line.split(' ').map(|word| misread::original(word).map_or(Cow::Borrowed(word), Cow::Owned)).collect();
    words.iter().any(|word| matches!(word, Cow::Owned(_))).then(|| words.join(" "))
}
