//! `nameplate dev`: build, serve everything on one port, and build again on every change.
//!
//! A broken edit is told in the terminal, and what was built last goes on being served.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, SystemTime};

use directory::calendar::Instant;
use live::feed::Feed;
use live::{Clock, Listener, Options, Service, Store};
use notify_debouncer_full::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};
use tokio::runtime::Handle;

use crate::args::{Content, DevArguments, Tree};
use crate::build::options;
use crate::content::{clock, listen, load, snapshot, tell};
use crate::outcome::{Outcome, Refusal};
use crate::serve::{access, runtime, say_start, serve, start_log};

/// For how long nothing must change before a build: editors write a file in several steps.
const SETTLED: Duration = Duration::from_millis(150);
/// How often to look whether the folder is still the one that is watched: whoever replaces it as a whole
/// (a checkout, a restored backup) leaves the watcher with the old one.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

pub(crate) fn run(arguments: &DevArguments) -> Result<Outcome, Refusal> {
    start_log();
    let clock = clock(arguments.now.now);
    let runtime = runtime()?;
    // A taken port is told before any work is done.
    let listener = runtime.block_on(Listener::bind(arguments.listen.address)).map_err(Refusal::new)?;
    // Watched before it is read, so that no edit falls between the two.
    let site = arguments.tree.site.as_deref();
    let folders: Vec<&Path> = std::iter::once(arguments.content.folder.as_path()).chain(site).collect();
    let mut changes = Changes::watch(&folders)?;
    let Some(checked) = load(&arguments.content.folder, clock)? else {
        return Ok(Outcome::Problems);
    };
    tell(&mut io::stderr().lock(), &checked.warnings)?;
    let mode = checked.feed.as_ref().map(|(mode, _)| *mode);
    let snapshot = snapshot(checked, clock.now());
    let summary =
        generator::build(&snapshot, &options(&arguments.content, &arguments.tree)).map_err(Refusal::new)?;
    let store = Arc::new(Store::new(snapshot));
    let feed = runtime.block_on(listen(&arguments.content.folder, mode, &store))?;
    runtime.spawn(live::keep_true(Arc::clone(&store), clock, feed.clone()));
    let served = Options::new(access(&arguments.listen)).with_site(arguments.tree.out.clone());
    writeln!(io::stderr(), "{}: {summary}", arguments.tree.out.display())?;
    say_start(&listener, &store, &arguments.now);
    let rebuild = Rebuild {
        content: Content { folder: arguments.content.folder.clone() },
        tree: Tree { out: arguments.tree.out.clone(), site: arguments.tree.site.clone() },
        clock,
        store: Arc::clone(&store),
        feed,
        runtime: runtime.handle().clone(),
    };
    thread::spawn(move || rebuild.on(&mut changes));
    let address = listener.address();
    writeln!(
        io::stderr(),
        "\n  site  http://{address}/\n  API   http://{address}/v1/states\n  MCP   http://{address}/api/mcp\n"
    )?;
    runtime.block_on(serve(listener, Service::new(store, clock, served)))
}

/// What a change leads to.
struct Rebuild {
    content: Content,
    tree: Tree,
    clock: Clock,
    store: Arc<Store>,
    feed: Option<Feed>,
    runtime: Handle,
}

impl Rebuild {
    fn on(&self, changes: &mut Changes) {
        while changes.wait() {
            if let Err(refusal) = self.once() {
                tracing::error!("{refusal}");
            }
        }
    }

    fn once(&self) -> Result<(), Refusal> {
        let Some(checked) = load(&self.content.folder, self.clock)? else {
            tracing::warn!("the content has errors; what was built last is still served");
            return Ok(());
        };
        tell(&mut io::stderr().lock(), &checked.warnings)?;
        let now = self.clock.now();
        let snapshot = snapshot(checked, now);
        let summary =
            generator::build(&snapshot, &options(&self.content, &self.tree)).map_err(Refusal::new)?;
        self.store.replace(&snapshot, Instant::ceil(now));
        if let Some(feed) = &self.feed {
            // Lines about providers who were not there before have a meaning now.
            self.runtime.block_on(feed.apply_again());
        }
        tracing::info!("built again: {summary}");
        Ok(())
    }
}

/// Changes below some folders. Watching ends when this is dropped.
struct Changes {
    signals: mpsc::Receiver<()>,
    watcher: Debouncer<RecommendedWatcher, RecommendedCache>,
    /// Each folder, and which folder of the file system it was when watching began.
    folders: Vec<(PathBuf, Option<Identity>)>,
}

/// Device, inode and, because file systems give inodes away again, the time of birth where it is known.
type Identity = (u64, u64, Option<SystemTime>);

impl Changes {
    fn watch(folders: &[&Path]) -> Result<Self, Refusal> {
        let refused = |error| Refusal::new(format!("changes cannot be watched: {error}"));
        let (sender, signals) = mpsc::channel();
        let on_events = move |events: DebounceEventResult| {
            // Reading the content is an event too, and must not lead to reading it again.
            let is_change = events.is_ok_and(|events| events.iter().any(|event| !event.kind.is_access()));
            if is_change {
                _ = sender.send(());
            }
        };
        let mut watcher = new_debouncer(SETTLED, None, on_events).map_err(refused)?;
        let mut identified = Vec::new();
        for folder in folders {
            watcher.watch(folder, RecursiveMode::Recursive).map_err(refused)?;
            identified.push(((*folder).to_owned(), identity(folder)));
        }
        Ok(Self { signals, watcher, folders: identified })
    }

    /// Waits for a change; false when there will be none any more.
    fn wait(&mut self) -> bool {
        loop {
            let seen = self.signals.recv_timeout(LOOK_AGAIN);
            // What came together is one change.
            while self.signals.try_recv().is_ok() {}
            match seen {
                Err(mpsc::RecvTimeoutError::Disconnected) => return false,
                _ if self.follow() => return true,
                Ok(()) => return true,
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Watches anew where a folder has been replaced; true when one has.
    fn follow(&mut self) -> bool {
        let mut replaced = false;
        for (folder, watched) in &mut self.folders {
            let now = identity(folder);
            if now.is_some() && now != *watched {
                // The old one may be gone, and then there is nothing to stop watching.
                _ = self.watcher.unwatch(&*folder);
                replaced |= self.watcher.watch(&*folder, RecursiveMode::Recursive).is_ok();
                *watched = now;
            }
        }
        replaced
    }
}

#[expect(clippy::disallowed_methods, reason = "looks which folder it is, not into it")]
fn identity(folder: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(folder).ok()?;
    Some((metadata.dev(), metadata.ino(), metadata.created().ok()))
}
