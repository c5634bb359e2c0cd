//! Portraits: the name of a picture in headshots/, or an address.

use std::collections::BTreeSet;

use super::super::load::{Source, Sources};
use super::super::picture::Picture;
use super::super::problem::{Advice, Place, Problem};
use super::super::raw::Located;
use super::super::words::nearest;
use super::fields::File;
use crate::model::Headshot;

/// The endings of pictures.
const ENDINGS: [&str; 4] = ["png", "jpg", "webp", "svg"];
/// The endings of web pages.
const PAGES: [&str; 5] = ["/", ".html", ".htm", ".php", ".aspx"];
/// Hosts of share pages, which show a picture and are none, with their names.
const SHARE_PAGES: [(&str, &str); 19] = [
    ("drive.google.com", "Google Drive"),
    ("docs.google.com", "Google Docs"),
    ("photos.google.com", "Google Photos"),
    ("photos.app.goo.gl", "Google Photos"),
    ("dropbox.com", "Dropbox"),
    ("1drv.ms", "OneDrive"),
    ("onedrive.live.com", "OneDrive"),
    ("sharepoint.com", "SharePoint"),
    ("icloud.com", "iCloud"),
    ("box.com", "Box"),
    ("wetransfer.com", "WeTransfer"),
    ("flickr.com", "Flickr"),
    ("instagram.com", "Instagram"),
    ("facebook.com", "Facebook"),
    ("linkedin.com", "LinkedIn"),
    ("canva.com", "Canva"),
    ("ibb.co", "ImgBB"),
    ("we.tl", "WeTransfer"),
    ("pinterest.com", "Pinterest"),
];

/// The file in headshots/ that a provider names.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: String,
    place: Place,
    /// Whether the name has no error.
    is_sound: bool,
}

/// Reads the portrait, and the name of a file even if the value is wrong.
pub(super) fn read(file: &mut File<'_>, text: Option<Located<String>>) -> (Option<Headshot>, Option<Named>) {
    let Some(text) = text else { return (None, None) };
    let headshot = headshot(file, &text);
    let is_sound = headshot.is_some();
    let name = name_in(&text);
    (headshot, name.map(|name| Named { name, place: file.place(&text.span), is_sound }))
}

/// Reads a name or an address. Whether the file exists is checked across files.
fn headshot(file: &mut File<'_>, text: &Located<String>) -> Option<Headshot> {
    let value = text.value.trim();
    if ["https://", "http://", "www."].iter().any(|beginning| value.starts_with(beginning)) {
        return read_address(file, text);
    }
    let what = format!("\"{value}\" is not a portrait");
    let name = value.rsplit(['/', '\\']).next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let extension = ENDINGS.into_iter().find(|known| ending.as_deref() == Some(*known));
    let is_name = !name.starts_with('.') && !name.contains("..");
    let foreign = ["heic", "heif", "avif", "gif", "tif", "tiff", "bmp", "pdf"];
    match extension {
        Some(extension) if is_name && name == value => {
            Some(Headshot::File { name: value.to_owned(), extension })
        }
        Some(_) if is_name => {
            let advice = Advice::write(format!("\"{name}\""))
                .and(": the name of a file in headshots/, without the folder");
            file.error(&text.span, what, advice);
            None
        }
        None if matches!(ending.as_deref(), Some("jpeg" | "jpe")) && is_name => {
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let hint = format!("rename the file in headshots/ to {stem}.jpg, and write \"{stem}.jpg\" here");
            file.error(&text.span, what, hint);
            None
        }
        None if ending.as_deref().is_some_and(|ending| foreign.contains(&ending)) => {
            let hint = "save it as jpg, put that file into headshots/, and write its name here";
            file.error(&text.span, what, hint);
            None
        }
        _ => {
            let hint = "write the name of a png, jpg, webp or svg file in headshots/, or an https address";
            file.error(&text.span, what, hint);
            None
        }
    }
}

fn read_address(file: &mut File<'_>, text: &Located<String>) -> Option<Headshot> {
    let value = text.value.trim();
    let rest = value.split_once("://").map_or(value, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let is_of = |known: &str| {
        host.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    if let Some((_, service)) = SHARE_PAGES.iter().find(|(known, _)| is_of(known)) {
        let what = format!("this is the address of a page of {service}, and not of the picture on it");
        let hint = "download the picture, put it into headshots/, and write the name of that file here";
        file.error(&text.span, what, hint);
        return None;
    }
    // A page with a query is fine: a program behind it can make a picture.
    let path = rest.split('#').next().unwrap_or_default();
    if !path.contains('/') || PAGES.iter().any(|ending| path.ends_with(ending)) {
        let what = "this is the address of a page, and not of a picture";
        let hint =
            "write the address of the picture itself: open it alone in the browser, and copy its address";
        file.error(&text.span, what, hint);
        return None;
    }
    if let Some(rest) = value.strip_prefix("http://") {
        let advice = Advice::write(format!("\"https://{rest}\""));
        file.error(&text.span, format!("\"{value}\" is not encrypted on its way"), advice);
        return None;
    }
    file.is_picture_address(text).then(|| Headshot::Address(value.to_owned()))
}

/// The name of the file that a value is about, right or wrong.
fn name_in(text: &Located<String>) -> Option<String> {
    let value = text.value.trim();
    let name = value.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())?;
    (!value.contains("://")).then(|| name.to_owned())
}

pub(super) fn are_there_and_used(
    sources: &Sources,
    named: &[&Named],
    told: &BTreeSet<String>,
    knows_all: bool,
    problems: &mut Vec<Problem>,
) {
    let portraits =
        sources.below("headshots").filter(|(_, source)| matches!(source, Source::Portrait { .. }));
    let present: BTreeSet<&str> = portraits.filter_map(|(path, _)| path.strip_prefix("headshots/")).collect();
    let mut used = BTreeSet::new();
    for Named { name, place, is_sound } in named {
        used.insert(name.as_str());
        if !is_sound {
            continue;
        }
        let is_told = told.contains(&format!("headshots/{name}"));
        if let Some(Source::Portrait { picture, .. }) = sources.get(&format!("headshots/{name}")) {
            problems.extend(is_as_named(name, *picture, place));
        } else if !present.contains(name.as_str()) && !is_told {
            let near = nearest(name, present.iter().copied());
            used.extend(near);
            let hint = match near {
                Some(near) => Advice::meant(format!("\"{near}\"")),
                None => {
                    "put the file there, or delete this line: a clinician can be without a portrait".into()
                }
            };
            problems
                .push(Problem::error(place.clone(), format!("there is no file headshots/{name}")).hint(hint));
        }
    }
    if knows_all {
        for name in present.difference(&used) {
            let place = Place::file(&format!("headshots/{name}"));
            let warning = Problem::warning(place, "no provider uses this portrait, so it is not published");
            problems.push(warning.hint("delete it, or name it in a provider's file: headshot = \"…\""));
        }
    }
}

/// Reports a portrait whose content is not what its ending says: browsers look at both.
fn is_as_named(name: &str, picture: Picture, place: &Place) -> Option<Problem> {
    let (stem, ending) = name.rsplit_once('.')?;
    let convert = "open it in Preview, Photos or Paint, export it as JPEG, and put that file in its place; another \
                   name alone does not change what it is";
    let (what, advice) = match picture {
        Picture::Shown(right) if ending.eq_ignore_ascii_case(right) => return None,
        Picture::Shown(right) => {
            let meant = format!("{stem}.{right}");
            let advice = Advice::from(format!("rename the file to {meant}, and write \"{meant}\" here"));
            (format!("headshots/{name} is {right} by its content, and not {ending}"), advice)
        }
        Picture::Hidden(found) => {
            (format!("headshots/{name} is {found}, which browsers do not show"), convert.into())
        }
        Picture::Unknown(found) => {
            let hint = "put the picture itself there: a png, jpg, webp or svg file";
            (format!("headshots/{name} is {found}, and not a picture"), hint.into())
        }
    };
    Some(Problem::error(place.clone(), what).hint(advice))
}
