use directory::api::{OperationId, Question, SlotSearch, Snapshot};
use directory::model::{Provider, StateCode};
use directory::web::{ELEMENTS, ELEMENTS_PATH};
use serde_json::{Value, json};

use super::routes;
use crate::examples;

pub(super) fn context(snapshot: &Snapshot) -> Value {
    let directory = snapshot.directory();
    let (api, site) = (&directory.organization().api_url, &directory.organization().site_url);
    let state = match examples::example(OperationId::Availability, directory) {
        Question::Availability(SlotSearch { state, .. }) => Some(state),
        _ => None,
    };
    let providers = directory.providers();
    let is_accepting = |provider: &&Provider| state.is_some_and(|state| provider.accepting.contains(state));
    let provider = providers.iter().find(is_accepting).or(providers.first());
    let slug = provider.map(|provider| provider.slug.to_string());
    let [release, ..] = &ELEMENTS;
    let (script, pinned) = (format!("{api}{ELEMENTS_PATH}"), format!("{api}{}", release.path()));
    let element = match state {
        Some(state) => {
            let (code, name, route) = (state.code(), state.name(), routes::state(state));
            format!(
                "<nameplate-providers state=\"{code}\" limit=\"4\" next>\
                 <a href=\"{site}{route}\">Clinicians in {name}</a></nameplate-providers>"
            )
        }
        None => {
            format!(
                "<nameplate-providers><a href=\"{site}/clinicians\">Our clinicians</a></nameplate-providers>"
            )
        }
    };
    let query = state.map(|state| format!("?state={}", state.code())).unwrap_or_default();
    json!({
        "path": ELEMENTS_PATH,
        "script": script,
        "pinned": pinned,
        "integrity": release.integrity,
        // Empty if no state has care, or if there is no clinician.
        "state": state.map(StateCode::code).unwrap_or_default(),
        "slug": slug.unwrap_or_default(),
        "snippet": format!("<script type=\"module\" src=\"{script}\"></script>\n{element}"),
        "pinned_tag": format!(
            "<script type=\"module\" src=\"{pinned}\" integrity=\"{}\" crossorigin></script>",
            release.integrity
        ),
        "recipe": recipe(&format!("{api}/v1/providers/summary{query}")),
    })
}

/// It tries again if the service is overloaded.
fn recipe(url: &str) -> String {
    format!(
        "async function ask(url, tries = 2) {{\n  \
           const response = await fetch(url, {{ credentials: \"omit\", signal: AbortSignal.timeout(10_000) }});\n  \
           const wait = Number(response.headers.get(\"Retry-After\"));\n  \
           if (response.status === 503 && wait <= 5 && tries > 1) {{\n    \
             await new Promise((resolve) => setTimeout(resolve, wait * 1000));\n    \
             return ask(url, tries - 1);\n  \
           }}\n  \
           if (!response.ok) throw new Error((await response.json()).message);\n  \
           return response.json();\n\
         }}\n\
         console.log(JSON.stringify(await ask(\"{url}\"), null, 2));"
    )
}
