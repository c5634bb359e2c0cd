//! The arguments about servers of NATS.

use std::path::PathBuf;

use clap::Args;
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

impl NatsArguments {
    /// The bucket on these servers; `flag` named them.
    pub(crate) fn on(&self, servers: &str, flag: &str) -> Result<NatsOptions, String> {
        let Self { bucket, creds, nkey, tls_ca, tls_cert, tls_key } = self.clone();
        let url = servers.to_owned();
        let texts =
            NatsTexts { url, bucket: Some(bucket), creds, nkey, tls_ca, tls_cert, tls_key, sites: None };
        NatsOptions::of(texts).map_err(|error| {
            let flag = if error.key() == "url" { flag } else { error.key() };
            format!("--{flag}: {}", error.what())
        })
    }

    /// A file that is named although no servers are.
    #[cfg(feature = "store")]
    pub(crate) fn file(&self) -> Option<&'static str> {
        let files = [
            ("creds", &self.creds),
            ("nkey", &self.nkey),
            ("tls-ca", &self.tls_ca),
            ("tls-cert", &self.tls_cert),
            ("tls-key", &self.tls_key),
        ];
        files.into_iter().find(|(_, file)| file.is_some()).map(|(flag, _)| flag)
    }
}
