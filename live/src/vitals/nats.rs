use serde_json::{Value, json};

use super::page::Page;
use feed::{BOUNDS, NatsView, Phase, SiteCounts};

/// All refused keys are counted.
const SHOWN: usize = 10;

pub(super) fn ready(view: &NatsView, sites: &SiteCounts) -> Value {
    let refused = view.refused.iter().take(SHOWN).map(|(key, why)| json!({"key": key, "why": &**why}));
    let oldest = sites.oldest.as_ref();
    json!({
        "state": view.phase.word(),
        "server": view.server,
        "created": view.created,
        "bucketSequence": view.bucket_at,
        "sequence": view.ours_at,
        "sites": {
            "fresh": sites.fresh,
            "stale": sites.stale,
            "expired": sites.expired,
            "diverged": sites.diverged,
            "oldest": oldest.map(|(name, age)| {
                json!({"name": &**name, "ageSeconds": age.map(|age| age.as_secs())})
            }),
        },
        "refusedKeys": view.refused.len(),
        "refused": refused.collect::<Vec<_>>(),
        "rewatches": view.rewatches,
        "resets": view.resets,
        "lastError": view.last_error,
    })
}

pub(super) fn write(page: &mut Page, view: &NatsView, sites: &SiteCounts) {
    let name = "nameplate_nats_state";
    for phase in Phase::ALL {
        page.line(name, &[("state", phase.word())], i32::from(view.phase == phase));
    }
    let name = "nameplate_nats_sites";
    for (status, count) in [
        ("fresh", sites.fresh),
        ("stale", sites.stale),
        ("expired", sites.expired),
        ("diverged", sites.diverged),
    ] {
        page.line(name, &[("status", status)], count);
    }
    if let Some((_, Some(age))) = &sites.oldest {
        page.one("nameplate_nats_oldest_site_seconds", age.as_secs_f64());
    }
    page.one("nameplate_nats_bucket_sequence", view.bucket_at);
    page.one("nameplate_nats_sequence", view.ours_at);
    page.one("nameplate_nats_refused_keys", view.refused.len());
    page.one("nameplate_nats_rewatches_total", view.rewatches);
    page.one("nameplate_nats_resets_total", view.resets);
    let name = "nameplate_nats_applied_seconds";
    page.histogram(name, &[], view.applied.into_iter(), BOUNDS.map(seconds).into_iter(), view.applied_micros);
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1_000, milliseconds % 1_000)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_state_and_the_oldest_site_are_shown() {
        let mut view = NatsView { phase: Phase::Following, ours_at: 7, ..NatsView::default() };
        view.applied[4] = 3;
        view.refused = std::sync::Arc::new([("ehr.x".to_owned(), "why".into())].into());
        let sites = SiteCounts {
            fresh: 2,
            oldest: Some(("ehr".into(), Some(Duration::from_secs(9)))),
            ..SiteCounts::default()
        };
        let body = ready(&view, &sites);
        assert_eq!((&body["state"], &body["sites"]["oldest"]["name"]), (&json!("following"), &json!("ehr")));
        assert_eq!(body["refused"], json!([{"key": "ehr.x", "why": "why"}]));
        let mut page = Page::default();
        write(&mut page, &view, &sites);
        let text = page.text;
        for line in [
            "nameplate_nats_state{state=\"following\"} 1",
            "nameplate_nats_sites{status=\"fresh\"} 2",
            "nameplate_nats_sequence 7",
            "nameplate_nats_oldest_site_seconds 9",
            "nameplate_nats_applied_seconds_bucket{le=\"0.010\"} 0",
            "nameplate_nats_applied_seconds_bucket{le=\"0.020\"} 3",
            "nameplate_nats_applied_seconds_count 3",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
    }
}
