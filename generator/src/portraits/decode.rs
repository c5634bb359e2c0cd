use std::io::Cursor;

use directory::content::PhotoFormat;
use image_webp::WebPDecoder;
use jpeg_decoder::PixelFormat;
use png::{ColorType, Transformations};

use super::exif;

/// A larger color profile is dropped.
const MAX_PROFILE_BYTES: usize = 1 << 16;
const WHITE: u16 = 255;

#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) pixels: Vec<u8>,
    pub(super) width: usize,
    /// `None` if it is the one that browsers assume.
    pub(super) profile: Option<Vec<u8>>,
    /// How to turn and mirror the picture, as in Exif: 1 (not at all) to 8.
    pub(super) orientation: u8,
}

/// Transparent pixels become white. `None` if the file is damaged. In a hostile file, a decoder may find more than the
/// `max_pixels` that the budget reserved.
pub(super) fn decode(format: PhotoFormat, bytes: &[u8], max_pixels: u64) -> Option<Decoded> {
    let mut decoded = match format {
        PhotoFormat::Jpeg => jpeg(bytes, max_pixels)?,
        PhotoFormat::Png => png(bytes, max_pixels)?,
        PhotoFormat::Webp => webp(bytes, max_pixels)?,
    };
    decoded.profile.take_if(|profile| !is_needed(profile));
    Some(decoded)
}

fn jpeg(bytes: &[u8], max_pixels: u64) -> Option<Decoded> {
    let mut decoder = jpeg_decoder::Decoder::new(bytes);
    decoder.read_info().ok()?;
    let info = decoder.info()?;
    let (width, height) = (usize::from(info.width), usize::from(info.height));
    fits(width, height, max_pixels)?;
    let buffer = decoder.decode().ok()?;
    let pixels = match info.pixel_format {
        PixelFormat::RGB24 => buffer,
        PixelFormat::L8 => buffer.iter().flat_map(|&gray| [gray; 3]).collect(),
        // Browsers show CMYK in wrong colors, so `check` refuses it. They do not show 16-bit gray at all.
        PixelFormat::L16 | PixelFormat::CMYK32 => return None,
    };
    let orientation = decoder.exif_data().map_or(1, exif::orientation);
    Some(Decoded { pixels, width, profile: decoder.icc_profile(), orientation })
}

fn png(bytes: &[u8], max_pixels: u64) -> Option<Decoded> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = reader.info().size();
    fits(usize::try_from(width).ok()?, usize::try_from(height).ok()?, max_pixels)?;
    let mut buffer = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut buffer).ok()?;
    buffer.truncate(frame.buffer_size());
    let pixels = match frame.color_type {
        ColorType::Rgb => buffer,
        ColorType::Rgba => on_white(buffer.as_chunks::<4>().0),
        ColorType::Grayscale => buffer.iter().flat_map(|&gray| [gray; 3]).collect(),
        ColorType::GrayscaleAlpha => {
            let pixel = |&[gray, alpha]: &[u8; 2]| [over_white(gray, alpha); 3];
            buffer.as_chunks::<2>().0.iter().flat_map(pixel).collect()
        }
        ColorType::Indexed => return None,
    };
    let profile = reader.info().icc_profile.as_ref().map(|profile| profile.to_vec());
    let orientation = reader.info().exif_metadata.as_deref().map_or(1, exif::orientation);
    Some(Decoded { pixels, width: usize::try_from(frame.width).ok()?, profile, orientation })
}

fn webp(bytes: &[u8], max_pixels: u64) -> Option<Decoded> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).ok()?;
    let (width, height) = decoder.dimensions();
    let width = usize::try_from(width).ok()?;
    fits(width, usize::try_from(height).ok()?, max_pixels)?;
    let mut buffer = vec![0; decoder.output_buffer_size()?];
    decoder.read_image(&mut buffer).ok()?;
    let profile = decoder.icc_profile().ok().flatten();
    let pixels = if decoder.has_alpha() { on_white(buffer.as_chunks::<4>().0) } else { buffer };
    let exif = decoder.exif_metadata().ok().flatten().unwrap_or_default();
    // Some programs write the prefix that Exif data has in JPEG files.
    let orientation = exif::orientation(exif.strip_prefix(b"Exif\0\0").unwrap_or(&exif));
    Some(Decoded { pixels, width, profile, orientation })
}

fn fits(width: usize, height: usize, max_pixels: u64) -> Option<()> {
    (u64::try_from(width.checked_mul(height)?).ok()? <= max_pixels).then_some(())
}

fn on_white(pixels: &[[u8; 4]]) -> Vec<u8> {
    let pixel = |&[red, green, blue, alpha]: &[u8; 4]| {
        [red, green, blue].map(|component| over_white(component, alpha))
    };
    pixels.iter().flat_map(pixel).collect()
}

fn over_white(component: u8, alpha: u8) -> u8 {
    let (component, alpha) = (u16::from(component), u16::from(alpha));
    u8::try_from((component * alpha + WHITE * (WHITE - alpha)) / WHITE).unwrap_or(u8::MAX)
}

/// A profile is kept if it is small, RGB, and not sRGB, which browsers assume if there is none.
fn is_needed(profile: &[u8]) -> bool {
    let names_of_srgb = [&b"sRGB"[..], b"s\0R\0G\0B"];
    let has = |name: &[u8]| profile.windows(name.len()).any(|window| window == name);
    profile.len() <= MAX_PROFILE_BYTES
        && profile.get(16..20) == Some(b"RGB ")
        && !names_of_srgb.into_iter().any(has)
}
