//! The sheet's columns, and how cells are converted to values and back. Each column is a key of a clinician's file.

mod cell;

use directory::model::{Gender, Listing, ProviderType, StateCode};

use super::grid::normalized;
use crate::edit::NewValue;
use crate::near::nearest;
use cell::{
    NONE_ACCEPTED, parse_choice, parse_date, parse_list, parse_number, parse_state, says_no, state_among,
};

pub(super) const PLANS: &str = "insurance";
pub(super) const LEAVE: &str = "leave";
/// The name of the column that has hashes of the exported cells.
pub const EXPORTED: &str = "exported";
/// What a cell says for an empty list.
pub(super) const NONE: &str = "none";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Text,
    Choice(&'static [&'static str]),
    Flag,
    Texts,
    States,
    Numbers,
    Dates,
}

/// Whether several clinicians can have the same value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    Never,
    Rare,
    Usual,
}

struct ColumnSpec {
    name: &'static str,
    kind: CellKind,
    is_required: bool,
    /// The width in a spreadsheet, in letters.
    width: usize,
}

const fn required(name: &'static str, kind: CellKind, width: usize) -> ColumnSpec {
    ColumnSpec { name, kind, is_required: true, width }
}

const fn optional(name: &'static str, kind: CellKind, width: usize) -> ColumnSpec {
    ColumnSpec { name, kind, is_required: false, width }
}

static SLUG_SPEC: ColumnSpec = required("slug", CellKind::Text, 22);
static PLANS_SPEC: ColumnSpec = optional(PLANS, CellKind::Texts, 30);
/// The keys that have a column, in the order in which a clinician's file has them. A key of tables has their name before it.
static KEYS: [ColumnSpec; 19] = [
    required("id", CellKind::Text, 12),
    required("display-name", CellKind::Text, 24),
    optional("sort-name", CellKind::Text, 20),
    optional("former-slugs", CellKind::Texts, 20),
    required("credentials", CellKind::Text, 18),
    required("provider-type", CellKind::Choice(ProviderType::WORDS), 18),
    required("gender", CellKind::Choice(Gender::WORDS), 12),
    required("bio", CellKind::Text, 40),
    optional("headshot", CellKind::Text, 24),
    optional("menopause-society-certified", CellKind::Flag, 14),
    optional("clinical-interests", CellKind::Texts, 30),
    optional("languages", CellKind::Texts, 20),
    required("licensed", CellKind::States, 16),
    required("accepting", CellKind::States, 16),
    optional("appointment-types", CellKind::Numbers, 18),
    optional("npi", CellKind::Text, 12),
    optional("status", CellKind::Choice(Listing::WORDS), 14),
    optional("leave from", CellKind::Dates, 14),
    optional("leave until", CellKind::Dates, 14),
];

/// Columns, and other headings that clinics write for them.
const SYNONYMS: [(&str, &[&str]); 8] = [
    ("display-name", &["name", "full name", "provider", "provider name", "clinician"]),
    ("gender", &["sex"]),
    ("licensed", &["state", "states", "license states", "licensed states", "licensed in"]),
    ("accepting", &["new patients", "accepting new patients", "accepting patients"]),
    ("credentials", &["degree"]),
    ("provider-type", &["profession", "type"]),
    ("bio", &["biography", "about"]),
    ("insurance all", &["insurance", "insurances", "plans"]),
];

const KEYS_WITHOUT_COLUMN: [&str; 6] =
    ["education", "certifications", "specialty", "license", "licence", "confirmed"];

/// Columns compare in the order in which a clinician's file has their keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Column {
    Slug,
    /// The position of a key in `KEYS`.
    Key(usize),
    /// The insurance plans accepted in every state of licensure.
    PlansEverywhere,
    PlansIn(StateCode),
}

impl Column {
    pub(super) const ID: Self = Self::Key(0);

    /// Returns the columns that every exported sheet has, in order.
    pub(super) fn fixed() -> impl Iterator<Item = Self> {
        let keys = (1..KEYS.len()).map(Self::Key);
        [Self::ID, Self::Slug].into_iter().chain(keys).chain([Self::PlansEverywhere])
    }

    pub(super) fn parse(heading: &str) -> Result<Self, String> {
        let name = heading.trim().to_lowercase();
        if let Some(column) = Self::fixed().find(|column| column.name() == name) {
            return Ok(column);
        }
        if let Some(state) = name.strip_prefix(PLANS).and_then(|rest| rest.strip_prefix(' ')) {
            return match state.trim() {
                "all" => Ok(Self::PlansEverywhere),
                state => state.to_uppercase().parse().map(Self::PlansIn).map_err(|_| {
                    let example = state_among(state).map_or_else(
                        || {
                            "write \"insurance all\", or use a state's two letters, such as \"insurance CA\""
                                .to_owned()
                        },
                        |code| format!("write \"insurance {code}\""),
                    );
                    format!("there is no state {}: {example}", in_quotes(state))
                }),
            };
        }
        if KEYS_WITHOUT_COLUMN.contains(&name.as_str()) {
            return Err(format!(
                "`{name}` doesn't fit into a cell: delete this column, and edit the clinician's file"
            ));
        }
        if let Some((meant, _)) = SYNONYMS.iter().find(|(_, others)| others.contains(&name.as_str())) {
            return Err(format!("there is no column {}: name it \"{meant}\"", in_quotes(heading)));
        }
        let names: Vec<String> = Self::fixed().map(Self::name).chain([EXPORTED.to_owned()]).collect();
        // "Accepting New Pts?"
        let begins =
            |known: &&str| name.strip_prefix(known).is_some_and(|rest| rest.starts_with([' ', '(', ':']));
        let near = nearest(&name, names.iter().map(String::as_str));
        Err(match near.or_else(|| names.iter().map(String::as_str).find(begins)) {
            Some(near) => format!("there is no column {}: did you mean \"{near}\"?", in_quotes(heading)),
            None => format!(
                "there is no column {}: use one of {}, or delete it",
                in_quotes(heading),
                names.join(", ")
            ),
        })
    }

    pub(super) fn name(self) -> String {
        self.key_path().map_or_else(|| SLUG_SPEC.name.to_owned(), |path| path.join(" "))
    }

    /// Returns the key in the file, after its table's name if it is in a table. The slug has no key: it is the file's name.
    pub(super) fn key_path(self) -> Option<Vec<String>> {
        match self {
            Self::Slug => None,
            Self::Key(position) => Some(KEYS[position].name.split(' ').map(str::to_owned).collect()),
            Self::PlansEverywhere => Some(vec![PLANS.to_owned(), "all".to_owned()]),
            Self::PlansIn(state) => Some(vec![PLANS.to_owned(), state.to_string()]),
        }
    }

    /// Returns the keys that belong above this column's key in the file, nearest first.
    pub(super) fn keys_above(self) -> Vec<&'static str> {
        let number_above = if let Self::Key(position) = self { position } else { KEYS.len() };
        KEYS[..number_above].iter().rev().map(|key| key.name).collect()
    }

    pub(super) fn is_required(self) -> bool {
        self.spec().is_required
    }

    pub(super) fn width(self) -> usize {
        self.spec().width
    }

    pub(super) fn choices(self) -> Vec<&'static str> {
        match self.spec().kind {
            CellKind::Choice(words) => words.to_vec(),
            CellKind::Flag => vec!["TRUE", "FALSE"],
            _ => Vec::new(),
        }
    }

    /// Returns whether its texts may be too long for a message.
    pub(super) fn is_long(self) -> bool {
        self.name() == "bio"
    }

    pub(super) fn sharing(self) -> Sharing {
        match self.name().as_str() {
            "id" | "slug" | "display-name" | "bio" | "npi" => Sharing::Never,
            "sort-name" | "former-slugs" | "headshot" | "credentials" => Sharing::Rare,
            _ => Sharing::Usual,
        }
    }

    pub(super) fn is_list(self) -> bool {
        matches!(self.spec().kind, CellKind::Texts | CellKind::States | CellKind::Numbers | CellKind::Dates)
    }

    pub(super) fn has_dates(self) -> bool {
        self.spec().kind == CellKind::Dates
    }

    fn spec(self) -> &'static ColumnSpec {
        match self {
            Self::Slug => &SLUG_SPEC,
            Self::Key(position) => &KEYS[position],
            Self::PlansEverywhere | Self::PlansIn(_) => &PLANS_SPEC,
        }
    }

    pub(super) fn parse_cell(self, cell: &str) -> Result<Option<NewValue>, String> {
        if cell.is_empty() {
            return Ok(None);
        }
        let value = match self.spec().kind {
            CellKind::Text => NewValue::Text(cell.to_owned()),
            CellKind::Choice(words) => NewValue::Text(parse_choice(cell, words)?),
            CellKind::Flag if cell.eq_ignore_ascii_case("true") => NewValue::Flag(true),
            CellKind::Flag if cell.eq_ignore_ascii_case("false") => NewValue::Flag(false),
            CellKind::Flag => {
                return Err(format!("{} isn't allowed here: write TRUE or FALSE", in_quotes(cell)));
            }
            CellKind::Texts => NewValue::Texts(split_list(cell)?),
            CellKind::States => {
                let states = parse_list(cell, parse_state);
                let is_none = self.name() == "accepting" && says_no(cell);
                NewValue::Texts(
                    states.map_err(|error| if is_none { NONE_ACCEPTED.to_owned() } else { error })?,
                )
            }
            CellKind::Numbers => NewValue::Numbers(parse_list(cell, parse_number)?),
            // A file has no empty list of leaves.
            CellKind::Dates => match parse_list(cell, parse_date)? {
                days if days.is_empty() => return Ok(None),
                days => NewValue::Texts(days),
            },
        };
        Ok(Some(value))
    }
}

pub(super) fn cell_text(value: &NewValue) -> String {
    match value {
        NewValue::Text(text) => normalized(text),
        NewValue::Flag(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
        NewValue::Date(date) => date.to_string(),
        NewValue::Texts(texts) => join_list(texts.iter().map(|text| quoted_if_needed(text))),
        NewValue::Numbers(numbers) => join_list(numbers.iter().map(i64::to_string)),
    }
}

fn join_list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { NONE.to_owned() } else { items.join("; ") }
}

/// Returns a list's item, in quotation marks if [`split_list`] would not read it correctly without them.
pub(super) fn quoted_if_needed(item: &str) -> String {
    let is_plain = !item.is_empty()
        && item.trim() == item
        && !item.contains([';', '"', '\n'])
        && !item.eq_ignore_ascii_case(NONE);
    if is_plain { item.to_owned() } else { format!("\"{}\"", item.replace('"', "\"\"")) }
}

/// Splits a list at its semicolons. Items may be in quotation marks, and empty ones are skipped.
fn split_list(cell: &str) -> Result<Vec<String>, String> {
    if cell.eq_ignore_ascii_case(NONE) {
        return Ok(Vec::new());
    }
    let mut items = Vec::new();
    let mut rest = cell.trim();
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (item, after) = take_quoted(quoted).ok_or_else(|| {
                format!(
                    "the quotation mark before {} is never closed, or no semicolon follows the closing one",
                    in_quotes(quoted)
                )
            })?;
            items.push(item);
            rest = after;
        } else {
            let (item, after) = rest.split_once(';').unwrap_or((rest, ""));
            if !item.trim().is_empty() {
                items.push(item.trim().to_owned());
            }
            rest = after.trim_start();
        }
    }
    if items.is_empty() {
        return Err(format!("there is nothing between the semicolons: write {NONE} for an empty list"));
    }
    Ok(items)
}

fn take_quoted(quoted: &str) -> Option<(String, &str)> {
    let mut item = String::new();
    let mut rest = quoted;
    loop {
        let (before, after) = rest.split_once('"')?;
        item.push_str(before);
        if let Some(after_pair) = after.strip_prefix('"') {
            // Two quotation marks mean one.
            item.push('"');
            rest = after_pair;
        } else {
            let after = after.trim_start();
            let next = if after.is_empty() { "" } else { after.strip_prefix(';')? };
            return Some((item, next.trim_start()));
        }
    }
}

fn in_quotes(text: &str) -> String {
    const MOST_LETTERS: usize = 60;
    let start: String = text.chars().take(MOST_LETTERS).collect();
    let end = if start.len() < text.len() { "…" } else { "" };
    format!("\"{start}{end}\"")
}

#[cfg(test)]
mod tests;
