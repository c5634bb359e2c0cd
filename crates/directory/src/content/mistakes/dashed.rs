//! Dashes in a key, or in place of the equals sign.

use super::super::problem::Advice;
use super::Mistake;
use super::dashes::{dash_in, is_dash};
use super::syntax::ErrorLine;

impl ErrorLine<'_> {
    /// A dash in a key, or in place of the equals sign.
    pub(super) fn dash(&self) -> Option<Mistake> {
        let (key, has_equals) = match self.line.split_once('=') {
            Some((key, _)) => (key, true),
            None => (self.line, false),
        };
        let place = |at: usize, len: usize| self.line_start + at..self.line_start + at + len;
        let is_of_key = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
        let name = key.trim();
        if has_equals && name.chars().all(|character| is_of_key(character) || is_dash(character)) {
            let (_, dash, dash_name) = dash_in(name)?;
            let what = format!("this key has {dash_name} ({dash}) in it, and keys have hyphens");
            let hint = Advice::write(name.replace(is_dash, "-")).and(", with a hyphen (-)");
            let start = key.len() - key.trim_start().len();
            return Some(self.mistake(what, hint).at(place(start, name.len())));
        }
        let (at, dash, dash_name) =
            dash_in(self.line).or_else(|| Some((self.line.find(" - ")? + 1, '-', "a hyphen")))?;
        let (before, after) = (&self.line[..at], self.line[at + dash.len_utf8()..].trim_start());
        let is_key =
            before.trim().chars().all(|character| is_of_key(character) && !character.is_ascii_uppercase());
        let is_value = after.starts_with(['"', '\'', '[', '{']);
        if !is_key || before.trim().is_empty() || !is_value && self.text_that_goes_on().is_some() {
            return None;
        }
        let what = format!("this line has {dash_name} ({dash}) where an = must be");
        let hint = Advice::from(format!("write = in place of {dash}")).replacing("=");
        Some(self.mistake(what, hint).at(place(at, dash.len_utf8())))
    }
}
