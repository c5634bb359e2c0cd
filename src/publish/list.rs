//! Lists the releases of a store.

use std::io::{self, Write as _};

use directory::visible;
use live::Clock;

use crate::outcome::{Outcome, Refusal};
use crate::releases::{Bucket, Release, find};

/// All releases that can be read, the newest first.
///
/// # Errors
/// The store does not answer.
pub(super) fn releases(bucket: &Bucket) -> Result<Vec<Release>, Refusal> {
    let mut releases = Vec::new();
    for number in bucket.numbers(0).map_err(Refusal::new)?.into_iter().rev() {
        let Some(file) = find(bucket, number).map_err(Refusal::new)? else { continue };
        match Release::read(number, &file) {
            Ok(release) => releases.push(release),
            Err(why) => writeln!(io::stderr(), "nameplate: {}", visible::line(&why))?,
        }
    }
    Ok(releases)
}

/// Prints the releases as a table.
pub(super) fn print(bucket: &Bucket) -> Result<Outcome, Refusal> {
    let releases = releases(bucket)?;
    let now = Clock::system().now();
    let served = releases.iter().find(|release| release.from <= now).map(|release| release.number);
    let mut out = io::stdout().lock();
    writeln!(out, "{:>8}  {:16}  {:20}  {:>12}  by", "release", "generation", "served from", "bytes")?;
    for release in &releases {
        let Release { number, generation, bytes, by, .. } = release;
        let (from, by) = (super::seconds(release.from), visible::line(by));
        let mark = if Some(*number) == served { "*" } else { " " };
        writeln!(out, "{mark}{number:>7}  {generation:16}  {from:20}  {bytes:>12}  {by}")?;
    }
    Ok(Outcome::Done)
}
