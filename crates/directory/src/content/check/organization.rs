//! `directory.toml`.

mod zip;

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::super::parse::given;
use super::super::problem::{Advice, Problem};
use super::super::problems::Problems;
use super::super::raw::{AddressTable, DirectoryFile, Located, Text};
use super::super::sources::Sources;
use super::super::texts::texts_in;
use super::address::is_loopback;
use super::fields::File;
use super::lints::has_placeholder;
use super::{accuracy, booking, discovery, hosts, languages, patients, search_words, standards, starter};
use crate::model::{Accuracy, Address, Language, Organization, Phone, StateCode, Texts};

use super::super::sources::ORGANIZATION_PATH as PATH;

/// Where a service answers assistants.
const MCP_PATH: &str = "/api/mcp";

#[derive(Default)]
pub(super) struct OrganizationFile {
    pub(super) organization: Option<Organization>,
    pub(super) texts: Vec<Texts>,
    pub(super) policy: Option<Accuracy>,
}

pub(super) fn read(sources: &Sources, today: NaiveDate, problems: &mut Problems) -> OrganizationFile {
    let Some(text) = sources.text(PATH) else {
        if !problems.has(PATH) {
            let missing = Problem::in_file(PATH, "This file is missing.");
            problems.push(missing.hint(
                "It names the clinic. Restore it, or run `nameplate init example`, and copy `example/directory.toml` here.",
            ));
        }
        return OrganizationFile::default();
    };
    let (mut file, raw) = File::read::<DirectoryFile>(PATH, text, problems);
    let addresses = hosts::addresses(&raw);
    let mut required = |text: Text, key: &str, example: &str| file.required_line(text, None, key, example);
    let name = required(raw.name, "name", "\"Larkspur Health\"");
    let description = required(raw.description, "description", "\"Virtual care for midlife\"");
    let api_url = required(raw.api_url, "api-url", "\"https://api.example.org\"");
    let mcp_url = required(raw.mcp_url, "mcp-url", "\"https://api.example.org/api/mcp\"");
    let site_url = required(raw.site_url, "site-url", "\"https://example.org\"");
    for text in [&name, &description, &api_url, &mcp_url, &site_url].into_iter().flatten() {
        starter::warn_of_example(&mut file, text);
    }
    let live_url = given(raw.live_url);
    let booking_url = booking::read(&mut file, given(raw.booking_url));
    let content_language = content_language(&mut file, given(raw.content_language));
    let texts = site_texts(&mut file, raw.site_languages, content_language);
    let address = raw.address.map(|address| read_address(&mut file, address.value));
    let state = address.as_ref().and_then(|address| address.state);
    let patients = raw.patients.map(|table| patients::read(&mut file, table, state)).unwrap_or_default();
    let search_words = search_words::read(&mut file, raw.search_words);
    let standards = raw.standards.map(|table| standards::read(&mut file, table.value));
    let discovery = discovery::read(
        &mut file,
        discovery::Keys {
            logo: given(raw.logo),
            share_image: given(raw.share_image),
            security: raw.security,
            notices: raw.notices,
            origin_trials: raw.webmcp_origin_trial,
            listing: raw.listing,
            robots: raw.robots,
        },
        sources,
        today,
    );
    hosts::warn_of_mistyped(&mut file, &addresses);
    let policy = raw.accuracy.and_then(|table| accuracy::read(&mut file, table, today));
    let mut url = |text: &Option<_>| text.as_ref().and_then(|text| file.web_address(text));
    let [api, mcp, site, fallback] = [&api_url, &mcp_url, &site_url, &live_url].map(&mut url);
    for text in [&api_url, &mcp_url, &site_url].into_iter().flatten() {
        warn_of_test_host(&mut file, text);
    }
    if let (Some(api), Some(mcp), Some(text)) = (&api, &mcp, &mcp_url) {
        warn_of_mcp_elsewhere(&mut file, text, api, mcp);
    }
    if let (Some(site), Some(text)) = (&site, &site_url)
        && [".html", ".htm", ".php", ".aspx", "/providers"].iter().any(|ending| site.ends_with(ending))
    {
        let what = format!("This is the address of a page: profiles would be at {site}/providers/<slug>.");
        file.warn(&text.span, what, "Write the address of the site, like \"https://example.org\".");
    }
    if let (Some(fallback), Some(text)) = (&fallback, &live_url) {
        if !is_host_alone(fallback) {
            let what = "live-url can only be a host: a CDN passes each request on with its own path.";
            file.error(&text.span, what, "Write it without a path, like \"https://live.example.org\".");
        } else if is_https_with_ip(fallback) {
            let what =
                "live-url can't be https with an IP address: a CDN checks a certificate by its host name.";
            let hint = "Write the host name, like \"https://live.example.org\", or use http:// on the same \
                        machine.";
            file.error(&text.span, what, hint);
        }
        let others = [(&api, &api_url), (&mcp, &mcp_url), (&site, &site_url)];
        if let Some((_, Some(same))) = others.into_iter().find(|(other, _)| other.as_ref() == Some(fallback))
        {
            let what = "live-url must differ from the other addresses: a CDN sends it the requests that it can't \
                        answer.";
            let problem = Problem::error(file.place(&text.span), what);
            let problem = problem.also(file.place(&same.span), "the same address");
            file.add(problem.hint("Give the live service its own host."));
        }
    }
    let organization = || {
        Some(Organization {
            name: name?.value,
            description: description?.value,
            api_url: api?,
            mcp_url: mcp?,
            site_url: site?,
            live_url: fallback,
            booking_url,
            address,
            patients,
            search_words,
            standards,
            discovery,
        })
    };
    OrganizationFile { organization: organization(), texts, policy }
}

/// Warns of an address of this computer or of a copy for tests, which patients should not get.
fn warn_of_test_host(file: &mut File<'_>, text: &Located<String>) {
    let address = text.value.trim();
    let host = address.split_once("://").map_or(address, |(_, rest)| rest);
    let first = host.split(['/', ':', '.']).next().unwrap_or_default();
    let what = if is_loopback(host) {
        "This address works only on this computer."
    } else if ["staging", "stage"].iter().any(|name| first == *name || first.ends_with(&format!("-{name}"))) {
        "This looks like the address of a test copy."
    } else {
        return;
    };
    file.warn(&text.span, what, "Write the address that patients use before you publish.");
}

fn content_language(file: &mut File<'_>, text: Option<Located<String>>) -> Option<Language> {
    let text = text?;
    let language = text.value.trim().parse().ok();
    if language.is_none() {
        let what = format!("\"{}\" isn't a language.", text.value);
        let hint = "Write one language's English name, like \"English\", or its two-letter code.";
        file.error(&text.span, what, hint);
    }
    language
}

/// English alone if the file does not say. `written` is the language of the content, if it is not the first of these.
fn site_texts(
    file: &mut File<'_>,
    list: Option<Located<Vec<Located<String>>>>,
    written: Option<Language>,
) -> Vec<Texts> {
    if let Some(list) = &list
        && file.is_written_empty(list)
    {
        let hint = "Write \"English\" between the brackets, or delete the line.";
        file.error(&list.span, "`site-languages` is empty.", hint);
    }
    let mut listed = languages::read(file, list.map(|list| list.value));
    listed.retain(|Located { value: language, span }| {
        let is_known = texts_in(*language).is_some();
        if !is_known {
            let what = format!("Pages aren't available in {}.", language.name());
            file.error(span, what, "Delete it: pages can be in English and Spanish.");
        }
        is_known
    });
    let languages: Vec<Language> = listed.into_iter().map(|language| language.value).collect();
    let languages = if languages.is_empty() { "en".parse().into_iter().collect() } else { languages };
    let content = written.or(languages.first().copied());
    let texts = languages.into_iter().enumerate().filter_map(|(number, language)| {
        let base = if number == 0 { String::new() } else { format!("/{}", language.code()) };
        let own = BTreeMap::new();
        Some(Texts { language, content: content?, base, table: texts_in(language)?, own })
    });
    texts.collect()
}

/// Whether an address consists of a scheme and a host, perhaps with a port.
fn is_host_alone(address: &str) -> bool {
    let host = address.split_once("://").map_or(address, |(_, host)| host);
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'[' | b']');
    host.bytes().all(is_host)
}

/// Warns unless Nameplate answers assistants there. One process can answer at all hosts of the clinic.
fn warn_of_mcp_elsewhere(file: &mut File<'_>, text: &Located<String>, api: &str, mcp: &str) {
    let is_on_domain = host_and_path(mcp).1 == MCP_PATH && domain(mcp) == domain(api);
    if mcp.strip_prefix(api) != Some(MCP_PATH) && !is_on_domain {
        let what =
            format!("Nameplate answers assistants at api-url followed by {MCP_PATH}, not at this address.");
        file.warn(&text.span, what, format!("Write mcp-url = \"{api}{MCP_PATH}\", unless api-url is wrong."));
    }
}

fn host_and_path(address: &str) -> (&str, &str) {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split_at(rest.find('/').unwrap_or(rest.len()))
}

/// The last two labels of an address's host.
fn domain(address: &str) -> &str {
    let (host, _) = host_and_path(address);
    host.rmatch_indices('.').nth(1).map_or(host, |(at, _)| &host[at + 1..])
}

fn is_https_with_ip(address: &str) -> bool {
    let Some((scheme, authority)) = address.split_once("://") else { return false };
    let host = authority.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
    let host = host.map_or(authority, |(host, _)| host);
    let is_number = host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok();
    scheme.eq_ignore_ascii_case("https") && is_number
}

const PHONES: &str = "Write one, such as \"510-555-0100\" or \"510-555-0100 ext. 12\".";

/// Reads a phone number. Pages link to it, so it must be one that can be dialed.
fn read_phone(file: &mut File<'_>, text: &Located<String>) -> Option<Phone> {
    let phone = Phone::parse(&text.value);
    if phone.as_ref().is_some_and(|phone| phone.dial().replace('-', "") == "+15555555555")
        || has_placeholder(&text.value)
    {
        file.warn(&text.span, "This is a placeholder for a phone number.", "Write the clinic's own number.");
    }
    if phone.is_none() {
        let digits = text.value.bytes().filter(u8::is_ascii_digit).count();
        let is_number = text.value.bytes().all(|sign| sign.is_ascii_digit() || b" -.()".contains(&sign));
        let what = match digits {
            _ if !is_number => format!("\"{}\" isn't a phone number that can be dialed.", text.value),
            10 => format!("\"{}\" isn't a US number: a number begins with 2 to 9.", text.value),
            _ => format!("\"{}\" has {digits} digits; a US number has 10.", text.value),
        };
        let number = text.value.trim_start_matches([' ', '(']);
        let advice = match digits - usize::from(number.trim_start_matches('+').starts_with('1')) {
            0 => "Write the number, such as \"510-555-0100\".",
            _ if number.starts_with('+') && !number.starts_with("+1") => PHONES,
            _ if number.contains(char::is_alphabetic) => PHONES,
            9 => "A digit is missing. Look the number up, and write all ten digits.",
            7 => "The area code is missing. Write it before the number, such as \"(510) …\".",
            11.. if is_number => "There is a digit too many. Look the number up, and write its ten digits.",
            _ => PHONES,
        };
        // A phone ignores what is dialed behind ten digits, so words may be longer.
        let kept = (1..4).find_map(|more| {
            let kept = text.value.get(..text.value.len().checked_sub(more)?)?;
            kept.ends_with(|sign: char| sign.is_ascii_alphabetic()).then(|| Phone::parse(kept))?
        });
        let advice = match kept.filter(|_| digits < 10 && text.value.ends_with(char::is_alphabetic)) {
            Some(phone) => Advice::meant(format!("\"{}\"", phone.dial())),
            None => advice.into(),
        };
        file.error(&text.span, what, advice);
    }
    phone
}

fn read_address(file: &mut File<'_>, raw: AddressTable) -> Address {
    let city = given(raw.city).and_then(|text| file.line(text));
    if let Some((city, (name, _))) = city.as_ref().and_then(|city| Some((city, city.value.split_once(',')?)))
    {
        let what = "Leave the state out of the city: pages show the state, too.";
        file.warn(&city.span, what, Advice::meant(format!("\"{name}\"")));
    }
    let code = given(raw.postal_code).and_then(|text| file.line(text));
    let phone = given(raw.phone).and_then(|text| file.line(text)).and_then(|text| read_phone(file, &text));
    let state = given(raw.state).and_then(|text| file.state(&text));
    let is_state = |city: &str| city != "New York" && state.is_some_and(|state| state.name() == city);
    if let Some(text) = city.as_ref().filter(|text| is_state(&text.value)) {
        file.warn(&text.span, format!("{} is a state, not a city.", text.value), "Write the city.");
    }
    let postal_code = code.map(|code| (read_postal_code(file, &code, state), code.span));
    if let (Some((code, span)), Some(state)) = (&postal_code, state)
        && let Some(other) = zip::other_state(code, state)
    {
        let what =
            format!("The ZIP code {code} is in {other}, but the state is \"{state}\" ({}).", state.name());
        file.warn(span, what, "Correct the wrong one.");
    }
    let lines = file.lines(raw.line);
    let [zip, town] = [postal_code.as_ref().map(|(code, _)| code), city.as_ref().map(|city| &city.value)];
    for text in &lines {
        let Some((street, rest)) = text.value.split_once(',') else { continue };
        if zip.is_some_and(|zip| rest.contains(zip)) || town.is_some_and(|town| rest.trim().starts_with(town))
        {
            let what = "Pages show the city and the ZIP code behind this line.";
            file.warn(&text.span, what, Advice::meant(format!("\"{street}\"")));
        }
    }
    Address {
        line: lines.into_iter().map(|text| text.value).collect(),
        city: city.map(|text| text.value),
        state,
        postal_code: postal_code.map(|(code, _)| code),
        phone,
    }
}

/// Reads a ZIP code of five or nine digits. Another text is used with a warning.
fn read_postal_code(file: &mut File<'_>, code: &Located<String>, state: Option<StateCode>) -> String {
    let has_digits =
        |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_zip = match code.value.split_once('-') {
        Some((zip, more)) => has_digits(zip, 5) && has_digits(more, 4),
        None => has_digits(&code.value, 5),
    };
    if !is_zip {
        let what = format!("\"{}\" isn't a ZIP code: a ZIP code has five digits.", code.value);
        let padded = format!("{:0>5}", code.value);
        let is_short = has_digits(&code.value, 4) || has_digits(&code.value, 3);
        let hint = if is_short && state.is_none_or(|state| zip::is_in(&padded, state)) {
            Advice::write(format!("\"{padded}\"")).and(" if a spreadsheet removed the first 0.")
        } else if is_short {
            "A digit is missing. Look the ZIP code up, and write all five digits.".into()
        } else {
            "Write it like \"02139\" or \"02139-4307\".".into()
        };
        file.warn(&code.span, what, hint);
    }
    code.value.clone()
}
