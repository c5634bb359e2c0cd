//! The letters behind a clinician's name, which people write as titles or in words.

use super::super::problem::Advice;
use super::super::raw::Located;
use super::bio::warn_if_expired;
use super::fields::File;
use super::names::{CREDENTIALS, is_small, is_title};

/// Degrees in words. An occupation may have several letters.
const IN_WORDS: [(&str, &str); 22] = [
    ("medical doctor", "MD"),
    ("doctor of medicine", "MD"),
    ("doctor of osteopathic medicine", "DO"),
    ("doctor of osteopathy", "DO"),
    ("doctor of nursing practice", "DNP"),
    ("doctor of nursing", "DNP"),
    ("doctor of philosophy", "PhD"),
    ("doctor of psychology", "PsyD"),
    ("doctor of pharmacy", "PharmD"),
    ("doctor of physical therapy", "DPT"),
    ("doctor of public health", "DrPH"),
    ("doctor of social work", "DSW"),
    ("doctor of education", "EdD"),
    ("doctor of science", "ScD"),
    ("doctor of chiropractic", "DC"),
    ("doctor of naturopathic medicine", "ND"),
    ("physician assistant", "PA"),
    ("physician associate", "PA"),
    ("registered nurse", "RN"),
    ("certified nurse midwife", "CNM"),
    ("nurse practitioner", ""),
    ("family nurse practitioner", ""),
];

/// The letters of a degree in words, empty if there are several.
fn letters_of(part: &str) -> Option<&'static str> {
    // "Doctor of Medicine (MD)"
    let plain = part.split('(').next()?.replace('-', " ").trim().to_lowercase();
    IN_WORDS.iter().find(|(words, _)| *words == plain).map(|(_, letters)| *letters)
}

pub(super) fn report_title_in_credentials(file: &mut File<'_>, credentials: Option<&Located<String>>) {
    let Some(text) = credentials else { return };
    let joined = text.value.replace(" and ", ", ").replace(" & ", ", ");
    let written =
        if joined.split(',').any(|part| letters_of(part).is_some()) { joined } else { text.value.clone() };
    let parts: Vec<&str> = written.split([',', ';']).map(str::trim).collect();
    let mut words = parts.iter().flat_map(|part| part.split_whitespace());
    let in_words = parts.iter().find(|part| letters_of(part).is_some());
    let (what, is_known) = match (in_words, words.find(|word| is_title(word))) {
        (Some(degree), _) => {
            let is_known = !parts.iter().any(|part| letters_of(part) == Some(""));
            (format!("\"{degree}\" is in words. Pages show letters after the name."), is_known)
        }
        (None, Some(title)) => {
            (format!("\"{title}\" is a title. Pages show credentials after the name."), true)
        }
        (None, None) => return,
    };
    let mut earned: Vec<String> = Vec::new();
    for &part in &parts {
        let rest = part.split_whitespace().skip_while(|word| is_title(word)).collect::<Vec<_>>().join(" ");
        let earns = letters_of(part).map_or(rest, str::to_owned);
        if !earns.is_empty() && !earned.iter().any(|known| known.replace('.', "") == earns.replace('.', "")) {
            earned.push(earns);
        }
    }
    // "of Surgery" is left of a degree that isn't known.
    let is_rest =
        |part: &String| part.contains("Doctor") || part.split(' ').any(|word| word == "of" || is_title(word));
    let hint = match earned[..] {
        _ if !is_known => {
            "Write the letters of the license or of the certificate, such as \"NP\" or \"FNP-BC\".".into()
        }
        [] => "Write the degree or the license, such as \"MD\" or \"NP\".".into(),
        _ if earned.iter().any(is_rest) => "Write the letters of the degree, such as \"MD\".".into(),
        _ => Advice::write(format!("\"{}\"", earned.join(", "))),
    };
    if in_words.is_some() {
        file.warn(&text.span, what, hint);
    } else {
        file.error(&text.span, what, hint);
    }
}

pub(super) fn warn_of_unlikely(
    file: &mut File<'_>,
    credentials: Option<&Located<String>>,
    name: Option<&Located<String>>,
    this_year: i32,
) {
    let Some(credentials) = credentials else { return };
    // The name, or the extension of a phone, as of a row that was pasted.
    let is_other = |word: &str| {
        let word = word.trim_matches(',');
        let is_name = word.len() > 2 && name.is_some_and(|name| name.value.split(' ').any(|own| own == word));
        let number = word.strip_prefix(['x', 'X', '#']).unwrap_or_default();
        is_name || !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (others, earned): (Vec<&str>, Vec<&str>) =
        credentials.value.split(' ').partition(|word| is_other(word));
    if let [other, ..] = others[..] {
        let what = format!("\"{}\" isn't a credential.", other.trim_matches(','));
        let meant = Advice::meant(format!("\"{}\"", earned.join(" ").trim_matches(',')));
        let none = "Write the degree or the license, such as \"MD\" or \"NP\".";
        file.warn(&credentials.span, what, if earned.is_empty() { none.into() } else { meant });
    }
    if is_small(&credentials.value) {
        let hint = Advice::meant(format!("\"{}\"", credentials.value.to_uppercase()));
        file.warn(&credentials.span, "These credentials have no capital letters.", hint);
    }
    let are_letters = |part: &str| part.split(' ').all(|word| CREDENTIALS.contains(&word));
    let parts = || credentials.value.split(',').map(str::trim);
    if let Some(part) = parts().find(|part| part.contains(' ') && are_letters(part)) {
        let listed: Vec<String> = parts()
            .map(|part| if are_letters(part) { part.replace(' ', ", ") } else { part.to_owned() })
            .collect();
        let hint = Advice::meant(format!("\"{}\"", listed.join(", ")));
        file.warn(&credentials.span, format!("\"{part}\" has no comma between the credentials."), hint);
    }
    warn_if_expired(file, credentials, this_year);
}

#[cfg(test)]
mod tests {
    use super::super::super::problems::Problems;
    use super::super::super::raw::HolidaysFile;
    use super::*;

    #[test]
    fn credentials_keep_what_is_earned() {
        for (written, expected) in [
            ("Medical Doctor", Some("Write \"MD\"")),
            ("medical doctor", Some("Write \"MD\"")),
            ("Doctor of Medicine", Some("Write \"MD\"")),
            ("Doctor of Medicine (MD), FACOG", Some("Write \"MD, FACOG\"")),
            ("M.D., Doctor of Medicine", Some("Write \"M.D.\"")),
            ("Doctor of Osteopathic Medicine", Some("Write \"DO\"")),
            ("Doctor of Nursing Practice, APRN", Some("Write \"DNP, APRN\"")),
            ("Medical Doctor and Doctor of Philosophy", Some("Write \"MD, PhD\"")),
            ("Physician Assistant", Some("Write \"PA\"")),
            ("Certified Nurse-Midwife, MSN", Some("Write \"CNM, MSN\"")),
            (
                "Nurse Practitioner",
                Some("Write the letters of the license or of the certificate, such as \"NP\" or \"FNP-BC\"."),
            ),
            ("Doctor of Acupuncture", Some("Write the letters of the degree, such as \"MD\".")),
            ("MD - Doctor", Some("Write the letters of the degree, such as \"MD\".")),
            ("Dr., MD", Some("Write \"MD\"")),
            ("Dr. MD", Some("Write \"MD\"")),
            ("Doctor, DO", Some("Write \"DO\"")),
            ("Dr.", Some("Write the degree or the license, such as \"MD\" or \"NP\".")),
            ("MD FACP", Some("Did you mean \"MD, FACP\"?")),
            ("MSN RN, FNP-BC", Some("Did you mean \"MSN, RN, FNP-BC\"?")),
            ("MD, FACOG, MSCP", None),
            ("DrPH, MPH", None),
            ("LCSW", None),
            ("MD (Board Certified)", None),
            ("Licensed Clinical Social Worker", None),
            ("MS, RDN", None),
            ("MA Ed", None),
        ] {
            let mut problems = Problems::default();
            let (mut file, _) = File::read::<HolidaysFile>("a.toml", "", &mut problems);
            let text = Located { value: written.to_owned(), span: 0..0 };
            report_title_in_credentials(&mut file, Some(&text));
            warn_of_unlikely(&mut file, Some(&text), None, 2026);
            let hint = problems.iter().find_map(|problem| Some(problem.hint.as_ref()?.text.clone()));
            assert_eq!(hint.as_deref(), expected, "{written}");
        }
    }
}
