//! Lists the requests whose answers are published as files, and the path of each file.
//!
//! Paths are derived from [`OPERATIONS`]. A request is planned if its answer depends on the content alone and the number
//! of such requests is bounded: lists without a filter or filtered by one state, with the default page; and each
//! provider's profile.
//!
//! Every state of the table has its files, whether or not care is offered there: the API answers such a state with an
//! empty list and not with an error.

use directory::api::{OPERATIONS, Operation, OperationId, ProviderSearch, Question, Request, View};
use directory::model::{Directory, StateCode};

use crate::path::{PathError, TreePath, disjoint};

/// The requests whose answers are published as files, with the files' paths; sorted by path.
#[derive(Debug)]
pub struct Plan(pub Vec<(TreePath, Request)>);

/// Lays out the static answers of a directory.
pub fn plan(directory: &Directory) -> Result<Plan, PathError> {
    let questions = OPERATIONS.iter().flat_map(|operation| static_questions(operation, directory));
    let placed = questions.filter_map(|question| {
        let request = Request::from(question);
        Some(file(&request)?.map(|path| (path, request)))
    });
    let mut entries: Vec<_> = placed.collect::<Result<_, _>>()?;
    entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    disjoint(entries.iter().map(|(path, _)| path))?;
    Ok(Plan(entries))
}

impl Plan {
    pub(crate) fn answers(&self, operation: OperationId) -> bool {
        self.0.iter().any(|(_, request)| request.operation().id == operation)
    }
}

fn static_questions(operation: &Operation, directory: &Directory) -> Vec<Question> {
    let scoped = |question: fn(Option<StateCode>) -> Question| {
        std::iter::once(None).chain(StateCode::all().map(Some)).map(question).collect()
    };
    match operation.id {
        OperationId::States => vec![Question::States],
        OperationId::Insurances => scoped(|state| Question::Insurances { state }),
        OperationId::AppointmentTypes => scoped(|state| Question::AppointmentTypes { state }),
        OperationId::Providers => {
            scoped(|state| Question::Providers(ProviderSearch::first_page(View::Profile, state)))
        }
        OperationId::ProviderSummaries => {
            scoped(|state| Question::Providers(ProviderSearch::first_page(View::Summary, state)))
        }
        OperationId::Provider => {
            let slugs = directory.providers().iter().map(|provider| provider.slug.as_str().to_owned());
            slugs.map(|slug| Question::Provider { slug }).collect()
        }
        // Depends on the time.
        OperationId::Availability => Vec::new(),
    }
}

/// The file that would answer a request, if requests of its kind are answered by files.
///
/// Files always have an extension: hosts derive the content type from it, and a route with others below it cannot be
/// both a file and a folder.
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
            match (search.state, search.view) {
                _ if *search != ProviderSearch::first_page(search.view, search.state) => return None,
                (None, _) => format!("{route}.json"),
                // In a folder of its own: a provider's slug may equal a state's code.
                (Some(state), View::Profile) => format!("{route}/state/{state}.json"),
                (Some(state), View::Summary) => format!("{route}/{state}.json"),
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
    use crate::test_fixture as fixture;

    fn file_of(path: &str, query: &str) -> Option<String> {
        let request = Request::from_path_and_query(path, Some(query)).unwrap();
        file(&request).map(|path| path.unwrap().to_string())
    }

    #[test]
    fn the_plan_covers_every_list_state_and_provider() {
        let snapshot = fixture::snapshot();
        let plan = plan(snapshot.directory()).unwrap();
        let paths: Vec<_> = plan.0.iter().map(|(path, _)| path.as_str()).collect();
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
            "v1/providers/summary.json",
            "v1/providers/summary/WY.json",
            "v1/providers/ada-moreau.json",
            "v1/providers/state.json",
        ] {
            assert!(paths.contains(&path), "{path}");
        }
        // The list of states; four lists, each also for the 56 states of the table; two providers.
        assert_eq!(paths.len(), 1 + 4 * 57 + 2);
    }

    #[test]
    fn filtered_and_paged_requests_have_no_file() {
        assert_eq!(file_of("/v1/providers", "state=new+york"), Some("v1/providers/state/NY.json".into()));
        assert_eq!(file_of("/v1/providers", "limit=10&offset=0"), Some("v1/providers.json".into()));
        for query in
            ["limit=5", "offset=10", "gender=female", "state=CA&providerType=physician", "insurance=X"]
        {
            assert_eq!(file_of("/v1/providers", query), None, "{query}");
        }
        assert_eq!(file_of("/v1/providers/summary", ""), Some("v1/providers/summary.json".into()));
        assert_eq!(file_of("/v1/providers/summary", "q=ann"), None);
        assert_eq!(file_of("/v1/availability", "state=CA"), None);
    }

    #[test]
    fn an_invalid_slug_is_an_error() {
        let request = Request::from(Question::Provider { slug: "../x".into() });
        assert!(matches!(file(&request), Some(Err(PathError::Form(_)))));
    }
}
