//! Netlify: `_redirects` and `_headers`.
//!
//! The order of the rules follows from Netlify's matching. The first match wins. A path matches with and without a
//! trailing slash. Query values match literally and case-sensitively; other parameters are ignored; of a repeated
//! parameter the last value counts. A rule with status 200 or 404 applies only if no file has that path, unless it is
//! forced. The query is passed on to the target.

use std::fmt;

use directory::api::{MCP_PATH, OPERATIONS, Operation, PROGRAM_ROOTS, ParameterKind, Request, SSE_PATH};
use directory::model::{Directory, Slug, StateCode};
use standards::FHIR_ROOT;

use super::headers;
use super::token::{EdgeError, Token};
use super::{Edge, NOT_FOUND_PATH, has_slug, lines, without_live};
use crate::pages::profile_route;
use crate::plan::{self, Plan};

/// With more providers, if there is a live service, one rule sends all profiles to it: matching is
/// linear.
const MOST_PROVIDER_RULES: usize = 500;

// Statuses. Those with an exclamation mark apply even if a file of that path exists.
const REWRITE: &str = "200";
const FORCED_REWRITE: &str = "200!";
const MOVED: &str = "301";
const NOT_FOUND: &str = "404";
const FORCED_NOT_FOUND: &str = "404!";

#[derive(Debug)]
struct Rule {
    from: Token,
    /// A parameter and its value; `:name` matches any value.
    query: Option<(Token, Token)>,
    to: Token,
    status: &'static str,
}

struct Rules<'a> {
    lines: Vec<Rule>,
    /// The live service's address, without a trailing slash.
    live: Option<&'a str>,
}

pub(super) fn rules(directory: &Directory, plan: &Plan) -> Result<Edge, EdgeError> {
    let redirects = redirects(directory, plan)?;
    let headers = headers::rules(directory)?;
    Ok(Edge {
        files: vec![
            ("_redirects".parse()?, lines(&redirects).into()),
            ("_headers".parse()?, lines(&headers).into()),
        ],
        notes: without_live(directory).into_iter().collect(),
    })
}

fn redirects(directory: &Directory, plan: &Plan) -> Result<Vec<Rule>, EdgeError> {
    let mut rules = Rules { lines: Vec::new(), live: directory.organisation().live_url.as_deref() };
    let (profiles, lists): (Vec<&Operation>, Vec<_>) = OPERATIONS.iter().partition(|row| has_slug(row));
    let (published, unpublished): (Vec<_>, Vec<_>) = lists.into_iter().partition(|row| plan.answers(row.id));
    for operation in unpublished {
        rules.live(operation.path, None, FORCED_REWRITE)?;
    }
    rules.live(MCP_PATH, None, FORCED_REWRITE)?;
    rules.push(SSE_PATH, None, &not_found(), FORCED_NOT_FOUND)?;
    for operation in &published {
        rules.queries(operation)?;
    }
    for operation in &published {
        rules.answer(operation.path, None)?;
    }
    for operation in profiles {
        rules.profiles(operation, directory)?;
    }
    if directory.organisation().standards.is_some() {
        // Files of the tree come first; the others are live's: the manifest, the slots, single resources.
        let below = format!("{FHIR_ROOT}/*");
        match rules.live {
            Some(live) => rules.push(&below, None, &format!("{live}{FHIR_ROOT}/:splat"), REWRITE)?,
            None => rules.push(&below, None, &not_found(), NOT_FOUND)?,
        }
    }
    for root in PROGRAM_ROOTS {
        rules.push(&format!("{root}/*"), None, &not_found(), NOT_FOUND)?;
    }
    // Netlify itself knows the 404 page of the root alone.
    for base in directory.texts().iter().map(|texts| texts.base.as_str()).filter(|base| !base.is_empty()) {
        rules.push(&format!("{base}/*"), None, &format!("{base}/404.html"), NOT_FOUND)?;
    }
    Ok(rules.lines)
}

impl Rules<'_> {
    /// The rules of a route's queries: first the parameters that only the live service answers, then the states with
    /// their files, then any other spelling of a state.
    fn queries(&mut self, operation: &Operation) -> Result<(), EdgeError> {
        let (states, others): (Vec<_>, Vec<_>) =
            operation.parameters.iter().partition(|parameter| parameter.kind == ParameterKind::State);
        for parameter in others {
            self.live(operation.path, Some(parameter.name), REWRITE)?;
        }
        for parameter in states {
            for state in StateCode::all() {
                self.answer(operation.path, Some((parameter.name, state.code())))?;
                self.answer(operation.path, Some((parameter.name, &state.code().to_ascii_lowercase())))?;
                // Netlify compares the decoded value with the rule's text, which cannot contain a space, so names of
                // several words go to the live service.
                let is_word = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphabetic());
                for name in state.spellings().skip(1).filter(is_word) {
                    self.answer(operation.path, Some((parameter.name, name)))?;
                }
            }
            self.live(operation.path, Some(parameter.name), REWRITE)?;
        }
        Ok(())
    }

    /// The rules of profiles: redirects of former slugs, for the API and the site, and the files of current slugs.
    fn profiles(&mut self, operation: &Operation, directory: &Directory) -> Result<(), EdgeError> {
        let Some((stem, _)) = operation.path.split_once('{') else {
            return Ok(());
        };
        for provider in directory.providers() {
            for former in &provider.former_slugs {
                let route = |slug: &Slug| format!("{stem}{slug}");
                self.push(&route(former), None, &route(&provider.slug), MOVED)?;
                for texts in directory.texts() {
                    let page = |slug: &Slug| [&*texts.base, &profile_route(slug)].concat();
                    self.push(&page(former), None, &page(&provider.slug), MOVED)?;
                }
            }
        }
        if self.live.is_some() && directory.providers().len() > MOST_PROVIDER_RULES {
            return self.live(&format!("{stem}:slug"), None, REWRITE);
        }
        for provider in directory.providers() {
            let route = format!("{stem}{}", provider.slug);
            self.answer(&route, None)?;
        }
        // Unknown slugs: the live service answers with suggestions; without it the last rules answer 404.
        match self.live {
            Some(_) => self.live(&format!("{stem}:slug"), None, REWRITE),
            None => Ok(()),
        }
    }

    /// A rule that leads to the file of this request, if it has one.
    fn answer(&mut self, route: &str, query: Option<(&str, &str)>) -> Result<(), EdgeError> {
        let query_string = query.map(|(name, value)| format!("{name}={value}"));
        let request = Request::from_path_and_query(route, query_string.as_deref());
        match request.ok().as_ref().and_then(plan::file) {
            Some(file) => self.push(route, query, &format!("/{}", file?), REWRITE),
            None => Ok(()),
        }
    }

    /// A rule that leads to the live service; without it to a 404, since a list that ignores a filter would be a wrong
    /// answer.
    fn live(&mut self, route: &str, parameter: Option<&str>, status: &'static str) -> Result<(), EdgeError> {
        let any = parameter.map(|name| format!(":{name}"));
        let query = parameter.zip(any.as_deref());
        match self.live {
            Some(live) => self.push(route, query, &format!("{live}{route}"), status),
            None => self.push(route, query, &not_found(), FORCED_NOT_FOUND),
        }
    }

    fn push(
        &mut self,
        from: &str,
        query: Option<(&str, &str)>,
        to: &str,
        status: &'static str,
    ) -> Result<(), EdgeError> {
        let query =
            query.map(|(name, value)| Ok::<_, EdgeError>((name.parse()?, value.parse()?))).transpose()?;
        self.lines.push(Rule { from: from.parse()?, query, to: to.parse()?, status });
        Ok(())
    }
}

fn not_found() -> String {
    format!("/{NOT_FOUND_PATH}")
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.from)?;
        if let Some((name, value)) = &self.query {
            write!(formatter, " {name}={value}")?;
        }
        write!(formatter, " {} {}", self.to, self.status)
    }
}

#[cfg(test)]
mod tests;
