//! The form's configuration: Sveltia CMS's `config.json`, and `keys.json` for the format of the files.

use directory::content::schemas;
use serde_json::{Map, Value, json};

use super::choices::Choices;
use super::fields::fields;
use super::file::{Backend, EditorFile, SignIn};
use super::keys::keys;

/// What the form is made from, and whom it may ask.
pub(super) struct Config {
    pub(super) config: Value,
    pub(super) keys: Value,
    /// The origins that the form's script asks, beside its own.
    pub(super) origins: Vec<String>,
}

/// A kind of file that the form shows.
pub(super) struct Kind {
    /// The name of its schema.
    pub(super) name: &'static str,
    /// The collection in the form.
    pub(super) collection: &'static str,
    pub(super) label: &'static str,
    /// The path in the content folder: a file, or a folder with a slash at its end.
    pub(super) path: &'static str,
}

/// The kinds, in the order of the form's menu.
pub(super) const KINDS: [Kind; 7] = [
    Kind { name: "provider", collection: "providers", label: "Clinicians", path: "providers/" },
    Kind { name: "availability", collection: "availability", label: "Hours", path: "availability/" },
    Kind { name: "insurances", collection: "clinic", label: "Insurance plans", path: "insurances.toml" },
    Kind {
        name: "appointment-types",
        collection: "clinic",
        label: "Visit types",
        path: "appointment-types.toml",
    },
    Kind { name: "holidays", collection: "clinic", label: "Holidays", path: "holidays/" },
    Kind { name: "directory", collection: "clinic", label: "Who we are", path: "directory.toml" },
    Kind { name: "retired", collection: "clinic", label: "Who left", path: "retired.toml" },
];

pub(super) fn schema_of(kind: &str) -> Value {
    let schema = schemas().into_iter().find(|(name, _)| *name == kind);
    schema.map_or(Value::Null, |(_, schema)| schema.to_value())
}

/// Makes the configuration. `clinic` is the organisation's name, `site` the address of its site.
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
    let config = json!({
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
    Config { config, keys: all_keys.into(), origins }
}

fn clinicians(folder: &str, format: &str, fields: &[Value]) -> Value {
    json!({
        "name": "providers", "label": "Clinicians", "label_singular": "Clinician", "icon": "stethoscope",
        "folder": folder, "extension": "toml", "format": format,
        // Who leaves is withdrawn: without the file, the identifier and the address could be given to somebody else.
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
        "description": "A clinician's hours have the last part of her page's address as their name, such as jane-doe.",
        "folder": folder, "extension": "toml", "format": format,
        "create": true, "delete": false, "duplicate": false,
        "identifier_field": "timezone",
        "slug": {
            "editable": ["create"], "pattern": slug_pattern(),
            "hint": "The last part of the clinician's address, such as jane-doe. Add the clinician first.",
        },
        "summary": "{{slug}}", "sortable_fields": ["timezone"], "thumbnail": false,
        "preview_path": "providers/{{slug}}", "fields": fields,
    })
}

fn slug_pattern() -> Value {
    json!(["^[a-z0-9]+(-[a-z0-9]+)*$", "Write small letters, digits and single hyphens, such as jane-doe"])
}

/// The action that writes `[confirmed]`, which the form itself does not show.
fn confirmation() -> Value {
    json!({
        "name": "x-confirm", "label": "Confirm this entry", "required": false, "widget": "select",
        "hint": "Only if everything above was read and is right: who says so? Today's date is written when you save.",
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
        // Kept in the browser alone.
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
