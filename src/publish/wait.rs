//! Waits until a service answers with a generation.

use std::time::{Duration, Instant};

use reqwest::{Client, Url};

use crate::outcome::Refusal;

/// The number of new connections in a row that must answer with it: a balancer leads them to all replicas.
const CONNECTIONS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(500);

/// Asks until enough new connections in a row answer with the generation. The inner error describes the last answer.
///
/// # Errors
/// The address is wrong, or HTTPS is not available.
pub(super) async fn for_generation(
    url: &str,
    generation: &str,
    seconds: u64,
) -> Result<Result<(), String>, Refusal> {
    let wrong = |why: &str| {
        Refusal::new(format!("--wait {url:?}: {why}; write it like https://live.larkspur.example"))
    };
    let url: Url = url.parse().map_err(|error| wrong(&format!("{error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("only http and https are supported"));
    }
    let url = format!("{}/v1/states", url.as_str().trim_end_matches('/'));
    _ = rustls::crypto::ring::default_provider().install_default();
    // Without idle connections each request makes a new one.
    let client = Client::builder()
        .user_agent(concat!("nameplate/", env!("CARGO_PKG_VERSION")))
        .pool_max_idle_per_host(0)
        .timeout(Duration::from_secs(10))
        .build()
        .map_err(|error| Refusal::new(format!("HTTPS is not available on this machine: {error}")))?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut right = 0;
    loop {
        match ask(&client, &url, generation).await {
            Ok(()) => right += 1,
            Err(why) if Instant::now() >= end => return Ok(Err(why)),
            Err(_) => {
                right = 0;
                tokio::time::sleep(PAUSE).await;
            }
        }
        if right == CONNECTIONS {
            return Ok(Ok(()));
        }
    }
}

async fn ask(client: &Client, url: &str, generation: &str) -> Result<(), String> {
    let answer = client.get(url).send().await.map_err(|error| error.without_url().to_string())?;
    let status = answer.status();
    match answer.headers().get("nameplate-generation").and_then(|value| value.to_str().ok()) {
        Some(found) if found == generation => Ok(()),
        Some(found) => Err(format!("it answers with {found}")),
        None => Err(format!("it answers {status} without Nameplate-Generation: name the live service")),
    }
}
