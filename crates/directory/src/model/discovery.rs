//! How programs outside find the clinic: optional parts of `directory.toml`.

use chrono::NaiveDate;

use super::words;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovery {
    pub security: Option<SecurityContact>,
    /// The pages that every page links to, in the order of [`NoticeName`].
    pub notices: Vec<Notice>,
    pub listing: StoreListing,
    /// The tokens with which a browser's trial of WebMCP lets pages offer tools.
    pub origin_trials: Vec<String>,
    /// Whether AI models may be trained with the pages; `None` if the clinic doesn't say.
    pub ai_train: Option<bool>,
    /// A square PNG.
    pub logo: Option<Artwork>,
    /// What previews of links show where there is no portrait.
    pub share_image: Option<Artwork>,
}

impl Discovery {
    pub fn notice(&self, name: NoticeName) -> Option<&str> {
        self.notices.iter().find(|notice| notice.name == name).map(|notice| notice.address.as_str())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub name: NoticeName,
    /// An https address, or for support also one of mail or a phone.
    pub address: String,
}

words! {
    NoticeName {
        Privacy = "privacy",
        Terms = "terms",
        Support = "support",
        Nondiscrimination = "nondiscrimination",
        Languages = "languages",
        Accessibility = "accessibility",
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreListing {
    /// The text that proves to a store that the host is the clinic's.
    pub openai_challenge: Option<String>,
    /// At most [`LISTED_CHARACTERS`], as the subtitle.
    pub display_name: Option<String>,
    pub subtitle: Option<String>,
    pub category: Option<String>,
    /// Three to five, or none.
    pub prompts: Vec<String>,
}

/// How long a name and a subtitle in a store may be.
pub const LISTED_CHARACTERS: usize = 30;

/// Where to report a vulnerability (RFC 9116).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityContact {
    /// The URI of an address.
    pub contact: String,
    /// The last day on which it is valid.
    pub expires: NaiveDate,
}

/// A picture beside `directory.toml`. Its bytes are published as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artwork {
    pub name: String,
    /// The path in the published tree.
    pub path: &'static str,
    pub width: u32,
    pub height: u32,
    /// The SHA-256 of the bytes that were checked.
    pub digest: [u8; 32],
}
