use proptest::prelude::*;

use super::*;

/// The head of a PNG file of 30 by 40 pixels, with its checksum.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x1e\0\0\0\x28\x08\x02\0\0\0\x66\x71\xdd\x45";
/// 30 by 40 pixels, lossless: RFC 9649 packs both sizes, less one, into 14 bits each.
const WEBP: &[u8] = b"RIFF\x18\0\0\0WEBPVP8L\x0b\0\0\0\x2f\x1d\xc0\x09\0pixels\0";

/// A JPEG file of this size up to the end of its frame.
fn jpeg(width: u16, height: u16, components: u8) -> Vec<u8> {
    let ([a, b], [c, d]) = (height.to_be_bytes(), width.to_be_bytes());
    let parts: Vec<u8> = (1..=components).flat_map(|number| [number, 0x11, 0]).collect();
    let length = 8 + 3 * components;
    [&[0xff, 0xd8, 0xff, 0xc0, 0, length, 8, a, b, c, d, components], &parts[..]].concat()
}

#[test]
fn the_head_names_the_format_and_the_size() {
    for (file, format) in [
        (jpeg(30, 40, 3), PhotoFormat::Jpeg),
        (PNG.to_vec(), PhotoFormat::Png),
        (WEBP.to_vec(), PhotoFormat::Webp),
    ] {
        let photo = Photo::parse(&file).unwrap().unwrap();
        assert_eq!((photo.format, photo.width, photo.height, photo.pixels()), (format, 30, 40, 1200));
        assert_eq!(Photo::parse(&file[..file.len() / 2]), Some(Err(PhotoError::Damaged)), "{format:?}");
    }
    assert_eq!(Photo::parse(b"GIF89a"), None);
}

#[test]
fn what_cannot_be_published_is_named() {
    let (width, height) = (10_000, 5_001);
    let refused = |file: &[u8]| Photo::parse(file).unwrap().unwrap_err();
    assert_eq!(refused(&jpeg(10_000, 5_001, 3)), PhotoError::TooManyPixels { width, height });
    assert_eq!(refused(&jpeg(30, 40, 4)), PhotoError::ForPrinters);
    // No known color space has two components.
    assert_eq!(refused(&jpeg(30, 40, 2)), PhotoError::Damaged);
}

proptest! {
    #[test]
    fn no_file_causes_a_panic(head in 0..3_usize, bytes: Vec<u8>) {
        let heads = [jpeg(30, 40, 3), PNG.to_vec(), WEBP.to_vec()];
        let _ = Photo::parse(&[&heads[head][..12], &bytes].concat());
    }
}
