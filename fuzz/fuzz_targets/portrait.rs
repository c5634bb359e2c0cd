//! Any bytes give two square JPEG files of the right sizes: the photograph's, or gray ones.
#![no_main]

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Once;

use directory::content::Photo;
use libfuzzer_sys::fuzz_target;
use portraits::{Budget, LARGE, Photograph, SMALL, PhotoSize};

#[allow(dead_code, reason = "the target uses a part of it")]
#[path = "../../generator/src/portraits/mod.rs"]
mod portraits;

/// Larger pictures only take longer.
const MOST_PIXELS: u64 = 1 << 16;
static QUIET: Once = Once::new();

fuzz_target!(|bytes: &[u8]| {
    // A build goes on after a decoder's panic, and libFuzzer's own hook would not.
    QUIET.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    if !matches!(Photo::parse(bytes), Some(Ok(photo)) if photo.pixels() <= MOST_PIXELS) {
        return;
    }
    let photograph = Photograph::new(PathBuf::new(), [0; 32]);
    for (size, side) in [(PhotoSize::Small, SMALL), (PhotoSize::Large, LARGE)] {
        let read = || Ok::<_, Infallible>(bytes.to_vec());
        let Ok(file) = photograph.file(size, &Budget::default(), read, || {});
        let mut decoder = jpeg_decoder::Decoder::new(&file[..]);
        decoder.read_info().expect("a JPEG file");
        let info = decoder.info().expect("its size");
        assert_eq!((usize::from(info.width), usize::from(info.height)), (side, side));
    }
});
