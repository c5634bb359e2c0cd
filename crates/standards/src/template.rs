//! Fills in the booking address, a URI template (RFC 6570). `content::check` allows `{a}`, `{?a}` and `{&a}`.

use directory::calendar::Instant;

/// A booking address in which only the start is missing. The start goes between every two pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BookingLink(Vec<String>);

impl BookingLink {
    /// The address for a clinician's visits of one type. `state` is given only if the visits can be booked in one state
    /// alone. `None` if a part outside the query needs a state and none is given.
    pub(crate) fn of(template: &str, slug: &str, visit_type: &str, state: Option<&str>) -> Option<Self> {
        let mut link = Self(vec![String::new()]);
        let mut rest = template;
        while let Some((literal, tail)) = rest.split_once('{') {
            link.push(literal);
            let (expression, after) = tail.split_once('}').unwrap_or((tail, ""));
            let (operator, names) = match expression.strip_prefix(['?', '&']) {
                Some(names) => (&expression[..1], names),
                None => ("", expression),
            };
            let mut between = operator;
            for name in names.split(',') {
                let value = match name {
                    "providerSlug" => Some(slug),
                    "appointmentType" => Some(visit_type),
                    "startTime" => None,
                    // The only other name that `check` allows: `state`.
                    _ if state.is_some() => state,
                    _ if operator.is_empty() => return None,
                    _ => continue,
                };
                link.push(between);
                if !operator.is_empty() {
                    link.push(name);
                    link.push("=");
                }
                match value {
                    Some(value) => link.push(value),
                    None => link.0.push(String::new()),
                }
                between = if operator.is_empty() { "," } else { "&" };
            }
            rest = after;
        }
        link.push(rest);
        Some(link)
    }

    fn push(&mut self, text: &str) {
        if let Some(last) = self.0.last_mut() {
            last.push_str(text);
        }
    }

    /// Writes the address for a start.
    pub(crate) fn write(&self, start: Instant, to: &mut Vec<u8>) {
        for (number, piece) in self.0.iter().enumerate() {
            if number > 0 {
                for byte in start.ascii() {
                    match byte {
                        b':' => to.extend_from_slice(b"%3A"),
                        byte => to.push(byte),
                    }
                }
            }
            to.extend_from_slice(piece.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_filled_in_as_rfc_6570_says() {
        let at: Instant = "2026-11-23T14:00:00Z".parse().unwrap();
        let start = "2026-11-23T14%3A00%3A00Z";
        for (template, expected) in [
            ("https://b.example/{providerSlug}", "https://b.example/sol".to_owned()),
            (
                "https://b.example{?providerSlug,state}{&startTime}",
                format!("https://b.example?providerSlug=sol&startTime={start}"),
            ),
            ("https://b.example/{providerSlug}{?state}/x", "https://b.example/sol/x".to_owned()),
            (
                "https://b.example/{providerSlug}{?state,startTime,appointmentType}",
                format!("https://b.example/sol?startTime={start}&appointmentType=101"),
            ),
            (
                "https://b.example/{appointmentType,providerSlug,startTime}",
                format!("https://b.example/101,sol,{start}"),
            ),
        ] {
            let mut filled = Vec::new();
            BookingLink::of(template, "sol", "101", None).unwrap().write(at, &mut filled);
            assert_eq!(String::from_utf8(filled).unwrap(), expected, "{template}");
        }
        let in_path = "https://b.example/{state}/{providerSlug}?c=1{&state}";
        assert_eq!(BookingLink::of(in_path, "sol", "101", None), None);
        let mut filled = Vec::new();
        BookingLink::of(in_path, "sol", "101", Some("WA")).unwrap().write(at, &mut filled);
        assert_eq!(String::from_utf8(filled).unwrap(), "https://b.example/WA/sol?c=1&state=WA");
    }
}
