//! Builds the contexts of the home page, and of the lists of all clinicians and by state, plan and visit type.

use directory::model::{PlanNumber, ProviderNumber, StateCode, StateSet, VisitTypeId};
use directory::web::{is_on_every_map, tiles};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use tera::{Context, Value};

use super::link::{Link, Visit};
use super::lists::List;
use super::{Edition, covered, routes};

const ON_THE_HOME_PAGE: usize = 6;

impl Edition<'_> {
    /// Returns the options of filters: states with care, accepted plans, and offered visit types.
    pub(super) fn choices(&self) -> (Vec<Link<'_>>, Vec<Link<'_>>, Vec<Visit<'_>>) {
        let directory = self.directory();
        let states = self.state_links(covered(directory));
        let plans = self.shared.lists.by_plan.keys().map(|&plan| self.local().plan_link(plan)).collect();
        let visits = self.shared.lists.by_visit_type.keys().filter_map(|&id| directory.visit_type(id));
        (states, plans, visits.map(|visit_type| self.local().visit(visit_type)).collect())
    }

    pub(super) fn home(&self, context: &mut Context) {
        let directory = self.directory();
        let covered = covered(directory);
        let tiles = tiles().filter_map(|(state, row, column)| {
            let is_covered = covered.contains(state);
            (is_covered || is_on_every_map(state)).then(|| {
                let href = is_covered.then(|| self.href(&routes::state(state)));
                let (code, name) = (state.code(), self.texts.state(state));
                json!({ "code": code, "name": name, "href": href, "row": row, "column": column })
            })
        });
        context.insert("tiles", &tiles.collect::<Vec<_>>());
        context.insert("total", &directory.providers().len());
        // Clinicians who accept new patients, spread over the alphabet.
        let open: Vec<_> = directory
            .provider_numbers()
            .filter(|&number| !directory.provider(number).accepting.is_empty())
            .collect();
        let step = (open.len() / ON_THE_HOME_PAGE).max(1);
        let shown: Vec<_> = open.into_iter().step_by(step).take(ON_THE_HOME_PAGE).collect();
        context.insert_value("cards", self.cards(&shown));
        let data = self.shared.employer.data(directory.organisation(), covered);
        context.insert_value("structured_data", Value::safe_string(&data));
    }

    pub(super) fn clinicians(&self, context: &mut Context, number: usize) {
        self.list(context, &self.shared.lists.all, number, &self.href("/clinicians"));
    }

    pub(super) fn state(&self, context: &mut Context, state: StateCode, number: usize) {
        let directory = self.directory();
        let Some(list) = self.shared.lists.by_state.get(&state) else { return };
        self.list(context, list, number, &self.href(&routes::state(state)));
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
        let Some(list) = self.shared.lists.by_plan.get(&plan) else { return };
        self.list(context, list, 1, &self.href(self.shared.routes.plan(plan)));
        let states = self.shared.lists.states_of_plan.get(&plan).copied().unwrap_or_default();
        context.insert("plan", &json!({ "name": directory.plan(plan).as_str() }));
        let name = utf8_percent_encode(directory.plan(plan).as_str(), NON_ALPHANUMERIC);
        context.insert("more", &format!("plan={name}"));
        context.insert("plan_states", &self.state_links(states));
    }

    pub(super) fn visit_type(&self, context: &mut Context, id: VisitTypeId) {
        let directory = self.directory();
        let Some((list, visit_type)) = self.shared.lists.by_visit_type.get(&id).zip(directory.visit_type(id))
        else {
            return;
        };
        self.list(context, list, 1, &self.href(&routes::visit_type(id)));
        context.insert("visit", &self.local().visit(visit_type));
        context.insert("more", &format!("visit={id}"));
        context.insert("visit_states", &self.state_links(directory.offered(id)));
    }

    fn state_links(&self, states: StateSet) -> Vec<Link<'_>> {
        states.iter().map(|state| self.local().state_link(state)).collect()
    }

    fn list(&self, context: &mut Context, list: &List, number: usize, route: &str) {
        let (open, others) = list.page(number);
        let page = |number: usize| match number {
            1 => route.to_owned(),
            number => format!("{route}/{number}"),
        };
        context.insert_value("open_cards", self.cards(open));
        context.insert_value("other_cards", self.cards(others));
        context.insert("total", &list.len());
        context.insert("accepting", &list.accepting());
        context.insert("shown", &(open.len() + others.len()));
        context.insert("page_number", &number);
        context.insert("page_count", &list.pages());
        context.insert("previous", &(number > 1).then(|| page(number - 1)));
        context.insert("next", &(number < list.pages()).then(|| page(number + 1)));
    }

    /// Joins the cards of these clinicians. They are escaped already.
    fn cards(&self, numbers: &[ProviderNumber]) -> Value {
        let mut cards =
            String::with_capacity(numbers.iter().map(|number| self.cards[number.index()].len()).sum());
        for number in numbers {
            cards.push_str(&self.cards[number.index()]);
        }
        Value::safe_string(&cards)
    }
}
