//! The questions with parameters beyond the specification.

use directory::Directory;
use directory::calendar::{
    Busy, Calendar, FeedEntries, FeedMode, Freshness, Instant, ProviderFeed, ProviderFilter, SlotFilter,
};
use directory::model::{Gender, PlanNumber, ProviderType, StateCode};

const DAY: i64 = 86_400;

/// The plain questions with each further parameter.
pub(crate) fn questions(
    directory: &Directory,
    first_fifty: &[SlotFilter],
) -> Vec<(&'static str, Vec<SlotFilter>)> {
    let with = |change: &dyn Fn(SlotFilter) -> SlotFilter| {
        first_fifty.iter().map(|filter| change(*filter)).collect()
    };
    let plan = directory.plan_numbers().next();
    let of = |providers: ProviderFilter| with(&|filter| SlotFilter { providers, ..filter });
    let none = ProviderFilter::default();
    let [insured, women] =
        [ProviderFilter { plan, ..none }, ProviderFilter { gender: Some(Gender::Female), ..none }];
    let nurses = ProviderFilter { provider_type: Some(ProviderType::NursePractitioner), ..none };
    vec![
        ("insurance", of(insured)),
        ("onePer", with(&|filter| SlotFilter { one_per_provider: true, ..filter })),
        ("from", with(&|filter| SlotFilter { from: Some(filter.now.plus_seconds(5 * DAY)), ..filter })),
        ("newPatients", with(&|filter| SlotFilter { new_patients: true, ..filter })),
        ("gender", of(women)),
        ("gender and type", of(ProviderFilter { gender: women.gender, ..nurses })),
        ("insurance, gender and type", of(ProviderFilter { plan, gender: women.gender, ..nurses })),
        (
            "insurance, onePer",
            with(&|filter| SlotFilter { one_per_provider: true, providers: insured, ..filter }),
        ),
    ]
}

/// Long questions for each state: with and without a plan, a gender, a type, and one slot for each provider.
pub(crate) fn worst(directory: &Directory, now: Instant) -> Vec<SlotFilter> {
    let mut filters = Vec::new();
    let plans: Vec<Option<PlanNumber>> = directory.plan_numbers().take(2).map(Some).chain([None]).collect();
    for state in StateCode::all() {
        for nth in 0..plans.len() * 16 {
            let is = |bit: usize| ((nth / plans.len()) >> bit) & 1 == 1;
            let plan = plans[nth % plans.len()];
            let gender = is(0).then_some(Gender::NonBinary);
            let provider_type = is(1).then_some(ProviderType::NursePractitioner);
            filters.push(SlotFilter {
                one_per_provider: is(2),
                visit_type: is(3).then_some(101),
                providers: ProviderFilter { plan, gender, provider_type, language: None },
                ..SlotFilter::new(state, now, 30 * DAY, 201)
            });
        }
    }
    filters
}

/// The clinic in which those who accept one of the first two plans are booked for four weeks, and one in 50 of the others.
pub(crate) fn booked(directory: &Directory, now: Instant) -> Calendar {
    let plans: Vec<PlanNumber> = directory.plan_numbers().take(2).collect();
    let busy = vec![Busy { start: now, end: now.plus_seconds(28 * DAY) }];
    let is_booked = |nth: usize, accepted: &[PlanNumber]| {
        nth.is_multiple_of(50) || plans.iter().any(|plan| accepted.contains(plan))
    };
    let providers = directory.providers().iter().enumerate();
    let sets: Vec<ProviderFeed> = providers
        .filter(|(nth, provider)| is_booked(*nth, &provider.plans()))
        .map(|(_, provider)| ProviderFeed {
            provider: provider.slug.clone(),
            entries: FeedEntries::Busy(busy.clone()),
        })
        .collect();
    Calendar::with_feed(directory, FeedMode::Busy, now)
        .with_freshness(directory, Freshness::Fresh, &[])
        .apply(directory, &sets)
}
