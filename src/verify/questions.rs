//! The requests that are not for files: valid and invalid ones of every operation.
//!
//! Routes and parameters come from `OPERATIONS`. The values come from the directory, so that most requests have an answer.
//! The same seed gives the same requests.

use std::collections::BTreeSet;

use directory::api::{OPERATIONS, Operation, Parameter, ParameterKind, SSE_PATH};
use directory::model::StateCode;

use super::vocabulary::{Vocabulary, pair, path, target};

/// Paths that do not exist: the response must be an error in JSON.
const NOT_FOUND: [&str; 3] = ["/v1/nothing", SSE_PATH, "/.well-known/oauth-authorization-server"];
/// A value that is invalid for every parameter.
pub(super) const INVALID: &str = "no such thing";

/// `SplitMix64`. It is written here because a seed must always give the same requests.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        // The bias is at most one in 2^58.
        usize::try_from(self.next() % (bound.max(1) as u64)).unwrap_or_default()
    }

    fn one_in(&mut self, number: usize) -> bool {
        self.below(number) == 0
    }

    fn pick<'a>(&mut self, from: &'a [String]) -> &'a str {
        from.get(self.below(from.len())).map_or("", String::as_str)
    }
}

/// All requests, the fixed ones and the random ones: each once, in a fixed order.
pub(super) fn questions(
    vocabulary: &Vocabulary,
    designed: Vec<String>,
    seed: u64,
    number: usize,
) -> Vec<String> {
    let mut questions = fixed(vocabulary);
    questions.extend(designed);
    let mut random = Random::new(seed);
    for _ in 0..number {
        let operation = &OPERATIONS[random.below(OPERATIONS.len())];
        questions.push(random.question(operation, vocabulary));
    }
    let mut known = BTreeSet::new();
    questions.retain(|question| known.insert(question.clone()));
    questions
}

/// Each operation without parameters, for several states, and with each parameter invalid; all slugs: current, former
/// and retired; and paths that do not exist.
fn fixed(vocabulary: &Vocabulary) -> Vec<String> {
    let mut questions: Vec<String> = NOT_FOUND.map(str::to_owned).to_vec();
    for operation in &OPERATIONS {
        let slug = vocabulary.slugs.first().map_or("nobody", String::as_str);
        questions.push(path(operation, slug));
        for parameter in operation.parameters {
            match parameter.kind {
                ParameterKind::PathSlug => {
                    let known = vocabulary.slugs.iter().chain(&vocabulary.former).chain(&vocabulary.retired);
                    questions.extend(known.map(|slug| path(operation, slug)));
                    let files = vocabulary.retired.iter().map(|slug| path(operation, slug) + ".json");
                    questions.extend(files);
                    questions.push(path(operation, "nobody-at-all"));
                }
                ParameterKind::State => {
                    let spellings = ["CA", "tx", "New York", "district of columbia", "GU", "XX", ""];
                    questions.extend(spellings.map(|value| with_one(operation, parameter, value)));
                    // Only live responds to these, so a rule or a cache can be wrong for one state.
                    let states = vocabulary.states.iter().filter(|_| parameter.required);
                    questions.extend(states.map(|value| with_one(operation, parameter, value)));
                }
                _ => questions.push(with_one(operation, parameter, INVALID)),
            }
        }
    }
    questions
}

impl Random {
    fn question(&mut self, operation: &Operation, vocabulary: &Vocabulary) -> String {
        let slug = self.value(ParameterKind::PathSlug, vocabulary);
        let mut pairs = Vec::new();
        for parameter in operation.parameters.iter().filter(|p| p.kind != ParameterKind::PathSlug) {
            let is_given = if parameter.required { !self.one_in(20) } else { self.one_in(3) };
            // If a parameter is given twice, the last value counts.
            for _ in 0..usize::from(is_given) + usize::from(is_given && self.one_in(12)) {
                let mut pair = pair(parameter.name, &self.value(parameter.kind, vocabulary));
                if self.one_in(2) {
                    pair = pair.replace("%20", "+");
                }
                pairs.push(pair);
            }
        }
        if self.one_in(8) {
            pairs.push("utm_source=newsletter".to_owned());
        }
        target(&path(operation, &slug), &pairs)
    }

    /// A value: usually a valid one, in one of its spellings.
    fn value(&mut self, kind: ParameterKind, vocabulary: &Vocabulary) -> String {
        let is_invalid = self.one_in(10);
        let valid = match kind {
            ParameterKind::State => {
                let states: Vec<_> = StateCode::all().collect();
                let state = states[self.below(states.len())];
                if self.one_in(2) { state.name() } else { state.code() }.to_owned()
            }
            ParameterKind::Plan => self.pick(&vocabulary.plans).to_owned(),
            ParameterKind::Language => self.pick(&vocabulary.languages).to_owned(),
            ParameterKind::SearchText => self.pick(&vocabulary.words).to_owned(),
            ParameterKind::Time => self.pick(&vocabulary.times).to_owned(),
            ParameterKind::Flag => ["true", "false"][self.below(2)].to_owned(),
            ParameterKind::Word(words) => words[self.below(words.len())].to_owned(),
            ParameterKind::Count { most, .. } => {
                // Near the bounds, and sometimes far beyond.
                let most = usize::try_from(most.min(300)).unwrap_or(300);
                let number = self.below(most + 20);
                if self.one_in(10) { "99999999999999999999".to_owned() } else { number.to_string() }
            }
            ParameterKind::VisitType => self.pick(&vocabulary.visit_types).to_owned(),
            ParameterKind::Slug | ParameterKind::PathSlug => {
                let is_former = self.one_in(6) && !vocabulary.former.is_empty();
                let from = if is_former { &vocabulary.former } else { &vocabulary.slugs };
                let is_known = !is_invalid && !from.is_empty();
                return if is_known { self.pick(from) } else { "nobody" }.to_owned();
            }
        };
        match self.below(4) {
            _ if is_invalid => format!("{valid}x"),
            0 => valid.to_ascii_lowercase(),
            1 => valid.to_ascii_uppercase(),
            _ => valid,
        }
    }
}

/// A request with one parameter, and the examples of the other required ones.
fn with_one(operation: &Operation, parameter: &Parameter, value: &str) -> String {
    let required = operation.parameters.iter().filter(|other| other.required && other.name != parameter.name);
    let mut pairs: Vec<_> = required.map(|other| pair(other.name, other.example)).collect();
    pairs.push(pair(parameter.name, value));
    target(operation.path, &pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        Vocabulary {
            slugs: texts(&["jane-doe"]),
            former: texts(&["jane-roe"]),
            plans: texts(&["Goldenrod PPO"]),
            languages: texts(&["Spanish"]),
            words: texts(&["Jane"]),
            times: texts(&["2026-11-22T12:00:00Z"]),
            visit_types: texts(&["101"]),
            retired: texts(&["owen-left"]),
            states: texts(&["NV"]),
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_requests() {
        let make = |seed| questions(&vocabulary(), Vec::new(), seed, 100);
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
        // The published test vector of SplitMix64 for the seed 1234567.
        assert_eq!(Random::new(1_234_567).next(), 6_457_827_717_110_365_317);
    }

    #[test]
    fn every_operation_and_parameter_has_valid_and_invalid_requests() {
        let designed = vec!["/v1/providers?limit=3".to_owned()];
        let questions = questions(&vocabulary(), designed, 7, 300);
        for expected in [
            "/v1/states",
            "/v1/providers/jane-doe",
            "/v1/providers/jane-roe",
            "/v1/providers/nobody-at-all",
            "/v1/providers/owen-left",
            "/v1/providers/owen-left.json",
            "/v1/providers?limit=3",
            "/v1/availability?state=NV",
            "/v1/insurances?state=New%20York",
            "/v1/insurances?state=XX",
            "/v1/insurances?state=",
            "/v1/availability?state=CA&limit=no%20such%20thing",
            "/v1/availability",
            "/api/sse",
        ] {
            assert!(questions.iter().any(|question| question == expected), "{expected}");
        }
        for parameter in OPERATIONS.iter().flat_map(|operation| operation.parameters) {
            let named = format!("{}=", parameter.name);
            let is_used = questions.iter().filter(|question| question.contains(&named)).count() > 3;
            assert!(is_used || parameter.kind == ParameterKind::PathSlug, "{named}");
        }
        // Several filters at once, and one given twice.
        let several = |question: &String| question.matches('&').count() >= 2;
        assert!(questions.iter().any(several));
        assert!(questions.iter().any(|question| question.matches("limit=").count() == 2));
    }
}
