//! `booking-url` of `directory.toml`: a URI template (RFC 6570). Websites, assistants and the clinic's own pages fill it in,
//! so the host is fixed, and only the operators that all of them understand are allowed.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::super::mistakes::{ON_COMPUTER, WITH_HTTPS, is_of_computer};
use super::super::problem::Advice;
use super::super::raw::Located;
use super::fields::File;
use super::starter;
use crate::near::nearest;

/// The names that answers of `/v1/availability` use.
const VARIABLES: [&str; 4] = [PROVIDER, "startTime", "appointmentType", STATE];
const PROVIDER: &str = "providerSlug";
const STATE: &str = "state";
/// What other names of variables contain.
const MEANT: [(&str, &str); 4] = [
    ("slug provider clinician doctor name", PROVIDER),
    ("time start date slot", "startTime"),
    ("type visit appointment", "appointmentType"),
    ("region", STATE),
];
/// Their pages have addresses that no slug completes.
const SERVICES: [&str; 12] = [
    "acuityscheduling",
    "as",
    "calendly",
    "healow",
    "janeapp",
    "nexhealth",
    "setmore",
    "simplepractice",
    "square",
    "squareup",
    "vagaro",
    "zocdoc",
];
/// What people write in place of braces.
const BRACKETS: [(&str, &str); 3] = [("[", "]"), ("<", ">"), ("{{", "}}")];
const EXAMPLE: &str = "\"https://book.example.org/{providerSlug}{?startTime,appointmentType,state}\"";
/// The template is part of a tool's description, which every assistant reads.
const LONGEST: usize = 300;

type Wrong = (String, Advice);

fn wrong<T>(what: impl Into<String>, hint: impl Into<Advice>) -> Result<T, Wrong> {
    Err((what.into(), hint.into()))
}

pub(super) fn read(file: &mut File<'_>, text: Option<Located<String>>) -> Option<String> {
    let text = text?;
    starter::warn_of_example(file, &text);
    let template = text.value.trim();
    match check(template) {
        Ok(()) => Some(template.to_owned()),
        Err((what, hint)) => file.refuse(&text.span, what, hint),
    }
}

fn check(template: &str) -> Result<(), Wrong> {
    if template.len() > LONGEST {
        let what = format!("This address has {} characters; the limit is {LONGEST}.", template.len());
        return wrong(what, "Remove what the booking page doesn't need.");
    }
    if is_of_computer(template) {
        return wrong(ON_COMPUTER, WITH_HTTPS);
    }
    // "[providerSlug]", "<state>"
    for (variable, (open, close)) in VARIABLES.iter().flat_map(|name| BRACKETS.map(|pair| (name, pair))) {
        let marked = format!("{open}{variable}{close}");
        if template.contains(&marked) {
            let written = template.replace(&marked, &format!("{{{variable}}}"));
            return wrong(
                format!("The variable {variable} needs braces."),
                Advice::meant(format!("\"{written}\"")),
            );
        }
    }
    check_characters(template)?;
    check_escapes(template)?;
    let rest = template.split_once("://").map_or(template, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default().to_ascii_lowercase();
    let name = host.split('.').rev().nth(1);
    if name.is_some_and(|name| SERVICES.contains(&name)) && !template.contains(&format!("{{{PROVIDER}}}")) {
        let what = format!("This page of {host} would be the same for all clinicians.");
        let hint = "Write an address of your own website with {providerSlug} in it, which forwards to each \
                    clinician's page, such as \"https://clinic.example/book/{providerSlug}\". Or delete this line: \
                    patients then see the phone number.";
        return wrong(what, hint);
    }
    check_host(template)?;
    if names(template)?.contains(&PROVIDER) {
        return Ok(());
    }
    let what = "This address has no {providerSlug}, so all clinicians would have the same booking page.";
    wrong(what, format!("Write {{{PROVIDER}}} where the clinician belongs, like {EXAMPLE}."))
}

fn check_characters(template: &str) -> Result<(), Wrong> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&()*+,;=%{}".contains(c);
    match template.chars().find(|&c| !is_allowed(c)) {
        None => Ok(()),
        Some(c) if c.is_whitespace() => {
            wrong("This address contains a space.", format!("Write it without one, like {EXAMPLE}."))
        }
        Some(c) => {
            let encoded = utf8_percent_encode(c.encode_utf8(&mut [0; 4]), NON_ALPHANUMERIC).to_string();
            wrong(format!("A booking address can't contain \"{c}\"."), format!("Write {encoded} instead."))
        }
    }
}

fn check_escapes(template: &str) -> Result<(), Wrong> {
    let is_escape = |rest: &str| {
        rest.as_bytes().first_chunk::<2>().is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if template.match_indices('%').all(|(at, _)| is_escape(&template[at + 1..])) {
        return Ok(());
    }
    wrong("In an address, two hexadecimal digits must follow a %.", "Write %25 for the sign itself.")
}

fn check_host(template: &str) -> Result<(), Wrong> {
    if let Some(rest) = template.strip_prefix("http://") {
        let what = "This booking address isn't encrypted, and patients send it the time they choose.";
        return wrong(what, Advice::write(format!("\"https://{rest}\"")));
    }
    let Some(rest) = template.strip_prefix("https://") else {
        return wrong("A booking address begins with https://.", format!("Write it like {EXAMPLE}."));
    };
    let (host, after) = rest.split_at(rest.find(['/', '?', '#', '{']).unwrap_or(rest.len()));
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':');
    if !host.starts_with(|c: char| c.is_ascii_alphanumeric()) || !host.bytes().all(is_host) {
        let what = format!("\"{host}\" isn't a valid host name.");
        return wrong(what, format!("Write it like {EXAMPLE}."));
    }
    if after.starts_with('{') && !after.starts_with("{?") {
        let what = "A variable right after the host would change the host.";
        return wrong(what, Advice::write(format!("\"https://{host}/{after}\"")));
    }
    Ok(())
}

fn names(template: &str) -> Result<Vec<&str>, Wrong> {
    let (mut names, mut rest, mut has_query) = (Vec::new(), template, false);
    while let Some(at) = rest.find(['{', '}']) {
        let (literal, tail) = rest.split_at(at);
        has_query |= literal.contains('?');
        let Some(tail) = tail.strip_prefix('{') else {
            let hint = format!("Write each variable in braces, like {EXAMPLE}.");
            return wrong("This } has no { before it.", hint);
        };
        let Some((expression, after)) = tail.split_once('}') else {
            let hint = format!("Write a }} after the variable, like {EXAMPLE}.");
            return wrong(format!("\"{{{tail}\" has no }} at its end."), hint);
        };
        let list = expression.strip_prefix(['?', '&']).unwrap_or(expression);
        if expression.starts_with('?') && has_query {
            let what = format!("{{{expression}}} begins a second query: there is already a ? before it.");
            return wrong(what, format!("Write {{&{list}}}."));
        }
        if expression.starts_with('&') && !has_query {
            let what = format!("{{{expression}}} continues a query, but there is no ? before it.");
            return wrong(what, format!("Write {{?{list}}}."));
        }
        if expression.starts_with('?') {
            // A visit that can be booked in several states has no state, and then the question mark is missing.
            if list == STATE && after.contains('&') {
                let what = "{?state} is empty for a visit in several states, and then the query has no ?.";
                return wrong(what, "Write {&state} at the end of the query.");
            }
            has_query = true;
        }
        for name in list.split(',') {
            if !VARIABLES.contains(&name) {
                return unknown(name, expression, template);
            }
            names.push(name);
        }
        rest = after;
    }
    Ok(names)
}

fn unknown<T>(name: &str, expression: &str, template: &str) -> Result<T, Wrong> {
    let is_letter = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let plain: String = name.chars().filter(is_letter).collect();
    if plain != name {
        let what = format!("booking-url doesn't understand {{{expression}}}.");
        return wrong(what, format!("Write {{{plain}}}, {{?{plain}}} or {{&{plain}}}."));
    }
    let what = format!("\"{name}\" isn't a variable of booking-url.");
    let lower = name.to_lowercase();
    let known = MEANT.iter().find(|(words, _)| words.split(' ').any(|word| lower.contains(word)));
    let near = nearest(name, VARIABLES.into_iter()).or(known.map(|(_, variable)| *variable));
    match near.filter(|near| !template.contains(near)) {
        Some(near) => {
            let at = template.find(expression).unwrap_or_default();
            let written = format!("{}{}", &template[..at], template[at..].replacen(name, near, 1));
            wrong(what, Advice::meant(format!("\"{written}\"")))
        }
        None => wrong(what, format!("Write one of {}, like {EXAMPLE}.", VARIABLES.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_that_others_understand_are_accepted() {
        for template in [
            "https://book.example/{providerSlug}",
            "https://book.example/{providerSlug}{?startTime,appointmentType,state}",
            "https://book.example?clinic=12&who={providerSlug}{&startTime}",
            "https://book.example:8443{?providerSlug}{&state}",
            "https://book.example/#/new/{providerSlug}",
            "https://book.example/%7Enew/{providerSlug}",
        ] {
            assert!(check(template).is_ok(), "{template}");
        }
    }

    #[test]
    fn other_templates_are_refused() {
        for (template, what) in [
            ("javascript:alert(1)//{providerSlug}", "begins with https://"),
            ("https://user@book.example/{providerSlug}", "isn't a valid host name"),
            ("https://{providerSlug}.example/", "isn't a valid host name"),
            ("https://book.example/", "no {providerSlug}"),
            ("https://calendly-fans.example/new", "no {providerSlug}"),
            ("https://calendly.com/larkspur-health/new-patient", "page of calendly.com would be"),
            (
                "https://larkspur.clientsecure.me.simplepractice.com",
                "page of larkspur.clientsecure.me.simplepractice.com",
            ),
            ("https://book.example/[providerSlug]", "needs braces"),
            ("https://book.example/<providerSlug>?at={startTime}", "needs braces"),
            ("https://book.example/{+providerSlug}", "doesn't understand"),
            ("https://book.example/{providerSlug*}", "doesn't understand"),
            ("https://book.example/{providerSlug", "has no }"),
            ("https://book.example/providerSlug}", "no { before it"),
            ("https://book.example/{}", "isn't a variable"),
            (
                "https://book.example/{providerSlug}{?state}{&startTime}",
                "empty for a visit in several states",
            ),
            ("https://book.example/{providerSlug}?q=\"", "can't contain"),
            ("https://book.example/{providerSlug}\\", "can't contain"),
            ("https://book.example/50%off/{providerSlug}", "two hexadecimal digits"),
            ("https://book.example/é/{providerSlug}", "can't contain"),
            ("https://book.example/ {providerSlug}", "a space"),
        ] {
            let found = check(template).map_err(|(what, _)| what);
            assert!(found.as_ref().is_err_and(|found| found.contains(what)), "{template}: {found:?}");
        }
        let long = format!("https://book.example/{}{{providerSlug}}", "a".repeat(LONGEST));
        assert!(check(&long).is_err());
    }
}
