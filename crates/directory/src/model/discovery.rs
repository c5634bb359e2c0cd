//! How programs outside find the clinic: optional parts of `directory.toml`.

use chrono::NaiveDate;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovery {
    pub security: Option<SecurityContact>,
    /// The text that proves to a store of assistants that the host is the clinic's.
    pub openai_challenge: Option<String>,
    /// Whether AI models may be trained with the pages; `None` if the clinic doesn't say.
    pub ai_train: Option<bool>,
    /// A square PNG.
    pub logo: Option<Artwork>,
    /// What previews of links show where there is no portrait.
    pub share_image: Option<Artwork>,
}

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
    /// The file's name in the content folder.
    pub name: String,
    /// The path in the published tree.
    pub path: &'static str,
    pub width: u32,
    pub height: u32,
    /// The SHA-256 of the bytes that were checked.
    pub digest: [u8; 32],
}
