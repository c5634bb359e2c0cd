//! Thousands of mistakes: the time of a check grows linearly with their number.

use std::time::{Duration, Instant};

use directory::content::{ContentError, load_and_check};

use crate::{BO, BO_HOURS, Clinic, TODAY};

/// Each kind of mistake, many times in one file. Quadratic time would be minutes.
#[test]
fn many_mistakes_in_one_file_are_checked_in_linear_time() {
    let many = 10_000;
    let lines = |line: &dyn Fn(usize) -> String| (0..many).map(line).collect::<String>();
    let weekly = "[[weekly]]\ndays = ['mon']\nhours = ['09:00-10:00']\n";
    let used_plans =
        "[[plan]]\nname = \"Goldenrod PPO\"\n[[plan]]\nname = \"Harbor Mutual HMO\"\n".to_owned();
    let mut wrong = Vec::new();
    for (path, text, at_least) in [
        (BO, "x\n".repeat(many), many),
        (BO, "a = 'x\n".repeat(many), many),
        (BO, "a = [1 2]\n".repeat(many), many),
        (BO, "a = [1\n".repeat(many), 1),
        (BO, "a = 1\n".repeat(many), many),
        (BO, lines(&|number| format!("k{number} = x\n")), many),
        (BO, lines(&|number| format!("k{number} = 1\n")), many),
        (BO, lines(&|number| format!("k{number} = 1\nx\n")), many),
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
        // Another test may hold the machine for a moment, and does not three times.
        let mut took = Duration::MAX;
        let mut found = 0;
        for _ in 0..3 {
            let start = Instant::now();
            let report = match load_and_check(&clinic.content, TODAY) {
                Ok(checked) => checked.warnings,
                Err(ContentError::Invalid(report)) => *report,
                Err(error) => panic!("{error}"),
            };
            (took, found) = (took.min(start.elapsed()), report.problems().len());
            if took <= Duration::from_secs(2) {
                break;
            }
        }
        if took > Duration::from_secs(2) || !(at_least..=20 * many).contains(&found) {
            let shape: String = text.chars().take(40).collect();
            wrong.push(format!("{found} in {took:?}: {shape:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A clinic that has just moved its content usually has warnings in every file.
#[test]
fn warnings_in_many_files_cost_little_time() {
    let clinic = Clinic::new();
    let bo = clinic.text(BO).replace("prov-2", "prov-NUMBER");
    let took_with_year = |year: &str| {
        for number in 1_000..4_000 {
            let education = "degree = \"NP\"\nfield = \"Care\"\ninstitution = \"School\"\nyear = ";
            let text = bo.replace("NUMBER", &number.to_string());
            let text = format!("{text}\n[[education]]\n{education}{year}\n");
            clinic.write(&format!("providers/p-{number}.toml"), text);
        }
        let check = || {
            let start = Instant::now();
            let checked =
                load_and_check(&clinic.content, TODAY).unwrap_or_else(|_| panic!("the clinic is valid"));
            let found = checked
                .warnings
                .problems()
                .iter()
                .filter(|problem| problem.what().contains("is in the future"));
            (start.elapsed(), found.count())
        };
        (0..3).map(|_| check()).min().unwrap()
    };
    let ((without, none), (with, many)) = (took_with_year("2009"), took_with_year("2030"));
    assert_eq!((none, many), (0, 3_000));
    assert!(with < without * 2, "{with:?}, and {without:?} without warnings");
}
