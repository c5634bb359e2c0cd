//! A bundle: a content folder as a gzipped ustar archive. The same files give the same bytes: they are sorted, and times and
//! owners are zero. It is unpacked in memory, under a budget, and only ordinary files are taken from it.

use std::io::{self, Read as _, Write as _};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use directory::calendar::FeedMode;
use directory::content::{Entries, feed_path};
use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use tar::{Archive, Builder, EntryType, Header};

/// The largest size for which memory is reserved before anything is unpacked.
const EXPECTED: usize = 64 << 20;

pub struct Packed {
    pub bytes: Bytes,
    pub sha256: String,
    pub unpacked: u64,
}

pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

pub fn pack(entries: &Entries) -> Result<Packed, String> {
    let mut archive = Builder::new(Vec::new());
    for (path, bytes) in entries.iter() {
        append(&mut archive, path, bytes)
            .map_err(|error| format!("{path} can't be packed: {error}; give it a shorter name"))?;
    }
    let packed = archive.into_inner().and_then(|tar| {
        // The byte for the operating system is "unknown" on each of them.
        let mut gzip =
            GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::default());
        gzip.write_all(&tar)?;
        Ok((gzip.finish()?, tar.len() as u64))
    });
    let (bytes, unpacked) = packed.map_err(|error| error.to_string())?;
    Ok(Packed { sha256: sha256(&bytes), bytes: bytes.into(), unpacked })
}

fn append(archive: &mut Builder<Vec<u8>>, path: &str, bytes: &[u8]) -> io::Result<()> {
    let mut header = Header::new_ustar();
    header.set_path(path)?;
    header.set_size(bytes.len() as u64);
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o644);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.set_cksum();
    archive.append(&header, bytes)
}

pub fn unpack(packed: &[u8], unpacked: u64) -> Result<Entries, String> {
    let room = usize::try_from(unpacked).map_err(|_| "it is too large for this machine")?;
    let mut tar = Vec::with_capacity(room.min(EXPECTED));
    // One byte more shows that it is larger.
    let read = GzDecoder::new(packed).take(unpacked.saturating_add(1)).read_to_end(&mut tar);
    read.map_err(|error| format!("it isn't gzip, or cut short: {error}"))?;
    if tar.len() != room {
        let which = if tar.len() > room { "more" } else { "fewer" };
        return Err(format!("it expands to {which} than the {unpacked} bytes that its release names"));
    }
    let tar = Bytes::from(tar);
    let broken = |error: io::Error| format!("it isn't a tar archive: {error}");
    let mut entries = Entries::default();
    for entry in Archive::new(&tar[..]).entries().map_err(broken)?.raw(true) {
        let entry = entry.map_err(broken)?;
        let path = entry.path_bytes();
        let path = str::from_utf8(&path).map_err(|_| "a name in it isn't plain text")?;
        if entry.header().entry_type() != EntryType::Regular {
            let shown = directory::visible::line(path).into_owned();
            return Err(format!("\"{shown}\" in it isn't an ordinary file"));
        }
        if [FeedMode::Busy, FeedMode::Open].into_iter().any(|mode| path == feed_path(mode)) {
            return Err(format!("{path} in it is a feed, and releases don't include feeds"));
        }
        let bytes = slice(&tar, entry.raw_file_position(), entry.size()).ok_or("it is cut short")?;
        entries.add(path, bytes).map_err(|error| error.to_string())?;
    }
    Ok(entries)
}

fn slice(bytes: &Bytes, from: u64, length: u64) -> Option<Bytes> {
    let (from, to) = (usize::try_from(from).ok()?, usize::try_from(from.checked_add(length)?).ok()?);
    (to <= bytes.len()).then(|| bytes.slice(from..to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Entries {
        let mut entries = Entries::default();
        let deep = format!("headshots/{}.svg", "a".repeat(92));
        for path in ["providers/b.toml", "directory.toml", "providers/a.toml", "headshots/josé.png", &deep] {
            entries.add(path, Bytes::from(format!("text of {path}"))).unwrap();
        }
        entries
    }

    fn gzipped(tar: &[u8]) -> Vec<u8> {
        let mut gzip = GzBuilder::new().write(Vec::new(), Compression::default());
        gzip.write_all(tar).unwrap();
        gzip.finish().unwrap()
    }

    #[test]
    fn the_same_files_give_the_same_bytes_and_come_out_again() {
        let packed = pack(&entries()).unwrap();
        assert_eq!(packed.bytes, pack(&entries()).unwrap().bytes);
        assert_eq!(packed.sha256, sha256(&packed.bytes));
        let unpacked = unpack(&packed.bytes, packed.unpacked).unwrap();
        assert!(unpacked.iter().eq(entries().iter()));
        let mut tar = Vec::new();
        GzDecoder::new(&packed.bytes[..]).read_to_end(&mut tar).unwrap();
        assert_eq!(tar.len() as u64, packed.unpacked);
        for entry in Archive::new(&tar[..]).entries().unwrap() {
            let header = entry.unwrap().header().clone();
            assert!(header.as_ustar().is_some(), "ustar");
            let owner = (header.mtime().unwrap(), header.uid().unwrap(), header.gid().unwrap());
            assert_eq!((owner, header.mode().unwrap()), ((0, 0, 0), 0o644));
            assert_eq!(header.username_bytes().unwrap(), b"");
        }
    }

    #[test]
    fn a_name_that_is_too_long_for_the_format_is_refused() {
        let mut entries = Entries::default();
        entries.add(&format!("headshots/{}.svg", "a".repeat(97)), Bytes::new()).unwrap();
        let refused = pack(&entries).err().unwrap();
        assert!(refused.contains("give it a shorter name"), "{refused}");
    }

    #[test]
    fn a_bomb_and_a_bundle_of_another_size_are_refused() {
        let bomb = gzipped(&vec![0; 64 << 20]);
        assert!(bomb.len() < 100_000);
        assert!(unpack(&bomb, 1 << 20).unwrap_err().contains("expands to more than the 1048576 bytes"));
        let packed = pack(&entries()).unwrap();
        assert!(unpack(&packed.bytes, packed.unpacked + 1).unwrap_err().contains("fewer"));
        assert!(
            unpack(&packed.bytes[..packed.bytes.len() / 2], packed.unpacked)
                .unwrap_err()
                .contains("cut short")
        );
        assert!(unpack(b"<html>", 6).unwrap_err().contains("isn't gzip"));
    }

    #[test]
    fn only_files_of_a_content_folder_are_taken() {
        let with = |path: &str, kind| {
            let mut header = Header::new_ustar();
            header.as_ustar_mut().unwrap().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_size(0);
            header.set_entry_type(kind);
            header.set_cksum();
            let mut archive = Builder::new(Vec::new());
            archive.append(&header, io::empty()).unwrap();
            archive.append(&header, io::empty()).unwrap();
            let tar = archive.into_inner().unwrap();
            unpack(&gzipped(&tar), tar.len() as u64).unwrap_err()
        };
        for (path, kind, why) in [
            ("a", EntryType::Symlink, "isn't an ordinary file"),
            ("a", EntryType::Link, "isn't an ordinary file"),
            ("a", EntryType::Directory, "isn't an ordinary file"),
            ("a", EntryType::Fifo, "isn't an ordinary file"),
            ("a", EntryType::GNULongName, "isn't an ordinary file"),
            ("a", EntryType::XHeader, "isn't an ordinary file"),
            ("../a", EntryType::Regular, "leads out of the folder"),
            ("/etc/passwd", EntryType::Regular, "the root of the file system"),
            ("availability/busy.ndjson", EntryType::Regular, "releases don't include feeds"),
            ("a", EntryType::Regular, "appears twice"),
        ] {
            let refused = with(path, kind);
            assert!(refused.contains(why), "{path} {kind:?}: {refused}");
        }
        let huge = {
            let mut header = Header::new_ustar();
            header.set_path("a").unwrap();
            header.set_size(u64::MAX / 2);
            header.set_cksum();
            let tar = [&header.as_bytes()[..], &[0; 1024]].concat();
            unpack(&gzipped(&tar), tar.len() as u64).unwrap_err()
        };
        assert!(huge.contains("cut short") || huge.contains("not a tar archive"), "{huge}");
    }
}
