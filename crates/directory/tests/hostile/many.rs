//! Mistakes by the thousand are counted. `growth.rs` measures that their number costs no more than that.

use directory::content::{ContentError, load_and_check};
use directory::model::StateCode;

use crate::{BO, BO_HOURS, Clinic, TODAY};

/// Each kind of mistake, many times in one file. Quadratic time would be minutes.
#[test]
fn many_mistakes_in_one_file_are_checked_in_linear_time() {
    let many = 10_000;
    // A file with more syntax errors is read up to there.
    let of_the_beginning = 4_000;
    let lines = |line: &dyn Fn(usize) -> String| (0..many).map(line).collect::<String>();
    let weekly = "[[weekly]]\ndays = ['mon']\nhours = ['09:00-10:00']\n";
    let used_plans =
        "[[plan]]\nname = \"Goldenrod PPO\"\n[[plan]]\nname = \"Harbor Mutual HMO\"\n".to_owned();
    let mut wrong = Vec::new();
    for (path, text, at_least) in [
        (BO, "x\n".repeat(many), many),
        (BO, "a = 'x\n".repeat(many), of_the_beginning),
        (BO, "a = [1 2]\n".repeat(many), of_the_beginning),
        (BO, "a = [1\n".repeat(many), 1),
        (BO, "a = 1\n".repeat(many), many),
        (BO, lines(&|number| format!("k{number} = x\n")), of_the_beginning),
        (BO, lines(&|number| format!("k{number} = 1\n")), many),
        (BO, lines(&|number| format!("k{number} = 1\nx\n")), of_the_beginning),
        (BO, format!("clinical-interests = [{}]\n", "1, ".repeat(many)), many),
        (BO, format!("licensed = [{}]\n", "\"Californa\",\n".repeat(many)), many),
        (BO, "[[education]]\nyear = \"a\"\n".repeat(many), many),
        (BO, "[[education]]\nbio = \"a\"\n".repeat(many), many),
        (BO, format!("[insurance]\nall = [{}]\n", "\"Goldenrod PPP\", ".repeat(many)), many),
        (
            "insurances.toml",
            used_plans + &lines(&|number| format!("[[plan]]\nname = \"Plan {number}\"\n")),
            many,
        ),
        (BO_HOURS, format!("timezone = 'UTC'\n{}", weekly.repeat(many / 10)), many / 10 - 1),
    ] {
        let clinic = Clinic::new();
        clinic.write(path, &text);
        let report = match load_and_check(&clinic.content, TODAY) {
            Ok(checked) => checked.warnings,
            Err(ContentError::Invalid(report)) => *report,
            Err(error) => panic!("{error}"),
        };
        let told = report.errors() + report.warnings();
        if !(at_least..=20 * many).contains(&told) {
            let shape: String = text.chars().take(40).collect();
            wrong.push(format!("{told}: {shape:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A megabyte of what is real is read; more than that many tables, keys and values are refused with the first one too many.
#[test]
fn a_file_has_a_bounded_number_of_tables_and_values() {
    let clinic = Clinic::new();
    let retired = (0..18_000)
        .map(|number| format!("[[provider]]\nid = \"prov-x{number}\"\nslug = \"gone-of-{number}\"\n"));
    clinic.write("retired.toml", retired.collect::<Vec<_>>().concat());
    let states = StateCode::all().map(|state| format!("\"{state}\"")).collect::<Vec<_>>().join(", ");
    let plans = (0..2_500).map(|number| format!("[[plan]]\nname = \"Plan {number}\"\nstates = [{states}]\n"));
    clinic.write("insurances.toml", clinic.text("insurances.toml") + &plans.collect::<String>());
    let refused = clinic.check().err().map(|report| report.drawn(false));
    assert_eq!(refused, None);
    for (path, text, problem) in [
        ("retired.toml", "[[provider]]\n".repeat(25_001), "25001:1: This file has more than 25,000 tables"),
        (
            BO,
            format!("# Bo\na = [{}]\n", "{},\n".repeat(25_001)),
            "25002:1: This file has more than 25,000 tables",
        ),
        (
            BO,
            format!("a{} = 1\n", ".a = 1\na".repeat(25_001)),
            "25001:2: This file has more than 25,000 tables",
        ),
        (
            BO,
            format!("a = [{}]", "\n1,".repeat(200_000)),
            "200000:1: This file has more than 200,000 keys and values",
        ),
        (BO, "x\n".repeat(30_000), "10001:2: This file has more than 10,000 syntax errors"),
    ] {
        let clinic = Clinic::new();
        clinic.write(path, &text);
        let told = clinic.problems_of(path);
        assert!(told.iter().any(|told| told.starts_with(problem)), "{problem}: {:?}", told.first());
        let is_read = problem.contains("errors");
        assert_eq!(told.len() > 1, is_read, "{told:?}");
    }
    // All on the last line: what is above it has no mistake, and is still not the whole file.
    let clinic = Clinic::new();
    clinic.write(BO, clinic.text(BO) + "x = " + &"=".repeat(60_000) + "\n");
    let told = clinic.problems_of(BO);
    assert!(told.iter().any(|told| told.contains("more than 10,000 syntax errors")), "{told:?}");
}
