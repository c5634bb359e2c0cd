//! Announces a release in the bucket that services follow, so that they look at the object store at once.

use std::time::Duration;

use live::feed::nats::{Bucket, PutError};
use tokio::time::sleep;

use crate::args::PublishArguments;
use crate::outcome::Refusal;

/// The end of the inbox that the rights of a publisher name.
const WHO: &str = "publish";
const PUT: Duration = Duration::from_secs(2);
/// An election of the servers takes up to nine seconds.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// Begins to connect to the bucket in which releases are announced; `None` if they are not.
///
/// # Errors
/// An argument is wrong, or a file that one names.
pub(super) async fn connect(arguments: &PublishArguments) -> Result<Option<Bucket>, Refusal> {
    let Some(servers) = &arguments.announce else {
        return match arguments.nats.file() {
            Some(flag) => Err(Refusal::new(format!(
                "--{flag} is for --announce: name the servers of NATS with it, such as tls://n1,tls://n2"
            ))),
            None => Ok(None),
        };
    };
    let servers = arguments.nats.on(servers, "announce").map_err(Refusal::new)?;
    Bucket::connect(&servers, WHO).await.map(Some).map_err(Refusal::new)
}

/// Announces a release. The same number may be announced again.
///
/// # Errors
/// Why it is not announced.
pub(super) async fn announce(bucket: &Bucket, release: u64) -> Result<(), String> {
    let mut last = String::new();
    for _ in 0..TRIES {
        match bucket.announce(release, PUT).await {
            // `OtherRevision` cannot happen: announcements are written without an expected revision.
            Ok(()) | Err(PutError::OtherRevision) => return Ok(()),
            Err(PutError::Unknown(why)) => last = why,
            Err(PutError::Refused(why)) => return Err(why),
        }
        sleep(PAUSE).await;
    }
    Err(last)
}
