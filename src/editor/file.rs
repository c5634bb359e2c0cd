//! `editor.toml`: where the form is, and where it saves. The file is private. Without it the form is only a trial.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use directory::content::{OpenError, open_linked};
use directory::model::StateCode;
use directory::visible;
use toml::de::{DeTable, DeValue};

use crate::near::nearest;
use crate::outcome::Refusal;

/// The file's name in the content folder.
const NAME: &str = "editor.toml";
/// The largest file, in bytes.
const LARGEST: u64 = 1 << 16;
const KEYS: [&str; 9] =
    ["address", "backend", "repository", "branch", "folder", "host", "sign-in", "app-id", "states"];
const BACKENDS: [&str; 3] = ["github", "gitlab", "gitea"];

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Backend {
    /// In the browser alone.
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

/// How people sign in to GitHub.
#[derive(Debug, PartialEq, Eq)]
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

/// Reads the file of a content folder, if it is there.
pub(crate) fn read(content: &Path) -> Result<EditorFile, Refusal> {
    let path = content.join(NAME);
    let mut text = String::new();
    match open_linked(&path) {
        Err(OpenError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(EditorFile::default());
        }
        Err(error) => return Err(Refusal::new(format!("{} cannot be read: {error}", path.display()))),
        Ok(file) => {
            let read = file.take(LARGEST + 1).read_to_string(&mut text);
            read.map_err(|error| Refusal::new(format!("{} cannot be read: {error}", path.display())))?;
        }
    }
    if text.len() as u64 > LARGEST {
        return Err(Refusal::new(format!("{} is larger than {LARGEST} bytes", path.display())));
    }
    parse(&text, &path.display().to_string()).map_err(Refusal::new)
}

/// Parses the file. The error has a line for each mistake: its place, what is wrong, and what to do.
fn parse(text: &str, shown: &str) -> Result<EditorFile, String> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader { text, shown, table: table.get_ref(), faults: String::new() };
    for error in errors.iter().take(5) {
        reader.fault(
            error.span().map_or(0, |span| span.start),
            &format!("{}: write key = \"value\"", error.message()),
        );
    }
    if errors.is_empty() {
        let file = reader.file();
        if reader.faults.is_empty() {
            return Ok(file);
        }
    }
    Err(reader.faults)
}

struct Reader<'a> {
    text: &'a str,
    shown: &'a str,
    table: &'a DeTable<'a>,
    faults: String,
}

impl Reader<'_> {
    fn file(&mut self) -> EditorFile {
        for (key, _) in self.table {
            let name = key.get_ref();
            if !KEYS.contains(&name.as_ref()) {
                let advice = match nearest(name, KEYS.into_iter()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the keys are {}", KEYS.join(", ")),
                };
                self.fault(
                    key.span().start,
                    &format!("`{}` is not a key of this file: {advice}", visible::line(name)),
                );
            }
        }
        let address = self.https("address", "https://edit.your-clinic.example");
        let branch = self.plain("branch", "main").unwrap_or_else(|| "main".to_owned());
        let folder = self.plain("folder", "content").unwrap_or_else(|| "content".to_owned());
        EditorFile { address, backend: self.backend(), branch, folder, states: self.states() }
    }

    fn backend(&mut self) -> Backend {
        let Some((word, at)) = self.text_of("backend") else {
            for key in ["repository", "sign-in", "app-id", "host"] {
                if let Some((_, at)) = self.text_of(key) {
                    self.fault(at, &format!("`{key}` is here and `backend` is missing: add a line backend = \"github\", \"gitlab\" or \"gitea\""));
                }
            }
            return Backend::Trial;
        };
        if !BACKENDS.contains(&word.as_str()) {
            let advice = match nearest(&word, BACKENDS.into_iter()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "write \"github\", \"gitlab\" or \"gitea\"".to_owned(),
            };
            self.fault(
                at,
                &format!(
                    "\"{}\" is not a git host that the form can save to: {advice}",
                    visible::line(&word)
                ),
            );
            return Backend::Trial;
        }
        let Some(repository) = self.repository(at) else { return Backend::Trial };
        if word == "github" {
            for key in ["app-id", "host"] {
                if let Some((_, at)) = self.text_of(key) {
                    self.fault(at, &format!("`{key}` is for gitlab and gitea alone: delete this line"));
                }
            }
            return Backend::GitHub { repository, sign_in: self.sign_in() };
        }
        if let Some((_, at)) = self.text_of("sign-in") {
            self.fault(
                at,
                &format!("`sign-in` is for github alone: delete this line; people sign in to {word} itself"),
            );
        }
        let host = self.https("host", "https://git.your-clinic.example");
        let app = self.text_of("app-id").map(|(id, _)| id);
        let Some(app) = app else {
            self.fault(at, &format!("`app-id` is missing: make an application in {word}'s settings, and write its id, such as app-id = \"1a2b3c\""));
            return Backend::Trial;
        };
        if word == "gitlab" {
            Backend::GitLab { repository, host, app }
        } else {
            Backend::Gitea { repository, host, app }
        }
    }

    fn repository(&mut self, backend: usize) -> Option<String> {
        let Some((repository, at)) = self.text_of("repository") else {
            self.fault(
                backend,
                "`repository` is missing: add a line such as repository = \"your-clinic/directory\"",
            );
            return None;
        };
        let is_part = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        let whole = repository.contains('/') && repository.split('/').all(is_part);
        if !whole {
            self.fault(at, &format!("\"{}\" is not a repository: write its owner and its name, such as \"your-clinic/directory\"", visible::line(&repository)));
        }
        whole.then_some(repository)
    }

    fn sign_in(&mut self) -> SignIn {
        match self.text_of("sign-in") {
            None => SignIn::Netlify,
            Some((word, _)) if word == "netlify" => SignIn::Netlify,
            Some((word, _)) if word == "token" => SignIn::Token,
            Some(_) => match self.https("sign-in", "https://sign-in.your-clinic.example") {
                Some(server) => SignIn::Server(server),
                None => SignIn::Netlify,
            },
        }
    }

    fn states(&mut self) -> Vec<StateCode> {
        let table = self.table;
        let Some((_, value)) = table.iter().find(|(key, _)| key.get_ref() == "states") else {
            return Vec::new();
        };
        let DeValue::Array(list) = value.get_ref() else {
            self.fault(
                value.span().start,
                "`states` is not a list: write codes such as states = [\"OR\", \"WA\"]",
            );
            return Vec::new();
        };
        let mut states = Vec::new();
        for entry in list {
            let word = entry.get_ref().as_str().unwrap_or_default();
            match StateCode::all().find(|state| state.code() == word) {
                Some(state) => states.push(state),
                None => self.fault(
                    entry.span().start,
                    "this is not the code of a state: write two letters, such as \"OR\"",
                ),
            }
        }
        states
    }

    /// An address that begins with https, without a slash at the end.
    fn https(&mut self, key: &str, example: &str) -> Option<String> {
        let (address, at) = self.text_of(key)?;
        let rest = address.strip_prefix("https://").map(|rest| rest.trim_end_matches('/'));
        let is_address = |rest: &&str| {
            let host = rest.split('/').next().unwrap_or_default();
            host.contains('.')
                && rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'\\;,<>?#".contains(&byte))
        };
        let Some(rest) = rest.filter(is_address) else {
            self.fault(
                at,
                &format!(
                    "\"{}\" is not an address for `{key}`: write one such as \"{example}\"",
                    visible::line(&address)
                ),
            );
            return None;
        };
        Some(format!("https://{rest}"))
    }

    /// A text that becomes part of a path.
    fn plain(&mut self, key: &str, example: &str) -> Option<String> {
        let (text, at) = self.text_of(key)?;
        let text = text.trim_matches('/').to_owned();
        let is_plain = |part: &str| {
            !part.is_empty()
                && part != ".."
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        if text.split('/').all(is_plain) {
            return Some(text);
        }
        self.fault(
            at,
            &format!("`{key}` has a character that cannot be in it: write a name such as \"{example}\""),
        );
        None
    }

    /// A key's text, and where its value begins. Any other value is a mistake.
    fn text_of(&mut self, key: &str) -> Option<(String, usize)> {
        let (_, value) = self.table.iter().find(|(known, _)| known.get_ref() == key)?;
        let start = value.span().start;
        match value.get_ref() {
            DeValue::String(text) if !text.is_empty() => Some((text.to_string(), start)),
            DeValue::String(_) => None,
            _ => {
                let fault = format!("`{key}` is not a text: put it in quotes");
                if !self.faults.contains(&fault) {
                    self.fault(start, &fault);
                }
                None
            }
        }
    }

    fn fault(&mut self, at: usize, what: &str) {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let end = if self.faults.is_empty() { "" } else { "\n" };
        _ = write!(self.faults, "{end}{}:{line}:{column}: {what}", self.shown);
    }
}

#[cfg(test)]
mod tests;
