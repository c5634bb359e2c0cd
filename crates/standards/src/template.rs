//! Fills in the booking address, a URI template (RFC 6570). `content::check` allows `{a}`, `{?a}` and `{&a}`.

use directory::calendar::Instant;

/// Without the start time, which `write` puts between the pieces: "…?startTime=" and "&state=CA".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BookingLink {
    pieces: Vec<String>,
}

impl BookingLink {
    /// `state` is the only state where the visit can be booked, `None` if there are several. Returns `None` if it is then
    /// used outside the query.
    pub(crate) fn fill_in(template: &str, slug: &str, visit_type: &str, state: Option<&str>) -> Option<Self> {
        let values = [("providerSlug", Some(slug)), ("appointmentType", Some(visit_type)), ("state", state)];
        let mut link = Self { pieces: vec![String::new()] };
        let mut rest = template;
        while let Some((literal, from_expression)) = rest.split_once('{') {
            let (expression, after) = from_expression.split_once('}').unwrap_or((from_expression, ""));
            link.push(literal);
            link.push_expression(expression, &values)?;
            rest = after;
        }
        link.push(rest);
        Some(link)
    }

    /// Adds an expression such as `a` or `?a,b`. A query leaves out a value that is not set.
    fn push_expression(&mut self, expression: &str, values: &[(&str, Option<&str>)]) -> Option<()> {
        let (operator, names, is_query) = match expression.strip_prefix(['?', '&']) {
            Some(names) => (&expression[..1], names, true),
            None => ("", expression, false),
        };
        let mut separator = operator;
        for name in names.split(',') {
            let value = match values.iter().find(|(known, _)| *known == name) {
                Some((_, Some(value))) => Some(value),
                Some((_, None)) if is_query => continue,
                Some((_, None)) => return None,
                // Only `startTime` is left, as `content::check` knows. It has no value yet.
                None => None,
            };
            self.push(separator);
            if is_query {
                self.push(name);
                self.push("=");
            }
            match value {
                Some(value) => self.push(value),
                None => self.pieces.push(String::new()),
            }
            separator = if is_query { "&" } else { "," };
        }
        Some(())
    }

    fn push(&mut self, text: &str) {
        if let Some(last) = self.pieces.last_mut() {
            last.push_str(text);
        }
    }

    pub(crate) fn write(&self, start: Instant, to: &mut Vec<u8>) {
        for (number, piece) in self.pieces.iter().enumerate() {
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
            BookingLink::fill_in(template, "sol", "101", None).unwrap().write(at, &mut filled);
            assert_eq!(String::from_utf8(filled).unwrap(), expected, "{template}");
        }
        let in_path = "https://b.example/{state}/{providerSlug}?c=1{&state}";
        assert_eq!(BookingLink::fill_in(in_path, "sol", "101", None), None);
        let mut filled = Vec::new();
        BookingLink::fill_in(in_path, "sol", "101", Some("WA")).unwrap().write(at, &mut filled);
        assert_eq!(String::from_utf8(filled).unwrap(), "https://b.example/WA/sol?c=1&state=WA");
    }
}
