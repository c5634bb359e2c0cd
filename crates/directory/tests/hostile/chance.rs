//! Random damage: any bytes, text that is nearly TOML, and a correct clinic with a few changes.

use std::fs;

use proptest::prelude::*;

use super::{BO, BO_HOURS, Clinic};

const FILES: [&str; 9] = [
    "directory.toml",
    "insurances.toml",
    "appointment-types.toml",
    "retired.toml",
    "holidays/us-federal.toml",
    "providers/ann-one.toml",
    BO,
    "availability/ann-one.toml",
    BO_HOURS,
];

fn any_file() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&FILES[..])
}

/// Text that is nearly TOML: its tokens in any order.
fn nearly_toml() -> impl Strategy<Value = String> {
    let keys = ["id", "bio", "licensed", "insurance", "education", "weekly", "exception", "hours", "kind"];
    let signs = [" = ", "[", "]", "[[", "]]", "{", "}", ",", ".", "#", "-", "\\", "\\u12", "\t", "\0"];
    let quotes = ["\"", "\"\"\"", "'", "'''", "“", "”", "’", "«", "–", "—", "•"];
    let ends = ["\n", "\n", "\n", "\r\n", "\r", "\u{feff}", "\u{a0}"];
    let values = ["2026-11-26", "2026-02-30", "09:00", "101", "1e9", "0x", "true", "nan", "é", "🌞"];
    let texts = ["\"09:00-12:00\"", "\"off\"", "\"CA\"", "\"101\"", "\"\""];
    let token = [&keys[..], &signs, &quotes, &ends, &values, &texts].concat();
    prop::collection::vec(prop::sample::select(token), 0..40).prop_map(|tokens| tokens.concat())
}

/// One change to a file.
#[derive(Debug, Clone, Copy)]
enum Damage {
    DeleteLine,
    RepeatLine(usize),
    SwapLines(usize),
    SetByte(u8),
    InsertByte(u8),
    DeleteByte,
    CutOff,
}

fn any_damage() -> impl Strategy<Value = Damage> {
    // Bytes that mean something to TOML, more often than those that do not.
    let byte = || prop_oneof![prop::sample::select(&b"\"'[]{}=,.#\\\n\r -_:0a"[..]), any::<u8>()];
    prop_oneof![
        Just(Damage::DeleteLine),
        any::<usize>().prop_map(Damage::RepeatLine),
        any::<usize>().prop_map(Damage::SwapLines),
        byte().prop_map(Damage::SetByte),
        byte().prop_map(Damage::InsertByte),
        Just(Damage::DeleteByte),
        Just(Damage::CutOff),
    ]
}

impl Damage {
    /// What a file becomes that is damaged somewhere.
    fn apply(self, mut bytes: Vec<u8>, somewhere: usize) -> Vec<u8> {
        if bytes.is_empty() {
            return bytes;
        }
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let (byte_at, line_at, count) = (somewhere % bytes.len(), somewhere % lines.len(), lines.len());
        match self {
            Self::DeleteLine => _ = lines.remove(line_at),
            Self::RepeatLine(other) => lines.insert(other % count, lines[line_at]),
            Self::SwapLines(other) => lines.swap(line_at, other % count),
            Self::SetByte(_) | Self::InsertByte(_) | Self::DeleteByte | Self::CutOff => {
                match self {
                    Self::SetByte(byte) => bytes[byte_at] = byte,
                    Self::InsertByte(byte) => bytes.insert(byte_at, byte),
                    Self::DeleteByte => _ = bytes.remove(byte_at),
                    _ => bytes.truncate(byte_at),
                }
                return bytes;
            }
        }
        lines.concat()
    }
}

/// A text as TOML quotes it.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|character| match character {
        '"' | '\\' => format!("\\{character}"),
        _ if character.is_control() => format!("\\u{:04x}", u32::from(character)),
        _ => character.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_checked(path in any_file(), bytes: Vec<u8>) {
        let clinic = Clinic::new();
        clinic.write(path, bytes);
        _ = clinic.check();
    }

    #[test]
    fn any_text_that_is_nearly_toml_is_checked(path in any_file(), text in nearly_toml()) {
        let clinic = Clinic::new();
        clinic.write(path, clinic.text(path) + &text);
        _ = clinic.check();
    }

    #[test]
    fn any_text_is_checked_as_any_value(path in any_file(), line: prop::sample::Index, text: String) {
        let clinic = Clinic::new();
        let file = clinic.text(path);
        let lines: Vec<_> = file.lines().filter(|line| line.contains('=')).collect();
        let line = line.get(&lines);
        let (key, value) = line.split_once('=').unwrap();
        let text = quoted(&text);
        let text = if value.contains('[') { format!("[{text}]") } else { text };
        clinic.write(path, file.replace(line, &format!("{key}= {text}")));
        _ = clinic.check();
    }

    #[test]
    fn a_damaged_clinic_is_checked(
        wounds in prop::collection::vec((any_file(), any_damage(), any::<usize>()), 1..6),
    ) {
        let clinic = Clinic::new();
        for (path, damage, somewhere) in wounds {
            let bytes = fs::read(clinic.content.join(path)).unwrap();
            clinic.write(path, damage.apply(bytes, somewhere));
        }
        _ = clinic.check();
    }
}
