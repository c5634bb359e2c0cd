//! Serves the files of a built site, for `--static DIR` and for `nameplate dev`. Every segment of a path is checked first:
//! hidden names (but `.well-known`), separators and a second encoding are refused, and so are top-level names that begin
//! with `_`, which contain the live service's address. With all links resolved, the file must lie in the folder.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use directory::api::{Caching, Fault};
use directory::web::{
    HOME_LINKS, MARKDOWN, PAGE_HEADERS, PORTRAIT_POLICY, PORTRAIT_ROOT, PORTRAIT_SHARING,
    is_host_configuration, page_policy,
};
use etag::EntityTag;
use feed::blocking;
use percent_encoding::percent_decode_str;
use warp::http::header::{self, HeaderName, HeaderValue};
use warp::http::{Method, StatusCode};

use crate::budget::{self, Budget, Occupied, Reserved};
use crate::dev::Dev;
use crate::http::encoding::LARGE;
use crate::reply::{self, Response};
use crate::store::Store;
use crate::tree::{Stamp, TreeVersion, resolve};

const SHARING: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const PROFILES: &str = "/providers/";
const NOT_FOUND: &str = "/404.html";
const HTML: &str = "text/html; charset=utf-8";
/// What `dev` serves may change at any time.
const IN_DEV: &str = "no-cache";
const GONE: &[u8] = include_bytes!("gone.html");

const TYPES: [(&str, &str); 19] = [
    ("css", "text/css; charset=utf-8"),
    ("gif", "image/gif"),
    ("html", HTML),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("md", MARKDOWN),
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

#[derive(Debug)]
pub(crate) struct Site {
    folder: PathBuf,
    store: Arc<Store>,
    dev: Option<Dev>,
    budget: Budget,
    version: Arc<Mutex<TreeVersion>>,
}

struct SiteFile {
    bytes: Bytes,
    media_type: &'static str,
    /// Of the tree, which may be older than the API's.
    generation: Option<HeaderValue>,
    stamp: Stamp,
}

impl Site {
    pub(crate) fn new(folder: PathBuf, store: Arc<Store>, dev: Option<Dev>, budget: Budget) -> Self {
        Self { folder, store, dev, budget, version: Arc::default() }
    }

    pub(crate) fn moved(&self, path: &str) -> Option<Response> {
        let snapshot = self.store.current();
        let directory = snapshot.directory();
        let path = path.strip_suffix('/').unwrap_or(path);
        directory.texts().iter().map(|texts| texts.base.as_str()).find_map(|base| {
            let slug = path.strip_prefix(base)?.strip_prefix(PROFILES)?;
            let provider = directory.by_former_slug(slug)?;
            Some(reply::moved(&format!("{base}{PROFILES}{}", provider.slug)))
        })
    }

    pub(crate) async fn answer(&self, method: &Method, path: &str) -> Option<Response> {
        if let Some(dev) = &self.dev
            && let Some(response) = dev.answer(method, path, self.stamp().await)
        {
            return Some(response);
        }
        let file = match self.find(path).await? {
            Ok(file) => file,
            Err(fault) => return Some(reply::fault(&fault)),
        };
        if file.media_type == HTML
            && let Some(errors) = self.errors(file.stamp)
        {
            return Some(errors);
        }
        if let Some(refused) = reply::for_other_methods(method) {
            return Some(refused);
        }
        let mut response = self.reply(file);
        reply::insert_found(response.headers_mut(), path);
        if self.dev.is_some() {
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(IN_DEV));
        }
        if path == "/" {
            response.headers_mut().insert(header::LINK, HeaderValue::from_static(HOME_LINKS));
        }
        if path.starts_with(PORTRAIT_ROOT) {
            response.headers_mut().insert(SHARING, HeaderValue::from_static(PORTRAIT_SHARING));
        }
        Some(response)
    }

    /// The site's own page, if it has one, in the language of the path.
    pub(crate) async fn not_found(&self, path: &str) -> Option<Response> {
        let snapshot = self.store.current();
        let bases = snapshot.directory().texts().iter().map(|texts| texts.base.as_str());
        let base = bases
            .filter(|base| !base.is_empty())
            .find(|base| path.strip_prefix(base).is_some_and(|rest| rest.starts_with('/')));
        let mut file = match base {
            Some(base) => self.find(&format!("{base}{NOT_FOUND}")).await.and_then(Result::ok),
            None => None,
        };
        if file.is_none() {
            file = self.find(NOT_FOUND).await.and_then(Result::ok);
        }
        // Before the first build of `nameplate dev` no page exists, so the mistakes are shown here, too.
        if let Some(errors) = self.errors(file.as_ref().and_then(|file| file.stamp)) {
            return Some(errors);
        }
        let (file, status, caching) = match file {
            Some(file) => (file, StatusCode::NOT_FOUND, reply::BRIEFLY),
            None => (self.gone().await?, StatusCode::SERVICE_UNAVAILABLE, reply::NO_STORE),
        };
        let mut response = self.reply(file);
        *response.status_mut() = status;
        response.headers_mut().remove(header::ETAG);
        response.headers_mut().insert(header::CACHE_CONTROL, caching);
        Some(response)
    }

    /// The page while the folder is missing, such as between its removal and the next build.
    async fn gone(&self) -> Option<SiteFile> {
        let folder = self.folder.clone();
        #[expect(clippy::disallowed_methods, reason = "serving a site's files is this module's purpose")]
        if blocking(move || folder.is_dir()).await {
            return None;
        }
        Some(SiteFile { bytes: Bytes::from_static(GONE), media_type: HTML, generation: None, stamp: None })
    }

    fn errors(&self, stamp: Stamp) -> Option<Response> {
        self.dev.as_ref().and_then(|dev| dev.errors(stamp))
    }

    fn reply(&self, mut file: SiteFile) -> Response {
        let mut cache_control = Caching::Catalog.cache_control();
        if let Some(dev) = &self.dev {
            cache_control = IN_DEV;
            if file.media_type == HTML {
                file.bytes = dev.page(&file.bytes, file.stamp);
            }
        }
        let tag = EntityTag::from_data(&file.bytes).to_string();
        let is_large = file.bytes.len() > LARGE;
        let mut response = Response::new(file.bytes.into());
        if is_large {
            // It holds its memory already.
            response.extensions_mut().insert(Occupied(0));
        }
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
        reply::insert(headers, header::ETAG, tag);
        if let Some(generation) = file.generation {
            headers.insert(reply::GENERATION, generation);
        }
        if file.media_type == HTML {
            let policy = page_policy(self.store.current().directory());
            reply::insert(headers, header::CONTENT_SECURITY_POLICY, policy);
            for (name, value) in PAGE_HEADERS {
                headers.insert(name, HeaderValue::from_static(value));
            }
        } else if file.media_type == "image/svg+xml" {
            let policy = HeaderValue::from_static(PORTRAIT_POLICY);
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        response
    }

    async fn find(&self, path: &str) -> Option<Result<SiteFile, Fault>> {
        let candidates = candidates(path)?;
        let (folder, budget) = (self.folder.clone(), self.budget.clone());
        let version = Arc::clone(&self.version);
        blocking(move || {
            let (stamp, generation) = version.lock().unwrap_or_else(PoisonError::into_inner).read(&folder);
            candidates.iter().find_map(|candidate| match read(&folder, candidate, &budget) {
                Ok(bytes) => {
                    let media_type = media_type(candidate, &bytes);
                    Some(Ok(SiteFile { bytes, media_type, generation: generation.clone(), stamp }))
                }
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Some(Err(budget::exhausted())),
                Err(error) => {
                    if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
                        tracing::warn!(%error, file = %candidate.display(), "a file couldn't be served");
                    }
                    None
                }
            })
        })
        .await
    }

    async fn stamp(&self) -> Stamp {
        let (folder, version) = (self.folder.clone(), Arc::clone(&self.version));
        blocking(move || version.lock().unwrap_or_else(PoisonError::into_inner).read(&folder).0).await
    }
}

/// Relative to the folder, in the order of precedence, as on static hosts.
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
            let name = file_name(segment)?;
            if depth == 0 && is_host_configuration(&name) {
                return None;
            }
            file.push(name.as_ref());
        }
    }
    let index = file.join("index.html");
    let page = file.with_added_extension("html");
    // A path with a slash at its end is not a file's name.
    if is_folder {
        return Some(vec![index, page]);
    }
    Some(vec![file, page, index])
}

fn file_name(segment: &str) -> Option<Cow<'_, str>> {
    let name = percent_decode_str(segment).decode_utf8().ok()?;
    let forbidden = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    // A remaining percent sign was badly encoded or encoded twice; no published name has one.
    let is_valid = !name.is_empty()
        && (!name.starts_with('.') || name == ".well-known")
        && !name.contains('%')
        && !name.contains(forbidden);
    is_valid.then_some(name)
}

/// A large file reserves its memory before it is read: many clients may ask for it at once.
#[expect(clippy::disallowed_methods, reason = "serving a site's files is this module's purpose")]
fn read(folder: &Path, file: &Path, budget: &Budget) -> io::Result<Bytes> {
    let (file, length) = resolve(folder, file)?;
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if length <= LARGE {
        return std::fs::read(file).map(Bytes::from);
    }
    let mut reserved = Reserved::default();
    if !budget.grow(&mut reserved, length, false) {
        return Err(io::ErrorKind::ResourceBusy.into());
    }
    Ok(budget::holding(std::fs::read(file)?, reserved))
}

fn media_type(file: &Path, bytes: &[u8]) -> &'static str {
    let Some(extension) = file.extension().and_then(|extension| extension.to_str()) else {
        // Published files without an extension are documents for programs.
        return if bytes.starts_with(b"{") { "application/json" } else { "application/octet-stream" };
    };
    let known = TYPES.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    known.map_or("application/octet-stream", |(_, media_type)| media_type)
}

#[cfg(test)]
mod tests;
