//! Writes the log in its own thread. If the reader stalls, lines are dropped and counted, and the service goes on.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum of lines that wait to be written, and of their bytes.
const WAITING: usize = 4096;
const WAITING_BYTES: usize = 4 << 20;

enum Message {
    Line(Vec<u8>),
    /// Asks for a reply once everything before it is written.
    Flush(Sender<()>),
}

/// Sends lines to the writing thread. Each call of `write` is one line. Clones send to the same thread.
#[derive(Clone)]
pub(crate) struct LogWriter {
    messages: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
    waiting_bytes: Arc<AtomicUsize>,
}

impl LogWriter {
    /// `show` makes a line safe to be shown, and `notice` formats the line that reports a number of dropped lines.
    pub(crate) fn start(
        out: impl Write + Send + 'static,
        show: impl Fn(&str) -> String + Send + 'static,
        notice: impl Fn(u64) -> String + Send + 'static,
    ) -> Self {
        let (messages, received) = sync_channel(WAITING);
        let dropped = Arc::new(AtomicU64::new(0));
        let waiting_bytes = Arc::new(AtomicUsize::new(0));
        let (counted, waiting) = (Arc::clone(&dropped), Arc::clone(&waiting_bytes));
        thread::spawn(move || write_all(&received, out, &counted, &waiting, show, notice));
        Self { messages, dropped, waiting_bytes }
    }

    pub(crate) fn dropped(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.dropped)
    }

    pub(crate) fn flush(&self, timeout: Duration) {
        let end = Instant::now() + timeout;
        let (done, written) = channel();
        let mut message = Message::Flush(done);
        while let Err(TrySendError::Full(full)) = self.messages.try_send(message) {
            if Instant::now() >= end {
                return;
            }
            message = full;
            thread::sleep(Duration::from_millis(1));
        }
        _ = written.recv_timeout(end.saturating_duration_since(Instant::now()));
    }
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let is_room = self.waiting_bytes.fetch_add(line.len(), Ordering::Relaxed) <= WAITING_BYTES;
        if !is_room || self.messages.try_send(Message::Line(line.to_vec())).is_err() {
            self.waiting_bytes.fetch_sub(line.len(), Ordering::Relaxed);
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_all(
    messages: &Receiver<Message>,
    mut out: impl Write,
    dropped: &AtomicU64,
    waiting_bytes: &AtomicUsize,
    show: impl Fn(&str) -> String,
    notice: impl Fn(u64) -> String,
) {
    let mut reported = 0;
    for message in messages {
        let line = match message {
            Message::Line(line) => line,
            Message::Flush(done) => {
                _ = out.flush();
                _ = done.send(());
                continue;
            }
        };
        // A log that cannot be written (a full disk, a closed pipe) must not stop the service.
        _ = out.write_all(show(&String::from_utf8_lossy(&line)).as_bytes());
        waiting_bytes.fetch_sub(line.len(), Ordering::Relaxed);
        // Lines are dropped only while others wait, so a line follows each drop and reports it.
        let count = dropped.load(Ordering::Relaxed);
        if count > reported {
            _ = writeln!(out, "{}", notice(count - reported));
            reported = count;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Writes into memory, but only while `gate` is not locked.
    #[derive(Clone, Default)]
    struct Stalling {
        gate: Arc<Mutex<()>>,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Stalling {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _open = self.gate.lock().unwrap();
            self.written.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stalled_reader_loses_lines_and_delays_nothing() {
        let out = Stalling::default();
        let mut log = LogWriter::start(out.clone(), str::to_owned, |lines| format!("{lines} dropped"));
        let stalled = out.gate.lock().unwrap();
        let lines = WAITING + 1000;
        for _ in 0..lines {
            log.write_all(b"line\n").unwrap();
        }
        // It ends at its timeout: the gate is not opened before.
        log.flush(Duration::from_millis(50));
        let dropped = log.dropped().load(Ordering::Relaxed);
        // The thread may have taken one line before it stalled.
        assert!((999..=1000).contains(&dropped), "{dropped}");
        drop(stalled);
        log.flush(Duration::from_secs(10));
        let written = String::from_utf8(out.written.lock().unwrap().clone()).unwrap();
        assert_eq!(written.matches("line\n").count() as u64, lines as u64 - dropped);
        assert_eq!(written.matches(&format!("{dropped} dropped\n")).count(), 1);
    }

    #[test]
    fn the_lines_that_wait_are_bounded_in_bytes() {
        let out = Stalling::default();
        let mut log = LogWriter::start(out.clone(), str::to_owned, |lines| format!("{lines} dropped"));
        let stalled = out.gate.lock().unwrap();
        let line = vec![b'x'; 1 << 20];
        for _ in 0..10 {
            log.write_all(&line).unwrap();
        }
        assert_eq!(log.dropped().load(Ordering::Relaxed), 5, "five of a MiB each begin below the limit");
        drop(stalled);
        log.flush(Duration::from_secs(10));
        assert_eq!(log.waiting_bytes.load(Ordering::Relaxed), 0);
    }
}
