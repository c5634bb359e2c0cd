//! A state folder and the content that it keeps.

use std::os::unix::fs::symlink;
use std::process;
use std::time::{Duration, SystemTime};

use super::*;

/// A content folder, and a place for a state folder.
struct Clinic(tempfile::TempDir);

impl Clinic {
    fn new() -> Self {
        let clinic = Self(tempfile::tempdir().unwrap());
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
        copy_folder(&demo, &clinic.at("content"), None).unwrap();
        clinic
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn open(&self) -> Result<StateFolder, Closed> {
        StateFolder::open(&self.at("state"), &self.at("content"), false)
    }

    fn directory(&self) -> Directory {
        let today = Clock::system().now().date_naive();
        load_and_check_beside_feed(&self.at("content"), today).unwrap().directory
    }

    /// Adds a line to a file of the content.
    fn edit(&self, file: &str, line: &str) {
        let file = self.at("content").join(file);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text + line + "\n").unwrap();
    }

    fn keep(&self, state: &StateFolder) -> Directory {
        let directory = self.directory();
        state.keep(&directory, None, Clock::system().now()).unwrap();
        directory
    }
}

fn good(state: &StateFolder) -> String {
    let good = state.last_good(Clock::system()).unwrap().unwrap();
    good.checked.directory.generation().as_str().to_owned()
}

fn refused(state: &StateFolder) -> String {
    state.last_good(Clock::system()).err().unwrap()
}

fn unusable(opened: Result<StateFolder, Closed>) -> String {
    let Err(Closed::Unusable(why)) = opened else { panic!("{opened:?}") };
    why
}

#[test]
fn the_last_good_content_is_the_newest_that_was_kept_whole() {
    let clinic = Clinic::new();
    let state = clinic.open().unwrap();
    assert!(state.last_good(Clock::system()).unwrap().is_none());
    let first = clinic.keep(&state);
    assert_eq!(good(&state), first.generation().as_str());

    clinic.edit("insurances.toml", "\n[[plan]]\nname = \"Another Plan\"");
    let busy = feed_path(FeedMode::Busy);
    fs::write(clinic.at("content").join(busy), "").unwrap();
    let wrong = state.keep(&first, None, Clock::system().now());
    assert!(wrong.is_err(), "the folder does not have this generation");
    assert_eq!(good(&state), first.generation().as_str());

    let second = clinic.keep(&state);
    assert_eq!((&*good(&state), state.feed()), (second.generation().as_str(), Some(FeedMode::Busy)));
    for copy in [0, 1] {
        assert!(!state.copy(copy).join(busy).exists(), "a feed isn't kept");
    }
    let damage = |name: &str| fs::write(clinic.at("state").join(name), "{\"copy\":").unwrap();
    damage("current.json");
    assert_eq!(good(&state), second.generation().as_str(), "there is a second file of it");
    clinic.keep(&state);
    damage("current-2.json");
    assert_eq!(good(&state), second.generation().as_str(), "the first was written again");
    damage("current.json");
    assert!(refused(&state).contains("current.json is damaged"), "{}", refused(&state));
    state.keep(&second, Some(FeedMode::Open), Clock::system().now()).unwrap();
    assert_eq!(good(&state), second.generation().as_str());
}

#[test]
fn a_slash_at_the_end_of_the_sites_address_makes_no_other_clinic() {
    let clinic = Clinic::new();
    let file = clinic.at("content/directory.toml");
    let text = fs::read_to_string(&file).unwrap();
    let slashed = text.replacen("\"https://larkspur.example\"", "\" https://larkspur.example/\"", 1);
    assert_ne!(slashed, text);
    fs::write(&file, slashed).unwrap();
    let kept = clinic.keep(&clinic.open().unwrap());
    assert_eq!(good(&clinic.open().unwrap()), kept.generation().as_str());
}

#[test]
fn a_damaged_copy_is_not_served_and_the_one_before_it_is() {
    for damage in ["empty", "edited", "link"] {
        let clinic = Clinic::new();
        let state = clinic.open().unwrap();
        let first = clinic.keep(&state);
        clinic.edit("insurances.toml", "# second");
        clinic.keep(&state);
        let plans = clinic.at("state/content-1/insurances.toml");
        match damage {
            "empty" => fs::write(plans, "").unwrap(),
            "edited" => fs::write(&plans, fs::read_to_string(&plans).unwrap() + "# edited\n").unwrap(),
            _ => {
                fs::rename(clinic.at("state/content-1"), clinic.at("elsewhere")).unwrap();
                symlink("../elsewhere", clinic.at("state/content-1")).unwrap();
            }
        }
        assert_eq!(good(&state), first.generation().as_str(), "{damage}");
        // The damaged copy is the one that is replaced next, and then the other one.
        let generation = |directory: &Directory| directory.generation().as_str().to_owned();
        let mut newest = [String::new(), generation(&first)];
        for line in ["# third", "# fourth", "# fifth"] {
            clinic.edit("insurances.toml", line);
            newest = [std::mem::take(&mut newest[1]), generation(&clinic.keep(&state))];
            assert_eq!(good(&state), newest[1], "{damage}");
        }
        let elsewhere = fs::read_dir(clinic.at("elsewhere")).map_or(0, Iterator::count);
        assert_eq!(elsewhere > 5, damage == "link", "{elsewhere}: nothing behind a link is removed");
        fs::remove_dir_all(clinic.at("state/content-1")).unwrap();
        assert_eq!(good(&state), newest[0], "{damage}");
        fs::remove_dir_all(clinic.at("state/content-0")).unwrap();
        assert!(refused(&state).contains("content-0: it isn't a folder"), "{}", refused(&state));
    }
}

#[test]
fn a_copy_behind_a_link_is_neither_changed_nor_linked() {
    let clinic = Clinic::new();
    let state = clinic.open().unwrap();
    clinic.keep(&state);
    fs::rename(clinic.at("state/content-0/providers"), clinic.at("outside")).unwrap();
    symlink("../../outside", clinic.at("state/content-0/providers")).unwrap();
    let before = fs::read_dir(clinic.at("outside")).unwrap().count();
    for line in ["# second", "# third"] {
        clinic.edit("insurances.toml", line);
        let kept = clinic.keep(&state);
        assert_eq!(good(&state), kept.generation().as_str());
    }
    assert_eq!(fs::read_dir(clinic.at("outside")).unwrap().count(), before);
    for entry in fs::read_dir(clinic.at("outside")).unwrap() {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(entry.unwrap().metadata().unwrap().nlink(), 1, "no copy has a file of it");
    }
}

#[test]
fn a_link_in_place_of_a_file_is_refused_and_replaced() {
    let clinic = Clinic::new();
    fs::create_dir(clinic.at("state")).unwrap();
    fs::write(clinic.at("outside"), "outside").unwrap();
    for name in ["current.json", "current.json.new", "pid", "pid.new", "content-0", "content-1"] {
        symlink("../outside", clinic.at("state").join(name)).unwrap();
    }
    let state = clinic.open().unwrap();
    assert!(refused(&state).contains("this is a symlink"), "{}", refused(&state));
    let kept = clinic.keep(&state);
    assert_eq!(good(&state), kept.generation().as_str());
    assert_eq!(fs::read_to_string(clinic.at("outside")).unwrap(), "outside");
}

#[test]
fn a_folder_has_one_service_and_a_second_one_learns_which() {
    let clinic = Clinic::new();
    let state = clinic.open().unwrap();
    let Err(Closed::Refused(refusal)) = clinic.open() else { panic!("two services have one folder") };
    let told = refusal.to_string();
    assert!(
        told.contains(&format!("state is in use by another service (process {})", process::id())),
        "{told}"
    );
    // A service that takes over a port has the folder once the other one has stopped.
    let next = StateFolder::open(&clinic.at("state"), &clinic.at("content"), true).unwrap();
    let keep = || next.keep(&clinic.directory(), None, Clock::system().now());
    assert!(keep().unwrap_err().contains("in use by another service"));
    drop(state);
    keep().unwrap();
    assert!(matches!(clinic.open(), Err(Closed::Refused(_))));
}

#[test]
fn the_folder_of_another_clinic_is_refused_with_both_names() {
    let clinic = Clinic::new();
    let kept = clinic.keep(&clinic.open().unwrap());
    let current = fs::read_to_string(clinic.at("state/current.json")).unwrap();
    let site = &kept.organization().site_url;
    assert!(current.contains(site), "{current}");
    let directory = clinic.at("content/directory.toml");
    let text = fs::read_to_string(&directory).unwrap();
    fs::write(&directory, text.replace(site, "https://other.example")).unwrap();
    let why = unusable(clinic.open());
    assert!(why.contains(&format!("belongs to {site}")) && why.contains("https://other.example"), "{why}");
    // Without a name of the content, its folder counts.
    fs::write(&directory, "name = ").unwrap();
    assert_eq!(good(&clinic.open().unwrap()), kept.generation().as_str());
    let why = unusable(StateFolder::open(&clinic.at("state"), &clinic.at("missing"), false));
    assert!(why.contains("/content, but this content belongs to ") && why.contains("/missing"), "{why}");
    assert_eq!(fs::read_to_string(clinic.at("state/current.json")).unwrap(), current);

    // What earlier versions wrote names no clinic.
    let mut earlier: serde_json::Value = serde_json::from_str(&current).unwrap();
    earlier.as_object_mut().unwrap().retain(|key, _| ["copy", "generation", "at", "feed"].contains(&&**key));
    fs::write(clinic.at("state/current.json"), earlier.to_string()).unwrap();
    fs::write(&directory, text).unwrap();
    let state = clinic.open().unwrap();
    assert_eq!(good(&state), kept.generation().as_str());
    clinic.keep(&state);
    assert!(fs::read_to_string(clinic.at("state/current.json")).unwrap().contains(site));
}

#[test]
fn a_folder_that_cannot_be_opened_is_unusable_and_one_that_cannot_be_written_is_read() {
    let clinic = Clinic::new();
    fs::write(clinic.at("file"), "").unwrap();
    for place in ["file", "file/state"] {
        let why = unusable(StateFolder::open(&clinic.at(place), &clinic.at("content"), false));
        assert!(why.contains(&format!("can't use the state folder {}", clinic.at(place).display())), "{why}");
    }
    let kept = clinic.keep(&clinic.open().unwrap());
    // Folders in place of its files, since a superuser can write everywhere else.
    fs::remove_file(clinic.at("state/pid")).unwrap();
    fs::create_dir(clinic.at("state/pid")).unwrap();
    let state = clinic.open().unwrap();
    assert_eq!(good(&state), kept.generation().as_str());
    let why = state.keep(&kept, None, Clock::system().now()).unwrap_err();
    assert!(why.contains("state can't be written"), "{why}");
}

#[test]
fn a_copy_that_was_removed_is_made_again() {
    let clinic = Clinic::new();
    let state = clinic.open().unwrap();
    let kept = clinic.keep(&state);
    fs::remove_dir_all(clinic.at("state/content-0")).unwrap();
    assert!(refused(&state).contains("content-0: it isn't a folder"), "{}", refused(&state));
    clinic.keep(&state);
    assert_eq!(good(&state), kept.generation().as_str());
}

#[test]
fn an_address_that_was_changed_and_changed_back_forgets_no_feed() {
    let clinic = Clinic::new();
    let (directory, busy) =
        (clinic.at("content/directory.toml"), clinic.at("content").join(feed_path(FeedMode::Busy)));
    fs::write(&busy, "").unwrap();
    let text = fs::read_to_string(&directory).unwrap();
    fs::write(&directory, text.replace("https://larkspur.example", "https://typo.example")).unwrap();
    clinic.keep(&clinic.open().unwrap());
    fs::write(&directory, text).unwrap();
    fs::remove_file(busy).unwrap();
    unusable(clinic.open());
    assert_eq!(feed_before(&clinic.at("state"), &clinic.at("content")), Some(FeedMode::Busy));
    assert_eq!(feed_before(&clinic.at("state"), &clinic.at("other")), None);
}

#[test]
fn content_that_lost_most_clinicians_during_a_stop_is_compared_with_the_copy() {
    let clinic = Clinic::new();
    let state = clinic.open().unwrap();
    let lost = || match state.compare(&clinic.directory(), MaxShrink::default(), Clock::system()).unwrap() {
        AtStart::Lost { last_good, shrunk, .. } => Some((last_good, shrunk)),
        AtStart::Allowed(_) => None,
    };
    assert!(lost().is_none(), "nothing was kept yet");
    let kept = clinic.keep(&state);
    clinic.edit("insurances.toml", "# another generation");
    assert!(lost().is_none());
    for file in fs::read_dir(clinic.at("content/providers")).unwrap() {
        let (file, text) = (file.as_ref().unwrap().path(), fs::read_to_string(file.unwrap().path()).unwrap());
        let rest: Vec<&str> = text.lines().filter(|line| !line.starts_with("status")).collect();
        fs::write(file, format!("status = \"paused\"\n{}\n", rest.join("\n"))).unwrap();
    }
    let (good, shrunk) = lost().unwrap();
    assert_eq!(good.checked.directory.generation(), kept.generation());
    assert!(shrunk.to_string().contains("clinicians who accepted new patients no longer do"), "{shrunk}");
}

#[test]
fn a_file_that_changes_and_keeps_its_size_and_time_is_kept_as_it_is_now() {
    let clinic = Clinic::new();
    let state = clinic.open().unwrap();
    let plans = clinic.at("content/insurances.toml");
    let text = fs::read_to_string(&plans).unwrap();
    // The time of all files in a Nix store.
    let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
    // The third one replaces the first copy.
    for end in ["a", "b", "c"] {
        fs::write(&plans, format!("{text}# {end}\n")).unwrap();
        fs::File::options().write(true).open(&plans).unwrap().set_modified(at).unwrap();
        assert_eq!(clinic.keep(&state).generation().as_str(), good(&state), "{end}");
    }
}
