//! `rename provider` and `rename plan`.

use crate::harness::NOW;
use crate::sheet::{Copy, printed};

#[test]
fn a_renamed_clinician_keeps_hours_links_and_what_was_confirmed_and_accepted() {
    let clinic = Copy::new();
    let directory = clinic.file("directory.toml");
    clinic.write("directory.toml", &format!("{directory}\n[accuracy]\nprofile = \"nsa\"\n"));
    // The clinic accepts a finding of the audit: the certificate is listed, but the flag is false.
    let file = clinic.file("providers/hannah-whitfield-moss.toml");
    clinic.write(
        "providers/hannah-whitfield-moss.toml",
        &file.replace("certified = true", "certified = false"),
    );
    printed(&clinic.run(&["attest", "hannah-whitfield-moss", "--by", "clinician", "--now", NOW]), 0);
    let audit = |code: i32| printed(&clinic.run(&["audit", "--fail-on", "likely", "--now", NOW]), code);
    let found = audit(1);
    let (_, name) = found.split_once("[certified-").unwrap();
    let name = format!("certified-{}", name.split_once(']').unwrap().0);
    clinic.write(
        "allow.toml",
        &format!(
            "[[audit]]\nfinding = \"{name}\" # asked her\nreason = \"She wants it so.\"\nuntil = 2027-06-30\n"
        ),
    );
    let before_audit = audit(0);
    let hours = clinic.file("availability/hannah-whitfield-moss.toml");
    let file = clinic.file("providers/hannah-whitfield-moss.toml");
    let files = clinic.files();

    let rename = ["rename", "provider", "hannah-whitfield-moss", "hannah-moss", "--now", NOW];
    let said = printed(&clinic.run(&[&rename[..], &["--dry-run"]].concat()), 0);
    assert!(said.ends_with("nothing was written: this was a dry run\n") && clinic.files() == files, "{said}");
    let said = printed(&clinic.run(&rename), 0);
    for line in [
        "providers/hannah-whitfield-moss.toml becomes providers/hannah-moss.toml, and hannah-whitfield-moss is added to its former-slugs",
        "availability/hannah-whitfield-moss.toml becomes availability/hannah-moss.toml",
        "1 confirmation carried over to the new name",
        "allow.toml: the accepted finding certified-",
        "3 files changed",
        "also change hannah-whitfield-moss to hannah-moss in your file of calendars",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    assert!(!clinic.content.join("providers/hannah-whitfield-moss.toml").exists());
    assert!(!clinic.content.join("availability/hannah-whitfield-moss.toml").exists());
    assert_eq!(clinic.file("availability/hannah-moss.toml"), hours);
    let new = clinic.file("providers/hannah-moss.toml");
    let changed = |lines: &str, others: &str| {
        lines.lines().filter(|line| !others.lines().any(|other| other == *line)).count()
    };
    assert_eq!((changed(&new, &file), changed(&file, &new)), (2, 2), "{new}");
    assert!(new.contains("former-slugs = [\"hannah-whitfield\", \"hannah-whitfield-moss\"]\n"), "{new}");
    assert!(clinic.file("allow.toml").contains(" # asked her") && !clinic.file("allow.toml").contains(&name));
    let after_audit = audit(0);
    let counts = |audit: &str| audit.lines().last().map(str::to_owned);
    assert_eq!(counts(&after_audit), counts(&before_audit));
    let due = printed(&clinic.run(&["attest", "--due", "--by", "clinic", "--now", NOW]), 0);
    assert!(!due.contains("hannah-moss:"), "{due}");
    for slug in ["hannah-moss", "hannah-whitfield-moss", "hannah-whitfield"] {
        let answer = printed(&clinic.run(&["query", &format!("/v1/providers/{slug}")]), 0);
        assert!(answer.contains("\"slug\":\"hannah-moss\""), "{answer}");
    }
    // And back: the slug that is hers again isn't a former one.
    printed(&clinic.run(&["rename", "provider", "hannah-moss", "hannah-whitfield-moss", "--now", NOW]), 0);
    let back = clinic.file("providers/hannah-whitfield-moss.toml");
    assert!(back.contains("former-slugs = [\"hannah-whitfield\", \"hannah-moss\"]\n"), "{back}");
    assert!(clinic.file("allow.toml").contains(&name));
}

#[test]
fn names_that_are_taken_or_unknown_are_refused() {
    let clinic = Copy::new();
    let files = clinic.files();
    for (what, old, new, why) in [
        ("provider", "wulandary", "x", "did you mean \"wulandari\"?"),
        ("provider", "wulandari", "Wulan", "can't be a slug"),
        ("provider", "wulandari", "../x", "can't be a slug"),
        ("provider", "wulandari", "jun-nakashima", "jun-nakashima is or was another clinician's"),
        ("provider", "wulandari", "hannah-whitfield", "hannah-whitfield is or was another clinician's"),
        ("provider", "wulandari", "owen-tarrant", "owen-tarrant is or was another clinician's"),
        ("provider", "wulandari", "wulandari", "wulandari is already its name"),
        ("plan", "Goldenrod", "x", "did you mean \"Goldenrod PPO\"?"),
        ("plan", "Goldenrod PPO", " x", "can't be a plan's name"),
        ("plan", "Goldenrod PPO", "mangrove hmo", "the plan \"Mangrove HMO\" already exists"),
    ] {
        let said = printed(&clinic.run(&["rename", what, old, new]), 2);
        assert!(said.contains(why) && said.lines().count() == 1, "{said}");
    }
    let said = printed(&clinic.run(&["rename", "provider", "wulandari", "summary"]), 2);
    assert!(
        said.contains("\"summary\" can't be a slug") && said.contains("nothing was changed: choose another"),
        "{said}"
    );
    assert!(clinic.files() == files);
}

#[test]
fn a_withdrawn_clinician_can_be_renamed() {
    let clinic = Copy::new();
    let file = clinic.file("providers/wulandari.toml");
    clinic.write("providers/wulandari.toml", &file.replacen('\n', "\nstatus = \"withdrawn\"\n", 1));
    printed(&clinic.run(&["rename", "provider", "wulandari", "wulan"]), 0);
    assert!(clinic.file("providers/wulan.toml").contains("former-slugs = [\"wulandari\"]\n"));
    let said = printed(&clinic.run(&["rename", "provider", "wulandari", "wu"]), 2);
    assert!(said.contains("there is no clinician \"wulandari\": its slug is now \"wulan\""), "{said}");
    let said = printed(&clinic.run(&["rename", "provider", "jun-nakashima", "wulandari"]), 2);
    assert!(said.contains("wulandari is or was another clinician's"), "{said}");
}

#[test]
fn a_renamed_plan_is_renamed_at_every_clinician_who_takes_it() {
    let clinic = Copy::new();
    let before = clinic.files();
    printed(&clinic.run(&["attest", "jun-nakashima", "wulandari", "--by", "clinician", "--now", NOW]), 0);
    let (old, new) = ("Cedar & Stone EPO", "Cedar \"Stone\" EPO");
    let names = |name: &str| {
        before.values().filter(|file| String::from_utf8_lossy(file).contains(&format!("\"{name}\""))).count()
    };
    let said = printed(&clinic.run(&["rename", "plan", old, new, "--now", NOW]), 0);
    assert!(said.contains(&format!("{} files changed", names(old))), "{said}");
    assert!(said.contains("2 confirmations carried over to the new name"), "{said}");
    for (path, bytes) in clinic.files() {
        if path.extension().is_none_or(|kind| kind != "toml") {
            assert!(bytes == before[&path], "{}", path.display());
            continue;
        }
        let after = String::from_utf8_lossy(&bytes).into_owned();
        let is_confirmation = |line: &&str| {
            ["[confirmed]", "on = ", "by = ", "facts = "].iter().any(|begin| line.starts_with(begin))
        };
        let after: Vec<&str> = after.lines().filter(|line| !is_confirmation(line)).collect();
        let after = after.join("\n");
        let before = String::from_utf8_lossy(&before[&path])
            .replace(&format!("\"{old}\""), "\"Cedar \\\"Stone\\\" EPO\"");
        assert_eq!(after.trim_end(), before.trim_end(), "{}", path.display());
    }
    let answer = clinic.run(&["query", "/v1/providers?state=WA&insurance=Cedar%20%22Stone%22%20EPO"]);
    assert!(printed(&answer, 0).contains("\"slug\":\"wulandari\""));
    printed(&clinic.run(&["check"]), 0);
}
