//! The message of `NO_MATCH`: each filter has clinicians, all filters together have none. It names the filters to leave out.

/// `enough`: the filters that alone cause the empty list: without any single one of them, clinicians match.
pub(super) fn message(enough: &[&str]) -> String {
    match enough {
        [] => "No clinician meets all of these filters together: leave several out.".to_owned(),
        names => format!(
            "No clinician meets all of these filters together. There are some without {}.",
            names.join(", and some without ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn the_message_names_what_to_leave_out() {
        assert!(message(&[]).ends_with("leave several out."));
        assert!(message(&["gender"]).ends_with("There are some without gender."));
        assert!(message(&["gender", "q"]).ends_with("There are some without gender, and some without q."));
    }
}
