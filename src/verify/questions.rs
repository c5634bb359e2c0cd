//! The questions beyond the files: every operation as a client might ask it, well and badly.
//!
//! Routes and parameters are read from `OPERATIONS`; the values come from the directory, so that most questions
//! have an answer. The same seed asks the same questions.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::api::{OPERATIONS, Operation, Parameter, ParameterKind, SSE_PATH};
use directory::model::{Provider, StateCode};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::designed;

/// Paths that lead nowhere, and must say so in JSON.
const NOWHERE: [&str; 3] = ["/v1/nothing", SSE_PATH, "/.well-known/oauth-authorization-server"];
/// A value that no parameter takes.
pub(super) const INVALID: &str = "no such thing";

/// A small generator of numbers (SplitMix64): its sequence is fixed for ever, as a seed promises.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        // A bias of one in 2^58 does not matter here.
        usize::try_from(self.next() % (bound.max(1) as u64)).unwrap_or_default()
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn pick<'a>(&mut self, from: &'a [String]) -> &'a str {
        from.get(self.below(from.len())).map_or("", String::as_str)
    }
}

/// The words that questions are made of.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    slugs: Vec<String>,
    former: Vec<String>,
    retired: Vec<String>,
    plans: Vec<String>,
    visit_types: Vec<String>,
    /// The codes of the states where care is offered.
    states: Vec<String>,
    /// For each parameter, questions that only a host that heeds it answers rightly.
    designed: Vec<String>,
}

impl Vocabulary {
    pub(super) fn of(snapshot: &Snapshot, now: DateTime<Utc>) -> Self {
        let directory = snapshot.directory();
        let providers = directory.providers();
        let former = providers.iter().flat_map(Provider::former_slugs);
        let states = StateCode::all().filter(|&state| directory.offered_in(state).next().is_some());
        Self {
            slugs: providers.iter().map(|provider| provider.slug().to_string()).collect(),
            former: former.map(ToString::to_string).collect(),
            retired: directory.retired_slugs().map(ToString::to_string).collect(),
            plans: directory.plans().iter().map(ToString::to_string).collect(),
            visit_types: directory.visit_types().iter().map(|kind| kind.id().get().to_string()).collect(),
            states: states.map(|state| state.code().to_owned()).collect(),
            designed: designed::questions(snapshot, now),
        }
    }

    /// What a tree alone gives: whose profiles it has.
    pub(super) fn of_slugs(slugs: Vec<String>) -> Self {
        Self { slugs, ..Self::default() }
    }

    /// Every question: those that are always asked, and some by chance; each once, in a fixed order.
    pub(super) fn questions(&self, random: &mut Random, by_chance: usize) -> Vec<String> {
        let mut questions = self.always();
        for _ in 0..by_chance {
            let operation = &OPERATIONS[random.below(OPERATIONS.len())];
            questions.push(self.question(operation, random));
        }
        let mut seen = BTreeSet::new();
        questions.retain(|question| seen.insert(question.clone()));
        questions
    }

    /// Each operation bare; in several states, as code and as name; with each parameter invalid; with each parameter
    /// where it matters; every slug of today, of before and of those who left; paths that lead nowhere.
    fn always(&self) -> Vec<String> {
        let mut questions: Vec<String> = NOWHERE.map(str::to_owned).to_vec();
        for operation in &OPERATIONS {
            let slug = self.slugs.first().map_or("nobody", String::as_str);
            questions.push(path(operation, slug));
            for parameter in operation.parameters {
                match parameter.kind {
                    ParameterKind::PathSlug => {
                        let known = self.slugs.iter().chain(&self.former).chain(&self.retired);
                        questions.extend(known.map(|slug| path(operation, slug)));
                        let files = self.retired.iter().map(|slug| path(operation, slug) + ".json");
                        questions.extend(files);
                        questions.push(path(operation, "nobody-at-all"));
                    }
                    ParameterKind::State => {
                        let spellings = ["CA", "tx", "New York", "district of columbia", "GU", "XX", ""];
                        questions.extend(spellings.map(|value| asked(operation, parameter, value)));
                        // Only live answers these, so a rule or a cache can be wrong for one state.
                        let states = self.states.iter().filter(|_| parameter.required);
                        questions.extend(states.map(|value| asked(operation, parameter, value)));
                    }
                    _ => questions.push(asked(operation, parameter, INVALID)),
                }
            }
        }
        questions.extend(self.designed.iter().cloned());
        questions
    }

    /// One question by chance.
    fn question(&self, operation: &Operation, random: &mut Random) -> String {
        let slug = self.value(ParameterKind::PathSlug, random);
        let mut pairs = Vec::new();
        for parameter in operation.parameters.iter().filter(|p| p.kind != ParameterKind::PathSlug) {
            let given = if parameter.required { !random.one_in(20) } else { random.one_in(3) };
            // Now and then twice: the last one wins.
            for _ in 0..usize::from(given) + usize::from(given && random.one_in(12)) {
                let value = self.value(parameter.kind, random);
                let mut value = utf8_percent_encode(&value, NON_ALPHANUMERIC).to_string();
                if random.one_in(2) {
                    value = value.replace("%20", "+");
                }
                pairs.push(format!("{}={value}", parameter.name));
            }
        }
        if random.one_in(8) {
            pairs.push("utm_source=newsletter".to_owned());
        }
        let path = path(operation, &slug);
        if pairs.is_empty() { path } else { format!("{path}?{}", pairs.join("&")) }
    }

    /// A value of a kind: usually a valid one, in one of its spellings.
    fn value(&self, kind: ParameterKind, random: &mut Random) -> String {
        let bad = random.one_in(10);
        let good = match kind {
            ParameterKind::State => {
                let states: Vec<_> = StateCode::all().collect();
                let state = states[random.below(states.len())];
                if random.one_in(2) { state.name() } else { state.code() }.to_owned()
            }
            ParameterKind::Plan => random.pick(&self.plans).to_owned(),
            ParameterKind::Word(words) => words[random.below(words.len())].to_owned(),
            ParameterKind::Count { most, .. } => {
                // Around the bounds, and now and then far beyond.
                let most = usize::try_from(most.min(300)).unwrap_or(300);
                let number = random.below(most + 20);
                if random.one_in(10) { "99999999999999999999".to_owned() } else { number.to_string() }
            }
            ParameterKind::VisitType => random.pick(&self.visit_types).to_owned(),
            ParameterKind::Slug | ParameterKind::PathSlug => {
                let from =
                    if random.one_in(6) && !self.former.is_empty() { &self.former } else { &self.slugs };
                return if bad || from.is_empty() {
                    "nobody".to_owned()
                } else {
                    random.pick(from).to_owned()
                };
            }
        };
        match random.below(4) {
            _ if bad => format!("{good}x"),
            0 => good.to_ascii_lowercase(),
            1 => good.to_ascii_uppercase(),
            _ => good,
        }
    }
}

/// The path of an operation, with a slug where it has one.
fn path(operation: &Operation, slug: &str) -> String {
    let slugs = operation.parameters.iter().filter(|parameter| parameter.kind == ParameterKind::PathSlug);
    slugs.fold(operation.path.to_owned(), |path, parameter| {
        path.replace(&format!("{{{}}}", parameter.name), slug)
    })
}

/// An operation's path with one parameter.
fn asked(operation: &Operation, parameter: &Parameter, value: &str) -> String {
    let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
    // What else it cannot do without is there, so that it is this one that is judged.
    let required = operation.parameters.iter().filter(|other| other.required && other.name != parameter.name);
    let mut query: Vec<_> = required.map(|other| format!("{}={}", other.name, other.example)).collect();
    query.push(format!("{}={value}", parameter.name));
    format!("{}?{}", operation.path, query.join("&"))
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
            visit_types: texts(&["101"]),
            retired: texts(&["owen-left"]),
            states: texts(&["NV"]),
            designed: texts(&["/v1/providers?limit=3"]),
        }
    }

    #[test]
    fn a_seed_asks_the_same_and_another_seed_something_else() {
        let asked = |seed| vocabulary().questions(&mut Random::new(seed), 100);
        assert_eq!(asked(1), asked(1));
        assert_ne!(asked(1), asked(2));
        // The published test vector of SplitMix64 for the seed 1234567.
        assert_eq!(Random::new(1_234_567).next(), 6_457_827_717_110_365_317);
    }

    #[test]
    fn every_operation_and_parameter_is_asked_well_and_badly() {
        let questions = vocabulary().questions(&mut Random::new(7), 300);
        for wanted in [
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
            assert!(questions.iter().any(|question| question == wanted), "{wanted}");
        }
        for parameter in OPERATIONS.iter().flat_map(|operation| operation.parameters) {
            let named = format!("{}=", parameter.name);
            let is_asked = questions.iter().filter(|question| question.contains(&named)).count() > 3;
            assert!(is_asked || parameter.kind == ParameterKind::PathSlug, "{named}");
        }
        // Several filters at once, and one given twice.
        let several = |question: &String| question.matches('&').count() >= 2;
        assert!(questions.iter().any(several));
        assert!(questions.iter().any(|question| question.matches("limit=").count() == 2));
    }
}
