//! Waits until a service answers with a generation.

use std::time::{Duration, Instant};

use reqwest::Method;

use crate::outcome::Refusal;
use ::verify::Host;

/// The number of new connections in a row that must answer with it: a balancer leads them to all replicas.
const CONNECTIONS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(500);

/// Asks until enough new connections in a row answer with the generation. The inner error describes the last answer.
pub(super) async fn for_generation(
    url: &str,
    generation: &str,
    seconds: u64,
) -> Result<Result<(), String>, Refusal> {
    // Without idle connections each request makes a new one.
    let host = Host::new(url, 0).map_err(|refusal| Refusal::new(format!("--wait: {refusal}")))?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut right = 0;
    while right < CONNECTIONS {
        match ask(&host, generation).await {
            Ok(()) => right += 1,
            Err(why) if Instant::now() >= end => return Ok(Err(why)),
            Err(_) => {
                right = 0;
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    Ok(Ok(()))
}

async fn ask(host: &Host, generation: &str) -> Result<(), String> {
    let answer = host.send(Method::GET, "/v1/states", &[], "").await?;
    match answer.header("nameplate-generation") {
        found if found == generation => Ok(()),
        "" => {
            Err(format!("it answers {} without Nameplate-Generation: name the live service", answer.status))
        }
        found => Err(format!("it answers with {found}")),
    }
}
