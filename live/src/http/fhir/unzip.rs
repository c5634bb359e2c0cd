//! The plain body of a file that is kept compressed, in pieces: each is made when hyper has room for it, and others are
//! served between two of them.

use std::io::{self, Read};

use bytes::{Buf as _, Bytes};
use flate2::bufread::GzDecoder;
use futures_util::Stream;
use futures_util::stream::try_unfold;
use warp::Reply as _;

use crate::reply::Response;
use crate::server::HEAD_BUFFER;

pub(super) const PIECE: usize = 16 << 10;
/// The decoder with its window of 32 KiB.
const DECODER: usize = 48 << 10;
/// What a response holds at most: hyper takes pieces until so many bytes wait as a head may have.
pub(super) const HELD: usize = DECODER + HEAD_BUFFER + 2 * PIECE;

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
