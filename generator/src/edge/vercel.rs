//! Vercel: `_vercel/config.json` (Build Output API), which goes to `.vercel/output/` beside the tree. The first route that
//! matches applies, after the files. Phases follow: `hit` adds headers to files, `error` finds the page of an error.

use directory::model::Directory;
use serde_json::{Map, Value, json};

use super::Edge;
use super::headers::{self, HeaderRule};
use super::redirects::{Redirect, redirects};
use super::token::EdgeError;
use crate::answers::AnswerFiles;

pub(super) fn rules(directory: &Directory, answers: &AnswerFiles) -> Result<Edge, EdgeError> {
    let headers = headers::rules(directory)?;
    let redirects = redirects(directory, answers)?;
    // Earlier, the 404 pages of languages would hide the pages of that language.
    let (of_pages, of_api): (Vec<_>, Vec<_>) =
        redirects.iter().partition(|rule| rule.to.to_string().ends_with("/404.html"));
    let mut routes = vec![json!({ "handle": "filesystem" })];
    routes.extend(of_api.into_iter().map(route));
    routes.push(json!({ "src": "^/(.+?)/?$", "dest": "/$1.html" }));
    routes.push(json!({ "handle": "hit" }));
    routes.extend(headers.iter().map(header));
    routes.push(json!({ "handle": "error" }));
    routes.extend(of_pages.into_iter().map(route));
    routes.push(json!({ "src": "^/.*$", "dest": "/404.html", "status": 404 }));
    let config = json!({ "version": 3, "routes": routes });
    Edge::new(directory, [("_vercel/config.json", config.to_string().into())])
}

fn route(rule: &Redirect) -> Value {
    let (from, to) = (rule.from.to_string(), rule.to.to_string());
    let (status, _) = rule.status;
    let mut route = json!({ "src": format!("^{}/?$", expression(&from)) });
    if status == 301 {
        route["headers"] = json!({ "Location": to });
    } else {
        route["dest"] = to.replace(":splat", "$1").replace(":slug", "$1").into();
    }
    if status != 200 {
        route["status"] = status.into();
    }
    if let Some((name, value)) = &rule.query {
        let (mut has, value) = (json!({ "type": "query", "key": name.to_string() }), value.to_string());
        if !value.starts_with(':') {
            has["value"] = value.into();
        }
        route["has"] = json!([has]);
    }
    route
}

fn header(rule: &HeaderRule) -> Value {
    let fields = rule.headers.iter().map(|(name, value)| ((*name).to_owned(), value.to_string().into()));
    let pattern = rule.pattern.to_string();
    // By its address or its file.
    let src =
        if pattern == "/" { "^/(index\\.html)?$".to_owned() } else { format!("^{}$", expression(&pattern)) };
    json!({ "src": src, "headers": fields.collect::<Map<_, _>>(), "continue": true })
}

fn expression(pattern: &str) -> String {
    pattern.replace('.', "\\.").replace('$', "\\$").replace('*', "(.*)").replace(":slug", "([^/]+)")
}
