//! `nameplate serve`: every REST path and MCP, from the content alone.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use live::{Access, Listener, Options, Service, Store};
use tokio::runtime::{Builder, Runtime};

use crate::args::{Listen, Now, ServeArguments};
use crate::content::{clock, listen, load, snapshot};
use crate::outcome::{Outcome, Refusal};

pub(crate) fn run(arguments: &ServeArguments) -> Result<Outcome, Refusal> {
    start_log();
    let clock = clock(arguments.now.now);
    let Some(checked) = load(&arguments.content.folder, clock)? else {
        return Ok(Outcome::Problems);
    };
    let mode = checked.feed.as_ref().map(|(mode, _)| *mode);
    let store = Arc::new(Store::new(snapshot(checked, clock.now())));
    let mut options = Options::new(access(&arguments.listen));
    if let Some(site) = &arguments.site {
        if !site.is_dir() {
            return Err(Refusal::new(format!("there is no folder {}: build the site first", site.display())));
        }
        options = options.with_site(site.clone());
    }
    let runtime = runtime()?;
    let listener = runtime.block_on(Listener::bind(arguments.listen.address)).map_err(Refusal::new)?;
    let feed = runtime.block_on(listen(&arguments.content.folder, mode, &store))?;
    runtime.spawn(live::keep_true(Arc::clone(&store), clock, feed));
    say_start(&listener, &store, &arguments.now);
    runtime.block_on(serve(listener, Service::new(store, clock, options)))
}

/// Logs go to standard error; `RUST_LOG` says how much.
pub(crate) fn start_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    let is_terminal = io::stderr().is_terminal();
    // A log that cannot be written (a full disk, a reader that has gone) is no reason to stop serving.
    tracing_subscriber::fmt()
        .log_internal_errors(false)
        .with_env_filter(filter)
        .with_ansi(is_terminal)
        .with_writer(io::stderr)
        .init();
}

pub(crate) fn runtime() -> Result<Runtime, Refusal> {
    let runtime = Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| Refusal::new(format!("the machine gives no threads to serve with: {error}")))
}

/// On loopback only loopback's names are answered to.
pub(crate) fn access(listen: &Listen) -> Access {
    if listen.address.ip().is_loopback() { Access::loopback() } else { Access::public() }
}

pub(crate) fn say_start(listener: &Listener, store: &Store, now: &Now) {
    let generation = store.current().directory().generation().clone();
    tracing::info!(address = %listener.address(), %generation, "serving");
    if let Some(moment) = now.now {
        tracing::warn!(now = %moment.to_rfc3339(), "the clock stands still: --now is for tests and demos");
    }
}

/// Serves until the system asks for an end.
pub(crate) async fn serve(listener: Listener, service: Service) -> Result<Outcome, Refusal> {
    let stop = stop_signal()?;
    let drained = listener.serve(service, stop).await;
    tracing::info!(cut = drained.cut, "stopped");
    Ok(Outcome::Done)
}

/// Ends when the system asks the process to end: SIGTERM, or Ctrl-C.
fn stop_signal() -> Result<impl Future<Output = ()>, Refusal> {
    use tokio::signal::unix::{SignalKind, signal};
    let refused = |error| Refusal::new(format!("the machine does not let signals be watched: {error}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(refused)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(refused)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
