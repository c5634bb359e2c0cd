//! The custom elements for other websites: a script for each released version.
//! A website may load a version together with its hash, so a released script is never changed and never removed. The
//! next version is a copy under a new name, in the first row of [`ELEMENTS`].

use crate::api::Caching;

#[derive(Debug)]
pub struct ElementsRelease {
    pub version: &'static str,
    pub integrity: &'static str,
    pub script: &'static str,
}

/// Every released version, the newest first.
pub static ELEMENTS: [ElementsRelease; 2] = [
    ElementsRelease {
        version: "1.1.0",
        integrity: "sha384-OYOlZymwRLj8V3tq3ZtnmMQyVrio5PlfrY6VvL0JSd31m2ZxKhusZFOOssSxBqrQ",
        script: include_str!("../../../../site/elements/1.1.0.js"),
    },
    ElementsRelease {
        version: "1.0.0",
        integrity: "sha384-n+uTMPV1T5vKPwX7ITc+8anOGs24tcM1JWd9DWJ4d2JdpptVa0uhQI+koffcXjfs",
        script: include_str!("../../../../site/elements/1.0.0.js"),
    },
];

/// The path of the newest version, which follows the releases.
pub const ELEMENTS_PATH: &str = "/v1/elements.js";
/// The beginning of the paths of single versions, which are never changed.
pub const ELEMENTS_ROOT: &str = "/v1/elements/";

impl ElementsRelease {
    pub fn path(&self) -> String {
        format!("{ELEMENTS_ROOT}{}.js", self.version)
    }
}

pub fn elements_files() -> impl Iterator<Item = (String, &'static str)> {
    let newest = (ELEMENTS_PATH.to_owned(), ELEMENTS[0].script);
    std::iter::once(newest).chain(ELEMENTS.iter().map(|release| (release.path(), release.script)))
}

pub fn elements_script(path: &str) -> Option<&'static str> {
    elements_files().find(|(known, _)| known == path).map(|(_, script)| script)
}

impl Caching {
    pub fn of_file(path: &str) -> Self {
        if path.starts_with(ELEMENTS_ROOT) { Self::Immutable } else { Self::Catalog }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;
    use sha2::{Digest, Sha384};

    use super::*;

    /// If this fails for a released version, restore its file: websites load it together with this hash.
    #[test]
    fn a_released_script_has_the_hash_that_websites_name() {
        for ElementsRelease { version, integrity, script } in &ELEMENTS {
            let sum = BASE64_STANDARD.encode(Sha384::digest(script));
            assert_eq!(*integrity, format!("sha384-{sum}"), "{version}");
        }
        let versions: BTreeSet<_> = ELEMENTS.iter().map(|release| release.version).collect();
        assert_eq!(versions.len(), ELEMENTS.len());
    }

    #[test]
    fn the_newest_script_has_a_path_of_its_own_and_one_of_its_version() {
        assert_eq!(elements_script("/v1/elements.js"), Some(ELEMENTS[0].script));
        for ElementsRelease { version, script, .. } in &ELEMENTS {
            assert_eq!(elements_script(&format!("/v1/elements/{version}.js")), Some(*script), "{version}");
        }
        for path in ["/v1/elements", "/v1/elements/", "/v1/elements/1.0.js", "/v1/elements/1.0.0.js/"] {
            assert_eq!(elements_script(path), None, "{path}");
        }
        assert_eq!(Caching::of_file("/v1/elements.js"), Caching::Catalog);
        assert_eq!(Caching::of_file("/v1/elements/1.0.0.js"), Caching::Immutable);
    }
}
