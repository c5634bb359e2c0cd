//! The form's page, and what its host has to send with it.

pub(super) const SCRIPTS: [(&str, &str); 3] = [
    ("before.js", include_str!("form/before.js")),
    ("editor.js", include_str!("form/editor.js")),
    ("format.js", include_str!("form/format.js")),
];

/// The policy of the page; `origins` are those of the git host. The CMS loads its fonts from jsDelivr.
pub(super) fn policy(origins: &[String]) -> String {
    let origins: String = origins.iter().flat_map(|origin| [" ", origin.as_str()]).collect();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         font-src data: https://cdn.jsdelivr.net; connect-src 'self' blob: data:{origins}; manifest-src blob:; frame-src blob:; \
         media-src blob:; base-uri 'none'"
    )
}

pub(super) fn index(clinic: &str, origins: &[String]) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{clinic}: the directory</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <script src=\"before.js\"></script>\n<script type=\"module\" src=\"editor.js\"></script>\n</head>\n<body>\n\
         <noscript>The form needs JavaScript.</noscript>\n</body>\n</html>\n",
        policy = policy(origins),
        clinic = clinic.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
    )
}

/// The rules of Netlify and Cloudflare Pages. A policy in a page cannot forbid frames, so the header does.
pub(super) fn headers(origins: &[String]) -> String {
    format!(
        "/*\n  Content-Security-Policy: {}; frame-ancestors 'none'\n  X-Robots-Tag: noindex\n  \
         X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n  Cache-Control: no-cache\n",
        policy(origins)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUIDE: &str = include_str!("../../docs/EDITOR.md");

    #[test]
    fn the_guides_rules_for_nginx_are_those_of_the_form() {
        let policy = policy(&["https://api.github.com".to_owned()]);
        let line = format!("add_header Content-Security-Policy \"{policy}; frame-ancestors 'none'\" always;");
        assert!(GUIDE.contains(&line), "{line}");
        // Each header of `_headers` is there, too.
        for header in
            headers(&[]).lines().skip(1).map(|line| line.trim().split(':').next().unwrap().to_owned())
        {
            assert!(GUIDE.contains(&format!("add_header {header} ")), "{header}");
        }
    }

    #[test]
    fn the_page_asks_the_git_host_and_is_not_indexed() {
        let page = index("A & <B>", &["https://git.clinic.example".to_owned()]);
        assert!(page.contains("<title>A &amp; &lt;B&gt;: the directory"), "{page}");
        assert!(page.contains("data: https://git.clinic.example;") && page.contains("content=\"noindex\""));
        assert!(!page.contains("frame-ancestors"), "a page cannot say it");
    }
}
