//! What every server of our pages and scripts needs alike: content security policies, the scripts for other websites,
//! the view for assistants, the map of the states, and how programs find all this. The generator writes these, the live
//! service serves them, and neither knows the other.

mod elements;
mod found;
mod policy;
mod tiles;
mod view;

pub use elements::{
    ELEMENTS, ELEMENTS_PATH, ELEMENTS_ROOT, ElementsRelease, elements_files, elements_script,
};
pub use found::{
    AI_CATALOG_PATH, API_CATALOG_PATH, ARD_PATH, CHALLENGE_PATH, FEED_PATH, FoundFile, HOME_LINKS, MARKDOWN,
    SECURITY_PATH, SERVER_CARD_PATH, ServerIdentity, found_file, found_files,
};
pub use policy::{
    PAGE_HEADERS, PORTRAIT_POLICY, PORTRAIT_ROOT, PORTRAIT_SHARING, is_host_configuration, page_policy,
};
pub use view::{VIEW_MEDIA_TYPE, VIEW_URI, ViewPreview, view_csp, view_document};
