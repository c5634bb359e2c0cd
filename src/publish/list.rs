//! Lists the releases of a bucket.

use std::io::{self, Write as _};

use directory::told::rfc3339;
use directory::visible;

use crate::outcome::{Outcome, Refusal};
use crate::releases::{Found, find};
use replicas::releases::{Bucket, Release};

pub(super) struct Releases {
    /// Those that can be read, the newest first.
    pub(super) read: Vec<Release>,
    /// Why the other files are not those of releases.
    pub(super) refused: Vec<String>,
}

impl Releases {
    /// Reads all releases. One that is removed in the meantime is left out.
    pub(super) fn read_all(bucket: &Bucket) -> Result<Self, Refusal> {
        let mut releases = Self { read: Vec::new(), refused: Vec::new() };
        for number in bucket.numbers().map_err(Refusal::new)?.into_iter().rev() {
            match find(bucket, number).map_err(Refusal::new)? {
                Found::None => {}
                Found::Release(release) => releases.read.push(release),
                Found::Refused(why) => releases.refused.push(why),
            }
        }
        Ok(releases)
    }

    /// Those that can be read; the others are printed as errors.
    pub(super) fn told(self) -> Result<Vec<Release>, Refusal> {
        for why in &self.refused {
            writeln!(io::stderr(), "error: {}", visible::line(why))?;
        }
        Ok(self.read)
    }
}

pub(super) fn print(bucket: &Bucket) -> Result<Outcome, Refusal> {
    let releases = Releases::read_all(bucket)?.told()?;
    let mut out = io::stdout().lock();
    writeln!(out, "{:>8}  {:16}  {:20}  {:>12}  by", "release", "generation", "published", "bytes")?;
    for release in &releases {
        let Release { number, generation, bytes, by, .. } = release;
        let (at, by) = (rfc3339(release.at), visible::line(by));
        writeln!(out, "{number:>8}  {generation:16}  {at:20}  {bytes:>12}  {by}")?;
    }
    Ok(Outcome::Done)
}
