//! Releases that cannot be served, and stores that are down.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::{Clinic, TIMEOUT, has_name, metrics, ready};
use crate::harness::{Server, command, nameplate, text, within};

/// The first release's file with changes, as another number.
fn changed(clinic: &Clinic, number: u64, changes: &Value) -> String {
    let mut release: Value = serde_json::from_slice(&fs::read(clinic.release(1)).unwrap()).unwrap();
    release["number"] = number.into();
    for (name, value) in changes.as_object().unwrap() {
        release[name] = value.clone();
    }
    release.to_string()
}

fn put_bundle(clinic: &Clinic, bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let digest = <sha2::Sha256 as sha2::Digest>::digest(bytes);
    let name = digest.iter().fold(String::new(), |mut name, byte| {
        write!(name, "{byte:02x}").unwrap();
        name
    });
    fs::write(clinic.store().join(format!("bundles/{name}.tar.gz")), bytes).unwrap();
    name
}

#[test]
fn a_bad_release_leaves_the_last_good_one_and_a_good_one_follows_it() {
    let clinic = Clinic::new();
    clinic.published(1);
    let first: Value = serde_json::from_slice(&fs::read(clinic.release(1)).unwrap()).unwrap();
    let server = clinic.serve();
    let why = || ready(&server)["content"]["lastError"]["what"].as_str().unwrap_or_default().to_owned();

    let bomb = {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&vec![0; 32 << 20]).unwrap();
        gzip.finish().unwrap()
    };
    let bomb_name = put_bundle(&clinic, &bomb);
    let good = fs::read(clinic.store().join(format!("bundles/{}.tar.gz", first["sha256"].as_str().unwrap())))
        .unwrap();
    let half_name = "00".repeat(32);
    fs::write(clinic.store().join(format!("bundles/{half_name}.tar.gz")), &good[..good.len() / 2]).unwrap();
    let cases = [
        ("<html>".to_owned(), "isn't a nameplate release"),
        (changed(&clinic, 11, &json!({})), "the number of another release"),
        (changed(&clinic, 4, &json!({"sha256": "ab".repeat(32)})), "which isn't in the store"),
        (changed(&clinic, 5, &json!({"sha256": half_name})), "isn't the bundle that was published"),
        (
            changed(&clinic, 6, &json!({"generation": "0123456789abcdef"})),
            "says that its generation is 0123456789abcdef",
        ),
        (
            changed(&clinic, 7, &json!({"sha256": bomb_name, "bytes": bomb.len(), "unpacked": 10_240})),
            "expands to more than the 10240 bytes",
        ),
        (changed(&clinic, 8, &json!({"unpacked": 1_u64 << 50})), "more than content-max-bytes allows"),
        (
            " ".repeat((64 << 10) + 1),
            "00000000000000000009.json isn't a nameplate release: it is larger than 65536 bytes",
        ),
    ];
    for (number, (release, expected)) in (2..).zip(cases) {
        fs::write(clinic.release(number), release).unwrap();
        within(TIMEOUT, expected, || why().contains(expected));
        assert!(has_name(&server, "Jun") && ready(&server)["store"]["release"] == 1, "{expected}");
        assert!(ready(&server)["store"]["lastError"].is_null(), "{expected}: the store answers");
    }
    assert!(metrics(&server).contains("nameplate_content_refused 1\n"));

    // Publishing the same content again puts a good release after the bad ones. An older number changes nothing.
    fs::remove_file(clinic.release(9)).unwrap();
    clinic.published(9);
    within(TIMEOUT, "no error", || why().is_empty());
    clinic.rename("Juno");
    clinic.published(10);
    within(TIMEOUT, "the good release", || has_name(&server, "Juno"));
    // Of several releases at once the newest good one is served, and a bad one that is removed leaves no error.
    for (number, release) in
        [(11, "<html>".to_owned()), (13, "<html>".to_owned()), (12, changed(&clinic, 12, &json!({})))]
    {
        fs::write(clinic.release(number), release).unwrap();
    }
    within(TIMEOUT, "the good release between bad ones", || ready(&server)["store"]["release"] == 12);
    within(TIMEOUT, "the newest is bad", || why().contains("00000000000000000013.json"));
    fs::remove_file(clinic.release(13)).unwrap();
    within(TIMEOUT, "no error", || why().is_empty());
    clinic.rename("Juno");
    clinic.published(13);
    fs::write(clinic.release(0), changed(&clinic, 0, &json!({}))).unwrap();
    drop(server);
    assert!(has_name(&clinic.serve(), "Juno"));
}

#[test]
fn a_publisher_names_a_file_that_isnt_a_release() {
    let clinic = Clinic::new();
    clinic.published(1);
    fs::write(clinic.release(2), " ".repeat((64 << 10) + 1)).unwrap();
    let address = clinic.address();
    let keep = || nameplate(&["publish", &address, "--keep", "3"]);
    for refused in [clinic.publish(&[]), keep()] {
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(
            said.contains("00000000000000000002.json") && said.contains("larger than 65536 bytes"),
            "{said}"
        );
        assert!(said.contains("remove "), "{said}");
    }
    // Its advice is right.
    fs::remove_file(clinic.release(2)).unwrap();
    assert_eq!(keep().status.code(), Some(0));
    clinic.rename("Juno");
    clinic.published(2);
}

#[test]
fn a_bundle_that_comes_late_is_served() {
    let clinic = Clinic::new();
    clinic.published(1);
    drop(clinic.serve());
    clinic.rename("Juno");
    let (bundles, away) = (clinic.store().join("bundles"), clinic.store().join("away"));
    clinic.published(2);
    fs::rename(&bundles, &away).unwrap();
    // The cache has the first release.
    let server = clinic.serve();
    assert!(has_name(&server, "Jun"));
    within(TIMEOUT, "the reason", || {
        ready(&server)["content"]["lastError"]["what"]
            .as_str()
            .unwrap_or_default()
            .contains("isn't in the store")
    });
    fs::rename(&away, &bundles).unwrap();
    within(TIMEOUT, "the second release", || has_name(&server, "Juno"));
    within(TIMEOUT, "no error", || ready(&server)["content"]["lastError"].is_null());
}

#[test]
fn a_bundle_that_was_cut_short_is_put_again_by_the_publisher() {
    let clinic = Clinic::new();
    clinic.published(1);
    let bundle = fs::read_dir(clinic.store().join("bundles")).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&bundle).unwrap();
    fs::write(&bundle, &whole[..100]).unwrap();
    assert_eq!(clinic.publish(&[]).status.code(), Some(0));
    assert!(fs::read(&bundle).unwrap() == whole, "of a release that is there");
    fs::remove_file(clinic.release(1)).unwrap();
    fs::write(&bundle, &whole[..100]).unwrap();
    clinic.published(1);
    assert!(fs::read(&bundle).unwrap() == whole, "of a new release");
}

#[test]
fn a_store_that_is_down_at_the_start_leaves_the_cache_and_comes_back() {
    let clinic = Clinic::new();
    clinic.published(1);
    drop(clinic.serve());
    clinic.rename("Juno");
    clinic.published(2);
    let away = clinic.folder.path().join("away");
    fs::rename(clinic.store(), &away).unwrap();

    let server = clinic.serve();
    assert!(has_name(&server, "Jun"));
    let state = ready(&server);
    assert_eq!((&state["status"], &state["content"]["source"]), (&"ready".into(), &"cache".into()));
    assert_eq!((&state["store"]["release"], &state["content"]["isLastGood"]), (&1.into(), &true.into()));
    assert!(!state["content"]["lastError"].is_null());
    assert!(metrics(&server).contains("nameplate_content_from_cache 1\n"));
    fs::rename(&away, clinic.store()).unwrap();
    within(TIMEOUT, "the second release", || has_name(&server, "Juno"));
    within(TIMEOUT, "the store", || ready(&server)["content"]["source"] == "store");
    assert_eq!(ready(&server)["content"]["isLastGood"], false);
    within(TIMEOUT, "the copy", || clinic.cache().join(format!("{:020}.json", 2)).exists());
    drop(server);

    // The cache has the newest release of the store, too.
    fs::rename(clinic.store(), &away).unwrap();
    let server = clinic.serve();
    assert!(has_name(&server, "Juno") && ready(&server)["content"]["source"] == "cache");
    fs::rename(&away, clinic.store()).unwrap();
    within(TIMEOUT, "the store", || ready(&server)["content"]["source"] == "store");
    assert!(ready(&server)["content"]["lastError"].is_null());
    drop(server);

    // A recreated store or a lagging mirror does not lead back.
    fs::remove_file(clinic.release(2)).unwrap();
    let server = clinic.serve();
    assert!(has_name(&server, "Juno"));
    let what = ready(&server)["store"]["lastError"]["what"].as_str().unwrap().to_owned();
    assert!(what.contains("the mirror lags") && what.contains("empty"), "{what}");
    drop(server);

    // A bundle in the cache that was changed is not served.
    for entry in fs::read_dir(clinic.cache()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "gz") {
            fs::write(path, "changed").unwrap();
        }
    }
    let server = clinic.serve_when_ready(
        || fs::rename(clinic.store(), &away).unwrap(),
        || {
            fs::rename(&away, clinic.store()).unwrap();
            fs::remove_dir_all(clinic.cache()).unwrap();
            fs::create_dir(clinic.cache()).unwrap();
        },
    );
    assert!(has_name(&server, "Jun"));
}

#[test]
fn without_a_cache_a_service_is_not_ready_and_asks_on() {
    let clinic = Clinic::new();
    let server = clinic.serve_when_ready(|| {}, || _ = clinic.published(1));
    assert!(has_name(&server, "Jun"));
    assert_eq!(ready(&server)["content"]["source"], "store");
    let listed = nameplate(&["publish", "--list", &clinic.address()]);
    assert_eq!(text(&listed.stdout).lines().count(), 2);
}

impl Clinic {
    /// Starts a service that has nothing to serve, looks that it is not ready, lets `mend` give it something, and waits.
    fn serve_when_ready(&self, before: impl FnOnce(), mend: impl FnOnce()) -> Server {
        before();
        let arguments = self.arguments();
        let mut command = command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        command.args(["--listen", "127.0.0.1:0"]).stderr(Stdio::piped()).stdin(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines().map(Result::unwrap);
        let admin = named(&mut lines, "admin=");
        let operators = Server::elsewhere(admin);
        let state = || -> Value { serde_json::from_slice(&operators.get("/readyz").body).unwrap() };
        within(TIMEOUT, "the reason", || !state()["store"]["lastError"].is_null());
        assert_eq!((operators.get("/readyz").status, &state()["status"]), (503, &"loading".into()));
        mend();
        let address = named(&mut lines, "address=");
        std::thread::spawn(move || lines.for_each(drop));
        Server::running(process, address, admin)
    }
}

/// The address behind a name in the first line of the log that has it.
fn named(lines: &mut impl Iterator<Item = String>, name: &str) -> std::net::SocketAddr {
    let line = lines.find(|line| line.contains(name)).unwrap();
    line.split_once(name).unwrap().1.split_whitespace().next().unwrap().parse().unwrap()
}
