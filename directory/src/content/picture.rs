//! The format of a portrait. Browsers look at a picture's content, and phones and programs rename files without
//! converting them.

/// A file's format by its first bytes, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Picture {
    /// A picture that browsers show, with the ending that its name must have.
    Shown(&'static str),
    /// A picture that many browsers do not show.
    Hidden(&'static str),
    /// Not a picture.
    Unknown(&'static str),
}

impl Picture {
    pub(super) fn of(bytes: &[u8]) -> Self {
        /// How much of an svg file is searched for its first tag, below comments and declarations.
        const HEAD: usize = 4096;
        let brand = if bytes.get(4..8) == Some(b"ftyp") { bytes.get(8..12) } else { None };
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Self::Shown("png");
        }
        if bytes.starts_with(b"\xff\xd8\xff") {
            return Self::Shown("jpg");
        }
        if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            return Self::Shown("webp");
        }
        match brand {
            Some(b"avif" | b"avis") => return Self::Hidden("an AVIF picture"),
            Some(b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1") => {
                return Self::Hidden("a HEIC photo, as phones take them");
            }
            Some(_) => return Self::Unknown("a film"),
            None => {}
        }
        let hidden: [(&[u8], &str); 5] = [
            (b"GIF8", "a GIF"),
            (b"BM", "a BMP picture"),
            (b"II*\0", "a TIFF picture"),
            (b"MM\0*", "a TIFF picture"),
            (b"8BPS", "a Photoshop file"),
        ];
        if let Some((_, name)) = hidden.iter().find(|(beginning, _)| bytes.starts_with(beginning)) {
            return Self::Hidden(name);
        }
        let head = String::from_utf8_lossy(bytes.get(..HEAD).unwrap_or(bytes));
        let head = head.trim_start_matches('\u{feff}').trim_start();
        match head {
            "" => Self::Unknown("empty"),
            _ if head.starts_with("%PDF") => Self::Unknown("a PDF"),
            _ if head.starts_with('<')
                && head.contains("<svg")
                && !head.to_ascii_lowercase().contains("<html") =>
            {
                Self::Shown("svg")
            }
            _ if head.starts_with('<') => Self::Unknown("a web page"),
            _ => Self::Unknown("something else"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        for (bytes, picture) in [
            (&b"\x89PNG\r\n\x1a\n...."[..], Picture::Shown("png")),
            (b"\xff\xd8\xff\xe0..JFIF", Picture::Shown("jpg")),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Picture::Shown("webp")),
            (b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- a -->\n<svg xmlns=\"x\"/>", Picture::Shown("svg")),
            (b"\0\0\0\x18ftypheic\0\0\0\0", Picture::Hidden("a HEIC photo, as phones take them")),
            (b"\0\0\0\x1cftypavif", Picture::Hidden("an AVIF picture")),
            (b"GIF89a", Picture::Hidden("a GIF")),
            (b"\0\0\0\x1cftypmp42", Picture::Unknown("a film")),
            (b"<!DOCTYPE html><html><svg/></html>", Picture::Unknown("a web page")),
            (b"%PDF-1.7", Picture::Unknown("a PDF")),
            (b"", Picture::Unknown("empty")),
            (b"RIFF\x10\0\0\0WAVE", Picture::Unknown("something else")),
        ] {
            assert_eq!(Picture::of(bytes), picture, "{}", bytes.escape_ascii());
        }
    }
}
