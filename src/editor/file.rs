//! `editor.toml`: where the form is, and where it saves. The file is private. Without it the form is only a trial.

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::Path;

use directory::content::OpenError;
use directory::model::StateCode;
use directory::visible;
use serde::Deserialize;

use crate::outcome::Refusal;
use authoring::near::reword_serde_error;
use directory::content::read_linked;

const NAME: &str = "editor.toml";
const LARGEST: u64 = 1 << 16;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Backend {
    /// Only in the browser.
    #[default]
    Trial,
    GitHub {
        repository: String,
        sign_in: SignIn,
    },
    /// `host` is the clinic's own server, if it has one; `app` is the application that people sign in to.
    GitLab {
        repository: String,
        host: Option<String>,
        app: String,
    },
    Gitea {
        repository: String,
        host: Option<String>,
        app: String,
    },
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum SignIn {
    /// Through Netlify, where the form is.
    Netlify,
    /// With a token that each person has.
    Token,
    /// Through the clinic's own server.
    Server(String),
}

#[derive(Debug)]
pub(crate) struct EditorFile {
    /// Where the form is, without a slash at the end.
    pub(crate) address: Option<String>,
    pub(super) backend: Backend,
    pub(super) branch: String,
    /// The content folder in the repository.
    pub(super) folder: String,
    /// States that the form offers although no file names them yet.
    pub(super) states: Vec<StateCode>,
}

impl Default for EditorFile {
    fn default() -> Self {
        Self {
            address: None,
            backend: Backend::Trial,
            branch: "main".to_owned(),
            folder: "content".to_owned(),
            states: Vec::new(),
        }
    }
}

pub(crate) fn read(content: &Path) -> Result<EditorFile, Refusal> {
    let path = content.join(NAME);
    let refused = |error: &dyn Display| Refusal::new(format!("{} can't be read: {error}", path.display()));
    let bytes = match read_linked(&path, LARGEST) {
        Err(OpenError::Io(error)) if error.kind() == ErrorKind::NotFound => return Ok(EditorFile::default()),
        read => read.map_err(|error| refused(&error))?,
    };
    let text = String::from_utf8(bytes).map_err(|error| refused(&error))?;
    parse(&text, &path.display().to_string()).map_err(Refusal::new)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Keys {
    address: Option<Address>,
    backend: Option<GitHost>,
    repository: Option<Name>,
    branch: Option<Name>,
    folder: Option<Name>,
    host: Option<Address>,
    sign_in: Option<SignIn>,
    app_id: Option<String>,
    #[serde(default)]
    states: Vec<State>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum GitHost {
    GitHub,
    GitLab,
    Gitea,
}

/// An address that begins with https, without a slash at the end.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Address(String);

impl TryFrom<String> for Address {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let rest = text.strip_prefix("https://").map(|rest| rest.trim_end_matches('/'));
        let is_address = |rest: &&str| {
            rest.split('/').next().is_some_and(|host| host.contains('.'))
                && rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'\\;,<>?#".contains(&byte))
        };
        let rest = rest.filter(is_address);
        rest.map(|rest| Self(format!("https://{rest}")))
            .ok_or("this isn't an address: write one such as \"https://edit.your-clinic.example\"")
    }
}

/// A text that becomes part of a path.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Name(String);

impl TryFrom<String> for Name {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim_matches('/');
        let is_plain = |part: &str| {
            let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            !part.is_empty() && part != ".." && part.bytes().all(is_of_name)
        };
        let is_name = text.split('/').all(is_plain);
        is_name.then(|| Self(text.to_owned())).ok_or(
            "this isn't a valid name: use letters, digits, \"-\", \"_\" and \".\", such as \"content\" or \
             \"your-clinic/directory\"",
        )
    }
}

impl TryFrom<String> for SignIn {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "netlify" => Ok(Self::Netlify),
            "token" => Ok(Self::Token),
            _ => Address::try_from(text).map(|Address(server)| Self::Server(server)),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct State(StateCode);

impl TryFrom<String> for State {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self).map_err(|_| "this isn't a state: write two letters, such as \"OR\"")
    }
}

fn parse(text: &str, shown: &str) -> Result<EditorFile, String> {
    let keys: Keys = toml::from_str(text).map_err(|error| {
        let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let (what, hint) = reword_serde_error(error.message());
        let told = hint.map_or(what.clone(), |hint| format!("{what}; {hint}"));
        format!("{shown}:{line}:{column}: {}", visible::line(&told))
    })?;
    keys.file().map_err(|what| format!("{shown}: {what}"))
}

impl Keys {
    fn file(self) -> Result<EditorFile, &'static str> {
        let default = EditorFile::default();
        let name = |name: Option<Name>, default| name.map_or(default, |Name(name)| name);
        let states = self.states.into_iter().map(|State(state)| state).collect();
        let host = self.host.map(|Address(host)| host);
        let backend = match (self.backend, self.repository) {
            (None, None) if host.is_none() && self.sign_in.is_none() && self.app_id.is_none() => {
                Backend::Trial
            }
            (None, _) => {
                return Err(
                    "`backend` is missing: add a line backend = \"github\", \"gitlab\", or \"gitea\"",
                );
            }
            (Some(_), None) => {
                return Err(
                    "`repository` is missing: add a line such as repository = \"your-clinic/directory\"",
                );
            }
            (Some(GitHost::GitHub), _) if host.is_some() || self.app_id.is_some() => {
                return Err("`host` and `app-id` are only for gitlab and gitea: delete these lines");
            }
            (Some(GitHost::GitHub), Some(Name(repository))) => {
                Backend::GitHub { repository, sign_in: self.sign_in.unwrap_or(SignIn::Netlify) }
            }
            (Some(_), _) if self.sign_in.is_some() => {
                return Err(
                    "`sign-in` is only for github: delete this line; people sign in to the git host itself",
                );
            }
            (Some(git), Some(Name(repository))) => {
                let app = self.app_id.ok_or(
                    "`app-id` is missing: make an application in the git host's settings, and write its id, such as \
                     app-id = \"1a2b3c\"",
                )?;
                if git == GitHost::GitLab {
                    Backend::GitLab { repository, host, app }
                } else {
                    Backend::Gitea { repository, host, app }
                }
            }
        };
        Ok(EditorFile {
            address: self.address.map(|Address(address)| address),
            backend,
            branch: name(self.branch, default.branch),
            folder: name(self.folder, default.folder),
            states,
        })
    }
}

#[cfg(test)]
mod tests;
