//! A response's body whose bytes hold a claim (the request's entry in its phase, and reserved memory) until they are
//! written. hyper drops a body when it has taken the last frame, long before a slow client has read the bytes.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

pub(super) struct Outgoing<B, C> {
    body: B,
    claim: Arc<C>,
}

/// hyper drops them when they are written.
struct ClaimedBytes<C> {
    bytes: Bytes,
    _claim: Arc<C>,
}

impl<C> AsRef<[u8]> for ClaimedBytes<C> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl<B, C> Outgoing<B, C> {
    pub(super) fn new(body: B, claim: C) -> Self {
        Self { body, claim: Arc::new(claim) }
    }
}

impl<B, C> Body for Outgoing<B, C>
where
    B: Body<Data = Bytes> + Unpin,
    C: Send + Sync + 'static,
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        let claim = &self.claim;
        let claimed = |bytes| Bytes::from_owner(ClaimedBytes { bytes, _claim: Arc::clone(claim) });
        frame.map(|frame| frame.map(|frame| frame.map(|frame| frame.map_data(claimed))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt, Full};

    use super::*;

    #[tokio::test]
    async fn the_claim_is_held_until_the_bytes_are_dropped() {
        let claim = Arc::new(());
        let mut body = Outgoing::new(Full::new(Bytes::from_static(b"abc")), Arc::clone(&claim));
        let bytes = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert!(body.is_end_stream());
        drop(body);
        assert_eq!(Arc::strong_count(&claim), 2);
        assert_eq!(bytes, "abc");
        drop(bytes);
        assert_eq!(Arc::strong_count(&claim), 1);
    }
}
