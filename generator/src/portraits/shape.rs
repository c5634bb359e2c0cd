use resize::Pixel::RGB8;
use resize::Type::Catrom;
use resize::px::RGB;

use super::LARGE;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Square {
    pub(super) side: usize,
    pub(super) pixels: Vec<RGB<u8>>,
}

impl Square {
    pub(super) fn gray(side: usize) -> Self {
        Self { side, pixels: vec![RGB::new(0xd0, 0xd0, 0xd0); side * side] }
    }
}

/// From the middle of a picture with three bytes a pixel. A large one is also shrunk here: each block of pixels becomes its
/// mean, and at least twice the side of the largest file is left.
pub(super) fn square(pixels: &[u8], width: usize) -> Option<Square> {
    let rows: Vec<&[[u8; 3]]> =
        pixels.chunks_exact((width * 3).max(1)).map(|row| row.as_chunks().0).collect();
    let full_side = width.min(rows.len());
    let (left, top) = ((width - full_side) / 2, (rows.len() - full_side) / 2);
    let block_side = (full_side / (2 * LARGE)).max(1);
    let side = full_side / block_side;
    let count = u32::try_from(block_side * block_side).ok()?;
    let mean = |row: usize, column: usize| {
        let (row, column) = (top + row * block_side, left + column * block_side);
        let mut sums = [0_u32; 3];
        for pixel in rows[row..row + block_side].iter().flat_map(|row| &row[column..column + block_side]) {
            sums.iter_mut().zip(pixel).for_each(|(sum, component)| *sum += u32::from(*component));
        }
        let [red, green, blue] = sums.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX));
        RGB::new(red, green, blue)
    };
    let pixels = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    let pixels = pixels.map(|(row, column)| mean(row, column)).collect();
    (side > 0).then_some(Square { side, pixels })
}

pub(super) fn resized(square: &Square, side: usize) -> Option<Square> {
    let mut resized = Square::gray(side);
    let mut filter = resize::new(square.side, square.side, side, side, RGB8, Catrom).ok()?;
    filter.resize(&square.pixels, &mut resized.pixels).ok()?;
    Some(resized)
}

/// As Exif's orientation says.
pub(super) fn turned(square: &Square, orientation: u8) -> Square {
    let last = square.side - 1;
    let stored_at = |x: usize, y: usize| match orientation {
        2 => (last - x, y),
        3 => (last - x, last - y),
        4 => (x, last - y),
        5 => (y, x),
        6 => (y, last - x),
        7 => (last - y, last - x),
        8 => (last - y, x),
        _ => (x, y),
    };
    let places = (0..square.side).flat_map(|y| (0..square.side).map(move |x| stored_at(x, y)));
    Square { side: square.side, pixels: places.map(|(x, y)| square.pixels[y * square.side + x]).collect() }
}
