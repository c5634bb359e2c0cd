//! The page that lists why new content is not served, in the site's look.

use std::fmt::Write as _;

/// One mistake, as `nameplate check` draws it, in its parts.
#[derive(Debug, PartialEq, Eq)]
struct Mistake<'a> {
    /// `error` or `warning`; empty if the text is not a report about the content.
    severity: &'a str,
    what: String,
    /// The file, line and column.
    place: &'a str,
    /// The source line with its marks.
    drawing: &'a str,
    help: String,
}

/// The page. `why` is the drawn report, or another sentence.
pub(super) fn page(why: &str, style: &str, script: &str) -> String {
    let mistakes: Vec<_> =
        why.split("\n\n").filter(|block| !block.trim().is_empty()).map(Mistake::read).collect();
    let is_report = mistakes.iter().any(|mistake| mistake.severity == "error");
    let (title, lead) = if is_report {
        ("The content has mistakes", "Correct them and save: this page goes away by itself.")
    } else {
        ("The site could not be built", "Put it right and save: this page goes away by itself.")
    };
    let mut listed = String::new();
    for mistake in &mistakes {
        mistake.write(&mut listed);
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · nameplate dev</title>\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"/assets/favicon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"{style}\">\n<link rel=\"stylesheet\" href=\"/assets/theme.css\">\n\
         <link rel=\"stylesheet\" href=\"/assets/style.css\">\n{script}</head>\n<body>\n<main id=\"main\">\n\
         <section class=\"hero slim\">\n<div class=\"wrap\">\n<p class=\"eyebrow\">nameplate dev</p>\n<h1>{title}</h1>\n\
         <p class=\"lead\">{lead} Until then the API answers from the last good content.</p>\n</div>\n</section>\n\
         <ol class=\"wrap section mistakes\">\n{listed}</ol>\n</main>\n</body>\n</html>\n"
    )
}

impl<'a> Mistake<'a> {
    /// Splits a drawn block into the sentence, the drawing, which begins with an arrow, and the help at the end.
    fn read(block: &'a str) -> Self {
        let arrow = block.find("-->").map(|at| block[..at].rfind('\n').map_or(0, |line| line + 1));
        let (title, rest) = block.split_at(arrow.unwrap_or(block.len()));
        let (drawing, help) = match rest.find(HELP) {
            Some(at) => (&rest[..at], &rest[at + HELP.len()..]),
            None => (rest, ""),
        };
        let severity = ["error", "warning"].into_iter().find(|word| title.starts_with(&format!("{word}: ")));
        let severity = severity.unwrap_or_default();
        let what = title.strip_prefix(severity).unwrap_or(title).trim_start_matches(": ");
        let (place, drawing) = drawing.split_once('\n').unwrap_or((drawing, ""));
        let place = place.trim_start().trim_start_matches("-->").trim();
        let drawing = drawing.trim_end().trim_end_matches('|').trim_end();
        // The message of a template engine has no arrow; its lines are kept.
        let (what, help) =
            if arrow.is_some() { (joined(what), joined(help)) } else { (what.to_owned(), String::new()) };
        Self { severity, what, place, drawing, help }
    }

    fn write(&self, page: &mut String) {
        let Self { severity, what, place, drawing, help } = self;
        _ = writeln!(page, "<li class=\"mistake {severity}\">");
        if severity.is_empty() {
            _ = writeln!(page, "<pre tabindex=\"0\">{}</pre>", escaped(what));
        } else {
            _ = writeln!(page, "<h2><span class=\"tag\">{severity}</span> {}</h2>", escaped(what));
        }
        if !place.is_empty() {
            _ = writeln!(page, "<p><code>{}</code></p>", escaped(place));
        }
        if !drawing.is_empty() {
            _ = writeln!(page, "<pre tabindex=\"0\">{}</pre>", escaped(drawing));
        }
        if !help.is_empty() {
            _ = writeln!(page, "<p>{}</p>", escaped(help));
        }
        page.push_str("</li>\n");
    }
}

const HELP: &str = "= help: ";

/// Joins a sentence that was wrapped.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_mistake_is_split_into_its_parts() {
        let drawn = "error: \"100%\" is not a gender\n --> content/providers/a.toml:6:10\n  |\n6 | gender = \"100%\"\n  |          ^^^^^^\n  |\n  = help: write one of these:\n          female, male";
        let mistake = Mistake::read(drawn);
        assert_eq!((mistake.severity, mistake.what.as_str()), ("error", "\"100%\" is not a gender"));
        assert_eq!(mistake.place, "content/providers/a.toml:6:10");
        assert_eq!(mistake.drawing, "  |\n6 | gender = \"100%\"\n  |          ^^^^^^");
        assert_eq!(mistake.help, "write one of these: female, male");
    }

    #[test]
    fn other_text_is_shown_as_it_is() {
        let mistake = Mistake::read("a template cannot be used:\n  card.html:2:3");
        assert_eq!(
            (mistake.severity, mistake.what.as_str()),
            ("", "a template cannot be used:\n  card.html:2:3")
        );
        let page = page("<b> & \"x\"", "/s.css", "");
        assert!(page.contains("<pre tabindex=\"0\">&lt;b&gt; &amp; \"x\"</pre>"), "{page}");
    }
}
