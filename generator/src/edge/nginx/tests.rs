//! What the include says; `tests/nginx.rs` runs it in nginx where there is one.

use super::*;
use crate::fixture;

fn files(directory: &Directory) -> (String, String) {
    let edge = rules(directory, &plan::plan(directory).unwrap()).unwrap();
    let text = |at: usize| String::from_utf8(edge.files[at].1.to_vec()).unwrap();
    (text(0), text(1))
}

#[test]
fn plain_questions_have_their_files() {
    let (maps, server) = files(fixture::snapshot().directory());
    for line in [
        "  CA CA;\n",
        "  New+York NY;\n",
        "  New%20York NY;\n",
        "  Washington+DC DC;\n",
        "  Washington%2C%20D.C. DC;\n",
        "  Washington,+D.C. DC;\n",
        "  US+Virgin+Islands VI;\n",
        "  \"1:\" /v1/providers.json;\n",
        "  \"1:CA\" /v1/providers/state/CA.json;\n",
        "  \"~(?:^|&)(?:insurance|providerType|gender|limit|offset)(?:=|&|$)\" 0;\n",
    ] {
        assert!(maps.contains(line), "{line}\n{maps}");
    }
    assert!(server.contains("location = /v1/providers/ada-laurent {"), "{server}");
    assert!(server.contains("proxy_pass https://live.larkspur.example;"), "{server}");
    let opened = server.matches('{').count() + maps.matches('{').count();
    assert_eq!(opened, server.matches('}').count() + maps.matches('}').count());
}

#[test]
fn an_address_with_a_path_is_refused_in_a_sentence() {
    assert!(upstream("https://live.example:8443").is_ok());
    for address in ["https://live.example/below", "https://live.example;", "https://$host", "https://a b"] {
        let refused = upstream(address).unwrap_err().to_string();
        assert!(refused.starts_with("this host cannot pass requests on to live-url"), "{refused}");
    }
}
