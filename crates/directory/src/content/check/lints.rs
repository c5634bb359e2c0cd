//! Finds texts that must not be published, because pages show them and language models read them: private contact details,
//! secrets, markup, invisible characters and orders to an assistant. `allow.toml` lists exceptions with a reason.

mod notes;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexSet, RegexSetBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::lines::Lines;
use super::super::parse::Parsed;
use super::super::problem::{FileSpan, Severity};
use crate::misread;

/// The file of exceptions. It is not published, so lints do not read it.
pub(super) const ALLOW_PATH: &str = "allow.toml";

/// Patterns use ASCII word boundaries, because Unicode ones make the regular expressions slow at each accented letter.
pub(super) struct Lint {
    pub(super) name: &'static str,
    pub(super) severity: Severity,
    patterns: &'static [&'static str],
    pub(super) what: &'static str,
    pub(super) hint: &'static str,
}

/// The lint whose findings are words that decode to other words.
pub(super) const MISREAD: &str = "misread-letters";

const ERROR: Lint = Lint { name: "", severity: Severity::Error, patterns: &[], what: "", hint: "" };

pub(super) const LINTS: [Lint; 16] = [
    Lint {
        name: "phone-number",
        patterns: &[
            r"(?:\+?1[-. ])?(?:\([2-9][0-9]{2}\) ?|(?-u:\b)[2-9][0-9]{2}[-. ])[0-9]{3}[-. ][0-9]{4}(?-u:\b)",
            r"(?i)(?-u:\b)(?:call|dial|fax|phone|tel|text)(?-u:\b)[^.!?\n0-9]{0,30}[2-9][0-9]{2}[-. ][0-9]{4}(?-u:\b)",
        ],
        what: "This looks like a phone number.",
        hint: "Remove the sentence: patients call the clinic, whose number is in directory.toml.",
        ..ERROR
    },
    Lint {
        name: "email-address",
        patterns: &[
            r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
            r"(?i)[a-z0-9._%+-]+ ?(?:[(\[{] ?at ?[)\]}] ?[a-z0-9-]+|at [a-z0-9-]+ (?:[(\[{] ?)?dot(?: ?[)\]}])? (?:com|net|org)(?-u:\b))",
        ],
        what: "This looks like an email address.",
        hint: "Remove it: spammers would collect it.",
        ..ERROR
    },
    Lint {
        name: "social-security-number",
        patterns: &[r"(?-u:\b)[0-9]{3}-[0-9]{2}-[0-9]{4}(?-u:\b)"],
        what: "This looks like a Social Security number.",
        hint: "Remove it here and from your files' history: it must never be published.",
        ..ERROR
    },
    Lint {
        name: "secret",
        patterns: &[
            r"(?-u:\b)[spr]k_(?:live|test)_[0-9A-Za-z]{16,}",
            r"(?-u:\b)AKIA[0-9A-Z]{16}",
            r"(?-u:\b)gh[pousr]_[0-9A-Za-z]{36}",
            r"(?-u:\b)xox[abprs]-[0-9A-Za-z-]{10,}",
            r"(?-u:\b)eyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}",
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
        ],
        what: "This looks like a password or a service's key.",
        hint: "Remove it, and have the service issue a new one.",
        ..ERROR
    },
    Lint {
        name: "script-address",
        patterns: &[r"(?i)(?-u:\b)(?:javascript|vbscript):|(?-u:\b)data:text/html"],
        what: "This address would run a program in the reader's browser.",
        hint: "Use an https address.",
        ..ERROR
    },
    // Before the lints that find parts of such words.
    Lint {
        name: MISREAD,
        patterns: &[
            r"[\u{c2}-\u{c5}][^\x00-\x7f]|[\u{e1}\u{e2}][^\x00-\x7f]{2}|\u{221a}[^\x00-\x7f]|\u{201a}\u{c4}",
        ],
        what: "This word was read with the wrong encoding.",
        hint: "Type it again, and save the file as UTF-8.",
        ..ERROR
    },
    Lint {
        name: "placeholder",
        patterns: &[
            r"(?i)\[(?:[^\[\]\n]*[^\[\]\na-z])?(?:insert|tbd|todo)(?:[^\[\]\na-z][^\[\]\n]*)?\]",
            r"(?i)\[(?:[^\[\]\n]* )?(?:your|here) [^\[\]\n]*\]|\[[^\[\]\n]* (?:your|here)\]",
            r"(?-u:\b)(?:[Xx]{3,20}|xx|(?:19|20)[Xx]{2}|TODO|TBD)(?-u:\b)|(?i:lorem ipsum)",
            r#"(?i)(?:^|["'])[\s.…-]*(?:(?:bio|biography|description|profile|details|text|more)(?:[: -]{1,3}| is )?)?(?:coming soon|to be (?:added|announced|determined|written)|tb[ad]|pr[oó]ximamente|(?:your |insert )?(?:clinic |practice )?(?:bio|biography|name|description|text|address|price|cost)(?: goes)? here)[\s.…!-]*(?:$|["'])"#,
            r"(?i)\[ ?(?:(?:[^\[\]\n]*[-–—:;,?] ?)?(?:ask|check|confirm|verify|add|fill)(?: [^\[\]\n]*)?|(?:hobb(?:y|ies)|fun fact|to (?:add|check|do))[ :,;–—-][^\[\]\n]*|\?+) ?\]",
            notes::SENTENCE,
            notes::IN_BRACKETS,
            notes::OF_ASSISTANTS,
            r"(?i:\[(?:x+|#+|_+|(?:first|last|clinician'?s?) name|name|city|hobb(?:y|ies)|years?|number|date|title|school|degree|university)\])|(?:XX|__|##|(?-u:\b)X) (?:years|patients)",
            r#"(?:^|\s)\?\?+(?:\s|$|["'])|_{3,}|\*{3}[^*\n]+\*{3}|<<[^<>\n]+>>|<[a-z]+ here>|[.!?]\s+(?:\.{3,}|…)\s*(?:$|["'])|\{\{ ?[A-Za-z _-]+ ?\}\}|\$ ?(?:[Xx]+(?-u:\b)|[_?#]+|(?:and|or|per|for|a|with)(?-u:\b)|(?:$|["']))|(?i:(?:^|["'])(?:bio|biography|about me) ?:|(?:read|learn|show|see) more[ »›→>.…]*(?:$|["']))"#,
        ],
        what: "This is a placeholder or a note to yourself.",
        hint: "Write your own text, or delete it if the text around it is complete.",
        ..ERROR
    },
    Lint {
        name: "control-character",
        patterns: &[r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u{80}-\u{9f}]"],
        what: "This text contains a control character.",
        hint: "Delete it: pasted text often brings it along.",
        ..ERROR
    },
    Lint {
        name: "invisible-character",
        patterns: &[
            r"[\u{ad}\u{61c}\u{115f}\u{1160}\u{180e}\u{3164}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{fe00}-\u{fe0e}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e01ef}]",
        ],
        what: "This text contains an invisible character.",
        hint: "Type the words around it again: pasted text often brings it along.",
        ..ERROR
    },
    Lint {
        name: "html",
        patterns: &[r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>", "<!--"],
        what: "This text contains HTML.",
        hint: "Remove the tags: content is plain text.",
        ..ERROR
    },
    Lint {
        name: "instruction",
        patterns: &[
            r"(?i)(?-u:\b)(?:ignore|disregard|forget|override)\s+(?:(?:all|any|the|your|these|of)\s+)*(?:previous|prior|above|earlier|preceding|other|system)\s+(?:instructions?|prompts?|messages?|rules)",
            r"(?i)(?-u:\b)system prompt(?-u:\b)",
            r"(?i)(?-u:\b)you are (?:now )?an? (?:ai|assistant|language model|chatbot)(?-u:\b)",
            r"(?i)(?-u:\b)(?:ai|virtual) (?:assistants?|agents?|models?)[:,]?\s+(?:must|should|please|always|never)(?-u:\b)",
            r"(?i)(?-u:\b)(?:dear|note to|attention|message to) (?:all |any )?(?:ai|ai (?:assistants?|models?|agents?)|language models?|llms?|chatgpt|claude)(?-u:\b)",
            r"(?i)<\|[a-z_]+\|>",
            r"(?i)\[/?INST\]",
        ],
        what: "This looks like instructions to an AI assistant (prompt injection).",
        hint: "Remove it, and write about the clinician: assistants read this text.",
        ..ERROR
    },
    Lint {
        name: "markdown",
        patterns: &[r"\*\*[^*\s][^*\n]*\*\*|__[^_\s][^_\n]*__", r"(?m)^[ \t]*(?:##+|[-*+\u{2022}]) \S[^\n]*"],
        what: "This is Markdown, and readers see its symbols.",
        hint: "Remove the symbols, and write sentences.",
        ..ERROR
    },
    Lint {
        name: "link",
        severity: Severity::Warning,
        patterns: &[
            r"(?i)(?-u:\b)(?:https?|ftp)://[^\s<>\x22'()]*[^\s<>\x22'().,;:!?]",
            r"(?i)(?-u:\b)www\.[a-z0-9-]+\.[^\s<>\x22'()]*[^\s<>\x22'().,;:!?]",
            r"(?i)(?-u:\b)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|co|app|dev|info|biz|site|xyz|ai|health|link|example)/[a-z0-9]",
            r"!?\[[^\[\]\n]{0,200}\]\([^()\s]+\)?",
        ],
        what: "This text contains a web address.",
        hint: "Remove it: patients can't click it here, and an assistant may follow it.",
    },
    Lint {
        name: "broken-character",
        severity: Severity::Warning,
        patterns: &["\u{fffd}", "\u{c3}[\u{a1}-\u{aa}\u{ac}\u{ae}-\u{ba}\u{bc}-\u{bf}]", "\u{e2}\u{20ac}"],
        what: "A letter in this text was damaged when the file was saved or copied.",
        hint: "Type the word again, and save the file as UTF-8.",
    },
    Lint {
        name: "price",
        severity: Severity::Warning,
        patterns: &[r"\$ ?[0-9][0-9,.]*[OolI][0-9OolI]*(?-u:\b)"],
        what: "This price has a letter among its digits.",
        hint: "Write the digit: 0 for O, 1 for l.",
    },
    Lint {
        name: "html-entity",
        severity: Severity::Warning,
        patterns: &[
            r"&(?:nbsp|amp|quot|apos|lt|gt|[a-zA-Z](?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron)|[lr][sd]quo|[mn]dash|hellip|szlig|copy|reg|trade|#[0-9]{1,6}|#x[0-9a-fA-F]{1,5});",
        ],
        what: "This is an HTML code, and readers would see the code itself.",
        hint: "Type the character itself, such as & for &amp; or a space for &nbsp;.",
    },
];

/// How many findings of one lint in one file are kept. What is beyond them is reported as a whole.
const KEPT: usize = 200;

struct Pattern {
    lint: usize,
    text: &'static str,
    regex: OnceLock<Option<Regex>>,
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let of = |(number, lint): (usize, &'static Lint)| {
        lint.patterns.iter().map(move |text| Pattern { lint: number, text, regex: OnceLock::new() })
    };
    LINTS.iter().enumerate().flat_map(of).collect()
});
/// All patterns together outgrow the usual 2 MB: each file would fill them anew, and take twenty times as long.
static ANY: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns = PATTERNS.iter().map(|pattern| pattern.text);
    RegexSetBuilder::new(patterns).dfa_size_limit(16 << 20).build().unwrap_or_else(|_| RegexSet::empty())
});

/// Whether a text has a placeholder or a note, which is reported on its own.
pub(super) fn has_placeholder(text: &str) -> bool {
    ANY.matches(text).into_iter().any(|number| LINTS[PATTERNS[number].lint].name == "placeholder")
}

impl Pattern {
    fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| Regex::new(self.text).ok()).as_ref()
    }
}

/// Lints that do not look at addresses.
const OF_ADDRESSES: [&str; 2] = ["email-address", "link"];
/// Tables whose texts are not published, or are meant as contact details.
const PRIVATE_TABLES: [&str; 3] = ["address", "notices", "security"];

#[derive(Clone)]
pub(super) struct Finding {
    pub(super) lint: usize,
    pub(super) text: String,
    pub(super) place: FileSpan,
}

#[derive(Clone, Default)]
pub(super) struct Findings {
    pub(super) kept: Vec<Finding>,
    /// The lints, by their index in [`LINTS`], that found more than is kept, and the file.
    pub(super) cut: Vec<(usize, String)>,
}

pub(super) fn in_file(path: &str, text: &str) -> Findings {
    if path == ALLOW_PATH {
        return Findings::default();
    }
    // An escape can hide a finding.
    if !ANY.is_match(text) && !text.contains('\\') {
        return Findings::default();
    }
    let Parsed { table, errors, .. } = Parsed::parse(text);
    let mut search = Search { path, text, found: [0; LINTS.len()], kept: Vec::new() };
    search.in_table(table.get_ref());
    let Search { found, mut kept, .. } = search;
    if !errors.is_empty() {
        // `parse` reports broken lines, and their values are guesses.
        let lines = Lines::new(text);
        let broken: BTreeSet<_> =
            errors.iter().filter_map(toml::de::Error::span).map(|span| lines.line(span.start)).collect();
        kept.retain(|finding| !finding.place.start().is_some_and(|at| broken.contains(&lines.line(at))));
    }
    let cut = found.iter().enumerate().filter(|(_, found)| **found > KEPT);
    Findings { kept, cut: cut.map(|(lint, _)| (lint, path.to_owned())).collect() }
}

struct Search<'a> {
    path: &'a str,
    text: &'a str,
    /// How much each lint has found. It stops at one more than is kept.
    found: [usize; LINTS.len()],
    kept: Vec<Finding>,
}

impl Search<'_> {
    fn in_table(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            // The digits of an NPI may be grouped as those of a phone number.
            if !PRIVATE_TABLES.contains(&key.get_ref().as_ref()) && key.get_ref() != "npi" {
                // A wrong address is reported as such.
                let is_address = key.get_ref().ends_with("-url") || key.get_ref() == "headshot";
                self.in_value(value, if is_address { &OF_ADDRESSES } else { &[] });
            }
        }
    }

    fn in_value(&mut self, value: &Spanned<DeValue<'_>>, without: &[&str]) {
        match value.get_ref() {
            DeValue::String(string) => self.in_string(string, &value.span(), without),
            DeValue::Array(array) => {
                for element in array {
                    self.in_value(element, without);
                }
            }
            DeValue::Table(table) => self.in_table(table),
            _ => {}
        }
    }

    fn in_string(&mut self, string: &str, value: &Range<usize>, without: &[&str]) {
        // The places of one lint: two of its patterns can find one text.
        let mut places: (usize, Vec<Range<usize>>) = (0, Vec::new());
        let (mut misread, mut judged): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
        for pattern in ANY.matches(string).into_iter().filter_map(|number| PATTERNS.get(number)) {
            let lint = pattern.lint;
            if without.contains(&LINTS[lint].name) {
                continue;
            }
            if places.0 != lint {
                places = (lint, Vec::new());
            }
            let (mut from, mut hidden) = (0, 0);
            for found in pattern.regex().into_iter().flat_map(|regex| regex.find_iter(string)) {
                let mut found = found.range();
                // A note begins behind the sentence before it.
                let note = string[found.clone()].trim_start_matches([' ', '.', '!', '?', '…', '"', '\n']);
                if LINTS[lint].name == "placeholder" && !note.is_empty() {
                    found.start = found.end - note.len();
                }
                if misread.iter().any(|word| overlap(word, &found)) {
                    continue;
                }
                if LINTS[lint].name == MISREAD {
                    if found.start < judged {
                        continue;
                    }
                    found = word_around(string, found.start);
                    judged = found.end;
                    if misread::original(&string[found.clone()]).is_none() {
                        continue;
                    }
                    misread.push(found.clone());
                }
                let part = &string[found.clone()];
                // What is skipped below has a place, too, and the next one is searched behind it. A search for a part that
                // an escape hides goes to the end of the value, so the number of these is bounded.
                let place = if hidden < KEPT { place_of(part, self.text, value, &mut from) } else { None };
                hidden += usize::from(place.is_none());
                if joins(string, found.start, found.end) {
                    continue;
                }
                if self.found[lint] >= KEPT {
                    self.found[lint] = KEPT + 1;
                    break;
                }
                if places.1.iter().any(|place| overlap(place, &found)) {
                    continue;
                }
                places.1.push(found);
                self.found[lint] += 1;
                let place = FileSpan::new(self.path, &place.unwrap_or_else(|| value.clone()));
                self.kept.push(Finding { lint, text: part.to_owned(), place });
            }
        }
    }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The word at a place. Special spaces don't end it, because a misread letter can contain one.
fn word_around(text: &str, at: usize) -> Range<usize> {
    const ENDS: [char; 3] = [' ', '\n', '\t'];
    let start = text[..at].rfind(ENDS).map_or(0, |end| end + 1);
    let end = text[at..].find(ENDS).map_or(text.len(), |end| at + end);
    start..end
}

/// Whether an invisible joiner is correct: U+200C in Persian words, U+200D in Indian scripts and in an emoji.
fn joins(text: &str, start: usize, end: usize) -> bool {
    let (Some(joiner), Some(before), Some(after)) = (
        text.get(start..end),
        text.get(..start).and_then(|text| text.chars().next_back()),
        text.get(end..).and_then(|text| text.chars().next()),
    ) else {
        return false;
    };
    // Arabic, Syriac and N'Ko; then the scripts of India, Sri Lanka, Tibet and Burma.
    let is_joined = |c: char| matches!(c, '\u{620}'..='\u{6ff}' | '\u{710}'..='\u{7ff}' | '\u{8a0}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    let is_picture = |c: char| matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}');
    match joiner {
        "\u{200c}" => is_joined(before) && is_joined(after),
        "\u{200d}" => is_joined(before) && is_joined(after) || is_picture(before) && is_picture(after),
        _ => false,
    }
}

/// The place of a part of a value, searched from `from` on. `None` if an escape hides the part.
fn place_of(part: &str, text: &str, value: &Range<usize>, from: &mut usize) -> Option<Range<usize>> {
    let start = value.start + *from;
    let at = text.get(start..value.end)?.find(part).filter(|_| !part.is_empty())?;
    *from += at + part.len();
    Some(start + at..start + at + part.len())
}

#[cfg(test)]
mod tests;
