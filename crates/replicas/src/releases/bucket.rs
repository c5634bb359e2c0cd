//! The object store: its address, and the few requests that releases need.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use directory::visible;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{BackoffConfig, Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, RetryConfig};
use reqwest::Url;
use tokio::runtime::Handle;

use super::release::Release;

/// The longest message of a store that is shown.
const SHOWN: usize = 600;

#[derive(Debug, Clone, Copy)]
pub enum Patience {
    /// For a person or a job that waits for the result.
    Command,
    /// For a service, which asks again soon.
    Service,
}

impl Patience {
    fn retries(self) -> RetryConfig {
        let (max_retries, seconds) = match self {
            Self::Command => (5, 60),
            Self::Service => (1, 10),
        };
        RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries,
            retry_timeout: Duration::from_secs(seconds),
        }
    }

    /// The longest time for a request with a small answer.
    fn limit(self) -> Duration {
        match self {
            Self::Command => Duration::from_mins(2),
            Self::Service => Duration::from_secs(10),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    None,
    Bytes(Bytes),
    TooLarge,
}

/// A place in an object store, as an address like `s3://bucket/prefix` names it.
#[derive(Debug, Clone)]
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    /// Its folder, if the store is one.
    pub folder: Option<PathBuf>,
    pub address: String,
    patience: Patience,
    threads: Handle,
}

impl Bucket {
    /// Reads an address. Credentials come from the environment, and nothing is requested yet.
    pub fn open(address: &str, patience: Patience, threads: Handle) -> Result<Self, String> {
        // A query or a user may be a credential.
        let shown = address.split(['?', '#']).next().unwrap_or_default();
        let shown =
            if shown.starts_with("az://") { shown } else { shown.rsplit('@').next().unwrap_or_default() };
        let wrong = |why: &str| {
            format!(
                "\"{}\" isn't the address of an object store: {why}; write it like s3://bucket/prefix, gs://bucket/prefix, \
                 az://container/prefix, or file:///srv/releases",
                visible::line(shown)
            )
        };
        let url: Url = address.parse().map_err(|_| wrong("it isn't complete"))?;
        // In az://container@account the part before the @ isn't a user.
        if url.password().is_some() || (!url.username().is_empty() && url.scheme() != "az") {
            let why = "it has a user name or password: put credentials in the environment";
            return Err(format!("the address of the object store is refused: {why}"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it has a query or a fragment"));
        }
        let prefix = Path::from_url_path(url.path()).map_err(|error| wrong(&error.to_string()))?;
        feed::install_tls();
        let retries = patience.retries();
        let mut folder = None;
        let built: Result<Arc<dyn ObjectStore>, Error> = match (url.scheme(), url.host_str()) {
            ("file", None) => {
                let store = LocalFileSystem::new().with_fsync(true);
                folder = store.path_to_filesystem(&prefix).ok();
                Ok(Arc::new(store))
            }
            ("file", Some(_)) => return Err(wrong("a folder's address has three slashes")),
            ("s3", Some(_)) => {
                let builder = AmazonS3Builder::from_env().with_url(address).with_retry(retries);
                builder.build().map(|store| Arc::new(store) as _)
            }
            ("gs", Some(_)) => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(address).with_retry(retries);
                builder.build().map(|store| Arc::new(store) as _)
            }
            ("az", Some(_)) => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(address).with_retry(retries);
                builder.build().map(|store| Arc::new(store) as _)
            }
            ("s3" | "gs" | "az", None) => return Err(wrong("it names no bucket")),
            _ => return Err(wrong("this kind of store isn't supported")),
        };
        let store = built.map_err(|error| {
            let address = visible::line(address);
            format!("the object store {address} can't be used: {}", plain(&error))
        })?;
        let address = address.trim_end_matches('/').to_owned();
        Ok(Self { store, prefix, folder, address, patience, threads })
    }

    /// Reads an object of at most `largest` bytes. A large one may take minutes.
    pub fn get(&self, name: &str, largest: u64) -> Result<Object, String> {
        let limit = if largest > LARGEST_RELEASE { LARGE } else { self.patience.limit() };
        self.run(name, limit, async |path| {
            let found = match self.store.get(path).await {
                Err(Error::NotFound { .. }) => return Ok(Object::None),
                found => found?,
            };
            if found.meta.size > largest {
                return Ok(Object::TooLarge);
            }
            let mut bytes = Vec::with_capacity(usize::try_from(found.meta.size).unwrap_or_default());
            let mut parts = found.into_stream();
            while let Some(part) = parts.next().await {
                bytes.extend_from_slice(&part?);
                if bytes.len() as u64 > largest {
                    return Ok(Object::TooLarge);
                }
            }
            Ok(Object::Bytes(bytes.into()))
        })
    }

    /// Creates an object; `false` if there is one already.
    pub fn create(&self, name: &str, bytes: Bytes) -> Result<bool, String> {
        self.run(name, LARGE, async |path| create(&*self.store, path, bytes).await)
    }

    pub fn put(&self, name: &str, bytes: Bytes) -> Result<(), String> {
        self.run(name, LARGE, async |path| self.store.put(path, bytes.into()).await.map(drop))
    }

    pub fn delete(&self, name: &str) -> Result<(), String> {
        self.run(name, self.patience.limit(), async |path| match self.store.delete(path).await {
            Err(Error::NotFound { .. }) => Ok(()),
            done => done,
        })
    }

    /// The numbers of all releases, in order.
    pub fn numbers(&self) -> Result<Vec<u64>, String> {
        let found = self.names("releases")?;
        let mut numbers: Vec<u64> =
            found.into_iter().filter_map(|(name, _)| Release::number_in(&name)).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    pub fn names(&self, folder: &str) -> Result<Vec<(String, DateTime<Utc>)>, String> {
        self.run(folder, Duration::from_mins(1), async |path| {
            let found: Vec<ObjectMeta> = self.store.list(Some(path)).try_collect().await?;
            let named = |meta: ObjectMeta| Some((meta.location.filename()?.to_owned(), meta.last_modified));
            Ok(found.into_iter().filter_map(named).collect())
        })
    }

    /// Checks that the store refuses one of two creates of a name. Otherwise publishers could overwrite each other's release.
    pub fn probe(&self, name: &str) -> Result<(), String> {
        let created = self.run(name, self.patience.limit(), async |path| {
            let [one, other] = [Bytes::from_static(b"one"), Bytes::from_static(b"other")]
                .map(|bytes| create(&*self.store, path, bytes));
            tokio::try_join!(one, other)
        });
        // A publisher may have no right to remove objects: then this one stays.
        _ = self.delete(name);
        match created? {
            (true, true) => Err(format!(
                "{} ignores the condition that an object must not exist yet, so two publishers would overwrite each \
                 other's release: use a store that supports If-None-Match",
                self.address
            )),
            _ => Ok(()),
        }
    }

    fn run<T>(
        &self,
        name: &str,
        limit: Duration,
        request: impl AsyncFnOnce(&Path) -> Result<T, Error>,
    ) -> Result<T, String> {
        let path = Path::parse(format!("{}/{name}", self.prefix)).map_err(|error| error.to_string())?;
        let done = self.threads.block_on(async { tokio::time::timeout(limit, request(&path)).await });
        match done {
            Ok(done) => done.map_err(|error| plain(&error)),
            Err(_) => Err(format!("no answer within {} seconds", limit.as_secs())),
        }
        .map_err(|why| format!("{}/{name}: {why}", self.address))
    }
}

/// The largest file of a release, in bytes.
pub const LARGEST_RELEASE: u64 = 64 << 10;
/// The longest time for a request with a bundle.
const LARGE: Duration = Duration::from_mins(5);

async fn create(store: &dyn ObjectStore, path: &Path, bytes: Bytes) -> Result<bool, Error> {
    match store.put_opts(path, bytes.into(), PutMode::Create.into()).await {
        Ok(_) => Ok(true),
        Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Where a machine at Amazon asks for its role, if the environment has no credentials.
const ROLE: &str = "//169.254.169.254/";

/// An error of the store in one line, without what a query may carry: a shared access signature is a credential.
fn plain(error: &Error) -> String {
    let text = match error {
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            format!("the store refuses the credentials of the environment: {error}")
        }
        error if error.to_string().contains(ROLE) => {
            "no credentials are set, and this machine has no role: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY".to_owned()
        }
        error => error.to_string(),
    };
    let one_line = without_queries(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = one_line.chars().take(SHOWN).collect();
    visible::line(&shown).into_owned()
}

fn without_queries(text: &str) -> String {
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, ')' | '"' | '\'' | '>' | ',');
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, query)) = rest.split_once('?') {
        kept.push_str(before);
        let is_address = before.rsplit(ends).next().is_some_and(|word| word.contains("://"));
        if is_address {
            rest = &query[query.find(ends).unwrap_or(query.len())..];
        } else {
            kept.push('?');
            rest = query;
        }
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_never_shown() {
        let text = "Error performing GET https://a.blob.core.windows.net/b/c?sv=1&sig=SECRET in 1.2s (url \
                    (https://a/b?sig=SECRET)): why? no";
        assert_eq!(
            without_queries(text),
            "Error performing GET https://a.blob.core.windows.net/b/c in 1.2s (url (https://a/b)): why? no"
        );
    }

    #[test]
    fn missing_credentials_are_named() {
        let source = "Error performing PUT http://169.254.169.254/latest/api/token in 1.2s".into();
        let told = plain(&Error::Generic { store: "S3", source });
        assert!(told.starts_with("no credentials are set"), "{told}");
    }

    #[test]
    fn addresses_that_name_no_store_are_refused_with_what_is_wrong() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        for (address, why) in [
            ("s3:bucket", "names no bucket"),
            ("content", "it isn't complete; write it like"),
            ("ftp://bucket/a", "this kind of store isn't supported"),
            ("file://srv/releases", "three slashes"),
            ("s3://bucket/a?sig=SECRET", "a query or a fragment"),
            ("content?sig=SECRET", "it isn't complete; write it like"),
            ("s3://key:SECRET@[bucket", "it isn't complete; write it like"),
            ("s3://key:SECRET@bucket/a", "put credentials in the environment"),
            ("s3://SECRET@bucket/a", "put credentials in the environment"),
        ] {
            let refused = Bucket::open(address, Patience::Service, runtime.handle().clone()).unwrap_err();
            assert!(refused.contains(why) && !refused.contains("SECRET"), "{address}: {refused}");
        }
        let open = |address| Bucket::open(address, Patience::Service, runtime.handle().clone());
        for address in ["s3://bucket", "s3://bucket/a/b/", "file:///srv/releases"] {
            open(address).unwrap();
        }
    }

    #[test]
    fn a_name_is_created_once_and_releases_are_listed_in_order() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let address = format!("file://{}/not/there yet", folder.path().display());
        let bucket = Bucket::open(&address, Patience::Service, runtime.handle().clone()).unwrap();
        assert_eq!(bucket.numbers(), Ok(Vec::new()));
        assert_eq!(bucket.get("bundles/a", 10), Ok(Object::None));
        bucket.probe("probes/1").unwrap();
        assert_eq!(bucket.names("probes"), Ok(Vec::new()));
        for number in [3, 1, 12] {
            assert_eq!(bucket.create(&Release::file(number), Bytes::from_static(b"{}")), Ok(true));
        }
        assert_eq!(bucket.create(&Release::file(3), Bytes::from_static(b"[]")), Ok(false));
        assert_eq!(bucket.get(&Release::file(3), 2), Ok(Object::Bytes(Bytes::from_static(b"{}"))));
        assert_eq!(bucket.get(&Release::file(3), 1), Ok(Object::TooLarge));
        assert_eq!(bucket.create("releases/notes.txt", Bytes::new()), Ok(true));
        assert_eq!(bucket.numbers(), Ok(vec![1, 3, 12]));
        bucket.delete(&Release::file(1)).unwrap();
        bucket.delete(&Release::file(1)).unwrap();
        assert_eq!(bucket.numbers(), Ok(vec![3, 12]));
    }
}
