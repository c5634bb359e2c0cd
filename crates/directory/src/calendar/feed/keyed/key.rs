//! The name of a key: `<site>.p.<slug>` or `<site>.s.<Schedule id>`.

use std::borrow::Cow;
use std::sync::Arc;

use super::super::line::Owner;
use crate::model::Slug;

/// The longest name of a site.
const MAX_SITE: usize = 32;

/// The name of a key whose value is lines of a feed: a site, and whose time its value is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SlotKey {
    name: Arc<str>,
    /// Where the site ends in the name.
    site: usize,
    pub(super) owner: Owner<'static>,
}

impl SlotKey {
    /// Reads a name. In the id of a Schedule, `=XX` stands for another byte than a letter, a digit, `-` or `_`. These four
    /// are never written as `=XX`, so each id has one name: of two names, one key would replace the other's busy time.
    pub fn parse(name: &str) -> Result<Self, &'static str> {
        let (site, rest) = name.split_once('.').ok_or("it does not begin with a site and a dot")?;
        if !is_site(site) {
            return Err("it does not begin with the name of a site");
        }
        let owner = match rest.split_once('.') {
            Some(("p", slug)) if slug.parse::<Slug>().is_ok() => Owner::Provider(slug.to_owned().into()),
            Some(("p", _)) => return Err("what follows p. is not a valid slug"),
            Some(("s", id)) => Owner::Schedule(unescaped(id).ok_or(
                "what follows s. is not a Schedule's id with = and two hexadecimal digits for each byte other than a \
                 letter, a digit, - or _",
            )?),
            _ => return Err("after the site it has neither p. nor s. nor beat"),
        };
        Ok(Self { name: name.into(), site: site.len(), owner })
    }

    /// A key that was read before.
    pub(super) fn known(name: Arc<str>, site: usize, owner: Owner<'static>) -> Self {
        Self { name, site, owner }
    }

    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    #[must_use]
    pub fn site(&self) -> &str {
        &self.name[..self.site]
    }
}

/// Whether a text is the name of a site: 1 to 32 lower-case letters, digits and hyphens.
#[must_use]
pub fn is_site(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=MAX_SITE).contains(&text.len()) && text.bytes().all(is_letter)
}

/// What is wrong with the name of a site.
#[must_use]
pub fn not_a_site(text: &str) -> String {
    format!("\"{text}\" is not a valid site: write 1 to {MAX_SITE} lower-case letters, digits and hyphens")
}

fn unescaped(text: &str) -> Option<Cow<'static, str>> {
    let mut id = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'=' => {
                let digits = [bytes.next()?, bytes.next()?];
                if !digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F')) {
                    return None;
                }
                let escaped = u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
                if is_plain(escaped) {
                    return None;
                }
                id.push(escaped);
            }
            byte if is_plain(byte) => id.push(byte),
            _ => return None,
        }
    }
    String::from_utf8(id).ok().filter(|id| !id.is_empty()).map(Into::into)
}

/// Whether a byte of an id is written as it is.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_keys_are_read() {
        for (name, site, owner) in [
            ("a-1.p.jane-doe", "a-1", Owner::Provider("jane-doe".into())),
            ("a.s.17", "a", Owner::Schedule("17".into())),
            ("a.s.1=2E5=C3=A9_-", "a", Owner::Schedule("1.5é_-".into())),
        ] {
            let key = SlotKey::parse(name).unwrap();
            assert_eq!((&**key.name(), key.site(), &key.owner), (name, site, &owner));
        }
    }

    #[test]
    fn other_names_are_refused_with_the_reason() {
        for (name, why) in [
            ("", "it does not begin with a site and a dot"),
            ("a", "it does not begin with a site and a dot"),
            ("_content", "it does not begin with a site and a dot"),
            (".p.b", "it does not begin with the name of a site"),
            ("A.p.b", "it does not begin with the name of a site"),
            ("a.beat", "after the site it has neither p. nor s. nor beat"),
            ("a.x.b", "after the site it has neither p. nor s. nor beat"),
            ("a.p.", "what follows p. is not a valid slug"),
            ("a.p.Jane", "what follows p. is not a valid slug"),
            ("a.s.", "what follows s. is not"),
            ("a.s.b.c", "what follows s. is not"),
            ("a.s.=2", "what follows s. is not"),
            ("a.s.=2e", "what follows s. is not"),
            ("a.s.=+1", "what follows s. is not"),
            ("a.s.=FF", "what follows s. is not"),
            // The Schedule A has the name a.s.A alone.
            ("a.s.=41", "what follows s. is not"),
            ("a.s.1=2D", "what follows s. is not"),
            ("a.s.=5F", "what follows s. is not"),
        ] {
            let refused = SlotKey::parse(name).unwrap_err();
            assert!(refused.starts_with(why), "{name}: {refused}");
        }
    }

    #[test]
    fn a_site_has_up_to_32_plain_letters() {
        for site in ["a", "larkspur", "ehr-2", &"a".repeat(32)] {
            assert!(is_site(site), "{site}");
        }
        for site in ["", "A", "a.b", "a_b", "ä", &"a".repeat(33)] {
            assert!(!is_site(site), "{site}");
        }
    }
}
