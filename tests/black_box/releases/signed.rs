//! Releases that must be signed: others are refused by name, and the last good one goes on.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Clinic, TIMEOUT, has_name, ready};
use crate::harness::{Server, command, nameplate, root, text, within};

/// Two nkeys: the seed, and its public key.
const OURS: [&str; 2] = [
    "SAAJ5CPUYIHXGTHA4AA4WLIAF5CM7REZ3TSZAWDCR6LQT2SC2433AUIR6Y",
    "ADL6BDLKF5L52VZFZ6GTKVCTQJBVWUOBFY5WWWUTRNY5O5OCBFQOASHA",
];
const THEIRS: [&str; 2] = [
    "SAAO5MQ5CXJN6S67P6YMFXMGZMFWP4AK23QO6DDPRARM6MAOKMWB2Y77KI",
    "AA5IP66DCJHMJHX4LWVHKKI5KLELLMUXH5QRY2ELKQJNOY62Y7DI6WPG",
];

/// Publishes with a seed, and returns what is printed.
fn publish(clinic: &Clinic, [seed, _]: [&str; 2]) -> String {
    let file = clinic.folder.path().join("sign.nk");
    fs::write(&file, seed).unwrap();
    let output = clinic.publish(&["--sign-key", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

fn serve(clinic: &Clinic, [_, key]: [&str; 2]) -> Server {
    let arguments = clinic.arguments();
    let mut arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    arguments.extend(["--content-key", key]);
    Server::start(&arguments)
}

#[test]
fn a_release_without_the_right_signature_is_refused_by_name_and_the_last_good_one_stays() {
    let clinic = Clinic::new();
    publish(&clinic, OURS);
    let signed = fs::read_to_string(clinic.release(1)).unwrap();
    assert_eq!(signed.lines().count(), 2);
    assert!(!signed.contains(OURS[0]), "the seed is a secret");
    let server = serve(&clinic, OURS);
    let why = || ready(&server)["content"]["lastError"]["what"].as_str().unwrap_or_default().to_owned();
    clinic.rename("Juno");
    clinic.published(2);
    within(TIMEOUT, "unsigned", || why().contains("release 2 isn't signed") && why().contains(OURS[1]));
    // The content already exists, but without this signature.
    assert!(publish(&clinic, THEIRS).contains("release 3: "));
    within(TIMEOUT, "another key", || why().contains(&format!("release 3 is signed with {}", THEIRS[1])));
    let forged = fs::read_to_string(clinic.release(3)).unwrap().replace("\"number\":3", "\"number\":4");
    let (line, _) = forged.split_once('\n').unwrap();
    let (_, signature) = signed.split_once('\n').unwrap();
    fs::write(clinic.release(4), format!("{line}\n{signature}")).unwrap();
    within(TIMEOUT, "forged", || why().contains("the signature of release 4 is invalid"));
    let garbled = format!("{}\nsigned by ann\n", line.replace("\"number\":4", "\"number\":5"));
    fs::write(clinic.release(5), garbled).unwrap();
    within(TIMEOUT, "garbled", || why().contains("its second line isn't a signature"));
    assert!(has_name(&server, "Jun") && ready(&server)["store"]["release"] == 1);
    // So does a start, also from the cache.
    let again = serve(&clinic, OURS);
    assert!(has_name(&again, "Jun") && ready(&again)["store"]["release"] == 1);
    fs::remove_file(clinic.release(5)).unwrap();
    assert!(publish(&clinic, OURS).contains("release 5: "));
    for server in [&server, &again] {
        within(TIMEOUT, "the signed release", || has_name(server, "Juno"));
    }
    assert!(publish(&clinic, OURS).contains("already has this content"));
    drop((server, again));
    fs::remove_dir_all(clinic.store()).unwrap();
    assert!(has_name(&serve(&clinic, OURS), "Juno"));
}

#[test]
fn a_rollback_signs_only_what_was_signed_with_the_same_key() {
    let clinic = Clinic::new();
    let generation = |printed: &str| printed.split_once("generation ").unwrap().1[..16].to_owned();
    let first = generation(&publish(&clinic, OURS));
    clinic.rename("Juno");
    let unsigned = clinic.published(2);
    clinic.rename("June");
    publish(&clinic, OURS);
    let server = serve(&clinic, OURS);
    let (seed, address) = (clinic.folder.path().join("sign.nk"), clinic.address());
    let back = |generation: &str, sign: &[&str]| {
        nameplate(&[&["publish", "--rollback", generation, &address], sign].concat())
    };
    let sign = ["--sign-key", seed.to_str().unwrap()];
    let refused = back(&unsigned, &sign);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains(&unsigned) && said.contains("and the signature of --sign-key"), "{said}");
    assert!(!clinic.release(4).exists());
    assert_eq!(back(&first, &[]).status.code(), Some(0));
    within(TIMEOUT, "unsigned", || {
        ready(&server)["content"]["lastError"]["what"]
            .as_str()
            .unwrap_or_default()
            .contains("release 4 isn't signed")
    });
    assert!(has_name(&server, "June"));
    let signed = back(&first, &sign);
    assert_eq!(signed.status.code(), Some(0), "{}", text(&signed.stderr));
    assert!(text(&signed.stdout).contains("release 5: "), "{}", text(&signed.stdout));
    within(TIMEOUT, "the first content", || has_name(&server, "Jun"));
}

#[test]
fn a_key_or_seed_that_is_none_is_refused_with_what_to_do() {
    let clinic = Clinic::new();
    let address = clinic.address();
    let none = clinic.folder.path().join("none.nk");
    let output = clinic.publish(&["--sign-key", none.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("name a file that exists"), "{}", text(&output.stderr));
    let output = nameplate(&["serve", "--content", &address, "--content-key", "AABC"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("isn't a public key of an account"), "{}", text(&output.stderr));
    let mut folder = command(&["serve", "--content", clinic.content().to_str().unwrap()]);
    let output = folder.env("NAMEPLATE_CONTENT_KEY", OURS[1]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("only for content in an object store"), "{}", text(&output.stderr));
}

/// The step of publish.yml, with a store in a folder and a service that asks for signatures.
#[test]
fn what_the_workflow_publishes_is_signed() {
    let workflow = fs::read_to_string(root().join("docs/deploy/publish.yml")).unwrap();
    let (_, command) = workflow.split_once("run: nameplate publish ").unwrap();
    let command = format!("nameplate publish {}", command.lines().next().unwrap());
    let clinic = Clinic::new();
    publish(&clinic, OURS);
    let server = serve(&clinic, OURS);
    clinic.rename("Juno");
    let run = |seed: &str| {
        let mut shell = Command::new("bash");
        shell.args(["-e", "-o", "pipefail", "-c", &command]).current_dir(clinic.folder.path());
        let program = Path::new(env!("CARGO_BIN_EXE_nameplate")).parent().unwrap();
        shell.env("PATH", format!("{}:{}", program.display(), std::env::var("PATH").unwrap()));
        shell.env("STORE", clinic.address()).env("SIGN_KEY", seed).env("GITHUB_ACTOR", "ann");
        shell.env("LIVE", format!("http://{}", server.address())).output().unwrap()
    };
    let refused = run("");
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stdout));
    assert!(text(&refused.stderr).contains("it has no nkey seed"), "{}", text(&refused.stderr));
    let published = run(OURS[0]);
    assert_eq!(published.status.code(), Some(0), "{}", text(&published.stderr));
    assert!(text(&published.stdout).contains("20 connections") && has_name(&server, "Juno"));
}
