//! Hides what may be a secret in the lines of a file that a message shows.

/// Stars replace names and passwords before an @, and what follows the ? or # of an address. Each byte stays in its place.
pub(super) fn masked(text: &str) -> String {
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'');
    text.split_inclusive(ends).map(masked_word).collect()
}

fn masked_word(word: &str) -> String {
    let begin = word.find("://").map(|at| at + 3);
    let at = word.rfind('@').filter(|&at| at > 0);
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'');
    let end = word.trim_end_matches(is_end).len();
    let query = begin.and_then(|begin| Some(begin + word[begin..].find(['?', '#'])? + 1));
    let from_user = at.map(|at| begin.filter(|&begin| begin <= at).unwrap_or_default()..at);
    let hidden = [from_user, query.map(|query| query.min(end)..end)];
    let is_hidden = |at: usize| hidden.iter().flatten().any(|range| range.contains(&at));
    word.char_indices()
        .map(|(at, letter)| if is_hidden(at) { "*".repeat(letter.len_utf8()) } else { letter.to_string() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_passwords_and_queries_are_hidden_and_nothing_else() {
        for (text, shown) in [
            ("url = 'tls://user:pa,ss@n1'", "url = 'tls://**********@n1'"),
            ("url = \"tls://n1?token=a\" # why?", "url = \"tls://n1?*******\" # why?"),
            ("url = 'tls://n1,tls://ü:s@n2#b'\n", "url = 'tls://*************@n2#*'\n"),
            ("url = 'user:secret@n1'", "url = '***********@n1'"),
            ("by = \"ann\" # 5 @ home, see #3", "by = \"ann\" # 5 @ home, see #3"),
            ("url = 'https://[::1]/$bulk-publish'", "url = 'https://[::1]/$bulk-publish'"),
        ] {
            let masked = masked(text);
            assert_eq!(masked, shown);
            assert_eq!(masked.len(), text.len());
        }
    }
}
