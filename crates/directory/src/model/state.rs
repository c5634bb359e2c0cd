//! The US states where clinicians can be licensed, and the parser of their names.
//! The table has the fifty states, the District of Columbia and the five inhabited territories, sorted by code. A
//! [`StateCode`] is a position in it, and a [`StateSet`] is one machine word.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

const TABLE: [(&str, &str); 56] = [
    ("AK", "Alaska"),
    ("AL", "Alabama"),
    ("AR", "Arkansas"),
    ("AS", "American Samoa"),
    ("AZ", "Arizona"),
    ("CA", "California"),
    ("CO", "Colorado"),
    ("CT", "Connecticut"),
    ("DC", "District of Columbia"),
    ("DE", "Delaware"),
    ("FL", "Florida"),
    ("GA", "Georgia"),
    ("GU", "Guam"),
    ("HI", "Hawaii"),
    ("IA", "Iowa"),
    ("ID", "Idaho"),
    ("IL", "Illinois"),
    ("IN", "Indiana"),
    ("KS", "Kansas"),
    ("KY", "Kentucky"),
    ("LA", "Louisiana"),
    ("MA", "Massachusetts"),
    ("MD", "Maryland"),
    ("ME", "Maine"),
    ("MI", "Michigan"),
    ("MN", "Minnesota"),
    ("MO", "Missouri"),
    ("MP", "Northern Mariana Islands"),
    ("MS", "Mississippi"),
    ("MT", "Montana"),
    ("NC", "North Carolina"),
    ("ND", "North Dakota"),
    ("NE", "Nebraska"),
    ("NH", "New Hampshire"),
    ("NJ", "New Jersey"),
    ("NM", "New Mexico"),
    ("NV", "Nevada"),
    ("NY", "New York"),
    ("OH", "Ohio"),
    ("OK", "Oklahoma"),
    ("OR", "Oregon"),
    ("PA", "Pennsylvania"),
    ("PR", "Puerto Rico"),
    ("RI", "Rhode Island"),
    ("SC", "South Carolina"),
    ("SD", "South Dakota"),
    ("TN", "Tennessee"),
    ("TX", "Texas"),
    ("UT", "Utah"),
    ("VA", "Virginia"),
    ("VI", "U.S. Virgin Islands"),
    ("VT", "Vermont"),
    ("WA", "Washington"),
    ("WI", "Wisconsin"),
    ("WV", "West Virginia"),
    ("WY", "Wyoming"),
];

/// Further official, postal and common names. The parser ignores periods, commas and the words of [`OFFICIAL`].
const ALIASES: [(&str, &str); 16] = [
    ("DC", "Washington DC"),
    ("DC", "Washington, DC"),
    ("DC", "Washington D.C."),
    ("DC", "Washington, D.C."),
    ("DC", "D.C."),
    ("HI", "Hawai'i"),
    ("HI", "Hawai\u{2018}i"),
    ("HI", "Hawai\u{2019}i"),
    ("HI", "Hawai\u{2bb}i"),
    ("MP", "CNMI"),
    ("NY", "New York State"),
    ("VI", "US Virgin Islands"),
    ("VI", "United States Virgin Islands"),
    ("VI", "Virgin Islands"),
    ("VI", "USVI"),
    ("WA", "Washington State"),
];

/// The prefixes that a name may have, in this order, as in "the Commonwealth of the Northern Mariana Islands".
const OFFICIAL: [&str; 4] = ["the ", "state of ", "commonwealth of ", "the "];

const LONGEST_NAME: usize = 64;

static SPELLINGS: LazyLock<HashMap<String, StateCode>> = LazyLock::new(|| {
    let spellings = |state: StateCode| state.spellings().map(move |spelling| (key_of(spelling), state));
    StateCode::all().flat_map(spellings).collect()
});

/// The name in lower case, without periods and commas, with single spaces between words.
fn key_of(name: &str) -> String {
    let plain = name.replace('.', "").replace(',', " ").to_ascii_lowercase();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One US state, the District of Columbia or an inhabited territory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateCode(u8);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a state is a two-letter code such as \"CA\" or a full name such as \"California\"")]
pub struct UnknownState;

impl StateCode {
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..TABLE.len()).map(Self::at)
    }

    pub fn code(self) -> &'static str {
        TABLE[self.index()].0
    }

    pub fn name(self) -> &'static str {
        TABLE[self.index()].1
    }

    /// The code, the full name and further names. The parser also accepts any letter case, other punctuation and the
    /// forms "the …", "State of …" and "Commonwealth of …".
    pub fn spellings(self) -> impl Iterator<Item = &'static str> {
        let aliases = ALIASES.iter().filter(move |(code, _)| *code == self.code());
        [self.code(), self.name()].into_iter().chain(aliases.map(|(_, alias)| *alias))
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    fn at(index: usize) -> Self {
        debug_assert!(index < TABLE.len());
        #[expect(clippy::cast_possible_truncation, reason = "the table has 56 rows")]
        Self(index as u8)
    }
}

impl FromStr for StateCode {
    type Err = UnknownState;

    /// Accepts every spelling in any ASCII case, with any spacing, periods and commas. Does not guess.
    fn from_str(text: &str) -> Result<Self, UnknownState> {
        // The fast path: most requests send the code in upper case.
        if let Ok(at) = TABLE.binary_search_by_key(&text, |&(code, _)| code) {
            return Ok(Self::at(at));
        }
        let text = text.trim();
        if text.len() > LONGEST_NAME {
            return Err(UnknownState);
        }
        let key = key_of(text);
        let name = OFFICIAL.iter().fold(key.as_str(), |name, words| name.strip_prefix(words).unwrap_or(name));
        SPELLINGS.get(name).copied().ok_or(UnknownState)
    }
}

impl fmt::Display for StateCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.code())
    }
}

impl fmt::Debug for StateCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

/// A set of states in one word; iterates in the order of codes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct StateSet(u64);

impl StateSet {
    pub const EMPTY: Self = Self(0);

    pub fn all() -> Self {
        StateCode::all().collect()
    }

    /// Adds a state; false if it was in the set already.
    pub fn insert(&mut self, state: StateCode) -> bool {
        let is_new = !self.contains(state);
        self.0 |= 1 << state.0;
        is_new
    }

    pub fn contains(self, state: StateCode) -> bool {
        self.0 & (1 << state.0) != 0
    }

    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn iter(self) -> impl Iterator<Item = StateCode> {
        let lowest = |word: u64| (word != 0).then_some(word);
        // One step for each member: each step clears the lowest bit.
        std::iter::successors(lowest(self.0), move |&word| lowest(word & (word - 1)))
            .map(|word| StateCode::at(word.trailing_zeros() as usize))
    }
}

impl FromIterator<StateCode> for StateSet {
    fn from_iter<I: IntoIterator<Item = StateCode>>(states: I) -> Self {
        states.into_iter().fold(Self::EMPTY, |set, state| Self(set.0 | 1 << state.0))
    }
}

impl fmt::Debug for StateSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_by_code_and_every_row_parses_back() {
        assert!(TABLE.is_sorted_by(|a, b| a.0 < b.0));
        for state in StateCode::all() {
            assert_eq!(state.code().parse(), Ok(state));
            assert_eq!(state.name().to_uppercase().parse(), Ok(state));
        }
    }

    #[test]
    fn only_codes_and_names_parse_in_any_ascii_case() {
        let california: StateCode = "CA".parse().unwrap();
        for text in ["ca", "Ca", " CA ", "california", "CALIFORNIA", "\tCalifornia\n"] {
            assert_eq!(text.parse(), Ok(california), "{text:?}");
        }
        let long = "California ".repeat(1000);
        for text in ["", "C", "CAL", "Californa", "ＣＡ", "Cali fornia", "C A", "C,A", "ıl", "İD", ".", &long]
        {
            assert_eq!(text.parse::<StateCode>(), Err(UnknownState), "{text:?}");
        }
    }

    #[test]
    fn official_and_postal_names_parse_with_any_punctuation() {
        for (code, spellings) in [
            (
                "DC",
                &["Washington DC", "washington, d.c.", "Washington,DC", "D.C.", "the District of Columbia"][..],
            ),
            (
                "VI",
                &["US Virgin Islands", "U.S. Virgin Islands", "the u.s. virgin islands", "Virgin Islands"],
            ),
            ("MP", &["CNMI", "Commonwealth of the Northern Mariana Islands"]),
            ("PR", &["Commonwealth of Puerto Rico"]),
            ("WA", &["Washington", "State of Washington", "Washington State"]),
            ("NY", &["N.Y.", "New  York", "the State of New York"]),
            ("HI", &["Hawai'i", "Hawai\u{2bb}i"]),
        ] {
            let state: StateCode = code.parse().unwrap();
            for text in spellings {
                assert_eq!(text.parse(), Ok(state), "{text:?}");
            }
        }
        let others = [
            "N. Carolina",
            "British Virgin Islands",
            "Washingtn DC",
            "Calif.",
            "State of",
            "the",
            "Carolina",
        ];
        for text in others {
            assert_eq!(text.parse::<StateCode>(), Err(UnknownState), "{text:?}");
        }
    }

    #[test]
    fn no_two_states_share_a_spelling() {
        let spellings: Vec<_> = StateCode::all().flat_map(StateCode::spellings).collect();
        assert_eq!(spellings.len(), 2 * TABLE.len() + ALIASES.len());
        for state in StateCode::all() {
            assert!(state.spellings().all(|spelling| spelling.parse() == Ok(state)), "{state}");
        }
    }

    #[test]
    fn a_set_iterates_in_the_order_of_codes() {
        let mut set = StateSet::EMPTY;
        for code in ["TX", "AK", "NY"] {
            assert!(set.insert(code.parse().unwrap()));
        }
        assert!(!set.insert("AK".parse().unwrap()));
        assert_eq!(set.iter().map(StateCode::code).collect::<Vec<_>>(), ["AK", "NY", "TX"]);
        assert_eq!(set.len(), 3);
        assert_eq!(StateSet::all().len(), 56);
    }
}
