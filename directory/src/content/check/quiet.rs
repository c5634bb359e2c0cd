//! A fast test that excludes findings, so that the slow lints run only on few files.
//!
//! Each finding of a lint contains a special character, a group of digits or a certain word. These are searched for
//! here, many bytes at a time. A property test checks that no lint finds anything in a text that passes.

use std::cell::RefCell;
use std::sync::LazyLock;

use regex::Regex;

use super::orders;

/// Words of secrets, of addresses that run a program, of plain instructions to an assistant, and the signs of the signed
/// patterns, in lower case.
static SUSPICIOUS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = [
        "akia",
        "xox",
        "eyj",
        "-----",
        "script:",
        "data:text",
        "ignore",
        "disregard",
        "forget",
        "override",
        "system prompt",
        "you are (?:a|now)",
        "(?:ai|virtual) (?:assistant|agent|model)",
        "(?:dear|note to|attention|message to) [alc]",
        r"inst\]",
    ];
    let words: Vec<_> = words.into_iter().chain(orders::signs()).collect();
    Regex::new(&words.join("|")).ok()
});

/// Whether no lint can find anything in a text, even after its escapes are resolved.
pub(super) fn is_quiet(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_sign = bytes.iter().fold(false, |has, &byte| has | is_special(byte));
    let is_usual = || text.is_ascii() || text.chars().all(is_usual);
    let has_word =
        || SUSPICIOUS.as_ref().is_none_or(|words| in_lower_case(text, |text| words.is_match(text)));
    !has_sign && !has_digit_groups(bytes) && !has_broken_letters(bytes) && is_usual() && !has_word()
}

/// Calls a function with a copy of a text in lower case. The copies share one allocation for each thread.
fn in_lower_case<T>(text: &str, look: impl FnOnce(&str) -> T) -> T {
    thread_local! {
        static SMALL: RefCell<String> = const { RefCell::new(String::new()) };
    }
    SMALL.with_borrow_mut(|small| {
        small.clear();
        small.push_str(text);
        small.make_ascii_lowercase();
        look(small)
    })
}

/// Whether a byte is special: `@` of an e-mail address, `<` of a tag, `_` of a key, `\` of an escape, or a control
/// character.
#[expect(clippy::needless_bitwise_bool, reason = "without branches the compiler looks at many bytes at once")]
fn is_special(byte: u8) -> bool {
    let is_control = (byte < b' ') & (byte != b'\n') & (byte != b'\r') & (byte != b'\t') | (byte == 0x7f);
    is_control | (byte == b'@') | (byte == b'<') | (byte == b'_') | (byte == b'\\')
}

/// Whether there is the end of a phone number or social security number: a digit, a separator, four digits.
#[expect(clippy::needless_bitwise_bool, reason = "without branches the compiler looks at many bytes at once")]
fn has_digit_groups(bytes: &[u8]) -> bool {
    let from = |at: usize| bytes.get(at..).unwrap_or_default().iter();
    let is_between = |byte: u8| (byte == b'-') | (byte == b'.') | (byte == b' ');
    let groups = from(0).zip(from(1)).zip(from(2)).zip(from(3)).zip(from(4)).zip(from(5));
    groups.fold(false, |has, (((((a, b), c), d), e), f)| {
        let digits = [a, c, d, e, f].into_iter().fold(true, |all, byte| all & byte.is_ascii_digit());
        has | (digits & is_between(*b))
    })
}

/// Whether there may be HTML for a character, or a letter that was read in a wrong encoding: `&` before anything but a
/// space, or `Ã`.
#[expect(clippy::needless_bitwise_bool, reason = "without branches the compiler looks at many bytes at once")]
fn has_broken_letters(bytes: &[u8]) -> bool {
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    pairs.fold(false, |has, (&a, &b)| has | ((a == b'&') & (b > b' ')) | ((a == 0xc3) & (b == 0x83)))
}

/// Whether a character is a European letter, a quotation mark or a dash. The long s is not: the lints take it for an s.
fn is_usual(character: char) -> bool {
    matches!(character,
        '\0'..='\x7f' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{17e}' | '\u{180}'..='\u{61b}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lints;
    use super::*;

    #[test]
    fn usual_texts_are_quiet() {
        for text in [
            "Siobhán O\u{2019}Reilly, MD \u{2013} with careful attention to sleep since 2009.",
            "id = \"prov-0001\"\nnpi = \"9941339100\"\nyear = 2009\n",
            "",
        ] {
            assert!(is_quiet(text), "{text:?}");
        }
    }

    /// Parts of texts that the lints find.
    fn part() -> impl Strategy<Value = String> {
        let parts = [
            "415",
            "-",
            ".",
            " ",
            "555",
            "0134",
            "(415)",
            "+1 ",
            "078-05-1120",
            "jane@x.io",
            "sk_live_",
            "AKIA",
            "IOSFODNN7EXAMPLE",
            "ghp_",
            "xoxb-",
            "eyJhbGciOiJI",
            "-----BEGIN ",
            "PRIVATE KEY-----",
            "JavaScript:",
            "vbscript:",
            "data:text/html",
            "\u{7}",
            "\u{85}",
            "\u{200b}",
            "\u{ad}",
            "\u{e0041}",
            "<b>",
            "</",
            "<!--",
            "Ignore ",
            "all ",
            "previous ",
            "instructions",
            "in\u{17f}tructions",
            "disregard\u{a0}",
            "System Prompt",
            "you are now an ",
            "AI",
            "assistant",
            "AI assistants ",
            "must",
            "Dear ",
            "Note to all ",
            "attention ",
            "LLMs",
            "Claude",
            "<|x|>",
            "[/INST]",
            "virtual agent: please",
            "é",
            "\u{2019}",
            "\u{212a}",
            "message to ",
            "any language model",
            "\u{c3}",
            "\u{a9}",
            "\u{e2}\u{20ac}\u{2122}",
            "&",
            "amp;",
            "#39;",
            "Eacute;",
        ];
        prop_oneof![6 => proptest::sample::select(parts.to_vec()).prop_map(str::to_owned), 1 => ".{0,4}"]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn no_lint_finds_anything_in_a_quiet_text(parts in prop::collection::vec(part(), 0..8)) {
            let text = parts.concat();
            if is_quiet(&text) {
                prop_assert!(!lints::finds_anything(&text), "{text:?}");
                prop_assert!(!text.contains('\\'));
            }
        }
    }
}
