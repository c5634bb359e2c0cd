//! XML of a workbook as a sequence of elements and texts.

use std::fmt::Write as _;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// A part of the document, with names without their prefixes.
#[derive(Debug)]
pub(super) enum Part<'a> {
    Open(Element<'a>),
    Close(&'a str),
    Text(&'a str),
}

/// An element's start.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) name: &'a str,
    attributes: Vec<(String, String)>,
}

impl Element<'_> {
    /// An attribute by its name without prefix.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Shows each part in order.
pub(super) fn walk(xml: &[u8], mut show: impl FnMut(Part<'_>) -> Result<(), String>) -> Result<(), String> {
    let xml = std::str::from_utf8(xml).map_err(|_| damaged(&"it is not UTF-8"))?;
    let mut reader = Reader::from_str(xml);
    loop {
        match reader.read_event().map_err(|error| damaged(&error))? {
            Event::Start(start) => open(&start, &mut show)?,
            Event::Empty(start) => {
                open(&start, &mut show)?;
                show(Part::Close(name(start.local_name().as_ref())?))?;
            }
            Event::End(end) => show(Part::Close(name(end.local_name().as_ref())?))?,
            Event::Text(text) => {
                show(Part::Text(&text.decode().map_err(|error| damaged(&error))?))?;
            }
            Event::CData(text) => {
                show(Part::Text(&text.decode().map_err(|error| damaged(&error))?))?;
            }
            Event::GeneralRef(reference) => {
                let number = reference.resolve_char_ref().map_err(|error| damaged(&error))?;
                let reference = reference.decode().map_err(|error| damaged(&error))?;
                let character = match (number, reference.as_ref()) {
                    (Some(character), _) => character,
                    (None, "amp") => '&',
                    (None, "lt") => '<',
                    (None, "gt") => '>',
                    (None, "quot") => '"',
                    (None, "apos") => '\'',
                    (None, other) => return Err(damaged(&format!("&{other}; is not known"))),
                };
                show(Part::Text(character.encode_utf8(&mut [0; 4])))?;
            }
            Event::DocType(_) => return Err(damaged(&"it has a document type")),
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

fn open(start: &BytesStart<'_>, show: &mut impl FnMut(Part<'_>) -> Result<(), String>) -> Result<(), String> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| damaged(&error))?;
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|error| damaged(&error))?
            .into_owned();
        attributes.push((name(attribute.key.local_name().as_ref())?.to_owned(), value));
    }
    show(Part::Open(Element { name: name(start.local_name().as_ref())?, attributes }))
}

fn name(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| damaged(&"it is not UTF-8"))
}

fn damaged(why: &dyn std::fmt::Display) -> String {
    format!("the workbook cannot be read ({why}): open it in the spreadsheet, and save it again as XLSX")
}

/// A cell's text in XML.
pub(super) fn escaped(text: &str) -> String {
    let text = hidden_controls(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes control characters as `_x0007_`, and an underscore that would begin such a thing as `_x005F_`.
fn hidden_controls(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            '_' if is_escape(&text[at..]) => written.push_str("_x005F_"),
            '\n' | '\t' => written.push(character),
            // XML has no such characters.
            '\u{fffe}' | '\u{ffff}' => _ = write!(written, "_x{:04X}_", u32::from(character)),
            character if character.is_ascii_control() => {
                _ = write!(written, "_x{:04X}_", u32::from(character));
            }
            character => written.push(character),
        }
    }
    written
}

/// Whether a text begins like `_x0007_`.
fn is_escape(text: &str) -> bool {
    let digits = text.strip_prefix("_x").and_then(|rest| rest.get(..4));
    digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        && text[6..].starts_with('_')
}

/// Resolves `_x000D_`, as workbooks write control characters.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = if is_escape(rest) { &rest[2..6] } else { "" };
        let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        let (character, length) = character.map_or(('_', 1), |character| (character, 7));
        plain.push(character);
        rest = &rest[length..];
    }
    plain + rest
}
