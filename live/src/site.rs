//! The files of a built site, for `--static DIR` and for `nameplate dev`, which changes pages on their way out.
//!
//! A request's path never becomes a path of the file system before every segment has been looked at:
//! 1. Percent-encoding is strict, and is undone once.
//! 2. A segment that is empty, hidden, `.` or `..`, or that holds a slash, a backslash, a colon or a control
//!    character, leads nowhere. `.well-known` is the one hidden name that is meant.
//! 3. Names at the top that begin with `_` are a host's rules, not pages: they say where the live service is.
//! 4. What is found must, with every link resolved, still lie in the folder, and be a plain file.
//!
//! `x` means `x`, else `x.html`, else `x/index.html`, as on the static hosts.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;
use directory::api::{Caching, PORTRAIT_POLICY, is_of_the_host, page_policy};
use etag::EntityTag;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use warp::http::header::{self, HeaderValue};
use warp::http::{Method, StatusCode};

use crate::dev::Dev;
use crate::reply::{self, Response};
use crate::store::Store;

/// Where the pages of clinicians are.
const PROFILES: &str = "/providers/";
const NOT_FOUND: &str = "/404.html";
const HTML: &str = "text/html; charset=utf-8";

/// The types of what a site consists of.
const TYPES: [(&str, &str); 18] = [
    ("css", "text/css; charset=utf-8"),
    ("gif", "image/gif"),
    ("html", HTML),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("ndjson", "application/x-ndjson"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("webmanifest", "application/manifest+json"),
    ("webp", "image/webp"),
    ("woff2", "font/woff2"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
];

/// What the tree says of itself, and which content it is of.
const MANIFEST: &str = "v1/manifest.json";

/// A folder of files.
#[derive(Debug)]
pub(crate) struct Site {
    folder: PathBuf,
    store: Arc<Store>,
    dev: Option<Dev>,
    tree: Arc<Mutex<Tree>>,
}

/// What was last read of the tree's manifest.
#[derive(Debug, Default)]
struct Tree {
    written: Stamp,
    generation: Option<HeaderValue>,
}

/// When the manifest of the tree was modified, which is a function of its bytes; `None` without a manifest.
pub(crate) type Stamp = Option<SystemTime>;

/// The part of a manifest that is read here.
#[derive(Deserialize)]
struct Manifest {
    generation: String,
}

/// A file, read.
struct Found {
    bytes: Bytes,
    media_type: &'static str,
    /// Which content it was made of, which may be older than what the API answers from.
    generation: Option<HeaderValue>,
    stamp: Stamp,
}

impl Site {
    pub(crate) fn new(folder: PathBuf, store: Arc<Store>, dev: Option<Dev>) -> Self {
        Self { folder, store, dev, tree: Arc::default() }
    }

    /// Where the page of a former slug is now.
    pub(crate) fn moved(&self, path: &str) -> Option<Response> {
        let slug = path.strip_suffix('/').unwrap_or(path).strip_prefix(PROFILES)?;
        let snapshot = self.store.current();
        let provider = snapshot.directory().by_former_slug(slug)?;
        Some(reply::moved(&format!("{PROFILES}{}", provider.slug())))
    }

    /// The file behind a still encoded path. `None`: there is none.
    pub(crate) async fn answer(&self, method: &Method, path: &str) -> Option<Response> {
        if let Some(dev) = &self.dev
            && let Some(response) = dev.answer(method, path, self.stamp().await)
        {
            return Some(response);
        }
        let found = self.find(path).await?;
        if found.media_type == HTML
            && let Some(errors) = self.errors(found.stamp)
        {
            return Some(errors);
        }
        Some(reply::for_other_methods(method).unwrap_or_else(|| self.reply(found)))
    }

    /// The page that says that there is nothing, if the site has one.
    pub(crate) async fn not_found(&self) -> Option<Response> {
        let found = self.find(NOT_FOUND).await;
        // Before the first build there is no page at all, and the mistakes are what keeps it from being made.
        if let Some(errors) = self.errors(found.as_ref().and_then(|found| found.stamp)) {
            return Some(errors);
        }
        let mut response = self.reply(found?);
        *response.status_mut() = StatusCode::NOT_FOUND;
        response.headers_mut().remove(header::ETAG);
        // What is missing now may be there after the next build.
        response.headers_mut().insert(header::CACHE_CONTROL, reply::BRIEFLY);
        Some(response)
    }

    /// The page of mistakes that `dev` shows in place of every other, while there are any.
    fn errors(&self, stamp: Stamp) -> Option<Response> {
        self.dev.as_ref().and_then(|dev| dev.errors(stamp))
    }

    fn reply(&self, mut found: Found) -> Response {
        let mut kept = Caching::Catalogue.cache_control();
        if let Some(dev) = &self.dev {
            // What is edited is looked at right after.
            kept = "no-cache";
            if found.media_type == HTML {
                found.bytes = dev.page(&found.bytes, found.stamp);
            }
        }
        let tag = EntityTag::from_data(&found.bytes).to_string();
        let mut response = Response::new(found.bytes.into());
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(found.media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
        reply::insert(headers, header::ETAG, tag);
        if let Some(generation) = found.generation {
            headers.insert(reply::GENERATION, generation);
        }
        if found.media_type == HTML {
            let policy = page_policy(self.store.current().directory());
            reply::insert(headers, header::CONTENT_SECURITY_POLICY, policy);
            headers
                .insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
        } else if found.media_type == "image/svg+xml" {
            let policy = HeaderValue::from_static(PORTRAIT_POLICY);
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        response
    }

    async fn find(&self, path: &str) -> Option<Found> {
        let candidates = candidates(path)?;
        let folder = self.folder.clone();
        let tree = Arc::clone(&self.tree);
        let reading = tokio::task::spawn_blocking(move || {
            let (stamp, generation) = tree.lock().unwrap_or_else(PoisonError::into_inner).look(&folder);
            candidates.iter().find_map(|candidate| match read(&folder, candidate) {
                Ok(bytes) => {
                    let media_type = media_type(candidate, &bytes);
                    Some(Found { bytes: bytes.into(), media_type, generation: generation.clone(), stamp })
                }
                Err(error) => {
                    if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
                        tracing::warn!(%error, file = %candidate.display(), "a file could not be served");
                    }
                    None
                }
            })
        });
        reading.await.ok().flatten()
    }

    /// Which tree lies in the folder now.
    async fn stamp(&self) -> Stamp {
        let (folder, tree) = (self.folder.clone(), Arc::clone(&self.tree));
        let looking = move || tree.lock().unwrap_or_else(PoisonError::into_inner).look(&folder).0;
        tokio::task::spawn_blocking(looking).await.ok().flatten()
    }
}

impl Tree {
    /// The stamp and the generation of the tree in this folder, read anew when the tree is another one. A folder without
    /// a manifest is of no content in particular.
    fn look(&mut self, folder: &Path) -> (Stamp, Option<HeaderValue>) {
        let file = folder.join(MANIFEST);
        #[expect(clippy::disallowed_methods, reason = "serving a site's files is this module's purpose")]
        let written = std::fs::metadata(&file).and_then(|metadata| metadata.modified()).ok();
        if written != self.written {
            let manifest = read(folder, Path::new(MANIFEST)).ok();
            let manifest = manifest.and_then(|text| serde_json::from_slice::<Manifest>(&text).ok());
            self.generation = manifest.and_then(|manifest| HeaderValue::try_from(manifest.generation).ok());
            self.written = written;
        }
        (self.written, self.generation.clone())
    }
}

/// The files that a path can mean, relative to the folder, the likeliest first.
fn candidates(path: &str) -> Option<Vec<PathBuf>> {
    let path = path.strip_prefix('/')?;
    let (path, is_folder) = match path.strip_suffix('/') {
        Some("") => return None,
        Some(stem) => (stem, true),
        None => (path, path.is_empty()),
    };
    let mut file = PathBuf::new();
    if !path.is_empty() {
        for (depth, segment) in path.split('/').enumerate() {
            let name = plain(segment)?;
            if depth == 0 && is_of_the_host(&name) {
                return None;
            }
            file.push(name.as_ref());
        }
    }
    let index = file.join("index.html");
    let mut page = file.clone().into_os_string();
    page.push(".html");
    // A slash at the end is ignored, but it cannot name a file.
    if is_folder {
        return Some(vec![index, page.into()]);
    }
    Some(vec![file, page.into(), index])
}

/// A segment that can be nothing but a name.
fn plain(segment: &str) -> Option<Cow<'_, str>> {
    let name = percent_decode_str(segment).decode_utf8().ok()?;
    let forbidden = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    // A percent sign that remains was either badly encoded or encoded twice; no published name has one.
    let is_plain = !name.is_empty()
        && (!name.starts_with('.') || name == ".well-known")
        && !name.contains('%')
        && !name.contains(forbidden);
    is_plain.then_some(name)
}

#[expect(clippy::disallowed_methods, reason = "serving a site's files is this module's purpose")]
fn read(folder: &Path, file: &Path) -> io::Result<Vec<u8>> {
    let folder = std::fs::canonicalize(folder)?;
    let file = std::fs::canonicalize(folder.join(file))?;
    if !file.starts_with(&folder) || !std::fs::metadata(&file)?.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    std::fs::read(file)
}

fn media_type(file: &Path, bytes: &[u8]) -> &'static str {
    let Some(extension) = file.extension().and_then(|extension| extension.to_str()) else {
        // Names without an extension that a site publishes are documents for programs.
        return if bytes.starts_with(b"{") { "application/json" } else { "application/octet-stream" };
    };
    let known = TYPES.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    known.map_or("application/octet-stream", |(_, media_type)| media_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(path: &str) -> Option<String> {
        candidates(path).map(|candidates| candidates[0].to_str().unwrap().to_owned())
    }

    #[test]
    fn paths_lead_to_files() {
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
    fn no_path_leads_out() {
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
    fn the_rules_of_no_host_are_pages() {
        // Each file that a tree for Netlify, Cloudflare Pages or nginx has beside the site.
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
    fn only_plain_files_inside_the_folder_are_read() {
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
        let read = |file: &str| read(folder.path(), Path::new(file)).ok();
        assert_eq!(read("page.html").as_deref(), Some(&b"yes"[..]));
        assert_eq!(read("same.html").as_deref(), Some(&b"yes"[..]));
        for file in ["leak", "leaks/secret", "sub", "absent", "page.html/x"] {
            assert_eq!(read(file), None, "{file}");
        }
    }

    #[test]
    fn types_follow_from_names() {
        assert_eq!(media_type(Path::new("a.HTML"), b""), "text/html; charset=utf-8");
        assert_eq!(media_type(Path::new("api/mcp/server-card"), b"{}"), "application/json");
        assert_eq!(media_type(Path::new("x.exe"), b""), "application/octet-stream");
    }
}
