//! WebP: a RIFF file of chunks with a name, a length and data, padded to an even length.

use std::borrow::Cow;

use super::{Parsed, Photo, PhotoFormat, exif};

/// The chunks that decide how the picture looks.
const KEPT: [&[u8; 4]; 7] = [b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF", b"ICCP"];
/// The bits in the first byte of `VP8X` that announce Exif and XMP.
const HAS_EXIF: u8 = 0x08;
const HAS_XMP: u8 = 0x04;

pub(super) fn parse(bytes: &[u8]) -> Parsed<'_> {
    let mut photo =
        Photo { format: PhotoFormat::Webp, width: 0, height: 0, orientation: 1, kept: Vec::new() };
    let size = usize::try_from(u32::from_le_bytes(*bytes.get(4..)?.first_chunk()?)).ok()?;
    let mut rest = bytes.get(12..size.checked_add(8)?)?;
    while !rest.is_empty() {
        let (name, after) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*after.first_chunk()?)).ok()?;
        let data = after.get(4..)?.get(..length)?;
        // The padding of the last chunk is missing in some files.
        let (chunk, others) = rest.split_at((8 + length + length % 2).min(rest.len()));
        rest = others;
        if let Some((width, height)) = size_in(*name, data).filter(|_| photo.width == 0) {
            (photo.width, photo.height) = (width, height);
        }
        // Of several blocks, one that turns the picture is kept, as in the other formats.
        if name == b"EXIF" && photo.orientation == 1 {
            // Some programs write JPEG's beginning before the block.
            photo.orientation = exif::orientation(data.strip_prefix(b"Exif\0\0").unwrap_or(data));
            photo.kept.extend(exif::block(photo.orientation).map(|block| Cow::Owned(chunk_of(&block))));
        } else if KEPT.contains(&name) {
            photo.kept.push(chunk.into());
        }
    }
    Some(Ok(finished(photo)))
}

/// Corrects the announcements of metadata, and writes the head with the new length.
fn finished(mut photo: Photo<'_>) -> Photo<'_> {
    let first = photo.kept.iter_mut().find(|chunk| chunk.starts_with(b"VP8X"));
    if let Some(chunk) = first {
        let announced = if photo.orientation == 1 { 0 } else { HAS_EXIF };
        if let Some(flags) = chunk.get(8).map(|flags| flags & !(HAS_EXIF | HAS_XMP) | announced) {
            chunk.to_mut()[8] = flags;
        }
    }
    let length = 4 + photo.kept.iter().map(|chunk| chunk.len()).sum::<usize>();
    let length = u32::try_from(length).unwrap_or_default().to_le_bytes();
    photo.kept.insert(0, Cow::Owned([b"RIFF", &length[..], b"WEBP"].concat()));
    photo
}

/// The width and height that a chunk names.
fn size_in(name: [u8; 4], data: &[u8]) -> Option<(u32, u32)> {
    let long = |at: usize| data.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four));
    match &name {
        b"VP8X" => {
            let wide = |at: usize| {
                Some(u32::from_le_bytes([*data.get(at)?, *data.get(at + 1)?, *data.get(at + 2)?, 0]) + 1)
            };
            Some((wide(4)?, wide(7)?))
        }
        b"VP8 " => {
            let size = long(6).filter(|_| data.get(3..6) == Some(&[0x9d, 0x01, 0x2a]))?;
            Some((size & 0x3fff, size >> 16 & 0x3fff))
        }
        b"VP8L" => {
            let size = long(1).filter(|_| data.first() == Some(&0x2f))?;
            Some(((size & 0x3fff) + 1, (size >> 14 & 0x3fff) + 1))
        }
        _ => None,
    }
}

fn chunk_of(block: &[u8]) -> Vec<u8> {
    let length = u32::try_from(block.len()).unwrap_or_default();
    [b"EXIF", &length.to_le_bytes()[..], block].concat()
}
