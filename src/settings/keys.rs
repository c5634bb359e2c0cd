//! The list of settings, from the file of their defaults. The environment variable's name follows from the setting's.

use std::sync::LazyLock;

use directory::content::toml_text;

pub(super) const PREFIX: &str = "NAMEPLATE_";

pub(super) struct Setting {
    /// The table in the file; empty for settings above all tables.
    pub(super) table: &'static str,
    pub(super) name: &'static str,
    /// The default, or a value of the type if there is none, in TOML.
    pub(super) sample: &'static str,
    pub(super) is_set: bool,
    /// The effect of not setting it, for `--print-config`; may be empty.
    pub(super) unset: &'static str,
}

/// All settings in the order in which they are printed. Settings outside tables come first.
pub(super) static KEYS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let mut table = "";
    let key = |line: &'static str| {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_end_matches(']');
        }
        let bare = line.strip_prefix("# ");
        let (name, value) = bare.unwrap_or(line).split_once(" = ")?;
        let (sample, unset) = value.split_once(" # ").unwrap_or((value, ""));
        Some(Setting { table, name, sample, is_set: bare.is_none(), unset })
    };
    include_str!("defaults.toml").lines().filter_map(key).collect()
});

impl Setting {
    /// The name with its table, such as `limits.target-bytes`.
    pub(super) fn full_name(&self) -> String {
        if self.table.is_empty() { self.name.to_owned() } else { format!("{}.{}", self.table, self.name) }
    }

    /// `limits.target-bytes` is `NAMEPLATE_LIMITS_TARGET_BYTES`.
    pub(super) fn variable(&self) -> String {
        PREFIX.to_owned() + &self.full_name().to_ascii_uppercase().replace(['.', '-'], "_")
    }

    /// A variable's text in TOML. One that is not of the setting's type becomes a text, which is refused later.
    pub(super) fn literal(&self, text: &str) -> String {
        if self.sample.starts_with('[') {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            return format!("[{}]", items.map(toml_text).collect::<Vec<_>>().join(", "));
        }
        let is_text = self.sample.starts_with(['"', '{']) || toml::de::DeValue::parse(text).is_err();
        if is_text { toml_text(text) } else { text.to_owned() }
    }
}
