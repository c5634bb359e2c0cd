//! `nameplate serve`: every REST path and MCP, from the content alone.

use std::future::pending;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use directory::Snapshot;
use directory::calendar::{Calendar, Instant};
use directory::content::{Checked, FolderFeed};
use live::feed::{FeedOptions, Feeds};
use live::{Admin, Clock, Listener, Options, Service, Store, Vitals};
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal, SignalKind};

use crate::args::{Configuration, Now, ServeArguments};
use crate::content::{Readable, clock, load_to_serve, snapshot, tell_errors};
use crate::log;
use crate::outcome::{Outcome, Refusal};
use crate::reload::{Reload, ShrinkPolicy, log_warnings, on_hangup, watched};
use crate::settings::{FeedChoice, Read, Settings, read};
use crate::threads;
use crate::watch::{Beginning, Marks};

pub(crate) fn run(arguments: &ServeArguments) -> Result<Outcome, Refusal> {
    let Some(settings) = settle(&arguments.configuration, arguments.site.as_deref())? else {
        return Ok(Outcome::Done);
    };
    #[expect(clippy::disallowed_methods, reason = "looks whether the folder is there, not into it")]
    let missing = settings.site.as_ref().filter(|site| !site.is_dir());
    if let Some(site) = missing {
        return Err(Refusal::new(format!("there is no folder {}: build the site first", site.display())));
    }
    let (machine, hangup) = Machine::start(settings, &arguments.now)?;
    let folders: &[&Path] = if machine.settings.reload { &[&machine.settings.content] } else { &[] };
    let Some((changes, readable)) = machine.read(folders, load_to_serve)? else {
        return Ok(Outcome::Problems);
    };
    log_warnings(&readable.checked().warnings);
    if let Readable::BesideFeed(_, report) = &readable {
        let why = report.drawn(false);
        match &machine.settings.feed {
            FeedChoice::Named(_) => {
                tracing::warn!(
                    "a feed file in the content is broken; it is not read, as another feed is configured\n{why}"
                );
            }
            FeedChoice::Found(both) if both.iter().filter(|options| options.is_named()).count() == 1 => {
                tracing::error!(
                    "the feed is broken, and nobody is told of open times until it is mended\n{why}"
                );
            }
            FeedChoice::Found(_) => {
                tell_errors(report)?;
                return Ok(Outcome::Problems);
            }
        }
    }
    let served = machine.fill(readable)?;
    let mut options = machine.options();
    if let Some(site) = &machine.settings.site {
        options = options.with_site(site.clone());
    }
    machine.follow(&served, changes, hangup, None)?;
    machine.serve(&served, options, &arguments.now)
}

/// The settings of a command; `None` when they were to be printed, and have been.
pub(crate) fn settle(flags: &Configuration, site: Option<&Path>) -> Result<Option<Settings>, Refusal> {
    match read(flags, site)? {
        Read::Printed(text) => {
            io::stdout().lock().write_all(text.as_bytes())?;
            Ok(None)
        }
        Read::Settings(settings, strange) => {
            log::start(&settings.log);
            for strange in strange {
                tracing::warn!("{strange}");
            }
            Ok(Some(*settings))
        }
    }
}

/// What a service runs on: everything that can be refused before any content is read.
pub(crate) struct Machine {
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) listener: Listener,
    pub(crate) vitals: Arc<Vitals>,
    threads: Handle,
}

/// What is served, and what makes it true.
pub(crate) struct Served {
    pub(crate) store: Arc<Store>,
    feeds: Feeds,
}

impl Machine {
    /// Takes the addresses; operators are answered from now on, and may ask for new content: what they ask while the
    /// first is being read is kept for [`Machine::follow`], where it would else end the process.
    pub(crate) fn start(settings: Settings, now: &Now) -> Result<(Self, Signal), Refusal> {
        if settings.admin == Some(settings.listen) && settings.listen.port() != 0 {
            let address = settings.listen;
            return Err(Refusal::new(format!(
                "--listen and --admin both name {address}; give operators a port of their own"
            )));
        }
        let threads = threads::start()
            .map_err(|error| Refusal::new(format!("the machine gives no threads to serve with: {error}")))?;
        let hangup = threads.block_on(async { watched(SignalKind::hangup()) })?;
        let bind = |address, flag: &str| {
            let bound = threads.block_on(Listener::bind(address));
            bound
                .map_err(|error| Refusal::new(format!("{error}; name another address with {flag} ADDR:PORT")))
        };
        let listener = bind(settings.listen, "--listen")?;
        let vitals = Arc::new(Vitals::new());
        if let Some(address) = settings.admin {
            let admin = bind(address, "--admin")?;
            tracing::info!(admin = %admin.address(), "answering operators");
            let service = Admin::service(Arc::clone(&vitals), clock(now.now), settings.limits);
            // Operators are answered to the very end: the process ends it.
            threads.spawn(async move { admin.serve(service, pending()).await });
        }
        Ok((Self { settings, clock: clock(now.now), listener, vitals, threads }, hangup))
    }

    /// Reads the content in one of the ways to do it; `None` when it has errors, which have been told. The folders
    /// are watched after that, and what was edited meanwhile counts as edited then.
    pub(crate) fn read<T>(
        &self,
        folders: &[&Path],
        load: impl FnOnce(&Path, Clock) -> Result<Option<T>, Refusal>,
    ) -> Result<Option<(Beginning, T)>, Refusal> {
        let before = Marks::of(folders.iter().copied());
        let Some(read) = load(&self.settings.content, self.clock)? else { return Ok(None) };
        Ok(Some((Beginning::of(folders, before), read)))
    }

    /// Fills a store from content, and begins to listen to its feed.
    pub(crate) fn fill(&self, readable: Readable) -> Result<Served, Refusal> {
        let feeds = Feeds::none();
        let now = self.clock.now();
        let unread = |checked: Checked, feed: &FeedOptions| {
            // Until the feed has been read nobody knows what is open.
            let snapshot = Snapshot::new(checked.directory);
            let calendar = Calendar::with_feed(snapshot.directory(), feed.mode(), Instant::ceil(now));
            (Store::new(snapshot.with_calendar(calendar)), Some(feed.clone()))
        };
        let mut candidates = Vec::new();
        let (store, first) = match (&self.settings.feed, readable) {
            (FeedChoice::Named(options), readable) => unread(readable.into_checked(), options),
            (FeedChoice::Found(both), Readable::BesideFeed(checked, _)) => {
                let only = both.iter().find(|options| options.is_named());
                let gone = || Refusal::new("the feed file went away while the content was read: start again");
                unread(checked, only.ok_or_else(gone)?)
            }
            (FeedChoice::Found(both), Readable::Whole(checked)) => {
                let mode = checked.feed.as_ref().map(FolderFeed::mode);
                candidates = both.to_vec();
                let first = candidates.iter().find(|options| Some(options.mode()) == mode).cloned();
                if first.is_none() {
                    tracing::info!(
                        "no feed is named and none is in the content folder: all weekly hours are offered"
                    );
                }
                (Store::new(snapshot(checked, now)), first)
            }
        };
        let store = Arc::new(store);
        if let Some(first) = first {
            self.threads.block_on(feeds.listen(first, &store, self.clock)).map_err(Refusal::new)?;
        }
        if !candidates.is_empty() {
            let (feeds, store, clock) = (feeds.clone(), Arc::clone(&store), self.clock);
            self.threads.spawn(async move { feeds.find(candidates, &store, clock).await });
        }
        self.threads.spawn(live::keep_true(Arc::clone(&store), self.clock, feeds.clone()));
        self.vitals.loaded(Arc::clone(&store), feeds.clone());
        Ok(Served { store, feeds })
    }

    /// Takes up new content from now on, when it changes and when somebody asks. With `publish` it is an
    /// editor's: content from which clinicians vanished is not held back.
    pub(crate) fn follow(
        &self,
        served: &Served,
        changes: Beginning,
        hangup: Signal,
        publish: Option<crate::reload::Publish>,
    ) -> Result<(), Refusal> {
        let changes = changes.done()?;
        let asking = changes.asking();
        self.threads.spawn(on_hangup(hangup, asking));
        let max_shrink = self.settings.content_max_shrink;
        let shrink = match publish {
            None => ShrinkPolicy::Hold(max_shrink),
            Some(_) => ShrinkPolicy::Tell(max_shrink),
        };
        let reload = Reload {
            content: self.settings.content.clone(),
            clock: self.clock,
            store: Arc::clone(&served.store),
            feeds: served.feeds.clone(),
            vitals: Arc::clone(&self.vitals),
            threads: self.threads.clone(),
            publish,
            shrink,
        };
        thread::spawn(move || reload.on(changes));
        Ok(())
    }

    /// What the settings say of a service.
    pub(crate) fn options(&self) -> Options {
        let Settings { access, limits, log, .. } = &self.settings;
        Options::new(access.clone())
            .with_limits(*limits)
            .with_vitals(Arc::clone(&self.vitals))
            .with_access_log(log.access)
    }

    /// Serves until the system asks for an end.
    pub(crate) fn serve(self, served: &Served, options: Options, now: &Now) -> Result<Outcome, Refusal> {
        let generation = served.store.current().directory().generation().clone();
        tracing::info!(address = %self.listener.address(), %generation, "serving");
        if let Some(moment) = now.now {
            tracing::warn!(now = %moment.to_rfc3339(), "the clock stands still: --now is for tests and demos");
        }
        let service = Service::new(Arc::clone(&served.store), self.clock, options);
        let listener = self.listener;
        let drained = self.threads.block_on(async {
            let stop = stop_signal()?;
            Ok::<_, Refusal>(listener.serve(service, stop).await)
        })?;
        tracing::info!(cut = drained.cut, "stopped");
        Ok(Outcome::Done)
    }
}

/// Ends when the system asks the process to end: SIGTERM, or Ctrl-C.
fn stop_signal() -> Result<impl Future<Output = ()>, Refusal> {
    let mut terminate = watched(SignalKind::terminate())?;
    let mut interrupt = watched(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
