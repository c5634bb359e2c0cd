//! The hosts of the clinic's addresses: one that is a letter or two from the others was probably mistyped.

use strsim::osa_distance;

use super::super::raw::{DirectoryFile, Located, Text};
use super::fields::File;

/// Endings that no host has.
const ENDINGS: [(&str, &str); 5] =
    [("con", "com"), ("cmo", "com"), ("ocm", "com"), ("ogr", "org"), ("nte", "net")];
/// Shorter names differ in a letter by chance, such as api and app.
const SHORTEST: usize = 5;
/// From this length on, two letters can be wrong.
const LONG: usize = 8;

/// The addresses of the file whose hosts are compared, before they are read.
pub(super) fn addresses(raw: &DirectoryFile) -> Vec<Located<String>> {
    let notices = raw.notices.as_ref().map(|table| &table.value);
    let notices = notices.map(|table| {
        let pages = [&table.nondiscrimination, &table.languages, &table.accessibility];
        [&table.privacy, &table.terms, &table.support].into_iter().chain(pages)
    });
    let contact = raw.security.as_ref().map(|table| &table.value.contact);
    let own: [&Text; 4] = [&raw.api_url, &raw.mcp_url, &raw.site_url, &raw.booking_url];
    let all = own.into_iter().chain(notices.into_iter().flatten()).chain(contact);
    all.flatten().filter(|text| host(&text.value).is_some()).cloned().collect()
}

pub(super) fn warn_of_mistyped(file: &mut File<'_>, addresses: &[Located<String>]) {
    let hosts: Vec<String> =
        addresses.iter().filter_map(|text| Some(host(&text.value)?.to_lowercase())).collect();
    let like = |wanted: &str| hosts.iter().filter(|host| different(host, wanted).next().is_none()).count();
    for (at, (text, own)) in addresses.iter().zip(&hosts).enumerate() {
        let ending = ENDINGS.iter().find_map(|(wrong, right)| {
            let meant = own.strip_suffix(wrong).filter(|rest| rest.ends_with('.'))?;
            Some((format!("No host ends in .{wrong}."), format!("{meant}{right}")))
        });
        let near = || {
            let others = hosts.iter().enumerate().filter_map(|(number, other)| {
                let mut labels = different(own, other);
                let (wrong, right) = labels.next().filter(|_| labels.next().is_none())?;
                let is_rarer = (like(own), number) < (like(other), at);
                (is_near(wrong, right) && is_rarer).then_some((other, wrong, right))
            });
            let (other, wrong, right) = others.max_by_key(|(other, ..)| like(other))?;
            let what = format!("\"{own}\" is almost \"{other}\", the host of another address here.");
            Some((what, own.replacen(wrong, right, 1)))
        };
        if let Some((what, meant)) = ending.or_else(near) {
            let address = text.value.replacen(host(&text.value).unwrap_or(own), &meant, 1);
            let hint = format!("Did you mean \"{address}\"?");
            file.warn(&text.span, what, hint);
        }
    }
}

fn host(address: &str) -> Option<&str> {
    let rest = address.trim().strip_prefix("mailto:").and_then(|rest| Some(rest.split_once('@')?.1));
    let rest = rest.or_else(|| Some(address.trim().split_once("://")?.1))?;
    rest.split(['/', ':', '?', '#']).next().filter(|host| host.contains('.'))
}

/// The labels in which two hosts differ, where the shorter one is compared with the end of the other.
fn different<'a>(one: &'a str, other: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    one.rsplit('.').zip(other.rsplit('.')).filter(|(one, other)| one != other)
}

fn is_near(one: &str, other: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let shortest = one.len().min(other.len());
    let most = if shortest < LONG { 1 } else { 2 };
    shortest >= SHORTEST && digits(one) == digits(other) && osa_distance(one, other) <= most
}
