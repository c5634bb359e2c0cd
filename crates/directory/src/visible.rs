//! Makes text from outside safe for a terminal and for a line of a log: control characters, invisible characters and those
//! that change the direction of text are replaced.

use std::borrow::Cow;

/// A text of one line: line breaks and tabs are replaced, too.
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, is_hidden)
}

/// A text that may have several lines and tabs.
pub fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

fn replaced(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_bad) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if is_bad(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

fn is_hidden(c: char) -> bool {
    c.is_control() || is_format(c)
}

/// Unicode format characters (category Cf), and line and paragraph separators.
fn is_format(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_a_terminal_or_a_log_is_replaced() {
        assert!(matches!(line("é – plain"), Cow::Borrowed("é – plain")));
        assert_eq!(
            line("a\u{1b}[31m\u{9b}2J\u{202e}b\nc\td\r"),
            "a\u{fffd}[31m\u{fffd}2J\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}"
        );
        assert_eq!(lines("a\nb\tc\u{1b}\r\u{2028}"), "a\nb\tc\u{fffd}\u{fffd}\u{fffd}");
    }
}
