//! Writes the JSON of a [`SlotList`](super::super::wire::SlotList). It is written without a serializer for speed, because
//! most requests need a new body.

use super::super::operation::parameter;
use super::super::question::{ExtraFilters, SlotSearch};
use super::super::wire::Reason;
use crate::calendar::Instant;
use crate::model::Language;

/// The bytes of one slot, and of the rest of the body, about: the capacity that is allocated first.
const SLOT: usize = 96;
const REST: usize = 256;

pub(super) struct Body<'a> {
    /// Starts and slugs.
    pub(super) slots: &'a [(i64, &'a str)],
    pub(super) search: &'a SlotSearch,
    /// The provider's current slug.
    pub(super) provider: Option<&'a str>,
    /// The plan's name as the clinic writes it.
    pub(super) plan: Option<&'a str>,
    pub(super) language: Option<Language>,
    /// Whether there are more slots than are listed.
    pub(super) is_cut: bool,
    pub(super) reason: Option<Reason>,
}

impl Body<'_> {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.slots.len() * SLOT + REST);
        body.extend_from_slice(br#"{"slots":["#);
        // Many slots have the same start: its text is written once. No text here needs escaping: it holds times and slugs.
        let mut last = None;
        let mut time = [0; 20];
        for (nth, &(at, slug)) in self.slots.iter().enumerate() {
            if last.replace(at) != Some(at) {
                time = Instant::from_unix(at).ascii();
            }
            body.extend_from_slice(if nth == 0 { br#"{"startTime":""# } else { br#",{"startTime":""# });
            body.extend_from_slice(&time);
            body.extend_from_slice(br#"","providerSlug":""#);
            body.extend_from_slice(slug.as_bytes());
            body.extend_from_slice(br#""}"#);
        }
        body.push(b']');
        let first = self.slots.first().map(|&(at, _)| Instant::from_unix(at));
        member(&mut body, "nextAvailable", &first);
        member(&mut body, "state", &self.search.state.code());
        member(&mut body, "appointmentType", &self.search.appointment_type);
        member(&mut body, "provider", &self.provider);
        self.write_extra(&mut body);
        body.push(b'}');
        body
    }

    /// The members that the specification does not have, in their order: only what was asked for.
    fn write_extra(&self, body: &mut Vec<u8>) {
        let extra = &self.search.extra;
        if let Some(plan) = self.plan {
            member(body, parameter::INSURANCE, &plan);
        }
        if let Some(gender) = extra.gender {
            member(body, parameter::GENDER, &gender.word());
        }
        if let Some(provider_type) = extra.provider_type {
            member(body, parameter::PROVIDER_TYPE, &provider_type.word());
        }
        if let Some(language) = self.language {
            member(body, parameter::LANGUAGE, &language.name());
        }
        if let Some(from) = extra.from {
            member(body, parameter::FROM, &from);
        }
        if extra.one_per_provider {
            member(body, parameter::ONE_PER, &"provider");
        }
        if extra.new_patients {
            member(body, parameter::NEW_PATIENTS, &true);
        }
        if self.is_cut && *extra != ExtraFilters::default() {
            member(body, "truncated", &true);
        }
        if extra.explain {
            member(body, "reason", &self.reason);
        }
    }
}

fn member<T: serde::Serialize>(body: &mut Vec<u8>, name: &str, value: &T) {
    body.extend_from_slice(br#",""#);
    body.extend_from_slice(name.as_bytes());
    body.extend_from_slice(br#"":"#);
    // Writing to a Vec cannot fail.
    _ = serde_json::to_writer(body, value);
}

#[cfg(test)]
mod tests {
    use super::super::super::question::ExtraFilters;
    use super::super::super::wire::{Slot, SlotList, to_json};
    use super::*;
    use crate::model::{Gender, ProviderType};

    const AT: i64 = 1_780_581_600;

    /// The serialized list with the same content as the body.
    fn serialized(body: &Body<'_>) -> String {
        let extra = &body.search.extra;
        let list = SlotList {
            slots: body
                .slots
                .iter()
                .map(|&(at, provider_slug)| Slot { start_time: Instant::from_unix(at), provider_slug })
                .collect(),
            next_available: body.slots.first().map(|&(at, _)| Instant::from_unix(at)),
            state: body.search.state.code(),
            appointment_type: body.search.appointment_type,
            provider: body.provider,
            insurance: body.plan,
            gender: extra.gender.map(Gender::word),
            provider_type: extra.provider_type.map(ProviderType::word),
            language: body.language.map(Language::name),
            from: extra.from,
            one_per: extra.one_per_provider.then_some("provider"),
            new_patients: extra.new_patients.then_some(true),
            truncated: (body.is_cut && *extra != ExtraFilters::default()).then_some(true),
            reason: extra.explain.then(|| body.reason.clone()),
        };
        String::from_utf8(to_json(&list).to_vec()).unwrap()
    }

    #[test]
    fn the_body_equals_the_serialized_list() {
        let lists: [&[(i64, &str)]; 3] = [
            &[],
            &[(AT, "jane-doe")],
            &[(AT, "jane-doe"), (AT, "b"), (AT + 1, "jane-doe"), (AT + 86_400, "x-1")],
        ];
        let all = ExtraFilters {
            insurance: Some("as sent".to_owned()),
            gender: Some(Gender::Female),
            provider_type: Some(ProviderType::Physician),
            language: Some("es".to_owned()),
            from: Some(Instant::from_unix(AT)),
            one_per_provider: true,
            new_patients: true,
            explain: true,
        };
        let explain = ExtraFilters { explain: true, ..ExtraFilters::default() };
        let reason = Reason { code: "NO_MATCH", message: "A \"quoted\" sentence.".to_owned() };
        for slots in lists {
            for (appointment_type, provider) in
                [(None, None), (Some(101), None), (Some(i64::MIN), Some("jane-doe")), (None, Some("b"))]
            {
                for (extra, is_cut, reason) in [
                    (ExtraFilters::default(), false, None),
                    (ExtraFilters::default(), true, None),
                    (all.clone(), true, None),
                    (explain.clone(), false, Some(reason.clone())),
                ] {
                    let of_state = SlotSearch::of("CA".parse().unwrap());
                    let search = SlotSearch { appointment_type, extra, ..of_state };
                    let body = Body {
                        slots,
                        search: &search,
                        provider,
                        plan: search.extra.insurance.as_ref().map(|_| "A \"plan\""),
                        language: search.extra.language.as_ref().map(|name| name.parse().unwrap()),
                        is_cut,
                        reason,
                    };
                    assert_eq!(String::from_utf8(body.write()).unwrap(), serialized(&body));
                }
            }
        }
    }
}
