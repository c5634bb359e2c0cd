use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use resize::px::RGB;

use super::shape::Square;
use super::*;
use crate::test_fixture as fixture;

type Color = [u8; 3];
const RED: Color = [200, 30, 30];
const GREEN: Color = [30, 160, 40];
const BLUE: Color = [30, 40, 190];
const YELLOW: Color = [210, 200, 40];

/// Four quarters: red and green above blue and yellow.
fn quarters(side: usize) -> Vec<u8> {
    let color = |row: usize, column: usize| match (row < side / 2, column < side / 2) {
        (true, true) => RED,
        (true, false) => GREEN,
        (false, true) => BLUE,
        (false, false) => YELLOW,
    };
    (0..side).flat_map(|row| (0..side).flat_map(move |column| color(row, column))).collect()
}

fn png(side: u32, color: png::ColorType, pixels: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(color);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    file
}

fn webp(side: u32, pixels: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    image_webp::WebPEncoder::new(&mut file).encode(pixels, side, side, image_webp::ColorType::Rgb8).unwrap();
    file
}

fn jpeg(pixels: &[u8], side: u16, orientation: u8, profile: Option<&[u8]>) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 95);
    let exif =
        [b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", &[orientation, 0, 0, 0, 0, 0, 0, 0][..]].concat();
    encoder.add_exif_metadata(&exif).unwrap();
    if let Some(profile) = profile {
        encoder.add_icc_profile(profile).unwrap();
    }
    encoder.encode(pixels, side, side, jpeg_encoder::ColorType::Rgb).unwrap();
    file
}

fn files_of(bytes: &[u8]) -> PhotoFiles {
    make_files(bytes, &Budget::default())
}

/// The colors in the middle of the quarters, row by row.
fn shown(file: &[u8], side: usize) -> [Color; 4] {
    let decoded = decode::decode(directory::content::PhotoFormat::Jpeg, file, u64::MAX).unwrap();
    assert_eq!((decoded.width, decoded.pixels.len()), (side, side * side * 3));
    [(1, 1), (1, 3), (3, 1), (3, 3)].map(|(row, column)| {
        let at = (row * side / 4 * side + column * side / 4) * 3;
        decoded.pixels[at..at + 3].try_into().unwrap()
    })
}

fn assert_near(shown: [Color; 4], expected: [Color; 4], what: &str) {
    let parts = shown.as_flattened().iter().zip(expected.as_flattened());
    let worst = parts.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(worst < 12, "{what}: {shown:?} instead of {expected:?}");
}

#[test]
fn photographs_are_turned_and_mirrored_as_exif_says() {
    // Exif 2.32, 4.6.5: which side of the stored picture is the top, and which the left.
    let expected = [
        (1, [RED, GREEN, BLUE, YELLOW]),
        (2, [GREEN, RED, YELLOW, BLUE]),
        (3, [YELLOW, BLUE, GREEN, RED]),
        (4, [BLUE, YELLOW, RED, GREEN]),
        (5, [RED, BLUE, GREEN, YELLOW]),
        (6, [BLUE, RED, YELLOW, GREEN]),
        (7, [YELLOW, GREEN, BLUE, RED]),
        (8, [GREEN, YELLOW, RED, BLUE]),
    ];
    for (orientation, colors) in expected {
        let files = files_of(&jpeg(&quarters(96), 96, orientation, None));
        assert!(files.is_decoded);
        assert_near(shown(&files.small, SMALL), colors, &orientation.to_string());
        assert_near(shown(&files.large, LARGE), colors, &orientation.to_string());
    }
}

#[test]
fn every_format_gives_the_same_picture() {
    let pixels = quarters(1400);
    let transparent: Vec<u8> =
        pixels.as_chunks::<3>().0.iter().flat_map(|[r, g, b]| [*r, *g, *b, 0]).collect();
    let opaque: Vec<u8> = pixels.as_chunks::<3>().0.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
    let gray: Vec<u8> = pixels.as_chunks::<3>().0.iter().map(|[red, ..]| *red).collect();
    let colors = [RED, GREEN, BLUE, YELLOW];
    for (what, file, expected) in [
        ("PNG", png(1400, png::ColorType::Rgb, &pixels), colors),
        ("opaque PNG", png(1400, png::ColorType::Rgba, &opaque), colors),
        ("transparent PNG", png(1400, png::ColorType::Rgba, &transparent), [[255; 3]; 4]),
        ("gray PNG", png(1400, png::ColorType::Grayscale, &gray), colors.map(|[red, ..]| [red; 3])),
        ("WebP", webp(1400, &pixels), colors),
        ("JPEG", jpeg(&pixels, 1400, 1, None), colors),
    ] {
        let files = files_of(&file);
        assert!(files.is_decoded, "{what}");
        assert_near(shown(&files.small, SMALL), expected, what);
        assert_near(shown(&files.large, LARGE), expected, what);
    }
}

#[test]
fn the_square_is_the_middle_of_the_picture() {
    // Columns 0 to 9, rows 0 to 3: the middle is columns 3 to 6.
    let pixels: Vec<u8> = (0..4).flat_map(|row| (0..10).flat_map(move |column| [row, column, 0])).collect();
    let square = shape::square(&pixels, 10).unwrap();
    let expected = (0..4).flat_map(|row| (3..7).map(move |column| RGB::new(row, column, 0))).collect();
    assert_eq!(square, Square { side: 4, pixels: expected });
    assert_eq!(shape::square(&[], 0), None);
}

/// If these bytes change, [`RECIPE`] must change as well: a build reuses a published file by its name, which contains
/// the recipe.
#[test]
fn this_recipe_gives_these_bytes() {
    let files = files_of(&fixture::photograph(600, 450, 7));
    assert_eq!(RECIPE, b"1");
    let hashes = [&files.small, &files.large]
        .map(|file| u64::from_be_bytes(*Sha256::digest(file).first_chunk().unwrap()));
    assert_eq!(hashes, [0x1d05_4f89_8e86_090e, 0x2671_e1be_8b60_a9d1]);
}

#[test]
fn a_profile_stays_unless_browsers_assume_it() {
    let profile = |space: &[u8; 4], name: &str| [&[0; 16][..], space, name.as_bytes()].concat();
    let has = |file: &[u8], name: &str| file.windows(name.len()).any(|window| window == name.as_bytes());
    for (space, name, is_kept) in [
        (b"RGB ", "Display P3", true),
        (b"RGB ", "sRGB IEC61966-2.1", false),
        (b"RGB ", "s\0R\0G\0B\0 of Windows", false),
        (b"GRAY", "Gray Gamma 2.2", false),
    ] {
        let files = files_of(&jpeg(&quarters(96), 96, 1, Some(&profile(space, name))));
        assert!(files.is_decoded);
        assert_eq!(has(&files.small, "ICC_PROFILE"), is_kept, "{name}");
        assert_eq!(has(&files.large, name), is_kept, "{name}");
    }
}

#[test]
fn a_damaged_file_never_panics() {
    let pixels = quarters(40);
    let photographs = [png(40, png::ColorType::Rgb, &pixels), webp(40, &pixels), jpeg(&pixels, 40, 6, None)];
    let gray = gray_files();
    assert_eq!(shown(&gray.small, SMALL), [[0xd0; 3]; 4]);
    for file in &photographs {
        for at in (0..file.len()).step_by(97) {
            let mut damaged = file.clone();
            damaged[at] = damaged[at].wrapping_add(85);
            for bytes in [&file[..at], &damaged] {
                let files = files_of(bytes);
                assert!(files.is_decoded || files == gray);
            }
        }
    }
}

#[test]
fn threads_together_hold_no_more_pixels_than_the_budget() {
    let (budget, in_use, most) = (Budget::default(), AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for pixels in [20_000_000, 30_000_000, 50_000_000, 12_000_000].into_iter().cycle().take(16) {
            let (budget, in_use, most) = (&budget, &in_use, &most);
            scope.spawn(move || {
                for _ in 0..50 {
                    let reserved = budget.reserve(pixels);
                    most.fetch_max(in_use.fetch_add(pixels, Ordering::SeqCst) + pixels, Ordering::SeqCst);
                    in_use.fetch_sub(pixels, Ordering::SeqCst);
                    drop(reserved);
                }
            });
        }
    });
    assert_eq!(in_use.into_inner(), 0);
    assert!(most.into_inner() <= 50_000_000);
}
