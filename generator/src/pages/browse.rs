use directory::model::{PlanNumber, Provider, ProviderNumber, StateCode, StateSet, VisitTypeId};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::json;
use tera::{Context, Value};

use super::link::{Link, Visit};
use super::lists::List;
use super::machines::escaped;
use super::profile::Person;
use super::{Edition, covered, routes, wording};

const ON_THE_HOME_PAGE: usize = 5;
const FACES_OF_A_STATE: usize = 5;

#[derive(Debug, Serialize)]
struct Place<'a> {
    name: &'a str,
    href: String,
    /// Of new patients.
    accepting: usize,
    faces: Vec<Person<'a>>,
}

impl Edition<'_> {
    pub(super) fn choices(&self) -> (Vec<Link<'_>>, Vec<Link<'_>>, Vec<Visit<'_>>) {
        let directory = self.directory();
        let states = self.state_links(covered(directory));
        let plans =
            self.shared.lists.states_of_plan.keys().map(|&plan| self.local().plan_link(plan)).collect();
        let visits = self.shared.lists.by_visit_type.keys().filter_map(|&id| directory.visit_type(id));
        (states, plans, visits.map(|visit_type| self.local().visit(visit_type)).collect())
    }

    pub(super) fn home(&self, context: &mut Context) {
        let directory = self.directory();
        context.insert("total", &directory.providers().len());
        context.insert("has_current_visits", &self.has_current_visits());
        // No one stays at the top because of a name. Those with a leave come last.
        let mut open: Vec<_> =
            directory.providers().iter().filter(|provider| !provider.accepting.is_empty()).collect();
        let seed = directory.generation().as_str();
        open.sort_by_key(|provider| (!provider.leave.is_empty(), shuffled(seed, provider.slug.as_str())));
        let shown = open.into_iter().take(ON_THE_HOME_PAGE);
        let shown: Vec<_> = shown.map(|provider| Person::new(self.local(), provider)).collect();
        context.insert("shown_people", &shown);
        let data = self.shared.employer.data(directory.organization(), covered(directory));
        context.insert_value("structured_data", Value::safe_string(&data));
    }

    fn has_current_visits(&self) -> bool {
        let ids = self.shared.lists.by_visit_type.keys();
        ids.filter_map(|&id| self.directory().visit_type(id)).any(|visit| !visit.new_patient_eligible)
    }

    pub(super) fn clinicians(&self, context: &mut Context, number: usize) {
        self.list(context, &self.shared.lists.all, number, &self.href("/clinicians"), None);
    }

    pub(super) fn state(&self, context: &mut Context, state: StateCode, number: usize) {
        let directory = self.directory();
        let Some(list) = self.shared.lists.by_state.get(&state) else { return };
        self.list(context, list, number, &self.href(&routes::state(state)), Some(state));
        let plans = self.shared.lists.states_of_plan.iter().filter(|(_, states)| states.contains(state));
        let plans = plans.map(|(&plan, _)| self.local().plan_link(plan));
        let visits = directory.offered_in(state).map(|visit_type| self.local().visit(visit_type));
        context.insert("state", &self.local().state_link(state));
        context.insert("is_state_closed", &!covered(directory).contains(state));
        context.insert("state_plans", &plans.collect::<Vec<_>>());
        context.insert("state_visits", &visits.collect::<Vec<_>>());
    }

    pub(super) fn plan(&self, context: &mut Context, plan: PlanNumber) {
        let directory = self.directory();
        let name = directory.plan(plan).as_str();
        let states = self.shared.lists.states_of_plan.get(&plan).copied().unwrap_or_default();
        let covered = covered(directory);
        let places: Vec<_> = states.iter().map(|state| self.place(plan, state)).collect();
        context.insert("plan", &json!({ "name": name }));
        context.insert("query", &utf8_percent_encode(name, NON_ALPHANUMERIC).to_string());
        context.insert("is_everywhere", &(covered.len() > 1 && states == covered));
        context.insert("places", &places);
    }

    fn place(&self, plan: PlanNumber, state: StateCode) -> Place<'_> {
        let directory = self.directory();
        let open = self.shared.lists.by_state.get(&state).into_iter().flat_map(|list| &list.accepting);
        let open = open.map(|&number| directory.provider(number));
        let open: Vec<_> = open.filter(|provider| provider.plans_in(state).contains(&plan)).collect();
        let shown = open.iter().take(FACES_OF_A_STATE);
        let faces = shown.map(|provider| Person::new(self.local(), provider)).collect();
        let Link { name, href, .. } = self.local().state_link(state);
        Place { name, href, accepting: open.len(), faces }
    }

    pub(super) fn visit_type(&self, context: &mut Context, id: VisitTypeId) -> Result<(), tera::Error> {
        let directory = self.directory();
        let Some((list, visit_type)) = self.shared.lists.by_visit_type.get(&id).zip(directory.visit_type(id))
        else {
            return Ok(());
        };
        self.list(context, list, 1, &self.href(&routes::visit_type(id)), None);
        if visit_type.new_patient_eligible {
            let mut cards = String::new();
            for &number in list.page(1).0 {
                cards.extend([&*self.card(directory.provider(number), Some(visit_type))?, "</li>\n"]);
            }
            context.insert_value("open_cards", Value::safe_string(&cards));
        }
        context.insert("visit", &self.local().visit(visit_type));
        context.insert("more", &format!("visit={id}"));
        let offered = directory.offered(id);
        let elsewhere: StateSet =
            covered(directory).iter().filter(|&state| !offered.contains(state)).collect();
        context.insert("visit_states", &self.state_links(offered));
        // A list longer than that of the states that have it would help no one.
        if elsewhere.len() <= offered.len() {
            context.insert("not_offered", &wording::all_states(self.local().texts, elsewhere));
        }
        Ok(())
    }

    fn state_links(&self, states: StateSet) -> Vec<Link<'_>> {
        states.iter().map(|state| self.local().state_link(state)).collect()
    }

    fn list(&self, context: &mut Context, list: &List, number: usize, route: &str, state: Option<StateCode>) {
        let (open, others) = list.page(number);
        let page = |number: usize| match number {
            1 => route.to_owned(),
            number => format!("{route}/{number}"),
        };
        context.insert_value("open_cards", self.cards(open, state));
        context.insert_value("other_cards", self.cards(others, state));
        context.insert("total", &list.len());
        context.insert("accepting", &list.accepting.len());
        context.insert("shown", &(open.len() + others.len()));
        context.insert("page_number", &number);
        context.insert("page_count", &list.pages());
        context.insert("previous", &(number > 1).then(|| page(number - 1)));
        context.insert("next", &(number < list.pages()).then(|| page(number + 1)));
    }

    /// They are escaped already. Those of a state's list say which plans they take there, as a search would.
    fn cards(&self, numbers: &[ProviderNumber], state: Option<StateCode>) -> Value {
        let mut cards = String::new();
        for &number in numbers {
            cards.push_str(&self.cards[number.index()]);
            if let Some(state) = state {
                let plans = self.plans_in(self.directory().provider(number), state);
                cards.extend(["<noscript><p class=\"quiet small\">", &escaped(&plans), "</p></noscript>"]);
            }
            cards.push_str("</li>\n");
        }
        Value::safe_string(&cards)
    }

    fn plans_in(&self, provider: &Provider, state: StateCode) -> String {
        let plans = provider.plans_in(state).iter().map(|&plan| self.directory().plan(plan).as_str());
        let plans = plans.collect::<Vec<_>>().join(", ");
        let key = if plans.is_empty() { "no-plans-in" } else { "plans-in" };
        let states = wording::all_states(self.texts, StateSet::from_iter([state]));
        wording::fill(self.texts, key, &[("states", &states), ("plans", &plans)])
    }
}

/// An order that is the same for each build of a generation (FNV-1a).
fn shuffled(seed: &str, slug: &str) -> u64 {
    let bytes = seed.bytes().chain(slug.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
