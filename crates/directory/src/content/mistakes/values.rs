//! Values of the wrong type, and unknown keys.

use std::ops::Range;

use super::super::lines::line_at;
use super::super::problem::{Advice, Kind};
use super::super::shape::{Keys, Shape, keys_of};
use super::super::statement::example_of;
use super::headers::Header;
use super::{Headers, Mistake, is_closed};
use crate::near::nearest;

/// What to write for a leave, which people first write as a key, a status or a part of the hours.
const LEAVE: &str = "Write a leave as a table at the end of the clinician's file in providers/:\n[[leave]]\nfrom = YYYY-MM-DD    # the first day\nOnce you know the first day back, add it below as until = YYYY-MM-DD.";

pub(in super::super) fn leave_in(path: &str) -> String {
    let place =
        if path.starts_with("providers/") { "this file" } else { "the clinician's file in providers/" };
    LEAVE.replace("the clinician's file in providers/", place)
}

pub(in super::super) const CURRENT_ONLY: &str =
    "For a clinician who sees only current patients, write accepting = [].";

pub(in super::super) const ACCEPTING: &str =
    "[\"CA\"], or accepting = [] for a clinician who sees only current patients";

/// Keys and tables of another place: in which files they are written first, and what to do.
const ELSEWHERE: [(&str, &[&str], &str); 4] = [
    ("directory.toml", &["phone"], "Move this line below [address]."),
    (
        "providers/",
        &["exception", "exceptions", "weekly", "hours", "holidays", "timezone", "buffer", "notice", "closed"],
        "Move it to availability/NAME.toml, which holds this clinician's hours, holidays, and exceptions.",
    ),
    (
        "directory.toml",
        &["closed", "closures", "holiday", "holidays", "exception"],
        "Write the dates when the clinic is closed in a file in holidays/, and write that file's name at \
         `holidays` in each file in availability/.",
    ),
    (
        "availability/",
        &["lunch", "lunches", "break", "breaks"],
        "Delete this line, and write the hours around the break, such as hours = [\"09:00-12:00\", \"13:00-17:00\"].",
    ),
];

const DIRECTORY: &str = "directory.toml";

fn home_of(key: &str) -> Option<&'static str> {
    let homes = [DIRECTORY, "providers/NAME.toml", "availability/NAME.toml"];
    homes.into_iter().find(|home| keys_of(home).is_some_and(|keys| keys.get(key).is_some()))
}

pub(in super::super) struct WrongValue {
    pub(in super::super) mistake: Mistake,
    /// The known key that an unknown one probably means.
    pub(in super::super) meant: Option<String>,
}

impl WrongValue {
    pub(in super::super) fn explain(
        error: &toml::de::Error,
        path: &str,
        text: &str,
        span: &Range<usize>,
        headers: &Headers<'_>,
    ) -> Self {
        let message = error.message();
        let line = &text[line_at(text, span.start)];
        if let Some(key) = unknown_key(message) {
            let mut unknown = Self::unknown(key, message, path, span, headers);
            if key == "booking-url" && !line.contains("{providerSlug}") {
                let more = " Write {providerSlug} in the address where the clinician belongs.";
                unknown.mistake.hint = unknown.mistake.hint.map(|hint| hint.and(more));
            }
            return unknown;
        }
        let is_clinician = path.starts_with("providers/");
        let top = keys_of(path);
        let key = line.split('=').next().unwrap_or_default().trim();
        let written = text.get(span.clone()).unwrap_or_default();
        let types = message.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "));
        // Plans are listed at any key.
        let is_of_plans = |above: &Header<'_>| above.name() == "insurance" && is_clinician;
        if home_of(key) == Some(DIRECTORY) && headers.above(span.start).is_some_and(is_of_plans) {
            let start = line_at(text, span.start).start;
            return Self::unknown(key, message, path, &(start..start + key.len()), headers);
        }
        let types = types.or_else(|| unknown_field(message).map(|_| ("map", "a map")));
        let mistake = match types {
            Some((found, _)) if is_clinician && line.trim_start().starts_with("leave") => {
                let what = format!("This is {}. A leave is a table.", found_in_words(found, written));
                Mistake::new(Kind::WrongType, span, what, leave_in(path))
            }
            Some((found, "a sequence")) if !found.starts_with("map") => {
                let is_of_tables = top.and_then(|top| top.get(key)) == Some(&Shape::Tables);
                let example = example_of(path, text, span.start);
                let example = example.unwrap_or_else(|| "[\"one\", \"two\"]".to_owned());
                let (what, hint) = if is_of_tables {
                    let hint = "at the end of the file, and its keys below, each on a line.";
                    (
                        format!("This is {}. It needs to be a list.", found_in_words(found, written)),
                        format!("Write it as [[{key}]] {hint}"),
                    )
                } else {
                    let hint = match example.contains("09:00") {
                        true if is_closed(text.get(span.clone()).unwrap_or_default()) => {
                            "Days that no entry names are closed: delete this whole entry, or this line in one with kind = \"off\"."
                        }
                        true => "Write times in digits like these, in brackets.",
                        false if key == "licensed" => {
                            "Write the code of each state with a license, in brackets."
                        }
                        false => "Put brackets around it, and commas between entries.",
                    };
                    let hint = if is_clinician && key == "accepting" { CURRENT_ONLY } else { hint };
                    (format!("This must be a list, such as {example}."), hint.to_owned())
                };
                Mistake::new(Kind::WrongType, span, what, hint)
            }
            Some(("sequence", _))
                if path.starts_with("availability/") && line.trim_start().starts_with("holidays") =>
            {
                let what = "`holidays` takes the name of one list of dates, not several entries.";
                Mistake::new(Kind::WrongType, span, what, ONE_LIST)
            }
            Some((found, expected)) => {
                let mut mistake = wrong_type(&found_in_words(found, written), expected, span, headers);
                if expected == "i64" && ["appointment-types", "types"].contains(&key) {
                    mistake.what = mistake.what.replace("a whole number", "the visit's number");
                }
                let digits = written.bytes().take_while(u8::is_ascii_digit).count();
                if key == "npi" && digits == written.len() && digits != 10 {
                    let registry = "copy the NPI from https://npiregistry.cms.hhs.gov";
                    let hint = format!(
                        "Write it in quotes. An NPI has ten digits, and this has {digits}: {registry}."
                    );
                    mistake.hint = Some(hint.into());
                }
                let table = match top.and_then(|top| top.get(key)) {
                    Some(Shape::Tables) => format!("[[{key}]]"),
                    _ => format!("[{key}]"),
                };
                if let Some(hint) = mistake.hint.as_mut().filter(|_| !key.contains('[')) {
                    hint.text = hint.text.replace("[table]", &table);
                }
                mistake
            }
            None => Mistake { hint: None, ..Mistake::new(Kind::WrongType, span, message, "") },
        };
        Self { mistake, meant: None }
    }

    fn unknown(key: &str, message: &str, path: &str, span: &Range<usize>, headers: &Headers<'_>) -> Self {
        let (first, above) = (headers.first(), headers.above(span.start));
        let top = keys_of(path);
        let known: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
        if let (Some(first), Some(above)) = (first, above)
            && top.and_then(|top| top.get(key)).is_some()
            && !known.contains(&key)
        {
            let what = format!("`{key}` belongs at the top. Here it is part of {}.", above.text);
            let hint = format!("Move it above {} on line {}.", first.text, first.line);
            let mistake = Mistake::new(Kind::UnknownKey, span, what, hint);
            return Self { mistake, meant: Some(key.to_owned()) };
        }
        let what = match (headers.at(span.start), above) {
            (Some(header), _) => {
                match home_of(key).filter(|_| top.is_none_or(|top| top.get(key).is_none())) {
                    Some(home) => {
                        let (_, name) = path.split_once('/').unwrap_or(("", "NAME.toml"));
                        format!("{} belongs in {}.", header.text, home.replace("NAME.toml", name))
                    }
                    None => format!("No table is named {}.", header.text),
                }
            }
            (None, Some(above)) => format!("{} has no key `{key}`.", above.text),
            (None, None) => format!("`{key}` isn't a key here."),
        };
        let is_of_leave = match above {
            _ if key.to_lowercase().contains("leave") => true,
            Some(above) => above.name() == "leave",
            None => path.starts_with("providers/") && ["from", "until", "to"].contains(&key),
        };
        let is_of_exception = above.is_some_and(|above| above.name() == "exception");
        let elsewhere =
            ELSEWHERE.iter().find(|(file, keys, _)| path.starts_with(file) && keys.contains(&key));
        let hint = match elsewhere {
            _ if is_of_leave => leave_in(path),
            _ if is_of_exception && ["off", "replace", "extra"].contains(&key) => {
                format!("Write kind = \"{key}\" in place of this line.")
            }
            Some((file, _, hint)) => hint.replace("NAME.toml", path.strip_prefix(file).unwrap_or_default()),
            _ if ["calendar", "ical", "ics"].iter().any(|word| key.contains(word)) => {
                "A calendar's address goes in the feed's list of calendars, outside this folder: see docs/FEED.md. \
                 Delete it here: anybody who knows a private address can read the calendar."
                    .to_owned()
            }
            // A key at the top of its own file is in the wrong table.
            None => match home_of(key).filter(|_| top.is_none_or(|top| top.get(key).is_none())) {
                Some(DIRECTORY) if path == "retired.toml" => {
                    format!("The keys here are: {}.", known.join(", "))
                }
                Some(DIRECTORY) => format!("Move it to {DIRECTORY}, which holds it once for all clinicians."),
                Some(home) if headers.at(span.start).is_some() => {
                    format!("Move it, with the lines below it, to {home}.")
                }
                Some(home) => match path.split_once('/') {
                    Some((_, name)) => format!(
                        "Move it to {}, or delete it here if that file has it.",
                        home.replace("NAME.toml", name)
                    ),
                    None => format!("Move it to the clinician's file, {home}."),
                },
                None => {
                    // "first_name" and "last_name" are `display-name` together.
                    let is_half = ["first", "last"].iter().any(|half| key.to_lowercase().starts_with(half));
                    let near = nearest(key, known.iter().copied());
                    let near = match near {
                        _ if is_half && known.contains(&"display-name") => {
                            "Write the whole name as display-name, and delete this line. ".to_owned()
                        }
                        Some(near) => format!("The nearest key is {near}. "),
                        None => String::new(),
                    };
                    format!("{near}The keys here are: {}.", known.join(", "))
                }
            },
        };
        let meant =
            top.filter(|_| above.is_none()).and_then(|top: &Keys| top.spelled(key).or_else(|| top.near(key)));
        let meant = meant.map(str::to_owned);
        Self { mistake: Mistake::new(Kind::UnknownKey, span, what, hint), meant }
    }
}

pub(in super::super) fn is_unknown_key(error: &toml::de::Error) -> bool {
    unknown_key(error.message()).is_some()
}

fn unknown_key(message: &str) -> Option<&str> {
    // The TOML crate represents a date as a table with a key of its own.
    unknown_field(message).filter(|key| !key.starts_with("$__toml_private"))
}

fn unknown_field(message: &str) -> Option<&str> {
    message.strip_prefix("unknown field `")?.split('`').next()
}

fn found_in_words(found: &str, written: &str) -> String {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    match kind {
        "string" => format!("the text {value}"),
        "integer" if found.ends_with("128") => "a number that is too large".to_owned(),
        "integer" | "floating" => format!("the number {written}"),
        "boolean" => written.to_owned(),
        "sequence" => "a list".to_owned(),
        "map" if written.starts_with(|sign: char| sign.is_ascii_digit()) => "a date".to_owned(),
        "map" => "a table".to_owned(),
        _ => found.to_owned(),
    }
}

pub(in super::super) const ONE_LIST: &str =
    "Put all of their dates in one new file in holidays/, and write its name here.";

fn wrong_type(found: &str, expected: &str, span: &Range<usize>, headers: &Headers<'_>) -> Mistake {
    if let Some(header) = headers.at(span.start).filter(|_| expected == "a sequence") {
        let (what, hint) = match header.name().split_once('.') {
            Some((table, key)) => (
                format!("{} makes a table inside a table.", header.text),
                format!("Write {key} as a line below [{table}]."),
            ),
            None => (
                format!("{} needs two brackets on each side.", header.text),
                format!("Write [[{}]].", header.name()),
            ),
        };
        return Mistake::new(Kind::WrongType, &header.span, what, hint);
    }
    if found.strip_prefix("the number ").is_some_and(|number| number.contains(['e', 'E'])) {
        let what = format!("This is {found}. A spreadsheet left out some of its digits.");
        let hint = "Look the number up, and write all of its digits in quotes.";
        return Mistake::new(Kind::WrongType, span, what, hint);
    }
    let (expected, hint) = match expected {
        "a string" => ("text in quotes", "Write it in quotes."),
        "a boolean" => ("true or false", "Write true or false, without quotes."),
        "i64" => ("a whole number", "Write only digits."),
        "a sequence" => ("a list", "Write it like [\"one\", \"two\"]."),
        other if other.contains("Buffer") => (
            "two lengths of time: before and after each visit",
            "Write buffer = { before = \"0m\", after = \"10m\" }",
        ),
        other if other == "a map" || other.starts_with("struct ") => (
            "a table",
            "Write it as [table] at the end of the file, with its keys below, each on its own line.",
        ),
        other => (other, "Write it in this form."),
    };
    let what = match found {
        "true" | "false" => format!("{found} isn't a value here: write {expected}."),
        _ => format!("This is {found}. It needs to be {expected}."),
    };
    Mistake::new(Kind::WrongType, span, what, hint)
}

/// Tables that a file can have only once.
const SINGLE: &str = "accuracy address buffer confirmed effective insurance patients search-words standards";

/// The deserializer would accept such a list, and take its entries for the values of the table.
pub(in super::super) fn single_as_list(
    key: &str,
    span: &Range<usize>,
    headers: &Headers<'_>,
) -> Option<Mistake> {
    let header = headers.at(span.start)?;
    let is_list =
        SINGLE.split(' ').any(|known| known == key) && header.text.starts_with("[[") && header.name() == key;
    let what = format!("{} needs one bracket on each side.", header.text);
    let mut hint = Advice::write(format!("[{key}]"));
    if key == "insurance" {
        hint = hint.and(
            ", and below it the plans by state, such as all = [\"Goldenrod PPO\"] or CA = [\"Harbor HMO\"]",
        );
    }
    is_list.then(|| Mistake::new(Kind::WrongType, &header.span, what, hint))
}
