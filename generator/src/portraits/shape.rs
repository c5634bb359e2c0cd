//! Cuts the square out of the middle, as pages show it, shrinks it and turns it.

use resize::Pixel::RGB8;
use resize::Type::Catrom;
use resize::px::RGB;

use super::LARGE;

/// A square picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Square {
    pub(super) side: usize,
    pub(super) pixels: Vec<RGB<u8>>,
}

impl Square {
    pub(super) fn grey(side: usize) -> Self {
        Self { side, pixels: vec![RGB::new(0xd0, 0xd0, 0xd0); side * side] }
    }
}

/// The square in the middle of a picture of three bytes a pixel. A large one is first shrunk by an integer factor (each
/// block to its mean), to no less than twice the largest size.
pub(super) fn square(pixels: &[u8], width: usize) -> Option<Square> {
    let rows: Vec<&[[u8; 3]]> =
        pixels.chunks_exact((width * 3).max(1)).map(|row| row.as_chunks().0).collect();
    let full = width.min(rows.len());
    let (left, top) = ((width - full) / 2, (rows.len() - full) / 2);
    let step = (full / (2 * LARGE)).max(1);
    let side = full / step;
    let count = u32::try_from(step * step).ok()?;
    let mean = |row: usize, column: usize| {
        let (row, column) = (top + row * step, left + column * step);
        let mut sums = [0_u32; 3];
        for pixel in rows[row..row + step].iter().flat_map(|row| &row[column..column + step]) {
            sums.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += u32::from(*part));
        }
        let [red, green, blue] = sums.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX));
        RGB::new(red, green, blue)
    };
    let pixels = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    let pixels = pixels.map(|(row, column)| mean(row, column)).collect();
    (side > 0).then_some(Square { side, pixels })
}

pub(super) fn resized(square: &Square, side: usize) -> Option<Square> {
    let mut resized = Square::grey(side);
    let mut filter = resize::new(square.side, square.side, side, side, RGB8, Catrom).ok()?;
    filter.resize(&square.pixels, &mut resized.pixels).ok()?;
    Some(resized)
}

/// Turns and mirrors a picture as Exif's orientation says.
pub(super) fn turned(square: &Square, orientation: u8) -> Square {
    let last = square.side - 1;
    let from = |x: usize, y: usize| match orientation {
        2 => (last - x, y),
        3 => (last - x, last - y),
        4 => (x, last - y),
        5 => (y, x),
        6 => (y, last - x),
        7 => (last - y, last - x),
        8 => (last - y, x),
        _ => (x, y),
    };
    let places = (0..square.side).flat_map(|y| (0..square.side).map(move |x| from(x, y)));
    Square { side: square.side, pixels: places.map(|(x, y)| square.pixels[y * square.side + x]).collect() }
}
