//! The files about time: holidays and clinicians' hours.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DateValue, List, Located, Text};

/// `holidays/<name>.toml`: a list that availability files can name.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct HolidaysFile {
    /// The observed dates.
    #[schemars(required)]
    pub(in super::super) dates: Option<Vec<Located<DateValue>>>,
}

/// `availability/<slug>.toml`: a clinician's weekly hours.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct AvailabilityFile {
    /// The clinician's own IANA time zone, such as "America/Chicago".
    #[schemars(required)]
    pub(in super::super) timezone: Text,
    /// The earliest start is this long after now, such as "2h".
    pub(in super::super) notice: Text,
    /// Time that is kept free around each visit.
    pub(in super::super) buffer: Option<Located<BufferTable>>,
    /// The name of a file in holidays/, without .toml.
    pub(in super::super) holidays: Text,
    /// The local dates on which the weekly hours hold.
    pub(in super::super) effective: Option<Located<EffectiveTable>>,
    /// Hours that repeat every week.
    #[serde(default)]
    pub(in super::super) weekly: Vec<Located<WeeklyTable>>,
    /// Dates whose hours differ.
    #[serde(default)]
    pub(in super::super) exception: Vec<Located<ExceptionTable>>,
}

/// Time around a visit.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct BufferTable {
    /// Before it, such as "10m".
    pub(in super::super) before: Text,
    /// After it, such as "10m".
    pub(in super::super) after: Text,
}

/// When weekly hours hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct EffectiveTable {
    /// The first local date.
    pub(in super::super) from: Option<Located<DateValue>>,
    /// The last local date.
    pub(in super::super) until: Option<Located<DateValue>>,
}

/// Hours of some weekdays.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct WeeklyTable {
    /// Such as `["mon", "tue"]`.
    #[schemars(required)]
    pub(in super::super) days: List<String>,
    /// Local times such as `["09:00-12:00", "13:00-17:00"]`.
    #[schemars(required)]
    pub(in super::super) hours: List<String>,
    /// Ids of visit types; without it, every video type that the clinician offers.
    pub(in super::super) types: List<i64>,
    /// From one start to the next, such as "30m"; without it, the type's duration.
    pub(in super::super) step: Text,
}

/// A date or a range of dates whose hours differ.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct ExceptionTable {
    /// "off" closes, "replace" swaps a date's hours, "extra" adds to them.
    #[schemars(required, extend("enum" = ["off", "replace", "extra"]))]
    pub(in super::super) kind: Text,
    /// off: the first local date.
    pub(in super::super) from: Option<Located<DateValue>>,
    /// off: the last local date; without it, one day.
    pub(in super::super) to: Option<Located<DateValue>>,
    /// replace, extra: the local date.
    pub(in super::super) date: Option<Located<DateValue>>,
    /// Local times such as `["09:00-12:00"]`.
    pub(in super::super) hours: List<String>,
    /// replace, extra: ids of visit types.
    pub(in super::super) types: List<i64>,
    /// replace, extra: from one start to the next.
    pub(in super::super) step: Text,
}
