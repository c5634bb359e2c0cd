//! What changed from one generation to the next: the body of `/v1/changes`. No bodies and no names are kept here, so no
//! clinician who left stays. Steps compare hashes of bodies, because an upgrade of the program can change bodies of the
//! same content.

mod contents;
mod sha256;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub use self::contents::Contents;
pub use self::sha256::Sha256Digest;

pub const CHANGES_PATH: &str = "/v1/changes";

const KEPT_STEPS: usize = 100;
/// A step that concerns more clinicians does not list them.
const MOST_LISTED: usize = 1_000;

/// What differs between two generations that were served one after the other. Slugs are sorted bytewise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Step {
    pub from: String,
    pub to: String,
    pub added: Vec<String>,
    pub changed: Vec<String>,
    pub removed: Vec<String>,
    /// The paths of the lists with a changed body, that of a state included.
    pub catalogs: Vec<String>,
    /// Whether too many clinicians differ to list them.
    pub all: bool,
}

impl Step {
    /// `None`: neither the generation nor a body differs.
    fn between(before: &Contents, now: &Contents) -> Option<Self> {
        let (old, new) = (&before.profiles, &now.profiles);
        let slugs = |of: &mut dyn Iterator<Item = &String>| of.cloned().collect::<Vec<_>>();
        let mut step = Self {
            from: before.generation().to_owned(),
            to: now.generation().to_owned(),
            added: slugs(&mut new.keys().filter(|slug| !old.contains_key(*slug))),
            changed: slugs(
                &mut new.keys().filter(|slug| old.get(*slug).is_some_and(|body| *body != new[*slug])),
            ),
            removed: slugs(&mut old.keys().filter(|slug| !new.contains_key(*slug))),
            catalogs: now.changed_catalogs(before),
            all: false,
        };
        let clinicians = step.added.len() + step.changed.len() + step.removed.len();
        if clinicians > MOST_LISTED {
            (step.added, step.changed, step.removed, step.all) = (Vec::new(), Vec::new(), Vec::new(), true);
        }
        (step.from != step.to || clinicians > 0 || !step.catalogs.is_empty()).then_some(step)
    }
}

/// What is served, and the steps that led to it, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    contents: Contents,
    steps: Vec<Step>,
}

#[derive(Serialize, Deserialize)]
struct Body<'a> {
    generation: Cow<'a, str>,
    digest: String,
    clinicians: usize,
    steps: Cow<'a, [Step]>,
}

impl History {
    pub fn new(contents: Contents) -> Self {
        Self { contents, steps: Vec::new() }
    }

    /// Reads the steps of a body that was published with these contents. What does not lead to them is left out.
    pub fn read(contents: Contents, published: &[u8]) -> Self {
        let body = serde_json::from_slice::<Body<'_>>(published).ok();
        let is_its =
            |body: &Body<'_>| body.generation == contents.generation() && body.digest == contents.digest();
        let mut steps = body.filter(is_its).map(|body| body.steps.into_owned()).unwrap_or_default();
        let mut next = contents.generation();
        let leading =
            steps.iter().take_while(|step| step.to == std::mem::replace(&mut next, &step.from)).count();
        steps.truncate(leading.min(KEPT_STEPS));
        Self { contents, steps }
    }

    #[must_use]
    pub fn followed_by(&self, now: Contents) -> Self {
        let newest = Step::between(&self.contents, &now);
        let steps = newest.into_iter().chain(self.steps.iter().cloned()).take(KEPT_STEPS).collect();
        Self { contents: now, steps }
    }

    /// Adds an older step, from `older` to the contents from which the oldest known step leads.
    #[must_use]
    pub fn preceded_by(mut self, older: &Contents, oldest: &Contents) -> Self {
        self.steps.extend(Step::between(older, oldest));
        self.steps.truncate(KEPT_STEPS);
        self
    }

    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub fn is_full(&self) -> bool {
        self.steps.len() >= KEPT_STEPS
    }

    pub fn body(&self) -> Vec<u8> {
        let body = Body {
            generation: self.contents.generation().into(),
            digest: self.contents.digest(),
            clinicians: self.contents.profiles.len(),
            steps: (&*self.steps).into(),
        };
        // Texts and numbers are always JSON.
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
