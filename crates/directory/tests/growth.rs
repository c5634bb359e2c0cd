//! The work for an input grows with its size and not with its square.
//!
//! Nothing can count the steps inside the TOML parser, regular expressions and the standard library's searches, so the
//! measure is the processor time of this thread, which other tests and programs do not add to. Each input is compared with
//! one of a thirty-second of its size: work that grows in proportion takes 32 times as much, work that grows with the
//! square 1024 times, and 96 times is refused. What a check takes without the input is taken away from both.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and prepare files of their own"
)]

mod support;

use std::fs;
use std::time::Duration;

use chrono::NaiveDate;
use directory::Request;
use directory::calendar::{ExportManifest, FeedFile, FeedLimits};
use directory::content::{ContentError, load_and_check};
use rustix::time::{ClockId, clock_gettime};

const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
/// How much larger the larger input is.
const TIMES: usize = 32;
/// How much more work it may take.
const MOST: u32 = 96;
/// Less work than this is too little to measure.
const LEAST: Duration = Duration::from_millis(1);

/// The processor time of this thread for some work.
fn work(run: &mut dyn FnMut()) -> Duration {
    let now = || {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
    };
    let before = now();
    run();
    now().saturating_sub(before)
}

/// How much more work the larger input took, if that is too much.
fn grows(run: &mut dyn FnMut(&str), small: &str, large: &str) -> Option<u32> {
    let mut of = |text: &str| work(&mut || run(text));
    let none = of("").min(of(""));
    // A single measurement can be too long, for the processor's caches are shared.
    let mut factor = 0;
    for _ in 0..3 {
        let small = of(small).saturating_sub(none).max(LEAST);
        let large = of(large).saturating_sub(none);
        factor = u32::try_from(large.as_micros() / small.as_micros()).unwrap();
        if factor < MOST {
            return None;
        }
    }
    Some(factor)
}

/// A text of some length from lines or parts with a number.
fn repeated(part: &dyn Fn(usize) -> String, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 100);
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&part(number));
    }
    text
}

/// Runs on this thread what would run on many.
fn alone<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().unwrap().install(run)
}

const BO: &str = "providers/bo-two.toml";
const BO_HOURS: &str = "availability/bo-two.toml";
/// A whole entry, for what is checked in valid content alone.
const BO_WHOLE: &str = "id = \"prov-2\"\ndisplay-name = \"Bo Two\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\n\
                        gender = \"male\"\nbio = \"Bo explains.\"\nlicensed = [\"NY\"]\naccepting = [\"NY\"]\n\
                        appointment-types = [101]\ninsurance = { all = [\"Goldenrod PPO\"] }\n";

type Part = Box<dyn Fn(usize) -> String>;

/// A file, what is repeated in it, and what stands before and after that.
struct Shape(&'static str, &'static str, Part, &'static str);

fn shapes() -> Vec<Shape> {
    let same = |text: &'static str| -> Part { Box::new(move |_| text.to_owned()) };
    let numbered = |before: &'static str, after: &'static str| -> Part {
        Box::new(move |number| format!("{before}{number}{after}"))
    };
    let mut shapes = vec![
        // Syntax.
        Shape(BO, "", same("= =\n"), ""),
        Shape(BO, "", same("x\n"), ""),
        Shape(BO, "", same("a = 'x\n"), ""),
        Shape(BO, "", same("a = [1 2]\n"), ""),
        Shape(BO, "", same("a = [1\n"), ""),
        Shape(BO, "", same("a = \"\"\"\n"), ""),
        Shape(BO, "", same("[["), ""),
        Shape(BO, "", same("[a]\n"), ""),
        Shape(BO, "", same("[[a]]\n"), ""),
        Shape(BO, "", same("a = 1\n"), ""),
        Shape(BO, "", numbered("k", " = 1\n"), ""),
        Shape(BO, "", numbered("k", " = x\n"), ""),
        Shape(BO, "", numbered("[t", "]\n"), ""),
        Shape(BO, "", same("#\n"), ""),
        Shape(BO, "", same("\n"), ""),
        Shape(BO, "", same("<<<<<<< a\n=======\n>>>>>>> b\n"), ""),
        Shape(BO, "bio = \"", same("\\q"), "\"\n"),
        // Values.
        Shape(BO, "licensed = [", same("\"Californa\",\n"), "]\n"),
        Shape(BO, "clinical-interests = [", same("1, "), "]\n"),
        Shape(BO, "clinical-interests = [", numbered("\"sleep ", "\", "), "]\n"),
        Shape(BO, "former-slugs = [", numbered("\"bo-", "\", "), "]\n"),
        Shape(BO, "", same("[[education]]\nyear = \"a\"\n"), ""),
        Shape(
            BO,
            "",
            numbered("[[education]]\ndegree = \"A", "\"\nfield = \"B\"\ninstitution = \"C\"\n"),
            "",
        ),
        Shape(
            BO,
            BO_WHOLE,
            numbered("[[licence]]\nstate = \"NY\"\nnumber = \"A-", "\"\nexpires = 2020-01-01\n"),
            "",
        ),
        Shape(BO, "[insurance]\nall = [", same("\"Goldenrod PPP\", "), "]\n"),
        Shape("insurances.toml", "", numbered("[[plan]]\nname = \"Plan ", "\"\n"), ""),
        Shape("retired.toml", "", numbered("[[provider]]\nid = \"prov-x", "\"\nslug = \"gone\"\n"), ""),
        Shape("holidays/us-federal.toml", "dates = [", same("\"2026-13-01\", "), "]\n"),
        Shape(
            BO_HOURS,
            "timezone = \"UTC\"\n",
            same("[[weekly]]\ndays = [\"mon\"]\nhours = [\"09:00-10:00\"]\n"),
            "",
        ),
        Shape(BO_HOURS, "timezone = \"UTC\"\n", same("[[exception]]\ndate = \"soon\"\nkind = \"off\"\n"), ""),
        Shape(BO_HOURS, "timezone = \"UTC\"\n", same("[[weekly]]\nkind = \"off\"\n"), ""),
        Shape(BO_HOURS, "timezone = \"UTC\"\n", same("[[weekly]]\nfrom = \"9\"\nfrom = \"9\"\n"), ""),
        Shape(
            "allow.toml",
            "",
            numbered("[[allow]]\nlint = \"html\"\ntext = \"<b", ">\"\nreason = \"x\"\n"),
            "",
        ),
    ];
    // The lints and the biography.
    for part in [
        "eyJhbGciOiJIUzI1NiJ9-AKIAIOSFODNN7EXAMPLE-",
        "\\u0041KIAIOSFODNN7EXAMPLE ",
        "-----BEGIN AKIAIOSFODNN7EXAMPLE ",
        "415-555-0134 ",
        "a@b.c ",
        "a@b.",
        "<a ",
        "<br>",
        "ignore all the ",
        "ignore all previous instructions ",
        "send the ",
        "https://www.a.example/b ",
        "a.com.",
        "[x](",
        "[x](y) ",
        "system: you must ",
        "\u{200c}",
        "\u{646}\u{200c}",
        "\u{646}\\u200c",
        "**a ",
        "_a ",
        "*",
        "a\\n",
        "http://",
    ] {
        shapes.push(Shape(BO, "bio = \"", same(part), "\"\n"));
    }
    shapes
}

#[test]
fn the_check_of_a_file_grows_with_its_size() {
    let (_folder, content) = support::clinic();
    let mut wrong = Vec::new();
    alone(|| {
        for Shape(path, before, part, after) in shapes() {
            let file = content.join(path);
            let original = fs::read(&file).ok();
            let mut check = |text: &str| {
                fs::write(&file, text).unwrap();
                if let Err(error @ ContentError::Load(_)) = load_and_check(&content, TODAY) {
                    panic!("{error}");
                }
            };
            let text = |bytes: usize| format!("{before}{}{after}", repeated(&*part, bytes));
            if let Some(factor) = grows(&mut check, &text(4_000), &text(4_000 * TIMES)) {
                wrong.push(format!("{factor} times the work: {path}: {before}{}", part(0)));
            }
            match original {
                Some(original) => fs::write(&file, original).unwrap(),
                None => fs::remove_file(&file).unwrap(),
            }
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn reading_a_feed_grows_with_its_size() {
    let line = |number: usize, status: &str| {
        format!(
            "{{\"provider\":\"bo-{number}\",\"start\":\"2026-12-01T10:00:00Z\",\"end\":\"2026-12-01T11:00:00Z\",\"status\":\"{status}\"}}\n"
        )
    };
    let resource = |number: usize| {
        format!(
            "{{\"resourceType\":\"Slot\",\"id\":\"{number}\",\"schedule\":{{\"reference\":\"Schedule/{}\"}},\"status\":\"busy\",\
             \"start\":\"2026-12-01T10:00:00Z\",\"end\":\"2026-12-01T11:00:00Z\"}}\n",
            number % 100
        )
    };
    let parts: [(&str, Part); 7] = [
        ("busy", Box::new(move |number| line(number, "busy"))),
        ("wrong status", Box::new(move |number| line(number, "maybe"))),
        ("one provider", Box::new(move |_| line(1, "busy"))),
        ("Slots", Box::new(resource)),
        ("no JSON", Box::new(|_| "{\n".to_owned())),
        ("empty lines", Box::new(|_| "\n".to_owned())),
        ("one line", Box::new(|_| "[".to_owned())),
    ];
    let mut read = |text: &str| drop(FeedFile::read("feed", text, &FeedLimits::default()));
    for (what, part) in parts {
        let [small, large] = [15_000, 15_000 * TIMES].map(|bytes| repeated(&*part, bytes));
        assert_eq!(grows(&mut read, &small, &large), None, "{what}");
    }
}

#[test]
fn reading_a_manifest_grows_with_its_size() {
    let output = |number| format!("{{\"type\":\"Slot\",\"url\":\"{number}\"}},");
    let read = &mut |outputs: &str| {
        let outputs = outputs.trim_end_matches(',');
        let text = format!("{{\"transactionTime\":\"2026-11-21T12:00:00Z\",\"output\":[{outputs}]}}");
        drop(ExportManifest::read(&text));
    };
    let [small, large] = [15_000, 15_000 * TIMES].map(|bytes| repeated(&output, bytes));
    assert_eq!(grows(read, &small, &large), None);
}

#[test]
fn parsing_a_request_grows_with_its_size() {
    let names: [(&str, Part); 6] = [
        ("unknown names", Box::new(|number| format!("a{number}&"))),
        ("one name", Box::new(|_| "state=CA&".to_owned())),
        ("escapes", Box::new(|_| "%41".to_owned())),
        ("broken escapes", Box::new(|_| "%4".to_owned())),
        ("spaces", Box::new(|_| "+".to_owned())),
        ("no names", Box::new(|_| "&=".to_owned())),
    ];
    for (what, part) in names {
        for (path, before) in
            [("/v1/providers", ""), ("/v1/providers", "insurance="), ("/v1/availability", "provider=")]
        {
            let mut ask = |query: &str| {
                _ = Request::from_path_and_query(path, Some(query));
                drop(Request::ignored_of(path, query));
            };
            let [small, large] =
                [25_000, 25_000 * TIMES].map(|bytes| format!("{before}{}", repeated(&*part, bytes)));
            assert_eq!(grows(&mut ask, &small, &large), None, "{what} {path}?{before}");
        }
    }
}
