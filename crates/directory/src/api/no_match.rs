//! The message of `NO_MATCH`: each filter has clinicians, all filters together have none. It names the filters to leave out.

use super::operation::{Operation, OperationId};

/// `enough`: the parameters that alone cause the empty list: without any single one of them, clinicians match.
pub(super) fn message(operation: OperationId, enough: &[&str]) -> String {
    let label = |name: &&str| {
        let parameter = Operation::get(operation).arguments().find(|parameter| parameter.name == *name);
        parameter.map_or("that", |parameter| match parameter.label {
            "" => "being a new patient",
            label => label,
        })
    };
    let labels: Vec<_> = enough.iter().map(label).collect();
    match &labels[..] {
        [] => "No one matches all of that. Try fewer requirements.".to_owned(),
        names => {
            format!("No one matches all of that. Clinicians match if {} doesn't matter.", names.join(" or "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_what_to_leave_out() {
        let message = |enough: &[&str]| message(OperationId::Availability, enough);
        assert_eq!(message(&[]), "No one matches all of that. Try fewer requirements.");
        assert_eq!(
            message(&["gender"]),
            "No one matches all of that. Clinicians match if gender doesn't matter."
        );
        assert!(
            message(&["providerType", "language"]).ends_with("if clinician type or language doesn't matter.")
        );
    }
}
