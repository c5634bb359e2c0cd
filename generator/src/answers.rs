//! Lists the requests whose answers are published as files: the first page of each list, without a filter and for each
//! state, and each profile. Open slots depend on the time, and other filters have too many combinations. Every state has its
//! files, even without care there: the API answers with an empty list, not with an error.

use directory::api::{OPERATIONS, Operation, OperationId, ProviderSearch, Question, Request, View};
use directory::model::{Directory, StateCode};

use crate::path::{PathError, TreePath, disjoint};

/// Sorted by path.
#[derive(Debug)]
pub struct AnswerFiles(pub Vec<(TreePath, Request)>);

pub fn answer_files(directory: &Directory) -> Result<AnswerFiles, PathError> {
    let questions = OPERATIONS.iter().flat_map(|operation| static_questions(operation, directory));
    let files = questions.filter_map(|question| {
        let request = Request::from(question);
        Some(answer_path(&request)?.map(|path| (path, request)))
    });
    let mut files: Vec<_> = files.collect::<Result<_, _>>()?;
    files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    disjoint(files.iter().map(|(path, _)| path))?;
    Ok(AnswerFiles(files))
}

impl AnswerFiles {
    pub(crate) fn include(&self, operation: OperationId) -> bool {
        self.0.iter().any(|(_, request)| request.operation().id == operation)
    }
}

fn static_questions(operation: &Operation, directory: &Directory) -> Vec<Question> {
    let states = || std::iter::once(None).chain(StateCode::all().map(Some));
    let first_pages =
        |view| states().map(|state| Question::Providers(ProviderSearch::first_page(view, state))).collect();
    match operation.id {
        OperationId::States => vec![Question::States],
        OperationId::Insurances => states().map(|state| Question::Insurances { state }).collect(),
        OperationId::AppointmentTypes => states().map(|state| Question::AppointmentTypes { state }).collect(),
        OperationId::Providers => first_pages(View::Profile),
        OperationId::ProviderSummaries => first_pages(View::Summary),
        OperationId::Provider => {
            let slugs = directory.providers().iter().map(|provider| provider.slug.as_str().to_owned());
            slugs.map(|slug| Question::Provider { slug }).collect()
        }
        OperationId::Availability => Vec::new(),
    }
}

/// `None` if no file answers such requests. For an unknown slug, the file need not exist. All paths have an extension: hosts
/// derive the content type from it, and no file can have the path of a folder.
pub fn answer_path(request: &Request) -> Option<Result<TreePath, PathError>> {
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
                // In a folder of its own, because a provider's slug may equal a state's code.
                (Some(state), View::Profile) => format!("{route}/state/{state}.json"),
                (Some(state), View::Summary) => format!("{route}/{state}.json"),
            }
        }
        Question::Provider { slug } => {
            let (stem, _) = route.split_once('{')?;
            format!("{stem}{slug}.json")
        }
        Question::Availability(_) | Question::ProviderNamed { .. } => return None,
    };
    Some(path.parse())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture as fixture;

    fn path_of(path: &str, query: &str) -> Option<String> {
        let request = Request::from_path_and_query(path, Some(query)).unwrap();
        answer_path(&request).map(|path| path.unwrap().to_string())
    }

    #[test]
    fn every_list_state_and_provider_has_a_file() {
        let snapshot = fixture::snapshot();
        let files = answer_files(snapshot.directory()).unwrap();
        let paths: Vec<_> = files.0.iter().map(|(path, _)| path.as_str()).collect();
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
        // The list of states; four lists, each without a state and for 56 states; two providers.
        assert_eq!(paths.len(), 1 + 4 * 57 + 2);
    }

    #[test]
    fn filtered_and_paged_requests_have_no_file() {
        assert_eq!(path_of("/v1/providers", "state=new+york"), Some("v1/providers/state/NY.json".into()));
        assert_eq!(path_of("/v1/providers", "limit=10&offset=0"), Some("v1/providers.json".into()));
        for query in
            ["limit=5", "offset=10", "gender=female", "state=CA&providerType=physician", "insurance=X"]
        {
            assert_eq!(path_of("/v1/providers", query), None, "{query}");
        }
        assert_eq!(path_of("/v1/providers/summary", ""), Some("v1/providers/summary.json".into()));
        assert_eq!(path_of("/v1/providers/summary", "q=ann"), None);
        assert_eq!(path_of("/v1/availability", "state=CA"), None);
    }

    #[test]
    fn an_invalid_slug_is_an_error() {
        let request = Request::from(Question::Provider { slug: "../x".into() });
        assert!(matches!(answer_path(&request), Some(Err(PathError::Form(_)))));
    }
}
