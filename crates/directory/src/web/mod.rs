//! What every server of our pages and scripts needs alike: content security policies, the scripts for other websites, the
//! view for assistants, and the map of the states.
//!
//! The generator writes and describes these, and the live service serves them. Neither knows the other, so what both need
//! is here.

mod elements;
mod policy;
mod tiles;
mod view;

pub use elements::{
    ELEMENTS, ELEMENTS_PATH, ELEMENTS_ROOT, ElementsRelease, elements_files, elements_script,
};
pub use policy::{PORTRAIT_POLICY, PORTRAIT_ROOT, PORTRAIT_SHARING, is_host_configuration, page_policy};
pub use tiles::{is_on_every_map, tiles};
pub use view::{VIEW_MEDIA_TYPE, VIEW_URI, ViewPreview, view_csp, view_document};
