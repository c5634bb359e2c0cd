//! The files about time: holidays and clinicians' hours; and leaves.

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
    #[schemars(required, extend("x-editor" = {"as": "zone", "label": "Time zone", "hint": "The clinician's own. All hours use it."}))]
    pub(in super::super) timezone: Text,
    /// The earliest start is this long after now, such as "2h".
    #[schemars(extend("x-editor" = {"as": "time"}))]
    pub(in super::super) notice: Text,
    /// Time that is kept free around each visit.
    pub(in super::super) buffer: Option<Located<BufferTable>>,
    /// The name of a file in holidays/, without .toml.
    #[schemars(extend("x-editor" = {"as": "holidays", "hint": "The weekly hours are closed on these dates."}))]
    pub(in super::super) holidays: Text,
    /// The local dates on which the weekly hours apply.
    #[schemars(extend("x-editor" = {"label": "Weekly hours apply"}))]
    pub(in super::super) effective: Option<Located<EffectiveTable>>,
    /// Hours that repeat every week.
    #[schemars(extend("x-editor" = {"label": "Weekly hours", "one": "weekly hours", "open": true}))]
    #[serde(default)]
    pub(in super::super) weekly: Vec<Located<WeeklyTable>>,
    /// Dates whose hours differ.
    #[schemars(extend("x-editor" = {"label": "Exceptions", "one": "exception", "open": true}))]
    #[serde(default)]
    pub(in super::super) exception: Vec<Located<ExceptionTable>>,
}

/// A leave, in the time zone of the clinician's hours.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct LeaveTable {
    /// The first day of the leave.
    #[schemars(required, extend("x-editor" = {"label": "First day of leave"}))]
    pub(in super::super) from: Option<Located<DateValue>>,
    /// The first day back; without it, until further notice.
    #[schemars(extend("x-editor" = {"label": "First day back", "hint": "Leave it empty if it isn't known yet."}))]
    pub(in super::super) until: Option<Located<DateValue>>,
}

/// Time around a visit.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct BufferTable {
    /// Before it, such as "10m".
    #[schemars(extend("x-editor" = {"as": "time"}))]
    pub(in super::super) before: Text,
    /// After it, such as "10m".
    #[schemars(extend("x-editor" = {"as": "time"}))]
    pub(in super::super) after: Text,
}

/// When weekly hours apply.
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
    #[schemars(required, extend("x-editor" = {"as": "days", "hint": "The days with these hours."}))]
    pub(in super::super) days: List<String>,
    /// Local times such as `["09:00-12:00", "13:00-17:00"]`.
    #[schemars(required, extend("x-editor" = {"as": "hours", "hint": "Put each range on its own line, in 24-hour time: 13:00-17:00."}))]
    pub(in super::super) hours: List<String>,
    /// Ids of visit types; without it, every video type that the clinician offers.
    #[schemars(extend("x-editor" = {"as": "video-visits", "label": "Only these visits", "hint": "Leave it empty for every video visit the clinician offers."}))]
    pub(in super::super) types: List<i64>,
    /// From one start to the next, such as "30m"; without it, the type's duration.
    #[schemars(extend("x-editor" = {"as": "time", "label": "Start every"}))]
    pub(in super::super) step: Text,
}

/// A date or a range of dates whose hours differ.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct ExceptionTable {
    /// "off" closes, "replace" swaps a date's hours, "extra" adds to them.
    #[schemars(required, extend("enum" = ["off", "replace", "extra"], "x-editor" = {"kinds": {"off": ["Closed", "from", "to", "hours"], "replace": ["Different hours on one day", "date", "hours", "types", "step"], "extra": ["Additional hours on one day", "date", "hours", "types", "step"]}}))]
    pub(in super::super) kind: Text,
    /// off: the first local date.
    #[schemars(extend("x-editor" = {"label": "From", "hint": "The first day."}))]
    pub(in super::super) from: Option<Located<DateValue>>,
    /// off: the last local date; without it, one day.
    #[schemars(extend("x-editor" = {"hint": "The last day. Leave it empty for one day."}))]
    pub(in super::super) to: Option<Located<DateValue>>,
    /// replace, extra: the local date.
    #[schemars(extend("x-editor" = {"hint": "The day."}))]
    pub(in super::super) date: Option<Located<DateValue>>,
    /// Local times such as `["09:00-12:00"]`.
    #[schemars(extend("x-editor" = {"as": "hours", "hint": "Closed: only these hours are off; without hours, the whole day. Different hours: without hours, the day is closed."}))]
    pub(in super::super) hours: List<String>,
    /// replace, extra: ids of visit types.
    #[schemars(extend("x-editor" = {"as": "video-visits", "label": "Only these visits", "hint": "Leave it empty for every video visit the clinician offers."}))]
    pub(in super::super) types: List<i64>,
    /// replace, extra: from one start to the next.
    #[schemars(extend("x-editor" = {"as": "time", "label": "Start every"}))]
    pub(in super::super) step: Text,
}
