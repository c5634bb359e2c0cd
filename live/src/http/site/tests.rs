use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;
use crate::testing::{Server, with_site};

fn first(path: &str) -> Option<String> {
    candidates(path).map(|candidates| candidates[0].to_str().unwrap().to_owned())
}

#[test]
fn a_path_means_a_file_a_page_or_an_index() {
    assert_eq!(first("/").as_deref(), Some("index.html"));
    assert_eq!(first("/docs/").as_deref(), Some("docs/index.html"));
    assert_eq!(first("/v1/states.json").as_deref(), Some("v1/states.json"));
    assert_eq!(first("/.well-known/ai-catalog.json").as_deref(), Some(".well-known/ai-catalog.json"));
    assert_eq!(first("/a%20b").as_deref(), Some("a b"));
    let all = candidates("/providers/jane-doe").unwrap();
    let all: Vec<_> = all.iter().map(|file| file.to_str().unwrap()).collect();
    assert_eq!(all, ["providers/jane-doe", "providers/jane-doe.html", "providers/jane-doe/index.html"]);
}

#[test]
fn a_path_cannot_leave_the_folder_or_name_a_hidden_file() {
    for path in [
        "",
        "x",
        "//",
        "//etc/passwd",
        "/../x",
        "/a/../x",
        "/%2e%2e/x",
        "/%2E./x",
        "/a/%2e",
        "/./x",
        "/a%2fb",
        "/a%5Cb",
        "/a\\b",
        "/C:/x",
        "/%00",
        "/a%00.html",
        "/%ff",
        "/%zz",
        "/%252e%252e/x",
        "/.git/config",
        "/.env",
        "/a/.hidden",
        "/a//b",
        "/a%0d%0ab",
    ] {
        assert_eq!(first(path), None, "{path}");
    }
}

#[test]
fn host_rules_are_not_served() {
    // All rule files of Netlify, Cloudflare Pages and nginx.
    for file in
        ["_redirects", "_headers", "_worker.js", "_routes.json", "_nginx/http.conf", "_nginx/server.conf"]
    {
        let encoded = file.replacen('_', "%5f", 1);
        let without_extension = file.split('.').next().unwrap();
        for path in [file, &encoded, &encoded.to_uppercase(), &format!("{file}/"), without_extension] {
            assert_eq!(first(&format!("/{path}")), None, "{path}");
        }
    }
    assert_eq!(first("/_nginx"), None);
    assert_eq!(first("/assets/_a.css").as_deref(), Some("assets/_a.css"));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test needs files")]
fn only_regular_files_inside_the_folder_are_read() {
    let outside = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "no").unwrap();
    std::fs::write(folder.path().join("page.html"), "yes").unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let link =
        |target: &Path, name: &str| std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
    link(&outside.path().join("secret"), "leak");
    link(outside.path(), "leaks");
    link(&folder.path().join("page.html"), "same.html");
    let read = |file: &str| read(folder.path(), Path::new(file), &Budget::new(1)).ok();
    assert_eq!(read("page.html").as_deref(), Some(&b"yes"[..]));
    assert_eq!(read("same.html").as_deref(), Some(&b"yes"[..]));
    for file in ["leak", "leaks/secret", "sub", "absent", "page.html/x"] {
        assert_eq!(read(file), None, "{file}");
    }
}

#[test]
fn media_types_follow_extensions() {
    assert_eq!(media_type(Path::new("a.HTML"), b""), "text/html; charset=utf-8");
    assert_eq!(media_type(Path::new("api/mcp/server-card"), b"{}"), "application/json");
    assert_eq!(media_type(Path::new("x.exe"), b""), "application/octet-stream");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test needs files")]
fn a_large_file_is_read_only_if_its_memory_is_free_and_holds_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, length) in [("small", LARGE), ("large", LARGE + 1)] {
        std::fs::write(folder.path().join(name), vec![b'x'; length]).unwrap();
    }
    let budget = Budget::new(4 * LARGE);
    let read = |file: &str| read(folder.path(), Path::new(file), &budget);
    let first = read("large").unwrap();
    assert_eq!(first.len(), LARGE + 1);
    assert_eq!(read("large").unwrap_err().kind(), io::ErrorKind::ResourceBusy);
    assert_eq!(read("small").unwrap().len(), LARGE);
    drop(first);
    assert!(read("large").is_ok());
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test needs files")]
async fn a_large_file_is_sent_as_it_is_and_refused_while_others_hold_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let large = "x".repeat(24 << 20);
    std::fs::write(folder.path().join("large.txt"), &large).unwrap();
    std::fs::write(folder.path().join("small.txt"), &large[..100_000]).unwrap();
    let mut options = with_site(folder.path());
    options.limits.held_bytes = 64 << 20;
    let server = Server::start(options).await;
    let get = async |target: &str| server.request("GET", target, &["accept-encoding: gzip"], "").await;
    let sent = get("/large.txt").await;
    assert_eq!((sent.status, sent.header("content-encoding"), sent.text()), (200, None, large.as_str()));

    let mut unread = TcpStream::connect(server.address).await.unwrap();
    unread.write_all(b"GET /large.txt HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    unread.read_exact(&mut [0; 12]).await.unwrap();
    let refused = get("/large.txt").await;
    assert_eq!((refused.status, &refused.json()["code"]), (503, &"OVERLOADED".into()));
    let small = get("/small.txt").await;
    assert_eq!((small.status, small.header("content-encoding")), (200, Some("gzip")));
}
