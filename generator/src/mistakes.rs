//! Makes the page that replaces the site while the content has errors.

use std::path::Path;

use bytes::Bytes;
use serde::Serialize;
use tera::{Context, Tera};

use crate::error::BuildError;
use crate::pages::PageError;
use crate::site::Site;

const TEMPLATE: &str = "mistakes.html";
const REDIRECTS: &str = "/*  /index.html  200\n";
const HEADERS: &str =
    "/*\n  X-Robots-Tag: noindex\n  X-Content-Type-Options: nosniff\n  X-Frame-Options: DENY\n";

#[derive(Debug, Serialize)]
pub struct Mistake {
    pub is_error: bool,
    /// Also what to do.
    pub what: String,
    pub place: String,
    /// Where the editor can fix it.
    pub link: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct MistakesPage {
    pub has_errors: bool,
    /// Such as "1 error, 0 warnings".
    pub found: String,
    pub mistakes: Vec<Mistake>,
    /// A sentence for each file with mistakes that `mistakes` leaves out.
    pub unlisted: Vec<String>,
}

pub fn mistakes_page(site: Option<&Path>, page: &MistakesPage) -> Result<Vec<(String, Bytes)>, BuildError> {
    let mut site = Site::load(site)?;
    let template = site.templates.remove(TEMPLATE).unwrap_or_default();
    let mut tera = Tera::default();
    tera.autoescape_on([".html"].to_vec());
    tera.add_raw_template(TEMPLATE, &template).map_err(PageError::from)?;
    let context = Context::from_serialize(page).map_err(PageError::from)?;
    let html = Bytes::from(tera.render(TEMPLATE, &context).map_err(PageError::from)?);
    // Other hosts ignore the rules, and answer unknown paths with 404.html.
    let mut files = vec![
        ("index.html".to_owned(), html.clone()),
        ("404.html".to_owned(), html),
        ("_redirects".to_owned(), Bytes::from_static(REDIRECTS.as_bytes())),
        ("_headers".to_owned(), Bytes::from_static(HEADERS.as_bytes())),
    ];
    let is_script = |path: &str| Path::new(path).extension().is_some_and(|extension| extension == "js");
    let assets = site.assets.into_iter().map(|(path, bytes)| (path.to_string(), bytes));
    files.extend(assets.filter(|(path, _)| !is_script(path)));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_escapes_what_was_written_and_every_path_leads_to_it() {
        let mistake = Mistake {
            is_error: true,
            what: "\"<b>\" isn't a state.".to_owned(),
            place: "providers/a.toml: Clinicians › Licensed in".to_owned(),
            link: Some("https://edit.clinic.example/#/collections/providers/entries/a".to_owned()),
        };
        let page = MistakesPage {
            has_errors: true,
            found: "1 error, 0 warnings".to_owned(),
            mistakes: vec![mistake],
            unlisted: vec!["3 more".to_owned()],
        };
        let files = mistakes_page(None, &page).unwrap();
        let text = |name: &str| {
            let (_, bytes) = files.iter().find(|(path, _)| path == name).unwrap();
            String::from_utf8(bytes.to_vec()).unwrap()
        };
        let html = text("index.html");
        assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"), "{html}");
        for part in [
            "1 error, 0 warnings",
            "Licensed in",
            "3 more",
            "href=\"https:&#x2F;&#x2F;edit.clinic.example&#x2F;#&#x2F;collections",
        ] {
            let plain = html.replace("&#x2F;", "/");
            assert!(plain.contains(&part.replace("&#x2F;", "/")), "{part}: {html}");
        }
        assert_eq!(text("404.html"), html);
        assert_eq!(text("_redirects"), "/*  /index.html  200\n");
        assert!(files.iter().any(|(path, _)| path == "assets/theme.css"));
    }
}
