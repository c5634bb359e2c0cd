//! Unknown keys.

use std::ops::Range;

use super::super::problem::Advice;
use super::{Form, Mistake, nearest};

/// Wrong names of keys that people write, and the right ones.
const SYNONYMS: [(&str, &str); 15] = [
    // Nearer to the table `licence` by its letters.
    ("licenced", "licensed"),
    ("licences", "licensed"),
    ("name", "display-name"),
    ("zip", "postal-code"),
    ("zip-code", "postal-code"),
    ("zipcode", "postal-code"),
    ("street", "line"),
    ("telephone", "phone"),
    ("photo", "headshot"),
    ("portrait", "headshot"),
    ("picture", "headshot"),
    ("biography", "bio"),
    ("licenses", "licensed"),
    ("plans", "insurance"),
    ("school", "institution"),
];

const EACH_PLAN: &str =
    "delete this line, and write each plan as two lines: [[plan]], and below it name = \"…\"";

/// Wrong keys that a file writes in another way: the key, a known key of the same table, and the advice.
const LISTS: [(&str, &str, &str); 3] = [
    ("plans", "plan", EACH_PLAN),
    ("name", "plan", EACH_PLAN),
    (
        "dates",
        "kind",
        "write in its place, for the kind off, from = YYYY-MM-DD (the first day) and to = YYYY-MM-DD (the last); for the \
         other kinds date = YYYY-MM-DD, with an entry for each date",
    ),
];

/// Explains an unknown key. Returns also the known key at the top of the file that was probably meant.
pub(super) fn unknown_key(
    key: &str,
    expected: &str,
    span: &Range<usize>,
    form: &Form<'_>,
) -> (Mistake, Option<String>) {
    // `expected` is the end of serde's message: expected one of `a`, `b`.
    let expected: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let (first, last) = (form.headers.first(), form.headers.above(span.start));
    if let (Some(first), Some(last)) = (first, last)
        && form.keys.contains(&key)
        && !expected.contains(&key)
    {
        let what = format!("`{key}` belongs to {}, because it is below that line", last.text);
        let hint = format!("move it above line {}, where the first [table] begins", first.line);
        return (Mistake::new(span, what, hint), Some(key.to_owned()));
    }
    let is_at_top = expected.iter().any(|key| form.keys.contains(key));
    let what = match last {
        Some(last) if !is_at_top => format!("{} has no key `{key}`", last.text),
        _ => format!("there is no key `{key}` here"),
    };
    if let Some((.., hint)) = LISTS.iter().find(|(list, beside, _)| *list == key && expected.contains(beside))
    {
        return (Mistake::new(span, what, *hint), None);
    }
    let synonym = SYNONYMS.iter().find(|(other, known)| *other == key && expected.contains(known));
    let near = synonym.map(|(_, known)| *known).or_else(|| nearest(key, expected.iter().copied()));
    let hint = match near {
        Some(near) => Advice::from(format!("did you mean `{near}`?")).replacing(near),
        None => format!("known keys: {}", expected.join(", ")).into(),
    };
    let meant = near.filter(|_| is_at_top).map(str::to_owned);
    (Mistake::new(span, what, hint), meant)
}
