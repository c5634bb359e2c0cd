//! Weights (`q=0.5`) of the items of Accept and Accept-Encoding: RFC 9110 (12.4.2).

/// The name in lower case, and the weight in thousandths: 1000 if it is missing, 0 if it is malformed.
pub(crate) fn name_and_weight(item: &str) -> (String, u16) {
    let mut parts = item.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    let value = parts.find_map(|part| part.strip_prefix(['q', 'Q'])?.trim_start().strip_prefix('='));
    let weight = match value.map(|value| value.trim().parse::<f32>()) {
        None => 1000,
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it must be from 0 to 1000"
        )]
        Some(Ok(weight)) => (weight.clamp(0.0, 1.0) * 1000.0) as u16,
        Some(Err(_)) => 0,
    };
    (name, weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_a_name_and_a_weight() {
        for (item, name, weight) in [
            ("gzip", "gzip", 1000),
            (" Text/HTML ; level=1 ; Q=0.5 ", "text/html", 500),
            ("*;q = 0.001", "*", 1),
            ("br;q=0", "br", 0),
            ("br;q=7", "br", 1000),
            ("br;q=high", "br", 0),
            ("", "", 1000),
        ] {
            assert_eq!(name_and_weight(item), (name.to_owned(), weight), "{item}");
        }
    }
}
