//! PNG: chunks of a length, a name, data and a check sum.

use std::borrow::Cow;

use super::{Parsed, Photo, PhotoFormat, exif};

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The optional chunks that decide how the picture looks; names of required chunks begin in upper case.
const KEPT: [&[u8; 4]; 14] = [
    b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"pHYs", b"bKGD", b"cICP", b"mDCV", b"cLLI",
    b"acTL", b"fcTL", b"fdAT",
];

pub(super) fn parse(bytes: &[u8]) -> Parsed<'_> {
    let mut photo =
        Photo { format: PhotoFormat::Png, width: 0, height: 0, orientation: 1, kept: vec![SIGNATURE.into()] };
    let mut at = SIGNATURE.len();
    loop {
        let head = bytes.get(at..)?.first_chunk::<8>()?;
        let [a, b, c, d, name @ ..] = *head;
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).ok()?;
        let chunk = bytes.get(at..at.checked_add(length)?.checked_add(12)?)?;
        let data = &chunk[8..8 + length];
        at += chunk.len();
        match &name {
            b"IHDR" if photo.width == 0 => {
                photo.width = u32::from_be_bytes(*data.first_chunk()?);
                photo.height = u32::from_be_bytes(*data.get(4..)?.first_chunk()?);
            }
            b"eXIf" if photo.orientation == 1 => {
                photo.orientation = exif::orientation(data);
                photo.kept.extend(exif::block(photo.orientation).map(|block| Cow::Owned(chunk_of(&block))));
            }
            b"IHDR" => return None,
            _ => {}
        }
        if name[0].is_ascii_uppercase() || KEPT.contains(&&name) {
            photo.kept.push(chunk.into());
        }
        if &name == b"IEND" {
            return Some(Ok(photo));
        }
    }
}

fn chunk_of(block: &[u8]) -> Vec<u8> {
    let length = u32::try_from(block.len()).unwrap_or_default();
    let named = [b"eXIf", block].concat();
    [&length.to_be_bytes()[..], &named, &check_sum(&named).to_be_bytes()].concat()
}

/// The CRC of the PNG specification's appendix.
fn check_sum(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
    let add = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum));
    !bytes.iter().fold(u32::MAX, add)
}
