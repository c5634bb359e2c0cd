//! The versions of servers.

/// Servers before this version have known faults.
pub(super) const OLDEST_SERVER: (u64, u64, u64) = (2, 12, 8);

/// Whether a server's version has known faults. One that cannot be read is not called old.
pub(super) fn is_old(version: &str) -> bool {
    let mut numbers = version.split(['.', '-']).map_while(|part| part.parse::<u64>().ok());
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(major), Some(minor), Some(patch)) => (major, minor, patch) < OLDEST_SERVER,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_with_known_faults_are_warned_of() {
        for old in ["2.9.10", "2.12.7", "2.11.16-RC.1"] {
            assert!(is_old(old), "{old}");
        }
        for new in ["2.12.8", "2.15.1", "3.0.0", "2.14.0-preview", "unknown"] {
            assert!(!is_old(new), "{new}");
        }
    }
}
