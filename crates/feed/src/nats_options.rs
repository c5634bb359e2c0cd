//! The settings of a NATS bucket: its servers and the credentials for them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use directory::calendar::{is_site, not_a_site};
use reqwest::Url;
use serde::Deserialize;

use crate::options_error::OptionsError;

/// The bucket's name unless the settings give one.
pub const BUCKET: &str = "nameplate";
/// How the address of a server without TLS begins.
const PLAIN: &str = "nats://";
const MAX_BUCKET: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NatsOptions {
    /// The servers' addresses, without secrets.
    pub servers: Vec<String>,
    pub bucket: String,
    /// The only sites that are followed; empty: all.
    pub sites: BTreeSet<Arc<str>>,
    pub secret: Option<Secret>,
    /// The certificate authorities that are trusted instead of the system's.
    pub tls_ca: Option<PathBuf>,
    pub tls_client: Option<(PathBuf, PathBuf)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Secret {
    /// A credentials file, as `nsc` writes it.
    Creds(PathBuf),
    /// A file with the seed of a user's nkey.
    Nkey(PathBuf),
}

/// The settings as they are written, all optional.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct NatsTexts {
    /// Addresses with commas between them.
    #[serde(skip)]
    pub url: String,
    pub bucket: Option<String>,
    pub sites: Option<Vec<String>>,
    pub creds: Option<PathBuf>,
    pub nkey: Option<PathBuf>,
    pub tls_ca: Option<PathBuf>,
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    pub unlisted: Option<Unlisted>,
}

/// The names of these settings, which other feeds do not have.
pub const BUCKET_KEYS: [&str; 8] =
    ["bucket", "sites", "creds", "nkey", "tls-ca", "tls-cert", "tls-key", "unlisted"];

/// What is offered of a provider without a key in the bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unlisted {
    Withheld,
    /// All hours.
    Open,
}

impl NatsOptions {
    pub fn of(texts: NatsTexts) -> Result<Self, OptionsError> {
        refuse_secrets(&texts.url)?;
        let servers = texts.url.split(',').map(str::trim).filter(|server| !server.is_empty());
        let servers: Vec<_> = servers.map(server).collect::<Result<_, _>>()?;
        if servers.is_empty() {
            return Err(OptionsError::new("url", "write the servers' addresses: tls://n1,tls://n2"));
        }
        let bucket = texts.bucket.unwrap_or_else(|| BUCKET.to_owned());
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if bucket.is_empty() || bucket.len() > MAX_BUCKET || !bucket.bytes().all(is_name) {
            let what =
                format!("\"{bucket}\" is not a valid name of a bucket: write letters, digits, - and _");
            return Err(OptionsError::new("bucket", what));
        }
        let sites = texts.sites.unwrap_or_default();
        if let Some(wrong) = sites.iter().find(|site| !is_site(site)) {
            return Err(OptionsError::new("sites", not_a_site(wrong)));
        }
        let secret = match (texts.creds, texts.nkey) {
            (Some(_), Some(_)) => {
                return Err(OptionsError::new("nkey", "there are creds, too: name one of the two files"));
            }
            (creds, nkey) => creds.map(Secret::Creds).or(nkey.map(Secret::Nkey)),
        };
        let tls_client = match (texts.tls_cert, texts.tls_key) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (Some(_), None) => {
                return Err(OptionsError::new("tls-cert", "it needs its key: name the file with tls-key"));
            }
            (None, Some(_)) => {
                let what = "it needs its certificate: name the file with tls-cert";
                return Err(OptionsError::new("tls-key", what));
            }
            (None, None) => None,
        };
        let is_plain = |server: &String| server.starts_with(PLAIN);
        if let Some(plain) = servers.iter().find(|server| is_plain(server)) {
            if !servers.iter().all(is_plain) {
                let what =
                    format!("\"{plain}\" is not encrypted and others are: write tls:// before each host");
                return Err(OptionsError::new("url", what));
            }
            if texts.tls_ca.is_some() || tls_client.is_some() {
                let what =
                    format!("\"{plain}\" is not encrypted and there are files for TLS: write tls:// instead");
                return Err(OptionsError::new("url", what));
            }
        }
        Ok(Self {
            servers,
            bucket,
            sites: sites.into_iter().map(Arc::from).collect(),
            secret,
            tls_ca: texts.tls_ca,
            tls_client,
        })
    }

    /// Whether each connection must be encrypted, also to servers that the first one names. Their addresses have no
    /// scheme, so without this an attacker who changes an answer could switch TLS off.
    #[must_use]
    pub fn needs_tls(&self) -> bool {
        self.tls_ca.is_some()
            || self.tls_client.is_some()
            || self.servers.iter().any(|server| !server.starts_with(PLAIN))
    }

    /// The bucket's name in logs: its servers and the bucket.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.servers.join(","), self.bucket)
    }
}

/// Refuses addresses in which a secret may stand, before any message or log quotes one: a name or password before an @,
/// or a token in a query. They are not split yet, since a password may have a comma.
fn refuse_secrets(url: &str) -> Result<(), OptionsError> {
    let what = match url.chars().find(|letter| matches!(letter, '@' | '?' | '#')) {
        None => return Ok(()),
        Some('@') => {
            "an address with a name or password in it would be in logs: use creds or nkey with a file"
        }
        Some(_) => {
            "an address with a query would be in logs with whatever secret is in it: write tls://host, and use creds or \
             nkey with a file"
        }
    };
    Err(OptionsError::new("url", what))
}

/// A server's address, checked.
fn server(text: &str) -> Result<String, OptionsError> {
    let whole = || {
        let what = format!("\"{text}\" is not a valid address: write tls://host or nats://host:4222");
        OptionsError::new("url", what)
    };
    let url: Url = text.parse().map_err(|_| whole())?;
    if ![PLAIN, "tls://"].iter().any(|scheme| text.starts_with(scheme))
        || url.host_str().is_none_or(str::is_empty)
        || !matches!(url.path(), "" | "/")
    {
        return Err(whole());
    }
    Ok(text.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(texts: NatsTexts) -> String {
        NatsOptions::of(texts).unwrap_err().to_string()
    }

    fn at(url: &str) -> NatsTexts {
        NatsTexts { url: url.to_owned(), ..NatsTexts::default() }
    }

    #[test]
    fn several_servers_are_read_and_the_bucket_has_a_default() {
        let options = NatsOptions::of(at("tls://n1, tls://n2:4443/")).unwrap();
        assert_eq!(options.servers, ["tls://n1", "tls://n2:4443"]);
        assert_eq!(options.name(), "tls://n1,tls://n2:4443/nameplate");
        assert_eq!(options.secret, None);
        let creds = NatsTexts { creds: Some("a.creds".into()), ..at("nats://127.0.0.1:4222") };
        assert_eq!(NatsOptions::of(creds).unwrap().secret, Some(Secret::Creds("a.creds".into())));
    }

    #[test]
    fn each_mistake_is_named_with_its_key() {
        for (texts, says) in [
            (at(" , "), "url: write the servers' addresses"),
            (at("n1"), "url: \"n1\" is not a valid address"),
            (at("https://n1"), "url: \"https://n1\" is not a valid address"),
            (at("nats://user:secret@n1"), "url: an address with a name or password"),
            (at("https://user:secret@n1"), "url: an address with a name or password"),
            (at("user:secret@n1:4222"), "url: an address with a name or password"),
            (at("tls://n1,tls://user:secret,@n2"), "url: an address with a name or password"),
            (at("tls://n1?token=secret"), "url: an address with a query"),
            (at("tls://n1, https://n2/a?token=secret"), "url: an address with a query"),
            (at("n1#secret"), "url: an address with a query"),
            (at("tls://n1/a"), "url: \"tls://n1/a\" is not a valid address"),
            (at("tls://n1,nats://n2"), "url: \"nats://n2\" is not encrypted and others are: write tls://"),
            (
                NatsTexts { tls_ca: Some("ca.pem".into()), ..at("nats://n1") },
                "url: \"nats://n1\" is not encrypted and there are files for TLS: write tls://",
            ),
            (
                NatsTexts { tls_cert: Some("a".into()), tls_key: Some("b".into()), ..at("nats://n1") },
                "url: \"nats://n1\" is not encrypted and there are files for TLS: write tls://",
            ),
            (NatsTexts { bucket: Some("a.b".to_owned()), ..at("tls://n1") }, "bucket: \"a.b\""),
            (NatsTexts { sites: Some(vec!["Larkspur".to_owned()]), ..at("tls://n1") }, "sites: \"Larkspur\""),
            (
                NatsTexts { creds: Some("a".into()), nkey: Some("b".into()), ..at("tls://n1") },
                "nkey: there are creds, too",
            ),
            (NatsTexts { tls_cert: Some("a".into()), ..at("tls://n1") }, "tls-cert: it needs its key"),
            (NatsTexts { tls_key: Some("a".into()), ..at("tls://n1") }, "tls-key: it needs its certificate"),
        ] {
            let refusal = refusal(texts);
            assert!(refusal.starts_with(says), "{refusal}");
            assert!(!refusal.contains("secret@") && !refusal.contains("=secret"), "{refusal}");
        }
    }
}
