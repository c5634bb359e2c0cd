//! What the fuzz targets share: the demo clinic, and a service on loopback.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::content::load_and_check;
use feed::Clock;
use live::{Access, Limits, Listener, Options, Service, Store};

/// The moment at which everything is asked.
pub fn now() -> DateTime<Utc> {
    "2026-11-21T12:00:00Z".parse().expect("a moment")
}

/// The demo clinic.
pub static DEMO: LazyLock<Snapshot> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content");
    let checked = load_and_check(&folder, now().date_naive()).expect("the demo is right");
    let snapshot = Snapshot::new(checked.directory);
    let calendar = directory::calendar::Calendar::from_hours(snapshot.directory(), directory::calendar::Instant::ceil(now()));
    snapshot.with_calendar(calendar)
});

static SERVICE: LazyLock<SocketAddr> = LazyLock::new(|| {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let listener = runtime.block_on(async { Listener::bind((Ipv4Addr::LOCALHOST, 0).into(), false) }).expect("a port");
    let address = listener.address();
    let store = Arc::new(Store::new(DEMO.clone()));
    let service = Service::new(store, Clock::frozen(now()), Options::new(Access::loopback(), limits()));
    runtime.spawn(async move { listener.serve(service, std::future::pending()).await });
    std::mem::forget(runtime);
    address
});

/// The limits of a service without settings.
fn limits() -> Limits {
    let settings: toml::Table = include_str!("../src/settings/defaults.toml").parse().expect("TOML");
    settings["limits"].clone().try_into().expect("the limits are valid")
}

/// Sends these bytes on a connection of their own and gives what comes back until it is closed.
pub fn exchange(request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(*SERVICE).expect("the service listens");
    stream.set_read_timeout(Some(Duration::from_secs(15))).expect("a time limit");
    // The service may answer and close before it has read everything: that is its right.
    _ = stream.write_all(request);
    let mut reply = Vec::new();
    match stream.read_to_end(&mut reply) {
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => panic!("no end of the answer in 15 s"),
        _ => reply,
    }
}

/// The status of a reply.
pub fn status(reply: &[u8]) -> u16 {
    let line = reply.get(9..12).expect("a status line");
    std::str::from_utf8(line).expect("a status").parse().expect("a number")
}
