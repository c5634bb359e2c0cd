use serde_json::json;
use tera::Context;

use super::{Edition, covered, wording};

impl Edition<'_> {
    /// The first state with two clinicians who accept new patients there, and a plan that both accept.
    pub(super) fn assistants(&self, context: &mut Context) {
        let directory = self.directory();
        let example = covered(directory).iter().find_map(|state| {
            let mut there = directory.providers().iter().filter(|it| it.accepting.contains(state));
            let (first, second) = (there.next()?, there.next()?);
            let plans = second.plans_in(state);
            let plan = first.plans_in(state).iter().find(|plan| plans.contains(plan));
            Some(json!({
                "state": wording::in_a_sentence(self.texts, state),
                "plan": plan.map(|&plan| directory.plan(plan).as_str()),
                "first": first.display_name,
                "second": second.display_name,
            }))
        });
        context.insert("asked", &example);
    }
}
