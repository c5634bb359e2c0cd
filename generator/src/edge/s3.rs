//! Amazon S3 behind CloudFront: `_s3/request.js` finds the object or the origin that answers, and `_s3/response.js` adds
//! headers. A function cannot ask whether an object exists, so it knows the clinicians' slugs, if they fit.

use directory::model::Directory;
use serde_json::Value;
use standards::BULK_PUBLISH_PATH;

use super::token::EdgeError;
use super::{Edge, cloudflare, headers};
use crate::answers::AnswerFiles;

/// CloudFront's limit.
const MOST_BYTES: usize = 10 << 10;
const REQUEST: &str = concat!(include_str!("plain.js"), "\n", include_str!("s3/request.js"));

pub(super) fn rules(directory: &Directory, answers: &AnswerFiles) -> Result<Edge, EdgeError> {
    let headers = headers::rules(directory)?;
    let mut facts = cloudflare::facts(directory, answers, &headers)?;
    let response =
        format!("const FACTS = {{\"headers\":{}}};\n\n{}", facts["headers"], include_str!("s3/response.js"));
    let slugs: Vec<_> = directory.providers().iter().map(|provider| provider.slug.as_str()).collect();
    let is_object = |path: &String| !path.contains('*') && path != "/" && path != BULK_PUBLISH_PATH;
    facts["files"] = headers.iter().map(|rule| rule.pattern.to_string()).filter(is_object).collect();
    facts["slugs"] = slugs.join(" ").into();
    // For its own answers, which are errors of the API.
    facts["headers"] = facts["headers"].as_array().into_iter().flatten().take(2).cloned().collect();
    let is_too_large = request(&facts).len() > MOST_BYTES;
    if is_too_large {
        facts["slugs"] = Value::Null;
    }
    let files = [("_s3/request.js", request(&facts).into()), ("_s3/response.js", response.into())];
    let mut edge = Edge::new(directory, files)?;
    let note = "CloudFront's function is too small for all slugs: live answers for each clinician";
    edge.notes.extend(is_too_large.then(|| note.to_owned()));
    Ok(edge)
}

fn request(facts: &Value) -> String {
    format!("import cf from \"cloudfront\";\nconst FACTS = {facts};\n\n{REQUEST}")
}
