//! A service: answers REST and MCP from the content folder.

mod fill;
mod first;

use std::future::pending;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;

use directory::calendar::Freshness;
use directory::told::rfc3339;
use feed::{Clock, FeedOptions, Feeds, Polled, SourceError, Target as _, Zones};
use live::{Admin, Listener, Options, Service, Store, Vitals};
#[cfg(feature = "replicas")]
use replicas::nats::NatsSource;
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal, SignalKind};

use self::first::First;
use crate::content::{Now, clock, report_errors};
use crate::descriptors;
use crate::keeper::Keeper;
use crate::loaded::LoadedContent;
use crate::log;
use crate::outcome::{Outcome, Refusal};
use crate::recently_served::SharedRecent;
use crate::reload::{Logged, Publish, Reload, Replacer, ShrinkPolicy, listen_for, on_hangup};
use crate::settings::{Configuration, FeedChoice, Loaded, ServeFlags, Settings, read};
use crate::state::{StateFolder, feed_before, feed_memory, opened};
use crate::systemd;
use crate::threads;
use crate::watch::{Fingerprint, StartingWatch};

pub(crate) fn run(mut runner: ServiceRunner, hangup: Signal, now: &Now) -> Result<Outcome, Refusal> {
    let (content, folder) = (runner.settings.content.clone(), runner.settings.state.clone());
    let open = |folder: &Path| StateFolder::open(folder, &content, runner.settings.reuse_port);
    let state = opened("state", folder.as_deref().map(open), &runner.vitals)?;
    let kept_feed = match (&state, &folder) {
        (Some(state), _) => state.feed(),
        (None, folder) => folder.as_deref().and_then(|folder| feed_before(folder, &content)),
    };
    if let Some(folder) = folder.filter(|_| state.is_some()) {
        runner.settings.feed.remember_in(&feed_memory(&folder));
    }
    let folders: &[&Path] = if runner.settings.reload { &[&runner.settings.content] } else { &[] };
    let load =
        |folder: &Path, clock| first::read((&runner.settings, &runner.recent), state.as_ref(), folder, clock);
    let Some((changes, First { content, refused, is_held })) = runner.read(folders, load)? else {
        return Ok(Outcome::Problems);
    };
    let mut logged = Logged::default();
    logged.log(&content.checked().warnings);
    let mut broken_feed = None;
    if let LoadedContent::BesideFeed(_, report) = &content {
        let why = report.drawn(false);
        match &runner.settings.feed {
            FeedChoice::Named(_) => {
                tracing::warn!(
                    "a feed file in the content is broken; it is ignored because another feed is configured\n{why}"
                );
            }
            FeedChoice::Found(both) if both.iter().filter(|options| options.is_named()).count() == 1 => {
                broken_feed = Some(why);
            }
            FeedChoice::Found(_) | FeedChoice::None => {
                report_errors(report)?;
                return Ok(Outcome::Problems);
            }
        }
    }
    let kept_at = if let LoadedContent::LastGood(kept) = &content { Some(kept.at) } else { None };
    let served = runner.fill(content, kept_feed)?;
    if let Some(before) = state.as_ref().and_then(StateFolder::history) {
        let contents = served.store.current().history().contents().clone();
        served.store.tell(before.followed_by(contents));
    }
    if let Some(why) = broken_feed {
        let feed = served.feeds.current();
        let is_known = feed.is_some_and(|feed| feed.judgment().freshness != Freshness::Expired);
        let meanwhile = if is_known {
            "its data from before the restart is used until it expires"
        } else {
            "there are no openings"
        };
        tracing::error!("the feed is broken; until it is corrected, {meanwhile}\n{why}");
    }
    if let Some((kept_at, why)) = kept_at.zip(refused) {
        let at = rfc3339(kept_at);
        tracing::error!(
            kept_at = at,
            "serving the copy kept before the restart, not the content folder: {why}"
        );
        // Held content is reported as such when it is read again.
        if !is_held {
            runner.vitals.content_refused(why);
        }
        runner.vitals.last_good_served(kept_at);
    }
    let keeper = state.map(|state| runner.keep(&served, state));
    if let Some(keeper) = keeper.as_ref().filter(|_| kept_at.is_none()) {
        _ = keeper.send(());
    }
    let requests = runner.follow(&served, changes, hangup, None, logged, keeper)?;
    if is_held {
        // It differs from the kept content that is served, so reading it again holds it.
        _ = requests.send(());
    }
    let options = runner.options();
    runner.serve(&served, options, now)
}

/// Reads the settings and starts the log. `None`: the settings were printed instead.
pub(crate) fn read_settings(
    flags: &Configuration,
    own: Option<&ServeFlags>,
) -> Result<Option<Settings>, Refusal> {
    match read(flags, own)? {
        Loaded::Printed(text) => {
            io::stdout().lock().write_all(text.as_bytes())?;
            Ok(None)
        }
        Loaded::Settings(settings, warnings) => {
            log::start(&settings.log, own.is_none());
            for warning in warnings {
                tracing::warn!("{warning}");
            }
            Ok(Some(*settings))
        }
    }
}

/// A service whose settings are read and whose addresses are bound. Its content is not read yet.
pub(crate) struct ServiceRunner {
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) listener: Listener,
    pub(crate) vitals: Arc<Vitals>,
    pub(crate) threads: Handle,
    recent: SharedRecent,
}

pub(crate) struct FilledStore {
    pub(crate) store: Arc<Store>,
    pub(crate) feeds: Feeds,
}

impl ServiceRunner {
    /// Binds the addresses, unless there is a socket, and starts to answer operators. SIGHUP, which would end the process by
    /// default, is handled from here on; one before [`ServiceRunner::follow`] is kept until then.
    pub(crate) fn start(
        mut settings: Settings,
        now: &Now,
        socket: Option<TcpListener>,
    ) -> Result<(Self, Signal), Refusal> {
        let (listen, port) = (settings.listen, settings.listen.port());
        let is_shared = |admin: &SocketAddr| {
            let every = admin.ip().is_unspecified() || listen.ip().is_unspecified();
            admin.port() == port && port != 0 && (every || admin.ip() == listen.ip())
        };
        if settings.admin.as_ref().is_some_and(is_shared) {
            return Err(Refusal::new(format!(
                "--listen and --admin both use port {port}: give --admin another, as in --admin {}",
                if port == 9090 { 9091 } else { 9090 }
            )));
        }
        if let Some(fault) = clock(now.now).fault() {
            return Err(Refusal::new(format!("{fault} and start again")).passing());
        }
        settings.limits.connections = descriptors::connections_that_fit(settings.limits.connections);
        let threads = threads::start("to serve requests")?;
        let hangup = threads.block_on(async { listen_for(SignalKind::hangup()) })?;
        let bind = |address, reuse_port, flag: &str| {
            let bound = threads.block_on(async { Listener::bind(address, reuse_port) });
            bound.map_err(|error| {
                let refusal = Refusal::new(format!("{error}; try {flag} {}", error.other()));
                if error.may_pass() { refusal.passing() } else { refusal }
            })
        };
        let listener = match socket {
            Some(socket) => threads.block_on(async { Listener::passed(socket) }).map_err(Refusal::new)?,
            None => bind(settings.listen, settings.reuse_port, "--listen")?,
        };
        let vitals = Arc::new(Vitals::new());
        if let Some(dropped) = log::dropped() {
            vitals.log_drops(dropped);
        }
        if let Some(address) = settings.admin {
            let admin = bind(address, settings.reuse_port, "--admin")?;
            tracing::info!(admin = %admin.address(), "admin address ready");
            let (limits, access) = (settings.limits, settings.access());
            let service = Admin::service(Arc::clone(&vitals), clock(now.now), limits, access);
            // Operators are answered until the process ends, also during a stop.
            threads.spawn(async move { admin.serve(service, pending()).await });
        }
        let (clock, recent) = (clock(now.now), SharedRecent::default());
        Ok((Self { settings, clock, listener, vitals, threads, recent }, hangup))
    }

    /// Reads the content with `load`; `None` if it has errors, which were reported. Watching the folders starts after
    /// that; edits made in the meantime are noticed by their fingerprint.
    pub(crate) fn read<T>(
        &self,
        folders: &[&Path],
        load: impl FnOnce(&Path, Clock) -> Result<Option<T>, Refusal>,
    ) -> Result<Option<(StartingWatch, T)>, Refusal> {
        let before = Fingerprint::compute(folders.iter().copied());
        let Some(read) = load(&self.settings.content, self.clock)? else { return Ok(None) };
        Ok(Some((StartingWatch::spawn(folders, before), read)))
    }

    /// Answers with another service until something has ended, which may block.
    pub(crate) fn answer_until(&self, service: Service, end: impl FnOnce() + Send + 'static) {
        let end = self.threads.spawn_blocking(end);
        self.threads.block_on(self.listener.answer_until(service, async { _ = end.await }));
    }

    fn listen(
        &self,
        store: Store,
        first: Option<FeedOptions>,
        candidates: Vec<FeedOptions>,
    ) -> Result<FilledStore, Refusal> {
        let (feeds, store) = (Feeds::default(), Arc::new(store));
        if let Some(first) = first {
            self.threads.block_on(listen(&feeds, first, &store, self.clock)).map_err(Refusal::new)?;
        }
        if !candidates.is_empty() {
            let (feeds, store, clock) = (feeds.clone(), Arc::clone(&store), self.clock);
            self.threads.spawn(async move { feeds.find(candidates, &store, clock).await });
        }
        self.threads.spawn(live::keep_true(Arc::clone(&store), self.clock, feeds.clone()));
        self.vitals.loaded(Arc::clone(&store), feeds.clone());
        let vitals = Arc::clone(&self.vitals);
        self.threads.spawn(async move { vitals.remind().await });
        Ok(FilledStore { store, feeds })
    }

    /// Reads new content from now on, at each change and each SIGHUP. With `publish`, a loss of clinicians is only warned
    /// about. `keeper` is asked to keep new content. Returns a sender of requests to read it.
    pub(crate) fn follow(
        &self,
        served: &FilledStore,
        changes: StartingWatch,
        hangup: Signal,
        publish: Option<Publish>,
        logged: Logged,
        keeper: Option<mpsc::Sender<()>>,
    ) -> Result<mpsc::Sender<()>, Refusal> {
        let changes = changes.done()?;
        let requests = changes.requests();
        self.threads.spawn(on_hangup(hangup, requests.clone(), ()));
        let reload = Reload {
            content: self.settings.content.clone(),
            replacer: self.replacer(served, publish, logged),
            keeper,
        };
        thread::spawn(move || reload.run(changes));
        Ok(requests)
    }

    /// Keeps what is served for the next start, whenever the returned sender asks for it or an operator has accepted
    /// content. Accepting does not read the folder again: if it has changed since, the copy fails and is tried again.
    fn keep(&self, served: &FilledStore, state: StateFolder) -> mpsc::Sender<()> {
        let (sender, asked) = mpsc::channel();
        self.vitals.notify_on_accept(sender.clone());
        let keeper = Keeper {
            state,
            store: Arc::clone(&served.store),
            feeds: served.feeds.clone(),
            vitals: Arc::clone(&self.vitals),
            clock: self.clock,
            recent: Arc::clone(&self.recent),
        };
        thread::spawn(move || keeper.run(&asked));
        sender
    }

    pub(crate) fn replacer(
        &self,
        served: &FilledStore,
        publish: Option<Publish>,
        logged: Logged,
    ) -> Replacer {
        let max_shrink = self.settings.content_max_shrink;
        let shrink = match publish {
            None => ShrinkPolicy::Hold(max_shrink),
            Some(_) => ShrinkPolicy::Warn(max_shrink),
        };
        Replacer {
            clock: self.clock,
            store: Arc::clone(&served.store),
            feeds: served.feeds.clone(),
            vitals: Arc::clone(&self.vitals),
            threads: self.threads.clone(),
            publish,
            shrink,
            recent: Arc::clone(&self.recent),
            logged,
        }
    }

    pub(crate) fn options(&self) -> Options {
        let Settings { limits, proxies, log, site, .. } = &self.settings;
        Options {
            proxies: proxies.clone(),
            site: site.clone(),
            vitals: Arc::clone(&self.vitals),
            access_log: log.access,
            ..Options::new(self.settings.access(), *limits)
        }
    }

    pub(crate) fn serve(self, served: &FilledStore, options: Options, now: &Now) -> Result<Outcome, Refusal> {
        let generation = served.store.current().directory().generation().clone();
        // Who reads that it serves may stop it at once.
        let stop = {
            let _runtime = self.threads.enter();
            stop_signal()?
        };
        tracing::info!(address = %self.listener.address(), %generation, "serving");
        if let Some(instant) = now.now {
            tracing::warn!(now = %instant.to_rfc3339(), "the clock is stopped: --now is for tests and demos");
        }
        // `dev` builds the pages of each edit itself.
        if let Some(folder) = options.site.clone().filter(|_| options.dev.is_none()) {
            let vitals = Arc::clone(&self.vitals);
            thread::spawn(move || vitals.follow_static(&folder));
        }
        let service = Service::new(Arc::clone(&served.store), self.clock, options);
        let listener = self.listener;
        let drained = self.threads.block_on(async {
            systemd::ready(&self.threads);
            let stop = async {
                stop.await;
                systemd::stopping();
            };
            listener.serve(service, stop).await
        });
        tracing::info!(cut = drained.cut, "stopped");
        Ok(Outcome::Done)
    }
}

fn stop_signal() -> Result<impl Future<Output = ()>, Refusal> {
    let mut terminate = listen_for(SignalKind::terminate())?;
    let mut interrupt = listen_for(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

async fn listen(
    feeds: &Feeds,
    options: FeedOptions,
    store: &Arc<Store>,
    clock: Clock,
) -> Result<(), SourceError> {
    #[cfg(feature = "replicas")]
    if let Some(bucket) = NatsSource::from_options(&options) {
        feeds.listen(options, bucket, store, clock).await;
        return Ok(());
    }
    let zones = Arc::clone(store);
    let source = Polled::of(&options)?
        .with_zones(Zones(Arc::new(move |slug| zones.with_directory(|directory| directory.zone_of(slug)))));
    feeds.listen(options, source, store, clock).await;
    Ok(())
}
