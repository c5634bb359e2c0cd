//! The states of ZIP codes, by their first three digits.

use crate::model::StateCode;

/// The ranges of the first three digits. A few post offices deliver across a border, and those ranges are in both states.
const RANGES: [(&str, &[(u16, u16)]); 56] = [
    ("AK", &[(995, 999)]),
    ("AL", &[(350, 369)]),
    ("AR", &[(716, 729), (755, 755)]),
    ("AS", &[(967, 967)]),
    ("AZ", &[(850, 865)]),
    ("CA", &[(900, 961)]),
    ("CO", &[(800, 816)]),
    ("CT", &[(60, 69)]),
    ("DC", &[(200, 205), (569, 569)]),
    ("DE", &[(197, 199)]),
    ("FL", &[(320, 349)]),
    ("GA", &[(300, 319), (398, 399)]),
    ("GU", &[(969, 969)]),
    ("HI", &[(967, 968)]),
    ("IA", &[(500, 528)]),
    ("ID", &[(832, 838)]),
    ("IL", &[(600, 629)]),
    ("IN", &[(460, 479)]),
    ("KS", &[(660, 679)]),
    ("KY", &[(400, 427)]),
    ("LA", &[(700, 714)]),
    ("MA", &[(10, 27), (55, 55)]),
    ("MD", &[(206, 219)]),
    ("ME", &[(39, 49)]),
    ("MI", &[(480, 499)]),
    ("MN", &[(550, 567)]),
    ("MO", &[(630, 658)]),
    ("MP", &[(969, 969)]),
    ("MS", &[(386, 397)]),
    ("MT", &[(590, 599)]),
    ("NC", &[(270, 289)]),
    ("ND", &[(580, 588)]),
    ("NE", &[(680, 693)]),
    ("NH", &[(30, 38)]),
    ("NJ", &[(70, 89)]),
    ("NM", &[(870, 884)]),
    ("NV", &[(889, 898)]),
    ("NY", &[(5, 5), (63, 63), (100, 149)]),
    ("OH", &[(430, 459)]),
    ("OK", &[(730, 732), (734, 749)]),
    ("OR", &[(970, 979)]),
    ("PA", &[(150, 196)]),
    ("PR", &[(6, 7), (9, 9)]),
    ("RI", &[(28, 29)]),
    ("SC", &[(290, 299)]),
    ("SD", &[(570, 577)]),
    ("TN", &[(370, 385)]),
    ("TX", &[(733, 733), (750, 799), (885, 885)]),
    ("UT", &[(840, 847)]),
    ("VA", &[(201, 201), (220, 246)]),
    ("VI", &[(8, 8)]),
    ("VT", &[(50, 59)]),
    ("WA", &[(980, 994)]),
    ("WI", &[(530, 549)]),
    ("WV", &[(247, 268)]),
    ("WY", &[(820, 831), (834, 834)]),
];

/// Returns a state of a ZIP code that is not in the given state.
pub(super) fn other_state(zip: &str, state: StateCode) -> Option<&'static str> {
    let digits = zip.get(..5).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let prefix: u16 = digits[..3].parse().ok()?;
    let has_prefix =
        |ranges: &[(u16, u16)]| ranges.iter().any(|(first, last)| (*first..=*last).contains(&prefix));
    let mut states = RANGES.iter().filter(|(_, ranges)| has_prefix(ranges)).map(|(code, _)| *code).peekable();
    let first = *states.peek()?;
    states.all(|code| code != state.code()).then_some(first)
}

/// Whether a state has a ZIP code.
pub(super) fn is_in(zip: &str, state: StateCode) -> bool {
    let prefix: Option<u16> = zip.get(..3).and_then(|prefix| prefix.parse().ok());
    let ranges = RANGES.iter().find(|(code, _)| *code == state.code()).map_or(&[][..], |(_, ranges)| ranges);
    prefix.is_some_and(|prefix| ranges.iter().any(|(first, last)| (*first..=*last).contains(&prefix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zip_codes_have_their_states() {
        // The main post offices of these cities, from usps.com.
        for (zip, state) in [
            ("94607", "CA"),
            ("10001", "NY"),
            ("02139", "MA"),
            ("06390", "NY"),
            ("96813", "HI"),
            ("96799", "AS"),
            ("00901", "PR"),
            ("20001", "DC"),
            ("20190", "VA"),
            ("73301", "TX"),
            ("75502", "AR"),
            ("75501", "TX"),
            ("83414", "WY"),
            ("99501", "AK"),
        ] {
            assert_eq!(other_state(zip, state.parse().unwrap()), None, "{zip}");
            assert!(is_in(zip, state.parse().unwrap()), "{zip}");
        }
        for (zip, state, other) in
            [("94607", "WA", "CA"), ("10001", "NJ", "NY"), ("98101", "OR", "WA"), ("02139-4307", "NH", "MA")]
        {
            assert_eq!(other_state(zip, state.parse().unwrap()), Some(other), "{zip}");
            assert!(!is_in(zip, state.parse().unwrap()), "{zip}");
        }
        // Soldiers abroad have ZIP codes of no state.
        assert_eq!(other_state("09012", "CA".parse().unwrap()), None);
        assert!(StateCode::all().all(|state| RANGES.iter().any(|(code, _)| *code == state.code())));
    }
}
