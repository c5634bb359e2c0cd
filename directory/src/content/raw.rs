//! The files as they are written: Deserialize and JSON Schema only, every value with its place in the file.
//!
//! Everything is optional here, because a missing key is a problem to be reported with all others and not a
//! reason to stop reading; which keys must be there is for `check` to say (and `#[schemars(required)]` tells
//! editors). No `flatten` and no `untagged`: both lose the places.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

/// A value, and where in its file it stands.
#[derive(Debug, Clone)]
pub(super) struct Located<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

// Keys of a map are compared by what they say.
impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Located<T> {}

impl<T: Ord> PartialOrd for Located<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for Located<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = toml::Spanned::<T>::deserialize(deserializer)?;
        Ok(Self { span: spanned.span(), value: spanned.into_inner() })
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// A text of the file.
pub(super) type Text = Option<Located<String>>;
/// A list of texts.
pub(super) type Texts = Option<Vec<Located<String>>>;

/// `directory.toml`: the organisation.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct DirectoryFile {
    /// The organisation's name.
    #[schemars(required)]
    pub(super) name: Text,
    /// One sentence about it.
    #[schemars(required)]
    pub(super) description: Text,
    /// Where the REST API is.
    #[schemars(required)]
    pub(super) api_url: Text,
    /// Where the MCP endpoint is.
    #[schemars(required)]
    pub(super) mcp_url: Text,
    /// Where the site is: a profile is at {site-url}/providers/{slug}.
    #[schemars(required)]
    pub(super) site_url: Text,
    /// Private: where a CDN sends what it cannot answer.
    pub(super) live_url: Text,
    /// Private: for the standards exports.
    pub(super) address: Option<Located<AddressTable>>,
}

/// A postal address.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AddressTable {
    /// Street and number, a line each.
    pub(super) line: Texts,
    /// The city.
    pub(super) city: Text,
    /// A state's two-letter code.
    pub(super) state: Text,
    /// The ZIP code.
    pub(super) postal_code: Text,
    /// The organisation's own phone number.
    pub(super) phone: Text,
}

/// `insurances.toml`: the plan catalogue.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct InsurancesFile {
    /// The plans; no other name is accepted anywhere.
    #[serde(default)]
    pub(super) plan: Vec<Located<PlanTable>>,
}

/// A plan.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PlanTable {
    /// The plan's name, as patients know it.
    #[schemars(required)]
    pub(super) name: Text,
}

/// `appointment-types.toml`: the visit types.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AppointmentTypesFile {
    /// The visit types.
    #[serde(default, rename = "type")]
    pub(super) types: Vec<Located<TypeTable>>,
}

/// A visit type.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TypeTable {
    /// A number that is never changed and never reused.
    #[schemars(required)]
    pub(super) id: Option<Located<i64>>,
    /// The name that patients read.
    #[schemars(required)]
    pub(super) name: Text,
    /// A sentence for patients.
    #[schemars(required)]
    pub(super) description: Text,
    /// How the visit happens.
    #[schemars(required, extend("enum" = crate::model::Modality::WORDS))]
    pub(super) modality: Text,
    /// Whether new patients may book it.
    #[schemars(required)]
    pub(super) new_patient_eligible: Option<Located<bool>>,
    /// Private: how long it takes, such as "30m"; video types only.
    pub(super) duration: Text,
    /// Codes of the states where it is held, or "all".
    #[schemars(required)]
    pub(super) states: Option<Located<StatesValue>>,
    /// A type that is not enabled appears nowhere.
    pub(super) enabled: Option<Located<bool>>,
}

/// `"all"`, or a list of states.
#[derive(Debug)]
pub(super) enum StatesValue {
    /// One text; only "all" has a meaning.
    Word(String),
    /// A list of codes.
    List(Vec<Located<String>>),
}

impl<'de> Deserialize<'de> for StatesValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = StatesValue;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of states such as [\"CA\", \"NY\"], or \"all\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<StatesValue, E> {
                Ok(StatesValue::Word(text.to_owned()))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<StatesValue, A::Error> {
                let mut states = Vec::new();
                while let Some(state) = list.next_element()? {
                    states.push(state);
                }
                Ok(StatesValue::List(states))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl JsonSchema for StatesValue {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "States".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string", "enum": ["all"]}]
        })
    }
}

/// `providers/<slug>.toml`: a clinician; the file's stem is the slug.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ProviderFile {
    /// An identifier that is never changed and never reused.
    #[schemars(required)]
    pub(super) id: Text,
    /// The name that patients read.
    #[schemars(required)]
    pub(super) display_name: Text,
    /// Private: the name that lists are ordered by; without it, the last word of the display name.
    pub(super) sort_name: Text,
    /// What this provider was called in addresses before.
    pub(super) former_slugs: Texts,
    /// Such as "MD, FACOG".
    #[schemars(required)]
    pub(super) credentials: Text,
    /// What kind of clinician.
    #[schemars(required, extend("enum" = crate::model::ProviderType::WORDS))]
    pub(super) provider_type: Text,
    /// The gender that the clinician states.
    #[schemars(required, extend("enum" = crate::model::Gender::WORDS))]
    pub(super) gender: Text,
    /// Plain text, a few sentences.
    #[schemars(required)]
    pub(super) bio: Text,
    /// A file in headshots/, or an https address.
    pub(super) headshot: Text,
    /// Whether the Menopause Society has certified this clinician.
    pub(super) menopause_society_certified: Option<Located<bool>>,
    /// In the order in which they are shown.
    pub(super) clinical_interests: Texts,
    /// Codes of the states of licensure.
    #[schemars(required)]
    pub(super) licensed: Texts,
    /// Codes of the states where new patients are taken: some of those above.
    #[schemars(required)]
    pub(super) accepting: Texts,
    /// Ids from appointment-types.toml.
    pub(super) appointment_types: Option<Vec<Located<i64>>>,
    /// Private: the national provider identifier.
    pub(super) npi: Text,
    /// Plans: `all` for every state of licensure, a state's code for that state.
    pub(super) insurance: Option<Located<InsuranceTable>>,
    /// Degrees, in the order in which they are shown.
    #[serde(default)]
    pub(super) education: Vec<Located<EducationTable>>,
    /// Certificates, in the order in which they are shown.
    #[serde(default)]
    pub(super) certifications: Vec<Located<CertificationTable>>,
}

/// Plans by the states where they are accepted.
pub(super) type InsuranceTable = BTreeMap<Located<String>, Vec<Located<String>>>;

/// A degree.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct EducationTable {
    /// Such as "MD".
    #[schemars(required)]
    pub(super) degree: Text,
    /// Such as "Medicine".
    #[schemars(required)]
    pub(super) field: Text,
    /// The school.
    #[schemars(required)]
    pub(super) institution: Text,
    /// The year of the degree.
    #[schemars(required)]
    pub(super) year: Option<Located<i64>>,
}

/// A certificate.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CertificationTable {
    /// Who issued it.
    #[schemars(required)]
    pub(super) issuer: Text,
    /// What it certifies.
    #[schemars(required)]
    pub(super) name: Text,
}

/// `retired.toml`: who left; their ids and slugs never come back.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RetiredFile {
    /// Those who left.
    #[serde(default)]
    pub(super) provider: Vec<Located<RetiredTable>>,
}

/// Somebody who left.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RetiredTable {
    /// The id.
    #[schemars(required)]
    pub(super) id: Text,
    /// The slug.
    #[schemars(required)]
    pub(super) slug: Text,
}

/// `allow.toml`: findings of the lints that are meant.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AllowFile {
    /// What is meant.
    #[serde(default)]
    pub(super) allow: Vec<Located<AllowTable>>,
}

/// One finding that is meant.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AllowTable {
    /// The lint's name, as its finding says.
    #[schemars(required)]
    pub(super) lint: Text,
    /// The very text that it found.
    #[schemars(required)]
    pub(super) text: Text,
    /// Why it is meant.
    #[schemars(required)]
    pub(super) reason: Text,
}

/// `holidays/<name>.toml`: a list that availability files can name.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct HolidaysFile {
    /// The observed dates.
    #[serde(default)]
    #[schemars(required)]
    pub(super) dates: Vec<Located<DateValue>>,
}

/// `availability/<slug>.toml`: a clinician's weekly hours.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AvailabilityFile {
    /// The clinician's own IANA time zone, such as "America/Chicago".
    #[schemars(required)]
    pub(super) timezone: Text,
    /// The earliest start is this long after now, such as "2h".
    pub(super) notice: Text,
    /// Time that is kept free around each visit.
    pub(super) buffer: Option<Located<BufferTable>>,
    /// The name of a file in holidays/, without .toml.
    pub(super) holidays: Text,
    /// The local dates on which the weekly hours hold.
    pub(super) effective: Option<Located<EffectiveTable>>,
    /// Hours that repeat every week.
    #[serde(default)]
    pub(super) weekly: Vec<Located<WeeklyTable>>,
    /// Dates that differ.
    #[serde(default)]
    pub(super) exception: Vec<Located<ExceptionTable>>,
}

/// Time around a visit.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct BufferTable {
    /// Before it, such as "10m".
    pub(super) before: Text,
    /// After it, such as "10m".
    pub(super) after: Text,
}

/// When weekly hours hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct EffectiveTable {
    /// The first local date.
    pub(super) from: Option<Located<DateValue>>,
    /// The last local date.
    pub(super) until: Option<Located<DateValue>>,
}

/// Hours of some weekdays.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WeeklyTable {
    /// Such as `["mon", "tue"]`.
    #[schemars(required)]
    pub(super) days: Texts,
    /// Local times such as `["09:00-12:00", "13:00-17:00"]`.
    #[schemars(required)]
    pub(super) hours: Texts,
    /// Ids of visit types; without it, every video type that the clinician offers.
    pub(super) types: Option<Vec<Located<i64>>>,
    /// From one start to the next, such as "30m"; without it, the type's duration.
    pub(super) step: Text,
}

/// A date or some dates that differ.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ExceptionTable {
    /// "off" closes, "replace" swaps a date's hours, "extra" adds to them.
    #[schemars(required, extend("enum" = ["off", "replace", "extra"]))]
    pub(super) kind: Text,
    /// off: the first local date.
    pub(super) from: Option<Located<DateValue>>,
    /// off: the last local date; without it, one day.
    pub(super) to: Option<Located<DateValue>>,
    /// replace, extra: the local date.
    pub(super) date: Option<Located<DateValue>>,
    /// Local times such as `["09:00-12:00"]`.
    pub(super) hours: Texts,
    /// replace, extra: ids of visit types.
    pub(super) types: Option<Vec<Located<i64>>>,
    /// replace, extra: from one start to the next.
    pub(super) step: Text,
}

/// A local date, bare or quoted: form-based editors quote them.
#[derive(Debug, Clone)]
pub(super) struct DateValue(pub(super) String);

impl<'de> Deserialize<'de> for DateValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BareOrQuoted<M>(PhantomData<M>);
        impl<'de> Visitor<'de> for BareOrQuoted<()> {
            type Value = DateValue;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a date such as 2026-11-26")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<DateValue, E> {
                Ok(DateValue(text.to_owned()))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<DateValue, A::Error> {
                let bare = toml::value::Datetime::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(DateValue(bare.to_string()))
            }
        }
        deserializer.deserialize_any(BareOrQuoted(PhantomData))
    }
}

impl JsonSchema for DateValue {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Date".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})
    }
}
