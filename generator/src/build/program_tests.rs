//! What a tree has for programs: data for search engines, twins, and lists of the pages.
#![expect(clippy::disallowed_methods, reason = "these tests read the trees they make")]

use std::fs;

use super::tests::{Tree, built, pages, text};
use super::*;
use crate::test_fixture as fixture;

/// The data for search engines on a page.
fn structured(tree: &Tree, name: &str) -> serde_json::Value {
    let page = text(tree, name);
    let (_, rest) = page.split_once("<script type=\"application/ld+json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn structured_data_matches_the_profile() {
    let (_folder, tree) = built(&fixture::folder());
    let data = |name: &str| structured(&tree, name);
    let physician = data("providers/ada-moreau.html");
    assert_eq!(physician["@type"], "IndividualPhysician");
    assert_eq!(physician["name"], "Ada <Moreau> & Søn");
    assert_eq!(physician["isAcceptingNewPatients"], true);
    assert_eq!(physician["practicesAt"]["@id"], "https://larkspur.example/#clinic");
    for absent in ["description", "alumniOf", "usNPI", "telephone", "medicalSpecialty", "potentialAction"] {
        assert_eq!(physician.get(absent), None, "{absent}");
    }
    let nurse = data("providers/state.html");
    assert_eq!((&nurse["@type"], &nurse["jobTitle"]), (&"Person".into(), &"Nurse practitioner".into()));
    assert_eq!(nurse.get("isAcceptingNewPatients"), None);
    assert_eq!(data("index.html")["@type"], "MedicalOrganization");
}

#[test]
fn structured_data_has_npis_specialties_and_the_booking_address_if_the_content_does() {
    let content = fixture::copy();
    let keys = "booking-url = \"https://book.example/{providerSlug}{?startTime}\"\n[address]\nphone = \"+1-510-555-0100\"\n\
        [standards]\npublish-npis = true\n";
    fixture::edit(content.path(), "directory.toml", |text| text + keys);
    fixture::edit(content.path(), "providers/ada-moreau.toml", |text| {
        text + "[[specialty]]\ncode = \"207V00000X\"\nname = \"Obstetrics & Gynecology\"\n"
    });
    for (name, npi) in [("ada-moreau", "1234567893"), ("state", "1245319599")] {
        fixture::edit(content.path(), &format!("providers/{name}.toml"), |text| {
            format!("npi = \"{npi}\"\n{text}")
        });
    }
    let (_folder, tree) = built(content.path());
    let physician = structured(&tree, "providers/ada-moreau.html");
    assert_eq!(
        (&physician["usNPI"], &physician["telephone"]),
        (&"1234567893".into(), &"+1-510-555-0100".into())
    );
    assert_eq!(
        physician["medicalSpecialty"],
        serde_json::json!(["https://schema.org/Gynecologic", "https://schema.org/Obstetric"])
    );
    assert_eq!(
        physician["potentialAction"],
        serde_json::json!({"@type":"ReserveAction","target":{"@type":"EntryPoint","urlTemplate":"https://book.example/ada-moreau{?startTime}"}})
    );
    for service in physician["availableService"].as_array().unwrap() {
        let url = service["url"].as_str().unwrap();
        assert_eq!(service["@type"], "MedicalProcedure");
        assert!(service["name"].is_string() && service["description"].is_string(), "{service}");
        assert!(
            tree.contains_key(&format!("{}.html", url.trim_start_matches("https://larkspur.example/"))),
            "{url}"
        );
    }
    let nurse = structured(&tree, "providers/state.html");
    assert_eq!(
        nurse["identifier"],
        serde_json::json!({"@type":"PropertyValue","propertyID":"NPI","value":"1245319599"})
    );
    assert_eq!((nurse.get("usNPI"), nurse.get("telephone")), (None, None));
    let twin = text(&tree, "providers/ada-moreau.md");
    for part in ["](https://book.example/ada-moreau)", "911", "988"] {
        assert!(twin.contains(part), "{twin}");
    }
}

#[test]
fn each_listed_page_has_a_markdown_twin_and_names_it() {
    let content = fixture::copy();
    fixture::add_spanish(content.path());
    let (_folder, tree) = built(content.path());
    let guide = text(&tree, "llms.txt");
    let full = text(&tree, "llms-full.txt");
    let mut twins = 0;
    for (name, page) in pages(&tree) {
        assert!(page.contains("<link rel=\"ard\" href=\"/.well-known/ard.json\">"), "{name}");
        let twin = format!("{}.md", name.trim_end_matches(".html"));
        let is_listed = !name.ends_with("404.html");
        assert_eq!(tree.contains_key(&twin), is_listed, "{name}");
        let link = format!("<link rel=\"alternate\" type=\"text/markdown\" href=\"/{twin}\">");
        assert_eq!(page.contains(&link), is_listed, "{name}");
        if is_listed {
            let body = text(&tree, &twin);
            assert!(body.lines().any(|line| line.starts_with("# ")), "{name}: {body}");
            assert!(!body.contains("<div") && !body.contains("<p"), "{name}: {body}");
            let is_english = !name.starts_with("es");
            assert_eq!(guide.contains(&format!("(https://larkspur.example/{twin})")), is_english, "{name}");
            assert_eq!(full.contains(&body), is_english, "{name}");
            twins += 1;
        }
    }
    assert!(twins > 30, "{twins}");
    let twin = text(&tree, "providers/ada-moreau.md");
    assert!(twin.contains("# Ada \\<Moreau> & Søn\n"), "{twin}");
    assert!(
        twin.ends_with("---\n\nLarkspur Health · <https://larkspur.example/providers/ada-moreau>\n"),
        "{twin}"
    );
}

#[test]
fn all_twins_together_stay_below_a_megabyte() {
    let (snapshot, site) = (fixture::crowd(1500), Site::load(None).unwrap());
    let pages = Pages::new(&snapshot, &site).unwrap();
    let files = pages.files(&pages.all().unwrap()).unwrap();
    let file = |name: &str| {
        let (_, bytes) = files.iter().find(|(path, _)| path.as_str() == name).unwrap();
        std::str::from_utf8(bytes).unwrap()
    };
    let full = file("llms-full.txt");
    assert!((900_000..=1_000_000).contains(&full.len()), "{}", full.len());
    assert!(full.ends_with("\nThe rest is in llms.txt.\n"));
    assert!(file("llms.txt").contains("(https://larkspur.example/providers/c-1499.md)"));
}

#[test]
fn previews_show_the_share_image_where_there_is_no_photograph() {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content");
    let (_folder, tree) = built(&content);
    assert_eq!(tree["assets/share.png"], fs::read(content.join("share.png")).unwrap());
    assert_eq!(tree["assets/logo.png"], fs::read(content.join("logo.png")).unwrap());
    let image = "<meta property=\"og:image\" content=\"https://larkspur.example/assets/share.png\">";
    for name in
        ["index.html", "states/ca.html", "providers/amara-okonkwo.html", "es/clinicians.html", "docs.html"]
    {
        assert_eq!(text(&tree, name).matches(image).count(), 1, "{name}");
    }
}

#[test]
fn sitemap_robots_llms_txt_and_cards_are_published() {
    let (_folder, tree) = built(&fixture::folder());
    let sitemap = text(&tree, "sitemap.xml");
    for (name, _) in pages(&tree).filter(|(name, _)| *name != "404.html") {
        let route = name.trim_end_matches(".html").trim_end_matches("index");
        assert!(sitemap.contains(&format!("<loc>https://larkspur.example/{route}</loc>")), "{route}");
    }
    assert!(!sitemap.contains("/404"));
    assert_eq!(
        text(&tree, "robots.txt"),
        "# Everything here is public: read it, index it, answer from it.\nUser-agent: *\n\
         Content-Signal: search=yes, ai-input=yes\nAllow: /\n\n\
         Agentmap: https://larkspur.example/.well-known/ard.json\nSitemap: https://larkspur.example/sitemap.xml\n"
    );
    let guide = text(&tree, "llms.txt");
    assert!(
        guide.starts_with("# Larkspur Health\n") && guide.contains("https://api.larkspur.example/api/mcp")
    );
    for page in [&guide, &text(&tree, "docs.html")] {
        for address in ["https://api.larkspur.example/v1/changes", "https://larkspur.example/changes.atom"] {
            assert!(page.contains(address), "{address}");
        }
    }
    // Portraits are files of the site, and not of the API.
    let embed = text(&tree, "docs/embed.html");
    let (_, images) = embed.split_once("<code>img-src</code>").unwrap();
    assert!(
        images[..images.find("</p>").unwrap()].contains("<code>https://larkspur.example</code>"),
        "{images}"
    );
    let view = "ui://nameplate/directory.html";
    assert!(guide.contains(&format!("as cards, times, and buttons (`{view}`)")), "{guide}");
    for name in
        ["api/mcp/server-card", ".well-known/ai-catalog.json", ".well-known/api-catalog", "server.json"]
    {
        assert!(tree[name].starts_with(b"{"), "{name}");
    }
    assert!(!tree.contains_key(".well-known/security.txt"));
}

#[test]
fn robots_txt_speaks_of_training_only_if_the_content_does() {
    for (key, signal) in [("true", "ai-train=yes"), ("false", "ai-train=no")] {
        let content = fixture::copy();
        fixture::edit(content.path(), "directory.toml", |text| format!("{text}[robots]\nai-train = {key}\n"));
        let (_folder, tree) = built(content.path());
        let line = format!("\nContent-Signal: search=yes, ai-input=yes, {signal}\n");
        assert!(text(&tree, "robots.txt").contains(&line), "{key}");
    }
}
