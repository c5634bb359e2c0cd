//! Takes the file of a photograph apart without decoding its pixels: its size, how it must be turned, and its bytes
//! without metadata.
//!
//! Phones write the place and the time of a photograph into its file. A published portrait has neither: [`Photo`] keeps
//! only the parts that decide how the picture looks.

mod exif;
mod jpeg;
mod png;
mod webp;

use std::borrow::Cow;

/// The most pixels of a portrait. A file of one megabyte can claim billions.
pub const MOST_PIXELS: u64 = 50_000_000;

/// The format of a photograph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhotoFormat {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    Webp,
}

/// Why a file cannot be published as a photograph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PhotoError {
    /// The file ends too early, or its parts contradict each other.
    #[error("cut off or damaged")]
    Damaged,
    /// More pixels than [`MOST_PIXELS`].
    #[error("{width} by {height} pixels large")]
    TooManyPixels {
        /// The width.
        width: u32,
        /// The height.
        height: u32,
    },
    /// A JPEG in the colors of printers (CMYK), which browsers show in wrong colors.
    #[error("in the colors of printers (CMYK)")]
    ForPrinters,
}

/// The file of a photograph, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Photo<'a> {
    format: PhotoFormat,
    width: u32,
    height: u32,
    orientation: u8,
    /// What is published, in order.
    kept: Vec<Cow<'a, [u8]>>,
}

impl<'a> Photo<'a> {
    /// Takes a file apart. `None` if it is no JPEG, PNG or WebP file.
    ///
    /// # Errors
    /// Why the picture cannot be published.
    pub fn parse(bytes: &'a [u8]) -> Option<Result<Self, PhotoError>> {
        let format = PhotoFormat::of(bytes)?;
        let photo = match format {
            PhotoFormat::Jpeg => jpeg::parse(bytes),
            PhotoFormat::Png => png::parse(bytes),
            PhotoFormat::Webp => webp::parse(bytes),
        };
        Some(photo.ok_or(PhotoError::Damaged).flatten().and_then(Self::within_limits))
    }

    fn within_limits(self) -> Result<Self, PhotoError> {
        match self {
            Self { width: 0, .. } | Self { height: 0, .. } => Err(PhotoError::Damaged),
            Self { width, height, .. } if self.pixels() > MOST_PIXELS => {
                Err(PhotoError::TooManyPixels { width, height })
            }
            _ => Ok(self),
        }
    }

    /// The format.
    #[must_use]
    pub fn format(&self) -> PhotoFormat {
        self.format
    }

    /// The number of pixels.
    #[must_use]
    pub fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// How the stored picture must be turned or mirrored to be shown: 1 (not at all) to 8, as in Exif.
    #[must_use]
    pub fn orientation(&self) -> u8 {
        self.orientation
    }

    /// The file without metadata. The pixels, the color profile and the orientation stay; a file without metadata stays
    /// as it is.
    #[must_use]
    pub fn without_metadata(&self) -> Vec<u8> {
        self.kept.concat()
    }
}

impl PhotoFormat {
    /// The format by a file's first bytes.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(png::SIGNATURE) {
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

/// What the parsers of the formats return: `None` for a damaged file.
type Parsed<'a> = Option<Result<Photo<'a>, PhotoError>>;

#[cfg(test)]
mod tests;
