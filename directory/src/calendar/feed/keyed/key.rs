//! The name of a key: `<site>.p.<slug>` or `<site>.s.<Schedule id>`.

use super::super::line::Owner;

/// A key's site, and whose time its value is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SlotKey<'a> {
    pub(super) site: &'a str,
    pub(super) owner: Owner<'a>,
}

impl<'a> SlotKey<'a> {
    /// Reads a name; `None` if it is not of that form.
    pub(super) fn of(name: &'a str) -> Option<Self> {
        let (site, rest) = name.split_once('.')?;
        let (kind, id) = rest.split_once('.')?;
        let owner = match kind {
            "p" => Owner::Provider(id.into()),
            "s" => Owner::Schedule(unescaped(id)?.into()),
            _ => return None,
        };
        (!site.is_empty() && !id.is_empty()).then_some(Self { site, owner })
    }
}

/// The id of a Schedule, in which `=XX` stands for another byte than a letter, a digit, `-` or `_`.
fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split('=');
    let mut id = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        id.push(u8::from_str_radix(digits, 16).ok()?);
        id.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(id).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_keys_are_read() {
        let key = |site, owner| Some(SlotKey { site, owner });
        assert_eq!(SlotKey::of("a-1.p.jane-doe"), key("a-1", Owner::Provider("jane-doe".into())));
        assert_eq!(SlotKey::of("a.s.1=2E5=C3=A9"), key("a", Owner::Schedule("1.5é".into())));
        for wrong in ["a", "a.beat", "_content", "a.x.b", ".p.b", "a.p.", "a.s.=2", "a.s.=ZZ", "a.s.=FF"] {
            assert_eq!(SlotKey::of(wrong), None, "{wrong}");
        }
    }
}
