const SLUG: &str = "providerSlug";

/// `content::check` has checked the template.
pub(super) fn of_provider(template: &str, slug: &str) -> String {
    let (mut filled, mut rest) = (String::with_capacity(template.len()), template);
    while let Some((literal, (expression, after))) =
        rest.split_once('{').and_then(|(literal, tail)| Some((literal, tail.split_once('}')?)))
    {
        filled += literal;
        filled += &expression_with(expression, slug);
        rest = after;
    }
    filled + rest
}

fn expression_with(expression: &str, slug: &str) -> String {
    let names = expression.strip_prefix(['?', '&']).unwrap_or(expression);
    let others: Vec<_> = names.split(',').filter(|name| *name != SLUG).collect();
    if others.len() == names.split(',').count() {
        return format!("{{{expression}}}");
    }
    let others = others.join(",");
    let (known, further) = match expression.chars().next() {
        Some(sign @ ('?' | '&')) => (format!("{sign}{SLUG}={slug}"), format!("{{&{others}}}")),
        _ => (slug.to_owned(), format!("{{{others}}}")),
    };
    if others.is_empty() { known } else { known + &further }
}

pub(super) fn without_variables(template: &str) -> String {
    let parts = template.split('{').enumerate();
    parts
        .map(
            |(number, part)| {
                if number == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) }
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slug_is_filled_in_and_the_rest_stays() {
        for (template, filled, plain) in [
            ("https://b.example/{providerSlug}", "https://b.example/jane-doe", "https://b.example/jane-doe"),
            (
                "https://b.example/{providerSlug}{?startTime,state}",
                "https://b.example/jane-doe{?startTime,state}",
                "https://b.example/jane-doe",
            ),
            (
                "https://b.example/{?startTime,providerSlug,state}#x",
                "https://b.example/?providerSlug=jane-doe{&startTime,state}#x",
                "https://b.example/?providerSlug=jane-doe#x",
            ),
            (
                "https://b.example/?a=1{&providerSlug}",
                "https://b.example/?a=1&providerSlug=jane-doe",
                "https://b.example/?a=1&providerSlug=jane-doe",
            ),
        ] {
            assert_eq!(of_provider(template, "jane-doe"), filled);
            assert_eq!(without_variables(filled), plain);
        }
    }
}
