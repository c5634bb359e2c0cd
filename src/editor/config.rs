//! The form's configuration: Sveltia CMS's `config.json`, and `keys.json` for the format of the files.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use directory::content::schemas;
use serde_json::{Map, Value, json};

use super::choices::Choices;
use super::fields::fields;
use super::file::{Backend, EditorFile, SignIn};
use super::keys::keys;

pub(super) struct Config {
    pub(super) form: Value,
    pub(super) keys: Value,
    /// The origins that the form's script requests, besides its own.
    pub(super) origins: Vec<String>,
}

pub(super) struct EditedFile {
    pub(super) name: &'static str,
    pub(super) collection: &'static str,
    pub(super) label: &'static str,
    /// The path in the content folder: a file, or a folder with a slash at its end.
    pub(super) path: &'static str,
}

pub(super) const KINDS: [EditedFile; 7] = [
    EditedFile { name: "provider", collection: "providers", label: "Clinicians", path: "providers/" },
    EditedFile { name: "availability", collection: "availability", label: "Hours", path: "availability/" },
    EditedFile {
        name: "insurances",
        collection: "clinic",
        label: "Insurance plans",
        path: "insurances.toml",
    },
    EditedFile {
        name: "appointment-types",
        collection: "clinic",
        label: "Visit types",
        path: "appointment-types.toml",
    },
    EditedFile { name: "holidays", collection: "clinic", label: "Holidays", path: "holidays/" },
    EditedFile { name: "directory", collection: "clinic", label: "Who we are", path: "directory.toml" },
    EditedFile { name: "retired", collection: "clinic", label: "Who left", path: "retired.toml" },
];

pub(super) fn schema_of(kind: &str) -> Value {
    static SCHEMAS: LazyLock<BTreeMap<&str, Value>> =
        LazyLock::new(|| schemas().into_iter().map(|(name, schema)| (name, schema.to_value())).collect());
    SCHEMAS.get(kind).cloned().unwrap_or_default()
}

pub(super) fn config(clinic: &str, site: &str, choices: &Choices, file: &EditorFile) -> Config {
    let mut all_keys = Map::new();
    let mut collections = Vec::new();
    let mut files = Vec::new();
    for kind in &KINDS {
        let schema = schema_of(kind.name);
        let mut own = fields(&schema, choices);
        if kind.name == "provider" && choices.has_accuracy {
            own.push(confirmation());
        }
        let format = format!("nameplate-{}", kind.name);
        all_keys.insert(format.clone(), keys(&schema));
        let path = format!("{}/{}", file.folder, kind.path.trim_end_matches('/'));
        match kind.name {
            "provider" => collections.push(clinicians(&path, &format, &own)),
            "availability" => collections.push(hours(&path, &format, &own)),
            "holidays" => files.extend(choices.holiday_lists.iter().map(|list| {
                json!({
                    "name": format!("holidays-{list}"), "label": format!("Holidays: {list}"),
                    "file": format!("{path}/{list}.toml"), "format": format, "fields": own,
                })
            })),
            name => files.push(json!({
                "name": name, "label": kind.label, "file": path, "format": format, "fields": own,
            })),
        }
    }
    collections.push(json!({"name": "clinic", "label": "The clinic", "icon": "apartment", "files": files}));
    let (backend, origins, mode) = backend(file);
    let form = json!({
        "load_config_file": false,
        "backend": backend,
        "publish_mode": mode,
        "app_title": format!("{clinic}: the directory"),
        "site_url": site,
        "media_folder": format!("{}/headshots", file.folder),
        "public_folder": "",
        "editor": {"preview": false},
        "output": {"omit_empty_optional_fields": true},
        "slug": {"encoding": "ascii", "clean_accents": true},
        "collections": collections,
    });
    Config { form, keys: all_keys.into(), origins }
}

fn clinicians(folder: &str, format: &str, fields: &[Value]) -> Value {
    json!({
        "name": "providers", "label": "Clinicians", "label_singular": "Clinician", "icon": "stethoscope",
        "folder": folder, "extension": "toml", "format": format,
        // A clinician who leaves is withdrawn and not deleted: without the file, the identifier and the page's address
        // could be given to another clinician.
        "create": true, "delete": false, "duplicate": false,
        "identifier_field": "display-name",
        "slug": {
            "template": "{{display-name}}", "editable": ["create"], "pattern": slug_pattern(),
            "hint": "The last part of the page's address, such as jane-doe. It stays when the name changes.",
        },
        "summary": "{{display-name}}, {{credentials}}", "sortable_fields": ["display-name"], "thumbnail": false,
        "preview_path": "providers/{{slug}}", "fields": fields,
    })
}

fn hours(folder: &str, format: &str, fields: &[Value]) -> Value {
    json!({
        "name": "availability", "label": "Hours", "label_singular": "Hours", "icon": "schedule",
        "description": "Hours are named after the last part of the clinician's page address, such as jane-doe.",
        "folder": folder, "extension": "toml", "format": format,
        "create": true, "delete": false, "duplicate": false,
        // Without a field for its name an entry is called by its slug.
        "slug": {
            "editable": ["create"], "pattern": slug_pattern(),
            "hint": "The last part of the clinician's address, such as jane-doe. Add the clinician first.",
        },
        "summary": "{{slug}}", "sortable_fields": ["timezone"], "thumbnail": false,
        "preview_path": "providers/{{slug}}", "fields": fields,
    })
}

fn slug_pattern() -> Value {
    json!(["^[a-z0-9]+(-[a-z0-9]+)*$", "Use lowercase letters, digits, and single hyphens, such as jane-doe"])
}

/// The action that writes `[confirmed]`, which the form itself does not show.
fn confirmation() -> Value {
    json!({
        "name": "x-confirm", "label": "Confirm this entry", "required": false, "widget": "select",
        "hint": "Choose this only if everything above was read and is correct. Saving adds today's date.",
        "options": [
            {"label": "The clinician confirms it", "value": "clinician"},
            {"label": "The clinic confirms it", "value": "clinic"},
        ],
    })
}

/// The CMS's backend, the origins it asks, and whether each change is a pull request.
fn backend(file: &EditorFile) -> (Value, Vec<String>, &'static str) {
    let reviewed = "editorial_workflow";
    match &file.backend {
        // Kept only in the browser.
        Backend::Trial => (json!({"name": "test-repo"}), Vec::new(), "simple"),
        Backend::GitHub { repository, sign_in } => {
            let mut backend = json!({
                "name": "github", "repo": repository, "branch": file.branch,
                "preview_context": "nameplate/preview", "squash_merges": true,
            });
            match sign_in {
                SignIn::Netlify => {}
                SignIn::Token => backend["auth_methods"] = json!(["token"]),
                SignIn::Server(address) => backend["base_url"] = address.as_str().into(),
            }
            (backend, vec!["https://api.github.com".to_owned()], reviewed)
        }
        Backend::GitLab { repository, host, app } => {
            let host = host.as_deref().unwrap_or("https://gitlab.com");
            let backend = json!({
                "name": "gitlab", "repo": repository, "branch": file.branch, "auth_type": "pkce", "app_id": app,
                "base_url": host, "api_root": format!("{host}/api/v4"), "preview_context": "nameplate/preview",
            });
            (backend, vec![origin(host)], reviewed)
        }
        // The CMS knows no reviews there: each change is saved to the branch.
        Backend::Gitea { repository, host, app } => {
            let host = host.as_deref().unwrap_or("https://gitea.com");
            let backend = json!({
                "name": "gitea", "repo": repository, "branch": file.branch, "app_id": app,
                "base_url": host, "api_root": format!("{host}/api/v1"),
            });
            (backend, vec![origin(host)], "simple")
        }
    }
}

fn origin(address: &str) -> String {
    let rest = address.trim_start_matches("https://");
    format!("https://{}", rest.split('/').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demo(file: &EditorFile) -> Config {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
        let today = chrono::NaiveDate::from_ymd_opt(2026, 11, 23).unwrap();
        let checked = directory::content::load_and_check(&folder, today).unwrap();
        let choices = Choices::collect(&checked.directory, vec!["us-federal".to_owned()], file);
        config("Larkspur Health", "https://larkspur.example", &choices, file)
    }

    fn names(fields: &Value) -> Vec<&str> {
        fields.as_array().unwrap().iter().map(|field| field["name"].as_str().unwrap()).collect()
    }

    fn field<'a>(fields: &'a Value, name: &str) -> &'a Value {
        fields.as_array().unwrap().iter().find(|field| field["name"] == name).unwrap()
    }

    #[test]
    fn the_form_shows_what_a_clinic_edits_and_nothing_else() {
        let Config { form, keys, origins } = demo(&EditorFile::default());
        assert_eq!((form["backend"]["name"].as_str(), origins.len()), (Some("test-repo"), 0));
        let clinicians = &form["collections"][0];
        assert_eq!(
            names(&clinicians["fields"]),
            [
                "id",
                "display-name",
                "sort-name",
                "former-slugs",
                "credentials",
                "provider-type",
                "gender",
                "bio",
                "headshot",
                "menopause-society-certified",
                "clinical-interests",
                "languages",
                "licensed",
                "accepting",
                "appointment-types",
                "npi",
                "status",
                "leave",
                "insurance",
                "education",
                "certifications",
                "license",
                "specialty",
            ]
        );
        let leave = field(&clinicians["fields"], "leave");
        assert_eq!((&leave["label"], names(&leave["fields"])), (&json!("On leave"), vec!["from", "until"]));
        assert_eq!(field(&leave["fields"], "until")["required"], false);
        // Every profession in words, including those the clinic doesn't have.
        let professions = field(&clinicians["fields"], "provider-type")["options"].as_array().unwrap();
        assert_eq!(professions.len(), 13);
        assert_eq!(professions[2], json!({"label": "Physician assistant", "value": "physicianAssistant"}));
        // Required lists are optional in the form: the format writes the empty ones.
        let accepting = field(&clinicians["fields"], "accepting");
        assert_eq!((&accepting["required"], &accepting["multiple"]), (&json!(false), &json!(true)));
        // The demo's states, and not all 56.
        assert_eq!(accepting["options"].as_array().unwrap().len(), 12);
        let plans = field(&clinicians["fields"], "insurance")["fields"].as_array().unwrap();
        assert_eq!((plans[0]["name"].as_str(), plans.len()), (Some("all"), 13));
        assert_eq!(plans[0]["options"].as_array().unwrap().len(), 11);
        // Without a policy of confirmations "unconfirmed" is not offered.
        let listed = field(&clinicians["fields"], "status")["options"].as_array().unwrap();
        assert_eq!(listed.len(), 3);
        let hours = &form["collections"][1]["fields"];
        let exceptions = field(hours, "exception");
        assert_eq!(exceptions["typeKey"], "kind");
        assert_eq!(names(&exceptions["types"]), ["off", "replace", "extra"]);
        assert_eq!(names(&exceptions["types"][0]["fields"]), ["from", "to", "hours"]);
        // Visits by message have no hours.
        let visits = field(&field(hours, "weekly")["fields"], "types")["options"].as_array().unwrap();
        assert_eq!(
            visits.iter().map(|visit| visit["value"].as_i64().unwrap()).collect::<Vec<_>>(),
            [101, 102, 103, 104]
        );
        let files = form["collections"][2]["files"].as_array().unwrap();
        let paths: Vec<_> = files.iter().map(|file| file["file"].as_str().unwrap()).collect();
        assert_eq!(
            paths,
            [
                "content/insurances.toml",
                "content/appointment-types.toml",
                "content/holidays/us-federal.toml",
                "content/directory.toml",
                "content/retired.toml",
            ]
        );
        assert_eq!(
            names(&files[3]["fields"]),
            ["name", "description", "booking-url", "address", "patients", "site-languages"]
        );
        assert_eq!(
            keys["nameplate-availability"]["dates"],
            json!([
                "effective.from",
                "effective.until",
                "exception.*.from",
                "exception.*.to",
                "exception.*.date"
            ])
        );
        assert_eq!(keys["nameplate-provider"]["lists"], json!(["licensed", "accepting"]));
        assert_eq!(keys["nameplate-appointment-types"]["words"], json!(["type.*.states"]));
        assert_eq!(
            keys["nameplate-holidays"],
            json!({"dates": ["dates.*"], "lists": ["dates"], "words": []})
        );
    }

    #[test]
    fn each_git_host_is_asked_and_no_other() {
        let file = |backend| EditorFile { backend, ..EditorFile::default() };
        let repository = || "clinic/directory".to_owned();
        let github = demo(&file(Backend::GitHub { repository: repository(), sign_in: SignIn::Token }));
        assert_eq!(github.origins, ["https://api.github.com"]);
        assert_eq!(github.form["backend"]["auth_methods"], json!(["token"]));
        assert_eq!(github.form["publish_mode"], "editorial_workflow");
        let host = Some("https://git.clinic.example/code".to_owned());
        let gitlab = demo(&file(Backend::GitLab { repository: repository(), host, app: "1".to_owned() }));
        assert_eq!(gitlab.origins, ["https://git.clinic.example"]);
        assert_eq!(gitlab.form["backend"]["api_root"], "https://git.clinic.example/code/api/v4");
        let gitea = demo(&file(Backend::Gitea { repository: repository(), host: None, app: "1".to_owned() }));
        assert_eq!(gitea.form["publish_mode"], "simple", "the CMS has no reviews there");
    }
}
