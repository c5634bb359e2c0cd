use bytes::Bytes;

use crate::content::{
    ContentError, Entries, Report, load_and_check_entries, load_and_check_entries_beside_feed,
};

const DIRECTORY: &str = "name = \"Clinic\"\ndescription = \"Care\"\napi-url = \"https://api.clinic.org\"\n\
    mcp-url = \"https://api.clinic.org/api/mcp\"\nsite-url = \"https://clinic.org\"\n";

/// The head of a PNG file of this size.
fn png(width: u32, height: u32) -> Bytes {
    let mut chunk = b"IHDR".to_vec();
    chunk.extend(width.to_be_bytes());
    chunk.extend(height.to_be_bytes());
    chunk.extend([8, 2, 0, 0, 0]);
    let mut crc = u32::MAX;
    for byte in &chunk {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    file.extend(chunk);
    file.extend((!crc).to_be_bytes());
    file.into()
}

fn entries(lines: &str, pictures: &[(&str, Bytes)]) -> Entries {
    let mut entries = Entries::default();
    entries.add("directory.toml", Bytes::from(format!("{DIRECTORY}{lines}\n"))).unwrap();
    entries.add("insurances.toml", Bytes::new()).unwrap();
    entries.add("appointment-types.toml", Bytes::new()).unwrap();
    for (name, bytes) in pictures {
        entries.add(name, bytes.clone()).unwrap();
    }
    entries
}

fn said(report: &Report) -> Vec<String> {
    report
        .problems()
        .iter()
        .map(|problem| format!("{}: {}", problem.severity().word(), problem.what()))
        .collect()
}

/// What `check` says of these lines on a day.
fn problems(lines: &str, pictures: &[(&str, Bytes)], today: &str) -> Vec<String> {
    match load_and_check_entries(entries(lines, pictures), today.parse().unwrap()) {
        Ok(checked) => said(&checked.warnings),
        Err(ContentError::Invalid(report)) => said(&report),
        Err(error) => panic!("{error}"),
    }
}

fn has(problems: &[String], text: &str) -> bool {
    problems.iter().any(|problem| problem.contains(text))
}

#[test]
fn a_security_contact_warns_thirty_days_before_its_end_and_fails_after_it() {
    let lines = "[security]\ncontact = \"mailto:security@clinic.org\"\nexpires = 2027-03-31";
    let on = |today: &str| problems(lines, &[], today);
    assert!(!has(&on("2027-02-28"), "security contact"));
    for today in ["2027-03-01", "2027-03-31"] {
        assert!(has(&on(today), "warning: The security contact expires on 2027-03-31"), "{today}");
    }
    assert!(has(&on("2027-04-01"), "error: The security contact expired on 2027-03-31"));
    // A service that starts again serves what it has.
    let served = load_and_check_entries_beside_feed(entries(lines, &[]), "2027-04-01".parse().unwrap());
    assert!(has(&said(&served.unwrap().warnings), "warning: The security contact expired"));
}

#[test]
fn a_security_contact_is_a_uri() {
    let with = |contact: &str| {
        problems(&format!("[security]\ncontact = \"{contact}\"\nexpires = 2027-03-31"), &[], "2026-11-21")
    };
    for contact in ["mailto:a@clinic.org", "https://clinic.org/security", "tel:+1-510-555-0100"] {
        assert!(!has(&with(contact), "isn't a web or email address"), "{contact}");
    }
    assert!(has(&with("a@clinic.org"), "needs mailto: before it"));
    for contact in ["http://clinic.org", "mailto:", "https://", "call us", "mailto:a b@c.org"] {
        assert!(has(&with(contact), "isn't a web or email address"), "{contact}");
    }
    assert!(has(
        &problems("[security]\ncontact = \"mailto:a@clinic.org\"", &[], "2026-11-21"),
        "`expires` is missing."
    ));
}

#[test]
fn a_logo_is_a_square_png_and_a_share_image_is_large() {
    let logo = |bytes: Bytes| problems("logo = \"logo.png\"", &[("logo.png", bytes)], "2026-11-21");
    for side in [512, 4096] {
        assert!(!has(&logo(png(side, side)), "logo"), "{side}");
    }
    assert!(has(&logo(png(511, 511)), "logo.png is a PNG of 511 × 511 pixels, so it can't be the logo."));
    for bytes in [png(4097, 4097), png(512, 600), Bytes::from_static(b"<svg xmlns=\"x\"/>"), Bytes::new()] {
        assert!(has(&logo(bytes), "can't be the logo"));
    }
    assert!(has(&logo([png(512, 512), vec![0; 1 << 20].into()].concat().into()), "larger than 1 MB"));
    let share = |bytes: Bytes| problems("share-image = \"s.png\"", &[("s.png", bytes)], "2026-11-21");
    assert!(!has(&share(png(1200, 630)), "share"));
    for bytes in [png(1199, 630), png(1200, 629)] {
        assert!(has(&share(bytes), "can't be the share image"));
    }
    for name in ["logo.png", "../logo.png", "headshots/logo.png"] {
        assert!(
            has(
                &problems(&format!("logo = \"{name}\""), &[], "2026-11-21"),
                "doesn't exist next to directory.toml"
            ),
            "{name}"
        );
    }
}

#[test]
fn a_named_picture_is_part_of_the_generation_and_another_one_is_not() {
    let generation = |lines: &str, pictures: &[(&str, Bytes)]| {
        let checked = load_and_check_entries(entries(lines, pictures), "2026-11-21".parse().unwrap());
        checked.unwrap().directory.generation().clone()
    };
    let plain = generation("", &[]);
    assert_eq!(generation("", &[("logo.png", png(512, 512))]), plain);
    let lines = "logo = \"logo.png\"";
    let one = generation(lines, &[("logo.png", png(512, 512))]);
    assert_ne!(one, generation(lines, &[("logo.png", png(600, 600))]));
}

#[test]
fn repairs_are_tried_with_the_pictures_that_the_clinic_names() {
    let lines = "logo = \"logo.png\"\n[addres]\ncity = \"Oakland\"";
    let pictures = [("logo.png", png(512, 512))];
    let Err(ContentError::Invalid(report)) =
        load_and_check_entries(entries(lines, &pictures), "2026-11-21".parse().unwrap())
    else {
        panic!("an unknown key is an error")
    };
    let error = report.problems().iter().find(|problem| problem.severity().word() == "error");
    let problem = error.unwrap_or_else(|| panic!("{:?}", said(&report)));
    assert!(problem.what().contains("addres"), "{}", problem.what());
    assert_eq!(problem.repairs().len(), 1, "{problem:?}");
}

#[test]
fn a_clinic_without_notices_is_warned_once() {
    let missing = "warning: [notices] is missing";
    let count = |lines: &str| {
        problems(lines, &[], "2026-11-21").iter().filter(|problem| problem.starts_with(missing)).count()
    };
    assert_eq!(count(""), 1);
    assert_eq!(count("[notices]\nprivacy = \"https://clinic.org/privacy\""), 0);
}

#[test]
fn notices_are_https_addresses_and_help_may_be_a_phone() {
    let with = |line: &str| problems(&format!("[notices]\n{line}"), &[], "2026-11-21");
    for line in [
        "privacy = \"https://clinic.org/privacy\"",
        "support = \"mailto:help@clinic.org\"",
        "support = \"tel:+15105550100\"",
        "terms = \"https://clinic.org/terms\"\nnondiscrimination = \"https://clinic.org/n\"",
    ] {
        assert!(!has(&with(line), "isn't a"), "{line}");
    }
    for line in [
        "privacy = \"http://clinic.org\"",
        "terms = \"mailto:a@clinic.org\"",
        "languages = \"clinic.org\"",
        "terms = \"https://clinic,org/terms\"",
        "terms = \"https://www.https://clinic.org\"",
    ] {
        assert!(has(&with(line), "isn't an https address"), "{line}");
    }
    assert!(has(&with("privacy = \"a@clinic.org\""), "An email address isn't allowed here"));
    assert!(has(&with("support = \"call us\""), "\"call us\" isn't a web, mail, or phone address"));
}

#[test]
fn a_listing_fits_the_stores() {
    let with = |line: &str| problems(&format!("[listing]\n{line}"), &[], "2026-11-21");
    let thirty = "x".repeat(30);
    for line in [
        format!("display-name = \"{thirty}\"\nsubtitle = \"{thirty}\"\ncategory = \"LIFESTYLE\""),
        "prompts = [\"One?\", \"Two?\", \"Three?\"]".to_owned(),
    ] {
        let said = with(&line);
        assert!(!said.iter().any(|problem| problem.starts_with("error")), "{said:?}");
    }
    assert!(has(
        &with(&format!("subtitle = \"{thirty}x\"")),
        "This has 31 characters; stores show at most 30"
    ));
    assert!(has(&with("category = \"Lifestyle\""), "isn't a category in ChatGPT's list"));
    assert!(has(
        &with("prompts = [\"One?\", \"Two?\"]"),
        "`prompts` has 2 questions; app directories require 3 to 5"
    ));
}

#[test]
fn a_token_of_an_origin_trial_is_base64() {
    let with = |token: &str| problems(&format!("webmcp-origin-trial = [\"{token}\"]"), &[], "2026-11-21");
    assert!(!has(&with("A7x+/bc="), "token"));
    assert!(has(&with("A7x bc"), "This isn't an origin trial token"));
}
