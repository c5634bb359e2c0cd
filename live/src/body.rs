//! Reads request bodies under a size limit and a deadline. Memory is reserved for what has arrived, not for what is announced.

use std::pin::pin;
use std::time::Duration;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use directory::api::{Fault, FaultKind};
use futures_util::{FutureExt, Stream, TryStreamExt};

/// At most `most` bytes. With an announced length, reading stops there. `reserve` gets the bytes to be kept so far.
pub(crate) async fn collect<S, B, E>(
    body: S,
    announced: Option<usize>,
    most: usize,
    deadline: Duration,
    mut reserve: impl FnMut(usize) -> Result<(), Fault>,
) -> Result<Bytes, Fault>
where
    S: Stream<Item = Result<B, E>>,
    B: Buf,
{
    if announced.is_some_and(|length| length > most) {
        return Err(too_large(most));
    }
    let collecting = async {
        let mut body =
            pin!(body.map_err(|_| Fault::of_transport(FaultKind::BadRequest, "the body broke off")));
        // Most bodies come in one part, which is returned without a copy.
        let Some(mut first) = body.try_next().await? else { return Ok(Bytes::new()) };
        if first.remaining() > most {
            return Err(too_large(most));
        }
        reserve(first.remaining())?;
        let first = first.copy_to_bytes(first.remaining());
        if announced == Some(first.len()) {
            return Ok(first);
        }
        let Some(mut next) = body.try_next().await? else { return Ok(first) };
        let mut whole = BytesMut::from(first);
        loop {
            if next.remaining() > most - whole.len() {
                return Err(too_large(most));
            }
            reserve(whole.len() + next.remaining())?;
            whole.put(next);
            if announced == Some(whole.len()) {
                return Ok(whole.freeze());
            }
            let Some(more) = body.try_next().await? else { return Ok(whole.freeze()) };
            next = more;
        }
    };
    // Most bodies arrive with the head: then no timer is created.
    let mut collecting = pin!(collecting);
    if let Some(collected) = collecting.as_mut().now_or_never() {
        return collected;
    }
    let late = || Fault::of_transport(FaultKind::RequestTimeout, "the body didn't arrive in time");
    tokio::time::timeout(deadline, collecting).await.unwrap_or_else(|_| Err(late()))
}

fn too_large(most: usize) -> Fault {
    Fault::of_transport(FaultKind::PayloadTooLarge, &format!("a body may have at most {most} bytes"))
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    async fn collected(parts: &[&'static str], most: usize) -> Result<Bytes, FaultKind> {
        let parts = stream::iter(parts.iter().map(|part| Ok::<_, ()>(part.as_bytes())));
        collect(parts, None, most, SECOND, |_| Ok(())).await.map_err(|fault| fault.kind())
    }

    #[tokio::test]
    async fn the_limit_counts_all_parts_together() {
        assert_eq!(collected(&["ab", "cd"], 4).await.unwrap(), "abcd");
        assert_eq!(collected(&["ab", "cde"], 4).await, Err(FaultKind::PayloadTooLarge));
        assert_eq!(collected(&["a", "", "b", "cd"], 4).await.unwrap(), "abcd");
        assert_eq!(collected(&[], 4).await.unwrap(), "");
    }

    #[tokio::test(start_paused = true)]
    async fn reading_stops_at_the_announced_length() {
        let announced = |length| {
            let endless = stream::iter([Ok::<_, ()>(&b"abcd"[..])]).chain(stream::pending());
            collect(endless, Some(length), 5, SECOND, |_| Ok(()))
        };
        let in_two = stream::iter([Ok::<_, ()>(&b"ab"[..]), Ok(&b"cd"[..])]).chain(stream::pending());
        assert_eq!(collect(in_two, Some(4), 5, SECOND, |_| Ok(())).await.unwrap(), "abcd");
        assert_eq!(announced(4).await.unwrap(), "abcd");
        assert_eq!(announced(5).await.unwrap_err().kind(), FaultKind::RequestTimeout);
        assert_eq!(announced(6).await.unwrap_err().kind(), FaultKind::PayloadTooLarge);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stops_arriving_times_out() {
        let silent = stream::pending::<Result<&[u8], ()>>();
        let fault = collect(silent, None, 4, SECOND, |_| Ok(())).await.unwrap_err();
        assert_eq!(fault.kind(), FaultKind::RequestTimeout);
    }
    #[tokio::test]
    async fn each_part_is_reserved_when_it_arrives_and_reading_stops_without_memory() {
        let mut reserved = Vec::new();
        let parts = stream::iter(["ab", "cd", "ef"].map(|part| Ok::<_, ()>(part.as_bytes())));
        let reserve = |bytes| {
            reserved.push(bytes);
            if bytes > 4 { Err(crate::budget::exhausted()) } else { Ok(()) }
        };
        let fault = collect(parts, Some(6), 9, SECOND, reserve).await.unwrap_err();
        assert_eq!((fault.kind(), reserved), (FaultKind::Overloaded, vec![2, 4, 6]));
    }
}
