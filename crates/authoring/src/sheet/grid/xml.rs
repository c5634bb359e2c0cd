//! Reads a workbook's XML as a sequence of elements and texts, and escapes texts for XML.

use std::fmt::Write as _;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// A piece of a document. Names have no namespace prefix.
pub(super) enum XmlPiece<'a> {
    Open(Element<'a>),
    Close(&'a str),
    Text(&'a str),
}

pub(super) struct Element<'a> {
    pub(super) name: &'a str,
    attributes: Vec<(String, String)>,
}

impl Element<'_> {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

pub(super) fn walk(
    xml: &[u8],
    mut visit: impl FnMut(XmlPiece<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let xml = std::str::from_utf8(xml).map_err(|_| damaged("it isn't UTF-8"))?;
    let mut reader = Reader::from_str(xml);
    loop {
        match reader.read_event().map_err(damaged)? {
            Event::Start(start) => open(&start, &mut visit)?,
            Event::Empty(start) => {
                open(&start, &mut visit)?;
                visit(XmlPiece::Close(name(start.local_name().as_ref())?))?;
            }
            Event::End(end) => visit(XmlPiece::Close(name(end.local_name().as_ref())?))?,
            Event::Text(text) => visit(XmlPiece::Text(&text.decode().map_err(damaged)?))?,
            Event::CData(text) => visit(XmlPiece::Text(&text.decode().map_err(damaged)?))?,
            Event::GeneralRef(reference) => {
                if let Some(character) = reference.resolve_char_ref().map_err(damaged)? {
                    visit(XmlPiece::Text(character.encode_utf8(&mut [0; 4])))?;
                } else {
                    let name = reference.decode().map_err(damaged)?;
                    let text = resolve_xml_entity(&name);
                    visit(XmlPiece::Text(text.ok_or_else(|| damaged(format!("&{name}; is unknown")))?))?;
                }
            }
            Event::DocType(_) => return Err(damaged("it has a document type")),
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

/// Spreadsheet programs write about thirty at most. Each costs memory, and is compared with all others.
const MOST_ATTRIBUTES: usize = 200;

fn open(
    start: &BytesStart<'_>,
    visit: &mut impl FnMut(XmlPiece<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let mut attributes = Vec::new();
    for (at, attribute) in start.attributes().enumerate() {
        if at == MOST_ATTRIBUTES {
            return Err(damaged("an element has hundreds of attributes"));
        }
        let attribute = attribute.map_err(damaged)?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(damaged)?.into_owned();
        attributes.push((name(attribute.key.local_name().as_ref())?.to_owned(), value));
    }
    visit(XmlPiece::Open(Element { name: name(start.local_name().as_ref())?, attributes }))
}

fn name(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| damaged("it isn't UTF-8"))
}

fn damaged(why: impl std::fmt::Display) -> String {
    format!("the workbook can't be read ({why}): open it in a spreadsheet program and save it again as XLSX")
}

pub(super) fn escaped(text: &str) -> String {
    let text = escape_controls(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes control characters as `_x0007_`. An underscore that would look like the start of such an escape becomes `_x005F_`.
fn escape_controls(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            '_' if starts_with_escape(&text[at..]) => written.push_str("_x005F_"),
            '\n' | '\t' => written.push(character),
            // XML forbids these characters.
            character if character.is_ascii_control() || ['\u{fffe}', '\u{ffff}'].contains(&character) => {
                _ = write!(written, "_x{:04X}_", u32::from(character));
            }
            character => written.push(character),
        }
    }
    written
}

const ESCAPE_LENGTH: usize = "_x0007_".len();

fn starts_with_escape(text: &str) -> bool {
    let digits = text.strip_prefix("_x").and_then(|rest| rest.get(..4));
    digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        && text[6..].starts_with('_')
}

/// Resolves escapes such as `_x000D_`, which mean control characters.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = if starts_with_escape(rest) { Some(&rest[2..6]) } else { None };
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some(character) = code.and_then(char::from_u32) {
            plain.push(character);
            rest = &rest[ESCAPE_LENGTH..];
        } else {
            plain.push('_');
            rest = &rest[1..];
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_with_more_attributes_than_programs_write_is_refused() {
        let of = |count: usize| {
            let attributes: Vec<String> = (0..count).map(|at| format!(" a{at}=\"\"")).collect();
            walk(format!("<a{}/>", attributes.concat()).as_bytes(), |_| Ok(()))
        };
        assert_eq!(of(MOST_ATTRIBUTES), Ok(()));
        assert!(of(MOST_ATTRIBUTES + 1).is_err_and(|error| error.contains("hundreds of attributes")));
    }

    /// As ECMA-376 writes them (`ST_Xstring`).
    #[test]
    fn characters_that_xml_forbids_are_escaped() {
        assert_eq!(
            escaped("a\u{7}b\u{fffe} <\"&\"> c\td"),
            "a_x0007_b_xFFFE_ &lt;&quot;&amp;&quot;&gt; c\td"
        );
        assert_eq!(escaped("_x0007_ is text, and _x07_ too"), "_x005F_x0007_ is text, and _x07_ too");
        assert_eq!(unescaped("a_x0007_b _x005F_x0007_"), "a\u{7}b _x0007_");
    }
}
