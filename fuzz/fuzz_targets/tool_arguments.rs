//! Any arguments are a request or a fault with a sentence; and the request that they are can be asked over REST.
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
            _ => panic!("one question, two outcomes"),
        }
    }
});
