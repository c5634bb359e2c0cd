//! The limits of a publisher.

use std::time::Duration;

use directory::calendar::FeedLimits;

/// The limits of time and memory. The memory in use is at most twice `total_bytes`, and `wire_bytes` for each
/// concurrent request; deploy/nameplate.service and the RUNBOOK rely on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SmartLimits {
    /// The time to connect.
    pub(crate) connect: Duration,
    /// The time between two reads.
    pub(crate) quiet: Duration,
    /// The time for the manifest, from the request to the last byte.
    pub(crate) manifest: Duration,
    /// The time for one file, from the request to the last byte.
    pub(crate) whole: Duration,
    /// How far ahead of this machine's clock the publisher's may be.
    pub(crate) ahead: Duration,
    /// Bytes of one file on the wire.
    pub(crate) wire_bytes: usize,
    /// Bytes of the manifest when expanded.
    pub(crate) manifest_bytes: usize,
    /// Bytes of all files when expanded: those that are kept, and as many that are being read.
    pub(crate) total_bytes: usize,
    /// The limits of one file when expanded.
    pub(crate) file: FeedLimits,
}

impl Default for SmartLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            quiet: Duration::from_secs(20),
            manifest: Duration::from_secs(10),
            whole: Duration::from_mins(1),
            ahead: Duration::from_mins(5),
            wire_bytes: 64 << 20,
            manifest_bytes: 1 << 20,
            total_bytes: 256 << 20,
            file: FeedLimits::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::AT_ONCE;
    use super::*;

    #[test]
    fn the_unit_has_room_for_the_largest_feed_and_for_the_service() {
        /// What `live` holds for its clients by default, and the service without it.
        const HELD: usize = 128 << 20;
        const SERVICE: usize = 256 << 20;
        let SmartLimits { total_bytes, wire_bytes, .. } = SmartLimits::default();
        let feed = 2 * total_bytes + AT_ONCE * wire_bytes;
        let unit = include_str!("../../../../deploy/nameplate.service");
        let megabytes =
            |name| unit.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix('M')).unwrap();
        let [slow, most] =
            ["MemoryHigh=", "MemoryMax="].map(|name| megabytes(name).parse::<usize>().unwrap());
        // The service's own bounds do not make it slow, and it is slowed down before it is killed.
        assert!(feed + HELD + SERVICE <= slow << 20 && slow < most, "{feed} bytes");
        assert!(unit.contains(&format!("({} MiB by default)", feed >> 20)));
        let runbook = include_str!("../../../../docs/RUNBOOK.md");
        assert!(runbook.contains(&format!("{} MiB by default", feed >> 20)));
    }
}
