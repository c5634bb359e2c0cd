//! The one way to run blocking work whose panic is its caller's.

use std::future::pending;
use std::panic::resume_unwind;

/// Runs work on a thread that answers no requests. A panic there goes on here, where it becomes a 500 or ends a feed.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(done) => done,
        Err(Ok(panic)) => resume_unwind(panic),
        // The runtime is ending, and this task with it.
        Err(Err(_)) => pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_result_comes_back_and_so_does_a_panic() {
        assert_eq!(blocking(|| 7).await, 7);
        let panicked: Result<(), _> = tokio::spawn(blocking(|| panic!("at work"))).await;
        assert_eq!(panicked.unwrap_err().into_panic().downcast_ref(), Some(&"at work"));
    }
}
