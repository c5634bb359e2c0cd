//! Whatever text stands around it, a genuine code is found and accepted; a code with one other digit, and any code of the text
//! itself, is refused. The first byte says which digit is changed.
#![no_main]

use std::sync::LazyLock;

use chrono::NaiveDate;
use code::{Code, CodeKey};
use directory::model::FactHashes;
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::now;

// Compiled by path, because its module is private.
#[allow(dead_code, reason = "the target uses a part of it")]
#[path = "../../crates/authoring/src/attest/code.rs"]
mod code;

const DIGITS: &[u8] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
static TODAY: LazyLock<NaiveDate> = LazyLock::new(|| now().date_naive());
static FACTS: LazyLock<FactHashes> = LazyLock::new(|| {
    "name:569a913d licences:e72ced97 accepting:0b2da66a plans:24caf1f7 visits:07720cc2"
        .parse()
        .expect("facts")
});
static KEY: LazyLock<CodeKey> = LazyLock::new(|| {
    let secret: String = std::iter::repeat_with(|| char::from(b'a' + rand_byte() % 26)).take(32).collect();
    // SAFETY: no other thread runs yet that reads the environment.
    unsafe { std::env::set_var(code::KEY_VARIABLE, secret) };
    CodeKey::from_environment().ok().flatten().expect("a key")
});

/// A byte that differs from run to run: the secret must not be in the kept corpus.
fn rand_byte() -> u8 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish().to_le_bytes()[0]
}

fuzz_target!(|input: (u8, &str)| {
    let (which, text) = input;
    for answer in Code::find_all(text) {
        match answer {
            Ok(answer) => assert!(answer.verify(&KEY, &FACTS, *TODAY).is_err()),
            Err(word) => assert!(text.contains(word)),
        }
    }
    let code = KEY.code("jane-doe", *TODAY, &FACTS);
    let around = |code: &str| format!("{text} {code}. {text}");
    let genuine = |text: &str| {
        let answers = Code::find_all(text).filter_map(Result::ok);
        answers.filter(|answer| answer.verify(&KEY, &FACTS, *TODAY).is_ok()).count()
    };
    assert_eq!(genuine(&around(&code)), 1);
    assert_eq!(genuine(&around(&code.to_lowercase())), 1);
    let mut changed = code.into_bytes();
    let at = changed.len() - 1 - usize::from(which) % 16;
    let digit = DIGITS.iter().position(|digit| *digit == changed[at]).expect("a digit");
    changed[at] = DIGITS[(digit + 1 + usize::from(which) / 16) % 32];
    assert_eq!(genuine(&around(std::str::from_utf8(&changed).expect("text"))), 0);
});
