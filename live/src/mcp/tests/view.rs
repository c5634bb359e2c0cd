//! The view as a resource.

use std::sync::Arc;

use super::*;
use crate::Vitals;
use crate::mcp::tools;

const URI: &str = "ui://nameplate/directory.html";

#[test]
fn every_tool_names_the_view_and_the_list_grows_by_less_than_a_twentieth() {
    let list = tools::list(crate::testing::snapshot().directory());
    let mut without = list.clone();
    for tool in without.as_array_mut().unwrap() {
        let meta = tool.as_object_mut().unwrap().remove("_meta").unwrap();
        assert_eq!(meta, json!({ "ui": { "resourceUri": URI }, "ui/resourceUri": URI }));
    }
    let (before, after) = (without.to_string().len(), list.to_string().len());
    assert!(after * 100 < before * 105, "{before} bytes without, {after} with");
}

#[tokio::test]
async fn both_protocol_lines_list_and_read_the_one_resource() {
    let server = Server::start(options()).await;
    let listed = send(&server, "resources/list", json!({})).await.event()["result"].clone();
    let resources = listed["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 1);
    assert_eq!(resources[0]["uri"], URI);
    assert_eq!(resources[0]["mimeType"], "text/html;profile=mcp-app");
    assert!(resources[0]["name"].is_string());
    let templates = send(&server, "resources/templates/list", json!({})).await.event();
    assert_eq!(templates["result"], json!({ "resourceTemplates": [] }));
    let read = send(&server, "resources/read", json!({ "uri": URI })).await.event()["result"].clone();
    let contents = read["contents"].as_array().unwrap();
    assert_eq!((contents.len(), &contents[0]["uri"]), (1, &json!(URI)));
    assert_eq!(contents[0]["mimeType"], "text/html;profile=mcp-app");
    assert!(contents[0]["text"].as_str().unwrap().starts_with("<!DOCTYPE html>"));
    let site = crate::testing::snapshot().directory().organization().site_url.clone();
    let origins = contents[0]["_meta"]["ui"]["csp"]["resourceDomains"].as_array().unwrap();
    assert!(origins.contains(&json!(site)), "{origins:?} has {site}");
    assert_eq!(contents[0]["_meta"]["ui"]["csp"]["connectDomains"], json!([]));
    assert_eq!(contents[0]["_meta"]["ui"]["prefersBorder"], false);

    let name = format!("mcp-name: {URI}");
    for (method, params, headers, legacy) in [
        ("resources/list", json!({}), vec![], listed),
        ("resources/templates/list", json!({}), vec![], templates["result"].clone()),
        ("resources/read", json!({ "uri": URI }), vec![name.as_str()], read),
    ] {
        let mut result = modern(&server, method, params, &headers).await.event()["result"].clone();
        let added = result.as_object_mut().unwrap();
        assert_eq!(added.remove("resultType"), Some(json!("complete")), "{method}");
        assert!(added.remove("ttlMs").is_some_and(|ttl| ttl.is_u64()), "{method}");
        assert_eq!(added.remove("cacheScope"), Some(json!("public")), "{method}");
        assert!(added.remove("_meta").is_some(), "{method}");
        assert_eq!(result, legacy, "{method}");
    }
}

#[tokio::test]
async fn another_resource_is_not_found() {
    let server = Server::start(options()).await;
    let other = "ui://nameplate/other\u{202e}.html";
    let legacy = send(&server, "resources/read", json!({ "uri": other })).await.event();
    assert_eq!(legacy["error"]["code"], -32002);
    assert_eq!(legacy["error"]["data"]["uri"], "ui://nameplate/other\u{fffd}.html");
    let name = ["mcp-name: ui://nameplate/other.html"];
    let params = json!({ "uri": "ui://nameplate/other.html" });
    let later = modern(&server, "resources/read", params.clone(), &name).await.event();
    assert_eq!(later["error"]["code"], -32602);
    assert_eq!(later["error"]["data"], json!({ "uri": "ui://nameplate/other.html" }));
    is_error(&modern(&server, "resources/read", params, &[]).await, 400, -32020);
    for params in [json!({}), json!({ "uri": 7 })] {
        let reply = send(&server, "resources/read", params).await.event();
        assert_eq!(reply["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn readings_of_the_view_are_counted() {
    let vitals = Arc::new(Vitals::new());
    let server = Server::start(Options { vitals: Arc::clone(&vitals), ..options() }).await;
    for uri in [URI, URI, "ui://nameplate/other.html"] {
        send(&server, "resources/read", json!({ "uri": uri })).await;
    }
    send(&server, "resources/list", json!({})).await;
    let metrics = vitals.metrics();
    assert!(metrics.lines().any(|line| line == "nameplate_mcp_view_reads_total 2"), "{metrics}");
}
