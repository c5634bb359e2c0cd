use jpeg_encoder::{ColorType, Encoder};

use super::shape::Square;

const QUALITY: u8 = 78;

pub(super) fn jpeg(square: &Square, profile: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, QUALITY);
    if let Some(profile) = profile {
        encoder.add_icc_profile(profile).ok()?;
    }
    let side = u16::try_from(square.side).ok()?;
    let bytes: Vec<u8> = square.pixels.iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
    encoder.encode(&bytes, side, side, ColorType::Rgb).ok()?;
    Some(file)
}
