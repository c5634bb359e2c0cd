//! Calendars by their secret addresses, from outside: what `check --feed` says of them, and what a service offers.

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

use crate::harness::{Server, TIMEOUT, command, content, nameplate, root, text, within};

/// Every hour of every day of 2026 and later, with something that no one may see.
const ALWAYS: &str = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:c4n4ry\r\nDTSTART:20260101T000000Z\r\n\
                      DURATION:P1D\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:2\r\nTRANSP:TRANSPARENT\r\n\
                      DTSTART;VALUE=DATE:20260101\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:3\r\n\
                      TRANSP:TRANSPARENT\r\nDTSTART;VALUE=DATE:20260101\r\nDTEND;VALUE=DATE:20990101\r\nEND:VEVENT\r\n\
                      END:VCALENDAR\r\n";

/// Serves one text at every address that ends with `.ics`, until the tests end.
fn publisher(body: &'static str) -> String {
    let address = listen(move |stream| answer(stream, body));
    format!("http://{address}/c4n4ry")
}

/// The same over TLS, with the certificate of tests/cases/tls.
fn secure_publisher(body: &'static str) -> String {
    let file = |name: &str| root().join("tests/cases/tls").join(name);
    let certificate = CertificateDer::from_pem_file(file("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(file("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(ring::default_provider().into());
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = Arc::new(config.with_single_cert(vec![certificate], key).unwrap());
    let address = listen(move |stream| {
        answer(StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream), body);
    });
    format!("{address}/c4n4ry")
}

fn listen(serve: impl Fn(TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || listener.incoming().for_each(|stream| serve(stream.unwrap())));
    address
}

/// Answers a request. A client may be gone, or may not trust this server.
fn answer(stream: impl Read + Write, body: &str) {
    let mut stream = BufReader::new(stream);
    let mut request = String::new();
    if stream.read_line(&mut request).is_err() {
        return;
    }
    let mut line = String::new();
    while stream.read_line(&mut line).is_ok_and(|_| !line.trim().is_empty()) {
        line.clear();
    }
    let (status, body) = if request.contains(".ics ") { ("200 OK", body) } else { ("404 Not Found", "") };
    let length = body.len();
    let stream = stream.get_mut();
    _ = write!(stream, "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
    _ = stream.flush();
}

fn list(folder: &Path, lines: &str) -> PathBuf {
    let file = folder.join("calendars");
    fs::write(&file, lines).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    file
}

fn check(calendars: &Path, more: &[&str]) -> (Option<i32>, String) {
    let (content, calendars) = (content(), calendars.to_str().unwrap());
    let arguments = ["check", "--content", content.to_str().unwrap(), "--feed", calendars];
    let output = nameplate(&[&arguments[..], more].concat());
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(!printed.contains("c4n4ry"), "{printed}");
    (output.status.code(), printed)
}

#[test]
fn check_has_a_row_for_each_calendar_and_its_advice_heals() {
    let (folder, address) = (tempfile::tempdir().unwrap(), publisher(ALWAYS));
    let good = format!("# Ours\namara-okonkwo {address}/a.ics\n");
    let calendars =
        list(folder.path(), &format!("{good}amara-okonkwo {address}/gone\nnobody-here {address}/b.ics\n"));
    let (code, printed) = check(&calendars, &[]);
    assert_eq!(code, Some(1), "{printed}");
    for expected in [
        "amara-okonkwo, calendar 1, at 127.0.0.1: 3 events, 720 h taken in the next 30 days; entries until ",
        " or later (America/",
        "left out: 2 free",
        "note: all-day events marked free don't block their days: ",
        "no openings left in the next 30 days: amara-okonkwo\n",
        "amara-okonkwo, calendar 2, at 127.0.0.1: not read\n  error: it answers 404 Not Found: the address was reset",
        "the content has no clinician nobody-here: correct the first word of the line",
        "without a calendar, and without openings until the unknown slugs above are corrected: ",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }

    let (code, printed) = check(&calendars, &["--format", "json"]);
    let told: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((code, told["calendars"].as_array().unwrap().len()), (Some(1), 3), "{told}");
    let read = &told["calendars"][0]["read"];
    assert_eq!((&read["busyMinutes"], &read["leftOut"]["free"]), (&json!(30 * 24 * 60), &json!(2)), "{told}");
    assert!(!told["withoutCalendar"].as_array().unwrap().contains(&json!("amara-okonkwo")), "{told}");

    let (code, printed) = check(&list(folder.path(), &good), &[]);
    assert_eq!(code, Some(0), "{printed}");
    // A list before its first calendar.
    let (code, printed) = check(&list(folder.path(), "# Ours\n\n"), &[]);
    assert!(code == Some(0) && printed.contains("without a calendar: "), "{printed}");
}

#[test]
fn check_says_that_clinicians_without_a_calendar_are_offered_if_the_settings_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let (calendars, config) = (list(folder.path(), "# Ours\n"), folder.path().join("nameplate.toml"));
    // The file's own feed may be another list.
    fs::write(&config, "[feed]\ncalendars = 'others'\nunlisted = 'open'\n").unwrap();
    let (code, printed) = check(&calendars, &["--config", config.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{printed}");
    let expected = "no calendar, so all weekly hours are offered: ";
    assert!(printed.contains(expected) && !printed.contains("no openings"), "{printed}");
    // A service withholds all of them, because the taken time may be anyone's. A former slug is known.
    let address = publisher(ALWAYS);
    let lines = |slug: &str| list(folder.path(), &format!("{slug} {address}/a.ics\n"));
    let (code, printed) = check(&lines("amara-okonkw"), &["--config", config.to_str().unwrap()]);
    assert!(code == Some(1) && printed.contains("Did you mean amara-okonkwo?"), "{printed}");
    let withheld = "without openings until the unknown slugs above are corrected: ";
    assert!(printed.contains(withheld) && !printed.contains(expected), "{printed}");
    let (code, printed) = check(&lines("hannah-whitfield"), &["--config", config.to_str().unwrap()]);
    let former = "warning: hannah-whitfield is a former slug: write hannah-whitfield-moss";
    assert!(code == Some(0) && printed.contains(former) && printed.contains(expected), "{printed}");
}

#[test]
fn a_calendar_over_https_is_read_from_a_server_that_is_trusted() {
    let (folder, address) = (tempfile::tempdir().unwrap(), secure_publisher(ALWAYS));
    let lines = format!("amara-okonkwo https://{address}/a.ics\njun-nakashima webcal://{address}/b.ics\n");
    let calendars = list(folder.path(), &lines);
    let check = |authority: Option<&str>| {
        let mut check = command(&["check", "--feed", calendars.to_str().unwrap()]);
        check.envs(authority.map(|file| ("SSL_CERT_FILE", root().join("tests/cases/tls").join(file))));
        let output = check.output().unwrap();
        let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert!(!printed.contains("c4n4ry"), "{printed}");
        (output.status.code(), printed)
    };
    let (code, printed) = check(Some("ca.pem"));
    assert_eq!(
        (code, printed.matches(", calendar 1, at 127.0.0.1: 3 events").count()),
        (Some(0), 2),
        "{printed}"
    );
    let (code, printed) = check(None);
    assert_eq!(
        (code, printed.matches("not read\n  error: no server answers there").count()),
        (Some(1), 2),
        "{printed}"
    );
    assert!(printed.contains("certificate"), "{printed}");
}

#[test]
fn calendars_of_the_environment_are_checked_and_two_lists_are_refused() {
    let (folder, address) = (tempfile::tempdir().unwrap(), publisher(ALWAYS));
    let line = format!("# Ours\namara-okonkwo {address}/a.ics\n");
    let calendars = list(folder.path(), &line);
    let run = |feed: &[&str]| {
        let output = command(feed).env("NAMEPLATE_CALENDARS", &line).output().unwrap();
        let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert!(!printed.contains("c4n4ry"), "{printed}");
        (output.status.code(), printed)
    };
    let (code, printed) = run(&["check", "--feed", "NAMEPLATE_CALENDARS"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("amara-okonkwo, calendar 1, at 127.0.0.1: 3 events"), "{printed}");
    let calendars = calendars.to_str().unwrap();
    let to_bucket = ["feed", "push", "--to", "nats://127.0.0.1:9", "--site", "a", "--kind", "ics"];
    for command in
        [&["check", "--feed", calendars][..], &[&to_bucket[..], &["--calendars", calendars]].concat()]
    {
        let (code, printed) = run(command);
        assert_eq!(code, Some(2), "{printed}");
        assert!(
            printed.contains("unset the variable, or name NAMEPLATE_CALENDARS in the place"),
            "{printed}"
        );
    }
    let wrong =
        command(&["check", "--feed", "NAMEPLATE_CALENDARS"]).env("NAMEPLATE_CALENDARS", "c4n4ry").output();
    let said = wrong.unwrap().stderr;
    assert!(text(&said).contains("NAMEPLATE_CALENDARS, the list of calendars: line 1: "), "{}", text(&said));
    let unset = nameplate(&["check", "--feed", "NAMEPLATE_CALENDARS"]);
    assert!(text(&unset.stderr).contains("it isn't set"), "{}", text(&unset.stderr));
}

#[test]
fn a_list_that_cannot_be_used_is_refused_with_every_wrong_line() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "amara-okonkwo https://calendar.example/c4n4ry.ics\nc4n4ry\nJune http://calendar.example/\n";
    let calendars = list(folder.path(), lines);
    let (code, printed) = check(&calendars, &[]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("line 2: ") && printed.contains("line 3: "), "{printed}");
    for (lines, says) in [
        (
            "amara-okonkwo c4n4ry@gmail.example\n",
            "line 1: the second word isn't an address. In Google Calendar, copy",
        ),
        ("\n", "calendars is empty: write a line such as jane-doe https://"),
    ] {
        let (code, printed) = check(&list(folder.path(), lines), &[]);
        assert!(code == Some(2) && printed.contains(says), "{says}: {printed}");
    }
    let calendars = list(folder.path(), lines);
    fs::set_permissions(&calendars, Permissions::from_mode(0o644)).unwrap();
    let (code, printed) = check(&calendars, &[]);
    assert!(code == Some(2) && printed.contains("chmod 600"), "{printed}");
}

/// What offices write into the first line, too, which used to make the file one of slots.
#[test]
fn a_list_with_a_mistake_in_its_first_line_is_a_list_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let address = "https://calendar.example/c4n4ry.ics";
    for line in [
        format!("Amara Okonkwo {address}"),
        format!("amara-okonkwo, {address}"),
        format!("amara-okonkwo = {address}"),
        format!("{address} amara-okonkwo"),
        format!("amara-okonkwo\n{address}"),
        "amara-okonkwo calendar.example/c4n4ry.ics".to_owned(),
    ] {
        let (code, printed) = check(&list(folder.path(), &line), &[]);
        assert!(code == Some(2) && printed.contains("line 1: "), "{line}: {printed}");
        assert!(!printed.contains("c4n4ry"), "{printed}");
    }
    let (code, printed) = check(&folder.path().join("none"), &[]);
    assert!(code == Some(2) && printed.contains("it doesn't exist"), "{printed}");
}

#[test]
fn one_address_of_two_clinicians_is_reported() {
    let (folder, address) = (tempfile::tempdir().unwrap(), publisher(ALWAYS));
    let lines = format!("amara-okonkwo {address}/a.ics\njun-nakashima {address}/a.ics\n");
    let (code, printed) = check(&list(folder.path(), &lines), &[]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("it has the same address as jun-nakashima, calendar 1"), "{printed}");
    assert!(printed.contains("it has the same address as amara-okonkwo, calendar 1"), "{printed}");
}

#[test]
fn an_address_in_the_settings_is_refused_and_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("nameplate.toml");
    fs::write(&settings, "[feed]\ncalendars = \"https://calendar.example/c4n4ry\"\n").unwrap();
    let output = nameplate(&["serve", "--config", settings.to_str().unwrap()]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("write the address into a file, one line for each calendar"), "{said}");
}

#[test]
fn unread_settings_next_to_the_service_are_reported_and_their_feed_prevents_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("nameplate.toml");
    fs::write(&settings, "[feed]\ncalendars = \"x\"\n").unwrap();
    let content = content();
    let run = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.args(["--content", content.to_str().unwrap()]).current_dir(folder.path());
        command
    };
    for (arguments, why) in
        [(&["serve"][..], "has a [feed] and isn't read"), (&["dev", "--feed"], "--feed needs a [feed]")]
    {
        let refused = run(arguments).output().unwrap();
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(why), "{said}");
        assert!(said.contains("--config nameplate.toml"), "{said}");
    }
    fs::write(&settings, "reload = false\n").unwrap();
    let serve = run(&["serve"]);
    let server = Server::start_as(serve, "127.0.0.1:0");
    within(TIMEOUT, "the file is reported", || {
        server.logged().concat().contains("nameplate.toml in this folder isn't read: start with --config")
    });
}

#[test]
fn a_service_offers_nothing_that_a_calendar_has_taken() {
    let (folder, address) = (tempfile::tempdir().unwrap(), publisher(ALWAYS));
    // One that was never read says nothing of others.
    let lines = format!("amara-okonkwo {address}/a.ics\njun-nakashima {address}/gone\n");
    let calendars = list(folder.path(), &lines);
    let settings = folder.path().join("nameplate.toml");
    let table =
        format!("content = {:?}\n[feed]\ncalendars = {calendars:?}\nunlisted = \"open\"\n", content());
    fs::write(&settings, table).unwrap();
    let arguments = ["serve", "--config", settings.to_str().unwrap(), "--admin", "127.0.0.1:0"];
    let server = Server::start(&arguments);
    let starts = || {
        let reply = server.get("/v1/availability?state=CA&horizonDays=30");
        assert_eq!(reply.status, 200, "{}", text(&reply.body));
        text(&reply.body).matches("startTime").count()
    };
    within(TIMEOUT, "others are offered", || starts() > 0);
    let one = server.get("/v1/availability?state=CA&horizonDays=30&provider=amara-okonkwo");
    assert!(one.status == 200 && !text(&one.body).contains("startTime"), "{}", text(&one.body));
    // A list never looks whole without a clinician whose calendar can't be read.
    let washington = server.get("/v1/availability?state=WA&explain=true&onePer=provider").body;
    let washington: serde_json::Value = serde_json::from_slice(&washington).unwrap();
    assert_eq!(washington["unknown"], serde_json::json!(["jun-nakashima"]), "{washington}");
    let arizona = server.get("/v1/availability?state=AZ&explain=true").body;
    assert!(!text(&arizona).contains("\"unknown\""), "{}", text(&arizona));
    let readyz = server.operators().get("/readyz");
    let told = text(&readyz.body);
    assert!(told.contains("amara-okonkwo, calendar 1, at 127.0.0.1"), "{told}");
    assert!(!told.contains("c4n4ry") && !server.logged().concat().contains("c4n4ry"), "{told}");
}

#[test]
fn dev_asks_calendars_only_on_request() {
    let (folder, address) = (tempfile::tempdir().unwrap(), publisher(ALWAYS));
    let calendars = list(folder.path(), &format!("amara-okonkwo {address}/a.ics\n"));
    let settings = folder.path().join("nameplate.toml");
    fs::write(&settings, format!("content = {:?}\n[feed]\ncalendars = {calendars:?}\n", content())).unwrap();
    let out = folder.path().join("dist");
    let dev = ["dev", "--config", settings.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let hers = "/v1/availability?state=CA&horizonDays=30&provider=amara-okonkwo";
    let has_times = |server: &Server| text(&server.get(hers).body).contains("startTime");
    let server = Server::start(&dev);
    assert!(has_times(&server));
    assert!(server.logged().concat().contains("add --feed to read them"));
    drop(server);
    let server = Server::start(&[&dev[..], &["--feed"]].concat());
    within(TIMEOUT, "its calendar is asked", || {
        let reply = server.get(hers);
        reply.status == 200 && !text(&reply.body).contains("startTime")
    });
    let logged = server.logged().concat();
    assert!(!logged.contains("add --feed") && logged.contains("Read 1 calendar. "), "{logged}");
}
