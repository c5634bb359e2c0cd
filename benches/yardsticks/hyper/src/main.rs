//! hyper and nothing else: known targets are answered with the bytes that were handed over, head and body.
//!
//! `yardstick-hyper FOLDER ADDRESS`: the file `targets` names a target on each line; the file `0` is the whole
//! response for the first, `1` for the second. A POST is answered when its body has come. There are no deadlines, no
//! counters and no routes here, on one thread without a scheduler, so nothing that hyper serves is cheaper.

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;

/// What hyper writes itself.
const OF_HYPER: [HeaderName; 4] =
    [header::CONTENT_LENGTH, header::DATE, header::CONNECTION, header::TRANSFER_ENCODING];

struct Answer {
    fields: HeaderMap,
    not_modified: HeaderMap,
    body: Bytes,
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
        let head = std::str::from_utf8(&bytes[..end]).expect("a head of text");
        let mut fields = HeaderMap::new();
        for line in head.split("\r\n").skip(1) {
            let (name, value) = line.split_once(": ").expect("a field");
            let name: HeaderName = name.parse().expect("a name");
            if !OF_HYPER.contains(&name) {
                fields.insert(name, HeaderValue::from_str(value).expect("a value"));
            }
        }
        let mut not_modified = fields.clone();
        not_modified.remove(header::CONTENT_TYPE);
        Self { fields, not_modified, body: Bytes::copy_from_slice(&bytes[end + 4..]) }
    }

    fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        let has_it = request.headers().get(header::IF_NONE_MATCH);
        let mut response = if has_it.is_some() && has_it == self.fields.get(header::ETAG) {
            let mut response = Response::new(Full::default());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.headers_mut() = self.not_modified.clone();
            return response;
        } else {
            Response::new(Full::new(self.body.clone()))
        };
        *response.headers_mut() = self.fields.clone();
        response
    }
}

fn read(folder: &Path) -> HashMap<String, Answer> {
    let read = |name: &str| std::fs::read(folder.join(name)).expect(name);
    let targets = String::from_utf8(read("targets")).expect("a list of targets");
    let answer =
        |(number, target): (usize, &str)| (target.to_owned(), Answer::read(&read(&number.to_string())));
    targets.lines().enumerate().map(answer).collect()
}

async fn serve(answers: Rc<HashMap<String, Answer>>, address: &str) {
    let listener = tokio::net::TcpListener::bind(address).await.expect("a free port");
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        let answers = Rc::clone(&answers);
        let answer = service_fn(move |request: Request<Incoming>| {
            let target = request.uri().path_and_query().map_or("", |target| target.as_str());
            let response = answers.get(target).map_or_else(
                || {
                    let mut response = Response::default();
                    *response.status_mut() = StatusCode::NOT_FOUND;
                    response
                },
                |answer| answer.answer(&request),
            );
            async move {
                if request.method() == Method::POST {
                    let body = request.into_body().collect().await?.to_bytes();
                    assert!(!body.is_empty(), "a POST brings a body");
                }
                Ok::<_, hyper::Error>(response)
            }
        });
        tokio::task::spawn_local(async move {
            _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (folder, address) = (arguments.next().expect("a folder"), arguments.next().expect("an address"));
    let answers = Rc::new(read(Path::new(&folder)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
    tokio::task::LocalSet::new().block_on(&runtime, serve(answers, &address));
}
