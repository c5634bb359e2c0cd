//! A clinic of six professions: what each interface says of them. The table of professions is in `directory`'s model.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{NOW, Server, nameplate, root, text};
use crate::sheet::printed;

/// Slug, credentials, and value of each clinician, all women.
const CLINICIANS: [(&str, &str, &str); 6] = [
    ("ada-adams", "MD", "physician"),
    ("bea-brown", "PA-C", "physicianAssistant"),
    ("cleo-clark", "MA, LMFT", "therapist"),
    ("dora-diaz", "LCSW", "clinicalSocialWorker"),
    ("edie-ellis", "BSN, RN", "registeredNurse"),
    ("fay-foster", "NBC-HWC", "healthCoach"),
];

/// The specification's two and those of the clinic, in the table's order.
const LISTED: [&str; 7] = [
    "physician",
    "nursePractitioner",
    "physicianAssistant",
    "therapist",
    "clinicalSocialWorker",
    "registeredNurse",
    "healthCoach",
];

struct Clinic {
    folder: TempDir,
    content: PathBuf,
}

impl Clinic {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        fs::create_dir_all(content.join("providers")).unwrap();
        let case = root().join("tests/cases/standards/content");
        for name in ["appointment-types.toml", "insurances.toml"] {
            fs::copy(case.join(name), content.join(name)).unwrap();
        }
        let directory = fs::read_to_string(case.join("directory.toml")).unwrap();
        let languages = "site-languages = [\"English\", \"Spanish\"]\n";
        fs::write(content.join("directory.toml"), format!("{languages}{directory}")).unwrap();
        for (at, (slug, credentials, value)) in CLINICIANS.iter().enumerate() {
            let name: Vec<_> =
                slug.split('-').map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..])).collect();
            let (first, name) = (&name[0], name.join(" "));
            let text = format!(
                "id = \"prov-{at}\"\ndisplay-name = \"{name}\"\ncredentials = \"{credentials}\"\n\
                 provider-type = \"{value}\"\ngender = \"female\"\nbio = \"{first} listens.\"\nlicensed = [\"CA\"]\n\
                 accepting = [\"CA\"]\nappointment-types = [101]\n\
                 [[certifications]]\nissuer = \"National Example Board of {first}\"\nname = \"Example\"\n"
            );
            fs::write(content.join(format!("providers/{slug}.toml")), text).unwrap();
        }
        Self { folder, content }
    }

    fn run(&self, arguments: &[&str], code: i32) -> String {
        let content = self.content.to_str().unwrap();
        printed(&nameplate(&[arguments, &["--content", content]].concat()), code)
    }

    fn get(&self, target: &str, code: i32) -> Value {
        serde_json::from_str(&self.run(&["query", target, "--now", NOW], code)).unwrap()
    }

    /// The slugs that a search finds.
    fn found(&self, query: &str) -> Vec<String> {
        let answer = self.get(&format!("/v1/providers/summary?{query}"), 0);
        let providers = answer["providers"].as_array().unwrap();
        providers.iter().map(|provider| provider["slug"].as_str().unwrap().to_owned()).collect()
    }

    fn built(&self) -> PathBuf {
        let out = self.folder.path().join("dist");
        self.run(&["build", "--out", out.to_str().unwrap()], 0);
        out
    }

    fn edit(&self, slug: &str, from: &str, to: &str) {
        let path = self.content.join(format!("providers/{slug}.toml"));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(path, text.replace(from, to)).unwrap();
    }
}

fn page(tree: &Path, name: &str) -> String {
    fs::read_to_string(tree.join(name)).unwrap()
}

#[test]
fn the_content_is_right_as_it_is() {
    let report = Clinic::new().run(&["check"], 0);
    assert!(!report.contains("error:") && !report.contains("'s credential."), "{report}");
}

#[test]
fn the_api_gives_and_filters_each_value_and_lists_those_in_use() {
    let clinic = Clinic::new();
    for (slug, _, value) in CLINICIANS {
        assert_eq!(clinic.get(&format!("/v1/providers/{slug}"), 0)["providerType"], value);
        assert_eq!(clinic.found(&format!("providerType={}", value.to_uppercase())), [slug]);
    }
    // The specification's, and one that only the table has.
    assert!(clinic.found("providerType=nursePractitioner").is_empty());
    assert!(clinic.found("providerType=pharmacist").is_empty());
    let slots = clinic.get("/v1/availability?state=CA&providerType=pharmacist", 0);
    assert_eq!((&slots["providerType"], &slots["slots"]), (&json!("pharmacist"), &json!([])));
    for target in ["/v1/providers?providerType=surgeon", "/v1/availability?state=CA&providerType=surgeon"] {
        let expected = format!("invalid parameter: providerType must be one of {}", LISTED.join(", "));
        assert_eq!(clinic.get(target, 1), json!({"code": "INVALID_PARAMETER", "message": expected}));
    }
}

#[test]
fn a_search_understands_the_words_of_both_languages() {
    let clinic = Clinic::new();
    for (typed, slug) in [
        ("doctor", "ada-adams"),
        ("doctora", "ada-adams"),
        ("PA", "bea-brown"),
        ("PAs", "bea-brown"),
        ("physician+assistant", "bea-brown"),
        ("asistente+m%C3%A9dica", "bea-brown"),
        ("therapist", "cleo-clark"),
        ("counselor", "cleo-clark"),
        ("terapeuta", "cleo-clark"),
        ("clinical+social+worker", "dora-diaz"),
        ("social+worker", "dora-diaz"),
        ("trabajadora+social", "dora-diaz"),
        ("nurse", "edie-ellis"),
        ("enfermera+registrada", "edie-ellis"),
        ("a+woman+RN", "edie-ellis"),
        ("health+coach", "fay-foster"),
    ] {
        assert_eq!(clinic.found(&format!("q={typed}")), [slug], "{typed}");
    }
    // Professions that no clinician here has are read as names and interests.
    assert!(clinic.found("q=pharmacist").is_empty());
}

#[test]
fn the_tools_take_the_values_in_use_and_say_them_in_words() {
    let clinic = Clinic::new();
    let content = clinic.content.to_str().unwrap();
    let server = Server::start(&["serve", "--content", content, "--now", NOW]);
    let call = |method: &str, params: &Value| {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        server.post_mcp(&message.to_string()).event()["result"].clone()
    };
    let tools = call("tools/list", &json!({}));
    for tool in ["search_providers", "check_availability"] {
        let tool = tools["tools"].as_array().unwrap().iter().find(|known| known["name"] == tool).unwrap();
        let argument = &tool["inputSchema"]["properties"]["providerType"];
        // Clients with strict schemas send null for what they leave out.
        let values = argument["enum"].as_array().unwrap();
        assert_eq!(values.split_last(), Some((&Value::Null, json!(LISTED).as_array().unwrap().as_slice())));
    }
    let ask = |kind: &str| {
        call("tools/call", &json!({"name": "search_providers", "arguments": {"providerType": kind}}))
    };
    let found = ask("clinical social worker");
    assert_eq!(found["structuredContent"]["providers"][0]["slug"], "dora-diaz");
    let refused = ask("surgeon");
    assert_eq!(
        refused["content"][0]["text"],
        "I didn't understand “surgeon” as a clinician type. Please choose physician, nurse practitioner, physician \
         assistant, therapist, clinical social worker, registered nurse or health coach."
    );
    // The same over HTTP, as `query` prints it.
    let reply = server.get("/v1/providers?providerType=surgeon");
    assert_eq!(reply.status, 400);
    assert!(text(&reply.body).contains("clinicalSocialWorker, registeredNurse, healthCoach\""));
}

#[test]
fn the_pages_say_each_professions_own_word() {
    let clinic = Clinic::new();
    let tree = clinic.built();
    for (slug, english, spanish) in [
        ("ada-adams", "Physician", "Médica"),
        ("bea-brown", "Physician assistant", "Asistente médica"),
        ("cleo-clark", "Therapist", "Terapeuta"),
        ("dora-diaz", "Clinical social worker", "Trabajadora social clínica"),
        ("edie-ellis", "Registered nurse", "Enfermera registrada"),
        ("fay-foster", "Health coach", "Asesora de salud"),
    ] {
        for (base, word) in [("", english), ("es/", spanish)] {
            let profile = page(&tree, &format!("{base}providers/{slug}.html"));
            assert!(profile.contains(&format!("<p class=\"quiet\">{word}")), "{slug}: {word}");
            // A physician's degree is "Doctor of Medicine".
            assert!(slug == "ada-adams" || !profile.to_lowercase().contains("doctor"), "{slug}");
            assert!(
                page(&tree, &format!("{base}clinicians.html"))
                    .contains(&format!("<p class=\"quiet small\">{word}")),
                "{word}"
            );
        }
        let data = page(&tree, &format!("providers/{slug}.html"));
        let title = if slug == "ada-adams" {
            "\"@type\":\"IndividualPhysician\"".to_owned()
        } else {
            format!("\"jobTitle\":\"{english}\"")
        };
        assert!(data.contains(&title), "{title}");
    }
    let list = page(&tree, "clinicians.html");
    let options = "<label for=\"finder-type\">Type of clinician</label><div class=\"pick\"><select id=\"finder-type\" name=\"type\">\
        <option value=\"\">Any</option><option value=\"physician\">Physician</option>\
        <option value=\"physicianAssistant\">Physician assistant</option><option value=\"therapist\">Therapist</option>\
        <option value=\"clinicalSocialWorker\">Clinical social worker</option>\
        <option value=\"registeredNurse\">Registered nurse</option><option value=\"healthCoach\">Health coach</option>\
        </select>";
    assert!(list.contains(options), "{list}");
    let module = page(&tree, "assets/texts/es.js");
    assert!(module.contains("\"therapist\":\"Terapeuta\"") && !module.contains("pharmacist"), "{module}");
    let described: Value = serde_json::from_str(&page(&tree, "v1/openapi.json")).unwrap();
    let parameters = described["paths"]["/v1/providers"]["get"]["parameters"].as_array().unwrap();
    let parameter = parameters.iter().find(|known| known["name"] == "providerType").unwrap();
    assert_eq!(parameter["schema"]["enum"], json!(LISTED));
    let field = "/components/schemas/PublicProviderProfile/properties/providerType/enum";
    assert_eq!(described.pointer(field), Some(&json!(LISTED)));
    assert!(page(&tree, "docs/search-providers.html").contains(&LISTED.join(", ")));
}

#[test]
fn without_physicians_no_page_says_doctor() {
    let clinic = Clinic::new();
    fs::remove_file(clinic.content.join("providers/ada-adams.toml")).unwrap();
    let tree = clinic.built();
    for name in ["index.html", "clinicians.html", "states/ca.html", "es.html", "es/clinicians.html"] {
        assert!(!page(&tree, name).to_lowercase().contains("doctor"), "{name}");
    }
}

#[test]
fn fhir_has_the_codes_of_each_profession() {
    let clinic = Clinic::new();
    let tree = clinic.built();
    // Plan-Net's roles and the NUCC's taxonomy, as their code systems list them.
    let expected = BTreeMap::from([
        ("prov-0", ("ph", None, Some("Licensed physician"))),
        ("prov-1", ("pa", Some("363A00000X"), Some("Licensed physician assistant"))),
        ("prov-2", ("mt", Some("106H00000X"), Some("Licensed therapist"))),
        ("prov-3", ("sw", Some("1041C0700X"), Some("Licensed clinical social worker"))),
        ("prov-4", ("rn", Some("163W00000X"), Some("Licensed registered nurse"))),
        // No state licenses health coaches.
        ("prov-5", ("os", Some("171400000X"), None)),
    ]);
    let lines = |name: &str| -> Vec<Value> {
        page(&tree, &format!("fhir/{name}.ndjson"))
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let (roles, people) = (lines("PractitionerRole"), lines("Practitioner"));
    assert_eq!((roles.len(), people.len()), (6, 6));
    for (role, person) in roles.iter().zip(&people) {
        let (code, specialty, license) = expected[person["id"].as_str().unwrap()];
        assert_eq!(role["code"][0]["coding"][0]["code"], code);
        assert_eq!(role["specialty"][0]["coding"][0]["code"].as_str(), specialty);
        let qualifications = person["qualification"].as_array().unwrap();
        let licenses = qualifications.iter().filter(|each| each["extension"].is_array());
        let licenses: Vec<_> = licenses.map(|each| each["code"]["text"].as_str().unwrap()).collect();
        assert_eq!(licenses, license.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn the_sheet_writes_each_profession_and_refuses_others() {
    let clinic = Clinic::new();
    let sheet = clinic.folder.path().join("clinicians.csv");
    clinic.run(&["export", sheet.to_str().unwrap()], 0);
    let written = fs::read_to_string(&sheet).unwrap();
    for (_, _, value) in CLINICIANS {
        assert!(written.contains(value), "{value}");
    }
    fs::write(&sheet, written.replace("healthCoach", "dietitian")).unwrap();
    clinic.run(&["import", sheet.to_str().unwrap()], 0);
    assert_eq!(clinic.get("/v1/providers/fay-foster", 0)["providerType"], "dietitian");
    fs::write(&sheet, written.replace("healthCoach", "surgeon")).unwrap();
    let refused = clinic.run(&["import", sheet.to_str().unwrap()], 1);
    assert!(refused.contains("surgeon") && refused.contains("speechTherapist"), "{refused}");
}

#[test]
fn check_says_both_ways_out_of_an_unknown_profession() {
    let clinic = Clinic::new();
    clinic.edit("fay-foster", "healthCoach", "acupuncturist");
    let report = clinic.run(&["check"], 1);
    assert!(report.contains("providers/fay-foster.toml:4:17"), "{report}");
    assert!(report.contains("speechTherapist, healthCoach. If none fits, request"), "{report}");
    for (written, meant) in
        [("PA-C", "physicianAssistant"), ("dietician", "dietitian"), ("Health Coach", "healthCoach")]
    {
        clinic.edit("fay-foster", "provider-type = \"", &format!("provider-type = \"{written}\" # "));
        let report = clinic.run(&["check"], 1);
        assert!(report.contains(&format!("Write provider-type = \"{meant}\"")), "{report}");
        clinic.edit("fay-foster", &format!("\"{written}\" # "), "\"");
    }
}

#[test]
fn check_compares_credentials_with_the_profession() {
    for (slug, from, to, said) in [
        ("ada-adams", "\"MD\"", "\"RDN\"", "a physician, but \"RDN\" is a dietitian's credential"),
        ("cleo-clark", "MA, LMFT", "PharmD", "a therapist, but \"PharmD\" is a pharmacist's credential"),
        ("dora-diaz", "LCSW", "MD", "a clinical social worker, but \"MD\" is a physician's credential"),
    ] {
        let clinic = Clinic::new();
        clinic.edit(slug, from, to);
        let report = clinic.run(&["check"], 0);
        assert!(report.contains(&format!("listed as {said}")), "{report}");
    }
}

#[test]
fn a_badge_is_in_all_lists_and_in_no_answer() {
    let clinic = Clinic::new();
    let before = clinic.get("/v1/providers/cleo-clark", 0);
    let badge = "name = \"Example\"\nbadge = true\nshort-name = \"NEB\"";
    clinic.edit("cleo-clark", "name = \"Example\"", badge);
    clinic.edit("dora-diaz", "name = \"Example\"", "name = \"Example\"\nbadge = true");
    assert_eq!(clinic.get("/v1/providers/cleo-clark", 0), before);
    let tree = clinic.built();
    for name in ["clinicians.html", "states/ca.html"] {
        let list = page(&tree, name);
        assert_eq!(list.matches("✓ Certified by").count(), 2, "{name}");
        assert!(list.contains("✓ Certified by NEB</p>"), "{name}");
        assert!(list.contains("✓ Certified by National Example Board of Dora</p>"), "{name}");
    }
    assert!(page(&tree, "providers/cleo-clark.html").contains("<br>✓ Certified by NEB</dd>"));
    assert!(page(&tree, "es/providers/cleo-clark.html").contains("<br>✓ Certificación de NEB</dd>"));
    assert!(page(&tree, "assets/clinicians.json").contains(r#"{"badges":["NEB"],"#));
    clinic.edit("cleo-clark", "badge = true", "");
    assert!(clinic.run(&["check"], 0).contains("This short name isn't shown anywhere"));
}
