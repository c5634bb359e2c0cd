//! How programs outside find the clinic: `logo`, `share-image`, `[security]`, `[notices]`, `[listing]`, `[robots]` and
//! `webmcp-origin-trial`.

use chrono::NaiveDate;

use super::super::mistakes::{ON_COMPUTER, WITH_HTTPS, is_of_computer};
use super::super::parse::given;
use super::super::photo::{Photo, PhotoFormat};
use super::super::picture::Picture;
use super::super::problem::{Advice, FileSpan, Problem};
use super::super::raw::{ListingTable, Located, NoticesTable, RobotsTable, SecurityTable, Text};
use super::super::sources::{SourceFile, Sources};
use super::fields::{File, given_date};
use super::portraits::sharing_service;
use super::starter;
use crate::model::{
    Artwork, Discovery, LISTED_CHARACTERS, Notice, NoticeName, SecurityContact, StoreListing,
};

/// How many days before the end of a contact it is time to renew it.
const SOON: i64 = 30;

pub(super) struct Keys {
    pub(super) logo: Text,
    pub(super) share_image: Text,
    pub(super) security: Option<Located<SecurityTable>>,
    pub(super) notices: Option<Located<NoticesTable>>,
    pub(super) origin_trials: Option<Located<Vec<Located<String>>>>,
    pub(super) listing: Option<Located<ListingTable>>,
    pub(super) robots: Option<Located<RobotsTable>>,
}

pub(super) fn read(file: &mut File<'_>, keys: Keys, sources: &Sources, today: NaiveDate) -> Discovery {
    Discovery {
        security: keys.security.and_then(|table| security(file, table, sources, today)),
        notices: notices(file, keys.notices),
        listing: keys.listing.map(|table| listing(file, table.value)).unwrap_or_default(),
        origin_trials: origin_trials(file, keys.origin_trials),
        ai_train: keys.robots.and_then(|table| table.value.ai_train).map(|flag| flag.value),
        logo: keys.logo.and_then(|name| artwork(file, &name, sources, &LOGO)),
        share_image: keys.share_image.and_then(|name| artwork(file, &name, sources, &SHARE_IMAGE)),
    }
}

fn security(
    file: &mut File<'_>,
    table: Located<SecurityTable>,
    sources: &Sources,
    today: NaiveDate,
) -> Option<SecurityContact> {
    let Located { value: raw, span } = table;
    let contact = file.required_line(raw.contact, Some(&span), "contact", "\"mailto:security@example.org\"");
    let contact = contact.and_then(|text| contact_uri(file, &text));
    let Some(date) = given_date(raw.expires) else {
        file.missing(Some(&span), "expires", "2027-06-30");
        return None;
    };
    let expires = file.date(&date)?;
    if expires < today {
        let what = format!("The security contact expired on {expires}.");
        let hint = "Check that `contact` is still right, and write a date within a year.";
        if sources.are_judged() {
            file.error(&date.span, what, hint);
        } else {
            file.warn(&date.span, what, hint);
        }
    } else if (expires - today).num_days() <= SOON {
        let what = format!("The security contact expires on {expires}.");
        file.warn(&date.span, what, "Check that `contact` is still right, and write a later date.");
    }
    Some(SecurityContact { contact: contact?, expires })
}

fn is_contact(value: &str) -> bool {
    let is_address = match value.split_once(':') {
        Some(("mailto", rest)) => {
            rest.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty())
        }
        Some(("https", rest)) => rest.strip_prefix("//").is_some_and(|rest| {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let is_host = |sign: char| sign.is_ascii_alphanumeric() || ".-:[]".contains(sign);
            !host.is_empty() && !host.ends_with(':') && host.chars().all(is_host)
        }),
        Some(("tel", rest)) => rest.starts_with('+'),
        _ => false,
    };
    is_address && value.bytes().all(|byte| byte.is_ascii_graphic())
}

fn contact_uri(file: &mut File<'_>, text: &Located<String>) -> Option<String> {
    let value = &text.value;
    if is_contact(value) {
        return Some(value.clone());
    }
    let (what, hint) = if value.contains('@') && !value.contains([':', ' ']) {
        ("An email address needs mailto: before it.".to_owned(), Advice::write(format!("\"mailto:{value}\"")))
    } else {
        let hint = "Write it like \"mailto:security@example.org\" or \"https://example.org/security\".";
        (format!("\"{value}\" isn't a web or email address."), hint.into())
    };
    file.refuse(&text.span, what, hint)
}

fn notices(file: &mut File<'_>, table: Option<Located<NoticesTable>>) -> Vec<Notice> {
    let Some(Located { value: raw, .. }) = table else {
        if !file.is_whole() {
            return Vec::new();
        }
        let what = "[notices] is missing: app directories require a privacy policy, terms, and support.";
        let hint = "Add at the end of the file, each on its own line: [notices], and below it privacy, terms, and support \
             with their addresses, such as privacy = \"https://example.org/privacy\".";
        file.add(Problem::warning(FileSpan::file(file.path), what).hint(hint));
        return Vec::new();
    };
    if let (Some(privacy), Some(terms)) = (&raw.privacy, &raw.terms)
        && !terms.value.trim().is_empty()
        && terms.value.trim() == privacy.value.trim()
    {
        let what = "`terms` has the same address as `privacy`.";
        let problem = Problem::warning(file.place(&terms.span), what).also(file.place(&privacy.span), "here");
        file.add(problem.hint(
            "Write the address of the terms. If one page holds both, write its part, such as \"…#terms\".",
        ));
    }
    let all = [
        (NoticeName::Privacy, raw.privacy),
        (NoticeName::Terms, raw.terms),
        (NoticeName::Support, raw.support),
        (NoticeName::Nondiscrimination, raw.nondiscrimination),
        (NoticeName::Languages, raw.languages),
        (NoticeName::Accessibility, raw.accessibility),
    ];
    let read = all.into_iter().filter_map(|(name, text)| {
        let text = given(text)?;
        let address = text.value.trim();
        starter::warn_of_example(file, &text);
        if let Some(service) = sharing_service(address) {
            let what = format!("This is a {service} page, which patients may not be able to open.");
            file.warn(&text.span, what, "Write the address of a page of your website.");
        }
        if is_contact(address) && (name == NoticeName::Support || address.starts_with("https:")) {
            return Some(Notice { name, address: address.to_owned() });
        }
        let (what, hint) = if name == NoticeName::Support {
            (
                "a web, mail, or phone address",
                "Write it like \"https://example.org/contact\" or \"tel:+15105550100\".",
            )
        } else {
            ("an https address", "Write it like \"https://example.org/privacy\".")
        };
        if is_of_computer(address) {
            return file.refuse(&text.span, ON_COMPUTER, WITH_HTTPS);
        }
        let wrong = match name {
            _ if address.contains(' ') && address.contains("://") => {
                "This address contains a space.".to_owned()
            }
            NoticeName::Support => format!("\"{address}\" isn't {what}."),
            _ if address.contains('@') && !address.contains(':') => {
                "An email address isn't allowed here: this needs a web page.".to_owned()
            }
            _ => format!("\"{address}\" isn't {what}."),
        };
        file.refuse(&text.span, wrong, hint)
    });
    read.collect()
}

/// ChatGPT's list for apps.
const CATEGORIES: [&str; 13] = [
    "BUSINESS",
    "COLLABORATION",
    "DESIGN",
    "DEVELOPER_TOOLS",
    "EDUCATION",
    "ENTERTAINMENT",
    "FINANCE",
    "FOOD",
    "LIFESTYLE",
    "NEWS",
    "PRODUCTIVITY",
    "SHOPPING",
    "TRAVEL",
];

fn listing(file: &mut File<'_>, raw: ListingTable) -> StoreListing {
    let mut line = |text: Text| given(text).and_then(|text| file.line(text));
    let [challenge, name, subtitle, category] =
        [raw.openai_challenge, raw.display_name, raw.subtitle, raw.category].map(&mut line);
    for text in [&name, &subtitle].into_iter().flatten() {
        let count = text.value.chars().count();
        if count > LISTED_CHARACTERS {
            let what = format!("This has {count} characters; stores show at most {LISTED_CHARACTERS}.");
            file.error(&text.span, what, "Shorten it.");
        }
    }
    if let Some(text) = &category
        && !CATEGORIES.contains(&&*text.value)
    {
        let what = format!("\"{}\" isn't a category in ChatGPT's list.", text.value);
        file.error(&text.span, what, format!("Write one of {}.", CATEGORIES.join(", ")));
    }
    let prompts = raw.prompts.map(|list| (list.span.clone(), file.lines(Some(list.value))));
    if let Some((span, prompts)) = &prompts
        && !(3..=5).contains(&prompts.len())
    {
        let what = format!("`prompts` has {} questions; app directories require 3 to 5.", prompts.len());
        file.error(span, what, "Write three to five questions that people ask you.");
    }
    let value = |text: Option<Located<String>>| text.map(|text| text.value);
    StoreListing {
        openai_challenge: value(challenge),
        display_name: value(name),
        subtitle: value(subtitle),
        category: value(category),
        prompts: prompts.into_iter().flat_map(|(_, prompts)| prompts).map(|prompt| prompt.value).collect(),
    }
}

fn origin_trials(file: &mut File<'_>, list: Option<Located<Vec<Located<String>>>>) -> Vec<String> {
    let tokens = list.map(|list| list.value).unwrap_or_default();
    let is_token = |token: &str| {
        !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
    };
    let (tokens, others): (Vec<_>, Vec<_>) = tokens.into_iter().partition(|token| is_token(&token.value));
    for other in others {
        let hint = "Paste the whole token of the origin trial. It has only letters, digits, +, / and =.";
        file.error(&other.span, "This isn't an origin trial token.", hint);
    }
    tokens.into_iter().map(|token| token.value).collect()
}

struct Wanted {
    what: &'static str,
    /// The formats, each with the path of its file in the tree.
    formats: &'static [(PhotoFormat, &'static str)],
    has_size: fn(&Photo) -> bool,
    hint: &'static str,
}

const LOGO: Wanted = Wanted {
    what: "logo",
    formats: &[(PhotoFormat::Png, "assets/logo.png")],
    has_size: |photo| photo.width == photo.height && (512..=4096).contains(&photo.width),
    hint: "Save it as a square PNG, 512 to 4096 pixels wide.",
};

const SHARE_IMAGE: Wanted = Wanted {
    what: "share image",
    formats: &[(PhotoFormat::Png, "assets/share.png"), (PhotoFormat::Jpeg, "assets/share.jpg")],
    has_size: |photo| photo.width >= 1200 && photo.height >= 630,
    hint: "Save it as a PNG or JPEG of at least 1200 × 630 pixels.",
};

fn artwork(
    file: &mut File<'_>,
    name: &Located<String>,
    sources: &Sources,
    wanted: &Wanted,
) -> Option<Artwork> {
    let Wanted { what, formats, has_size, hint } = wanted;
    let value = name.value.trim();
    let picture = match sources.get(value) {
        Some(SourceFile::Portrait { hash, picture }) if !value.contains('/') => Some((hash, picture)),
        _ => None,
    };
    let Some((digest, picture)) = picture else {
        let text = format!("\"{value}\" doesn't exist next to directory.toml.");
        let hint = format!("Write the name of the {what}'s file, and put the file there.");
        return file.refuse(&name.span, text, hint);
    };
    let found = match picture {
        Picture::Photograph(photo) => {
            let path = formats.iter().find(|(format, _)| *format == photo.format).map(|(_, path)| *path);
            if let Some(path) = path.filter(|_| has_size(photo)) {
                let (width, height) = (photo.width, photo.height);
                return Some(Artwork { name: value.to_owned(), path, width, height, digest: *digest });
            }
            format!("{value} is a {} of {} × {} pixels", photo.format, photo.width, photo.height)
        }
        Picture::Drawing => format!("{value} is a drawing"),
        Picture::Unusable(error) => format!("{value} is {error}"),
        Picture::Unsupported(name) | Picture::Other(name) => format!("{value} is {name}"),
    };
    file.refuse(&name.span, format!("{found}, so it can't be the {what}."), *hint)
}

#[cfg(test)]
mod tests;
