//! The page that says why new content is not served, in the site's look.

/// `why` is the drawn report, or another sentence.
pub(super) fn page(why: &str, style: &str, script: &str) -> String {
    let is_report = why.split("\n\n").any(|block| block.trim_start().starts_with("error: "));
    let (title, lead) = if is_report {
        ("The content has mistakes", "Correct them and save: this page closes automatically.")
    } else {
        ("The site couldn't be built", "Fix it and save: this page closes automatically.")
    };
    let why = why.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · nameplate dev</title>\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"/assets/favicon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"{style}\">\n<link rel=\"stylesheet\" href=\"/assets/theme.css\">\n\
         <link rel=\"stylesheet\" href=\"/assets/style.css\">\n{script}</head>\n<body>\n<main id=\"main\">\n\
         <section class=\"hero slim\">\n<div class=\"wrap\">\n<p class=\"eyebrow\">nameplate dev</p>\n<h1>{title}</h1>\n\
         <p class=\"lead\">{lead} Until then the API answers from the last good content.</p>\n</div>\n</section>\n\
         <div class=\"wrap section\">\n<pre class=\"mistakes\" tabindex=\"0\">{why}</pre>\n</div>\n</main>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_shown_as_it_is() {
        let shown = page("a template can't be used:\n  <b> & \"x\"", "/s.css", "");
        assert!(shown.contains(">a template can't be used:\n  &lt;b&gt; &amp; \"x\"</pre>"), "{shown}");
        assert!(shown.contains("<h1>The site couldn't be built</h1>"), "{shown}");
    }
}
