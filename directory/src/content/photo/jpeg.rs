//! JPEG: markers with segments, and the coded pixels after each start of a scan.

use std::borrow::Cow;

use super::{Parsed, Photo, PhotoError, PhotoFormat, exif};

/// The length of a JFIF segment without a thumbnail, with its length field.
const JFIF: usize = 16;
const EXIF: &[u8] = b"Exif\0\0";
const PROFILE: &[u8] = b"ICC_PROFILE\0";

pub(super) fn parse(bytes: &[u8]) -> Parsed<'_> {
    let mut photo = Photo {
        format: PhotoFormat::Jpeg,
        width: 0,
        height: 0,
        orientation: 1,
        kept: vec![bytes[..2].into()],
    };
    let mut has_scan = false;
    let mut at = 2;
    loop {
        let (marker, begin) = next_marker(bytes, at)?;
        if marker == 0xd9 {
            photo.kept.push(bytes[begin - 2..begin].into());
            // What follows are further pictures, films and maps of depth with metadata of their own.
            return has_scan.then_some(Ok(photo));
        }
        let length = usize::from(u16::from_be_bytes(*bytes.get(begin..)?.first_chunk()?));
        let segment = bytes.get(begin..begin + length)?;
        let data = segment.get(2..)?;
        at = begin + length;
        match marker {
            // Every start of a frame; the three between are tables.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                let size = data.get(..6).filter(|_| photo.height == 0)?;
                photo.height = u16::from_be_bytes([size[1], size[2]]).into();
                photo.width = u16::from_be_bytes([size[3], size[4]]).into();
                if size[5] == 4 {
                    return Some(Err(PhotoError::ForPrinters));
                }
            }
            0xda => {
                at = end_of_scan(bytes, at)?;
                has_scan = photo.width > 0;
            }
            _ => {}
        }
        if marker == 0xe1 && data.starts_with(EXIF) && photo.orientation == 1 {
            photo.orientation = exif::orientation(&data[EXIF.len()..]);
            photo.kept.extend(exif::block(photo.orientation).map(|block| Cow::Owned(segment_of(&block))));
        }
        if is_kept(marker, segment) {
            photo.kept.push(bytes[begin - 2..at].into());
        }
    }
}

/// Whether a segment decides how the picture looks.
fn is_kept(marker: u8, segment: &[u8]) -> bool {
    let data = segment.get(2..).unwrap_or_default();
    match marker {
        0xe0 => segment.len() == JFIF && data.starts_with(b"JFIF\0"),
        0xe2 => data.starts_with(PROFILE),
        0xee => data.starts_with(b"Adobe"),
        // Other data of programs, and comments.
        0xe1..=0xef | 0xfe => false,
        _ => true,
    }
}

/// The next marker and the index after it. Markers may follow fill bytes, which are dropped.
fn next_marker(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let fill = bytes.get(at..)?.iter().take_while(|&&byte| byte == 0xff).count();
    let marker = *bytes.get(at + fill)?;
    (fill > 0 && !matches!(marker, 0x00 | 0x01 | 0xd0..=0xd8)).then_some((marker, at + fill + 1))
}

/// The index of the marker after the coded pixels that begin at `from`.
fn end_of_scan(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == 0xff)?;
        match bytes.get(at + 1)? {
            // An escaped byte, or a restart inside the scan.
            0x00 | 0xd0..=0xd7 => at += 2,
            0xff => at += 1,
            _ => return Some(at),
        }
    }
}

fn segment_of(block: &[u8]) -> Vec<u8> {
    let length = u16::try_from(2 + EXIF.len() + block.len()).unwrap_or_default();
    [&[0xff, 0xe1], &length.to_be_bytes()[..], EXIF, block].concat()
}
