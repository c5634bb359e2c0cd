//! Which questions have their answer published as a file, and where.
//!
//! The plan is read from [`OPERATIONS`] and the directory alone: nothing here knows a route by name. A
//! question is planned when its answer depends on the content and not on the clock, and when there are only
//! so many of its kind: with no filter or one state, on the default page, and one for each provider.
//!
//! Every state of the table has its files, covered or not: a valid state without care is an empty list and
//! not an error, so a CDN must be able to say so.

use directory::api::{OPERATIONS, Operation, OperationId, ProviderSearch, Question, Request};
use directory::model::{Directory, StateCode};

use crate::path::{PathError, TreePath, disjoint};

/// Every answer that is published as a file, sorted by path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    entries: Vec<PlanEntry>,
}

/// One answer and its place in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanEntry {
    path: TreePath,
    request: Request,
}

/// Why the answers cannot be published side by side.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answers cannot be laid out as files: {0}")]
pub struct PlanError(#[from] pub(crate) PathError);

/// Lays out the static answers of a directory.
///
/// # Errors
/// Two answers for one path, or a file where another answer needs a folder.
pub fn plan(directory: &Directory) -> Result<Plan, PlanError> {
    let questions = OPERATIONS.iter().flat_map(|operation| static_questions(operation, directory));
    let placed = questions.filter_map(|question| {
        let request = Request::from(question);
        Some(file(&request)?.map(|path| PlanEntry { path, request }))
    });
    let mut entries: Vec<_> = placed.collect::<Result<_, _>>()?;
    entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    disjoint(entries.iter().map(PlanEntry::path))?;
    Ok(Plan { entries })
}

impl Plan {
    /// The entries, sorted by path.
    #[must_use]
    pub fn entries(&self) -> &[PlanEntry] {
        &self.entries
    }

    /// The entries themselves: each place in the tree with its question.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (TreePath, Request)> {
        self.entries.into_iter().map(|entry| (entry.path, entry.request))
    }

    /// Whether answers of this operation are published as files.
    pub(crate) fn answers(&self, operation: OperationId) -> bool {
        self.entries.iter().any(|entry| entry.request.operation().id == operation)
    }
}

impl PlanEntry {
    /// Where the answer's body stands in the tree.
    #[must_use]
    pub fn path(&self) -> &TreePath {
        &self.path
    }

    /// The question that the file answers.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }
}

/// The questions of one operation whose answers are files.
fn static_questions(operation: &Operation, directory: &Directory) -> Vec<Question> {
    let scoped = |question: fn(Option<StateCode>) -> Question| {
        std::iter::once(None).chain(StateCode::all().map(Some)).map(question).collect()
    };
    match operation.id {
        OperationId::States => vec![Question::States],
        OperationId::Insurances => scoped(|state| Question::Insurances { state }),
        OperationId::AppointmentTypes => scoped(|state| Question::AppointmentTypes { state }),
        OperationId::Providers => {
            scoped(|state| Question::Providers(ProviderSearch { state, ..ProviderSearch::default() }))
        }
        OperationId::Provider => {
            let slugs = directory.providers().iter().map(|provider| provider.slug().as_str().to_owned());
            slugs.map(|slug| Question::Provider { slug }).collect()
        }
        // It changes by the minute.
        OperationId::Availability => Vec::new(),
    }
}

/// The file that would answer a question, if questions like it are answered by files.
///
/// An extension is always there: hosts guess the type from it, and a route that has others below it cannot
/// be both a file and a folder.
///
/// # Errors
/// What is asked for has no place in a tree: a slug that is none.
#[must_use]
pub fn file(request: &Request) -> Option<Result<TreePath, PathError>> {
    let route = request.operation().path.trim_start_matches('/');
    let path = match request.question() {
        Question::States
        | Question::Insurances { state: None }
        | Question::AppointmentTypes { state: None } => format!("{route}.json"),
        Question::Insurances { state: Some(state) } | Question::AppointmentTypes { state: Some(state) } => {
            format!("{route}/{state}.json")
        }
        Question::Providers(search) => {
            let default_page = ProviderSearch { state: search.state, ..ProviderSearch::default() };
            match search.state {
                _ if *search != default_page => return None,
                None => format!("{route}.json"),
                // One folder further down: the folder of the route belongs to the slugs.
                Some(state) => format!("{route}/state/{state}.json"),
            }
        }
        Question::Provider { slug } => {
            let (stem, _) = route.split_once('{')?;
            format!("{stem}{slug}.json")
        }
        Question::Availability(_) => return None,
    };
    Some(path.parse())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn file_of(path: &str, query: &str) -> Option<String> {
        let request = Request::from_path_and_query(path, Some(query)).unwrap();
        file(&request).map(|path| path.unwrap().to_string())
    }

    #[test]
    fn the_tree_is_the_one_that_publishing_draws() {
        let snapshot = fixture::snapshot();
        let plan = plan(snapshot.directory()).unwrap();
        let paths: Vec<_> = plan.entries().iter().map(|entry| entry.path().as_str()).collect();
        assert!(paths.is_sorted());
        for path in [
            "v1/states.json",
            "v1/insurances.json",
            "v1/insurances/CA.json",
            "v1/insurances/PR.json",
            "v1/appointment-types.json",
            "v1/appointment-types/NY.json",
            "v1/providers.json",
            "v1/providers/state/CA.json",
            "v1/providers/state/WY.json",
            "v1/providers/ada-moreau.json",
            "v1/providers/state.json",
        ] {
            assert!(paths.contains(&path), "{path}");
        }
        // The states; three lists, each also by the 56 states of the table; two providers.
        assert_eq!(paths.len(), 1 + 3 * 57 + 2);
    }

    #[test]
    fn questions_that_only_live_can_answer_have_no_file() {
        assert_eq!(file_of("/v1/providers", "state=new+york"), Some("v1/providers/state/NY.json".into()));
        assert_eq!(file_of("/v1/providers", "limit=10&offset=0"), Some("v1/providers.json".into()));
        for query in
            ["limit=5", "offset=10", "gender=female", "state=CA&providerType=physician", "insurance=X"]
        {
            assert_eq!(file_of("/v1/providers", query), None, "{query}");
        }
        assert_eq!(file_of("/v1/availability", "state=CA"), None);
    }

    #[test]
    fn a_slug_that_is_no_slug_has_no_place() {
        let request = Request::from(Question::Provider { slug: "../x".into() });
        assert!(matches!(file(&request), Some(Err(PathError::Form(_)))));
    }
}
