//! Reads from Exif data, which is a TIFF file without a picture, how to turn a stored picture.

const ORIENTATION: u16 = 0x0112;
const SHORT: u16 = 3;

/// The orientation, 1 to 8; 1 if the block names none.
pub(super) fn orientation(tiff: &[u8]) -> u8 {
    find(tiff).filter(|value| (1..=8).contains(value)).unwrap_or(1)
}

fn find(tiff: &[u8]) -> Option<u8> {
    let is_little = match tiff.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let array = |at: usize| tiff.get(at..)?.first_chunk::<4>().copied();
    let long = |at: usize| {
        array(at).map(|four| if is_little { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) })
    };
    let short = |at: usize| {
        let two = *tiff.get(at..)?.first_chunk::<2>()?;
        Some(if is_little { u16::from_le_bytes(two) } else { u16::from_be_bytes(two) })
    };
    let directory = usize::try_from(long(4)?).ok()?;
    let count = usize::from(short(directory)?);
    let entries = (0..count).map_while(|number| directory.checked_add(2 + number * 12));
    let mut found = entries.take_while(|&at| short(at).is_some());
    let at = found.find(|&at| short(at) == Some(ORIENTATION) && short(at + 2) == Some(SHORT))?;
    u8::try_from(short(at + 8)?).ok()
}
