use super::*;
use standards::FhirChange;

const BYTES: usize = 1000;

fn target(day: usize) -> FhirTarget {
    FhirTarget::parse(&format!("/fhir/slots/2026-03-{day:02}.ndjson")).unwrap()
}

fn version(served: u64) -> Version {
    Version { generation: HeaderValue::from_static("1"), served: Some(served), change: FhirChange::Feed }
}

fn made(served: u64) -> (KeptFile, Vec<u8>) {
    let tag = HeaderValue::from_static("\"1\"");
    KeptFile::compress(Made { version: version(served), body: vec![b'x'; BYTES], tag, as_of: None })
}

/// Makes a file of a day unless its body is kept. Returns whether it was made.
fn read(files: &mut KeptFiles, day: usize, served: u64) -> bool {
    let is_kept = files.get(&target(day), &version(served)).is_some_and(|file| file.body.is_some());
    if !is_kept {
        let (file, body) = made(served);
        let sent = files.insert(target(day), file, body, |_, kept| *kept == version(served));
        assert_eq!(sent.body.unwrap(), vec![b'x'; BYTES]);
    }
    !is_kept
}

#[test]
fn reading_all_files_again_makes_only_those_without_room() {
    let mut files = KeptFiles::with_room(10 * 1024);
    assert!((1..=12).all(|day| read(&mut files, day, 1)));
    for _ in 0..3 {
        let made: Vec<_> = (1..=12).filter(|&day| read(&mut files, day, 1)).collect();
        assert_eq!(made, [11, 12]);
    }
    assert!(!read(&mut files, 12, 1), "the last one without room stays");
    let bodies = files.files.values().filter(|file| file.body.is_some());
    assert_eq!(bodies.count(), 11);
    let (uncounted, whole) = (files.files[&target(12)].uncounted, files.files[&target(1)].uncounted);
    assert_eq!((uncounted, whole), (BYTES, 0));
}

#[test]
fn outdated_files_make_room_once_they_are_sent() {
    let mut files = KeptFiles::with_room(2 * 1024);
    assert!(read(&mut files, 1, 1) && read(&mut files, 2, 1));
    let being_sent = files.files[&target(1)].body.clone();
    assert!((3..=5).all(|day| read(&mut files, day, 2)));
    let bodies = |files: &KeptFiles| {
        (1..=5)
            .filter(|&day| files.files.get(&target(day)).is_some_and(|file| file.body.is_some()))
            .collect::<Vec<_>>()
    };
    assert_eq!(bodies(&files), [3, 5], "one has the place of 2, and the last one has none");
    drop(being_sent);
    assert!(read(&mut files, 4, 2));
    assert_eq!(bodies(&files), [3, 4, 5]);
    assert!(!read(&mut files, 5, 2) && !read(&mut files, 4, 2));
}
