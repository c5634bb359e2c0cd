//! What can be set, each thing once: its name in the file, from which the environment's follows, its form and
//! its default.

/// The form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Count,
    Share,
    Switch,
    List,
    /// A table of tables, in a file only.
    Schedules,
}

impl Form {
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

    /// Whether a value of a file has it.
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

    /// A value that the environment gives as a text.
    pub(super) fn read(self, text: &str) -> Option<toml::Value> {
        Some(match self {
            Self::Text => text.into(),
            Self::Count => i64::from(text.parse::<u32>().ok()?).into(),
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

/// One thing that can be set.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) form: Form,
    /// As the file would say it; none: not set.
    pub(super) default: Option<&'static str>,
    /// What holds while it is not set, where that is more than nothing.
    pub(super) unset: &'static str,
}

const fn key(name: &'static str, form: Form, default: Option<&'static str>) -> Key {
    Key { name, form, default, unset: "" }
}

/// Everything, in the order in which it is printed: what stands in no table first.
pub(super) const KEYS: [Key; 31] = [
    key("content", Form::Text, Some("content")),
    key("content-max-shrink", Form::Share, Some("0.2")),
    key("listen", Form::Text, Some("127.0.0.1:8080")),
    key("admin", Form::Text, None),
    key("static", Form::Text, None),
    key("reload", Form::Switch, Some("true")),
    key("log.format", Form::Text, Some("text")),
    key("log.level", Form::Text, Some("info")),
    key("log.access", Form::Switch, Some("false")),
    key("limits.connections", Form::Count, Some("4096")),
    key("limits.head", Form::Text, Some("10s")),
    key("limits.body", Form::Text, Some("10s")),
    key("limits.answer", Form::Text, Some("2m")),
    key("limits.stalled", Form::Text, Some("30s")),
    key("limits.idle", Form::Text, Some("80s")),
    key("limits.drain", Form::Text, Some("10s")),
    key("limits.target-bytes", Form::Count, Some("8192")),
    key("limits.field-bytes", Form::Count, Some("16384")),
    key("limits.body-bytes", Form::Count, Some("262144")),
    key("mcp.hosts", Form::List, Some("")),
    Key {
        unset: ": any page may ask by a public name, and by a loopback name loopback's own pages",
        ..key("mcp.origins", Form::List, None)
    },
    key("feed.kind", Form::Text, None),
    key("feed.path", Form::Text, None),
    key("feed.url", Form::Text, None),
    key("feed.mode", Form::Text, None),
    key("feed.poll", Form::Text, None),
    key("feed.fresh-for", Form::Text, Some("5m")),
    key("feed.max-stale", Form::Text, Some("30m")),
    key("feed.max-shrink", Form::Share, Some("0.5")),
    key("feed.max-bytes", Form::Count, Some("268435456")),
    key("feed.schedules", Form::Schedules, None),
];

impl Key {
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The table that it stands in, and its name there.
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

/// What was meant instead of a name that is no key's.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// Less alike than this is another word.
    const ALIKE: f64 = 0.8;
    let alike = known.map(|known| (strsim::jaro_winkler(name, known), known));
    alike.filter(|(score, _)| *score >= ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}
