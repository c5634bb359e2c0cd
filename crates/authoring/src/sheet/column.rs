//! The sheet's columns, each a key of a clinician's file.

use directory::model::{Gender, Listing, ProviderType, StateCode};

use crate::edit::NewValue;
use crate::near::nearest;

/// The table of plans in a clinician's file.
pub(super) const PLANS: &str = "insurance";
/// The column of hashes of the exported cells.
pub const MARK: &str = "exported";
/// The word for an empty list.
pub(super) const NONE: &str = "none";

/// What a cell of a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Text,
    Word(&'static [&'static str]),
    Flag,
    Texts,
    States,
    Numbers,
}

/// A key that a sheet can hold.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    kind: CellKind,
    is_required: bool,
    /// In a spreadsheet, in letters.
    width: usize,
}

const fn key(name: &'static str, kind: CellKind, is_required: bool, width: usize) -> Key {
    Key { name, kind, is_required, width }
}

/// In the file's order. `id` precedes the slug column.
static KEYS: [Key; 17] = [
    key("id", CellKind::Text, true, 12),
    key("display-name", CellKind::Text, true, 24),
    key("sort-name", CellKind::Text, false, 20),
    key("former-slugs", CellKind::Texts, false, 20),
    key("credentials", CellKind::Text, true, 18),
    key("provider-type", CellKind::Word(ProviderType::WORDS), true, 18),
    key("gender", CellKind::Word(Gender::WORDS), true, 12),
    key("bio", CellKind::Text, true, 40),
    key("headshot", CellKind::Text, false, 24),
    key("menopause-society-certified", CellKind::Flag, false, 14),
    key("clinical-interests", CellKind::Texts, false, 30),
    key("languages", CellKind::Texts, false, 20),
    key("licensed", CellKind::States, true, 16),
    key("accepting", CellKind::States, true, 16),
    key("appointment-types", CellKind::Numbers, false, 18),
    key("npi", CellKind::Text, false, 12),
    key("status", CellKind::Word(Listing::WORDS), false, 14),
];

/// Keys of the file that are not in the sheet.
const IN_THE_FILE: [&str; 5] = ["education", "certifications", "specialty", "licence", "confirmed"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Column {
    Slug,
    Key(usize),
    /// Plans in every state of licensure.
    PlansEverywhere,
    /// Plans in a state.
    PlansIn(StateCode),
}

impl Column {
    pub(super) const ID: Self = Self::Key(0);

    /// The columns that every sheet has, in order.
    pub(super) fn fixed() -> impl Iterator<Item = Self> {
        let keys = (1..KEYS.len()).map(Self::Key);
        [Self::ID, Self::Slug].into_iter().chain(keys).chain([Self::PlansEverywhere])
    }

    /// The column with this heading.
    pub(super) fn of(heading: &str) -> Result<Self, String> {
        let name = heading.trim().to_lowercase();
        if name == "slug" {
            return Ok(Self::Slug);
        }
        if let Some(number) = KEYS.iter().position(|key| key.name == name) {
            return Ok(Self::Key(number));
        }
        if let Some(state) = name.strip_prefix(PLANS).and_then(|rest| rest.strip_prefix(' ')) {
            return match state.trim() {
                "all" => Ok(Self::PlansEverywhere),
                state => state.to_uppercase().parse().map(Self::PlansIn).map_err(|_| {
                    format!(
                        "there is no state {}: write \"insurance all\", or a state's two letters, as \"insurance CA\"",
                        in_quotes(state)
                    )
                }),
            };
        }
        if IN_THE_FILE.contains(&name.as_str()) {
            return Err(format!(
                "`{name}` stays in the clinician's file, since a cell cannot hold it: delete this column"
            ));
        }
        let names: Vec<String> = Self::fixed().map(Self::name).chain([MARK.to_owned()]).collect();
        Err(match nearest(&name, names.iter().map(String::as_str)) {
            Some(near) => format!("there is no column {}: did you mean \"{near}\"?", in_quotes(heading)),
            None => {
                format!(
                    "there is no column {}: delete it; docs/SHEET.md lists the columns",
                    in_quotes(heading)
                )
            }
        })
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Slug => "slug".to_owned(),
            Self::Key(number) => KEYS[number].name.to_owned(),
            Self::PlansEverywhere => format!("{PLANS} all"),
            Self::PlansIn(state) => format!("{PLANS} {state}"),
        }
    }

    /// The way to the value in the file; `None` for the slug, which is the file's name.
    pub(super) fn path(self) -> Option<Vec<String>> {
        match self {
            Self::Slug => None,
            Self::Key(number) => Some(vec![KEYS[number].name.to_owned()]),
            Self::PlansEverywhere => Some(vec![PLANS.to_owned(), "all".to_owned()]),
            Self::PlansIn(state) => Some(vec![PLANS.to_owned(), state.to_string()]),
        }
    }

    /// The keys below which a new line of this column stands, nearest first.
    pub(super) fn below(self) -> Vec<&'static str> {
        let before = if let Self::Key(number) = self { number } else { KEYS.len() };
        KEYS[..before].iter().rev().map(|key| key.name).collect()
    }

    pub(super) fn is_required(self) -> bool {
        match self {
            Self::Slug => true,
            Self::Key(number) => KEYS[number].is_required,
            Self::PlansEverywhere | Self::PlansIn(_) => false,
        }
    }

    pub(super) fn width(self) -> usize {
        match self {
            Self::Slug => 22,
            Self::Key(number) => KEYS[number].width,
            Self::PlansEverywhere | Self::PlansIn(_) => 30,
        }
    }

    /// What a drop-down offers.
    pub(super) fn choices(self) -> Vec<&'static str> {
        match self.kind() {
            CellKind::Word(words) => words.to_vec(),
            CellKind::Flag => vec!["TRUE", "FALSE"],
            _ => Vec::new(),
        }
    }

    /// Whether its text may be long, so that a change is told without it.
    pub(super) fn is_long(self) -> bool {
        self.name() == "bio"
    }

    /// Whether a cell holds several things, with semicolons between.
    pub(super) fn is_list(self) -> bool {
        matches!(self.kind(), CellKind::Texts | CellKind::States | CellKind::Numbers)
    }

    fn kind(self) -> CellKind {
        match self {
            Self::Slug => CellKind::Text,
            Self::Key(number) => KEYS[number].kind,
            Self::PlansEverywhere | Self::PlansIn(_) => CellKind::Texts,
        }
    }

    /// Reads a cell; `None` if it is empty. An error says what is wrong with it, and what to write.
    pub(super) fn read(self, cell: &str) -> Result<Option<NewValue>, String> {
        if cell.is_empty() {
            return Ok(None);
        }
        Ok(Some(match self.kind() {
            CellKind::Text => NewValue::Text(cell.to_owned()),
            CellKind::Word(words) => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(cell)).ok_or_else(|| {
                    let hint = match nearest(cell, words.iter().copied()) {
                        Some(near) => format!("did you mean {near}?"),
                        None => format!("write one of {}", words.join(", ")),
                    };
                    format!("{} cannot be here: {hint}", in_quotes(cell))
                })?;
                NewValue::Text((*word).to_owned())
            }
            CellKind::Flag if cell.eq_ignore_ascii_case("true") => NewValue::Flag(true),
            CellKind::Flag if cell.eq_ignore_ascii_case("false") => NewValue::Flag(false),
            CellKind::Flag => return Err(format!("{} cannot be here: write TRUE or FALSE", in_quotes(cell))),
            CellKind::Texts => NewValue::Texts(split(cell)?),
            CellKind::States => {
                let code = |state: &String| {
                    state.parse::<StateCode>().map(|code| code.to_string()).map_err(|_| {
                        format!(
                            "{} is not a state: write two letters each, with semicolons between, as in CA; NY",
                            in_quotes(state)
                        )
                    })
                };
                NewValue::Texts(split(cell)?.iter().map(code).collect::<Result<_, _>>()?)
            }
            CellKind::Numbers => NewValue::Numbers(
                split(cell)?
                    .iter()
                    .map(|number| {
                        number.parse().map_err(|_| {
                            format!(
                                "{} is not a number: write numbers with semicolons between, as in 101; 201",
                                in_quotes(number)
                            )
                        })
                    })
                    .collect::<Result<_, _>>()?,
            ),
        }))
    }
}

/// A value as a cell shows it.
pub(super) fn shown(value: &NewValue) -> String {
    match value {
        NewValue::Text(text) => super::grid::normal(text),
        NewValue::Flag(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
        NewValue::Date(date) => date.to_string(),
        NewValue::Texts(texts) => joined(texts.iter().map(|text| guarded(text))),
        NewValue::Numbers(numbers) => joined(numbers.iter().map(i64::to_string)),
    }
}

fn joined(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { NONE.to_owned() } else { items.join("; ") }
}

/// An item of a list, in quotation marks if it would not be read as it is.
pub(super) fn guarded(item: &str) -> String {
    let is_plain = !item.is_empty()
        && item.trim() == item
        && !item.contains([';', '"', '\n'])
        && !item.eq_ignore_ascii_case(NONE);
    if is_plain { item.to_owned() } else { format!("\"{}\"", item.replace('"', "\"\"")) }
}

/// The items of a list.
fn split(cell: &str) -> Result<Vec<String>, String> {
    if cell.eq_ignore_ascii_case(NONE) {
        return Ok(Vec::new());
    }
    let mut items = Vec::new();
    let mut rest = cell.trim();
    while !rest.is_empty() {
        let item;
        if let Some(quoted) = rest.strip_prefix('"') {
            (item, rest) = until_quote(quoted).ok_or_else(|| {
                format!(
                    "the quotation mark before {} is not closed, or something stands behind the closing one",
                    in_quotes(quoted)
                )
            })?;
        } else {
            let (text, behind) = rest.split_once(';').unwrap_or((rest, ""));
            (item, rest) = (text.trim().to_owned(), behind.trim_start());
            if item.is_empty() {
                // A semicolon at the end, or two in a row.
                continue;
            }
        }
        items.push(item);
    }
    if items.is_empty() {
        Err(format!("there is nothing between the semicolons: write {NONE} for an empty list"))
    } else {
        Ok(items)
    }
}

/// The text up to the closing quotation mark, and what stands behind the next semicolon.
fn until_quote(quoted: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut rest = quoted;
    loop {
        let (before, behind) = rest.split_once('"')?;
        text.push_str(before);
        if let Some(more) = behind.strip_prefix('"') {
            text.push('"');
            rest = more;
        } else {
            let behind = behind.trim_start();
            let next = if behind.is_empty() { "" } else { behind.strip_prefix(';')? };
            return Some((text, next.trim_start()));
        }
    }
}

/// A text in a message. Of a long one, only its beginning.
fn in_quotes(text: &str) -> String {
    const SHOWN: usize = 60;
    let start: String = text.chars().take(SHOWN).collect();
    let end = if start.len() < text.len() { "…" } else { "" };
    format!("\"{start}{end}\"")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_key_of_a_clinicians_file_is_a_column_or_stays_in_the_file() {
        let schemas = directory::content::schemas();
        let (_, schema) = schemas.iter().find(|(name, _)| *name == "provider").unwrap();
        let known: BTreeSet<&str> =
            schema.as_value()["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let columns = KEYS.iter().map(|key| key.name).chain(IN_THE_FILE).chain([PLANS]);
        assert_eq!(columns.collect::<BTreeSet<_>>(), known);
        let required =
            schema.as_value()["required"].as_array().unwrap().iter().filter_map(|key| key.as_str());
        let ours = KEYS.iter().filter(|key| key.is_required).map(|key| key.name);
        assert_eq!(ours.collect::<BTreeSet<_>>(), required.collect::<BTreeSet<_>>());
    }

    #[test]
    fn the_page_about_the_sheet_lists_the_columns_in_their_order() {
        let page = include_str!("../../../../docs/SHEET.md");
        let (_, table) = page.split_once("|---|---|---|\n").unwrap();
        let rows = table.lines().map_while(|line| line.strip_prefix("| `")?.split('`').next());
        let columns: Vec<String> = Column::fixed().map(Column::name).collect();
        let states_and_mark = ["insurance CA", MARK];
        let expected = columns.iter().map(String::as_str).chain(states_and_mark);
        assert_eq!(rows.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }

    #[test]
    fn headings_are_known_in_any_case_and_the_nearest_is_told() {
        for column in Column::fixed() {
            assert_eq!(Column::of(&column.name().to_uppercase()).unwrap(), column);
        }
        assert_eq!(Column::of("insurance ca").unwrap().name(), "insurance CA");
        for (heading, hint) in [
            ("acepting", "did you mean \"accepting\""),
            ("insurance XX", "no state \"xx\""),
            ("Education", "stays in the clinician's file"),
            ("shoe size", "delete it"),
            ("x".repeat(1_000).as_str(), "xxx…\": delete it"),
        ] {
            let error = Column::of(heading).unwrap_err();
            assert!(error.contains(hint), "{error}");
        }
    }

    #[test]
    fn a_list_is_read_as_it_was_joined() {
        let texts = |texts: &[&str]| NewValue::Texts(texts.iter().map(|text| (*text).to_owned()).collect());
        let column = Column::PlansEverywhere;
        for (list, cell) in [
            (&["A", "B & C"][..], "A; B & C"),
            (&[], "none"),
            (&["none"], "\"none\""),
            (&["None"], "\"None\""),
            (&["a; b", "\"c\"", " d "], "\"a; b\"; \"\"\"c\"\"\"; \" d \""),
        ] {
            assert_eq!(shown(&texts(list)), cell);
            assert_eq!(column.read(cell).unwrap().unwrap(), texts(list));
        }
        assert_eq!(column.read("A;B ;; C;").unwrap().unwrap(), texts(&["A", "B", "C"]));
        for cell in [";", "\"a", "\"a\" b"] {
            assert!(column.read(cell).is_err(), "{cell}");
        }
    }
}
