/// `site/assets/docs.js` adds a Copy button to elements with it.
const COPIED: &str = "data-copy";
const END: &str = "</pre>";

/// Only inside elements with a Copy button. Other text, such as a profile's public address, stays as published.
pub(super) fn rename(html: &str, pairs: &[(&str, &str)]) -> String {
    let mut renamed = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(COPIED) {
        let (before, block) = rest.split_at(at);
        let (block, after) = block.split_at(block.find(END).unwrap_or(block.len()));
        renamed.push_str(before);
        let block = pairs.iter().fold(block.to_owned(), |block, (from, to)| replace(&block, from, to));
        renamed.push_str(&block);
        rest = after;
    }
    renamed.push_str(rest);
    renamed
}

/// Leaves an address that is only the beginning of a longer host or of one with a port.
fn replace(text: &str, from: &str, to: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(from) {
        let goes_on = after.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':'));
        replaced.push_str(before);
        replaced.push_str(if goes_on { from } else { to });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_address_inside_a_sample_is_replaced() {
        let pairs =
            [("https://a.example/mcp", "http://[::1]:1/api/mcp"), ("https://a.example", "http://[::1]:1")];
        let page = "<code>https://a.example/v1</code><pre data-copy><code>get https://a.example/v1 \
                    https://a.example.org https://a.example:8443/ https://a.example/mcp</code></pre>\
                    <pre>https://a.example</pre><pre data-copy>\"https://a.example\"</pre>";
        let expected = "<code>https://a.example/v1</code><pre data-copy><code>get http://[::1]:1/v1 \
                        https://a.example.org https://a.example:8443/ http://[::1]:1/api/mcp</code></pre>\
                        <pre>https://a.example</pre><pre data-copy>\"http://[::1]:1\"</pre>";
        assert_eq!(rename(page, &pairs), expected);
        assert_eq!(rename("data-copy https://a.example", &pairs), "data-copy http://[::1]:1");
        assert_eq!(rename("", &pairs), "");
    }
}
