//! The plain body of a file that is kept compressed, in pieces: each is made when hyper has room for it, and others are
//! served between two of them.

use std::io::{self, Read};

use bytes::{Buf as _, Bytes};
use flate2::bufread::GzDecoder;
use futures_util::Stream;
use futures_util::stream::try_unfold;
use warp::Reply as _;

use crate::config::HEAD_BUFFER;
use crate::reply::Response;

pub(super) const PIECE: usize = 16 << 10;
/// The decoder with its window of 32 KiB.
const DECODER: usize = 48 << 10;
/// hyper takes pieces until as many bytes wait as a head may have.
pub(super) const MEMORY: usize = DECODER + HEAD_BUFFER + 2 * PIECE;

pub(super) fn response(gzip: Bytes) -> Response {
    warp::reply::stream(pieces(gzip)).into_response()
}

fn pieces(gzip: Bytes) -> impl Stream<Item = io::Result<Bytes>> + Send + Sync {
    try_unfold(GzDecoder::new(gzip.reader()), async |mut decoder| {
        tokio::task::yield_now().await;
        let mut piece = Vec::with_capacity(PIECE);
        decoder.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
        Ok((!piece.is_empty()).then(|| (piece.into(), decoder)))
    })
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::{FutureExt as _, TryStreamExt as _};

    use super::*;
    use crate::http::encoding;

    #[tokio::test]
    async fn pieces_are_short_and_others_are_served_before_each() {
        let whole: Vec<u8> = (0..=250).cycle().take(40 * PIECE + 1).collect();
        let mut pieces = pin!(pieces(encoding::gzip_quickly(&whole).unwrap().into()));
        let mut joined = Vec::new();
        loop {
            let mut next = pin!(pieces.try_next());
            assert!(next.as_mut().now_or_never().is_none(), "it waits for its turn");
            let Some(piece) = next.await.unwrap() else { break };
            assert!(piece.len() <= PIECE);
            joined.extend_from_slice(&piece);
        }
        assert!(joined == whole);
    }
}
