//! Portraits as pages show them: square JPEG files in two sizes, made from the photograph that the editor put into
//! `headshots/`. A drawing (SVG) is published as it is, and has no sizes.
//!
//! - [`sizes`] names the files. The small one's name contains a hash of the photograph: if it is published, both
//!   are reused.
//! - [`decode`] reads the pixels of a photograph, [`shape`] cuts out the square, shrinks and turns it as [`exif`] says,
//!   and [`encode`] writes JPEG. No camera data, such as the location, is published. No step depends on the processor, so every machine makes the same bytes.
//! - [`Photograph`] makes both sizes at once. [`Budget`] bounds the pixels that are in memory at a time.

mod budget;
mod decode;
mod encode;
mod exif;
mod shape;

use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

use directory::content::Photo;
use directory::model::{Headshot, Provider};
use sha2::{Digest, Sha256};

pub(crate) use self::budget::Budget;

/// The side of the portrait on cards, in pixels: 64 CSS pixels on dense screens.
pub(crate) const SMALL: usize = 160;
/// The side of the portrait on a profile (168 CSS pixels on dense screens) and in links that are shared.
pub(crate) const LARGE: usize = 512;
/// Part of the files' names. A change that changes the files' bytes must change this number; a test checks that.
const RECIPE: &[u8] = b"1";

/// The files of a photograph's sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// The path on the site of the file with [`SMALL`] pixels, without a leading slash.
    pub(crate) small: String,
    /// That of the file with [`LARGE`] pixels.
    pub(crate) large: String,
}

/// The sizes of a portrait; `None` if it is a drawing or lies elsewhere, or if there is none.
pub(crate) fn sizes(provider: &Provider) -> Option<Sizes> {
    let Some(Headshot::File { extension, digest, .. }) = provider.headshot.as_ref() else { return None };
    if *extension == "svg" {
        return None;
    }
    let key = Sha256::new().chain_update(RECIPE).chain_update(digest).finalize();
    let key = u64::from_be_bytes(*key.first_chunk()?);
    let small = format!("headshots/{}.{key:016x}.jpg", provider.slug);
    Some(Sizes { small, large: provider.portrait_path()? })
}

/// One of the two sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PhotoSize {
    Small,
    Large,
}

/// A photograph whose sizes are made when the first of them is asked for.
#[derive(Debug)]
pub(crate) struct Photograph {
    /// The path in the content folder.
    pub(crate) path: PathBuf,
    /// The SHA-256 of the bytes that were checked.
    pub(crate) digest: [u8; 32],
    /// The other size, until it is asked for.
    waiting: Mutex<Option<(PhotoSize, Vec<u8>)>>,
}

/// The two files, and whether they show the photograph: one that cannot be decoded becomes an even grey.
#[derive(Debug, PartialEq, Eq)]
struct Made {
    small: Vec<u8>,
    large: Vec<u8>,
    is_shown: bool,
}

impl Photograph {
    pub(crate) fn new(path: PathBuf, digest: [u8; 32]) -> Self {
        Self { path, digest, waiting: Mutex::default() }
    }

    /// The file of a size. `read` reads the photograph, and `on_damage` is called if it cannot be decoded.
    pub(crate) fn file<E>(
        &self,
        size: PhotoSize,
        budget: &Budget,
        read: impl FnOnce() -> Result<Vec<u8>, E>,
        on_damage: impl FnOnce(),
    ) -> Result<Vec<u8>, E> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, file)) = waiting.take_if(|(other, _)| *other == size) {
            return Ok(file);
        }
        let made = make(&read()?, budget);
        if !made.is_shown {
            on_damage();
        }
        let (file, other) = match size {
            PhotoSize::Small => (made.small, (PhotoSize::Large, made.large)),
            PhotoSize::Large => (made.large, (PhotoSize::Small, made.small)),
        };
        *waiting = Some(other);
        Ok(file)
    }
}

fn make(bytes: &[u8], budget: &Budget) -> Made {
    let photo = Photo::parse(bytes).and_then(Result::ok);
    let made = photo.and_then(|photo| {
        let _held = budget.take(photo.pixels);
        // The decoders read bytes from outside; a mistake in one must not end the build.
        catch_unwind(|| both(photo, bytes)).unwrap_or(None)
    });
    made.unwrap_or_else(grey)
}

fn both(photo: Photo, bytes: &[u8]) -> Option<Made> {
    let decode::Decoded { pixels, width, profile, orientation } =
        decode::decode(photo.format, bytes, photo.pixels)?;
    let square = shape::square(&pixels, width)?;
    drop(pixels);
    let large = shape::turned(&shape::resized(&square, LARGE)?, orientation);
    let small = shape::resized(&large, SMALL)?;
    let file = |square: &shape::Square| encode::jpeg(square, profile.as_deref());
    Some(Made { small: file(&small)?, large: file(&large)?, is_shown: true })
}

/// Whether a file is the small size of a photograph that could not be decoded.
pub(crate) fn is_grey(small: &[u8]) -> bool {
    static GREY: LazyLock<Vec<u8>> = LazyLock::new(|| grey().small);
    *GREY == small
}

fn grey() -> Made {
    let file = |side: usize| encode::jpeg(&shape::Square::grey(side), None).unwrap_or_default();
    Made { small: file(SMALL), large: file(LARGE), is_shown: false }
}

#[cfg(test)]
mod tests;
