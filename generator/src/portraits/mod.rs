//! The portraits that pages show: two square JPEG files from each photograph in `headshots/`, without camera data, such as
//! the location. Every computer makes the same bytes. The small file's name contains a hash of the photograph: if it is
//! published already, both files are reused. A drawing (SVG) is published unchanged.

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

/// In pixels, on cards: enough for 64 CSS pixels on dense screens.
pub(crate) const SMALL: usize = 160;
/// On profiles and in previews of links: enough for 168 CSS pixels on dense screens.
pub(crate) const LARGE: usize = 512;
/// Part of the hash in the files' names. If their bytes change, this must change too: a test fails otherwise.
const RECIPE: &[u8] = b"1";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PhotoPaths {
    pub(crate) small: String,
    pub(crate) large: String,
}

/// `None` if the portrait is a drawing, is on another site, or does not exist.
pub(crate) fn photo_paths(provider: &Provider) -> Option<PhotoPaths> {
    let Some(Headshot::File { extension, digest, .. }) = provider.headshot.as_ref() else { return None };
    if *extension == "svg" {
        return None;
    }
    let key = Sha256::new().chain_update(RECIPE).chain_update(digest).finalize();
    let key = u64::from_be_bytes(*key.first_chunk()?);
    let small = format!("headshots/{}.{key:016x}.jpg", provider.slug);
    Some(PhotoPaths { small, large: provider.portrait_path()? })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PhotoSize {
    Small,
    Large,
}

/// Both sizes are made when the first one is requested.
#[derive(Debug)]
pub(crate) struct Photograph {
    /// In the content folder.
    pub(crate) path: PathBuf,
    /// Of the bytes that were checked.
    pub(crate) digest: [u8; 32],
    /// Made but not requested yet.
    other: Mutex<Option<(PhotoSize, Vec<u8>)>>,
}

/// Plain gray if the photograph cannot be decoded.
#[derive(Debug, PartialEq, Eq)]
struct PhotoFiles {
    small: Vec<u8>,
    large: Vec<u8>,
    is_decoded: bool,
}

impl Photograph {
    pub(crate) fn new(path: PathBuf, digest: [u8; 32]) -> Self {
        Self { path, digest, other: Mutex::default() }
    }

    pub(crate) fn file<E>(
        &self,
        size: PhotoSize,
        budget: &Budget,
        read: impl FnOnce() -> Result<Vec<u8>, E>,
        on_damage: impl FnOnce(),
    ) -> Result<Vec<u8>, E> {
        let mut stored = self.other.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, file)) = stored.take_if(|(stored_size, _)| *stored_size == size) {
            return Ok(file);
        }
        let files = make_files(&read()?, budget);
        if !files.is_decoded {
            on_damage();
        }
        let (file, other) = match size {
            PhotoSize::Small => (files.small, (PhotoSize::Large, files.large)),
            PhotoSize::Large => (files.large, (PhotoSize::Small, files.small)),
        };
        *stored = Some(other);
        Ok(file)
    }
}

fn make_files(bytes: &[u8], budget: &Budget) -> PhotoFiles {
    let photo = Photo::parse(bytes).and_then(Result::ok);
    let files = photo.and_then(|photo| {
        let _reserved = budget.reserve(photo.pixels());
        // A decoder may panic on a hostile file. That must not end the build.
        catch_unwind(|| decode_and_resize(photo, bytes)).unwrap_or(None)
    });
    files.unwrap_or_else(gray_files)
}

fn decode_and_resize(photo: Photo, bytes: &[u8]) -> Option<PhotoFiles> {
    let decode::Decoded { pixels, width, profile, orientation } =
        decode::decode(photo.format, bytes, photo.pixels())?;
    let square = shape::square(&pixels, width)?;
    drop(pixels);
    let large = shape::turned(&shape::resized(&square, LARGE)?, orientation);
    let small = shape::resized(&large, SMALL)?;
    let file = |square: &shape::Square| encode::jpeg(square, profile.as_deref());
    Some(PhotoFiles { small: file(&small)?, large: file(&large)?, is_decoded: true })
}

/// The small file of a photograph that could not be decoded.
pub(crate) fn is_gray(small: &[u8]) -> bool {
    static GRAY: LazyLock<Vec<u8>> = LazyLock::new(|| gray_files().small);
    *GRAY == small
}

fn gray_files() -> PhotoFiles {
    let file = |side: usize| encode::jpeg(&shape::Square::gray(side), None).unwrap_or_default();
    PhotoFiles { small: file(SMALL), large: file(LARGE), is_decoded: false }
}

#[cfg(test)]
mod tests;
