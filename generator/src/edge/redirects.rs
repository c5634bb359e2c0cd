//! The rules of hosts that compare a request with one rule after the other.

use directory::api::{MCP_PATH, OPERATIONS, Operation, PROGRAM_ROOTS, ParameterKind, SSE_PATH};
use directory::changes::CHANGES_PATH;
use directory::model::{Directory, Slug, StateCode};
use standards::FHIR_ROOT;

use super::token::{EdgeError, Token};
use super::{NOT_FOUND_PATH, bases, file, has_slug, lists, moved};
use crate::answers::AnswerFiles;
use crate::pages::profile_route;

/// With more providers, one rule sends all profiles to the live service, because matching takes time for each.
const MAX_PROVIDER_RULES: usize = 500;

/// A forced rule applies even if a file has that path.
type Status = (u16, bool);
const REWRITE: Status = (200, false);
const FORCED_REWRITE: Status = (200, true);
const MOVED: Status = (301, false);
const NOT_FOUND: Status = (404, false);
const FORCED_NOT_FOUND: Status = (404, true);

#[derive(Debug)]
pub(super) struct Redirect {
    /// `:slug` matches one part of the path, and `*` at its end the rest.
    pub(super) from: Token,
    /// The value `:name` matches any value.
    pub(super) query: Option<(Token, Token)>,
    /// A path, or an address of the live service.
    pub(super) to: Token,
    pub(super) status: Status,
}

struct Redirects<'a> {
    rules: Vec<Redirect>,
    /// Without a trailing slash.
    live_url: Option<&'a str>,
}

/// The first that matches applies.
pub(super) fn redirects(directory: &Directory, answers: &AnswerFiles) -> Result<Vec<Redirect>, EdgeError> {
    let mut redirects =
        Redirects { rules: Vec::new(), live_url: directory.organization().live_url.as_deref() };
    let (published, unpublished) = lists(answers);
    for operation in unpublished {
        redirects.add_live(operation.path, None, FORCED_REWRITE)?;
    }
    redirects.add_live(MCP_PATH, None, FORCED_REWRITE)?;
    redirects.push(SSE_PATH, None, &not_found(), FORCED_NOT_FOUND)?;
    for operation in &published {
        redirects.add_queries(operation)?;
    }
    for operation in &published {
        redirects.add_file(operation.path, None)?;
    }
    for operation in OPERATIONS.iter().filter(|operation| has_slug(operation)) {
        redirects.add_profiles(operation, directory)?;
    }
    if directory.organization().standards.is_some() {
        // For requests that no file answers. Live has the manifest, the slots and single resources.
        let below = format!("{FHIR_ROOT}/*");
        match redirects.live_url {
            Some(live) => redirects.push(&below, None, &format!("{live}{FHIR_ROOT}/:splat"), REWRITE)?,
            None => redirects.push(&below, None, &not_found(), NOT_FOUND)?,
        }
    }
    redirects.push(CHANGES_PATH, None, &format!("{CHANGES_PATH}.json"), REWRITE)?;
    for root in PROGRAM_ROOTS {
        redirects.push(&format!("{root}/*"), None, &not_found(), NOT_FOUND)?;
    }
    // Without a rule, Netlify would use only the 404 page of the root.
    for base in bases(directory).filter(|base| !base.is_empty()) {
        redirects.push(&format!("{base}/*"), None, &format!("{base}/404.html"), NOT_FOUND)?;
    }
    Ok(redirects.rules)
}

impl Redirects<'_> {
    /// First the parameters that only live answers, then the states that have files, then all other spellings of a state.
    fn add_queries(&mut self, operation: &Operation) -> Result<(), EdgeError> {
        let (states, others): (Vec<_>, Vec<_>) =
            operation.parameters.iter().partition(|parameter| parameter.kind == ParameterKind::State);
        for parameter in others {
            self.add_live(operation.path, Some(parameter.name), REWRITE)?;
        }
        for parameter in states {
            for state in StateCode::all() {
                self.add_file(operation.path, Some((parameter.name, state.code())))?;
                self.add_file(operation.path, Some((parameter.name, &state.code().to_ascii_lowercase())))?;
                // A rule cannot contain a space.
                let is_word = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphabetic());
                for name in state.spellings().skip(1).filter(is_word) {
                    self.add_file(operation.path, Some((parameter.name, name)))?;
                }
            }
            self.add_live(operation.path, Some(parameter.name), REWRITE)?;
        }
        Ok(())
    }

    fn add_profiles(&mut self, operation: &Operation, directory: &Directory) -> Result<(), EdgeError> {
        let Some((stem, _)) = operation.path.split_once('{') else { return Ok(()) };
        for (former, slug) in moved(directory) {
            let route = |slug: &Slug| format!("{stem}{slug}");
            self.push(&route(former), None, &route(slug), MOVED)?;
            for base in bases(directory) {
                let page = |slug: &Slug| [base, &profile_route(slug)].concat();
                self.push(&page(former), None, &page(slug), MOVED)?;
            }
        }
        if self.live_url.is_some() && directory.providers().len() > MAX_PROVIDER_RULES {
            return self.add_live(&format!("{stem}:slug"), None, REWRITE);
        }
        for provider in directory.providers() {
            let route = format!("{stem}{}", provider.slug);
            self.add_file(&route, None)?;
        }
        // For an unknown slug, the live service has suggestions. Without it, the last rules answer 404.
        match self.live_url {
            Some(_) => self.add_live(&format!("{stem}:slug"), None, REWRITE),
            None => Ok(()),
        }
    }

    fn add_file(&mut self, route: &str, query: Option<(&str, &str)>) -> Result<(), EdgeError> {
        match file(route, query)? {
            Some(file) => self.push(route, query, &file, REWRITE),
            None => Ok(()),
        }
    }

    /// Without a live service, a list that ignores the filter would be wrong.
    fn add_live(&mut self, route: &str, parameter: Option<&str>, status: Status) -> Result<(), EdgeError> {
        let any = parameter.map(|name| format!(":{name}"));
        let query = parameter.zip(any.as_deref());
        match self.live_url {
            Some(live) => self.push(route, query, &format!("{live}{route}"), status),
            None => self.push(route, query, &not_found(), FORCED_NOT_FOUND),
        }
    }

    fn push(
        &mut self,
        from: &str,
        query: Option<(&str, &str)>,
        to: &str,
        status: Status,
    ) -> Result<(), EdgeError> {
        let query =
            query.map(|(name, value)| Ok::<_, EdgeError>((name.parse()?, value.parse()?))).transpose()?;
        self.rules.push(Redirect { from: from.parse()?, query, to: to.parse()?, status });
        Ok(())
    }
}

fn not_found() -> String {
    format!("/{NOT_FOUND_PATH}")
}
