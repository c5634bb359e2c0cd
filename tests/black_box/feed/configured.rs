//! Feeds that the folder or the settings name.

use super::*;

#[test]
fn a_folder_feed_in_the_wrong_mode_is_refused_by_check_as_by_serve() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_examples(&content);
    for (status, name, other) in
        [("free", "busy.ndjson", "open.ndjson"), ("busy", "open.ndjson", "busy.ndjson")]
    {
        let feed = content.join("availability").join(name);
        fs::write(&feed, line("jane-doe", "2026-12-01T10:00", status)).unwrap();
        let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
        assert_eq!(checked.status.code(), Some(1), "{}", text(&checked.stdout));
        assert!(text(&checked.stdout).contains(&format!("name it {other}")), "{}", text(&checked.stdout));
        // The advice makes it right.
        let renamed = content.join("availability").join(other);
        fs::rename(&feed, &renamed).unwrap();
        let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
        assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
        fs::remove_file(renamed).unwrap();
    }
}

#[test]
fn a_feed_that_appears_and_cannot_be_used_makes_open_times_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let (content, log) = (folder.path().join("content"), folder.path().join("log"));
    write_examples(&content);
    let arguments =
        ["--content", content.to_str().unwrap(), "--now", "2026-12-01T12:00:00Z", "--admin", "127.0.0.1:0"];
    let server = Server::start(&[&["serve"], &arguments[..]].concat());
    let status = || server.get("/v1/availability?state=CA&horizonDays=14").status;
    assert_eq!(status(), 200);
    let feed = content.join("availability/busy.ndjson");
    fs::write(&feed, line("jane-deo", "2026-12-01T10:00", "busy")).unwrap();
    within(TIMEOUT, "503", || status() == 503);
    fs::write(&feed, line("jane-doe", "2026-12-01T10:00", "busy")).unwrap();
    within(TIMEOUT, "200", || status() == 200);
    drop(server);
    // A start without a feed says that it has none.
    fs::remove_file(&feed).unwrap();
    let mut serve = command(&[&["serve", "--listen", "127.0.0.1:0"], &arguments[..]].concat());
    serve.stderr(File::create(&log).unwrap()).stdout(Stdio::null());
    let mut process = serve.spawn().unwrap();
    within(TIMEOUT, "the line", || {
        fs::read_to_string(&log).unwrap().contains("all weekly hours are offered")
    });
    process.kill().unwrap();
    process.wait().unwrap();
}

#[test]
fn check_of_an_address_heeds_the_configured_poll() {
    let folder = tempfile::tempdir().unwrap();
    let (content, settings) = (folder.path().join("content"), folder.path().join("nameplate.toml"));
    write_examples(&content);
    fs::write(&settings, "[feed]\nurl = \"http://127.0.0.1:1/m\"\nmode = \"busy\"\npoll = \"5s\"\nfresh-for = \"10s\"\nmax-stale = \"30s\"\n")
        .unwrap();
    let more = ["--config", settings.to_str().unwrap()];
    let (code, told) = check(&content, Path::new("http://127.0.0.1:1/m"), &more);
    // Nothing listens on that port, and the error says so.
    assert!(code != Some(0) && told.contains("127.0.0.1:1/m") && !told.contains("feed.poll"), "{told}");
}
