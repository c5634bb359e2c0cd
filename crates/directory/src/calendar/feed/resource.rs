//! The types of FHIR resources: those that are read, those that are passed over, and mistakes.

use crate::near::nearest;

/// The longest type that is taken for one of FHIR's, in bytes.
const MAX_BYTES: usize = 40;

pub(super) enum ResourceKind {
    Slot,
    Schedule,
    /// Another resource of FHIR's: it says nothing of anyone's time.
    Other,
}

/// What a type means. A Bundle and a misspelt type are mistakes, because the time in them would be lost: what is wrong, and
/// what to do.
pub(super) fn kind_of(resource_type: &str) -> Result<ResourceKind, (String, &'static str)> {
    match resource_type {
        "Slot" => return Ok(ResourceKind::Slot),
        "Schedule" => return Ok(ResourceKind::Schedule),
        "Bundle" => {
            let help = "write each Slot and each Schedule of it on a line of its own";
            return Err(("a Bundle is not read, so the time in it would be lost".to_owned(), help));
        }
        _ => {}
    }
    let is_like_fhirs = resource_type.len() <= MAX_BYTES
        && resource_type.starts_with(|c: char| c.is_ascii_uppercase())
        && resource_type.bytes().all(|byte| byte.is_ascii_alphabetic());
    if is_like_fhirs && nearest(resource_type, ["Slot", "Schedule"].into_iter()).is_none() {
        return Ok(ResourceKind::Other);
    }
    let what = format!("\"{resource_type}\" is not a type of FHIR resources");
    Err((what, "write \"Slot\" or \"Schedule\", with the same capitals, or leave the line out"))
}
