//! Any arguments are a request or a fault with a sentence; and the request that they are can be asked over REST. Only tools
//! take a clinician's name in place of a slug: their answer is then that of the slug.
#![no_main]

use directory::{OPERATIONS, Request};
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::{DEMO, now};

fuzz_target!(|text: &str| {
    let Ok(serde_json::Value::Object(arguments)) = serde_json::from_str(text) else { return };
    for operation in &OPERATIONS {
        let Ok(request) = Request::from_tool(operation, &arguments) else { continue };
        let written = request.path_and_query();
        let rest = Request::from_target(&written).expect("every tool call is a REST request");
        match (DEMO.answer(&request, now()), DEMO.answer(&rest, now())) {
            (Ok(tool), Ok(rest)) => assert_eq!(tool.body(), rest.body()),
            (Err(tool), Err(rest)) => assert_eq!(tool, rest),
            (Ok(tool), Err(_)) if arguments.contains_key("slug") => {
                let profile: serde_json::Value = serde_json::from_slice(tool.body()).expect("a profile");
                let path = format!("/v1/providers/{}", profile["slug"].as_str().expect("a slug"));
                let rest = DEMO.answer(&Request::from_target(&path).expect("a profile's path"), now());
                assert_eq!(tool.body(), rest.expect("a profile").body());
            }
            _ => panic!("one question, two outcomes"),
        }
    }
});
