//! The view that assistants show for the tools' results (MCP Apps): one HTML document that asks for nothing but portraits.
//! Its script is one module: the elements for other websites, whose cards the view is built of, and then the view's own
//! parts. Released elements never change, so the view names their version.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::policy::portrait_origins;
use super::tiles::{is_on_every_map, tiles};
use crate::model::{Directory, Language, Phone};

pub const VIEW_URI: &str = "ui://nameplate/directory.html";
/// The media type by which hosts know a view.
pub const VIEW_MEDIA_TYPE: &str = "text/html;profile=mcp-app";

const PARTS: [&str; 10] = [
    include_str!("../../../../site/elements/1.0.0.js"),
    include_str!("../../../../site/view/texts.js"),
    include_str!("../../../../site/view/style.js"),
    include_str!("../../../../site/view/answers.js"),
    include_str!("../../../../site/view/host.js"),
    include_str!("../../../../site/view/people.js"),
    include_str!("../../../../site/view/times.js"),
    include_str!("../../../../site/view/lists.js"),
    include_str!("../../../../site/view/fold.js"),
    include_str!("../../../../site/view/view.js"),
];

static SCRIPT: LazyLock<Script> = LazyLock::new(|| {
    // Every host loads the whole script, and reads none of its comments.
    let is_comment = |line: &str| line.starts_with("//") || line.starts_with("/**") && line.ends_with("*/");
    let lines = PARTS.iter().flat_map(|part| part.split_inclusive('\n'));
    let text: String = lines.filter(|line| !is_comment(line.trim())).collect();
    let hash = BASE64_STANDARD.encode(Sha256::digest(&text));
    Script { text, hash }
});

struct Script {
    text: String,
    /// The SHA-256 in base64, which the document's policy names.
    hash: String,
}

/// An answer that the document shows when it is opened without an assistant.
#[derive(Debug, Clone, Copy)]
pub struct ViewPreview<'a> {
    pub target: &'a str,
    pub body: &'a [u8],
}

pub fn view_document(directory: &Directory, preview: Option<ViewPreview<'_>>) -> String {
    let Script { text, hash } = &*SCRIPT;
    let images: String = portrait_origins(directory).into_iter().flat_map(|origin| [" ", origin]).collect();
    // A script's text ends at "</script", whatever it means.
    let data = data(directory, preview).to_string().replace('<', "\\u003c");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{hash}'; \
         img-src{images}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; \
         trusted-types 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Clinicians and openings</title>\n</head>\n<body>\n\
         <main><nameplate-view heading=\"2\"></nameplate-view></main>\n\
         <script type=\"application/json\" id=\"clinic\">{data}</script>\n\
         <script type=\"module\">{text}</script>\n</body>\n</html>\n"
    )
}

/// What a host must allow the document: to show portraits.
pub fn view_csp(directory: &Directory) -> Value {
    json!({ "resourceDomains": portrait_origins(directory), "connectDomains": [] })
}

fn data(directory: &Directory, preview: Option<ViewPreview<'_>>) -> Value {
    let organization = directory.organization();
    let states = tiles().map(|(state, row, column)| {
        let is_always_shown = is_on_every_map(state);
        let name = state.name();
        let tile = json!({ "name": name, "row": row, "column": column, "isAlwaysShown": is_always_shown });
        (state.code().to_owned(), tile)
    });
    let states: Map<String, Value> = states.collect();
    let names = |code: &str| {
        let named = |language: Language| {
            directory.professions().iter().map(move |one| (one.word(), one.choice(language)))
        };
        code.parse().ok().into_iter().flat_map(named).collect::<Value>()
    };
    let mut data = json!({
        "name": &organization.name,
        "phone": organization.phone().map(Phone::as_str),
        "dial": organization.phone().map(Phone::dial),
        "booking": organization.booking_url.as_deref(),
        "states": states,
        "professions": { "en": names("en"), "es": names("es") },
    });
    if let Some(ViewPreview { target, body }) = preview {
        let mut body: Value = serde_json::from_slice(body).unwrap_or_default();
        // An assistant's view asks for the names of a list of openings; a preview has no one to ask.
        let slots = body["slots"].as_array().into_iter().flatten();
        let slugs = slots.filter_map(|slot| slot["providerSlug"].as_str());
        let clinicians = slugs.filter_map(|slug| {
            let provider = directory.provider(directory.find(slug)?.provider());
            Some((slug.to_owned(), provider.display_name.as_str().into()))
        });
        let clinicians: Map<String, Value> = clinicians.collect();
        if !clinicians.is_empty() {
            body["clinicians"] = clinicians.into();
        }
        data["preview"] = json!({ "target": target, "body": body });
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::load_and_check;

    fn demo() -> Directory {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
        let today = "2026-03-02".parse().unwrap();
        load_and_check(&folder, today).unwrap_or_else(|error| panic!("{error:?}")).directory
    }

    /// The script of a document, and the hash that its policy names.
    fn script(document: &str) -> (&str, &str) {
        let (_, rest) = document.split_once("<script type=\"module\">").unwrap();
        let (text, _) = rest.split_once("</script>").unwrap();
        let (_, rest) = document.split_once("script-src 'sha256-").unwrap();
        (text, rest.split_once('\'').unwrap().0)
    }

    #[test]
    fn the_policy_allows_the_script_and_the_portraits_alone() {
        let document = view_document(&demo(), None);
        let (text, hash) = script(&document);
        assert_eq!(BASE64_STANDARD.encode(Sha256::digest(text)), hash);
        assert!(text.ends_with("View);\n") && !text.contains("<!--"), "the whole script");
        let policy = document.split("content=\"").nth(1).unwrap().split('"').next().unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
        assert!(policy.contains("; img-src https://larkspur.example; base-uri 'none';"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("connect-src"), "{policy}");
        assert_eq!(
            view_csp(&demo()),
            json!({ "resourceDomains": ["https://larkspur.example"], "connectDomains": [] })
        );
    }

    #[test]
    fn a_preview_of_openings_has_the_names_as_they_are_written() {
        let body = br#"{"slots":[{"providerSlug":"le-thanh-mai"}]}"#;
        let data = data(&demo(), Some(ViewPreview { target: "/v1/availability?state=CA", body }));
        assert_eq!(data["preview"]["body"]["clinicians"], json!({ "le-thanh-mai": "Lê Thanh Mai" }));
    }

    #[test]
    fn no_text_can_end_the_data() {
        let hostile = "</script><script>alert(1)</script><!--";
        let preview = ViewPreview { target: hostile, body: br#"{"x":"</script>"}"# };
        let document = view_document(&demo(), Some(preview));
        let (_, rest) = document.split_once("id=\"clinic\">").unwrap();
        let (data, rest) = rest.split_once("</script>").unwrap();
        assert!(rest.starts_with("\n<script type=\"module\">"), "{data}");
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["preview"], json!({ "target": hostile, "body": { "x": "</script>" } }));
        assert_eq!((&data["name"], &data["phone"]), (&json!("Larkspur Health"), &json!("+1-510-555-0100")));
        assert_eq!(data["states"].as_object().unwrap().len(), 56);
        assert_eq!(
            data["states"]["CA"],
            json!({ "name": "California", "row": 5, "column": 1, "isAlwaysShown": true })
        );
    }
}
