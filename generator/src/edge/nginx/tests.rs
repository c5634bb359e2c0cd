//! The text of the included files; `tests/nginx.rs` runs them if nginx is installed.

use directory::api::Fault;

use super::*;
use crate::test_fixture as fixture;

fn files(directory: &Directory) -> (String, String) {
    let edge = rules(directory, &crate::answer_files(directory).unwrap()).unwrap();
    // Each generation has its own variables.
    let own = format!("nameplate_{}_", &directory.generation().as_str()[..6]);
    let text = |at: usize| String::from_utf8(edge.files[at].1.to_vec()).unwrap().replace(&own, "nameplate_");
    (text(0), text(1))
}

#[test]
fn plain_requests_are_mapped_to_files() {
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
        "  \"~(?:^|&)(?:insurance|providerType|gender|limit|offset|q|language|explain)(?:=|&|$)\" 0;\n",
    ] {
        assert!(maps.contains(line), "{line}\n{maps}");
    }
    assert!(server.contains("location = /v1/providers/ada-laurent {"), "{server}");
    let opened = server.matches('{').count() + maps.matches('{').count();
    assert_eq!(opened, server.matches('}').count() + maps.matches('}').count());
}

#[test]
fn a_live_url_that_nginx_cannot_use_is_refused() {
    for address in
        ["https://live.example:8443", "http://127.0.0.1:8080", "http://[::1]:8080", "http://10.0.0.1"]
    {
        assert!(Live::parse(address, String::new()).is_ok(), "{address}");
    }
    for address in ["https://live.example/below", "https://live.example;", "https://$host", "https://a b"] {
        let refused = Live::parse(address, String::new()).unwrap_err().to_string();
        assert!(refused.starts_with("this host can't pass requests on to live-url"), "{refused}");
    }
    for address in ["https://10.0.0.1", "https://10.0.0.1:8443", "https://[::1]", "https://[::1]:8443"] {
        let refused = Live::parse(address, String::new()).unwrap_err().to_string();
        assert!(refused.starts_with("this host can't check the certificate of live-url"), "{refused}");
    }
}

fn location<'a>(server: &'a str, name: &str) -> &'a str {
    let (_, rest) = server.split_once(&format!("location {name} {{\n")).unwrap_or_else(|| panic!("{server}"));
    rest.split_once("\n}\n").unwrap().0
}

#[test]
fn pages_in_another_language_have_a_404_page_and_their_moved_profiles() {
    let (_, server) = files(fixture::in_english_and_spanish().directory());
    assert!(location(&server, "/es/").contains("error_page 404 /es/404.html;"), "{server}");
    assert!(location(&server, "/").contains("error_page 404 /404.html;"), "{server}");
    assert_eq!(location(&server, "= /es/providers/ada-laurent"), "  return 301 /es/providers/ada-moreau;");
}

/// Without a location of their own, browsers would get them as JSON and refuse to run them.
#[test]
fn scripts_of_the_elements_have_their_type_and_their_caching() {
    let (_, server) = files(fixture::snapshot().directory());
    for (name, cached) in [("= /v1/elements.js", "max-age=300"), ("/v1/elements/", "immutable")] {
        let location = location(&server, name);
        assert!(location.contains("default_type \"text/javascript; charset=utf-8\";"), "{location}");
        let caching: Vec<_> = location.lines().filter(|line| line.contains("Cache-Control")).collect();
        assert!(caching.len() == 1 && caching[0].contains(cached), "{caching:?}");
        assert!(location.contains("Access-Control-Allow-Origin"), "{location}");
    }
    assert!(location(&server, "/headshots/").contains("Cross-Origin-Resource-Policy \"cross-origin\""));
}

/// By default, nginx takes names of variables with at most 46 letters.
#[test]
fn names_of_variables_are_short_and_differ_between_clinics() {
    let names = |snapshot: &directory::api::Snapshot| {
        let directory = snapshot.directory();
        let edge = rules(directory, &crate::answer_files(directory).unwrap()).unwrap();
        let http = String::from_utf8(edge.files[0].1.to_vec()).unwrap();
        let maps = http.lines().filter_map(|line| line.strip_prefix("map ")?.strip_suffix(" {"));
        maps.map(|map| map.split(' ').nth(1).unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let (one, other) = (names(&fixture::snapshot()), names(&fixture::crowd(3)));
    assert!(
        one.len() > 5 && one.iter().all(|name| name.len() <= 47 && !other.contains(name)),
        "{one:?} {other:?}"
    );
}

#[test]
fn availability_is_never_cached_and_other_answers_are() {
    let (http, server) = files(fixture::snapshot().directory());
    assert!(location(&server, "~ ^/v1/availability/?$").ends_with(" @live_uncached;"), "{server}");
    for name in ["@live_uncached", "= /api/mcp"] {
        let body = location(&server, name);
        assert!(body.contains("proxy_cache off;"), "{body}");
        assert!(!body.contains("use_stale") && !body.contains("proxy_hide_header"), "{body}");
    }
    let cached = location(&server, "@live");
    assert!(cached.contains("proxy_cache_use_stale error timeout"), "{cached}");
    assert!(cached.contains("proxy_hide_header X-Request-Id;"), "{cached}");
    assert!(cached.contains("proxy_cache_key $request_method$nameplate_key;"), "{cached}");
    let key = "map $request_uri $nameplate_key {\n  default $request_uri;\n  \
               \"~^(?<nameplate_path>/fhir/[^?]*)\" $nameplate_path;\n}\n";
    assert!(http.contains(key), "{http}");
    let unreachable = location(&server, "@live_unreachable");
    for line in
        ["Access-Control-Allow-Origin \"*\" always;", "Cache-Control no-store always;", "return 503 '{"]
    {
        assert!(unreachable.contains(line), "{unreachable}");
    }
}

#[test]
fn the_live_services_certificate_is_checked_over_tls() {
    let (http, server) = files(fixture::snapshot().directory());
    assert!(
        http.contains(
            "\n  server live.larkspur.example:443 max_fails=0;\n  keepalive 16;\n  keepalive_timeout 60s;\n"
        ),
        "{http}"
    );
    assert!(
        http.contains("\n# proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;\n"),
        "{http}"
    );
    for name in ["@live", "@live_uncached", "= /api/mcp"] {
        let body = location(&server, name);
        for line in [
            "proxy_pass https://nameplate-larkspur-example-live;\n",
            "proxy_set_header Host live.larkspur.example;\n",
            "proxy_ssl_verify on;\n",
            "proxy_ssl_verify_depth 4;\n",
            "proxy_ssl_server_name on;\n",
            "proxy_ssl_name live.larkspur.example;\n",
        ] {
            assert!(body.contains(line), "{name} lacks {line}{body}");
        }
    }
    let plain = Live::parse("http://127.0.0.1:8080", "nameplate".to_owned()).unwrap();
    let locations = |live: &Live| live::locations(Some(live), &Fault::not_found(), "", "");
    assert!(locations(&plain).contains("proxy_pass http://nameplate-live;\n"));
    assert!(!locations(&plain).contains("ssl") && !plain.http().contains("ssl"));
    let other_port = locations(&Live::parse("https://live.example:8443", String::new()).unwrap());
    assert!(other_port.contains("Host live.example:8443;\n"));
    assert!(other_port.contains("proxy_ssl_name live.example;\n"));
}

#[test]
fn one_address_is_limited_at_live_and_refused_in_json() {
    let (http, server) = files(fixture::snapshot().directory());
    for zone in [
        "limit_req_zone $binary_remote_addr zone=nameplate-larkspur-example-requests:10m rate=100r/s;",
        "limit_conn_zone ",
    ] {
        assert!(http.contains(zone), "{http}");
    }
    for name in ["@live", "@live_uncached", "= /api/mcp"] {
        let body = location(&server, name);
        for line in [
            "limit_req zone=nameplate-larkspur-example-requests",
            "limit_conn nameplate-larkspur-example-connections",
            "@live_limited;",
        ] {
            assert!(body.contains(line), "{name} lacks {line}\n{body}");
        }
    }
    let limited = location(&server, "@live_limited");
    for line in
        ["Access-Control-Allow-Origin \"*\" always;", "Retry-After 1 always;", "return 503 '{\"code\":"]
    {
        assert!(limited.contains(line), "{limited}");
    }
    assert_eq!(server.matches("limit_").count(), 6, "files are not limited");
}

#[test]
fn every_location_with_header_fields_repeats_the_promise_of_https() {
    let (http, server) = files(fixture::snapshot().directory());
    assert!(
        http.contains("map $https $nameplate_hsts {\n  default \"\";\n  on max-age=31536000;\n}\n"),
        "{http}"
    );
    let (common, locations) = server.split_once("location ").unwrap();
    assert!(common.contains(HSTS), "{common}");
    for location in locations.split("\nlocation ").filter(|location| location.contains("add_header")) {
        assert!(location.contains(HSTS), "{location}");
    }
}
