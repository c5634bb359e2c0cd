//! The orientation in Exif data, which has the format of a TIFF file without a picture.

const ORIENTATION: u16 = 0x0112;
const SHORT: u16 = 3;

/// From 1 to 8. 1 means unchanged, which is also the default.
pub(super) fn orientation(tiff: &[u8]) -> u8 {
    read_orientation(tiff).filter(|value| (1..=8).contains(value)).unwrap_or(1)
}

fn read_orientation(tiff: &[u8]) -> Option<u8> {
    let is_little = match tiff.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let u32_at = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk::<4>()?;
        Some(if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    };
    let u16_at = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk::<2>()?;
        Some(if is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    // The list of tags: their number, then 12 bytes each (tag, type, count, value).
    let list = usize::try_from(u32_at(4)?).ok()?;
    let count = usize::from(u16_at(list)?);
    let tags = (0..count).map_while(|number| list.checked_add(2 + number * 12));
    let mut tags = tags.take_while(|&at| u16_at(at).is_some());
    let at = tags.find(|&at| u16_at(at) == Some(ORIENTATION) && u16_at(at + 2) == Some(SHORT))?;
    u8::try_from(u16_at(at + 8)?).ok()
}
