//! The archive that a workbook is. Reading inflates what is asked for and never more than a budget.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// How much is inflated of one archive.
const BUDGET: u64 = 256 << 20;
const MOST_ENTRIES: usize = 10_000;
/// The size of the end record, which stands before a comment of at most 64 KiB.
const END: usize = 22;
const END_WITHIN: usize = END + (1 << 16);
const DAMAGED: &str = "the workbook is damaged: open it in the spreadsheet, and save it again as XLSX";

pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    entries: BTreeMap<String, ZipMember>,
    budget: u64,
}

struct ZipMember {
    method: u16,
    crc: u32,
    size: usize,
    header: usize,
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, String> {
        let from = bytes.len().saturating_sub(END_WITHIN);
        let end = bytes[from..].windows(4).rposition(|window| window == b"PK\x05\x06").ok_or(DAMAGED)?;
        let end = bytes.get(from + end..from + end + END).ok_or(DAMAGED)?;
        let (count, mut at) = (usize::from(u16_at(end, 10)), u32_at(end, 16));
        if count > MOST_ENTRIES {
            return Err(format!("the workbook has more than {MOST_ENTRIES} parts"));
        }
        let mut entries = BTreeMap::new();
        for _ in 0..count {
            let head = bytes.get(at..at.saturating_add(46)).filter(|head| head.starts_with(b"PK\x01\x02"));
            let head = head.ok_or(DAMAGED)?;
            if u16_at(head, 8) & 1 == 1 {
                return Err("the workbook has a password: save it without one".to_owned());
            }
            let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(u16_at(head, at)));
            let name = bytes.get(at + 46..at + 46 + name).ok_or(DAMAGED)?;
            let entry = ZipMember {
                method: u16_at(head, 10),
                crc: u32::from_le_bytes([head[16], head[17], head[18], head[19]]),
                size: u32_at(head, 20),
                header: u32_at(head, 42),
            };
            entries.insert(String::from_utf8_lossy(name).trim_start_matches('/').to_owned(), entry);
            at += 46 + name.len() + extra + comment;
        }
        Ok(Self { bytes, entries, budget: BUDGET })
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// A file's bytes; `None` if there is no such file.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let Some(entry) = self.entries.get(name) else { return Ok(None) };
        let head = self.bytes.get(entry.header..entry.header.saturating_add(30));
        let head = head.filter(|head| head.starts_with(b"PK\x03\x04")).ok_or(DAMAGED)?;
        let from = entry.header + 30 + usize::from(u16_at(head, 26)) + usize::from(u16_at(head, 28));
        let packed = self.bytes.get(from..from.saturating_add(entry.size)).ok_or(DAMAGED)?;
        let mut bytes = Vec::new();
        let read = match entry.method {
            0 => packed.take(self.budget + 1).read_to_end(&mut bytes),
            8 => DeflateDecoder::new(packed).take(self.budget + 1).read_to_end(&mut bytes),
            _ => return Err("the workbook is packed in an unusual way: save it again as XLSX".to_owned()),
        };
        read.map_err(|_| DAMAGED)?;
        self.budget = self.budget.checked_sub(bytes.len() as u64).ok_or_else(|| {
            format!("the workbook unpacks to more than {} MB: export a new one, and edit that", BUDGET >> 20)
        })?;
        let mut crc = Crc::new();
        crc.update(&bytes);
        if crc.sum() == entry.crc { Ok(Some(bytes)) } else { Err(DAMAGED.to_owned()) }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    usize::try_from(u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]))
        .unwrap_or(usize::MAX)
}

/// Packs files. The same files give the same bytes.
pub(super) fn pack(files: &[(&str, String)]) -> Result<Vec<u8>, String> {
    let (mut archive, mut list) = (Vec::new(), Vec::new());
    let too_large = || "the sheet is too large for a workbook".to_owned();
    for (name, text) in files {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        let packed = packed.map_err(|error| error.to_string())?;
        let mut crc = Crc::new();
        crc.update(text.as_bytes());
        let mut fields = Vec::new();
        // Version, flags (names in UTF-8), method, time and date (1980-01-01).
        for field in [20_u16, 0x0800, 8, 0, 0x0021] {
            fields.extend(field.to_le_bytes());
        }
        fields.extend(crc.sum().to_le_bytes());
        for length in [packed.len(), text.len()] {
            fields.extend(u32::try_from(length).map_err(|_| too_large())?.to_le_bytes());
        }
        fields.extend(u16::try_from(name.len()).map_err(|_| too_large())?.to_le_bytes());
        let header = u32::try_from(archive.len()).map_err(|_| too_large())?;
        archive.extend(b"PK\x03\x04");
        archive.extend(&fields);
        archive.extend([0; 2]);
        archive.extend(name.as_bytes());
        archive.extend(packed);
        list.extend(b"PK\x01\x02\x14\x00");
        list.extend(&fields);
        // No extra field, comment, disk or attributes.
        list.extend([0; 12]);
        list.extend(header.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let count = u16::try_from(files.len()).map_err(|_| too_large())?;
    let [size, from] = [list.len(), archive.len()].map(u32::try_from);
    let (size, from) = (size.map_err(|_| too_large())?, from.map_err(|_| too_large())?);
    archive.extend(list);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(size.to_le_bytes());
    archive.extend(from.to_le_bytes());
    archive.extend([0; 2]);
    Ok(archive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_and_damage_is_found() {
        let packed = pack(&[("a/b.xml", "x".repeat(1000)), ("c", String::new())]).unwrap();
        let mut archive = Archive::open(&packed).unwrap();
        assert_eq!(archive.names().collect::<Vec<_>>(), ["a/b.xml", "c"]);
        assert_eq!(archive.read("a/b.xml").unwrap().unwrap(), [b'x'; 1000]);
        assert_eq!((archive.read("c").unwrap().unwrap().len(), archive.read("d").unwrap()), (0, None));
        for end in 0..packed.len() {
            assert!(Archive::open(&packed[..end]).is_err(), "{end}");
        }
        // No single byte makes it panic, and none changes a file in silence.
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

    #[test]
    fn more_than_the_budget_is_not_unpacked() {
        let packed = pack(&[("a", "x".repeat(1000))]).unwrap();
        let mut archive = Archive::open(&packed).unwrap();
        archive.budget = 999;
        assert!(archive.read("a").unwrap_err().contains("unpacks to more than"));
    }
}
