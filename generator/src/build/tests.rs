//! Builds of the fixture, read back from the disk.
#![expect(clippy::disallowed_methods, reason = "these tests read the trees they make")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use directory::api::{Operation, OperationId};
use directory::model::ProviderType;

use super::*;
use crate::publish::manifest::Manifest;
use crate::test_fixture as fixture;

pub(super) type Tree = BTreeMap<String, Vec<u8>>;

/// Every file, including hidden folders such as `.well-known`.
pub(super) fn tree(folder: &Path) -> Tree {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    files.map(|entry| (name(entry.path()), fs::read(entry.path()).unwrap())).collect()
}

pub(super) fn pages(tree: &Tree) -> impl Iterator<Item = (&String, &str)> {
    let is_page = |name: &str| Path::new(name).extension().is_some_and(|extension| extension == "html");
    let pages = tree.iter().filter(move |(name, _)| is_page(name));
    pages.map(|(name, bytes)| (name, std::str::from_utf8(bytes).unwrap()))
}

pub(super) fn text(tree: &Tree, name: &str) -> String {
    String::from_utf8(tree[name].clone()).unwrap()
}

pub(super) fn built(content: &Path) -> (tempfile::TempDir, Tree) {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(content, folder.path().join("dist"));
    build(&fixture::load(content), &options).unwrap();
    let tree = tree(&options.out);
    (folder, tree)
}

#[test]
fn every_planned_file_is_the_answers_body() {
    let snapshot = fixture::snapshot();
    let (_folder, tree) = built(&fixture::folder());
    for (path, request) in answer_files(snapshot.directory()).unwrap().0 {
        let answer = snapshot.answer(&request, DateTime::UNIX_EPOCH).unwrap();
        assert_eq!(tree[path.as_str()], **answer.body(), "{path}");
    }
    assert_eq!(tree["v1/not-found.json"], *Fault::not_found().body());
}

#[test]
fn the_manifest_lists_every_file_but_itself() {
    let snapshot = fixture::snapshot();
    let (_folder, tree) = built(&fixture::folder());
    let manifest = Manifest::parse(&tree["v1/manifest.json"]).unwrap();
    assert_eq!(manifest.generation(), snapshot.directory().generation().as_str());
    let listed: Vec<_> = manifest.files().iter().map(|entry| entry.path.to_string()).collect();
    let expected: Vec<_> = tree.keys().filter(|name| *name != "v1/manifest.json").cloned().collect();
    assert_eq!(listed, expected);
    for entry in manifest.files() {
        assert_eq!(entry.bytes, tree[&*entry.path].len() as u64, "{}", entry.path);
    }
    let states = snapshot.answer(&directory::api::Question::States.into(), DateTime::UNIX_EPOCH).unwrap();
    assert_eq!(manifest.get("v1/states.json").unwrap().etag, states.etag().to_string().into());
}

#[test]
fn one_thread_and_eight_give_the_same_bytes() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| built(&fixture::folder()).1)
    };
    assert_eq!(on(1), on(8));
}

#[test]
fn pages_contain_the_texts_of_answers_escaped() {
    let (_folder, tree) = built(&fixture::folder());
    let page = text(&tree, "providers/ada-moreau.html");
    assert!(page.contains("Ada &lt;Moreau&gt; &amp; Søn"), "{page}");
    assert!(!page.contains("<Moreau>"), "{page}");
    assert!(page.contains("Sees new patients in California") && page.contains("Licensed in"), "{page}");
    // A portrait of this site has a relative address, so a copy on another host shows it.
    assert!(page.contains(r#"src="/headshots/ada-moreau.svg""#), "{page}");
    assert!(tree.contains_key("headshots/ada-moreau.svg"));
    assert!(text(&tree, "providers/state.html").contains("Sees current patients only"));
    for operation in &directory::api::OPERATIONS {
        let shown = operation.tool_doc.map_or(operation.path, |_| operation.name);
        assert!(text(&tree, "docs.html").contains(shown), "{shown}");
        let page = text(&tree, &format!("docs/{}.html", operation.name.replace('_', "-")));
        for parameter in operation.parameters {
            assert!(page.contains(&format!("name=\"{}\"", parameter.name)), "{}", parameter.name);
        }
        for field in directory::api::answer_fields(operation.id, &ProviderType::SPECIFIED) {
            assert!(
                page.contains(&format!("<code>{}</code>", field.path)),
                "{}: {}",
                operation.name,
                field.path
            );
        }
    }
}

#[test]
fn pages_follow_the_security_policy_and_stay_small() {
    let (_folder, tree) = built(&fixture::folder());
    // What is fetched: hosts compress texts.
    let transferred =
        |bytes: &[u8]| crate::compress::gzip(bytes).map_or(bytes.len(), |compressed| compressed.len());
    // What a page names, scripts with what they import, and portraits.
    let fetched = |page: &str| {
        let (mut names, mut rest) = (BTreeSet::new(), references(page, "\"/"));
        while let Some(name) = rest.pop() {
            let Some(bytes) = tree.get(&name) else { continue };
            let is_script = name.rsplit_once('.').is_some_and(|(_, kind)| kind == "js");
            if !names.insert(name.clone()) || !is_script {
                continue;
            }
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let script = std::str::from_utf8(bytes).unwrap();
            rest.extend(references(script, "\"./").iter().map(|name| format!("{folder}/{name}")));
        }
        names
            .retain(|name| ["assets/", "headshots/", "portraits/"].iter().any(|stem| name.starts_with(stem)));
        // What understands sentences is fetched when a search first has words.
        names.retain(|name| !name.starts_with("assets/sentence"));
        names.iter().map(|name| transferred(&tree[name])).sum::<usize>()
    };
    // The rest and the places only if a sentence says days, questions, refusals or cities, and answers if there
    // is something to say. A third of the first is how people say that they bleed, took pills or don't want to
    // live, which no search may wait for. Of the rest, appointments that someone can't keep take the most.
    let of_sentences = [".js", ".json", "-rest.js", "-answers.js", "-places.json", "-person.js"];
    let [first, names, rest, answers, places, person] =
        of_sentences.map(|name| transferred(&tree[&format!("assets/sentence{name}")]));
    assert!(
        first + names < 32_260 && rest < 12_700 && answers < 2_500 && places < 2_100 && person < 1_000,
        "{first} {names} {rest} {answers} {places} {person}"
    );
    let mut seen = 0;
    for (name, page) in pages(&tree) {
        // No inline styles, handlers or scripts, other than data blocks.
        for forbidden in [" style=", "<style", " onclick=", "javascript:", "<script>", "http://www"] {
            assert!(!page.contains(forbidden), "{name}: {forbidden}");
        }
        let weight = transferred(page.as_bytes()) + fetched(page);
        assert!(weight < 60_000, "{name} weighs {weight}");
        assert!(page.contains("<main id=\"main\">") && page.contains("<h1"), "{name}");
        seen += 1;
    }
    assert!(seen > 15, "{seen}");
}

/// Returns the files that a text names in quotes.
fn references(text: &str, start: &str) -> Vec<String> {
    let names = text.split(start).skip(1).filter_map(|rest| rest.split(['"', '?', '#']).next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_link_inside_the_site_resolves() {
    let (_folder, tree) = built(&fixture::folder());
    let mut links = 0;
    for (name, page) in pages(&tree) {
        for attribute in ["href=\"/", "src=\"/"] {
            for (at, _) in page.match_indices(attribute) {
                let path = page[at + attribute.len()..].split(['"', '#', '?']).next().unwrap();
                let file = if path.is_empty() { "index.html".to_owned() } else { path.to_owned() };
                let leads = [file.clone(), format!("{file}.html")].iter().any(|file| tree.contains_key(file));
                // The live service answers other API paths.
                assert!(leads || path.starts_with("v1/"), "{name}: /{path}");
                links += 1;
            }
        }
    }
    assert!(links > 200, "{links}");
}

#[test]
fn the_open_times_form_uses_the_operations_parameter_names() {
    let (_folder, tree) = built(&fixture::folder());
    let page = text(&tree, "providers/ada-moreau.html");
    let row = Operation::get(OperationId::Availability);
    let (_, form) = page.split_once(&format!("action=\"{}\"", row.path)).unwrap();
    let form = form.split_once("</form>").unwrap().0;
    let names: Vec<_> = form.split(" name=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(names, ["provider", "state", "appointmentType"]);
    assert!(names.iter().all(|name| row.parameter(name).is_some()));
    assert!(form.contains("value=\"CA\"") && !form.contains("value=\"NY\""), "{form}");
    assert!(!text(&tree, "providers/state.html").contains(row.path));
}

#[test]
fn each_language_has_every_page_and_names_the_others() {
    let content = fixture::copy();
    fixture::add_spanish(content.path());
    let (_folder, tree) = built(content.path());
    let site = "https://larkspur.example";
    let sitemap = text(&tree, "sitemap.xml");
    let mut translated = 0;
    for (name, english) in
        pages(&tree).filter(|(name, _)| !name.starts_with("es") && !name.starts_with("docs"))
    {
        let route = name.trim_end_matches(".html");
        let (own, other) = match route {
            "index" => ("/".to_owned(), "/es".to_owned()),
            route => (format!("/{route}"), format!("/es/{route}")),
        };
        let spanish = text(&tree, &format!("{}.html", other.trim_start_matches('/')));
        assert!(english.contains("<html lang=\"en\""), "{name}");
        assert!(spanish.contains("<html lang=\"es\" data-base=\"/es\""), "{other}");
        assert!(spanish.contains("Ir al contenido"), "{other}");
        if route == "404" {
            assert!(!spanish.contains("hreflang=\"x-default\"") && !sitemap.contains("404"), "{other}");
            continue;
        }
        translated += 1;
        for (page, canonical) in [(english, &own), (spanish.as_str(), &other)] {
            for (relation, route) in [
                ("rel=\"canonical\"", canonical),
                ("rel=\"alternate\" hreflang=\"en\"", &own),
                ("rel=\"alternate\" hreflang=\"es\"", &other),
                ("rel=\"alternate\" hreflang=\"x-default\"", &own),
            ] {
                let link = format!("<link {relation} href=\"{site}{route}\">");
                assert_eq!(page.matches(&link).count(), 1, "{link} in {canonical}");
            }
            assert!(sitemap.contains(&format!("<loc>{site}{canonical}</loc>")), "{canonical}");
        }
        assert!(english.contains(&format!("<a href=\"{other}\" hreflang=\"es\" lang=\"es\"")), "{name}");
        assert!(spanish.contains(&format!("<a href=\"{own}\" hreflang=\"en\" lang=\"en\"")), "{other}");
        // A link to a page stays in the language; the documentation is English.
        for link in spanish.split(" href=\"/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let is_there = ["es", "assets/", "docs", "headshots/", ".well-known/", "changes.atom"]
                .iter()
                .any(|known| link.starts_with(known));
            assert!(is_there || format!("/{link}") == own, "/{link} in {other}");
        }
    }
    assert!(translated > 8, "{translated}");
    let profile = text(&tree, "es/providers/ada-moreau.html");
    for part in [
        "<ul class=\"chips all\"><li dir=\"auto\"><a href=\"/es/clinicians?q=Sleep\">Sueño</a>",
        "<p class=\"bio\" lang=\"en\" dir=\"auto\">",
        "Médica",
        "<dt>Habla</dt><dd>Inglés y francés</dd>",
    ] {
        assert!(profile.contains(part), "{part} in {profile}");
    }
    assert!(text(&tree, "docs.html").contains("<html lang=\"en\""));
    assert!(text(&tree, "assets/texts/es.js").contains("\"written\":\"en\""));
    // Where the content names no language, nothing is there but English.
    let (_folder, plain) = built(&fixture::folder());
    assert!(pages(&plain).all(|(name, page)| !name.starts_with("es") && !page.contains("hreflang")));
}

#[test]
fn an_edited_provider_changes_its_own_files_and_its_lists() {
    let content = fixture::copy();
    let out = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(content.path(), out.path().join("dist"));
    build(&fixture::load(content.path()), &options).unwrap();
    let before = tree(&options.out);
    fixture::edit(content.path(), "providers/state.toml", |text| text.replace("They listen", "They hear"));
    let summary = build(&fixture::load(content.path()), &options).unwrap();
    let after = tree(&options.out);
    let changed: Vec<_> = after.keys().filter(|name| before[*name] != after[*name]).collect();
    assert_eq!(
        changed,
        [
            "_headers",
            "changes.atom",
            "llms-full.txt",
            "providers/state.html",
            "providers/state.md",
            "v1/changes.json",
            "v1/manifest.json",
            "v1/providers.json",
            "v1/providers/state.json",
            "v1/providers/state/NY.json",
        ]
    );
    assert_eq!(summary.written, changed.len());
    assert!(build(&fixture::load(content.path()), &options).unwrap().is_unchanged());
}

#[test]
fn a_broken_template_is_reported_with_its_line_and_nothing_is_published() {
    let (site, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(site.path().join("404.html"), "<p>\n{{ nobody.knows }}\n").unwrap();
    let options = BuildOptions {
        site: Some(site.path().to_owned()),
        ..BuildOptions::new(fixture::folder(), out.path().join("dist"))
    };
    let error = build(&fixture::snapshot(), &options).unwrap_err().to_string();
    assert!(error.contains("404.html:2"), "{error}");
    assert!(!options.out.exists());
    fs::write(site.path().join("404.html"), "<p>\n{% if %}\n").unwrap();
    let error = build(&fixture::snapshot(), &options).unwrap_err().to_string();
    assert!(error.contains("404.html:2"), "{error}");
}

#[test]
fn portraits_come_from_the_headshots_folder_alone() {
    for name in ["../directory.toml", "/etc/passwd", "a/b.svg", "a.svg/", "./a.svg", "..", ".", ""] {
        assert!(matches!(portrait_in_content(Path::new("content"), name), Err(ReadError::Name(_))), "{name}");
    }
    for name in ["a.svg", "Jane Doe (1).JPG"] {
        let expected = Path::new("headshots").join(name);
        assert_eq!(portrait_in_content(Path::new("content"), name).unwrap(), expected);
    }
}

#[test]
fn every_clinician_is_linked_from_exactly_one_list_page() {
    let (snapshot, out) = (fixture::crowd(150), tempfile::tempdir().unwrap());
    let options = BuildOptions::new(fixture::folder(), out.path().join("dist"));
    build(&snapshot, &options).unwrap();
    let tree = tree(&options.out);
    let lists = ["clinicians.html", "clinicians/2.html", "clinicians/3.html"].map(|name| text(&tree, name));
    assert!(!tree.contains_key("clinicians/4.html"));
    for provider in snapshot.directory().providers() {
        let link = format!(r#"href="/providers/{}""#, provider.slug);
        assert_eq!(lists.iter().filter(|list| list.contains(&link)).count(), 1, "{link}");
    }
    assert!(lists[0].contains(r#"href="/clinicians/2""#) && lists[1].contains(r#"href="/clinicians/3""#));
    assert!(!lists[2].contains("rel=\"next\""));
    // The list of a state is also complete. The list of a plan or a visit type has one page and a link to the others.
    assert!(tree.contains_key("states/ny/3.html") && !tree.contains_key("states/ca/2.html"));
    assert!(text(&tree, "visit-types/101.html").contains("These are 60 of 151."));
}

/// Compares the API's files and Netlify's rules with `tests/golden.txt`. `BLESS=1` rewrites that file; review the diff
/// line by line. Pages and the OpenAPI document have tests of their own.
#[test]
fn the_tree_equals_the_golden_file() {
    let (_folder, tree) = built(&fixture::folder());
    let is_covered = |name: &str| {
        // Each script has a test of its hash.
        let has_other_tests = ["v1/schemas/", "v1/elements"].iter().any(|stem| name.starts_with(stem));
        let of_the_api = name.starts_with("v1/") && !has_other_tests;
        (of_the_api && !matches!(name, "v1/openapi.json" | "v1/manifest.json" | "v1/webmcp.json"))
            || name.starts_with('_')
    };
    let covered = tree.keys().filter(|name| is_covered(name));
    let covered = covered.filter(|name| !name.contains('/') || !is_of_a_state_without_care(name));
    let files = covered.map(|name| format!("== {name}\n{}\n", text(&tree, name).trim_end()));
    let golden = files.collect::<Vec<_>>().concat();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &golden).unwrap();
    }
    let blessed = fs::read_to_string(&file).unwrap();
    for (line, (now, then)) in golden.lines().zip(blessed.lines()).enumerate() {
        assert_eq!(now, then, "tests/golden.txt:{}", line + 1);
    }
    assert_eq!(golden.lines().count(), blessed.lines().count());
}

/// Whether a file is the list of a state where the fixture offers nothing. Alaska stands for all of them.
fn is_of_a_state_without_care(name: &str) -> bool {
    let stem = name.rsplit('/').next().and_then(|name| name.strip_suffix(".json"));
    stem.is_some_and(|stem| stem.len() == 2 && !["AK", "CA", "NY"].contains(&stem))
}

#[test]
fn only_profiles_count_as_clinicians() {
    assert_eq!(profile_slug("v1/providers/ada-moreau.json"), Some("ada-moreau"));
    for path in [
        "v1/providers.json",
        "v1/providers/summary.json",
        "v1/providers/summary/CA.json",
        "v1/providers/state/CA.json",
        "v1/providers/ada-moreau.html",
        "v1/states.json",
    ] {
        assert_eq!(profile_slug(path), None, "{path}");
    }
}
