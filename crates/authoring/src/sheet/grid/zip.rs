//! The ZIP archive of a workbook. Reading it inflates only the files asked for, up to a limit.
//! The offsets of the fields are those of section 4.3 of PKWARE's APPNOTE.TXT.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

const MOST_INFLATED: u64 = 256 << 20;
const MOST_ENTRIES: usize = 10_000;
/// The first bytes of a file's head, of an entry's head in the list, and of the end record.
const FILE_HEAD: &[u8] = b"PK\x03\x04";
const LIST_HEAD: &[u8] = b"PK\x01\x02";
const END_RECORD: &[u8] = b"PK\x05\x06";
const END_RECORD_LENGTH: usize = 22;
/// The archive needs a program for version 2.0 of the format.
const VERSION: [u8; 2] = [20, 0];
const TOO_LARGE: &str = "the sheet is too large for a workbook";
const DAMAGED: &str = "the workbook is damaged: open it in a spreadsheet program and save it again as XLSX";

pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    entries: BTreeMap<String, ZipMember>,
    /// How many more bytes may be inflated.
    bytes_left: u64,
}

struct ZipMember {
    method: usize,
    crc: u32,
    compressed_size: usize,
    head_offset: usize,
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, String> {
        // Only a comment of at most 64 KiB follows the end record.
        let from = bytes.len().saturating_sub(END_RECORD_LENGTH + (1 << 16));
        let start = bytes[from..].windows(4).rposition(|window| window == END_RECORD).ok_or(DAMAGED)?;
        let end_record: &[u8; END_RECORD_LENGTH] = head_at(bytes, from + start, END_RECORD).ok_or(DAMAGED)?;
        let (count, mut offset) = (two_bytes_at(end_record, 10), four_bytes_at(end_record, 16));
        if count > MOST_ENTRIES {
            return Err(format!("the workbook has more than {MOST_ENTRIES} parts"));
        }
        let mut entries = BTreeMap::new();
        for _ in 0..count {
            let head: &[u8; 46] = head_at(bytes, offset, LIST_HEAD).ok_or(DAMAGED)?;
            let is_encrypted = two_bytes_at(head, 8) & 1 == 1;
            if is_encrypted {
                return Err("the workbook has a password: save it without one".to_owned());
            }
            let [name_length, extra_length, comment_length] = [28, 30, 32].map(|at| two_bytes_at(head, at));
            let after_head = offset + head.len();
            let name = bytes.get(after_head..after_head + name_length).ok_or(DAMAGED)?;
            let entry = ZipMember {
                method: two_bytes_at(head, 10),
                crc: u32::from_le_bytes([head[16], head[17], head[18], head[19]]),
                compressed_size: four_bytes_at(head, 20),
                head_offset: four_bytes_at(head, 42),
            };
            entries.insert(String::from_utf8_lossy(name).trim_start_matches('/').to_owned(), entry);
            offset = after_head + name_length + extra_length + comment_length;
        }
        Ok(Self { bytes, entries, bytes_left: MOST_INFLATED })
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let Some(entry) = self.entries.get(name) else { return Ok(None) };
        let head: &[u8; 30] = head_at(self.bytes, entry.head_offset, FILE_HEAD).ok_or(DAMAGED)?;
        let [name_length, extra_length] = [26, 28].map(|at| two_bytes_at(head, at));
        let from = entry.head_offset + head.len() + name_length + extra_length;
        let packed = self.bytes.get(from..from.saturating_add(entry.compressed_size)).ok_or(DAMAGED)?;
        let mut bytes = Vec::new();
        let read = match entry.method {
            0 => packed.take(self.bytes_left + 1).read_to_end(&mut bytes),
            8 => DeflateDecoder::new(packed).take(self.bytes_left + 1).read_to_end(&mut bytes),
            _ => return Err("the workbook is packed in an unusual way: save it again as XLSX".to_owned()),
        };
        read.map_err(|_| DAMAGED)?;
        self.bytes_left = self.bytes_left.checked_sub(bytes.len() as u64).ok_or_else(|| {
            format!(
                "the workbook unpacks to more than {} MB: export a new one, and edit that",
                MOST_INFLATED >> 20
            )
        })?;
        let mut crc = Crc::new();
        crc.update(&bytes);
        if crc.sum() == entry.crc { Ok(Some(bytes)) } else { Err(DAMAGED.to_owned()) }
    }
}

fn head_at<'a, const LENGTH: usize>(bytes: &'a [u8], at: usize, start: &[u8]) -> Option<&'a [u8; LENGTH]> {
    bytes.get(at..)?.first_chunk().filter(|head| head.starts_with(start))
}

fn two_bytes_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn four_bytes_at(bytes: &[u8], at: usize) -> usize {
    usize::try_from(u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]))
        .unwrap_or(usize::MAX)
}

/// Packs files into an archive. The same files always give the same bytes.
pub(super) fn pack(files: &[(&str, &str)]) -> Result<Vec<u8>, String> {
    // Each file follows its own head. A list of all files is at the end.
    let (mut archive, mut list) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        let packed = packed.map_err(|error| error.to_string())?;
        let fields = common_fields(name, text, &packed)?;
        let offset = u32_bytes(archive.len())?;
        // The zeros mean no extra field, no comment, the first disk and no attributes.
        archive.extend([FILE_HEAD, &fields, &[0; 2], name.as_bytes(), &packed].concat());
        list.extend([LIST_HEAD, &VERSION, &fields, &[0; 12], &offset, name.as_bytes()].concat());
    }
    let count = u16_bytes(files.len())?;
    let (size, offset) = (u32_bytes(list.len())?, u32_bytes(archive.len())?);
    // The zeros mean the first disk and no comment.
    let end = [END_RECORD, &[0; 4], &count, &count, &size, &offset, &[0; 2]].concat();
    Ok([archive, list, end].concat())
}

/// Returns the fields that a file's head and the head of its entry in the list have in common.
fn common_fields(name: &str, text: &str, packed: &[u8]) -> Result<Vec<u8>, String> {
    let mut crc = Crc::new();
    crc.update(text.as_bytes());
    let mut fields = VERSION.to_vec();
    // Flags (names are UTF-8), method, time and date (1980-01-01).
    for field in [0x0800_u16, 8, 0, 0x0021] {
        fields.extend(field.to_le_bytes());
    }
    fields.extend(crc.sum().to_le_bytes());
    fields.extend(u32_bytes(packed.len())?);
    fields.extend(u32_bytes(text.len())?);
    fields.extend(u16_bytes(name.len())?);
    Ok(fields)
}

fn u16_bytes(number: usize) -> Result<[u8; 2], String> {
    u16::try_from(number).map(u16::to_le_bytes).map_err(|_| TOO_LARGE.to_owned())
}

fn u32_bytes(number: usize) -> Result<[u8; 4], String> {
    u32::try_from(number).map(u32::to_le_bytes).map_err(|_| TOO_LARGE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_files_are_unpacked_and_damage_is_found() {
        let packed = pack(&[("a/b.xml", &"x".repeat(1000)), ("c", "")]).unwrap();
        let mut archive = Archive::open(&packed).unwrap();
        assert_eq!(archive.names().collect::<Vec<_>>(), ["a/b.xml", "c"]);
        assert_eq!(archive.read("a/b.xml").unwrap().unwrap(), [b'x'; 1000]);
        assert_eq!((archive.read("c").unwrap().unwrap().len(), archive.read("d").unwrap()), (0, None));
        for end in 0..packed.len() {
            assert!(Archive::open(&packed[..end]).is_err(), "{end}");
        }
        // Changing a byte causes no panic, and is never accepted as other contents.
        for at in 0..packed.len() {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x55;
            if let Ok(mut archive) = Archive::open(&damaged)
                && let Ok(Some(bytes)) = archive.read("a/b.xml")
            {
                assert_eq!(bytes, [b'x'; 1000], "{at}");
            }
        }
    }

    /// As other programs pack: an entry of the list has a field of its own and a comment, and the next one comes after both.
    #[test]
    fn entries_with_fields_and_comments_are_passed_over() {
        let packed = pack(&[("a", "x"), ("b", "y")]).unwrap();
        let list = packed.windows(4).position(|bytes| bytes == LIST_HEAD).unwrap();
        let end = packed.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").unwrap();
        let name_end = list + 46 + 1;
        let mut other = [&packed[..name_end], b"\x99\x99\0\0note", &packed[name_end..]].concat();
        other[list + 30] = 4;
        other[list + 32] = 4;
        let size = u32::from_le_bytes(packed[end + 12..end + 16].try_into().unwrap()) + 8;
        other[end + 8 + 12..end + 8 + 16].copy_from_slice(&size.to_le_bytes());
        let mut archive = Archive::open(&other).unwrap();
        assert_eq!(archive.names().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(archive.read("b").unwrap().unwrap(), b"y");
    }

    #[test]
    fn no_more_than_the_limit_is_unpacked() {
        let packed = pack(&[("a", &"x".repeat(1000))]).unwrap();
        let mut archive = Archive::open(&packed).unwrap();
        archive.bytes_left = 999;
        assert!(archive.read("a").unwrap_err().contains("unpacks to more than"));
    }
}
