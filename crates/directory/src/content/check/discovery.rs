//! How programs outside find the clinic: `logo`, `share-image`, `[security]`, `[listing]` and `[robots]`.

use chrono::NaiveDate;

use super::super::parse::given;
use super::super::photo::{Photo, PhotoFormat};
use super::super::picture::Picture;
use super::super::problem::Advice;
use super::super::raw::{ListingTable, Located, RobotsTable, SecurityTable, Text};
use super::super::sources::{SourceFile, Sources};
use super::fields::{File, given_date};
use crate::model::{Artwork, Discovery, SecurityContact};

/// How many days before the end of a contact it is time to renew it.
const SOON: i64 = 30;

/// The keys and tables of `directory.toml` that are read here.
pub(super) struct Keys {
    pub(super) logo: Text,
    pub(super) share_image: Text,
    pub(super) security: Option<Located<SecurityTable>>,
    pub(super) listing: Option<Located<ListingTable>>,
    pub(super) robots: Option<Located<RobotsTable>>,
}

pub(super) fn read(file: &mut File<'_>, keys: Keys, sources: &Sources, today: NaiveDate) -> Discovery {
    let challenge = keys.listing.and_then(|table| given(table.value.openai_challenge));
    Discovery {
        security: keys.security.and_then(|table| security(file, table, sources, today)),
        openai_challenge: challenge.and_then(|text| file.line(text)).map(|text| text.value),
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
        let what = format!("the security contact expired on {expires}");
        let hint = "check that `contact` is still right, and write a date within a year";
        // A service must be able to start on any day with content that was right when it was published.
        if sources.are_judged() {
            file.error(&date.span, what, hint);
        } else {
            file.warn(&date.span, what, hint);
        }
    } else if (expires - today).num_days() <= SOON {
        let what = format!("the security contact expires on {expires}");
        file.warn(&date.span, what, "check that `contact` is still right, and write a later date");
    }
    Some(SecurityContact { contact: contact?, expires })
}

fn contact_uri(file: &mut File<'_>, text: &Located<String>) -> Option<String> {
    let value = &text.value;
    let is_plain = value.bytes().all(|byte| byte.is_ascii_graphic());
    let is_address = match value.split_once(':') {
        Some(("mailto", rest)) => {
            rest.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty())
        }
        Some(("https", rest)) => rest.len() > 2 && rest.starts_with("//"),
        Some(("tel", rest)) => rest.starts_with('+'),
        _ => false,
    };
    if is_plain && is_address {
        return Some(value.clone());
    }
    let hint = match value.split_once('@') {
        Some(_) if is_plain && !value.contains(':') => Advice::write(format!("\"mailto:{value}\"")),
        _ => "write it like \"mailto:security@example.org\" or \"https://example.org/security\"".into(),
    };
    file.error(&text.span, format!("\"{value}\" is not an address for reports"), hint);
    None
}

/// What a picture must be.
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
    hint: "save it as a square PNG file of 512 to 4096 pixels",
};

const SHARE_IMAGE: Wanted = Wanted {
    what: "share image",
    formats: &[(PhotoFormat::Png, "assets/share.png"), (PhotoFormat::Jpeg, "assets/share.jpg")],
    has_size: |photo| photo.width >= 1200 && photo.height >= 630,
    hint: "save it as a PNG or JPEG file of at least 1200 by 630 pixels",
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
        let text = format!("there is no file \"{value}\" beside directory.toml");
        file.error(&name.span, text, format!("write the name of the {what}'s file, and put the file there"));
        return None;
    };
    let found = match picture {
        Picture::Photograph(photo) => {
            let path = formats.iter().find(|(format, _)| *format == photo.format).map(|(_, path)| *path);
            if let Some(path) = path.filter(|_| has_size(photo)) {
                let (width, height) = (photo.width, photo.height);
                return Some(Artwork { name: value.to_owned(), path, width, height, digest: *digest });
            }
            format!("{value} has {} by {} pixels as {}", photo.width, photo.height, photo.format.name())
        }
        Picture::Drawing => format!("{value} is a drawing"),
        Picture::Unusable(error) => format!("{value} is {error}"),
        Picture::Unsupported(name) | Picture::Other(name) => format!("{value} is {name}"),
    };
    file.error(&name.span, format!("{found}, which can't be the {what}"), *hint);
    None
}

#[cfg(test)]
mod tests;
