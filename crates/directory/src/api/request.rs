//! Parses REST requests and tool calls. Whether a plan or a slug exists is decided by `answer`.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::fault::Fault;
use super::operation::{Given, Operation, ParameterKind, RawValue, SLUG};
use super::query;
use super::question::Question;
use crate::calendar::Cursor;
use crate::model::Slug;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    question: Question,
    ignored: Vec<String>,
}

impl From<Question> for Request {
    fn from(question: Question) -> Self {
        Self { question, ignored: Vec::new() }
    }
}

/// The maximum number of ignored parameter names that are reported. Each name is compared with the reported ones, so
/// without a bound the work would be quadratic in the query's length.
pub const MAX_IGNORED: usize = 10;

fn add_ignored(ignored: &mut Vec<String>, name: String) {
    // One name more than the maximum shows the caller that the list is truncated.
    if ignored.len() <= MAX_IGNORED && !ignored.contains(&name) {
        ignored.push(name);
    }
}

pub fn split_target(target: &str) -> (&str, Option<&str>) {
    target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)))
}

impl Request {
    /// Parses `path?query` of a REST request, as [`Request::path_and_query`] writes it.
    pub fn from_target(target: &str) -> Result<Self, Fault> {
        let (path, query) = split_target(target);
        Self::from_path_and_query(path, query)
    }

    /// Parses a REST request. `path` and `query` are percent-encoded; `query` has no `?`.
    pub fn from_path_and_query(path: &str, query: Option<&str>) -> Result<Self, Fault> {
        let (operation, slug) = Operation::for_path(path).ok_or_else(Fault::not_found)?;
        if let (None, None, Some(question)) = (query, slug, Question::without_parameters(operation)) {
            return Ok(question.clone().into());
        }
        let mut given = Given::default();
        let mut ignored = Vec::new();
        for (name, value) in query::pairs(query.unwrap_or_default()) {
            let Some(name) = name else {
                return Err(Fault::invalid_parameter("the query", "must be percent-encoded UTF-8"));
            };
            match operation.in_query(&name) {
                Some(parameter) => given.set(parameter, value),
                None => add_ignored(&mut ignored, name),
            }
        }
        if let Some(slug) = slug {
            given.set(&SLUG, query::decode(slug, false));
        }
        let question = Question::read(operation, &given).map_err(Fault::wrong_parameter)?;
        Ok(Self { question, ignored })
    }

    /// Like [`Request::ignored`], even if the request is invalid.
    pub fn ignored_of(path: &str, query: &str) -> Vec<String> {
        let Some((operation, _)) = Operation::for_path(path) else { return Vec::new() };
        let mut ignored = Vec::new();
        for name in query::pairs(query).filter_map(|(name, _)| name) {
            if operation.in_query(&name).is_none() {
                add_ignored(&mut ignored, name);
            }
        }
        ignored
    }

    pub fn from_tool(operation: &'static Operation, arguments: &Map<String, Value>) -> Result<Self, Fault> {
        let mut given = Given::default();
        for (name, value) in arguments {
            let Some(parameter) = operation.argument(name) else {
                return Err(Fault::unknown_argument(name, operation));
            };
            let value = RawValue::from_json(value);
            let value = match parameter.kind {
                // A slug is trimmed in arguments, but not in a path.
                ParameterKind::PathSlug => value.trimmed(),
                // Sentences for patients say "nurse practitioner" and "non-binary".
                ParameterKind::Word(_) | ParameterKind::Profession => value.joined(),
                _ => value,
            };
            given.set(parameter, value);
        }
        let question = match Question::read(operation, &given).map_err(Fault::wrong_parameter)? {
            Question::Provider { slug } => Question::ProviderNamed { name: slug },
            question => question,
        };
        Ok(question.into())
    }

    pub fn question(&self) -> &Question {
        &self.question
    }

    pub fn operation(&self) -> &'static Operation {
        self.question.operation()
    }

    pub fn tool(&self) -> &'static Operation {
        self.question.tool()
    }

    pub(super) fn after(&self, cursor: Cursor) -> Self {
        let mut question = self.question.clone();
        if let Question::Availability(search) = &mut question {
            search.after = Some(cursor);
        }
        question.into()
    }

    /// The first unknown parameter names of the query, each once, in order: at most one more than [`MAX_IGNORED`].
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    pub fn path_and_query(&self) -> String {
        let mut target = self.operation().path.trim_end_matches("{slug}").to_owned();
        let mut separator = '?';
        for (name, value) in self.question.parameters() {
            // A slug ends the path.
            if name != SLUG.name {
                target.push(separator);
                target.push_str(&name);
                target.push('=');
                separator = '&';
            }
            let text = value.as_str().map_or_else(|| value.to_string().into(), Cow::Borrowed);
            target.extend(query::encoded(&text));
        }
        target
    }

    pub fn arguments(&self) -> Map<String, Value> {
        self.question.arguments()
    }

    pub fn profile(slug: &Slug) -> Self {
        Question::Provider { slug: slug.as_str().to_owned() }.into()
    }
}
