//! Starts the tokio runtime that serves requests.
//!
//! With one processor it has one thread, which avoids passing requests between threads; otherwise one per processor. It
//! runs beside the caller's thread, so operators are answered while the content is read.

use std::future::pending;
use std::io;
use std::num::NonZero;
use std::thread;

use tokio::runtime::{Builder, Handle};

/// Starts the runtime. It ends with the process.
pub(crate) fn start() -> io::Result<Handle> {
    start_for(thread::available_parallelism().map_or(1, NonZero::get))
}

fn start_for(processors: usize) -> io::Result<Handle> {
    let mut builder = match processors {
        1 => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    let runtime = builder.enable_all().build()?;
    let handle = runtime.handle().clone();
    // A single-threaded runtime only works while a thread blocks on it.
    thread::Builder::new().name("serving".to_owned()).spawn(move || runtime.block_on(pending::<()>()))?;
    Ok(handle)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn work_runs_while_the_caller_is_busy() {
        for processors in [1, 2] {
            let threads = start_for(processors).unwrap();
            let (sender, receiver) = mpsc::channel();
            threads.spawn(async move {
                tokio::time::sleep(Duration::from_millis(1)).await;
                sender.send(thread::current().id()).unwrap();
            });
            let elsewhere = receiver.recv_timeout(Duration::from_mins(1)).unwrap();
            assert_ne!(elsewhere, thread::current().id());
            assert_eq!(threads.block_on(async { 7 }), 7);
        }
    }
}
