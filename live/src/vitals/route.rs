use directory::api::{MCP_PATH, OPERATIONS, Operation};

pub(crate) const HEALTH: &str = "/healthz";
pub(crate) const HEALTHY: &[u8] = br#"{"status":"ok"}"#;
pub(super) const ROUTES: usize = OPERATIONS.len() + 3;
/// The most frequent first.
const KNOWN: [u16; 16] = [200, 304, 404, 400, 301, 202, 204, 503, 500, 405, 403, 413, 415, 408, 414, 431];
/// One number for all others.
pub(super) const STATUSES: usize = KNOWN.len() + 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Route(u8);

impl Route {
    /// The path is not decoded.
    pub(crate) fn for_path(path: &str) -> Self {
        let path = path.strip_suffix('/').unwrap_or(path);
        let number = match Operation::for_path(path) {
            Some((operation, _)) => operation.id as usize,
            None if path == MCP_PATH => OPERATIONS.len(),
            None if path == HEALTH => OPERATIONS.len() + 1,
            None => OPERATIONS.len() + 2,
        };
        Self(u8::try_from(number).unwrap_or(u8::MAX))
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..ROUTES).filter_map(|number| u8::try_from(number).ok()).map(Self)
    }

    pub(super) fn number(self) -> usize {
        usize::from(self.0).min(ROUTES - 1)
    }

    pub(crate) const OTHER: &'static str = "other";

    /// For metrics and logs.
    pub(crate) fn template(self) -> &'static str {
        let number = self.number();
        match OPERATIONS.get(number) {
            Some(operation) => operation.path,
            None if number == OPERATIONS.len() => MCP_PATH,
            None if number == OPERATIONS.len() + 1 => HEALTH,
            None => Self::OTHER,
        }
    }
}

pub(super) fn status_number(status: u16) -> usize {
    KNOWN.iter().position(|&known| known == status).unwrap_or(KNOWN.len())
}

pub(super) fn status_word(number: usize) -> String {
    KNOWN.get(number).map_or_else(|| "other".to_owned(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use directory::api::FaultKind;

    use super::*;

    #[test]
    fn paths_count_under_their_template_and_unknown_ones_as_other() {
        for (path, template) in [
            ("/v1/states", "/v1/states"),
            ("/v1/states/", "/v1/states"),
            ("/v1/providers/summary", "/v1/providers/summary"),
            ("/v1/providers/jane-doe", "/v1/providers/{slug}"),
            ("/v1/availability", "/v1/availability"),
            ("/api/mcp", "/api/mcp"),
            ("/healthz", "/healthz"),
            ("/", "other"),
            ("/v1/providers/a/b", "other"),
            ("/wp-login.php", "other"),
        ] {
            assert_eq!(Route::for_path(path).template(), template, "{path}");
        }
        let mut names: Vec<_> = Route::all().map(Route::template).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROUTES);
    }

    #[test]
    fn every_status_of_the_contract_has_its_own_number() {
        for kind in FaultKind::ALL {
            assert_eq!(status_word(status_number(kind.status())), kind.status().to_string());
        }
        assert_eq!(status_word(status_number(299)), "other");
    }
}
