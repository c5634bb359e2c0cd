//! Starts the tokio runtime that serves requests, and rayon's threads for work on the content. With one processor the runtime
//! has one thread, which avoids passing requests between threads; otherwise one per processor. It runs beside the caller's
//! thread, so operators are answered while the content is read.

use std::env;
use std::future::pending;
use std::io;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use tokio::runtime::{Builder, Handle};

use crate::outcome::Refusal;

/// Starts the runtime. It ends with the process.
pub(crate) fn start(why: &str) -> Result<Handle, Refusal> {
    let started = start_for(processors());
    started.map_err(|error| Refusal::new(format!("can't start threads {why}: {error}")))
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

/// Starts rayon's threads, or as many as the system allows. Rayon itself panics if it gets fewer than it asks for.
pub(crate) fn start_pool() -> Result<(), Refusal> {
    let configured = env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
    let most = configured.filter(|most| *most > 0).unwrap_or_else(processors);
    let waiting = spawn_up_to(most, |worker: Receiver<ThreadBuilder>| {
        let spawned = thread::Builder::new().spawn(move || worker.recv().map(ThreadBuilder::run));
        spawned.map(drop)
    });
    let mut waiting = waiting.map_err(|error| {
        Refusal::new(format!(
            "the system can't start another thread: {error}; raise the process limit (ulimit -u, TasksMax, \
             pids.max) or stop other programs"
        ))
    })?;
    let pool = ThreadPoolBuilder::new().num_threads(waiting.len()).spawn_handler(|worker| {
        let sender = waiting.pop().ok_or(io::ErrorKind::OutOfMemory)?;
        sender.send(worker).map_err(|_| io::ErrorKind::BrokenPipe.into())
    });
    pool.build_global().map_err(Refusal::new)
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Spawns threads that wait for their work. Fewer than `most` if the system refuses one; an error if it refuses the first.
fn spawn_up_to<T>(
    most: usize,
    mut spawn: impl FnMut(Receiver<T>) -> io::Result<()>,
) -> io::Result<Vec<Sender<T>>> {
    let mut waiting = Vec::new();
    while waiting.len() < most {
        let (sender, receiver) = channel();
        match spawn(receiver) {
            Ok(()) => waiting.push(sender),
            Err(error) if waiting.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    Ok(waiting)
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

    #[test]
    fn fewer_threads_than_wanted_are_enough_and_none_is_an_error() {
        for (allowed, spawned) in [(0, None), (1, Some(1)), (3, Some(3)), (9, Some(4))] {
            let mut left = allowed;
            let waiting = spawn_up_to(4, |_: Receiver<()>| {
                left -= 1;
                if left < 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
            });
            assert_eq!(waiting.ok().map(|waiting| waiting.len()), spawned, "{allowed}");
        }
    }
}
