//! The header fields that the endpoint reads, collected in one pass: a lookup for each name is slower.

use warp::http::header::{self, HeaderMap, HeaderName, HeaderValue};

use super::versions::{METHOD_HEADER, NAME_HEADER, VERSION_HEADER};

/// The fields of a request. If a field must not be repeated, the first one counts.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    all: &'a HeaderMap,
    accept: Lines<'a>,
    origin: Lines<'a>,
    pub(super) host: Option<&'a HeaderValue>,
    pub(super) content_type: Option<&'a HeaderValue>,
    pub(super) content_length: Option<&'a HeaderValue>,
    pub(super) version: Option<&'a HeaderValue>,
    pub(super) method: Option<&'a HeaderValue>,
    pub(super) name: Option<&'a HeaderValue>,
}

/// A field that may be repeated.
#[derive(Debug, Clone, Copy, Default)]
enum Lines<'a> {
    #[default]
    None,
    One(&'a HeaderValue),
    Several,
}

impl<'a> Fields<'a> {
    pub(super) fn of(all: &'a HeaderMap) -> Self {
        let mut fields = Self {
            all,
            accept: Lines::None,
            origin: Lines::None,
            host: None,
            content_type: None,
            content_length: None,
            version: None,
            method: None,
            name: None,
        };
        for (name, value) in all {
            let place = match name {
                name if name == header::HOST => &mut fields.host,
                name if name == header::CONTENT_TYPE => &mut fields.content_type,
                name if name == header::CONTENT_LENGTH => &mut fields.content_length,
                name if name == header::ACCEPT => {
                    fields.accept.add(value);
                    continue;
                }
                name if name == header::ORIGIN => {
                    fields.origin.add(value);
                    continue;
                }
                name if name == VERSION_HEADER => &mut fields.version,
                name if name == METHOD_HEADER => &mut fields.method,
                name if name == NAME_HEADER => &mut fields.name,
                _ => continue,
            };
            place.get_or_insert(value);
        }
        fields
    }

    /// All lines of Accept.
    pub(super) fn accept(&self) -> impl Iterator<Item = &'a HeaderValue> + use<'a> {
        self.lines(self.accept, &header::ACCEPT)
    }

    /// All lines of Origin.
    pub(super) fn origin(&self) -> impl Iterator<Item = &'a HeaderValue> + use<'a> {
        self.lines(self.origin, &header::ORIGIN)
    }

    fn lines(&self, lines: Lines<'a>, name: &HeaderName) -> impl Iterator<Item = &'a HeaderValue> + use<'a> {
        let (one, several) = match lines {
            Lines::None => (None, None),
            Lines::One(line) => (Some(line), None),
            Lines::Several => (None, Some(self.all.get_all(name))),
        };
        one.into_iter().chain(several.into_iter().flatten())
    }
}

impl<'a> Lines<'a> {
    fn add(&mut self, line: &'a HeaderValue) {
        *self = match self {
            Self::None => Self::One(line),
            _ => Self::Several,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_of_a_repeated_field_are_found() {
        let mut headers = HeaderMap::new();
        let names =
            ["content-type", "x", "host", "mcp-name", "mcp-protocol-version", "mcp-method", "content-length"];
        for name in names {
            headers.insert(name, HeaderValue::from_static(name));
        }
        headers.append("accept", HeaderValue::from_static("a"));
        headers.append("origin", HeaderValue::from_static("o"));
        headers.append("accept", HeaderValue::from_static("b"));
        headers.append("content-type", HeaderValue::from_static("second"));
        let fields = Fields::of(&headers);
        let found = [fields.host, fields.name, fields.version, fields.method, fields.content_length];
        let expected = ["host", "mcp-name", "mcp-protocol-version", "mcp-method", "content-length"];
        assert_eq!(found.map(|value| value.unwrap().to_str().unwrap()), expected);
        assert_eq!(fields.content_type.unwrap(), "content-type");
        assert_eq!(fields.accept().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(fields.origin().collect::<Vec<_>>(), ["o"]);
        let none = HeaderMap::new();
        let none = Fields::of(&none);
        assert!(none.host.is_none() && none.accept().chain(none.origin()).next().is_none());
    }
}
