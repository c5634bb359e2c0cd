//! Netlify: `_redirects` and `_headers`. The first matching rule applies. A query value must be equal, including letter
//! case; the last value of a repeated parameter counts, and other parameters are ignored. A rule with status 200 or 404
//! applies only if no file has that path, unless it is forced. The query is passed on to the target.

use std::fmt;

use directory::model::Directory;

use super::headers;
use super::redirects::{Redirect, redirects};
use super::token::EdgeError;
use super::{Edge, lines};
use crate::answers::AnswerFiles;

pub(super) fn rules(directory: &Directory, answers: &AnswerFiles) -> Result<Edge, EdgeError> {
    let redirects = redirects(directory, answers)?;
    let headers = headers::rules(directory)?;
    Edge::new(directory, [("_redirects", lines(&redirects).into()), ("_headers", lines(&headers).into())])
}

impl fmt::Display for Redirect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.from)?;
        if let Some((name, value)) = &self.query {
            write!(formatter, " {name}={value}")?;
        }
        let (status, is_forced) = self.status;
        write!(formatter, " {} {status}{}", self.to, if is_forced { "!" } else { "" })
    }
}

#[cfg(test)]
mod tests;
