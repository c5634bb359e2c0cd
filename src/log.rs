//! The log of a service, on standard error: text, or a JSON object on each line. With JSON, errors at the start and panics are
//! JSON, too: log collectors drop other lines, or stop at them.

use std::io;
use std::panic;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::ValueEnum;
use directory::visible;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Filter, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Registry, fmt, registry};

use crate::log_writer::LogWriter;
use crate::terminal::{self, has_colors};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Log {
    pub(crate) format: LogFormat,
    #[serde(deserialize_with = "level")]
    pub(crate) level: String,
    pub(crate) access: bool,
}

static STARTED: OnceLock<(LogFormat, LogWriter)> = OnceLock::new();
/// The longest time that the end of the process waits for the last lines.
const LAST_LINES: Duration = Duration::from_secs(1);

/// `is_plain` leaves out the time and the module of each line, for a person at a terminal.
pub(crate) fn start(log: &Log, is_plain: bool) {
    // `notify` logs false errors when an editor saves by renaming, and `async_nats` every connection: they are set to
    // `warn`, unless the whole level is quieter. A directive such as `notify=info` comes later and wins.
    let filter = |directives: &str| {
        let parsed = directives.replace(' ', "").parse::<Targets>();
        parsed.unwrap_or_else(|_| Targets::new().with_default(LevelFilter::INFO))
    };
    let level = if terminal::is_quiet() { "error" } else { &log.level };
    let configured = filter(level);
    let most = <Targets as Filter<Registry>>::max_level_hint(&configured);
    let is_quiet = most.is_some_and(|level| level <= LevelFilter::WARN);
    let filter =
        if is_quiet { configured } else { filter(&format!("notify=warn,async_nats=warn,{}", log.level)) };
    let (_, writer) = STARTED.get_or_init(|| {
        let format = log.format;
        let is_styled = has_colors(&io::stderr());
        let show = move |event: &str| {
            if !is_plain {
                return shown(format, is_styled, event);
            }
            let event = event.trim_start();
            let told = [("WARN ", "warning: "), ("ERROR ", "error: ")]
                .iter()
                .find_map(|(level, word)| Some(format!("{word}{}", event.strip_prefix(level)?)));
            shown(format, false, told.as_deref().unwrap_or(event))
        };
        (format, LogWriter::start(io::stderr(), show, move |lines| dropped_lines(format, lines)))
    });
    let writer = writer.clone();
    let lines = fmt::layer()
        .log_internal_errors(false)
        .with_ansi(has_colors(&io::stderr()))
        .with_writer(move || writer.clone());
    let is_first = match log.format {
        LogFormat::Text if is_plain => {
            let lines = lines.without_time().with_target(false).with_ansi(false);
            registry().with(filter).with(lines).try_init()
        }
        LogFormat::Text => registry().with(filter).with(lines).try_init(),
        LogFormat::Json => registry().with(filter).with(lines.json().flatten_event(true)).try_init(),
    };
    if is_first.is_ok() && log.format == LogFormat::Json {
        panic::set_hook(Box::new(log_panic));
    }
}

/// A log level. An unknown word is refused: it would be read as a module's name and silence all other modules.
fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_level = |word: &str| word.parse::<tracing::Level>().is_ok() || word == "off";
    let is_directive = |directive: &str| match directive.rsplit_once('=') {
        Some((module, word)) => !module.is_empty() && is_level(word),
        None => is_level(directive),
    };
    if text.split(',').all(|directive| is_directive(directive.trim())) {
        return Ok(text);
    }
    Err(D::Error::custom(format!(
        "\"{text}\" isn't a valid level: write error, warn, info, debug, or trace, or module=level after a comma"
    )))
}

pub(crate) fn finish() {
    if let Some((_, writer)) = STARTED.get() {
        writer.flush(LAST_LINES);
    }
}

/// The counter of lines that were dropped because the reader of the log was too slow.
pub(crate) fn dropped() -> Option<Arc<AtomicU64>> {
    STARTED.get().map(|(_, writer)| writer.dropped())
}

/// An event without what controls a terminal. Further lines of a text are indented, so that what a publisher or a file says
/// can't look like a separate event. tracing-subscriber escapes the ESC in values if it writes colors.
fn shown(format: LogFormat, is_styled: bool, event: &str) -> String {
    let (event, end) = event.strip_suffix('\n').map_or((event, ""), |event| (event, "\n"));
    let show = |text: &str| match format {
        LogFormat::Text => visible::lines(text).replace('\n', "\n  "),
        LogFormat::Json => visible::line(text).into_owned(),
    };
    let shown = if is_styled {
        event.split('\u{1b}').map(show).collect::<Vec<_>>().join("\u{1b}")
    } else {
        show(event)
    };
    shown + end
}

fn dropped_lines(format: LogFormat, lines: u64) -> String {
    let what = "lines of the log were dropped: its reader was too slow";
    match format {
        LogFormat::Text => format!("WARN nameplate::log: {lines} {what}"),
        LogFormat::Json => {
            serde_json::json!({"level": "WARN", "lines": lines, "message": format!("{lines} {what}")})
                .to_string()
        }
    }
}

/// Starts a JSON log for a start that fails before all settings are known.
pub(crate) fn start_as_json() {
    start(&Log { format: LogFormat::Json, level: "error".to_owned(), access: false }, false);
}

/// Logs an error if the log is JSON. Returns false otherwise: then the caller prints it.
pub(crate) fn json_error(text: impl FnOnce() -> String) -> bool {
    let is_json = STARTED.get().is_some_and(|(format, _)| *format == LogFormat::Json)
        && tracing::enabled!(tracing::Level::ERROR);
    if is_json {
        tracing::error!("{}", text());
    }
    is_json
}

fn log_panic(info: &panic::PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "a thread panicked: {}", info.payload_as_str().unwrap_or("not a text"));
    // A panic of the main thread ends the process.
    if std::thread::current().name() == Some("main") {
        finish();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_event_cannot_look_like_two_or_control_a_terminal() {
        let event = "WARN feed: a\nERROR forged\u{202e}\u{9b}2J\u{1b}[0m\n";
        let plain = "WARN feed: a\n  ERROR forged\u{fffd}\u{fffd}2J\u{fffd}[0m\n";
        assert_eq!(shown(LogFormat::Text, false, event), plain);
        assert_eq!(shown(LogFormat::Text, true, event), plain.replace("\u{fffd}[0m", "\u{1b}[0m"));
        assert_eq!(shown(LogFormat::Json, false, "{\"a\":\"\u{9b}\"}\n"), "{\"a\":\"\u{fffd}\"}\n");
    }

    #[test]
    fn a_panic_is_one_line_of_json() {
        let written = Buffer::default();
        let to = written.clone();
        let json = tracing_subscriber::fmt().json().flatten_event(true).with_writer(move || to.clone());
        let before = panic::take_hook();
        panic::set_hook(Box::new(log_panic));
        let caught =
            tracing::subscriber::with_default(json.finish(), || panic::catch_unwind(|| panic!("two\nlines")));
        panic::set_hook(before);
        assert!(caught.is_err());
        let written = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert_eq!(written.lines().count(), 1, "{written}");
        let line: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!(line["message"], "a thread panicked: two\nlines");
        assert!(line["place"].as_str().unwrap().contains("log.rs:"), "{line}");
    }
}
