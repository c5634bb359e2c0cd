//! Hosts that are slow, and how many requests each gets.

use super::*;

#[tokio::test]
async fn at_most_two_calendars_of_a_host_are_asked_for_at_once() {
    let paths: Vec<String> = (0..6).map(|number| format!("/c4n4ry/{number}.ics")).collect();
    let lines: Vec<_> = paths.iter().map(|path| ("jane-doe", path.as_str())).collect();
    let world = World::of(&lines).await;
    for path in &paths {
        let drip = Some(Duration::from_micros(200));
        world.publisher.answers(path, Answer { drip, ..Answer::ok(daily(9)) });
    }
    assert_eq!(look(&mut world.source()).await.len(), 6);
    assert!((1..=2).contains(&world.publisher.most_at_once()), "{}", world.publisher.most_at_once());
}

#[tokio::test]
async fn a_host_that_does_not_answer_keeps_no_other_calendar_waiting() {
    let world = World::of(&[]).await;
    for number in 0..6 {
        let drip = Some(Duration::from_hours(1));
        world.publisher.answers(&format!("/{number}.ics"), Answer { drip, ..Answer::ok(daily(9)) });
    }
    world.publisher.answers("/sam.ics", Answer::ok(daily(9)));
    let dead = (0..6).map(|number| format!("jane-doe {}\n", world.publisher.url(&format!("/{number}.ics"))));
    let living = format!("sam-roe http://localhost:{}/sam.ics\n", world.publisher.address.port());
    world.write(&(dead.collect::<String>() + &living));
    let mut source = world.source();
    source.whole = Duration::from_hours(1);
    let looking = tokio::spawn(async move { source.look(PATIENCE).await });
    let asked_for_sam = async {
        while !world.publisher.asked().iter().any(|(path, _)| path == "/sam.ics") {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, asked_for_sam).await.is_ok());
    looking.abort();
}

#[tokio::test]
async fn a_host_that_is_slow_ends_no_look_later_and_is_asked_for_all_its_calendars_in_turn() {
    let paths: Vec<String> = (0..6).map(|number| format!("/c4n4ry/{number}.ics")).collect();
    let lines: Vec<_> = paths.iter().map(|path| ("jane-doe", path.as_str())).collect();
    let world = World::of(&lines).await;
    for path in &paths {
        world.publisher.answers(path, Answer::ok(daily(9)));
    }
    let mut source = world.source();
    let mut asked = BTreeSet::new();
    for looks in 1..=3 {
        // There is time for the first two alone.
        let events = source.look(Duration::ZERO).await.unwrap();
        let is_unasked = |event: &&Event| matches!(event, Event::PartChanged { text: Err(_), .. });
        assert_eq!(events.iter().filter(is_unasked).count(), 6 - 2 * looks, "{events:?}");
        asked.extend(world.publisher.asked().into_iter().map(|(path, _)| path));
        assert_eq!(asked.len(), 2 * looks);
    }
}
