//! Recognizes the format of a portrait by its first bytes, because a file can be renamed without being converted.

use super::photo::{Photo, PhotoError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Picture {
    Photograph(Photo),
    /// An SVG.
    Drawing,
    Unusable(PhotoError),
    /// A picture in a format that many browsers do not show, with a name for messages.
    Unsupported(&'static str),
    Other(&'static str),
}

impl Picture {
    pub(super) fn detect(bytes: &[u8]) -> Self {
        /// How many bytes of an SVG file are searched for the tag `<svg`, which can follow comments and declarations.
        const HEAD: usize = 4096;
        let brand = if bytes.get(4..8) == Some(b"ftyp") { bytes.get(8..12) } else { None };
        match Photo::parse(bytes) {
            Some(Ok(photo)) => return Self::Photograph(photo),
            Some(Err(error)) => return Self::Unusable(error),
            None => {}
        }
        match brand {
            Some(b"avif" | b"avis") => return Self::Unsupported("an AVIF picture"),
            Some(b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1") => {
                return Self::Unsupported("a HEIC photo from a phone");
            }
            Some(_) => return Self::Other("a film"),
            None => {}
        }
        let unsupported: [(&[u8], &str); 5] = [
            (b"GIF8", "a GIF"),
            (b"BM", "a BMP picture"),
            (b"II*\0", "a TIFF picture"),
            (b"MM\0*", "a TIFF picture"),
            (b"8BPS", "a Photoshop file"),
        ];
        if let Some((_, name)) = unsupported.iter().find(|(beginning, _)| bytes.starts_with(beginning)) {
            return Self::Unsupported(name);
        }
        let head = String::from_utf8_lossy(bytes.get(..HEAD).unwrap_or(bytes));
        let head = head.trim_start_matches('\u{feff}').trim_start();
        match head {
            "" => Self::Other("empty"),
            _ if head.starts_with("%PDF") => Self::Other("a PDF"),
            _ if head.starts_with('<')
                && head.contains("<svg")
                && !head.to_ascii_lowercase().contains("<html") =>
            {
                Self::Drawing
            }
            _ if head.starts_with('<') => Self::Other("a web page"),
            _ => Self::Other("something else"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide_the_format() {
        for (bytes, picture) in [
            (&b"\x89PNG\r\n\x1a\n...."[..], Picture::Unusable(PhotoError::Damaged)),
            (b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- a -->\n<svg xmlns=\"x\"/>", Picture::Drawing),
            (b"\0\0\0\x18ftypheic\0\0\0\0", Picture::Unsupported("a HEIC photo from a phone")),
            (b"\0\0\0\x1cftypavif", Picture::Unsupported("an AVIF picture")),
            (b"GIF89a", Picture::Unsupported("a GIF")),
            (b"\0\0\0\x1cftypmp42", Picture::Other("a film")),
            (b"<!DOCTYPE html><html><svg/></html>", Picture::Other("a web page")),
            (b"%PDF-1.7", Picture::Other("a PDF")),
            (b"", Picture::Other("empty")),
            (b"RIFF\x10\0\0\0WAVE", Picture::Other("something else")),
        ] {
            assert_eq!(Picture::detect(bytes), picture, "{}", bytes.escape_ascii());
        }
    }
}
