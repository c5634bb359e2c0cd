//! Reads single values as people write them, and writes them in the notation of content files.

use chrono::{Datelike, NaiveDate};

use super::super::check::day_names;
use super::super::mistakes::{
    FULL_DAYS, dates_meant, days_meant, each_date, in_english, is_end_of_month, slug_like, span_meant,
    zone_meant,
};
use super::super::offer::Class;
use super::super::shape::{Atom, plain_key};
use super::times;
use super::written::{Written, list, quoted};
use crate::model::{ProviderType, StateCode, folded, is_npi};
use crate::near::nearest;

/// What a text, without its quotes, can mean as a value of a kind: nothing, one thing, or several.
pub(super) fn read(atom: &Atom, text: &str) -> Vec<Written> {
    let text = text.trim();
    match atom {
        Atom::Text => Written::certain(quoted(text)),
        // A line below it isn't a part of the value.
        _ if text.contains('\n') => Vec::new(),
        Atom::Word(words) => word(words, text),
        Atom::Flag => match folded(text).as_str() {
            "1" | "si" | "verdadero" | "x" | "checked" | "✓" | "✔" | "yep" | "yeah" => {
                Written::likely("true".to_owned())
            }
            "0" | "falso" | "none" | "not" | "nope" | "unchecked" => Written::likely("false".to_owned()),
            "true" | "yes" | "y" | "on" => Written::certain("true".to_owned()),
            "false" | "no" | "n" | "off" => Written::certain("false".to_owned()),
            _ => Vec::new(),
        },
        Atom::Number => number(text),
        Atom::Date => {
            let dates = dates_meant(text);
            if let Some((first, last)) = span_meant(text).filter(|_| dates.is_empty()) {
                return each_date(first, last).map_or_else(Vec::new, Written::likely);
            }
            // A year of two digits, or a spreadsheet's number of days, is more than notation.
            let is_plain =
                |date: &NaiveDate| numbers_of(text) == numbers_of(&date.to_string()) || has_year(text, *date);
            let is_certain = dates.len() == 1 && !is_end_of_month(text) && dates.iter().all(is_plain);
            let class = if is_certain { Class::Certain } else { Class::Likely };
            dates.into_iter().map(|date| Written { text: date.to_string(), class }).collect()
        }
        Atom::Duration => times::durations(text),
        Atom::Zone
            if text.parse::<chrono_tz::Tz>().is_ok() && text.contains('/') && !text.starts_with("Etc/") =>
        {
            Written::certain(quoted(text))
        }
        Atom::Zone if text.contains('\\') => read(atom, &text.replace('\\', "/")),
        // Arizona has Mountain Time without daylight saving time.
        Atom::Zone if zone_meant(text) == Some("America/Denver") => {
            let zones = ["America/Denver", "America/Phoenix"].into_iter();
            zones.flat_map(|zone| Written::likely(quoted(zone))).collect()
        }
        Atom::Zone => zone_meant(text).map_or_else(Vec::new, |zone| Written::likely(quoted(zone))),
        Atom::Day if day_names().any(|name| name.eq_ignore_ascii_case(text)) => {
            Written::certain(quoted(&text.to_lowercase()))
        }
        Atom::Day => match days_meant(text) {
            Some(days) if text.contains(" except ") => Written::likely(list(days.into_iter())),
            Some(days) => Written::certain(list(days.into_iter())),
            None => days_meant(&in_english(text))
                .or_else(|| days_meant(nearest(text, FULL_DAYS.into_iter())?))
                .map_or_else(Vec::new, |days| Written::likely(list(days.into_iter()))),
        },
        Atom::Slug => slug_like(text).map_or_else(Vec::new, |slug| Written::likely(quoted(&slug))),
        Atom::Hours => times::hours(text),
        Atom::State => states(text),
        Atom::Npi => {
            let is_gap = |sign: &char| matches!(sign, ' ' | '-' | '.');
            let plain: String = text.chars().filter(|sign| !is_gap(sign)).collect();
            if is_npi(&plain) {
                return Written::certain(quoted(&plain));
            }
            // "NPI 9472018354", or with ".0" from a spreadsheet: a digit goes, so a person agrees.
            let text = text.strip_suffix(".0").unwrap_or(text);
            let text = text.strip_prefix("NPI").unwrap_or(text).trim_start_matches([':', '#', ' ']);
            let digit = |sign| match sign {
                'O' | 'o' => '0',
                'l' | 'I' => '1',
                sign => sign,
            };
            let digits: String = text.chars().filter(|sign| !is_gap(sign)).map(digit).collect();
            if is_npi(&digits) { Written::likely(quoted(&digits)) } else { Vec::new() }
        }
    }
}

/// The words of a list that a text can mean.
pub fn words_meant(words: &[&str], text: &str) -> Vec<String> {
    let words: Vec<String> = words.iter().copied().map(str::to_owned).collect();
    word(&words, text).into_iter().map(|meant| meant.text.trim_matches('"').to_owned()).collect()
}

fn synonym(text: &str) -> Option<&'static str> {
    Some(match text {
        "closed" | "holiday" | "vacation" | "leave" | "pto" | "out" | "away" | "sick" | "conference"
        | "cerrado" | "feriado" | "vacaciones" => "off",
        "special" | "changed" | "different" | "reemplazo" | "cambio" => "replace",
        "additional" | "added" | "open" | "adicional" | "abierto" => "extra",
        "telehealth" | "online" | "virtual" | "zoom" => "video",
        "message" | "email" | "chat" | "asynchronous" | "mensaje" => "async",
        "active" | "activo" | "activa" => "listed",
        "retired" | "left" | "gone" | "departed" | "resigned" | "terminated" | "nolongerhere"
        | "nolongerworkshere" | "jubilado" | "jubilada" => "withdrawn",
        "onhold" | "notaccepting" => "paused",
        "woman" | "women" | "f" | "sheher" | "femenino" | "femenina" | "mujer" => "female",
        "man" | "men" | "m" | "hehim" | "masculino" | "hombre" => "male",
        "they" | "theythem" | "nb" | "enby" | "nobinario" | "nobinaria" => "nonbinary",
        "otro" | "otra" => "other",
        _ => return None,
    })
}

fn word(words: &[String], text: &str) -> Vec<Written> {
    let wanted = plain_key(text);
    if let Some(word) = words.iter().find(|word| plain_key(word) == wanted) {
        return Written::certain(quoted(word));
    }
    if words == ProviderType::WORDS {
        // "Nurse Practitioner (NP)"
        let name = text.split('(').next().unwrap_or_default().trim();
        let meant = ProviderType::meant_by(if name.is_empty() { text } else { name }).into_iter();
        return meant.flat_map(|meant| Written::likely(quoted(meant.word()))).collect();
    }
    // Whether someone comes back isn't said.
    let both = ["paused", "withdrawn"].map(str::to_owned);
    if both.iter().all(|word| words.contains(word))
        && ["inactive", "hidden", "disabled", "inactivo", "inactiva"].contains(&&*wanted)
    {
        return both.iter().flat_map(|word| Written::likely(quoted(word))).collect();
    }
    let is_beginning = |word: &&String| wanted.len() > 2 && plain_key(word).starts_with(&wanted);
    let known = |word: &str| words.iter().find(|known| plain_key(known) == word).map(String::as_str);
    let meant = |word: &str| known(word).or_else(|| known(synonym(word)?));
    let is_denied = || text.to_lowercase().split(' ').any(|word| ["no", "not"].contains(&word));
    let within = || text.split(' ').find_map(|word| meant(&plain_key(word))).filter(|_| !is_denied());
    let near = meant(&wanted).or_else(|| words.iter().find(is_beginning).map(String::as_str)).or_else(within);
    let near = near.or_else(|| nearest(text, words.iter().map(String::as_str)));
    near.map_or_else(Vec::new, |word| Written::likely(quoted(word)))
}

fn numbers_of(text: &str) -> Vec<u32> {
    text.split(|sign: char| !sign.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

/// Whether a text has the year of a date behind its other numbers, as people in the United States write it.
fn has_year(text: &str, date: NaiveDate) -> bool {
    numbers_of(text).last().is_some_and(|last| i32::try_from(*last) == Ok(date.year()))
}

fn number(text: &str) -> Vec<Written> {
    // "2012-2014", "May 2014", 2014-05-30: a degree is of the last year.
    let is_year = |text: &&str| text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
    let year = text.split(|sign: char| !sign.is_ascii_digit()).rfind(is_year);
    if let Some(year) = year.filter(|year| text.len() > year.len() && !text.contains(',')) {
        return Written::likely(year.to_owned());
    }
    let text = text.trim_start_matches('#').trim();
    let digits = text.strip_suffix(".0").unwrap_or(text);
    let is_number =
        !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let has_zero = digits.len() > 1 && digits.starts_with('0');
    if is_number && !has_zero { Written::certain(digits.to_owned()) } else { Vec::new() }
}

/// The abbreviations of newspapers that aren't the beginning of one name alone.
const SHORT_STATES: [(&str, &str); 6] =
    [("Ala", "AL"), ("Fla", "FL"), ("Miss", "MS"), ("WVa", "WV"), ("Penna", "PA"), ("NMex", "NM")];

fn states(text: &str) -> Vec<Written> {
    let named = |text: &str| {
        text.parse().ok().or_else(|| StateCode::all().find(|state| state.name().eq_ignore_ascii_case(text)))
    };
    if let Some(state) = named(text) {
        return Written::certain(quoted(state.code()));
    }
    let alone = text.trim_end_matches(" only");
    if alone.len() < text.len() {
        return states(alone).into_iter().flat_map(|written| Written::likely(written.text)).collect();
    }
    let parts = text.split([',', ';', '/', '&']).flat_map(|part| part.split(" and ")).map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let all: Option<Vec<StateCode>> = parts.iter().map(|part| named(part)).collect();
    if let Some(all) = all.filter(|all| all.len() > 1) {
        return Written::certain(list(all.iter().map(|state| state.code())));
    }
    // "N.Y.", "Fla."
    let letters = text.replace(['.', ' '], "");
    let abbreviated = SHORT_STATES.iter().find(|(short, _)| short.eq_ignore_ascii_case(&letters));
    let abbreviated = abbreviated.map_or(&*letters, |(_, code)| code);
    if let Some(state) = abbreviated.parse::<StateCode>().ok().filter(|_| abbreviated != text) {
        return Written::likely(quoted(state.code()));
    }
    if text.len() <= 2 {
        return Vec::new();
    }
    let beginning = text.trim_end_matches('.').to_lowercase();
    let mut longer =
        StateCode::all().map(StateCode::name).filter(|name| name.to_lowercase().starts_with(&beginning));
    let only = longer.next().filter(|_| beginning.len() > 2 && longer.next().is_none());
    // A city, such as Oakland, only resembles Maryland.
    let begins_alike = |name: &&str| name[..1].eq_ignore_ascii_case(&beginning[..1]);
    let alike = || StateCode::all().map(StateCode::name).filter(begins_alike);
    let near = only.or_else(|| beginning.is_char_boundary(1).then(|| nearest(text, alike()))?);
    let near = near.and_then(|name| StateCode::all().find(|state| state.name() == name));
    near.map_or_else(Vec::new, |state| Written::likely(quoted(state.code())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(atom: &Atom, text: &str) -> String {
        let written = read(atom, text);
        let shown = written.iter().map(|written| {
            let sign = if written.class == Class::Certain { "" } else { "?" };
            format!("{}{sign}", written.text)
        });
        shown.collect::<Vec<_>>().join(" or ")
    }

    #[test]
    fn values_are_read_as_people_write_them() {
        let profession = Atom::Word(ProviderType::WORDS.iter().map(ToString::to_string).collect());
        let gender = Atom::Word(["female", "male", "nonBinary"].map(str::to_owned).to_vec());
        for (atom, text, expected) in [
            (&gender, "Female", "\"female\""),
            (&gender, "non-binary", "\"nonBinary\""),
            (&gender, "mael", "\"male\"?"),
            (&gender, "woman", "\"female\"?"),
            (&gender, "zzz", ""),
            (&profession, "Physician Assistant", "\"physicianAssistant\""),
            (&profession, "PA-C", "\"physicianAssistant\"?"),
            (&profession, "M.D.", "\"physician\"?"),
            (&profession, "LCSW", "\"clinicalSocialWorker\"?"),
            (&profession, "dietician", "\"dietitian\"?"),
            (&profession, "nurse", "\"nursePractitioner\"? or \"registeredNurse\"?"),
            (&profession, "pharmacis", "\"pharmacist\"?"),
            (&profession, "psychiatrist", ""),
            (&profession, "occupationalTherapist", ""),
            (&profession, "acupuncturist", ""),
            (&Atom::Flag, "Yes", "true"),
            (&Atom::Flag, "maybe", ""),
            (&Atom::Flag, "Sí", "true?"),
            (&Atom::Flag, "✓", "true?"),
            (&Atom::Duration, "45h", "\"45h\" or \"45m\"?"),
            (&Atom::Zone, "America\\New_York", "\"America/New_York\""),
            (&Atom::Npi, "9472O18354", "\"9472018354\"?"),
            (&Atom::Number, "101", "101"),
            (&Atom::Number, "2,010", ""),
            (&Atom::Number, "09", ""),
            (&Atom::Number, "1-2", ""),
            (&Atom::Number, "2012 – 2014", "2014?"),
            (&Atom::Date, "12/24/2026", "2026-12-24"),
            (&Atom::Date, "05/06/2027", "2027-05-06? or 2027-06-05?"),
            (&Atom::Date, "December 24, 2026", "2026-12-24"),
            (&Atom::Date, "2026-1-5", "2026-01-05"),
            (&Atom::Date, "2026-12-24T12:00", ""),
            (&Atom::Date, "soon", ""),
            (&Atom::Date, "End of February 2028", "2028-02-29?"),
            (&Atom::Duration, "30 min", "\"30m\""),
            (&Atom::Duration, "1 hour and 30 minutes", "\"1h30m\""),
            (&Atom::Duration, "30", "\"30m\"?"),
            (&Atom::Duration, "2", "\"2h\"? or \"2m\"?"),
            (&Atom::Duration, "24", "\"24h\"? or \"24m\"?"),
            (&Atom::Duration, "1.5 hours", "\"1h30m\"?"),
            (&Atom::Duration, "1:30", "\"1h30m\"?"),
            (&Atom::Duration, "two days", "\"2d\"?"),
            (&Atom::Duration, "1 week", "\"7d\"?"),
            (&Atom::Duration, "half an hour", "\"30m\"?"),
            (&Atom::Hours, "7h30-11h", "\"07:30-11:00\"?"),
            (&Atom::Day, "fri-mon", "\"fri\", \"sat\", \"sun\", \"mon\""),
            (&Atom::Date, "22 de diciembre de 2026", "2026-12-22"),
            (&Atom::Date, "20261222", "2026-12-22?"),
            (&Atom::Npi, "NPI 9472018354", "\"9472018354\"?"),
            (&Atom::Npi, "9472018354.0", "\"9472018354\"?"),
            (&Atom::Date, "46380", "2026-12-24?"),
            (&Atom::Date, "2026-24-12", "2026-12-24?"),
            (&Atom::Date, "24/13/27", ""),
            (&Atom::Date, "12/24/27", "2027-12-24?"),
            (&Atom::Date, "24.12.2026", "2026-12-24"),
            (&Atom::Day, "T/Th", "\"tue\", \"thu\"?"),
            (&Atom::Zone, "Central Time", "\"America/Chicago\"?"),
            (&Atom::Zone, "America/Denver", "\"America/Denver\""),
            (&Atom::Zone, "Pacific/Honolulu", "\"Pacific/Honolulu\""),
            (&Atom::Date, "2026-12-24 to 2026-12-26", "2026-12-24, 2026-12-25, 2026-12-26?"),
            (&Atom::Date, "7/5/27", "2027-07-05? or 2027-05-07?"),
            (&Atom::Day, "Th", "\"thu\""),
            (&Atom::Day, "M", "\"mon\"?"),
            (&Atom::Slug, "Owen Tarrant.toml", "\"owen-tarrant\"?"),
            (&Atom::Day, "Tuesday", "\"tue\""),
            (&Atom::Day, "mon-wed", "\"mon\", \"tue\", \"wed\""),
            (&Atom::Day, "every other tue", ""),
            (&Atom::Day, "weekdays except Friday", "\"mon\", \"tue\", \"wed\", \"thu\"?"),
            (&Atom::Day, "MWF", "\"mon\", \"wed\", \"fri\""),
            (&Atom::Day, "lun", "\"mon\"?"),
            (&Atom::Day, "Miércoles", "\"wed\"?"),
            (&Atom::Day, "som", ""),
            (&Atom::Hours, "7am-11am", "\"07:00-11:00\""),
            (&Atom::Hours, "9-5", "\"09:00-17:00\"?"),
            (&Atom::Hours, "8am-4pm except 12-1", "\"08:00-12:00\", \"13:00-16:00\"?"),
            (&Atom::Hours, "08:00-12:00 (closed for lunch)", "\"08:00-12:00\"?"),
            (&Atom::Hours, "07:00-15:00, lunch 11-12", "\"07:00-11:00\", \"12:00-15:00\"?"),
            (&Atom::Hours, "07:00-11:00 12:00-15:00", "\"07:00-11:00\", \"12:00-15:00\""),
            (&Atom::Day, "lunes a viernes", "\"mon\", \"tue\", \"wed\", \"thu\", \"fri\"?"),
            (&Atom::Day, "mercredi", "\"wed\"?"),
            (&Atom::Day, "teu", "\"tue\"?"),
            (&Atom::Day, "M-F", "\"mon\", \"tue\", \"wed\", \"thu\", \"fri\"?"),
            (&Atom::Date, "December 24-26, 2026", "2026-12-24, 2026-12-25, 2026-12-26?"),
            (&Atom::Number, "May 2012", "2012?"),
            (&Atom::Hours, "12:00 AM-8:00 PM", "\"12:00-20:00\"? or \"00:00-20:00\"?"),
            (&Atom::Hours, "12am-6am", "\"00:00-06:00\""),
            (&Atom::Hours, "9am until 5pm", "\"09:00-17:00\"?"),
            (&Atom::Hours, "09:00 – 17:00", "\"09:00-17:00\""),
            (&Atom::Npi, "9472 018 354", "\"9472018354\""),
            (&Atom::Npi, "9472 018 355", ""),
            (&Atom::Text, "He says \"hi\"", "\"He says \\\"hi\\\"\""),
        ] {
            assert_eq!(shown(atom, text), expected, "{text}");
        }
    }

    #[test]
    fn an_inactive_clinician_may_come_back() {
        let status = Atom::Word(["listed", "paused", "withdrawn"].map(str::to_owned).to_vec());
        for (text, expected) in [
            ("inactive", "\"paused\"? or \"withdrawn\"?"),
            ("Hidden", "\"paused\"? or \"withdrawn\"?"),
            ("retired", "\"withdrawn\"?"),
            ("on hold", "\"paused\"?"),
        ] {
            assert_eq!(shown(&status, text), expected, "{text}");
        }
    }

    #[test]
    fn states_are_read_as_people_abbreviate_them() {
        for (text, expected) in [
            ("California", "\"CA\""),
            ("CA and NY", "\"CA\", \"NY\""),
            ("Califronia", "\"CA\"?"),
            ("Calif.", "\"CA\"?"),
            ("NY only", "\"NY\"?"),
            ("Fla.", "\"FL\"?"),
            ("Ill.", "\"IL\"?"),
            ("Ore.", "\"OR\"?"),
            ("N. Y.", "\"NY\"?"),
            ("W.Va.", "\"WV\"?"),
            ("Pa.", "\"PA\""),
            ("Kan", "\"KS\"?"),
            ("New", ""),
            ("XQ", ""),
        ] {
            assert_eq!(shown(&Atom::State, text), expected, "{text}");
        }
    }
}
