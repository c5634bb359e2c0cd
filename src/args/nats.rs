//! The arguments about servers of NATS.

use std::path::PathBuf;

use clap::Args;
#[cfg(feature = "replicas")]
use live::feed::{NatsOptions, NatsTexts};

/// How a bucket is reached, without its servers.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(crate) struct NatsArguments {
    /// The bucket of NATS
    #[arg(long, value_name = "NAME", default_value = live::feed::BUCKET)]
    bucket: String,
    /// The credentials file of the user of NATS
    #[arg(long, value_name = "FILE", conflicts_with = "nkey")]
    creds: Option<PathBuf>,
    /// The file with the nkey seed of the user of NATS
    #[arg(long, value_name = "FILE")]
    nkey: Option<PathBuf>,
    /// Trust these certificate authorities of NATS instead of the system's
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// The client's certificate for NATS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the client's certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

#[cfg(feature = "replicas")]
impl NatsArguments {
    /// The bucket on the servers that `--to` names.
    pub(crate) fn on(&self, servers: &str) -> Result<NatsOptions, String> {
        let Self { bucket, creds, nkey, tls_ca, tls_cert, tls_key } = self.clone();
        let url = servers.to_owned();
        let texts =
            NatsTexts { url, bucket: Some(bucket), creds, nkey, tls_ca, tls_cert, tls_key, sites: None };
        NatsOptions::of(texts).map_err(|error| {
            let flag = if error.key() == "url" { "to" } else { error.key() };
            format!("--{flag}: {}", error.what())
        })
    }
}
