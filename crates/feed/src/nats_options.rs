//! The settings of a NATS bucket: its servers and the credentials for them. docs/FEED.md has an example.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use directory::calendar::{is_site, not_a_site};
use reqwest::Url;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::bounds::OptionsError;

/// The bucket's name unless the settings give one.
pub const BUCKET: &str = "nameplate";
const PLAIN: &str = "nats://";
const TLS: &str = "tls://";
const MAX_BUCKET: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NatsOptions {
    /// The servers' addresses, without secrets. They are written with commas between them.
    #[serde(rename = "url", deserialize_with = "servers")]
    pub servers: Vec<String>,
    #[serde(default = "default_bucket", deserialize_with = "bucket")]
    pub bucket: String,
    /// The only sites that are followed; empty: all.
    #[serde(default, deserialize_with = "sites")]
    pub sites: BTreeSet<Arc<str>>,
    /// A credentials file, as `nsc` writes it.
    pub creds: Option<PathBuf>,
    pub nkey: Option<PathBuf>,
    /// The certificate authorities that are trusted instead of the system's.
    pub tls_ca: Option<PathBuf>,
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    #[serde(default)]
    pub unlisted: Unlisted,
}

/// What is offered of a provider without a key in the bucket.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unlisted {
    #[default]
    Withheld,
    Open,
}

impl NatsOptions {
    pub fn check(&self) -> Result<(), OptionsError> {
        let refused = |key, what: &str| Err(OptionsError { key, what: what.to_owned() });
        if self.creds.is_some() && self.nkey.is_some() {
            return refused("nkey", "creds is also set: keep only one of the two");
        }
        match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => return refused("tls-cert", "its key is missing: name its file with tls-key"),
            (None, Some(_)) => {
                return refused("tls-key", "its certificate is missing: name its file with tls-cert");
            }
            _ => {}
        }
        let is_plain = |server: &&String| server.starts_with(PLAIN);
        let Some(plain) = self.servers.iter().find(is_plain) else { return Ok(()) };
        let what = if !self.servers.iter().all(|server| is_plain(&server)) {
            "isn't encrypted, but others are: write tls:// before each host"
        } else if self.tls_ca.is_some() || self.tls_cert.is_some() {
            "isn't encrypted, but TLS files are set: write tls:// instead"
        } else {
            return Ok(());
        };
        refused("url", &format!("\"{plain}\" {what}"))
    }

    /// Whether each connection must be encrypted, also to servers that the first one names. Their addresses have no
    /// scheme, so without this an attacker who changes an answer could switch TLS off.
    pub fn needs_tls(&self) -> bool {
        self.tls_ca.is_some()
            || self.tls_cert.is_some()
            || self.servers.iter().any(|server| !server.starts_with(PLAIN))
    }

    pub fn name(&self) -> String {
        format!("{}/{}", self.servers.join(","), self.bucket)
    }
}

pub fn is_bucket(url: &str) -> bool {
    [PLAIN, TLS].iter().any(|scheme| url.starts_with(scheme))
}

/// The servers' addresses. Refuses those in which a secret may stand, before any message or log quotes one: a name or
/// password before an @, or a token in a query. They are not split before, since a password may have a comma.
fn servers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if let Some(secret) = text.chars().find(|letter| matches!(letter, '@' | '?' | '#')) {
        return Err(D::Error::custom(if secret == '@' {
            "an address with a user name or password would appear in logs: use creds or nkey with a file"
        } else {
            "an address with a query would appear in logs with any secret in it: write tls://host, and use creds or \
             nkey with a file"
        }));
    }
    let servers = text.split(',').map(str::trim).filter(|server| !server.is_empty());
    let servers: Vec<_> = servers.map(server).collect::<Result<_, _>>().map_err(D::Error::custom)?;
    if servers.is_empty() {
        return Err(D::Error::custom("write the servers' addresses: tls://n1,tls://n2"));
    }
    Ok(servers)
}

fn server(text: &str) -> Result<String, String> {
    let is_whole =
        |url: Url| url.host_str().is_some_and(|host| !host.is_empty()) && matches!(url.path(), "" | "/");
    if !is_bucket(text) || !text.parse().is_ok_and(is_whole) {
        return Err(format!("\"{text}\" isn't a valid address: write tls://host or nats://host:4222"));
    }
    Ok(text.trim_end_matches('/').to_owned())
}

fn default_bucket() -> String {
    BUCKET.to_owned()
}

fn bucket<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if (1..=MAX_BUCKET).contains(&name.len()) && name.bytes().all(is_name) {
        return Ok(name);
    }
    let what = "isn't a valid bucket name: write letters, digits, - and _";
    Err(D::Error::custom(format!("\"{name}\" {what}")))
}

fn sites<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeSet<Arc<str>>, D::Error> {
    let sites = Vec::<String>::deserialize(deserializer)?;
    match sites.iter().find(|site| !is_site(site)) {
        None => Ok(sites.into_iter().map(Arc::from).collect()),
        Some(wrong) => Err(D::Error::custom(not_a_site(wrong))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<NatsOptions, String> {
        let options: NatsOptions = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        options.check().map_err(|error| error.to_string())?;
        Ok(options)
    }

    #[test]
    fn several_servers_are_read_and_the_bucket_has_a_default() {
        let options = read("url = 'tls://n1, tls://n2:4443/'").unwrap();
        assert_eq!(options.servers, ["tls://n1", "tls://n2:4443"]);
        assert_eq!(options.name(), "tls://n1,tls://n2:4443/nameplate");
        assert_eq!((options.creds, options.nkey, options.unlisted), (None, None, Unlisted::Withheld));
    }

    #[test]
    fn every_connection_is_encrypted_unless_the_addresses_say_otherwise() {
        for (text, needs_tls) in [
            ("url = 'nats://n1, nats://n2'", false),
            ("url = 'tls://n1, tls://n2'", true),
            ("url = 'tls://n1'\ntls-ca = 'ca.pem'", true),
        ] {
            assert_eq!(read(text).unwrap().needs_tls(), needs_tls, "{text}");
        }
    }

    #[test]
    fn each_mistake_is_named() {
        for (text, says) in [
            ("url = ' , '", "write the servers' addresses"),
            ("url = 'n1'", "\"n1\" isn't a valid address"),
            ("url = 'tls://'", "\"tls://\" isn't a valid address"),
            ("url = 'https://n1'", "\"https://n1\" isn't a valid address"),
            ("url = 'nats://user:secret@n1'", "an address with a user name or password"),
            ("url = 'https://user:secret@n1'", "an address with a user name or password"),
            ("url = 'user:secret@n1:4222'", "an address with a user name or password"),
            ("url = 'tls://n1,tls://user:secret,@n2'", "an address with a user name or password"),
            ("url = 'tls://n1?token=secret'", "an address with a query"),
            ("url = 'tls://n1, https://n2/a?token=secret'", "an address with a query"),
            ("url = 'n1#secret'", "an address with a query"),
            ("url = 'tls://n1/a'", "\"tls://n1/a\" isn't a valid address"),
            (
                "url = 'tls://n1,nats://n2'",
                "url: \"nats://n2\" isn't encrypted, but others are: write tls://",
            ),
            (
                "url = 'nats://n1'\ntls-ca = 'ca.pem'",
                "url: \"nats://n1\" isn't encrypted, but TLS files are set: write tls://",
            ),
            (
                "url = 'nats://n1'\ntls-cert = 'a'\ntls-key = 'b'",
                "url: \"nats://n1\" isn't encrypted, but TLS files are set: write tls://",
            ),
            ("url = 'tls://n1'\nbucket = 'a.b'", "\"a.b\" isn't a valid bucket name"),
            ("url = 'tls://n1'\nsites = ['Larkspur']", "\"Larkspur\" isn't"),
            ("url = 'tls://n1'\ncreds = 'a'\nnkey = 'b'", "nkey: creds is also set"),
            ("url = 'tls://n1'\ntls-cert = 'a'", "tls-cert: its key is missing"),
            ("url = 'tls://n1'\ntls-key = 'a'", "tls-key: its certificate is missing"),
        ] {
            let refusal = read(text).unwrap_err();
            assert!(refusal.starts_with(says), "{refusal}");
            assert!(!refusal.contains("secret@") && !refusal.contains("=secret"), "{refusal}");
        }
    }
}
