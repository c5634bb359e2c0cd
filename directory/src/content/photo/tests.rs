use proptest::prelude::*;

use super::*;

/// The beginning of a TIFF file with one entry, the orientation, as a Motorola and as an Intel machine write it.
const MOTOROLA: &[u8] = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
const INTEL: &[u8] = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
const PLACE: &[u8] = b"GPS 37.80 N 122.27 W";

fn segment(marker: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len() + 2).unwrap();
    [&[0xff, marker], &length.to_be_bytes()[..], data].concat()
}

/// A JPEG file with these segments before its frame. Its coded pixels have an escaped byte and a restart.
fn jpeg(segments: &[Vec<u8>], components: u8) -> Vec<u8> {
    let jfif = segment(0xe0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0");
    let frame = segment(0xc0, &[8, 0, 40, 0, 30, components]);
    let scan = [segment(0xda, &[1, 1, 0, 0, 63, 0]), b"a\xff\0b\xff\xd0c\xff\xd9".to_vec()].concat();
    [vec![0xff, 0xd8], jfif, segments.concat(), frame, scan].concat()
}

fn chunk(name: &str, data: &[u8]) -> Vec<u8> {
    [&u32::try_from(data.len()).unwrap().to_be_bytes()[..], name.as_bytes(), data, b"....".as_slice()]
        .concat()
}

fn png(chunks: &[Vec<u8>]) -> Vec<u8> {
    let head = chunk("IHDR", b"\0\0\0\x1e\0\0\0\x28\x08\x02\0\0\0");
    [png::SIGNATURE.to_vec(), head, chunks.concat(), chunk("IDAT", b"pixels"), chunk("IEND", b"")].concat()
}

fn riff(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let chunk = |(name, data): &(&[u8; 4], &[u8])| {
        let padding = &[0][..data.len() % 2];
        [&name[..], &u32::try_from(data.len()).unwrap().to_le_bytes(), data, padding].concat()
    };
    let body = chunks.iter().map(chunk).collect::<Vec<_>>().concat();
    [b"RIFF", &u32::try_from(body.len() + 4).unwrap().to_le_bytes()[..], b"WEBP", &body].concat()
}

/// 30 by 40 pixels, lossless: RFC 9649 packs both sizes, less one, into 14 bits each.
const LOSSLESS: &[u8] = b"\x2f\x1d\xc0\x09\0pixel";

fn parsed(bytes: &[u8]) -> Photo<'_> {
    Photo::parse(bytes).unwrap().unwrap()
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_file_without_metadata_stays_as_it_is() {
    let profile = segment(0xe2, b"ICC_PROFILE\0\x01\x01profile");
    let files = [
        jpeg(&[profile, segment(0xee, b"Adobe\0\x64\0\0\0\0\x01")], 3),
        png(&[chunk("iCCP", b"profile"), chunk("tRNS", b"\0")]),
        riff(&[(b"VP8L", LOSSLESS)]),
        riff(&[(b"VP8X", b"\x20\0\0\0\x1d\0\0\x27\0\0"), (b"ICCP", b"profile"), (b"VP8L", LOSSLESS)]),
    ];
    for file in files {
        let photo = parsed(&file);
        assert_eq!((photo.width, photo.height, photo.orientation()), (30, 40, 1), "{}", file.escape_ascii());
        assert_eq!(photo.without_metadata(), file);
    }
}

#[test]
fn metadata_is_removed_and_the_orientation_stays() {
    let exif = |tiff: &[u8]| [b"Exif\0\0", tiff, PLACE].concat();
    let motion = [jpeg(&[segment(0xe1, &exif(INTEL))], 3), PLACE.to_vec()].concat();
    let flags = b"\x0c\0\0\0\x1d\0\0\x27\0\0";
    let files = [
        jpeg(&[segment(0xe1, &exif(MOTOROLA)), segment(0xe1, PLACE), segment(0xfe, PLACE)], 3),
        motion,
        png(&[chunk("eXIf", &[INTEL, PLACE].concat()), chunk("tEXt", PLACE), chunk("zTXt", PLACE)]),
        riff(&[
            (b"VP8X", flags),
            (b"VP8L", LOSSLESS),
            (b"EXIF", &[MOTOROLA, PLACE].concat()),
            (b"XMP ", PLACE),
        ]),
    ];
    for file in files {
        let photo = parsed(&file);
        assert_eq!(photo.orientation(), 6);
        let clean = photo.without_metadata();
        assert!(has(&file, PLACE) && !has(&clean, PLACE), "{}", clean.escape_ascii());
        assert!(clean.len() < file.len());
        let again = parsed(&clean);
        assert_eq!((again.orientation(), again.width, again.height), (6, 30, 40));
        assert_eq!(again.without_metadata(), clean);
    }
}

#[test]
fn of_several_orientations_the_first_that_turns_the_picture_is_the_one_that_is_published() {
    // Its nineteenth byte is the orientation.
    let plain = [&INTEL[..18], &[1], &INTEL[19..]].concat();
    let turned = MOTOROLA;
    let exif = |tiff: &[u8]| segment(0xe1, &[b"Exif\0\0", tiff].concat());
    for file in [
        jpeg(&[exif(&plain), exif(turned), exif(&plain)], 3),
        png(&[chunk("eXIf", &plain), chunk("eXIf", turned), chunk("eXIf", &plain)]),
        riff(&[(b"VP8L", LOSSLESS), (b"EXIF", &plain), (b"EXIF", turned), (b"EXIF", &plain)]),
    ] {
        let photo = parsed(&file);
        assert_eq!(photo.orientation(), 6);
        assert_eq!(parsed(&photo.without_metadata()).orientation(), 6);
    }
}

#[test]
fn the_chunk_of_the_orientation_has_the_check_sum_of_png() {
    let file = png(&[chunk("eXIf", INTEL)]);
    let clean = parsed(&file).without_metadata();
    // zlib's crc32 of "eXIf" and the block of 26 bytes that names orientation 6 alone.
    assert!(
        has(&clean, &[b"eXIf", MOTOROLA, &0xd667_4b69_u32.to_be_bytes()[..]].concat()),
        "{}",
        clean.escape_ascii()
    );
}

#[test]
fn what_cannot_be_published_is_refused() {
    let parse = |bytes: &[u8]| Photo::parse(bytes).map(|photo| photo.map(drop));
    assert_eq!(parse(b"GIF89a"), None);
    assert_eq!(parse(&jpeg(&[], 4)), Some(Err(PhotoError::ForPrinters)));
    let head = chunk("IHDR", b"\0\0\x40\0\0\0\x40\0\x08\x02\0\0\0");
    let large = [png::SIGNATURE.to_vec(), head, chunk("IEND", b"")].concat();
    assert_eq!(parse(&large), Some(Err(PhotoError::TooManyPixels { width: 16384, height: 16384 })));
    for whole in [jpeg(&[], 3), png(&[]), riff(&[(b"VP8L", LOSSLESS)])] {
        for end in 12..whole.len() {
            let torn = Photo::parse(&whole[..end]);
            assert_eq!(torn.unwrap().unwrap_err(), PhotoError::Damaged, "{end} of {}", whole.len());
        }
    }
}

proptest! {
    #[test]
    fn no_file_makes_it_panic(kind in 0..3usize, at in 0..200usize, byte: u8, end in 12..400usize, tail: Vec<u8>) {
        let mut bytes = match kind {
            0 => jpeg(&[segment(0xe1, &[b"Exif\0\0", INTEL].concat())], 3),
            1 => png(&[chunk("eXIf", MOTOROLA)]),
            _ => riff(&[(b"VP8X", b"\x0c\0\0\0\x1d\0\0\x27\0\0"), (b"VP8L", LOSSLESS), (b"EXIF", INTEL)]),
        };
        let length = bytes.len();
        bytes[at % length] = byte;
        bytes.truncate(end);
        bytes.extend(tail);
        if let Some(Ok(photo)) = Photo::parse(&bytes) {
            prop_assert!(photo.pixels() <= MOST_PIXELS);
            let clean = photo.without_metadata();
            prop_assert!(Photo::parse(&clean).unwrap().is_ok());
        }
    }
}
