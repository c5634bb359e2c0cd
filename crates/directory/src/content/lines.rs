//! Converts between offsets and lines of a text.

use std::ops::{Range, RangeInclusive};

#[derive(Debug)]
pub(super) struct Lines(Vec<u32>);

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = ends.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX));
        Self(std::iter::once(0).chain(starts).collect())
    }

    /// The line of an offset. Lines count from 0.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|&start| start as usize <= offset).saturating_sub(1)
    }

    /// The lines that a span touches. A line break belongs to the line that it ends.
    pub(super) fn touched(&self, span: &Range<usize>) -> RangeInclusive<usize> {
        self.line(span.start)..=self.line(span.end.saturating_sub(1).max(span.start))
    }

    pub(super) fn start(&self, line: usize) -> usize {
        self.0.get(line).map_or(0, |&start| start as usize)
    }
}

/// The range of the line at an offset, without its line break.
pub(super) fn line_at(text: &str, offset: usize) -> Range<usize> {
    let offset = offset.min(text.len());
    let start = text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    start..start + line.len()
}

/// The number of the line of an offset, as people count: from 1.
pub(super) fn line_number(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// The lines of a text without their breaks, each with its offset.
pub(super) fn each_line(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let at = start;
        start += line.len() + 1;
        (at, line.strip_suffix('\r').unwrap_or(line))
    })
}

pub(super) fn with_break(text: &str, lines: &Range<usize>) -> Range<usize> {
    let rest = &text[lines.end..];
    let length = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    lines.start..lines.end + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_break_in_either_form() {
        for (text, expected) in [("a\nb", 0..2), ("a\r\nb", 0..3), ("a", 0..1)] {
            assert_eq!(with_break(text, &line_at(text, 0)), expected);
        }
    }

    #[test]
    fn places_have_lines() {
        let lines = Lines::new("ab\n\nc");
        let found: Vec<_> = (0..6).map(|offset| lines.line(offset)).collect();
        assert_eq!(found, [0, 0, 0, 1, 2, 2]);
        assert_eq!(
            (lines.touched(&(0..3)), lines.touched(&(1..5)), lines.touched(&(4..4))),
            (0..=0, 0..=2, 2..=2)
        );
        assert_eq!((lines.start(0), lines.start(1), lines.start(2)), (0, 3, 4));
    }
}
