//! The stores' forms, filled in.

use std::fmt::Write as _;

use directory::api::{Operation, OperationId};
use directory::model::{Directory, NoticeName};
use directory::web::ServerIdentity;
use serde_json::{Map, Value, json};

use super::questions::{OTHERS, Question};

const SUBTITLE: &str = "Find clinicians and openings";
/// ChatGPT's list has no health.
const CATEGORY: &str = "LIFESTYLE";

pub(super) const READ_ME: &str = "# What's left for you to do

1. Take 3 to 5 screenshots as PNG files, at least 1000 px wide, of the response alone. For a page that shows
   it, run `nameplate view '/v1/providers?state=CA' > view.html` beside your content, and open view.html in a browser.
2. Prove that the host is yours: put the text that OpenAI shows into `openai-challenge` of [listing], and publish.
3. Prove who you are: both stores verify the person or the company.
4. Import `chatgpt-app-submission.json` in ChatGPT's form, and copy `claude-directory.md` into Claude's.
5. Try every question of both files in the assistant itself before you send it.
";

pub(super) fn display_name(directory: &Directory) -> &str {
    let organization = directory.organization();
    organization.discovery.listing.display_name.as_deref().unwrap_or(&organization.name)
}

fn subtitle(directory: &Directory) -> &str {
    directory.organization().discovery.listing.subtitle.as_deref().unwrap_or(SUBTITLE)
}

fn description(directory: &Directory) -> String {
    let organization = directory.organization();
    let ServerIdentity { description, .. } = ServerIdentity::new(organization);
    format!(
        "{}. {description}. Everything is public and read-only: it needs no account, books nothing, and reads nothing \
         about a patient.",
        organization.description.trim_end_matches('.')
    )
}

/// What people may begin with: the clinic's own questions, or the first three that were tried.
fn prompts<'a>(directory: &'a Directory, questions: &'a [Question]) -> Vec<&'a str> {
    let own = &directory.organization().discovery.listing.prompts;
    if own.is_empty() {
        return questions.iter().take(3).map(|question| question.prompt.as_str()).collect();
    }
    own.iter().map(String::as_str).collect()
}

/// OpenAI's file for import.
pub(super) fn chatgpt(directory: &Directory, questions: &[Question]) -> String {
    let category = directory.organization().discovery.listing.category.as_deref().unwrap_or(CATEGORY);
    let tools: Map<String, Value> = Operation::tools()
        .map(|operation| {
            let what = match operation.id {
                OperationId::States => "states",
                OperationId::Insurances => "insurance plans",
                OperationId::Providers | OperationId::ProviderSummaries => "clinicians",
                OperationId::Provider => "profiles",
                OperationId::AppointmentTypes => "visit types",
                OperationId::Availability => "openings",
            };
            let row = json!({
                "annotations": { "readOnlyHint": true, "openWorldHint": false, "destructiveHint": false },
                "justifications": {
                    "read_only_justification": format!("Looks up published {what} and changes nothing."),
                    "open_world_justification": "Cannot publish, send or change anything anywhere.",
                    "destructive_justification": "Cannot delete or overwrite anything.",
                },
            });
            (operation.name.to_owned(), row)
        })
        .collect();
    let case = |description: &str, prompt: &str, tool: Option<&str>, expected: &str| {
        json!({
            "description": description,
            "user_prompt": prompt,
            "file_attachment_urls": null,
            "tools_triggered": tool,
            "expected_output": expected,
            "expected_output_url": null,
        })
    };
    let positive: Vec<_> =
        questions.iter().map(|it| case(&it.description, &it.prompt, Some(it.tool), &it.expected)).collect();
    let negative =
        OTHERS.map(|(description, prompt)| case(description, prompt, None, "The app is not used."));
    let submission = json!({
        "$schema": "https://developers.openai.com/apps-sdk/schemas/chatgpt-app-submission.v1.json",
        "schema_version": 1,
        "app_info": {
            "display_name": display_name(directory),
            "subtitle": subtitle(directory),
            "description": description(directory),
            "category": category,
        },
        "tools": tools,
        "test_cases": positive,
        "negative_test_cases": negative,
    });
    format!("{submission:#}\n")
}

/// The fields of Claude's form, in its order.
pub(super) fn claude(directory: &Directory, questions: &[Question]) -> String {
    let organization = directory.organization();
    let discovery = &organization.discovery;
    let notice = |name| discovery.notice(name).unwrap_or_default();
    let mut text = format!(
        "# Claude's directory\n\n## Server\n\n- Name: {}\n- Tagline: {}\n- Address: {}\n- Transport: streamable HTTP\n\
         - Authentication: none\n- Reads or writes: reads only\n- Website: {}\n- Documentation: {}/docs/assistants\n\n\
         ## Description\n\n{}\n\n## Sample questions\n\n",
        display_name(directory),
        subtitle(directory),
        organization.mcp_url,
        organization.site_url,
        organization.site_url,
        description(directory)
    );
    for prompt in prompts(directory, questions) {
        _ = writeln!(text, "- {prompt}");
    }
    text += "\n## Tools\n\n| name | title | readOnlyHint | destructiveHint | openWorldHint |\n|---|---|---|---|---|\n";
    for operation in Operation::tools() {
        _ = writeln!(text, "| `{}` | {} | true | false | false |", operation.name, operation.title);
    }
    text += "\n## Allowed link origins\n\n";
    let site = origin(&organization.site_url);
    let booking = organization.booking_url.as_deref().map(origin).filter(|booking| *booking != site);
    for address in [Some(site), booking].into_iter().flatten() {
        _ = writeln!(text, "- {address}");
    }
    _ = write!(
        text,
        "\n## Policies\n\n- Privacy: {}\n- Terms: {}\n- Support: {}\n\n## Data handling\n\n\
         - What it reads: the question's filters, such as a state, a plan and a date. No names of patients, no health \
         records.\n- What it keeps: no account and no profile of a person.\n- What it sends on: \
         nothing.\n- What it shows: what the clinic has published on its website.\n\n## Files\n\n- Logo: logo.png\n\
         - Tools as served: tools.json\n- Screenshots: see README.md\n",
        notice(NoticeName::Privacy),
        notice(NoticeName::Terms),
        notice(NoticeName::Support)
    );
    text
}

fn origin(address: &str) -> &str {
    let host = address.find("://").map_or(0, |at| at + "://".len());
    let end = address[host..].find(['/', '?', '#', '{']).map_or(address.len(), |at| host + at);
    &address[..end]
}
