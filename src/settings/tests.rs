use std::path::Path;

use super::layers::{Layers, Problem};
use super::{FeedChoice, Settings, print};

fn read(text: &str, variables: &[(&str, &str)]) -> Result<Settings, String> {
    let (layers, problems, settings) = layered(text, variables);
    let drawn: Vec<_> = problems.iter().map(|problem| layers.drawn(problem, false)).collect();
    if drawn.is_empty() { Ok(settings.unwrap()) } else { Err(drawn.join("\n")) }
}

fn layered(text: &str, variables: &[(&str, &str)]) -> (Layers, Vec<Problem>, Option<Settings>) {
    let (mut layers, mut problems) = (Layers::new(), Vec::new());
    layers.add_file(Path::new("nameplate.toml"), text.to_owned(), &mut problems);
    let variables = variables.iter().map(|&(name, text)| (name.to_owned(), text.to_owned()));
    layers.add_environment(variables, &mut problems);
    let settings = Settings::read(&layers, &mut problems);
    (layers, problems, settings)
}

#[test]
fn the_defaults_are_valid() {
    let settings = read("", &[]).unwrap();
    assert_eq!((settings.listen.to_string().as_str(), settings.admin), ("127.0.0.1:8080", None));
    assert!(matches!(settings.feed, FeedChoice::Found(_)));
    assert!(settings.reload && !settings.log.access);
    assert_eq!(settings.content_max_shrink, directory::model::MaxShrink::default());
    read("", &[("NAMEPLATE_CONTENT_MAX_BYTES", "8589934592")]).unwrap();
    let half = read("content-max-shrink = 0.1", &[("NAMEPLATE_CONTENT_MAX_SHRINK", "0.5")]).unwrap();
    assert_eq!(half.content_max_shrink.share().to_string(), "0.5");
}

#[test]
fn the_environment_overrides_the_file_key_by_key() {
    let text =
        "listen = '0.0.0.0:80'\n[limits]\nhead = '3s'\nconnections = 7\n[mcp]\nhosts = ['a.example']\n";
    let variables =
        [("NAMEPLATE_LIMITS_HEAD", "5s"), ("NAMEPLATE_MCP_HOSTS", "b.example, c.example"), ("OTHER", "x")];
    let settings = read(text, &variables).unwrap();
    assert_eq!(settings.listen.to_string(), "0.0.0.0:80");
    assert_eq!((settings.limits.head.as_secs(), settings.limits.connections), (5, 7));
    let expected = live::Access::public().with_hosts(["b.example".to_owned(), "c.example".to_owned()]);
    assert_eq!(settings.access(), expected);
}

#[test]
fn mcp_settings_apply_on_loopback_and_public_addresses() {
    let text = "[mcp]\nhosts = ['api.example']\norigins = ['*']\n";
    let expected = live::Access::loopback().with_hosts(["api.example".to_owned()]);
    assert_eq!(read(text, &[]).unwrap().access(), expected.with_origins(live::Origins::Any));
    let listed = live::Origins::Listed(vec!["https://a.example".to_owned()]);
    let (text, public) =
        ("listen = '0.0.0.0:80'\n[mcp]\norigins = ['https://a.example']\n", live::Access::public());
    assert_eq!(read(text, &[]).unwrap().access(), public.with_origins(listed));
    assert_eq!(read("", &[]).unwrap().access(), live::Access::loopback());
    let printed = print::print(&layered("", &[]).0);
    assert!(
        printed.contains("# origins isn't set: pages of any site may use a public host name"),
        "{printed}"
    );
}

#[test]
fn an_address_may_be_a_port_or_on_localhost() {
    for (text, address) in [
        ("listen = 9000", "127.0.0.1:9000"),
        ("listen = '9000'", "127.0.0.1:9000"),
        ("listen = 'localhost:9000'", "127.0.0.1:9000"),
        ("listen = '[::1]:9000'", "[::1]:9000"),
        ("listen = '0.0.0.0:80'", "0.0.0.0:80"),
    ] {
        assert_eq!(read(text, &[]).unwrap().listen.to_string(), address, "{text}");
    }
    let settings = read("admin = 9001", &[("NAMEPLATE_LISTEN", "9000")]).unwrap();
    assert_eq!(settings.listen.to_string(), "127.0.0.1:9000");
    assert_eq!(settings.admin.map(|address| address.to_string()).as_deref(), Some("127.0.0.1:9001"));
    for text in
        ["listen = -1", "listen = 'localhost'", "listen = 'a.example:80'", "listen = true", "admin = ''"]
    {
        let error = read(text, &[]).unwrap_err();
        assert!(error.contains("this isn't a valid address: write an address and a port"), "{text}: {error}");
    }
    let error = read("listen = 70000", &[]).unwrap_err();
    assert!(error.contains("the highest port is 65535: write an address and a port"), "{error}");
}

#[test]
fn a_mistake_is_drawn_at_its_position() {
    let error = read("listen = \"nowhere\"\n[limit]\nhead = \"3s\"\n", &[]).unwrap_err();
    let expected = "\
error: there is no setting \"limit\"
 --> nameplate.toml:2:2
  |
2 | [limit]
  |  ^^^^^
  |
  = help: did you mean \"limits\"?";
    assert!(error.contains(expected), "{error}");
    assert!(
        error.contains("nameplate.toml:1:10") && error.contains("listen: this isn't a valid address"),
        "{error}"
    );
}

#[test]
fn each_mistake_has_its_message() {
    for (text, reason) in [
        ("lisen = 'x'", "did you mean \"listen\"?"),
        ("head = '3s'", "\"head\" belongs in [limits]"),
        ("[log]\nlisten = 'x'", "\"listen\" belongs above the first table"),
        ("content-max-shrink = 2", "content-max-shrink: it is a share"),
        ("content-max-shrink = '20%'", "content-max-shrink: write a number"),
        ("[log]\nformat = 'xml'", "write \"text\" or \"json\""),
        ("[log]\nlevel = 'loud'", "log.level: \"loud\" isn't a valid level"),
        ("[log]\nlevel = 'info,live=loud'", "isn't a valid level"),
        ("[log]\naccess = 'yes'", "log.access: write true or false"),
        ("log = true", "log: write a table"),
        ("listen = [", "nameplate.toml:1"),
        ("[limits]\nconnections = -1", "limits.connections: write a whole number"),
        ("[limits]\nconnections = 0", "it must be from 1 to 1000000"),
        ("[limits]\nidle = '1 minute'", "\"1 minute\" isn't a valid duration"),
        ("[mcp]\nhosts = ['https://a.example']", "isn't a valid host"),
        ("[mcp]\norigins = ['a.example']", "isn't a valid origin"),
        ("[feed]\nurl = 'ftp://a.example'", "feed.url: only http and https"),
        ("[feed]\npath = 'x'", "feed.mode: write"),
        ("[feed]\npath = 'x'", "nameplate.toml:2:8"),
        ("[feed]\nmode = 'busy'", "this needs a feed"),
        ("[feed]\nfresh-for = '2h'", "feed.max-stale: it must not be shorter"),
        ("[feed]\nurl = 'tls://n1'", "feed.mode: write"),
        ("[feed]\nurl = 'tls://n1'", "nameplate.toml:2:7"),
        ("[feed]\nurl = 'tls://a:b@n1'\nmode = 'busy'", "feed.url: an address with a user name or password"),
        ("[feed]\nkind = 'nats'\nmode = 'busy'", "feed: \"url\" is missing"),
        (
            "[feed]\nurl = 'tls://n1'\nmode = 'busy'\npoll = '1s'",
            "feed.poll: this kind of feed has no such setting",
        ),
        ("[feed]\nurl = 'tls://n1'\nmode = 'busy'\nbucket = 'a b'", "feed.bucket: \"a b\" isn't"),
        ("[feed]\nurl = 'tls://n1'\nmode = 'busy'\nsites = ['A']", "feed.sites: \"A\" isn't a valid site"),
        ("[feed]\nurl = 'tls://n1'\nmode = 'busy'\nsites = 'a'", "feed.sites: write a list"),
        ("[feed]\nurl = 'tls://n1'\nmode = 'busy'\ncreds = 'a'\nnkey = 'b'", "feed.nkey: creds is also set"),
        (
            "[feed]\nurl = 'tls://n1'\nmode = 'busy'\ntls-key = 'a'",
            "feed.tls-key: its certificate is missing",
        ),
        ("[feed]\nurl = 'tls://n1'\nmode = 'busy'\nunlisted = 'free'", "write \"withheld\" or \"open\""),
        (
            "[feed]\npath = 'x'\nmode = 'busy'\nbucket = 'a'",
            "feed.bucket: this kind of feed has no such setting",
        ),
        ("[feed.schedules.17]\nprovder = 'a'", "did you mean \"provider\"?"),
        ("[feed.schedules.17]\ntypes = [101]", "\"provider\" is missing"),
        ("[feed]\nkind = 'smart'\nurl = 'http://a'\npoll = '1s'", "nameplate.toml:4:8"),
        ("[feed.schedules.17]\nprovider = 'Not A Slug'", "nameplate.toml:2:12"),
        ("[feed.schedules.1]\nprovider = 'Jane'", "feed.schedules.1.provider: a slug"),
        ("[feed.schedules.1]\nprovider = 'a'\ntypes = [0]", "feed.schedules.1.types: a visit type"),
        ("[feed.schedules.1]\nprovider = 'a'\ntypes = []", "feed.schedules.1.types: name a type"),
        ("[feed]\nkind = 'kv'", "feed.kind: write \"file\", \"smart\", \"ics\", or \"nats\""),
        ("[feed]\nkind = 'file'\nmode = 'busy'", "feed: \"path\" is missing"),
        ("[feed]\npath = 'x'\nurl = 'https://a.example'", "feed.path: this kind of feed has no such setting"),
        ("[feed]\nurl = 'https://a:b@a.example'", "feed.url: an address with a user name"),
        ("[feed]\nkind = 'smart'\nurl = 'a.example'", "feed.url: write the complete address"),
        ("[feed]\nurl = 'https://a'\npoll = '4s'", "feed.poll: it must be from 5s"),
        ("[feed]\nurl = 'https://a'\npoll = '60'", "feed.poll: \"60\" isn't a valid duration"),
        (
            "[feed]\nurl = 'https://a'\npoll = '11m'",
            "it is 660s, but must be at most a third of max-stale, which is 1800s",
        ),
        (
            "[feed]\nurl = 'https://a'\nfresh-for = '1m'\nmax-stale = '2m'",
            "feed.poll: it is 60s, but must be at most a third of max-stale",
        ),
        ("[feed]\npoll = '11m'", "feed.poll: it is 660s"),
        ("[feed]\nmax-shrink = 1.5", "feed.max-shrink: it is a share"),
        ("[feed]\nmax-bytes = 1000", "feed.max-bytes: it must be from 1048576"),
        ("[feed]\nurl = 'https://a'\nevery = '5s'", "there is no setting \"feed.every\""),
    ] {
        let error = read(text, &[]).expect_err(text);
        assert!(error.contains(reason), "{text}: {error}");
        assert_eq!(error.matches("error: ").count(), 1, "{text}: {error}");
    }
    let error = read("", &[("NAMEPLATE_LISTEN", "here")]).unwrap_err();
    assert!(error.contains("NAMEPLATE_LISTEN: this isn't a valid address"), "{error}");
    let error = read("", &[("NAMEPLATE_LIMITS_CONNECTIONS", "many")]).unwrap_err();
    assert!(error.contains("NAMEPLATE_LIMITS_CONNECTIONS: write a whole number"), "{error}");
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let text =
        "listen = 'here'\n[limits]\nconnections = 0\nbody-bytes = 1\nhead = 'long'\n[mcp]\nhosts = ['a b']\n";
    let (_, problems, settings) = layered(text, &[("NAMEPLATE_CONTENT_MAX_SHRINK", "2")]);
    assert!(settings.is_none());
    assert_eq!(problems.len(), 6, "{problems:?}");
}

#[test]
fn an_unknown_variable_is_a_warning() {
    let variables = [
        ("NAMEPLATE_LISTN", "x"),
        ("NAMEPLATE_PORT", "tcp://10.0.0.1:80"),
        ("NAMEPLATE_CONFIG", "x"),
        ("NAMEPLATE_CONFIRM_KEY", "x"),
    ];
    let variables = variables.iter().map(|&(name, text)| (name.to_owned(), text.to_owned()));
    let unknown = Layers::new().add_environment(variables, &mut Vec::new());
    assert!(unknown[0].contains("NAMEPLATE_LISTN") && unknown[0].ends_with("did you mean NAMEPLATE_LISTEN?"));
    assert!(unknown[1].ends_with("NAMEPLATE_PORT isn't a setting"), "{unknown:?}");
    assert_eq!(unknown.len(), 2);
}

#[test]
fn printed_settings_read_back_equal_and_name_their_origins() {
    let text = "static = \"a \\\"b\\\"\"\n[feed]\nurl = 'https://a.example/m'\n[feed.schedules.17]\n\
                provider = 'jane-doe'\ntypes = [101]\n";
    let (layers, problems, settings) = layered(text, &[("NAMEPLATE_LOG_ACCESS", "true")]);
    assert!(problems.is_empty(), "{problems:?}");
    let printed = print::print(&layers);
    assert!(printed.contains("static = \"a \\\"b\\\"\" # nameplate.toml:1\n"), "{printed}");
    assert!(printed.contains("access = true # NAMEPLATE_LOG_ACCESS\n"), "{printed}");
    assert!(printed.contains("connections = 4096 # default\n"), "{printed}");
    assert!(printed.contains("# admin isn't set\n"), "{printed}");
    assert_eq!(read(&printed, &[]).unwrap(), settings.unwrap());
}

#[test]
fn each_kind_of_feed_has_its_own_defaults_and_what_is_written_counts() {
    // The freshness of a feed is seen in its name for a poll that is too long: a third of max-stale.
    let longest = |text: &str| {
        let error = read(&format!("[feed]\n{text}\npoll = '23h'"), &[]).unwrap_err();
        let (_, rest) = error.split_once("max-stale, which is ").unwrap();
        rest.split_once(',').unwrap().0.to_owned()
    };
    assert_eq!(longest("calendars = 'a'"), "7200s");
    assert_eq!(longest("url = 'https://a'"), "1800s");
    // As the defaults of other feeds, but written.
    assert_eq!(longest("calendars = 'a'\nfresh-for = '5m'\nmax-stale = '30m'"), "1800s");
    // Each by itself.
    assert_eq!(longest("calendars = 'a'\nfresh-for = '10m'"), "7200s");
    let error = read("[feed]\ncalendars = 'a'\nmax-stale = '14m'\npoll = '1m'", &[]).unwrap_err();
    assert!(error.contains("feed.max-stale: it must not be shorter than fresh-for"), "{error}");
    let error = read("[feed]\ncalendars = 'a'\nmax-stale = '25h'", &[]).unwrap_err();
    assert!(error.contains("feed.max-stale: it may be at most 24h for calendars"), "{error}");
    read("[feed]\ncalendars = 'a'\nmax-stale = '24h'", &[]).unwrap();
    let printed = print::print(&layered("[feed]\ncalendars = 'a'", &[]).0);
    assert!(printed.contains("# max-stale isn't set: 30m, and 2h for calendars\n"), "{printed}");
}

#[test]
fn calendars_of_the_environment_are_named_by_their_variable() {
    let variable = [("NAMEPLATE_CALENDARS", "jane-doe https://calendar.example/c4n4ry")];
    let (layers, problems, settings) = layered("", &variable);
    assert!(problems.is_empty(), "{problems:?}");
    let FeedChoice::Named(feed) = &settings.as_ref().unwrap().feed else { panic!("{settings:?}") };
    assert_eq!((feed.name().as_str(), feed.calendars().is_some()), ("NAMEPLATE_CALENDARS", true));
    let printed = print::print(&layers);
    assert!(printed.contains("calendars = \"NAMEPLATE_CALENDARS\" # NAMEPLATE_CALENDARS\n"), "{printed}");
    assert!(!format!("{printed}{settings:?}").contains("c4n4ry"), "{printed}");
    assert_eq!(read(&printed, &variable).unwrap(), settings.unwrap());
    assert!(matches!(read("", &[("NAMEPLATE_CALENDARS", "")]).unwrap().feed, FeedChoice::Found(_)));

    let error = read("[feed]\ncalendars = '/etc/nameplate/calendars'", &variable).unwrap_err();
    for expected in [
        "nameplate.toml:2:13",
        "NAMEPLATE_CALENDARS has calendars, too: remove this setting, or unset the variable",
    ] {
        assert!(error.contains(expected), "{error}");
    }
    for other in ["path = 'a'\nmode = 'busy'", "url = 'https://a'"] {
        let error = read(&format!("[feed]\n{other}"), &variable).unwrap_err();
        assert!(error.contains("this kind of feed has no such setting"), "{error}");
        assert!(!error.contains("c4n4ry"), "{error}");
    }
}

#[test]
fn broken_syntax_is_reported_in_our_words_once_a_line_and_without_a_secret() {
    for (text, told, what) in [
        ("[feed\nkind = 'ics'", "nameplate.toml:1:", "opens a table but doesn't close it"),
        ("[feed]\npoll = 5m", "nameplate.toml:2:8", "Put quotes around text."),
        ("listen = 0.0.0.0:80", "nameplate.toml:1:", "This value has no quotes"),
        ("strict = True", "nameplate.toml:1:10", "This value has no quotes"),
        ("listen: \"8080\"", "nameplate.toml:1:", "This line has no =."),
        ("listen = 80\nlisten = 81", "nameplate.toml:2:1", "This key is in the file twice."),
        ("[feed]\nurl = https://u:c4n4ry@example.org", "nameplate.toml:2:", "This value has no quotes"),
    ] {
        let error = read(text, &[]).unwrap_err();
        assert!(error.contains(told) && error.contains(what), "{text}: {error}");
        assert_eq!(error.matches("error: ").count(), 1, "{text}: {error}");
        assert!(!error.contains("c4n4ry"), "{error}");
    }
}
