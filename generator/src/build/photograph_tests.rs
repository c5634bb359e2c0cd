//! Builds of a clinic whose portraits are photographs.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests write their own content and read the trees they make"
)]

use std::collections::BTreeSet;
use std::fs;

use directory::content::Photo;

use super::*;
use crate::test_fixture as fixture;

const PLACE: &[u8] = b"GPS 37.80 N";

/// A clinic with `clinicians` clinicians, each with a photograph of 450 by 600 pixels.
fn clinic(clinicians: u32) -> tempfile::TempDir {
    let content = fixture::copy();
    let providers = content.path().join("providers");
    let one = fs::read_to_string(providers.join("state.toml")).unwrap();
    fs::remove_file(providers.join("state.toml")).unwrap();
    fs::remove_file(providers.join("ada-moreau.toml")).unwrap();
    fs::remove_file(content.path().join("headshots/ada.svg")).unwrap();
    for number in 0..clinicians {
        let text = one.replace("prov-0002", &format!("photographed-{number}"));
        fs::write(providers.join(format!("c-{number}.toml")), format!("headshot = \"{number}.jpg\"\n{text}"))
            .unwrap();
        fs::write(
            content.path().join(format!("headshots/{number}.jpg")),
            fixture::photograph(600, 450, number),
        )
        .unwrap();
    }
    content
}

fn read(out: &Path, path: &str) -> Vec<u8> {
    fs::read(out.join(path.trim_start_matches('/'))).unwrap()
}

/// What stands between two texts, at each place.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    text.split(before).skip(1).filter_map(|rest| Some(rest.split_once(after)?.0)).collect()
}

#[test]
fn the_list_of_24_photographed_clinicians_loads_at_most_300_kilobytes() {
    let (content, out) = (clinic(24), tempfile::tempdir().unwrap());
    let options = BuildOptions::new(content.path(), out.path().join("dist"));
    build(&fixture::load(content.path()), &options).unwrap();
    let page = String::from_utf8(read(&options.out, "clinicians.html")).unwrap();
    let mut loaded: BTreeSet<&str> = between(&page, "src=\"/", "\"").into_iter().collect();
    assert_eq!(loaded.iter().filter(|path| path.starts_with("headshots/")).count(), 24);
    loaded.extend(between(&page, "href=\"/assets/", "\"").iter().map(|_| "assets/clinicians.json"));
    let styles =
        ["assets/style.css", "assets/theme.css", "assets/favicon.svg", "assets/fonts/young-serif.woff2"];
    loaded.extend(styles);
    let bytes: usize = loaded.iter().map(|path| read(&options.out, path).len()).sum();
    assert!(page.len() + bytes <= 300_000, "{} and {bytes}", page.len());
}

#[test]
fn pages_and_the_api_have_the_sizes_without_the_place() {
    let (content, out) = (clinic(1), tempfile::tempdir().unwrap());
    let options = BuildOptions::new(content.path(), out.path().join("dist"));
    let snapshot = fixture::load(content.path());
    build(&snapshot, &options).unwrap();
    let page = String::from_utf8(read(&options.out, "providers/c-0.html")).unwrap();
    let sizes = portraits::photo_paths(&snapshot.directory().providers()[0]).unwrap();
    let image =
        format!(r#"src="/{}" srcset="/{} 160w, /{} 512w" sizes="#, sizes.large, sizes.small, sizes.large);
    assert!(page.contains(&image), "{page}");
    let site = &snapshot.directory().organization().site_url;
    let shared = format!(r#"<meta property="og:image" content="{site}/{}">"#, sizes.large);
    assert!(page.contains(&shared), "{page}");
    let original = fs::read(content.path().join("headshots/0.jpg")).unwrap();
    let has_place = |bytes: &[u8]| bytes.windows(PLACE.len()).any(|window| window == PLACE);
    assert!(has_place(&original));
    let bare =
        BuildOptions { with_pages: false, ..BuildOptions::new(content.path(), out.path().join("bare")) };
    build(&snapshot, &bare).unwrap();
    for (path, side) in [(&sizes.small, portraits::SMALL), (&sizes.large, portraits::LARGE)] {
        let file = read(&options.out, path);
        assert_eq!(Photo::parse(&file).unwrap().unwrap().pixels(), (side * side) as u64);
        assert!(!has_place(&file));
        assert_eq!(read(&bare.out, path), file);
    }
    assert_eq!(sizes.large, "headshots/c-0.jpg");
    let answer = String::from_utf8(read(&options.out, "v1/providers/c-0.json")).unwrap();
    assert!(answer.contains(&format!("\"headshotUrl\":\"{site}/headshots/c-0.jpg\"")), "{answer}");
}

#[test]
fn published_sizes_are_reused_and_new_ones_are_made_only_from_the_checked_photograph() {
    let (content, out) = (clinic(1), tempfile::tempdir().unwrap());
    let options = |out: &Path| BuildOptions::new(content.path(), out);
    let (first, other) = (out.path().join("dist"), out.path().join("other"));
    let snapshot = fixture::load(content.path());
    build(&snapshot, &options(&first)).unwrap();
    let before = preview(&snapshot, &options(&first)).unwrap();
    fs::write(content.path().join("headshots/0.jpg"), fixture::photograph(60, 40, 9)).unwrap();
    let refused = build(&snapshot, &options(&other)).unwrap_err();
    assert!(matches!(refused, BuildError::Portrait(ReadError::Changed(_))), "{refused}");
    let sizes = portraits::photo_paths(&snapshot.directory().providers()[0]).unwrap();
    let intact = read(&first, &sizes.small);
    let size_of_tree = || {
        let options = options(&first);
        let layout = Layout::new(&snapshot, &options).unwrap();
        let output = Output { folder: &first, force: false }.lock::<BuildError>().unwrap();
        let file = layout.files.iter().find(|file| file.path.as_str() == sizes.small).unwrap();
        layout.body(file, &mut Vec::new(), Some(&output)).map(|body| body.map(<[u8]>::to_vec))
    };
    assert_eq!(size_of_tree().unwrap().unwrap(), intact);
    // A damaged file of the former tree is not reused: it is made again, so a missing photograph is an error.
    fs::write(first.join(&sizes.small), vec![0; intact.len()]).unwrap();
    assert!(size_of_tree().is_err());
    fs::write(content.path().join("headshots/0.jpg"), fixture::photograph(600, 450, 0)).unwrap();
    build(&snapshot, &options(&first)).unwrap();
    assert_eq!(read(&first, &sizes.small), intact);
    assert_eq!(preview(&snapshot, &options(&first)).unwrap(), before);
}

#[test]
fn a_photograph_that_cannot_be_decoded_is_gray_and_the_summary_says_so() {
    let (content, out) = (clinic(1), tempfile::tempdir().unwrap());
    let head = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x02\0\0\0\x02\0\x08\x02\0\0\0\x7b\x1a\x43\xad";
    let damaged = [&head[..], b"\0\0\0\x06IDATpixels....\0\0\0\0IEND...."].concat();
    fs::rename(content.path().join("headshots/0.jpg"), content.path().join("headshots/0.png")).unwrap();
    fs::write(content.path().join("headshots/0.png"), damaged).unwrap();
    fixture::edit(content.path(), "providers/c-0.toml", |text| text.replace("0.jpg", "0.png"));
    let options = BuildOptions::new(content.path(), out.path().join("dist"));
    // The second build takes the sizes from the published tree.
    for _ in 0..2 {
        let summary = build(&fixture::load(content.path()), &options).unwrap();
        let notes = summary.notes.iter().filter(|note| note.contains("0.png is damaged"));
        assert_eq!(notes.count(), 1, "{summary}");
    }
}
