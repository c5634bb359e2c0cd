//! `nameplate publish`: puts content into an object store as the next release. The bundle comes first and the release last, so
//! a release never names what is not there. A release is created once and never replaced: if two publishers use the same
//! number, the second one fails with the name of the first.

mod arguments;
mod list;
mod prune;
mod wait;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use chrono::{DateTime, Utc};
use directory::calendar::FeedMode;
use directory::content::{ContentError, feed_path, load_and_check_beside_feed, published_files};
use directory::told::{count, rfc3339};
use directory::visible;
use feed::Clock;
use tokio::runtime::Handle;

use crate::content::{content_flag, examples, print_report, report_error};
use crate::outcome::{Outcome, Refusal};
use crate::progress::while_slow;
use crate::releases::{Found, check, find};
use crate::terminal::{is_quiet, notes};
use crate::threads;
pub(crate) use arguments::PublishArguments;
use authoring::edit::refuse_unfinished_edit;
use replicas::Seed;
use replicas::releases::{Bucket, Object, Packed, Patience, Release, pack};

pub(crate) fn run(arguments: &PublishArguments) -> Result<Outcome, Refusal> {
    let threads = threads::start("for requests")?;
    let bucket = Bucket::open(&arguments.bucket, Patience::Command, threads.clone()).map_err(Refusal::new)?;
    if arguments.list {
        return list::print(&bucket);
    }
    let seed = arguments.sign_key.as_deref().map(Seed::read).transpose().map_err(Refusal::new)?;
    let publisher = Publisher { bucket: &bucket, arguments, seed, now: Clock::system().now() };
    if let Some(folder) = &bucket.folder {
        prune::sweep(folder, publisher.now);
    }
    let release = match (&arguments.content, &arguments.rollback) {
        (Some(content), _) => Some(publisher.publish(content)?),
        (None, Some(generation)) => Some(publisher.roll_back(generation)?),
        (None, None) => None,
    };
    if release == Some(None) {
        return Ok(Outcome::Problems);
    }
    if let Some(keep) = arguments.keep {
        prune::prune(&bucket, keep, publisher.now)?;
    }
    match (&arguments.wait, release.flatten()) {
        (Some(url), Some(release)) => wait_for(url, &release, arguments.timeout, &threads),
        (Some(_), None) => {
            Err(Refusal::new("--wait waits for a release: name a content folder or --rollback"))
        }
        (None, _) => Ok(Outcome::Done),
    }
}

fn wait_for(url: &str, release: &Release, seconds: u64, threads: &Handle) -> Result<Outcome, Refusal> {
    let generation = &release.generation;
    if let Err(why) = while_slow("Waiting for the service", || {
        threads.block_on(wait::for_generation(url, generation, seconds))
    })? {
        let told = format!("{url} doesn't answer with generation {generation} yet: {why}");
        writeln!(io::stderr(), "error: {told}")?;
        return Ok(Outcome::Problems);
    }
    writeln!(notes(), "20 connections to {url} in a row answer with generation {generation}")?;
    Ok(Outcome::Done)
}

struct Publisher<'a> {
    bucket: &'a Bucket,
    arguments: &'a PublishArguments,
    seed: Option<Seed>,
    now: DateTime<Utc>,
}

impl Publisher<'_> {
    /// Checks a folder, packs it and releases it. `None`: it is refused, and the reason was printed.
    fn publish(&self, content: &Path) -> Result<Option<Release>, Refusal> {
        self.refuse_feed(content)?;
        let checked = match load_and_check_beside_feed(content, self.now.date_naive()) {
            Ok(checked) => checked,
            Err(ContentError::Load(error)) => {
                return Err(Refusal::new(format!("{error}; name the content folder before the store")));
            }
            Err(error) => {
                report_error::<()>(error)?;
                return Ok(None);
            }
        };
        if let number @ 1.. = examples(&checked.warnings) {
            return Err(Refusal::new(format!(
                "{} that `nameplate init` wrote would be published: run `nameplate check{}`, and replace each \
                 (`nameplate build` only warns)",
                count(number, "placeholder"),
                content_flag(content)
            )));
        }
        let mut errors = io::stderr().lock();
        if !checked.warnings.problems().is_empty() && errors.is_terminal() && !is_quiet() {
            print_report(&mut errors, &checked.warnings)?;
        }
        drop(errors);
        let generation = checked.directory.generation().as_str().to_owned();
        refuse_unfinished_edit(content)?;
        let files = published_files(content).map_err(Refusal::new)?;
        let packed = pack(&files).map_err(Refusal::new)?;
        let newest = self.newest()?;
        let release = self.release(newest.as_ref(), &generation, &packed)?;
        if let Some(newest) =
            newest.as_ref().filter(|newest| newest.has_content_of(&release) && self.has_signed(newest))
        {
            // A bundle that was damaged is put again.
            self.put_bundle(newest, &packed)?;
            return Self::done_before(newest.clone());
        }
        // Runs the checks of a replica before the release is published.
        let checked = check(release.clone(), packed.bytes.clone(), self.now);
        checked.map_err(|why| {
            Refusal::new(format!("{why}; if the folder was edited meanwhile, publish it again"))
        })?;
        if newest.is_none() {
            let probe = format!("probes/{}-{}", self.now.timestamp_micros(), std::process::id());
            self.bucket.probe(&probe).map_err(Refusal::new)?;
        }
        self.put_bundle(&release, &packed)?;
        self.create(release)
    }

    /// A replica would offer the times that the folder's feed lists as taken.
    fn refuse_feed(&self, content: &Path) -> Result<(), Refusal> {
        #[expect(clippy::disallowed_methods, reason = "looks whether there is a feed, without reading it")]
        let is_there = |path: &&str| content.join(path).symlink_metadata().is_ok();
        let found = [FeedMode::Busy, FeedMode::Open].map(feed_path).into_iter().find(is_there);
        match found.filter(|_| !self.arguments.without_feed) {
            Some(path) => Err(Refusal::new(format!(
                "{} is a feed, and releases don't include feeds, so services would offer taken times. Set [feed] in each \
                 service's settings, then publish with --without-feed",
                content.join(path).display()
            ))),
            None => Ok(()),
        }
    }

    fn roll_back(&self, generation: &str) -> Result<Option<Release>, Refusal> {
        let releases = list::Releases::read_all(self.bucket)?.told()?;
        let newest = releases.first();
        if let Some(newest) =
            newest.filter(|newest| newest.generation == generation && self.has_signed(newest))
        {
            return Self::done_before(newest.clone());
        }
        // Its sizes and hash are signed again, so its own signature must be right.
        let Some(earlier) =
            releases.iter().find(|release| release.generation == generation && self.has_signed(release))
        else {
            let address = &self.bucket.address;
            let signed = if self.seed.is_some() { " and the signature of --sign-key" } else { "" };
            return Err(Refusal::new(format!(
                "{address} has no release with the generation {generation:?}{signed}: write one that `nameplate publish --list {address}` \
                 lists, not a release's number"
            )));
        };
        let Object::Bytes(packed) =
            self.bucket.get(&earlier.bundle(), earlier.bytes).map_err(Refusal::new)?
        else {
            let number = earlier.number;
            return Err(Refusal::new(format!(
                "the bundle of release {number} is no longer in the store, or is larger than the release says"
            )));
        };
        check(earlier.clone(), packed.clone(), self.now).map_err(Refusal::new)?;
        let packed = Packed { bytes: packed, sha256: earlier.sha256.clone(), unpacked: earlier.unpacked };
        let release = self.release(newest, generation, &packed)?;
        self.create(release)
    }

    fn release(
        &self,
        newest: Option<&Release>,
        generation: &str,
        packed: &Packed,
    ) -> Result<Release, Refusal> {
        let user = || std::env::var("USER").ok().filter(|user| !user.is_empty());
        let number = newest.map_or(0, |newest| newest.number).checked_add(1).ok_or_else(|| {
            let file = Release::file(u64::MAX);
            Refusal::new(format!(
                "no number follows that of {file}: remove it from the store, and publish again"
            ))
        })?;
        Ok(Release {
            number,
            generation: generation.to_owned(),
            sha256: packed.sha256.clone(),
            bytes: packed.bytes.len() as u64,
            unpacked: packed.unpacked,
            by: self.arguments.by.clone().or_else(user).unwrap_or_else(|| "unknown".to_owned()),
            at: self.now,
            signed: None,
        })
    }

    /// Puts the bundle into the store, unless it exists and is complete: an upload by other means may have been cut short.
    fn put_bundle(&self, release: &Release, packed: &Packed) -> Result<(), Refusal> {
        let name = release.bundle();
        let put = || {
            if self.bucket.create(&name, packed.bytes.clone())? {
                return Ok(());
            }
            if matches!(self.bucket.get(&name, release.bytes)?, Object::Bytes(there) if there == packed.bytes)
            {
                return Ok(());
            }
            self.bucket.put(&name, packed.bytes.clone())
        };
        while_slow("Uploading the content", put)
            .map_err(|why: String| Refusal::new(format!("the bundle can't be uploaded: {why}")))
    }

    fn create(&self, mut release: Release) -> Result<Option<Release>, Refusal> {
        let number = release.number;
        if let Some(seed) = &self.seed {
            release = release.sign(seed).map_err(Refusal::new)?;
        }
        let created = self.bucket.create(&Release::file(number), release.to_text().into_bytes().into());
        if created.map_err(Refusal::new)? {
            writeln!(notes(), "release {number}: generation {}", release.generation)?;
            return Ok(Some(release));
        }
        let other = self.find(number)?;
        if other.generation == release.generation && self.has_signed(&other) {
            return Self::done_before(other);
        }
        let (by, at) = (visible::line(&other.by).into_owned(), rfc3339(other.at));
        writeln!(
            io::stderr(),
            "error: release {number} was published in the meantime by {by} at {at}, with generation {}: merge those changes \
             into this content, and publish again",
            other.generation
        )?;
        Ok(None)
    }

    fn has_signed(&self, release: &Release) -> bool {
        let is_own = |seed: &Seed| release.clone().trusted(&[seed.public_key()]).is_ok();
        self.seed.as_ref().is_none_or(is_own)
    }

    fn done_before(release: Release) -> Result<Option<Release>, Refusal> {
        let Release { number, generation, .. } = &release;
        writeln!(notes(), "release {number} already has this content: generation {generation}")?;
        Ok(Some(release))
    }

    fn newest(&self) -> Result<Option<Release>, Refusal> {
        let numbers = self.bucket.numbers().map_err(Refusal::new)?;
        numbers.last().map(|newest| self.find(*newest)).transpose()
    }

    fn find(&self, number: u64) -> Result<Release, Refusal> {
        Err(Refusal::new(match find(self.bucket, number).map_err(Refusal::new)? {
            Found::Release(release) => return Ok(release),
            Found::Refused(why) => {
                let (why, file) = (visible::line(&why), Release::file(number));
                format!("{why}; remove {file} from the store if no service serves it, and publish again")
            }
            Found::None => format!("release {number} was removed in the meantime: publish again"),
        }))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Arguments, Command};

    #[test]
    fn the_second_publisher_of_a_number_is_refused_unless_its_content_is_the_same() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let address = format!("file://{}", folder.path().display());
        let bucket = Bucket::open(&address, Patience::Command, runtime.handle().clone()).unwrap();
        let parsed =
            Arguments::try_parse_from(["nameplate", "publish", "content", &address, "--by", "ann"]).unwrap();
        let Command::Publish(arguments) = parsed.command else { panic!("it is another command") };
        let publisher =
            Publisher { bucket: &bucket, arguments: &arguments, seed: None, now: Clock::system().now() };
        let packed = pack(&directory::content::Entries::default()).unwrap();
        // Both have seen no release.
        let [one, same, other] =
            ["1", "1", "2"].map(|digit| publisher.release(None, &digit.repeat(16), &packed).unwrap());
        assert!(
            matches!(publisher.create(one.clone()).unwrap(), Some(release) if release.has_content_of(&one))
        );
        assert!(publisher.create(other).unwrap().is_none());
        assert!(publisher.create(same).unwrap().is_some(), "the same content is there");
        assert_eq!(bucket.numbers(), Ok(vec![1]));
        assert!(publisher.newest().unwrap().unwrap().has_content_of(&one));
        let last = Release { number: u64::MAX, ..one };
        let refused = publisher.release(Some(&last), "1", &packed).err().unwrap().to_string();
        assert!(refused.contains("18446744073709551615.json") && refused.contains("remove it"), "{refused}");
    }
}
