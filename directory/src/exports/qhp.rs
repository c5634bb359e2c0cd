//! The insurers' providers.json (CMS, QHP provider and formulary APIs): an entry for each clinician whose required
//! values are all known.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::address::{WholeAddress, ten_digits};
use crate::model::{Directory, Gender, Language, Provider, StateCode};

/// The path of the file in the published tree.
pub const QHP_PATH: &str = "exports/qhp-providers.json";

/// The file, and why it leaves clinicians out.
#[derive(Debug, Clone)]
pub struct QhpFile {
    /// The body; `None` if it would have no entry.
    pub body: Option<Vec<u8>>,
    /// Which clinicians are left out and why, or why there is no file; `None` if the file has every clinician.
    pub note: Option<String>,
}

/// The first reason why a clinician has no entry. Its words follow a number of clinicians.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Missing {
    Npi,
    Confirmation,
    FirstName,
    Specialty,
    Plan,
}

impl Missing {
    const ALL: [Self; 5] = [Self::Npi, Self::Confirmation, Self::FirstName, Self::Specialty, Self::Plan];

    fn words(self) -> &'static str {
        match self {
            Self::Npi => "without `npi`",
            Self::Confirmation => "without `[confirmed]`",
            Self::FirstName => "with one name alone",
            Self::Specialty => "without `[[specialty]]`",
            Self::Plan => "without a plan with `hios-ids` and `network-tier` where they are licensed",
        }
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    npi: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    name: Name<'a>,
    addresses: [AddressEntry<'a>; 1],
    specialty: Vec<&'a str>,
    /// The same list: CMS's documentation and its own data spell the key differently.
    speciality: Vec<&'a str>,
    accepting: &'static str,
    plans: Vec<Plan<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gender: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    languages: Vec<&'static str>,
    last_updated_on: String,
}

#[derive(Serialize)]
struct Name<'a> {
    first: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    middle: Option<String>,
    last: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suffix: Option<&'a str>,
}

#[derive(Serialize)]
struct AddressEntry<'a> {
    address: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_2: Option<String>,
    city: &'a str,
    state: &'static str,
    zip: &'a str,
    phone: &'a str,
}

#[derive(Serialize)]
struct Plan<'a> {
    #[serde(rename = "plan_id_type")]
    kind: &'static str,
    #[serde(rename = "plan_id")]
    id: &'a str,
    network_tier: &'a str,
}

/// The file; `None` if the content has no `[standards]`, or no plan has HIOS ids.
#[must_use]
pub fn qhp(directory: &Directory) -> Option<QhpFile> {
    let organisation = directory.organisation();
    let standards = organisation.standards()?;
    let has_ids = |plan| directory.plan_ids(plan).is_some_and(|ids| !ids.hios.is_empty());
    if !directory.plan_numbers().any(has_ids) {
        return None;
    }
    let without = |why: &str| {
        let note = format!("{QHP_PATH} is not written: {why} (directory.toml)");
        Some(QhpFile { body: None, note: Some(note) })
    };
    if !standards.publish_npis {
        return without("it consists of NPIs, and [standards] has no publish-npis = true");
    }
    let address = organisation.address();
    let phone = address.and_then(|address| ten_digits(address.phone.as_deref()?));
    let (Some(address), Some(phone)) = (WholeAddress::of(address), phone) else {
        return without("it needs line, city, state, postal-code and phone of [address]");
    };
    let found: Vec<_> =
        directory.providers().iter().map(|provider| entry(directory, provider, &address, &phone)).collect();
    let count = |reason| found.iter().filter(|entry| entry.as_ref().err() == Some(&reason)).count();
    let reasons =
        Missing::ALL.map(|reason| (count(reason), reason)).into_iter().filter(|(count, _)| *count > 0);
    let reasons: Vec<_> = reasons.map(|(count, reason)| format!("{count} {}", reason.words())).collect();
    let entries: Vec<_> = found.iter().filter_map(|entry| entry.as_ref().ok()).collect();
    let left_out = found.len() - entries.len();
    let note = (left_out > 0).then(|| {
        format!("{QHP_PATH} leaves out {left_out} of {} clinicians: {}", found.len(), reasons.join(", "))
    });
    Some(QhpFile { body: (!entries.is_empty()).then(|| pretty(&entries)), note })
}

fn entry<'a>(
    directory: &'a Directory,
    provider: &'a Provider,
    address: &WholeAddress<'a>,
    phone: &'a str,
) -> Result<Entry<'a>, Missing> {
    let npi = provider.npi().ok_or(Missing::Npi)?;
    let confirmed = provider.record().confirmed.as_ref().ok_or(Missing::Confirmation)?;
    let name = provider.name_parts();
    let (first, middle) = name.given.split_first().ok_or(Missing::FirstName)?;
    let specialties: Vec<&str> = provider.specialties().into_iter().map(|(_, name)| name).collect();
    if specialties.is_empty() {
        return Err(Missing::Specialty);
    }
    let plans = plans(directory, provider);
    if plans.is_empty() {
        return Err(Missing::Plan);
    }
    let (licensed, accepting) = (provider.licensed(), provider.accepting());
    Ok(Entry {
        npi,
        kind: "INDIVIDUAL",
        name: Name {
            first,
            middle: (!middle.is_empty()).then(|| middle.join(" ")),
            last: name.family,
            suffix: name.generation,
        },
        addresses: [AddressEntry {
            address: &address.lines[0],
            address_2: address.second_line(),
            city: address.city,
            state: address.state.code(),
            zip: address.zip,
            phone,
        }],
        speciality: specialties.clone(),
        specialty: specialties,
        accepting: if accepting.is_empty() {
            "not accepting"
        } else if accepting == licensed {
            "accepting"
        } else {
            "accepting in some locations"
        },
        plans,
        gender: match provider.gender() {
            Gender::Female => Some("Female"),
            Gender::Male => Some("Male"),
            Gender::NonBinary | Gender::Other => Some("Other"),
            Gender::PreferNotToSay => None,
        },
        languages: provider.languages().iter().copied().map(Language::name).collect(),
        last_updated_on: confirmed.on.to_string(),
    })
}

/// The plans that a clinician takes, each with its ids for the states where the clinician is licensed.
fn plans<'a>(directory: &'a Directory, provider: &Provider) -> Vec<Plan<'a>> {
    let in_state = |state: StateCode| {
        let plans = provider.plans_in(state).iter().filter_map(|&plan| directory.plan_ids(plan));
        plans.flat_map(move |ids| {
            let tier = ids.network_tier.as_deref();
            let hios = ids.hios.get(&state).into_iter().flatten();
            hios.filter_map(move |id| Some((id.as_str(), tier?)))
        })
    };
    let mut seen = BTreeSet::new();
    let all = provider.licensed().iter().flat_map(in_state).filter(|(id, _)| seen.insert(*id));
    all.map(|(id, network_tier)| Plan { kind: "HIOS-PLAN-ID", id, network_tier }).collect()
}

/// JSON, indented by one space for each level.
fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(b" "));
    // Serialization fails only for maps whose keys are not strings, and there are none.
    _ = value.serialize(&mut serializer);
    text
}
