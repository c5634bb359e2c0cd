//! Values of the wrong type, and unknown keys.

use std::ops::Range;

use super::super::lines::line_at;
use super::super::problem::{Advice, Kind, Problem};
use super::super::shape::{Keys, keys_of};
use super::{Headers, Mistake};

/// What to write for a leave, which people first write as a key, a status or a part of the hours.
pub(in super::super) const LEAVE: &str = "Write a leave as a table at the end of the clinician's file in providers/:\n\
    [[leave]]\n\
    from  = 2026-12-01    # the first day\n\
    until = 2027-03-01    # the first day back; leave this line out if it isn't known yet";

/// An explained value of the wrong type, or an unknown key.
pub(in super::super) struct WrongValue {
    mistake: Mistake,
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
        if let Some(key) = unknown_key(message) {
            return Self::unknown(key, message, path, span, headers);
        }
        let is_clinician = path.starts_with("providers/");
        let types = message.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "));
        let types = types.or_else(|| unknown_field(message).map(|_| ("map", "a map")));
        let mistake = match types {
            Some((found, _))
                if is_clinician && text[line_at(text, span.start)].trim_start().starts_with("leave") =>
            {
                let written = text.get(span.clone()).unwrap_or_default();
                let what = format!("This is {}. A leave is a table.", found_in_words(found, written));
                Mistake::new(Kind::WrongType, span, what, LEAVE)
            }
            Some((found, expected)) => {
                let written = text.get(span.clone()).unwrap_or_default();
                wrong_type(&found_in_words(found, written), expected, span, headers)
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
            let what = format!("`{key}` belongs above the first [table]. Here it is part of {}.", above.text);
            let hint = format!("Move it above line {}.", first.line);
            let mistake = Mistake::new(Kind::UnknownKey, span, what, hint);
            return Self { mistake, meant: Some(key.to_owned()) };
        }
        let what = match above {
            _ if headers.at(span.start).is_some() => format!("There is no table [[{key}]]."),
            Some(above) => format!("{} has no key `{key}`.", above.text),
            None => format!("There is no key `{key}`."),
        };
        let is_of_leave = match above {
            Some(above) if above.name() == "leave" => true,
            _ if path.starts_with("providers/") => above.is_none() && ["from", "until", "to"].contains(&key),
            _ => key == "leave",
        };
        let hint =
            if is_of_leave { LEAVE.to_owned() } else { format!("The keys here: {}.", known.join(", ")) };
        let meant =
            top.filter(|_| above.is_none()).and_then(|top: &Keys| top.spelled(key).or_else(|| top.near(key)));
        let meant = meant.map(str::to_owned);
        Self { mistake: Mistake::new(Kind::UnknownKey, span, what, hint), meant }
    }

    pub(in super::super) fn problem(self, path: &str) -> Problem {
        self.mistake.problem(path)
    }
}

/// Whether an error is about an unknown key, and not about a value.
pub(in super::super) fn is_unknown_key(error: &toml::de::Error) -> bool {
    unknown_key(error.message()).is_some()
}

/// The key in serde's message about an unknown one.
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
    let (expected, hint) = match expected {
        "a string" => ("text in quotes", "Write one text, in quotes."),
        "a boolean" => ("true or false", "Write true or false, without quotes."),
        "i64" => ("a whole number", "Write digits alone."),
        "a sequence" => ("a list", "Write it like [\"one\", \"two\"]."),
        other if other == "a map" || other.starts_with("struct ") => {
            ("a table", "Write it as [table] at the end of the file, and its keys below, each on a line.")
        }
        other => (other, "Write it in this form."),
    };
    Mistake::new(Kind::WrongType, span, format!("This is {found}. It must be {expected}."), hint)
}

/// Tables that a file can have only once.
const SINGLE: [&str; 9] = [
    "accuracy",
    "address",
    "buffer",
    "confirmed",
    "effective",
    "insurance",
    "patients",
    "search-words",
    "standards",
];

/// Explains a table of [`SINGLE`] with a header in double brackets. The deserializer would accept it and take the
/// entries of the list for the values of the table.
pub(in super::super) fn single_as_list(
    key: &str,
    span: &Range<usize>,
    headers: &Headers<'_>,
) -> Option<Mistake> {
    let header = headers.at(span.start)?;
    let is_list = SINGLE.contains(&key) && header.text.starts_with("[[") && header.name() == key;
    let what = format!("{} needs one bracket on each side.", header.text);
    is_list.then(|| Mistake::new(Kind::WrongType, &header.span, what, Advice::write(format!("[{key}]"))))
}
