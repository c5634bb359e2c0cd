//! The log of a service, on standard error: text for people, or a JSON object on each line.
//!
//! Where it is JSON, everything is: what is wrong at a start, and a panic, too. A collector of logs that finds another
//! line among them drops it, or stops.

use std::io::{self, IsTerminal};
use std::panic;
use std::sync::OnceLock;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::args::LogFormat;
use crate::settings::Log;

static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Starts the log.
pub(crate) fn start(log: &Log) {
    // An editor that saves by renaming makes the watcher's library log errors that are none. `notify=info` in the
    // level shows them: a later directive wins. A level that is quieter than that stays as it is.
    let filter = |directives: &str| EnvFilter::try_new(directives).unwrap_or_else(|_| EnvFilter::new("info"));
    let asked = filter(&log.level);
    let is_quiet = asked.max_level_hint().is_some_and(|most| most <= LevelFilter::WARN);
    let filter = if is_quiet { asked } else { filter(&format!("notify=warn,{}", log.level)) };
    // A log that cannot be written (a full disk, a reader that has gone) is no reason to stop serving.
    let builder = tracing_subscriber::fmt()
        .log_internal_errors(false)
        .with_env_filter(filter)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    _ = match log.format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    if FORMAT.set(log.format).is_ok() && log.format == LogFormat::Json {
        panic::set_hook(Box::new(log_panic));
    }
}

/// Starts a log of JSON for a start that fails before all settings are known.
pub(crate) fn start_as_json() {
    start(&Log { format: LogFormat::Json, level: "error".to_owned(), access: false });
}

/// Logs an error where the log is JSON; false where it is text, and the error is still to be printed for a person.
pub(crate) fn took_error(text: impl FnOnce() -> String) -> bool {
    let takes = FORMAT.get() == Some(&LogFormat::Json) && tracing::enabled!(tracing::Level::ERROR);
    if takes {
        tracing::error!("{}", text());
    }
    takes
}

fn log_panic(info: &panic::PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "a thread panicked: {}", info.payload_as_str().unwrap_or("not a text"));
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    /// What is written, for the test to read.
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_panic_is_one_line_of_json() {
        let written = Written::default();
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
