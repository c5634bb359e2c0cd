//! How the work of a parser grows with its input.
//!
//! As in `crates/directory/tests/growth.rs`, the measure is the processor time of this thread, since nothing counts the
//! steps of the standard library's searches.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Fails if an input of sixteen times the size takes 64 times the work. Work that grows with the square takes 256 times.
pub(crate) fn assert_grows_with_its_size(part: &str, bytes: usize, mut run: impl FnMut(&str)) {
    let mut work = |text: &str| {
        let now = || {
            let now = clock_gettime(ClockId::ThreadCPUTime);
            Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
        };
        let before = now();
        run(text);
        now().saturating_sub(before)
    };
    let [small, large] = [bytes, bytes * 16].map(|bytes| part.repeat(bytes / part.len()));
    // The processor's caches are shared, so one measurement can be too long.
    let is_too_much = (0..3).all(|_| {
        let few = (0..3).map(|_| work(&small)).min().unwrap().max(Duration::from_micros(100));
        work(&large) >= few * 64
    });
    assert!(!is_too_much, "{part:?}");
}
