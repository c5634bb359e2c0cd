//! Where the lines of a text begin, found once: asking for a place's line is then a search by halves.

/// The beginnings of a text's lines.
#[derive(Debug)]
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Self(std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect())
    }

    /// The line of an offset, counted from 0.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|&start| start <= offset).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_lines() {
        let lines = Lines::of("ab\n\nc");
        let found: Vec<_> = (0..6).map(|offset| lines.line(offset)).collect();
        assert_eq!(found, [0, 0, 0, 1, 2, 2]);
    }
}
