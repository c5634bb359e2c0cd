//! What is open, and to whom.

use super::{NOW, ask, ask_at, clinic};

#[test]
fn slots_obey_eligibility_notice_and_horizon_and_echo_their_filters() {
    let slots = |starts: &[(&str, &str)], echo: &str| {
        let list: Vec<_> = starts
            .iter()
            .map(|(start, slug)| format!(r#"{{"startTime":"2026-{start}:00Z","providerSlug":"{slug}"}}"#))
            .collect();
        let next = starts.first().map_or("null".to_owned(), |(start, _)| format!("\"2026-{start}:00Z\""));
        format!(r#"{{"slots":[{}],"nextAvailable":{next},{echo}}}"#, list.join(","))
    };
    let ann = |starts: &[&'static str]| starts.iter().map(|start| (*start, "ann-one")).collect::<Vec<_>>();
    let monday = ["11-23T17:00", "11-23T17:30", "11-23T18:00", "11-23T18:30", "11-23T19:00", "11-23T19:30"];
    let clinic = clinic();
    for (target, now, expected) in [
        // Monday 09:00 to 12:00 in California; Tuesday is outside of one day.
        (
            "?state=CA&horizonDays=1",
            NOW,
            slots(&ann(&monday), r#""state":"CA","appointmentType":null,"provider":null"#),
        ),
        (
            "?state=ca&horizonDays=0&limit=2&appointmentType=101&provider=ann-one",
            NOW,
            slots(&ann(&monday[..2]), r#""state":"CA","appointmentType":101,"provider":"ann-one""#),
        ),
        // A former slug means today's, and the echo says so.
        (
            "?state=CA&provider=ann-zero&limit=-1",
            NOW,
            slots(&ann(&monday[..1]), r#""state":"CA","appointmentType":null,"provider":"ann-one""#),
        ),
        // An hour's notice, inclusive: at 16:00:00 the start at 17:00 is offered, a second later it is not.
        (
            "?state=CA&limit=1",
            "2026-11-23T16:00:00Z",
            slots(&ann(&monday[..1]), r#""state":"CA","appointmentType":null,"provider":null"#),
        ),
        (
            "?state=CA&limit=1",
            "2026-11-23T16:00:01Z",
            slots(&ann(&monday[1..2]), r#""state":"CA","appointmentType":null,"provider":null"#),
        ),
        (
            "?state=CA&limit=1",
            "2026-11-23T16:00:00.001Z",
            slots(&ann(&monday[1..2]), r#""state":"CA","appointmentType":null,"provider":null"#),
        ),
        // Half-open: Tuesday 17:00 is exactly a day away.
        (
            "?state=CA&horizonDays=1",
            "2026-11-23T18:59:59Z",
            slots(
                &ann(&["11-24T17:00", "11-24T17:30", "11-24T18:00", "11-24T18:30"]),
                r#""state":"CA","appointmentType":null,"provider":null"#,
            ),
        ),
        (
            "?state=CA&horizonDays=1&limit=1",
            "2026-11-22T17:00:00Z",
            slots(&[], r#""state":"CA","appointmentType":null,"provider":null"#),
        ),
        (
            "?state=CA&horizonDays=1&limit=1",
            "2026-11-22T17:00:01Z",
            slots(&ann(&monday[..1]), r#""state":"CA","appointmentType":null,"provider":null"#),
        ),
        // Ann is licensed in New York and takes no patients there; Bo does, on Wednesday at 13:00.
        (
            "?state=NY&limit=1",
            NOW,
            slots(&[("11-25T18:00", "bo-two")], r#""state":"NY","appointmentType":null,"provider":null"#),
        ),
        (
            "?state=NY&provider=ann-one",
            NOW,
            slots(&[], r#""state":"NY","appointmentType":null,"provider":"ann-one""#),
        ),
        // Unknown, by message, beyond 64 bits, not covered: empty and no error.
        (
            "?state=CA&appointmentType=999",
            NOW,
            slots(&[], r#""state":"CA","appointmentType":999,"provider":null"#),
        ),
        (
            "?state=CA&appointmentType=201",
            NOW,
            slots(&[], r#""state":"CA","appointmentType":201,"provider":null"#),
        ),
        (
            "?state=CA&appointmentType=-99999999999999999999",
            NOW,
            slots(&[], r#""state":"CA","appointmentType":-9223372036854775808,"provider":null"#),
        ),
        ("?state=Puerto+Rico", NOW, slots(&[], r#""state":"PR","appointmentType":null,"provider":null"#)),
    ] {
        let answer = ask_at(&clinic, &format!("/v1/availability{target}"), now).unwrap();
        assert_eq!(answer, expected, "{target} at {now}");
    }
    // Holidays and the bounds: thirty days at most, two hundred slots at most.
    let all = ask("/v1/availability?state=CA&horizonDays=31&limit=999").unwrap();
    assert_eq!(all, ask("/v1/availability?state=CA&horizonDays=30&limit=200").unwrap());
    assert_eq!(
        all.matches("startTime").count(),
        6 * 10,
        "five Mondays and five Tuesdays from 23 November to 22 December"
    );
}
