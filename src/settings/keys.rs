//! The list of settings: name in the file, type and default. The environment variable's name follows from the name.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Count,
    Share,
    Switch,
    List,
    /// A table of tables; only a file can set it.
    Schedules,
}

impl Type {
    /// The type in words, for messages.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Text => "a text in quotes",
            Self::Count => "a whole number",
            Self::Share => "a number",
            Self::Switch => "true or false",
            Self::List => "a list of texts, like [\"a\", \"b\"]",
            Self::Schedules => "a table for each Schedule, like [feed.schedules.17]",
        }
    }

    pub(super) fn fits(self, value: &toml::Value) -> bool {
        match self {
            Self::Text => value.is_str(),
            Self::Count => value.as_integer().is_some_and(|count| count >= 0),
            Self::Share => value.is_float() || value.is_integer(),
            Self::Switch => value.is_bool(),
            Self::List => value.as_array().is_some_and(|list| list.iter().all(toml::Value::is_str)),
            Self::Schedules => {
                value.as_table().is_some_and(|table| table.values().all(toml::Value::is_table))
            }
        }
    }

    /// Parses the text of an environment variable.
    pub(super) fn read(self, text: &str) -> Option<toml::Value> {
        Some(match self {
            Self::Text => text.into(),
            Self::Count => i64::try_from(text.parse::<u64>().ok()?).ok()?.into(),
            Self::Share => text.parse::<f64>().ok()?.into(),
            Self::Switch => text.parse::<bool>().ok()?.into(),
            Self::List => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                items.map(toml::Value::from).collect::<Vec<_>>().into()
            }
            Self::Schedules => return None,
        })
    }
}

#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) kind: Type,
    /// As an environment variable would set it; `None`: not set.
    pub(super) default: Option<&'static str>,
    /// The effect of not setting it, for `--print-config`; may be empty.
    pub(super) unset: &'static str,
}

const fn key(name: &'static str, kind: Type, default: Option<&'static str>) -> Key {
    Key { name, kind, default, unset: "" }
}

/// All settings in the order in which they are printed. Settings outside tables come first.
pub(super) const KEYS: [Key; 49] = [
    key("content", Type::Text, Some("content")),
    key("content-max-shrink", Type::Share, Some("0.2")),
    key("content-cache", Type::Text, None),
    key("content-poll", Type::Text, Some("5s")),
    key("content-key", Type::List, Some("")),
    key("content-max-bytes", Type::Count, Some("1073741824")),
    key("listen", Type::Text, Some("127.0.0.1:8080")),
    key("admin", Type::Text, None),
    key("static", Type::Text, None),
    key("state", Type::Text, None),
    key("strict", Type::Switch, Some("false")),
    key("proxies", Type::List, Some("")),
    key("reuse-port", Type::Switch, Some("false")),
    key("reload", Type::Switch, Some("true")),
    key("log.format", Type::Text, Some("text")),
    key("log.level", Type::Text, Some("info")),
    key("log.access", Type::Switch, Some("false")),
    key("limits.connections", Type::Count, Some("4096")),
    key("limits.per-client", Type::Count, Some("256")),
    key("limits.held-bytes", Type::Count, Some("134217728")),
    key("limits.head", Type::Text, Some("10s")),
    key("limits.body", Type::Text, Some("10s")),
    key("limits.answer", Type::Text, Some("2m")),
    key("limits.stalled", Type::Text, Some("30s")),
    key("limits.idle", Type::Text, Some("80s")),
    key("limits.drain", Type::Text, Some("10s")),
    key("limits.target-bytes", Type::Count, Some("8192")),
    key("limits.field-bytes", Type::Count, Some("16384")),
    key("limits.body-bytes", Type::Count, Some("262144")),
    key("mcp.hosts", Type::List, Some("")),
    Key {
        unset: ": pages of any site may use a public host name; only loopback pages may use a loopback name",
        ..key("mcp.origins", Type::List, None)
    },
    key("feed.kind", Type::Text, None),
    key("feed.path", Type::Text, None),
    key("feed.url", Type::Text, None),
    key("feed.mode", Type::Text, None),
    key("feed.poll", Type::Text, None),
    key("feed.fresh-for", Type::Text, Some("5m")),
    key("feed.max-stale", Type::Text, Some("30m")),
    key("feed.max-shrink", Type::Share, Some("0.5")),
    key("feed.max-bytes", Type::Count, Some("268435456")),
    key("feed.bucket", Type::Text, None),
    key("feed.sites", Type::List, None),
    key("feed.creds", Type::Text, None),
    key("feed.nkey", Type::Text, None),
    key("feed.tls-ca", Type::Text, None),
    key("feed.tls-cert", Type::Text, None),
    key("feed.tls-key", Type::Text, None),
    key("feed.unlisted", Type::Text, None),
    key("feed.schedules", Type::Schedules, None),
];

impl Key {
    /// The table in the file, if any, and the name in it.
    pub(super) fn place(&self) -> (Option<&'static str>, &'static str) {
        match self.name.split_once('.') {
            Some((table, name)) => (Some(table), name),
            None => (None, self.name),
        }
    }

    /// `limits.target-bytes` is `NAMEPLATE_LIMITS_TARGET_BYTES`.
    pub(super) fn variable(&self) -> String {
        format!("NAMEPLATE_{}", self.name.to_ascii_uppercase().replace(['.', '-'], "_"))
    }
}

/// The names in a table of the file; `""` is the file itself, and `*` is any name.
pub(super) fn names_in(table: &str) -> Vec<&'static str> {
    match table {
        "" => KEYS.iter().map(|key| key.place().0.unwrap_or(key.name)).collect(),
        "feed.schedules" => vec!["*"],
        _ if table.starts_with("feed.schedules.") => match table.matches('.').count() {
            2 => vec!["provider", "types"],
            _ => Vec::new(),
        },
        _ => {
            KEYS.iter().map(Key::place).filter(|place| place.0 == Some(table)).map(|place| place.1).collect()
        }
    }
}
