//! The contexts of the documentation pages. Examples are real answers.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use directory::api::{
    Fault, OPERATIONS, Operation, OperationId, Parameter, ParameterKind, Question, Request, Snapshot,
    answer_fields,
};
use directory::model::ProviderType;
use serde_json::{Value, json};
use tera::Context;

use super::embed;
use super::page::DocsPage;
use super::samples::{clients, samples};
use crate::{examples, openapi};

#[derive(Debug, Default)]
pub(super) struct Docs {
    operations: BTreeMap<OperationId, Value>,
    error: String,
    clients: Value,
    embed: Value,
    quickstart: Value,
    quickstart_answer: Value,
}

impl Docs {
    pub(super) fn new(snapshot: &Snapshot) -> Self {
        let organization = snapshot.directory().organization();
        let operations: BTreeMap<_, _> =
            OPERATIONS.iter().map(|row| (row.id, operation(row, snapshot))).collect();
        let call = openapi::shortened(examples::example(OperationId::Providers, snapshot.directory()));
        let call = Request::from(call);
        let call = json!({ "name": call.tool().name, "arguments": call.arguments() });
        let first = &operations[&OperationId::States];
        Self {
            error: indented_json(&Fault::not_found().body()),
            clients: clients(organization, &call),
            embed: embed::context(snapshot),
            quickstart: first["samples"].clone(),
            quickstart_answer: first["answer"].clone(),
            operations,
        }
    }

    pub(super) fn fill(&self, context: &mut Context, page: DocsPage) {
        context.insert("operations", &self.operations.values().collect::<Vec<_>>());
        match page {
            DocsPage::Start => {
                context.insert("samples", &self.quickstart);
                context.insert("answer", &self.quickstart_answer);
                context.insert("error_example", &self.error);
            }
            DocsPage::Operation(id) => context.insert("operation", &self.operations.get(&id)),
            DocsPage::Assistants => context.insert("clients", &self.clients),
            DocsPage::Embed => context.insert("embed", &self.embed),
            DocsPage::Content => {}
        }
    }
}

pub(super) fn title(page: DocsPage) -> &'static str {
    match page {
        DocsPage::Start => "Quickstart",
        DocsPage::Operation(id) => Operation::get(id).title,
        DocsPage::Assistants => "Connect an assistant",
        DocsPage::Embed => "Show it on your website",
        DocsPage::Content => "Write the content",
    }
}

pub(super) fn path(page: DocsPage) -> Option<&'static str> {
    match page {
        DocsPage::Operation(id) => Some(Operation::get(id).path),
        _ => None,
    }
}

fn operation(row: &'static Operation, snapshot: &Snapshot) -> Value {
    let request = Request::from(openapi::shortened(examples::example(row.id, snapshot.directory())));
    let moment = DateTime::<Utc>::from_timestamp(openapi::EXAMPLE_TIME, 0).unwrap_or_default();
    let answer =
        snapshot.answer(&request, moment).map_or_else(|fault| fault.body(), |answer| answer.body().clone());
    let example = request.path_and_query();
    let arguments = request.arguments();
    // Doc comments are Markdown, and the page shows plain text.
    let professions = snapshot.directory().professions();
    let fields = answer_fields(row.id, professions)
        .into_iter()
        .map(|field| json!({ "path": field.path, "kind": field.kind, "doc": field.doc.replace('`', "") }));
    let failures = openapi::failures(row, professions).into_iter().map(|(fault, about)| {
        let (kind, body) = (fault.kind(), indented_json(&fault.body()));
        json!({ "status": kind.status(), "code": kind.code(), "about": about, "body": body })
    });
    json!({
        "path": row.path,
        "id": row.name,
        // Empty if the operation has no tool of its own.
        "tool": row.tool_doc.map(|_| row.name),
        "title": row.title,
        "doc": row.doc,
        "href": DocsPage::Operation(row.id).route(),
        "parameters": row.parameters.iter().map(|each| parameter(each, professions, arguments.get(each.name))).collect::<Value>(),
        "samples": samples(&[&snapshot.directory().organization().api_url, &*example].concat()),
        "example": example,
        "arguments": Value::from(arguments.clone()).to_string(),
        "answer": indented_json(&answer),
        "fields": fields.collect::<Value>(),
        // Whether the answer depends on the time.
        "of_a_moment": matches!(request.question(), Question::Availability(_)),
        "failures": failures.collect::<Value>(),
    })
}

/// `value` is the one in the example.
fn parameter(parameter: &Parameter, professions: &[ProviderType], value: Option<&Value>) -> Value {
    let (words, is_number) = match parameter.kind {
        ParameterKind::Flag => (vec!["true"], false),
        ParameterKind::Count { .. } | ParameterKind::VisitType => (Vec::new(), true),
        _ => (parameter.words(professions).unwrap_or_default(), false),
    };
    json!({
        "name": parameter.name,
        "doc": parameter.doc.replace('`', ""),
        "required": parameter.required,
        "in_path": parameter.kind == ParameterKind::PathSlug,
        "is_number": is_number,
        "words": words,
        "value": value.map_or_else(String::new, |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
    })
}

fn indented_json(body: &[u8]) -> String {
    let value: Result<Value, _> = serde_json::from_slice(body);
    let text = value.and_then(|value| serde_json::to_string_pretty(&value));
    text.unwrap_or_else(|_| String::from_utf8_lossy(body).into_owned())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the built pages are read back")]

    use directory::api::Operation;

    use crate::options::BuildOptions;
    use crate::{build, test_fixture as fixture};

    #[test]
    fn a_page_names_a_tool_only_if_there_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let options = BuildOptions::new(fixture::folder(), folder.path().join("dist"));
        build(&fixture::snapshot(), &options).unwrap();
        let mut shown = Vec::new();
        for entry in walkdir::WalkDir::new(folder.path().join("dist/docs")) {
            let page = std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
            let tool = page.split_once("MCP tool <code>").and_then(|(_, rest)| rest.split_once("</code>"));
            shown.extend(tool.map(|(tool, _)| tool.to_owned()));
        }
        shown.sort();
        let mut tools: Vec<_> = Operation::tools().map(|tool| tool.name).collect();
        tools.sort_unstable();
        assert_eq!(shown, tools);
    }
}
