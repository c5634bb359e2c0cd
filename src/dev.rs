//! `nameplate dev`: build, serve everything on one port, and build again on every change.
//!
//! A broken edit is told in the terminal, and what was built last goes on being served.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use live::feed::Feed;
use live::{Clock, Listener, Options, Service, Store};
use notify_debouncer_full::notify::RecursiveMode;
use notify_debouncer_full::{DebounceEventResult, new_debouncer};
use tokio::runtime::Handle;

use crate::args::{Content, DevArguments, Tree};
use crate::build::publish;
use crate::content::{clock, listen, load, snapshot, tell};
use crate::outcome::{Outcome, Refusal};
use crate::serve::{access, runtime, say_start, serve, start_log};

/// For how long nothing must change before a build: editors write a file in several steps.
const SETTLED: Duration = Duration::from_millis(150);

pub(crate) fn run(arguments: &DevArguments) -> Result<Outcome, Refusal> {
    start_log();
    let clock = clock(arguments.now.now);
    let runtime = runtime()?;
    // A taken port is told before any work is done.
    let listener = runtime.block_on(Listener::bind(arguments.listen.address)).map_err(Refusal::new)?;
    let Some(checked) = load(&arguments.content.folder, clock)? else {
        return Ok(Outcome::Problems);
    };
    tell(&mut io::stderr().lock(), &checked.warnings)?;
    let mode = checked.feed.as_ref().map(|(mode, _)| *mode);
    let snapshot = snapshot(checked);
    let summary = publish(&snapshot, &arguments.content, &arguments.tree)?;
    let store = Arc::new(Store::new(snapshot));
    let feed = runtime.block_on(listen(&arguments.content.folder, mode, &store))?;
    let options = Options::new(access(&arguments.listen)).with_site(arguments.tree.out.clone());
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
    let site = arguments.tree.site.as_deref();
    let folders: Vec<&Path> = std::iter::once(arguments.content.folder.as_path()).chain(site).collect();
    let changes = watch(&folders)?;
    thread::spawn(move || rebuild.on(&changes));
    let address = listener.address();
    writeln!(
        io::stderr(),
        "\n  site  http://{address}/\n  API   http://{address}/v1/states\n  MCP   http://{address}/api/mcp\n"
    )?;
    runtime.block_on(serve(listener, Service::new(store, clock, options)))
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
    fn on(&self, changes: &Changes) {
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
        let snapshot = snapshot(checked);
        let summary = publish(&snapshot, &self.content, &self.tree)?;
        self.store.replace(snapshot);
        if let Some(feed) = &self.feed {
            // The new snapshot knows nothing of what the feed has said so far.
            self.runtime.block_on(feed.apply_again());
        }
        tracing::info!("built again: {summary}");
        Ok(())
    }
}

/// Changes below some folders. Watching ends when this is dropped.
struct Changes {
    signals: mpsc::Receiver<()>,
    _watcher: Box<dyn Send>,
}

impl Changes {
    /// Waits for a change; false when there will be none any more.
    fn wait(&self) -> bool {
        let seen = self.signals.recv().is_ok();
        // What came together is one change.
        while self.signals.try_recv().is_ok() {}
        seen
    }
}

fn watch(folders: &[&Path]) -> Result<Changes, Refusal> {
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
    for folder in folders {
        watcher.watch(folder, RecursiveMode::Recursive).map_err(refused)?;
    }
    Ok(Changes { signals, _watcher: Box::new(watcher) })
}
