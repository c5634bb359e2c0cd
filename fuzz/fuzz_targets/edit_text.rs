//! A value written into any content file is read back, and every other key stays. The first character says which kind of value;
//! the file and the texts of the value are separated by a character that TOML does not have.
#![no_main]

use libfuzzer_sys::fuzz_target;
use text::NewValue;
use toml::{Table, Value};

// Compiled by path, because these modules are private.
#[allow(dead_code, reason = "the target uses a part of it")]
#[path = "../../crates/authoring/src/edit/list.rs"]
mod list;
#[allow(dead_code, reason = "the target uses a part of it")]
#[path = "../../crates/authoring/src/edit/text.rs"]
mod text;

const KEY: &str = "languages";

fuzz_target!(|input: &str| {
    let mut parts = input.split('\0');
    let (Some(which), Some(file)) = (parts.next().and_then(|kind| kind.bytes().next()), parts.next()) else {
        return;
    };
    let texts: Vec<String> = parts.map(str::to_owned).collect();
    if texts.concat().contains('\r') {
        return;
    }
    // It must be TOML with its own line ends, and is compared with plain ones.
    let (Ok(_), Ok(before)) = (file.parse::<Table>(), file.replace("\r\n", "\n").parse::<Table>()) else { return };
    // Tables are written by other functions, and a number that is none does not equal itself.
    let is_table = match before.get(KEY) {
        Some(Value::Array(items)) => items.iter().any(Value::is_table),
        value => value.is_some_and(Value::is_table),
    };
    if is_table || file.contains("nan") || !before.get("id").is_some_and(Value::is_str) {
        return;
    }
    let (new, expected) = match which % 4 {
        0 => (NewValue::Text(texts.concat()), Value::String(texts.concat())),
        1 => (NewValue::Flag(which > b'9'), Value::Boolean(which > b'9')),
        2 => {
            let numbers: Vec<_> = texts.iter().map(|text| text.len() as i64).collect();
            (
                NewValue::Numbers(numbers.clone()),
                Value::Array(numbers.into_iter().map(Value::Integer).collect()),
            )
        }
        _ => (NewValue::Texts(texts.clone()), Value::Array(texts.into_iter().map(Value::String).collect())),
    };
    let edited = text::set(file, KEY, &new, &["id"]).expect("the file is TOML and has an id");
    let mut wanted = before.clone();
    wanted.insert(KEY.to_owned(), expected);
    // A text of several lines has the line ends of its file.
    let edited = edited.replace("\r\n", "\n");
    let read = edited.parse::<Table>();
    assert_eq!(read.as_ref().ok(), Some(&wanted), "{edited}");
    let removed = text::remove(&edited, KEY).expect("it is TOML").parse::<Table>();
    wanted.remove(KEY);
    assert_eq!(removed.ok(), Some(wanted), "{edited}");
});
