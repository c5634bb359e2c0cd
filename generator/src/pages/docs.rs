//! The contexts of the documentation pages, from `OPERATIONS`, with real answers as examples.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use directory::api::{
    Fault, Field, OPERATIONS, Operation, OperationId, Parameter, ParameterKind, Question, Request, Snapshot,
    answer_fields,
};
use serde::Serialize;
use serde_json::{Value, json};
use tera::Context;

use super::embed::Embed;
use super::page::DocsPage;
use super::samples::{Clients, Sample, clients, samples};
use crate::{examples, openapi};

#[derive(Debug, Default)]
pub(super) struct Docs {
    operations: BTreeMap<OperationId, OperationPage>,
    error: String,
    clients: Option<Clients>,
    embed: Option<Embed>,
    quickstart: Vec<Sample>,
    quickstart_answer: String,
}

/// The value `operation` of `docs-operation.html`.
#[derive(Debug, Serialize)]
struct OperationPage {
    path: &'static str,
    id: &'static str,
    /// `None` if the operation has no tool of its own.
    tool: Option<&'static str>,
    title: &'static str,
    doc: &'static str,
    href: String,
    parameters: Vec<ParameterRow>,
    example: String,
    arguments: String,
    samples: Vec<Sample>,
    answer: String,
    fields: Vec<FieldRow>,
    /// Whether the answer depends on the time, so that the one shown is outdated.
    of_a_moment: bool,
    failures: Vec<Failure>,
}

#[derive(Debug, Serialize)]
struct ParameterRow {
    name: &'static str,
    doc: &'static str,
    required: bool,
    in_path: bool,
    is_number: bool,
    words: &'static [&'static str],
    /// The value in the example; empty if the example does not use the parameter.
    value: String,
}

#[derive(Debug, Serialize)]
struct FieldRow {
    path: String,
    kind: String,
    doc: String,
}

#[derive(Debug, Serialize)]
struct Failure {
    status: u16,
    code: &'static str,
    about: &'static str,
    body: String,
}

impl Docs {
    pub(super) fn new(snapshot: &Snapshot) -> Self {
        let organisation = snapshot.directory().organisation();
        let operations: BTreeMap<_, _> =
            OPERATIONS.iter().map(|row| (row.id, OperationPage::new(row, snapshot))).collect();
        let call = openapi::shortened(examples::example(OperationId::Providers, snapshot.directory()));
        let call = Request::from(call);
        let call = json!({ "name": call.tool().name, "arguments": call.arguments() });
        let first = operations.get(&OperationId::States);
        Self {
            error: indented_json(&Fault::not_found().body()),
            clients: Some(clients(organisation, &call)),
            embed: Some(Embed::new(snapshot)),
            quickstart: first
                .map(|page| samples(&address(snapshot, &page.example)).into())
                .unwrap_or_default(),
            quickstart_answer: first.map(|page| page.answer.clone()).unwrap_or_default(),
            operations,
        }
    }

    pub(super) fn fill(&self, context: &mut Context, page: DocsPage) {
        match page {
            DocsPage::Start => {
                context.insert("operations", &self.operations.values().collect::<Vec<_>>());
                context.insert("samples", &self.quickstart);
                context.insert("answer", &self.quickstart_answer);
                context.insert("error_example", &self.error);
            }
            DocsPage::Operation(id) => context.insert("operation", &self.operations.get(&id)),
            DocsPage::Assistants => {
                context.insert("operations", &self.operations.values().collect::<Vec<_>>());
                context.insert("clients", &self.clients);
            }
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

impl OperationPage {
    fn new(row: &'static Operation, snapshot: &Snapshot) -> Self {
        let request = Request::from(openapi::shortened(examples::example(row.id, snapshot.directory())));
        let moment = DateTime::<Utc>::from_timestamp(openapi::MOMENT, 0).unwrap_or_default();
        let answer = snapshot.answer(&request, moment);
        let example = request.path_and_query();
        let arguments = request.arguments();
        let value = |parameter: &Parameter| match arguments.get(parameter.name) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        Self {
            path: row.path,
            id: row.name,
            tool: row.tool_doc.map(|_| row.name),
            title: row.title,
            doc: row.doc,
            href: DocsPage::Operation(row.id).route(),
            parameters: row.parameters.iter().map(|each| ParameterRow::new(each, value(each))).collect(),
            samples: samples(&address(snapshot, &example)).into(),
            example,
            arguments: Value::from(arguments.clone()).to_string(),
            answer: match &answer {
                Ok(answer) => indented_json(answer.body()),
                Err(fault) => indented_json(&fault.body()),
            },
            fields: answer_fields(row.id).into_iter().map(FieldRow::new).collect(),
            of_a_moment: matches!(request.question(), Question::Availability(_)),
            failures: openapi::failures(row).into_iter().map(Failure::new).collect(),
        }
    }
}

impl ParameterRow {
    fn new(parameter: &'static Parameter, value: String) -> Self {
        let (words, is_number): (&[_], bool) = match parameter.kind {
            ParameterKind::Word(words) => (words, false),
            ParameterKind::Flag => (&["true"], false),
            ParameterKind::Count { .. } | ParameterKind::VisitType => (&[], true),
            _ => (&[], false),
        };
        Self {
            name: parameter.name,
            doc: parameter.doc,
            required: parameter.required,
            in_path: parameter.kind == ParameterKind::PathSlug,
            is_number,
            words,
            value,
        }
    }
}

impl FieldRow {
    fn new(field: Field) -> Self {
        // Doc comments are Markdown, and the page shows plain text.
        Self { path: field.path, kind: field.kind, doc: field.doc.replace('`', "") }
    }
}

impl Failure {
    fn new((fault, about): (Fault, &'static str)) -> Self {
        let kind = fault.kind();
        Self { status: kind.status(), code: kind.code(), about, body: indented_json(&fault.body()) }
    }
}

fn address(snapshot: &Snapshot, path_and_query: &str) -> String {
    format!("{}{path_and_query}", snapshot.directory().organisation().api_url)
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
