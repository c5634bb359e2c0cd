//! The files as they are written, every value with its place. Every key is optional here, because a missing one must not
//! stop reading; `#[schemars(required)]` is only for the schema. `flatten` and `untagged` are not used, because they lose
//! the places. The comments of fields are the descriptions in the schema.

mod accuracy;
mod discovery;
mod hours;
mod located;
mod standards;
mod values;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

pub(super) use accuracy::{AccuracyTable, AllowedFindingTable, ConfirmedTable, LicenseTable, SampleTable};
pub(super) use discovery::{ListingTable, NoticesTable, RobotsTable, SecurityTable};
pub(super) use hours::{AvailabilityFile, ExceptionTable, HolidaysFile, LeaveTable, WeeklyTable};
pub(super) use located::Located;
pub(super) use standards::{SpecialtyTable, StandardsTable};
pub(super) use values::{DateValue, PlanKey, StatesValue};

pub(super) type Text = Option<Located<String>>;
pub(super) type Texts = Option<Vec<Located<String>>>;
/// An optional list with its own place, so that an empty one can be reported.
pub(super) type List<T> = Option<Located<Vec<Located<T>>>>;

/// `directory.toml`: the organization.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct DirectoryFile {
    /// The organization's name.
    #[schemars(required)]
    pub(super) name: Text,
    /// One sentence about it.
    #[schemars(required)]
    pub(super) description: Text,
    /// Where the REST API is.
    #[schemars(required, extend("x-editor" = {"as": "hidden"}))]
    pub(super) api_url: Text,
    /// Where the MCP endpoint is.
    #[schemars(required, extend("x-editor" = {"as": "hidden"}))]
    pub(super) mcp_url: Text,
    /// Where the site is: a profile is at {site-url}/providers/{slug}.
    #[schemars(required, extend("x-editor" = {"as": "hidden"}))]
    pub(super) site_url: Text,
    /// Private: where a CDN sends requests that it can't answer.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) live_url: Text,
    /// Where patients book: an address with {providerSlug} and, if the booking page reads them, {startTime},
    /// {appointmentType} and {state}.
    #[schemars(extend("x-editor" = {"label": "Booking address"}))]
    pub(super) booking_url: Text,
    /// Shown at the foot of each page and in its data for search engines.
    pub(super) address: Option<Located<AddressTable>>,
    /// What patients read next to the clinicians.
    pub(super) patients: Option<Located<PatientsTable>>,
    /// The languages of the site's pages: English names or codes. The first one has the addresses without a code.
    pub(super) site_languages: Option<Located<Vec<Located<String>>>>,
    /// The language of what is written in these files: its English name or code. Without it, it is the first of the site's languages.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) content_language: Text,
    /// For the search: a word that patients type, and the words that it also finds.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) search_words: Option<Located<SearchWordsTable>>,
    /// How entries are confirmed. Without this table nothing about confirmations is published.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) accuracy: Option<Located<AccuracyTable>>,
    /// Turns the exports for FHIR clients on.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) standards: Option<Located<StandardsTable>>,
    /// A square PNG file next to this one, of 512 to 4096 pixels, which assistants show.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) logo: Text,
    /// A PNG or JPEG file next to this one, of at least 1200 × 630 pixels, for previews of links.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) share_image: Text,
    /// Where to report a vulnerability.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) security: Option<Located<SecurityTable>>,
    /// Pages that every page links to.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) notices: Option<Located<NoticesTable>>,
    /// Origin trial tokens that let pages offer tools in browsers that are trying out WebMCP.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) webmcp_origin_trial: Option<Located<Vec<Located<String>>>>,
    /// How the clinic is listed in the assistants' app directories.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) listing: Option<Located<ListingTable>>,
    /// What robots.txt says besides allowing everything.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) robots: Option<Located<RobotsTable>>,
}

/// Words that patients type, each with other words.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct SearchWordsTable(pub(super) BTreeMap<Located<String>, Vec<Located<String>>>);

/// A postal address.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AddressTable {
    /// Street and number, a line each.
    #[schemars(extend("x-editor" = {"label": "Street and number"}))]
    pub(super) line: Texts,
    /// The city.
    pub(super) city: Text,
    /// A state's two-letter code.
    #[schemars(extend("x-editor" = {"as": "states"}))]
    pub(super) state: Text,
    /// The ZIP code.
    #[schemars(extend("x-editor" = {"label": "ZIP code"}))]
    pub(super) postal_code: Text,
    /// The organization's own phone number.
    pub(super) phone: Text,
}

/// What the clinic tells patients.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PatientsTable {
    /// When the phone is answered, such as `["mon-fri 08:00-17:00"]`.
    #[schemars(extend("x-editor" = {"hint": "Days and 24-hour times, such as mon-fri 08:00-17:00."}))]
    pub(super) phone_hours: Texts,
    /// The time zone of these hours; without it, that of the address's state.
    #[schemars(extend("x-editor" = {"as": "zone"}))]
    pub(super) phone_time_zone: Text,
    /// What a visit costs with a plan that is accepted.
    #[schemars(extend("x-editor" = {"label": "Cost with insurance"}))]
    pub(super) cost: Text,
    /// What a visit costs without insurance.
    pub(super) cost_without_insurance: Text,
    /// What to do in an emergency, besides calling 911.
    pub(super) emergency: Text,
}

/// `translations/<language>.toml`: texts of the content, each with the same in that language.
#[derive(Debug, Default, Deserialize)]
pub(super) struct TranslationsFile(pub(super) BTreeMap<Located<String>, Located<String>>);

/// `insurances.toml`: the plan catalog.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct InsurancesFile {
    /// The plans; other names aren't accepted.
    #[schemars(extend("x-editor" = {"label": "Plans", "one": "plan", "summary": "{{name}}"}))]
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
    /// Private: codes of the states where it is sold; without it, anywhere.
    #[schemars(extend("x-editor" = {"as": "states", "label": "Sold in"}))]
    pub(super) states: Texts,
}

/// `appointment-types.toml`: the visit types.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AppointmentTypesFile {
    /// The visit types.
    #[schemars(extend("x-editor" = {"label": "Visit types", "one": "visit type", "summary": "{{name}} ({{id}})"}))]
    #[serde(default, rename = "type")]
    pub(super) types: Vec<Located<TypeTable>>,
}

/// A visit type.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TypeTable {
    /// A number that never changes and is never reused.
    #[schemars(required, extend("x-editor" = {"label": "Number"}))]
    pub(super) id: Option<Located<i64>>,
    /// The name that patients read.
    #[schemars(required)]
    pub(super) name: Text,
    /// A sentence for patients.
    #[schemars(required, extend("x-editor" = {"as": "long"}))]
    pub(super) description: Text,
    /// How the visit happens.
    #[schemars(required, extend("enum" = crate::model::Modality::WORDS, "x-editor" = {"label": "How", "labels": ["Video", "By message"]}))]
    pub(super) modality: Text,
    /// Whether new patients may book it.
    #[schemars(required, extend("x-editor" = {"label": "Open to new patients"}))]
    pub(super) new_patient_eligible: Option<Located<bool>>,
    /// How long it takes, such as "30m"; video types only.
    #[schemars(extend("x-editor" = {"as": "time", "label": "Length"}))]
    pub(super) duration: Text,
    /// Codes of the states where it is offered, or "all".
    #[schemars(required, extend("x-editor" = {"as": "states", "label": "Offered in"}))]
    pub(super) states: Option<Located<StatesValue>>,
    /// A type that isn't enabled isn't shown.
    pub(super) enabled: Option<Located<bool>>,
}

/// `providers/<slug>.toml`: a clinician; the file's stem is the slug.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ProviderFile {
    /// An identifier that never changes and is never reused.
    #[schemars(required, extend("x-editor" = {"as": "id", "label": "Identifier"}))]
    pub(super) id: Text,
    /// The name that patients read.
    #[schemars(required, extend("x-editor" = {"label": "Name", "hint": "The name patients read, without title and degrees."}))]
    pub(super) display_name: Text,
    /// Private: the name that lists sort by; default: the last word of the display name.
    pub(super) sort_name: Text,
    /// Earlier slugs; their addresses lead to this clinician.
    #[schemars(extend("x-editor" = {"label": "Earlier addresses", "hint": "Such as jane-smith. They lead to this clinician."}))]
    pub(super) former_slugs: Texts,
    /// Such as "MD, FACOG".
    #[schemars(required)]
    pub(super) credentials: Text,
    /// The clinician type.
    #[schemars(required, extend("enum" = crate::model::ProviderType::WORDS, "x-editor" = {"label": "Clinician type", "labels": crate::model::ProviderType::NAMES}))]
    pub(super) provider_type: Text,
    /// The gender that the clinician states.
    #[schemars(required, extend("enum" = crate::model::Gender::WORDS))]
    pub(super) gender: Text,
    /// Plain text, a few sentences.
    #[schemars(required, extend("x-editor" = {"as": "long", "label": "Biography"}))]
    pub(super) bio: Text,
    /// A file in headshots/, or an https address.
    #[schemars(extend("x-editor" = {"as": "picture", "label": "Portrait", "hint": "png, jpg, webp, or svg, at most 1 MB."}))]
    pub(super) headshot: Text,
    /// Whether the Menopause Society has certified this clinician.
    #[schemars(extend("x-editor" = {"label": "Certified by the Menopause Society"}))]
    pub(super) menopause_society_certified: Option<Located<bool>>,
    /// In the order in which they are shown.
    pub(super) clinical_interests: Texts,
    /// The languages spoken with patients: English names, such as "Spanish", or codes, such as "es".
    pub(super) languages: Texts,
    /// Codes of the states of licensure.
    #[schemars(required, extend("x-editor" = {"as": "states", "label": "Licensed in"}))]
    pub(super) licensed: Texts,
    /// Codes of the states where new patients are accepted: some of those above.
    #[schemars(required, extend("x-editor" = {"as": "states", "label": "Accepts new patients in", "hint": "Some of the states above; none if they aren't accepting new patients."}))]
    pub(super) accepting: Texts,
    /// Ids from appointment-types.toml.
    #[schemars(extend("x-editor" = {"as": "visits", "label": "Visits offered", "hint": "What patients can book."}))]
    pub(super) appointment_types: Option<Vec<Located<i64>>>,
    /// The national provider identifier, by which a feed can name the clinician. Only in exports, if publish-npis says so.
    #[schemars(extend("x-editor" = {"label": "NPI"}))]
    pub(super) npi: Text,
    /// Whether and how the entry is shown; default "listed".
    #[schemars(extend("enum" = crate::model::Listing::WORDS, "x-editor" = {"hint": "Whether and how the entry is shown. Leave it empty to list it.", "labels": ["Listed", "Not confirmed: the page says so", "Paused: no new patients right now", "Withdrawn: left or away, not shown"]}))]
    pub(super) status: Text,
    /// Days without patients, whatever the hours say.
    #[schemars(extend("x-editor" = {"label": "On leave", "one": "leave", "summary": "{{from}}", "hint": "Nothing can be booked on these days, whatever the hours say."}))]
    #[serde(default)]
    pub(super) leave: Vec<Located<LeaveTable>>,
    /// Plans: `all` for every licensed state, a state's code for that state.
    #[schemars(extend("x-editor" = {"as": "plans", "label": "Insurance", "hint": "Plans accepted in every licensed state, and more plans for single states."}))]
    pub(super) insurance: Option<Located<InsuranceTable>>,
    /// Degrees, in the order in which they are shown.
    #[schemars(extend("x-editor" = {"one": "degree", "summary": "{{degree}}, {{institution}}"}))]
    #[serde(default)]
    pub(super) education: Vec<Located<EducationTable>>,
    /// Certificates, in the order in which they are shown.
    #[schemars(extend("x-editor" = {"label": "Certificates", "one": "certificate", "summary": "{{name}}"}))]
    #[serde(default)]
    pub(super) certifications: Vec<Located<CertificationTable>>,
    /// Private: licenses with their numbers, which the audit compares with the boards' lists.
    #[schemars(extend("x-editor" = {"label": "Licenses", "one": "license", "summary": "{{state}} {{number}}"}))]
    #[serde(default)]
    pub(super) license: Vec<Located<LicenseTable>>,
    /// `license` in its British spelling.
    #[schemars(extend("x-editor" = {"as": "hidden", "label": "Licenses"}))]
    #[serde(default)]
    pub(super) licence: Vec<Located<LicenseTable>>,
    /// Only in exports: specialties of the NUCC's taxonomy.
    #[schemars(extend("x-editor" = {"label": "Specialties", "one": "specialty", "summary": "{{name}}"}))]
    #[serde(default)]
    pub(super) specialty: Vec<Located<SpecialtyTable>>,
    /// Who confirmed these facts and when; `nameplate attest` writes it.
    #[schemars(extend("x-editor" = {"as": "hidden"}))]
    pub(super) confirmed: Option<Located<ConfirmedTable>>,
}

/// Plans by the states where they are accepted.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct InsuranceTable(pub(super) BTreeMap<PlanKey, Vec<Located<String>>>);

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
    /// Private: the last day on which it is valid.
    #[schemars(extend("x-editor" = {"label": "Valid until"}))]
    pub(super) expires: Option<Located<DateValue>>,
    /// Whether all lists of clinicians show it.
    #[schemars(extend("x-editor" = {"label": "Show it in lists"}))]
    pub(super) badge: Option<Located<bool>>,
    /// The issuer's short name, for lists.
    #[schemars(extend("x-editor" = {"label": "Issuer in lists", "hint": "A short name, if the issuer's name is long."}))]
    pub(super) short_name: Text,
}

/// `retired.toml`: clinicians who left; their ids and slugs are never reused.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RetiredFile {
    /// Clinicians who left.
    #[schemars(extend("x-editor" = {"label": "Clinicians who left", "one": "clinician who left", "summary": "{{slug}}"}))]
    #[serde(default)]
    pub(super) provider: Vec<Located<RetiredTable>>,
}

/// A clinician who left.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RetiredTable {
    /// The id.
    #[schemars(required, extend("x-editor" = {"label": "Identifier"}))]
    pub(super) id: Text,
    /// The slug.
    #[schemars(required, extend("x-editor" = {"label": "Address", "hint": "The last part of the address, such as jane-doe."}))]
    pub(super) slug: Text,
    /// Earlier slugs, as the deleted file had them.
    #[schemars(extend("x-editor" = {"label": "Earlier addresses"}))]
    pub(super) former_slugs: Texts,
}

/// `allow.toml`: texts to publish although a lint found them.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AllowFile {
    /// The allowed texts.
    #[serde(default)]
    pub(super) allow: Vec<Located<AllowTable>>,
    /// Findings of `nameplate audit` that the clinic accepts.
    #[serde(default)]
    pub(super) audit: Vec<Located<AllowedFindingTable>>,
}

/// An allowed text.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AllowTable {
    /// The lint's name, as its message shows it.
    #[schemars(required)]
    pub(super) lint: Text,
    /// The exact text that it found.
    #[schemars(required)]
    pub(super) text: Text,
    /// Why it is right to publish it.
    #[schemars(required)]
    pub(super) reason: Text,
}
