//! A feed in a file, looked at once a second with `stat`, which unlike notifications also works for network folders and for
//! mounts that come back. A file that is written in place may be read half-written: it is refused if its last line is
//! incomplete, and read as the whole feed otherwise. So writers rename a finished file over it. A file that is missing is an
//! error, not an empty feed.

use std::fs::Metadata;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use directory::calendar::{AsOf, BadText, Event, FeedFile, FeedLimits, Late, Moment, PartId};
use directory::content::{OpenError, open_linked};
use tokio::task::JoinHandle;

use crate::clock::{moment, real_now};
use crate::source::SourceError;

/// A file that was changed more recently may be changed again without a new time stamp.
const UNSETTLED: Duration = Duration::from_secs(2);

const NO_FILE: &str =
    "it isn't a regular file (a folder or a pipe?): write the feed into a file and rename it to this name";

const MISSING: &str = "write it again. If the clinic no longer has a feed, end it with POST /feed/end on the admin \
     address (--admin): all weekly hours are then offered";

pub(crate) struct FileSource {
    path: PathBuf,
    rival: Option<PathBuf>,
    limits: FeedLimits,
    seen: Option<Seen>,
    /// Whether the file, as it was last seen, is good. A bad one is reported once, and no beat confirms it.
    is_good: bool,
    /// A look that has taken too long and still runs, and when it began. The next look waits for it, so that a file system
    /// that hangs blocks one thread only.
    looking: Option<(Moment, JoinHandle<Looked>)>,
}

/// The result of a look: the file if it has changed, and the second feed file if it exists.
type Looked = Result<(Option<(ReadText, Seen)>, Vec<Late>), SourceError>;
type ReadText = Result<Arc<FeedFile>, BadText>;

/// Identifies the state of a file. A program can set mtime, but not ctime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    modified: SystemTime,
    bytes: u64,
    identity: Identity,
    is_settled: bool,
}

impl FileSource {
    /// A file that is read while the `rival`, the second feed file of the content folder, does not exist.
    pub(crate) fn new(path: PathBuf, rival: Option<PathBuf>, limits: FeedLimits) -> Self {
        Self { path, rival, limits, seen: None, is_good: true, looking: None }
    }

    pub(crate) fn is_looking(&self) -> bool {
        self.looking.is_some()
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub(crate) async fn look(&mut self, within: Duration) -> Result<Vec<Event>, SourceError> {
        let (began, looked) = loop {
            let (began, mut looking) = self.looking.take().unwrap_or_else(|| (moment(), self.begin()));
            let Ok(looked) = tokio::time::timeout(within, &mut looking).await else {
                // After an error everything is reported again.
                (self.looking, self.seen) = (Some((began, looking)), None);
                return Err(unreadable(&self.path, &"the file system takes too long"));
            };
            match looked.unwrap_or_else(|error| Err(unreadable(&self.path, &error))) {
                // A look that began before such an error finds no change. The file is to be reported again, so it is
                // read again.
                Ok((None, _)) if self.seen.is_none() => {}
                looked => break (began, looked),
            }
        };
        // After an error the next file is read even if it looks like the last one.
        let before = self.seen.take();
        let (read, late) = looked?;
        let writer: Arc<str> = self.name().into();
        let beat = Event::Beat { writer: Arc::clone(&writer), as_of: AsOf::read(None, began), late };
        let Some((text, seen)) = read else {
            self.seen = before;
            return Ok(if self.is_good { vec![beat] } else { Vec::new() });
        };
        let part = PartId::file(&writer, Arc::clone(&writer));
        (self.seen, self.is_good) = (Some(seen), text.is_ok());
        let mut events = vec![Event::PartChanged { part, text }];
        if self.is_good {
            events.push(beat);
        }
        Ok(events)
    }

    fn begin(&self) -> JoinHandle<Looked> {
        let (path, rival, limits, seen) = (self.path.clone(), self.rival.clone(), self.limits, self.seen);
        tokio::task::spawn_blocking(move || {
            let file = look(&path, rival.as_deref(), &limits, seen)?;
            Ok((file, second(&path, rival.as_deref())))
        })
    }
}

/// Reports the second feed file of the content folder as late if it exists.
fn second(path: &Path, rival: Option<&Path>) -> Vec<Late> {
    let late = rival.filter(|rival| is_there(rival)).map(|rival| {
        let (rival, path) = (rival.display(), path.display());
        let why = format!(
            "{rival} isn't read because {path} is served: remove one of the two, or the next start fails"
        );
        Late { part: rival.to_string().into(), as_of: None, why }
    });
    late.into_iter().collect()
}

#[expect(clippy::disallowed_methods, reason = "looks whether a feed is there, not into it")]
pub(crate) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn look(
    path: &Path,
    rival: Option<&Path>,
    limits: &FeedLimits,
    seen: Option<Seen>,
) -> Result<Option<(ReadText, Seen)>, SourceError> {
    let refused = |error: &dyn std::fmt::Display| unreadable(path, error);
    // It never waits for the writer of a pipe, even if the file becomes one at this moment.
    let file = open_linked(path).map_err(|error| match error {
        OpenError::NotAFile(_) => refused(&NO_FILE),
        OpenError::Io(error) if error.kind() == io::ErrorKind::NotFound => match rival {
            None => refused(&error),
            Some(rival) if is_there(rival) => refused(&format_args!(
                "{error}, and {} isn't read: restart nameplate to read it",
                rival.display()
            )),
            Some(_) => refused(&format_args!("{error}; {MISSING}")),
        },
        error => refused(&error),
    })?;
    let metadata = file.metadata().map_err(|error| refused(&error))?;
    let found = Seen::of(&metadata).map_err(|error| refused(&error))?;
    // A file that had not settled may have changed without a new time stamp, so it is read again.
    if seen.is_some_and(|seen| seen.is_settled && seen == found) {
        return Ok(None);
    }
    let most = limits.bytes as u64 + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(most)).unwrap_or_default());
    file.take(most).read_to_end(&mut bytes).map_err(|error| refused(&error))?;
    if bytes.len() > limits.bytes {
        return Err(refused(&format_args!(
            "it is larger than {} bytes; list less in it, or name it in [feed] with a larger max-bytes",
            limits.bytes
        )));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused(&"it isn't UTF-8 text; save it as UTF-8"))?;
    let name = path.display().to_string();
    Ok(Some((FeedFile::read(&name, &text, limits).map(Arc::new).map_err(BadText::Lines), found)))
}

impl Seen {
    fn of(metadata: &Metadata) -> io::Result<Self> {
        let (modified, now) = (metadata.modified()?, real_now().into());
        let changed =
            SystemTime::UNIX_EPOCH + Duration::from_secs(metadata.ctime().try_into().unwrap_or_default());
        let is_settled = is_settled(modified, now) || is_settled(changed, now);
        Ok(Self { modified, bytes: metadata.len(), identity: identity(metadata), is_settled })
    }
}

/// A time stamp in the future says nothing, as after `touch -d tomorrow`, whose ctime is of today.
fn is_settled(stamp: SystemTime, now: SystemTime) -> bool {
    now.duration_since(stamp).is_ok_and(|age| age >= UNSETTLED)
}

/// Device, inode and ctime.
type Identity = (u64, u64, i64, i64);

fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> SourceError {
    SourceError::Unreadable(format!("the feed {} can't be read: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_file_of_tomorrow_settles_by_its_ctime() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("busy.ndjson");
        #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
        let file = std::fs::File::create(&path).unwrap();
        let tomorrow = SystemTime::from(real_now()) + Duration::from_hours(24);
        file.set_modified(tomorrow).unwrap();
        // ctime can't be set, so the test waits for its state: at most two seconds.
        while !Seen::of(&file.metadata().unwrap()).unwrap().is_settled {
            std::thread::yield_now();
        }
        assert_eq!(file.metadata().unwrap().modified().unwrap(), tomorrow);
    }

    #[test]
    fn a_missing_file_says_what_is_there_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let (path, rival) = (folder.path().join("busy.ndjson"), folder.path().join("busy.csv"));
        let told = || match look(&path, Some(&rival), &FeedLimits::default(), None) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("there is no file"),
        };
        assert!(told().contains(MISSING) && !told().contains("busy.csv"), "{}", told());
        #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
        std::fs::write(&rival, "").unwrap();
        assert!(told().contains("busy.csv isn't read: restart nameplate"), "{}", told());
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_look_that_took_too_long_the_file_is_reported_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("busy.ndjson");
        #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
        std::fs::write(&path, "").unwrap();
        let second = Duration::from_secs(1);
        let mut source = FileSource::new(path, None, FeedLimits::default());
        let tells_all = |events: &[Event]| matches!(events, [Event::PartChanged { .. }, Event::Beat { .. }]);
        assert!(tells_all(&source.look(second).await.unwrap()));
        // A look that hangs, and then finds no change.
        let (end, ended) = std::sync::mpsc::channel();
        let hangs = tokio::task::spawn_blocking(move || {
            ended.recv().unwrap();
            Ok((None, Vec::new()))
        });
        source.looking = Some((moment(), hangs));
        {
            let mut look = std::pin::pin!(source.look(second));
            assert!(look.as_mut().now_or_never().is_none());
            tokio::time::advance(Duration::from_mins(1)).await;
            let why = look.await.unwrap_err().to_string();
            assert!(why.contains("the file system takes too long"), "{why}");
        }
        end.send(()).unwrap();
        assert!(tells_all(&source.look(second).await.unwrap()));
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_slow_look_finds_is_as_old_as_its_beginning() {
        let mut source = FileSource::new("busy.ndjson".into(), None, FeedLimits::default());
        let began = moment();
        let blank = FeedFile::read("busy.ndjson", "", &FeedLimits::default()).unwrap();
        let (modified, identity) = (SystemTime::UNIX_EPOCH, Identity::default());
        let seen = Seen { modified, bytes: 0, identity, is_settled: true };
        let found = Ok((Some((Ok(Arc::new(blank)), seen)), Vec::new()));
        source.looking = Some((began, tokio::spawn(async { found })));
        tokio::time::advance(Duration::from_mins(3)).await;
        let events = source.look(Duration::from_secs(1)).await.unwrap();
        let Some(Event::Beat { as_of, .. }) = events.last() else { panic!("{events:?}") };
        assert!(as_of.age(moment()) >= Duration::from_mins(3), "{as_of:?}");
    }

    #[tokio::test]
    async fn a_bad_file_is_reported_once_and_never_confirmed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("busy.ndjson");
        let write = |text: &str, seconds: u64| {
            #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
            std::fs::write(&path, text).unwrap();
            #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            // Long ago, so that it has settled.
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        };
        write("no line of a feed\n", 1_700_000_000);
        let mut source = FileSource::new(path.clone(), None, FeedLimits::default());
        let minute = Duration::from_mins(1);
        let told = source.look(minute).await.unwrap();
        assert!(matches!(told[..], [Event::PartChanged { text: Err(_), .. }]), "{told:?}");
        for _ in 0..2 {
            assert!(source.look(minute).await.unwrap().is_empty());
        }
        write("", 1_700_000_001);
        let told = source.look(minute).await.unwrap();
        assert!(matches!(told[..], [Event::PartChanged { text: Ok(_), .. }, Event::Beat { .. }]), "{told:?}");
    }
}
