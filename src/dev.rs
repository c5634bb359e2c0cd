//! `nameplate dev`: builds, serves everything on one port, and builds again on every change. The mistakes of a broken edit are
//! shown in the terminal and in the browser; the API serves the last good content.

use std::cell::RefCell;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::Path;
#[cfg(feature = "demo")]
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use directory::Snapshot;
use directory::content::Report;
use directory::told::count;
use feed::FeedStatus;
use generator::{BuildError, BuildOptions, Summary, Watching, WriteError};
use live::Options;

use crate::build::{Tree, is_of_publishing, options};
use crate::content::{Content, Now, clock, content_flag, load};
use crate::loaded::LoadedContent;
use crate::outcome::{Outcome, Refusal};
use crate::progress::while_slow;
use crate::reload::{Logged, Publish, warning_line};
use crate::serve::{ServiceRunner, read_settings};
use crate::settings::{Configuration, FeedChoice};
use crate::systemd;
use crate::terminal::is_quiet;
use crate::watch::{Edits, Fingerprint, StartingWatch};

/// The number of attempts to build while another build holds the output's lock.
const RETRIES: u32 = 120;
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

#[derive(Debug, Args)]
#[command(mut_arg("content", |flag| flag.value_name("DIR").help("The content folder [default: content]")))]
#[command(mut_arg("listen", |flag| flag.help("The address to listen on, or only a port [default: 127.0.0.1:8080, or the next free port]")))]
// What `build` wrote for a host, or a draft that must not be served, isn't for `dev` to replace.
#[command(mut_arg("out", |flag| flag.default_value(".nameplate/dev")))]
pub(crate) struct DevArguments {
    #[command(flatten)]
    configuration: Configuration,
    #[command(flatten)]
    tree: Tree,
    #[command(flatten)]
    now: Now,
    /// Read the calendars in the settings; otherwise all weekly hours are offered
    #[arg(long, display_order = 2)]
    feed: bool,
}

impl DevArguments {
    #[cfg(feature = "demo")]
    pub(crate) fn of(content: PathBuf, out: PathBuf, listen: Option<SocketAddr>) -> Self {
        let configuration =
            Configuration { content: Some(content), listen, is_demo: true, ..Configuration::default() };
        Self { configuration, tree: Tree { out, site: None }, now: Now { now: None }, feed: false }
    }
}

pub(crate) fn run(arguments: &DevArguments) -> Result<Outcome, Refusal> {
    serve(arguments, systemd::passed_socket()?, &|address| {
        format!("Your site is at http://{address}/ until you press Ctrl+C. API: /v1/states, MCP: /api/mcp.\n")
    })
}

pub(crate) fn serve(
    arguments: &DevArguments,
    socket: Option<TcpListener>,
    greet: &dyn Fn(SocketAddr) -> String,
) -> Result<Outcome, Refusal> {
    let Some(mut settings) = read_settings(&arguments.configuration, None)? else {
        return Ok(Outcome::Done);
    };
    if settings.is_bucket() {
        return Err(Refusal::new(
            "dev builds from a folder, not from an object store: name it with --content DIR",
        ));
    }
    if settings.site.is_some() || !settings.reload || settings.state.is_some() {
        tracing::warn!(
            "dev serves the site it builds and follows each change, so it ignores `static`, `reload`, and `state`"
        );
    }
    if arguments.feed && !settings.feed.is_named() {
        return Err(Refusal::new("--feed needs a [feed] in the settings: add --config nameplate.toml"));
    }
    // An editor who starts it often must not cost the service its welcome at the calendars' servers.
    if !arguments.feed && settings.feed.calendars().is_some() {
        tracing::warn!("dev doesn't read the calendars and offers all weekly hours: add --feed to read them");
        settings.feed = FeedChoice::None;
    }
    // A port that was chosen is kept: a link or another program may rely on it.
    let usual = settings.usual_listen;
    let socket = socket.or_else(|| usual.and_then(usual_or_next));
    let (runner, hangup) = ServiceRunner::start(settings, &arguments.now, socket)?;
    let content = &runner.settings.content;
    let site = arguments.tree.site.as_deref();
    let folders: Vec<&Path> = std::iter::once(content.as_path()).chain(site).collect();
    let (changes, checked) = loop {
        let before = Fingerprint::compute(folders.iter().copied());
        if let Some(read) = runner.read(&folders, load)? {
            break read;
        }
        writeln!(
            io::stderr(),
            "dev starts at http://{}/ once this is fixed: it reads the content again after each change",
            reachable(runner.listener.address())
        )?;
        let mut changes = StartingWatch::spawn(&folders, before).done()?;
        let (limits, access) = (runner.settings.limits, runner.settings.access());
        runner.answer_until(live::waiting(limits, access), move || changes.wait());
    };
    let out = &arguments.tree.out;
    let _watching = Watching::start(out).map_err(|error| match error {
        WriteError::Busy(_) => Refusal::new(format!(
            "another `nameplate dev` publishes to {}: stop it, or name another folder with --out",
            out.display()
        )),
        error => Refusal::new(error),
    })?;
    let warnings = warning_summary(&checked.warnings, content);
    let logged = Logged::of(&checked.warnings);
    let build = builder(content, &arguments.tree);
    let served = runner.fill(LoadedContent::Whole(checked), None)?;
    let listens = runner.listener.address();
    let address = reachable(listens);
    let notes = match while_slow("Building the site", || build(&served.store.current())) {
        Ok(summary) => {
            let notes = summary.notes.iter().filter(|note| !is_of_publishing(note));
            notes.map(|note| format!("note: {note}")).collect()
        }
        // The portrait was changed after the check: the change is picked up next.
        Err(error @ BuildError::Portrait(_)) => {
            tracing::error!("{error}");
            runner.vitals.content_refused(error.to_string());
            Vec::new()
        }
        Err(error) => return Err(Refusal::new(error)),
    };
    let (edits, vitals) = (RefCell::new(Edits::of(&folders)), Arc::clone(&runner.vitals));
    let publish: Publish = Box::new(move |snapshot| {
        let summary = build(snapshot).map_err(Refusal::new)?;
        let edited = edits.borrow_mut().take().map(|edited| format!("{edited}: {}", what_changed(&summary)));
        let healed = vitals.refuses_content().then(|| "the content is served again".to_owned());
        let told: Vec<_> = edited.into_iter().chain(healed).collect();
        if !told.is_empty() && !is_quiet() {
            _ = writeln!(io::stderr(), "{}", told.join("; "));
        }
        Ok(summary.to_string())
    });
    let options = Options { site: Some(arguments.tree.out.clone()), ..runner.options() };
    _ = runner.follow(&served, changes, hangup, Some(publish), logged, None)?;
    let mut lines = io::stderr().lock();
    if let Some(usual) = usual.filter(|usual| usual.port() != address.port()) {
        writeln!(lines, "Port {} is in use.", usual.port())?;
    }
    write!(lines, "{}", greet(address))?;
    if !listens.ip().is_loopback() {
        writeln!(lines, "It listens on {listens}: other computers on this network can open it, too.")?;
    }
    let calendars = runner.settings.feed.calendars().zip(served.feeds.current());
    let read = calendars.map(|(options, read)| {
        let retry = format!("{}{}", options.calendars, content_flag(content));
        calendars_in_words(&read.status(), &retry)
    });
    let mut told = read.iter().chain(&warnings).chain(&notes).filter(|_| !is_quiet());
    told.try_for_each(|line| writeln!(lines, "{line}"))?;
    drop(lines);
    runner.serve(&served, options.for_development(address), &arguments.now)
}

/// A line for each warning, except that placeholders share one; then where to read what to do.
fn warning_summary(warnings: &Report, content: &Path) -> Vec<String> {
    let shown = warnings.problems().iter().filter(|warning| !is_of_publishing(warning.what()));
    let (examples, others): (Vec<_>, Vec<_>) = shown.partition(|warning| warning.is_of_example());
    let mut lines: Vec<String> =
        others.into_iter().map(|warning| format!("warning: {}", warning_line(warnings, warning))).collect();
    if let number @ 1.. = examples.len() {
        lines.push(format!("{} to replace before you publish", count(number, "placeholder")));
    }
    lines.extend(warnings.unlisted());
    if !lines.is_empty() {
        lines.push(format!(
            "Run `nameplate check{}` to see each place and what to do.",
            content_flag(content)
        ));
    }
    lines
}

fn calendars_in_words(status: &FeedStatus, retry: &str) -> String {
    let read = match status.parts().len() {
        0 => "No calendar could be read.".to_owned(),
        calendars => format!("Read {}. Busy times aren't offered.", count(calendars, "calendar")),
    };
    let unknown: Vec<_> = status.judgment().unknown.iter().map(ToString::to_string).collect();
    match unknown.as_slice() {
        [] => read,
        _ => format!(
            "{read} Without openings: {}. Run `nameplate check --feed {retry}` to see why.",
            unknown.join(", ")
        ),
    }
}

fn what_changed(summary: &Summary) -> String {
    match (summary.pages, summary.answers) {
        (0, 0) => "no page and no API response changed".to_owned(),
        (pages, answers) => {
            format!("{} and {} changed", count(pages, "page"), count(answers, "API response"))
        }
    }
}

/// Takes the usual port, the next free one, or any, and keeps it so that no other program can take it.
fn usual_or_next(usual: SocketAddr) -> Option<TcpListener> {
    let ports = (usual.port()..=usual.port().saturating_add(9)).chain([0]);
    ports.into_iter().find_map(|port| TcpListener::bind((usual.ip(), port)).ok())
}

/// The address that a browser on this machine can open: loopback instead of an unspecified address.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

/// Builds the tree. Any number of clinicians may vanish; the log warns of it.
fn builder(content: &Path, tree: &Tree) -> impl Fn(&Snapshot) -> Result<Summary, BuildError> + Send + use<> {
    let content = Content { folder: content.to_owned() };
    let options = BuildOptions { max_shrink: None, ..options(&content, tree) };
    move |snapshot| {
        let options = BuildOptions { time: clock(None).now(), ..options.clone() };
        retry_while_busy(|| generator::build(snapshot, &options))
    }
}

fn retry_while_busy(build: impl Fn() -> Result<Summary, BuildError>) -> Result<Summary, BuildError> {
    for _ in 0..RETRIES {
        match build() {
            Err(BuildError::Write(WriteError::Busy(_))) => thread::sleep(RETRY_INTERVAL),
            ended => return ended,
        }
    }
    build()
}
