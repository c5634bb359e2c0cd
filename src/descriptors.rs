//! The limit on open files, which connections need.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The files that are kept free for content, feeds, the site and the log.
const RESERVE: u64 = 128;

/// Raises the limit to the most that is allowed, and gives the number of connections that fit: at most `connections`.
pub(crate) fn connections_that_fit(connections: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, ..limit };
    let allowed = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    let fit = allowed.map_or(usize::MAX, |files| {
        usize::try_from(files.saturating_sub(RESERVE).max(files / 2)).unwrap_or(usize::MAX)
    });
    if fit < connections {
        tracing::warn!(
            connections = fit,
            "the system allows fewer open files than limits.connections needs: raise LimitNOFILE or ulimit -n"
        );
    }
    connections.min(fit)
}
