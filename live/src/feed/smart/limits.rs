//! The limits of a publisher.

use std::time::Duration;

use directory::calendar::FeedLimits;

/// The limits of time and memory. The memory in use is at most twice `total_bytes`, and `wire_bytes` for each
/// concurrent request; deploy/nameplate.service and the RUNBOOK rely on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::feed) struct SmartLimits {
    /// The time to connect.
    pub(in crate::feed) connect: Duration,
    /// The time between two reads.
    pub(in crate::feed) quiet: Duration,
    /// The time for the manifest, from the request to the last byte.
    pub(in crate::feed) manifest: Duration,
    /// The time for one file, from the request to the last byte.
    pub(in crate::feed) whole: Duration,
    /// How far ahead of this machine's clock the publisher's may be.
    pub(in crate::feed) ahead: Duration,
    /// Bytes of one file on the wire.
    pub(in crate::feed) wire_bytes: usize,
    /// Bytes of the manifest when expanded.
    pub(in crate::feed) manifest_bytes: usize,
    /// Bytes of all files when expanded: those that are kept, and as many that are being read.
    pub(in crate::feed) total_bytes: usize,
    /// The limits of one file when expanded.
    pub(in crate::feed) file: FeedLimits,
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
        const SERVICE: usize = 256 << 20;
        let SmartLimits { total_bytes, wire_bytes, .. } = SmartLimits::default();
        let feed = 2 * total_bytes + AT_ONCE * wire_bytes;
        let unit = include_str!("../../../../deploy/nameplate.service");
        let megabytes =
            |name| unit.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix('M')).unwrap();
        let [slow, most] =
            ["MemoryHigh=", "MemoryMax="].map(|name| megabytes(name).parse::<usize>().unwrap());
        let held = crate::Limits::default().held_bytes;
        // The service's own bounds do not make it slow, and it is slowed down before it is killed.
        assert!(feed + held + SERVICE <= slow << 20 && slow < most, "{feed} and {held} bytes");
        assert!(unit.contains(&format!("({} MiB by default)", feed >> 20)));
        let runbook = include_str!("../../../../docs/RUNBOOK.md");
        assert!(runbook.contains(&format!("{} MiB by default", feed >> 20)));
    }
}
