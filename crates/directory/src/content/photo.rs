//! What the file of a photograph says of itself before its pixels are decoded.

use std::io::Cursor;
use std::panic::catch_unwind;

use image_webp::WebPDecoder;
use jpeg_decoder::PixelFormat;

use crate::model::words;

/// The most pixels of a portrait. A file of one megabyte can claim billions.
pub const MOST_PIXELS: u64 = 50_000_000;

words! { PhotoFormat { Jpeg = "JPEG", Png = "PNG", Webp = "WebP" } }

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PhotoError {
    /// The file does not say how large the picture is.
    #[error("cut off or damaged")]
    Damaged,
    #[error("{width} × {height} pixels, which is too large")]
    TooManyPixels { width: u32, height: u32 },
    #[error("in printing colors (CMYK)")]
    ForPrinters,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Photo {
    pub format: PhotoFormat,
    pub width: u32,
    pub height: u32,
}

impl Photo {
    pub fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// `None` if it is not a JPEG, PNG or WebP file.
    pub fn parse(bytes: &[u8]) -> Option<Result<Self, PhotoError>> {
        let format = PhotoFormat::detect(bytes)?;
        // A decoder may panic at a file that its authors didn't foresee.
        let size = catch_unwind(|| size(format, bytes)).unwrap_or(Err(PhotoError::Damaged));
        Some(size.and_then(|(width, height)| match u64::from(width) * u64::from(height) {
            0 => Err(PhotoError::Damaged),
            pixels if pixels > MOST_PIXELS => Err(PhotoError::TooManyPixels { width, height }),
            _ => Ok(Self { format, width, height }),
        }))
    }
}

impl PhotoFormat {
    fn detect(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Some(Self::Webp)
        } else {
            None
        }
    }
}

fn size(format: PhotoFormat, bytes: &[u8]) -> Result<(u32, u32), PhotoError> {
    match format {
        PhotoFormat::Jpeg => {
            let mut decoder = jpeg_decoder::Decoder::new(bytes);
            decoder.read_info().map_err(|_| PhotoError::Damaged)?;
            let info = decoder.info().ok_or(PhotoError::Damaged)?;
            if info.pixel_format == PixelFormat::CMYK32 {
                return Err(PhotoError::ForPrinters);
            }
            Ok((info.width.into(), info.height.into()))
        }
        PhotoFormat::Png => {
            let mut decoder = png::Decoder::new(Cursor::new(bytes));
            decoder.read_header_info().map(png::Info::size).map_err(|_| PhotoError::Damaged)
        }
        PhotoFormat::Webp => {
            let decoder = WebPDecoder::new(Cursor::new(bytes));
            decoder.map(|decoder| decoder.dimensions()).map_err(|_| PhotoError::Damaged)
        }
    }
}

#[cfg(test)]
mod tests;
