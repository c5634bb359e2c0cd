//! Rules that are refused or end.

use super::*;

#[test]
fn rules_that_are_not_understood_are_refused() {
    for text in [
        "",
        "FREQ=FORTNIGHTLY",
        "FREQ=SECONDLY",
        "FREQ=MINUTELY;INTERVAL=30",
        "INTERVAL=2",
        "FREQ=DAILY;RSCALE=GREGORIAN",
        "FREQ=DAILY;BYEASTER=0",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;COUNT=3;UNTIL=20260101",
        "FREQ=DAILY;UNTIL=2026",
        "FREQ=DAILY;BYHOUR=24",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=MONTHLY;BYWEEKNO=3",
        "FREQ=WEEKLY;BYMONTHDAY=3",
        "FREQ=DAILY;BYYEARDAY=3",
        "FREQ=YEARLY;BYMONTH=5L",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYDAY=",
        "FREQ=MONTHLY;BYDAY=0MO",
        "FREQ=WEEKLY;BYDAY",
        "FREQ=WEEKLY;BYDAY=MO;BYDAY=TU",
        "FREQ=WEEKLY;byday=MO;BYDAY=MO",
        "FREQ=WEEKLY;FREQ=DAILY",
    ] {
        assert!(Rule::parse(text.as_bytes()).is_none(), "{text}");
    }
    for text in ["freq=weekly;byday=mo,tu;", "FREQ=MONTHLY;BYDAY=+2MO", "FREQ=WEEKLY;BYDAY= MO , TU"] {
        assert!(Rule::parse(text.as_bytes()).is_some(), "{text}");
    }
}

#[test]
fn a_series_without_end_is_found_at_any_distance_and_a_rule_without_instances_ends() {
    let day =
        |text: &str| text.parse::<NaiveDate>().unwrap().and_hms_opt(9, 0, 0).unwrap().and_utc().timestamp();
    let found = |text: &str, start: &str| {
        let rule = Rule::parse(text.as_bytes()).unwrap();
        expanded(&rule, day(start), day("2026-11-01"), day("2026-12-01")).len()
    };
    assert_eq!(found("FREQ=HOURLY", "0000-01-01"), 30 * 24);
    assert_eq!(found("FREQ=DAILY;COUNT=1000000", "0001-01-01"), 30);
    assert_eq!(found("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "1900-01-01"), 0);
    assert_eq!(found("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2;COUNT=3", "1900-01-01"), 0);
    assert_eq!(found("FREQ=DAILY;BYSETPOS=2;COUNT=3", "1900-01-01"), 0);
    assert_eq!(found("FREQ=YEARLY;INTERVAL=99999999", "2000-11-05"), 0);
    assert_eq!(found("FREQ=HOURLY;INTERVAL=99999999;COUNT=99999999", "2000-11-05"), 0);
}
