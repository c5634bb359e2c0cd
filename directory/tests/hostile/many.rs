//! Mistakes by the thousand are counted. `growth.rs` measures that their number costs no more than that.

use directory::content::{ContentError, load_and_check};

use crate::{BO, BO_HOURS, Clinic, TODAY};

/// Each kind of mistake, many times in one file. Quadratic time would be minutes.
#[test]
fn many_mistakes_in_one_file_are_checked_in_linear_time() {
    let many = 10_000;
    // Of a large file that is wrong line after line only the beginning is read.
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
