//! Keys of a content file as fields of the form, by the key's JSON Schema. What a schema cannot say is its `x-editor`: `as`
//! (what kind of value), `label`, `hint`, `labels` (of the words to choose from), `one` and `summary` (of a list's entries),
//! `open` (its entries are unfolded), and `kinds` (the keys of each kind of entry).

use directory::model::StateCode;
use serde_json::{Map, Value, json};

use super::choices::Choices;

/// Up to this number of choices are shown as boxes, and more as a list to unfold.
const BOXES: u32 = 60;
const DATE: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
const TIME: &str = "^([0-9]+d)?([0-9]+h)?([0-9]+m)?$";
const HOURS: &str = "^[0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9]$";
const DAYS: [(&str, &str); 7] = [
    ("mon", "Monday"),
    ("tue", "Tuesday"),
    ("wed", "Wednesday"),
    ("thu", "Thursday"),
    ("fri", "Friday"),
    ("sat", "Saturday"),
    ("sun", "Sunday"),
];

pub(super) fn fields(schema: &Value, choices: &Choices) -> Vec<Value> {
    let Some(properties) = schema["properties"].as_object() else { return Vec::new() };
    let is_required = |name: &str| {
        schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name))
    };
    properties.iter().filter_map(|(name, key)| field(name, key, is_required(name), choices)).collect()
}

fn field(name: &str, schema: &Value, is_required: bool, choices: &Choices) -> Option<Value> {
    let editor = &schema["x-editor"];
    let kind = editor["as"].as_str().unwrap_or_default();
    let mut field = Map::new();
    field.insert("name".to_owned(), name.into());
    field.insert("label".to_owned(), label(name, schema).into());
    let hint = editor["hint"].as_str().map_or_else(|| plain(schema["description"].as_str()), str::to_owned);
    if !hint.is_empty() {
        field.insert("hint".to_owned(), hint.into());
    }
    // A required list that is empty could not be saved: the format writes it.
    let is_list = schema["type"] == "array" || schema["anyOf"].is_array();
    if !is_required || is_list {
        field.insert("required".to_owned(), false.into());
    }
    let widget = match kind {
        "hidden" => return None,
        "id" => json!({"widget": "uuid", "prefix": "prov-", "readonly": true}),
        "picture" => json!({
            "widget": "image", "media_folder": format!("/{}", choices.pictures), "public_folder": "", "choose_url": false,
            "accept": ".png,.jpg,.jpeg,.webp,.svg",
        }),
        "long" => json!({"widget": "text", "use_emoji_autocomplete": false}),
        "states" => chosen(&with_all(schema, &choices.states), is_list),
        "plans" => plans_by_state(choices),
        "visits" => chosen(&choices.visits, is_list),
        "video-visits" => chosen(&choices.video_visits, is_list),
        "holidays" => chosen(&choices.holidays, is_list),
        "zone" => chosen(&choices.zones, is_list),
        "days" => {
            let days = DAYS.map(|(day, label)| json!({"label": label, "value": day}));
            chosen(&days, is_list)
        }
        "hours" => matching(json!({"widget": "list"}), HOURS, "Write each stretch like 09:00-17:00"),
        "time" => matching(json!({"widget": "string"}), TIME, "Write a length of time like 30m, 2h or 1d"),
        _ => by_type(schema, choices),
    };
    let Value::Object(widget) = widget else { return None };
    field.extend(widget);
    Some(Value::Object(field))
}

fn by_type(schema: &Value, choices: &Choices) -> Value {
    if let Some(words) = schema["enum"].as_array() {
        let labels = schema["x-editor"]["labels"].as_array();
        let options: Vec<Value> = words
            .iter()
            .enumerate()
            // Without a policy of confirmations no page would say so, and `check` refuses it.
            .filter(|(_, word)| choices.has_accuracy || *word != "unconfirmed")
            // A word without a label is another spelling.
            .filter(|(at, _)| labels.is_none_or(|labels| *at < labels.len()))
            .map(|(at, word)| {
                let label = labels.and_then(|labels| labels.get(at)).and_then(Value::as_str);
                let label = label.map_or_else(|| words_of(word.as_str().unwrap_or_default()), str::to_owned);
                json!({"label": label, "value": word})
            })
            .collect();
        return chosen(&options, false);
    }
    match schema["type"].as_str() {
        // Without a choice the line stays out of the file, which a box to tick cannot say.
        Some("boolean") => {
            chosen(&[json!({"label": "Yes", "value": true}), json!({"label": "No", "value": false})], false)
        }
        Some("integer") => json!({"widget": "number", "value_type": "int"}),
        Some("object") => {
            json!({"widget": "object", "fields": fields(schema, choices)})
        }
        Some("array") => list(schema, choices),
        _ if schema["pattern"] == DATE => {
            json!({"widget": "datetime", "type": "date", "format": "YYYY-MM-DD"})
        }
        _ => json!({"widget": "string", "use_emoji_autocomplete": false}),
    }
}

fn list(schema: &Value, choices: &Choices) -> Value {
    let (items, editor) = (&schema["items"], &schema["x-editor"]);
    if items["type"] != "object" {
        return if items["pattern"] == DATE {
            matching(json!({"widget": "list"}), DATE, "Write each date like 2026-11-26")
        } else {
            json!({"widget": "list"})
        };
    }
    let mut list = json!({"widget": "list", "allow_duplicate": false});
    if editor["open"] != true {
        list["collapsed"] = "auto".into();
    }
    for (key, name) in [("one", "label_singular"), ("summary", "summary")] {
        if editor[key].is_string() {
            list[name] = editor[key].clone();
        }
    }
    // The keys of an entry depend on its kind.
    let properties = items["properties"].as_object();
    let by_kind = properties.and_then(|properties| {
        properties.iter().find_map(|(name, schema)| Some((name, schema["x-editor"]["kinds"].as_object()?)))
    });
    let Some((type_key, kinds)) = by_kind else {
        list["fields"] = fields(items, choices).into();
        return list;
    };
    let all = fields(items, choices);
    let types = kinds.iter().map(|(kind, keys)| {
        let names: Vec<&str> = keys.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let own = names.iter().skip(1).filter_map(|name| all.iter().find(|field| field["name"] == *name));
        json!({"name": kind, "label": names.first(), "fields": own.collect::<Vec<_>>()})
    });
    list["types"] = types.collect();
    list["typeKey"] = type_key.as_str().into();
    list
}

fn chosen(options: &[Value], is_list: bool) -> Value {
    let mut select = json!({"widget": "select", "options": options});
    if is_list {
        select["multiple"] = true.into();
        select["dropdown_threshold"] = BOXES.into();
    }
    select
}

/// The states, and "all" where the key may be that word.
fn with_all(schema: &Value, states: &[Value]) -> Vec<Value> {
    let all = json!({"label": "Every state", "value": "all"});
    let has_all = schema["anyOf"].is_array();
    has_all.then_some(all).into_iter().chain(states.iter().cloned()).collect()
}

fn plans_by_state(choices: &Choices) -> Value {
    let states = choices.states.iter().filter_map(|state| state["value"].as_str());
    let fields: Vec<Value> = ["all"]
        .into_iter()
        .chain(states)
        .map(|key| {
            let mut field = chosen(&choices.plans, true);
            field["name"] = key.into();
            field["label"] = plans_label(key).into();
            field["required"] = false.into();
            field
        })
        .collect();
    json!({"widget": "object", "fields": fields})
}

pub(super) fn plans_label(key: &str) -> String {
    match StateCode::all().find(|state| state.code() == key) {
        Some(state) => format!("More plans in {}", state.name()),
        None if key == "all" => "In every licensed state".to_owned(),
        None => key.to_owned(),
    }
}

pub(super) fn has_plans(schema: &Value) -> bool {
    schema["x-editor"]["as"] == "plans"
}

fn matching(mut field: Value, pattern: &str, otherwise: &str) -> Value {
    field["pattern"] = json!([pattern, otherwise]);
    field
}

pub(super) fn label(name: &str, schema: &Value) -> String {
    schema["x-editor"]["label"].as_str().map_or_else(|| words_of(name), str::to_owned)
}

/// A name in words: "display-name" and "displayName" are "Display name".
fn words_of(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        match letter {
            '-' => words.push(' '),
            _ if words.is_empty() => words.extend(letter.to_uppercase()),
            _ if letter.is_ascii_uppercase() => words.extend([' ', letter.to_ascii_lowercase()]),
            _ => words.push(letter),
        }
    }
    words
}

fn plain(description: Option<&str>) -> String {
    description.unwrap_or_default().replace(['"', '`'], "").replace('\n', " ")
}
