//! The `[table]` lines of a file. They are found with the lexer, because a line of a biography can begin with a bracket
//! and a header can be indented.

use std::ops::Range;

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

#[derive(Debug)]
pub(in super::super) struct Headers<'a>(Vec<Header<'a>>);

#[derive(Debug)]
pub(in super::super) struct Header<'a> {
    /// From the first bracket to the last.
    pub(in super::super) span: Range<usize>,
    /// Counts from 1.
    pub(in super::super) line: usize,
    /// Such as `[[education]]`.
    pub(in super::super) text: &'a str,
}

impl<'a> Headers<'a> {
    pub(in super::super) fn scan(text: &'a str) -> Self {
        let mut headers = Vec::new();
        let (mut line, mut counted) = (1, 0);
        let mut begins_line = true;
        let mut open: Option<(usize, usize)> = None;
        for token in Source::new(text).lex() {
            let span = token.span();
            match token.kind() {
                TokenKind::Newline => (begins_line, open) = (true, None),
                TokenKind::LeftSquareBracket if begins_line => {
                    (begins_line, open) = (false, Some((span.start(), span.end())));
                }
                TokenKind::LeftSquareBracket | TokenKind::RightSquareBracket => {
                    open = open.map(|(start, _)| (start, span.end()));
                }
                TokenKind::Whitespace | TokenKind::Comment | TokenKind::Eof => {}
                TokenKind::Comma | TokenKind::Equals => (begins_line, open) = (false, None),
                _ => begins_line = false,
            }
            let ends_line = matches!(
                text[span.end()..].trim_start_matches([' ', '\t']).chars().next(),
                None | Some('\n' | '\r' | '#')
            );
            if let Some((start, end)) = open
                && token.kind() == TokenKind::RightSquareBracket
                && ends_line
            {
                line += text[counted..start].matches('\n').count();
                counted = start;
                headers.push(Header { span: start..end, line, text: &text[start..end] });
                open = None;
            }
        }
        Self(headers)
    }

    pub(in super::super) fn first(&self) -> Option<&Header<'a>> {
        self.0.first()
    }

    /// The last header above an offset: the table to which the offset belongs.
    pub(in super::super) fn above(&self, offset: usize) -> Option<&Header<'a>> {
        let above = self.0.partition_point(|header| header.span.start < offset);
        self.0.get(above.checked_sub(1)?)
    }

    pub(in super::super) fn at(&self, offset: usize) -> Option<&Header<'a>> {
        self.above(offset + 1).filter(|header| header.span.contains(&offset))
    }
}

impl Header<'_> {
    pub(super) fn name(&self) -> &str {
        self.text.trim_matches(['[', ']']).trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_texts_and_lists_are_not_headers() {
        let text = "a = 1\nbio = \"\"\"\n[Note]\n\"\"\"\ndays = [\n  [1],\n]\n  [insurance] # x\nall = [2]\n[[education]]\n";
        let headers = Headers::scan(text);
        let found: Vec<_> = headers.0.iter().map(|header| (header.line, header.text)).collect();
        assert_eq!(found, [(8, "[insurance]"), (10, "[[education]]")]);
        assert_eq!(headers.above(text.len()).map(|header| header.line), Some(10));
        assert!(headers.above(3).is_none());
    }
}
