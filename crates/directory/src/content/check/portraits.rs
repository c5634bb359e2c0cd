//! The key `headshot`: the name of a picture in headshots/, or a web address.

use super::super::problem::{Advice, FileSpan};
use super::super::raw::Located;
use super::fields::File;
use crate::model::Headshot;

pub(super) const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "webp", "svg"];
/// How addresses of web pages end.
const PAGES: [&str; 5] = ["/", ".html", ".htm", ".php", ".aspx"];
/// Hosts whose addresses lead to a page with a picture and not to the picture itself, and the names of these services.
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

#[derive(Debug)]
pub(super) struct PortraitFile {
    pub(super) name: String,
    pub(super) place: FileSpan,
    pub(super) is_sound: bool,
}

/// Reads the portrait. Returns the name of the file as well, even if the value is wrong.
pub(super) fn read(
    file: &mut File<'_>,
    text: Option<Located<String>>,
) -> (Option<Headshot>, Option<PortraitFile>) {
    let Some(text) = text else { return (None, None) };
    let headshot = headshot(file, &text);
    let is_sound = headshot.is_some();
    let name = name_in(&text);
    (headshot, name.map(|name| PortraitFile { name, place: file.place(&text.span), is_sound }))
}

/// Reads a name or an address. `across::portraits` checks whether the file exists.
fn headshot(file: &mut File<'_>, text: &Located<String>) -> Option<Headshot> {
    let value = text.value.trim();
    if ["https://", "http://", "www."].iter().any(|beginning| value.starts_with(beginning)) {
        return read_address(file, text);
    }
    let what = format!("\"{value}\" isn't a portrait.");
    let name = value.rsplit(['/', '\\']).next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let extension = ENDINGS.into_iter().find(|known| ending.as_deref() == Some(*known));
    let is_name = !name.starts_with('.') && !name.contains("..");
    match extension {
        Some(ending) if is_name && name == value => {
            let extension = if ending == "svg" { "svg" } else { "jpg" };
            // `check` sets the digest once all files are read.
            Some(Headshot::File { name: value.to_owned(), extension, digest: [0; 32] })
        }
        Some(_) if is_name => {
            let advice = Advice::write(format!("\"{name}\""))
                .and(", without the folder, and make sure headshots/ has this file.");
            file.refuse(&text.span, what, advice)
        }
        _ => {
            let hint = "Save it as jpg, and write the name of a png, jpg, webp, or svg file in headshots/, \
                        or an https address.";
            file.refuse(&text.span, what, hint)
        }
    }
}

/// The service that shares a file at an address.
pub(super) fn sharing_service(address: &str) -> Option<&'static str> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let is_of = |known: &str| {
        host.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    SHARE_PAGES.iter().find(|(known, _)| is_of(known)).map(|(_, service)| *service)
}

fn read_address(file: &mut File<'_>, text: &Located<String>) -> Option<Headshot> {
    let value = text.value.trim();
    let rest = value.split_once("://").map_or(value, |(_, rest)| rest);
    if let Some(service) = sharing_service(value) {
        let what = format!("This is the address of a {service} page, not of the picture on it.");
        let hint = "Download the picture, put it in headshots/, and write that file's name here.";
        return file.refuse(&text.span, what, hint);
    }
    // An address such as `picture.php?id=1` is accepted, because a program can return a picture.
    let path = rest.split('#').next().unwrap_or_default();
    if !path.contains('/') || PAGES.iter().any(|ending| path.ends_with(ending)) {
        let what = "This is the address of a page, not of a picture.";
        let hint = "Open the picture alone in the browser, and copy its address here.";
        return file.refuse(&text.span, what, hint);
    }
    if let Some(rest) = value.strip_prefix("http://") {
        let advice = Advice::write(format!("\"https://{rest}\""));
        return file.refuse(&text.span, format!("\"{value}\" isn't encrypted."), advice);
    }
    file.check_picture_address(text).then(|| Headshot::Address(value.to_owned()))
}

fn name_in(text: &Located<String>) -> Option<String> {
    let value = text.value.trim();
    let name = value.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())?;
    (!value.contains("://")).then(|| name.to_owned())
}
