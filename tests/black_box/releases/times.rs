//! Releases that are served at a time of their own.

use std::fs;

use chrono::{DateTime, TimeDelta, Utc};

use super::{AT_ONCE, Clinic, TIMEOUT, has_name, ready};
use crate::harness::{nameplate, text, within};

#[test]
fn a_release_is_fetched_ahead_and_served_at_its_time() {
    let clinic = Clinic::new();
    clinic.published(1);
    let server = clinic.serve();
    clinic.rename("Juno");
    let now = || -> DateTime<Utc> { std::time::SystemTime::now().into() };
    let from = now() + TimeDelta::seconds(5);
    let output = clinic.publish(&["--from", &from.to_rfc3339()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    within(TIMEOUT, "the second release", || {
        let shown = has_name(&server, "Juno");
        assert!(!shown || now() >= from, "it is not shown before its time");
        shown
    });
    within(TIMEOUT, "no next release", || ready(&server)["store"]["next"].is_null());

    // A service that starts before the time of the newest release serves the one before it.
    clinic.rename("June");
    let from = now() + TimeDelta::hours(1);
    assert_eq!(clinic.publish(&["--from", &from.to_rfc3339()]).status.code(), Some(0));
    drop(server);
    let server = clinic.serve();
    assert!(has_name(&server, "Juno"));
    within(TIMEOUT, "the next release", || ready(&server)["store"]["next"]["release"] == 3);
}

#[test]
fn releases_for_later_neither_delay_nor_hide_those_that_are_due() {
    let clinic = Clinic::new();
    clinic.published(1);
    let server = clinic.serve();
    let later =
        |days| (DateTime::<Utc>::from(std::time::SystemTime::now()) + TimeDelta::days(days)).to_rfc3339();
    clinic.rename("Juno");
    assert_eq!(clinic.publish(&["--from", &later(60)]).status.code(), Some(0));
    within(TIMEOUT, "the release for later", || ready(&server)["store"]["next"]["release"] == 2);
    // A correction goes before it.
    clinic.rename("June");
    clinic.published(3);
    within(TIMEOUT, "the correction", || has_name(&server, "June"));
    within(TIMEOUT, "no release for later: 2 is never served after 3", || {
        ready(&server)["store"]["next"].is_null()
    });

    // The service finds both at once.
    let away = clinic.folder.path().join("away");
    fs::rename(clinic.store(), &away).unwrap();
    let (content, address) = (clinic.content(), format!("file://{}", away.display()));
    for (name, from) in [("Juli", AT_ONCE[1]), ("Juna", &later(30))] {
        clinic.rename(name);
        let output = nameplate(&["publish", content.to_str().unwrap(), &address, "--from", from]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    fs::rename(&away, clinic.store()).unwrap();
    within(TIMEOUT, "the release that is due", || has_name(&server, "Juli"));
    within(TIMEOUT, "the one for later", || ready(&server)["store"]["next"]["release"] == 5);
}
