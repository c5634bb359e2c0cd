//! Advice about `booking-url`, followed literally.

use directory::Directory;

use super::followed::{Followed, Replace};

const FILE: &str = "directory.toml";

fn books_at_the_clinicians_page(directory: &Directory) -> bool {
    directory.organisation().booking_url.as_deref() == Some("https://book.clinic.example/{providerSlug}")
}

pub(crate) const FOLLOWED: [Followed; 5] = [
    (
        "booking-address-without-the-clinician",
        &[Replace(FILE, "/times", "/{providerSlug}")],
        books_at_the_clinicians_page,
    ),
    (
        "booking-address-with-an-open-brace",
        &[Replace(FILE, "{providerSlug", "{providerSlug}")],
        books_at_the_clinicians_page,
    ),
    (
        "booking-address-with-another-form-of-variable",
        &[Replace(FILE, "{+providerSlug}", "{providerSlug}")],
        books_at_the_clinicians_page,
    ),
    ("booking-address-with-a-space", &[Replace(FILE, " {", "{")], books_at_the_clinicians_page),
    (
        "booking-address-with-an-unknown-variable",
        &[Replace(FILE, "{?insurance}", "{?startTime}")],
        |directory| {
            let address = "https://book.clinic.example/{providerSlug}{?startTime}";
            directory.organisation().booking_url.as_deref() == Some(address)
        },
    ),
];
