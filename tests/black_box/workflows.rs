//! The workflows of this repository, and those that a clinic copies, follow one set of rules. They are read as lines,
//! since they are written in one style.

use std::collections::BTreeMap;
use std::fs;

use crate::harness::root;

/// The programs that fetch packages and run them.
const RUNNERS: [&str; 6] = ["npx", "npm", "pnpm", "yarn", "wrangler", "netlify"];

pub(crate) fn workflows() -> Vec<(String, String)> {
    let folders = [".github/workflows", "docs/deploy"].map(|folder| root().join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_workflow =
        |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "yml" || end == "yaml");
    paths
        .filter(is_workflow)
        .map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// The jobs of a workflow, each with its name as the first line.
pub(crate) fn jobs(workflow: &str) -> Vec<String> {
    let mut jobs: Vec<String> = Vec::new();
    let (_, lines) = workflow.split_once("\njobs:\n").expect("a workflow has jobs");
    for line in lines.lines() {
        let is_name = line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(':');
        match jobs.last_mut() {
            Some(job) if !is_name => job.extend([line, "\n"]),
            _ => jobs.push(format!("{line}\n")),
        }
    }
    jobs
}

/// The commands of a job's steps.
fn commands(job: &str) -> String {
    let mut commands = String::new();
    let mut block: Option<usize> = None;
    for line in job.lines() {
        let depth = line.len() - line.trim_start().len();
        if block.is_some_and(|block| line.trim().is_empty() || depth > block) {
            commands.extend([line, "\n"]);
            continue;
        }
        block = None;
        let step = line.trim_start().trim_start_matches("- ");
        if let Some(command) = step.strip_prefix("run:") {
            block = command.trim().starts_with(['|', '>']).then(|| line.len() - step.len());
            commands.extend([command, "\n"]);
        }
    }
    commands
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether an action is named by commit, with the version as a comment.
fn is_pinned(uses: &str) -> bool {
    let Some((action, version)) = uses.split_once(" # v") else { return false };
    let commit = action.rsplit_once('@').is_some_and(|(_, commit)| is_hex(commit, 40));
    commit && version.split('.').count() == 3
}

fn faults(workflow: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let (head, _) = workflow.split_once("\njobs:\n").expect("a workflow has jobs");
    if !head.lines().any(|line| line == "permissions: {}") {
        faults.push(
            "the workflow gives rights to every job: `permissions: {}`, and each job names its own"
                .to_owned(),
        );
    }
    for job in jobs(workflow) {
        let mut fault = |what: &str| faults.push(format!("{}: {what}", job.lines().next().unwrap().trim()));
        if !job.contains("\n    permissions:") {
            fault("it names no permissions");
        }
        if !job.contains("\n    timeout-minutes:") {
            fault("it may run for hours");
        }
        for uses in job.lines().filter_map(|line| line.split_once(" uses: ").map(|(_, uses)| uses.trim())) {
            if !uses.starts_with("./") && !is_pinned(uses) {
                fault(&format!("{uses}: an action is named by its full commit, with `# v1.2.3` behind it"));
            }
        }
        for image in job.lines().filter_map(|line| line.split_once("container: ").map(|(_, image)| image)) {
            let digest = image.split_once("@sha256:").map(|(_, digest)| digest.get(..64).unwrap_or(""));
            if !image.starts_with("${{") && !digest.is_some_and(|digest| is_hex(digest, 64)) {
                fault(&format!("{image}: an image is named by its digest"));
            }
        }
        let checkouts = job.matches("actions/checkout@").count();
        if checkouts != job.matches("persist-credentials: false").count() {
            fault("a checkout keeps its token for the steps after it");
        }
        let commands = commands(&job);
        if commands.contains("${{") {
            fault("an expression stands in a command, where its value is executed: pass it by `env`");
        }
        let words: Vec<&str> = commands.split_whitespace().collect();
        let holds_token = ["secrets.", ": write", "environment:"].iter().any(|sign| job.contains(sign));
        if checkouts > 0 && holds_token && words.iter().any(|word| RUNNERS.contains(word)) {
            fault("a package runner heeds files of the checkout, and the job has a token: take them apart");
        }
        if words.contains(&"npx") {
            fault("npx fetches packages that no lock file names: `npm ci --ignore-scripts` in a step before");
        }
        let is_harmless = |line: &str| {
            line.contains("npm ci --ignore-scripts")
                || line.contains("npm config get ")
                || line.contains("npm publish ") && line.contains(" --ignore-scripts ")
        };
        if commands.lines().any(|line| line.contains("npm ") && !is_harmless(line)) {
            fault("npm runs scripts, or heeds no lock file: `npm ci --ignore-scripts`");
        }
        if job.split("\n      - ").any(|step| step.contains("secrets.") && step.contains("npm ci")) {
            fault("packages are fetched beside a secret: in a step before");
        }
        if head.contains("workflow_run:") && checkouts > 0 && holds_token {
            fault("a checkout of another workflow's commit stands beside a token");
        }
    }
    faults
}

#[test]
fn every_workflow_follows_the_rules() {
    let workflows = workflows();
    assert!(workflows.len() >= 5, "{}", workflows.len());
    for (path, workflow) in workflows {
        assert_eq!(faults(&workflow), [""; 0], "{path}");
    }
}

#[test]
fn an_action_has_one_commit_everywhere() {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for (path, workflow) in workflows() {
        for uses in
            workflow.lines().filter_map(|line| line.split_once(" uses: ").map(|(_, uses)| uses.trim()))
        {
            let (action, commit) = uses.split_once('@').unwrap();
            let first = known.entry(action.to_owned()).or_insert_with(|| commit.to_owned());
            assert_eq!(first, commit, "{path}: {action} is another one elsewhere");
        }
    }
    assert!(known.len() >= 4, "{known:?}");
}

#[test]
fn the_image_is_made_from_images_by_digest() {
    let dockerfile = fs::read_to_string(root().join("Dockerfile")).unwrap();
    let images: Vec<&str> = dockerfile.lines().filter_map(|line| line.strip_prefix("FROM ")).collect();
    assert_eq!(images.len(), 2);
    for image in images {
        let digest = image.split_once("@sha256:").map(|(_, digest)| digest.get(..64).unwrap_or(""));
        assert!(digest.is_some_and(|digest| is_hex(digest, 64)), "{image}");
    }
    // Both stages have one C library: the program is linked with the first one's.
    assert!(dockerfile.contains("-bookworm@") && dockerfile.contains("-debian12:"), "{dockerfile}");
}

const SAMPLE: &str = "on: push
permissions: {}
jobs:
  first:
    permissions: { contents: read }
    container: rust:1@sha256:0000000000000000000000000000000000000000000000000000000000000000
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@0123456789012345678901234567890123456789 # v1.2.3
        with: { persist-credentials: false }
      - name: Build
        env:
          NAME: ${{ github.ref }}
        run: |
          npm ci --ignore-scripts --prefix \"$NAME\"
";

#[test]
fn each_rule_finds_what_breaks_it() {
    assert_eq!(faults(SAMPLE), [""; 0]);
    for (from, to, fault) in [
        ("permissions: {}", "permissions: { contents: read }", "gives rights to every job"),
        ("    permissions: { contents: read }\n", "", "names no permissions"),
        ("    timeout-minutes: 5\n", "", "may run for hours"),
        ("@0123456789012345678901234567890123456789", "@v1", "named by its full commit"),
        (
            "@0123456789012345678901234567890123456789",
            "@012345678901234567890123456789012345678",
            "full commit",
        ),
        (" # v1.2.3", "", "named by its full commit"),
        ("@sha256:0000", ":0000", "named by its digest"),
        ("{ persist-credentials: false }", "{}", "keeps its token"),
        ("\"$NAME\"", "${{ github.ref }}", "stands in a command"),
        ("contents: read", "contents: write", "a package runner heeds files"),
        ("npm ci --ignore-scripts", "npm ci", "npm runs scripts"),
        ("npm ci --ignore-scripts", "npm install tool@1.2.3", "npm runs scripts"),
        ("npm ci --ignore-scripts", "npm publish", "npm runs scripts"),
        ("npm ci --ignore-scripts", "npx --yes tool@1.2.3", "npx fetches"),
    ] {
        assert!(SAMPLE.contains(from), "{from}");
        let found = faults(&SAMPLE.replacen(from, to, 1));
        assert!(found.len() == 1 && found[0].contains(fault), "{from} -> {to}: {found:?}");
    }
    let beside = SAMPLE.replace("${{ github.ref }}", "${{ secrets.TOKEN }}");
    let found = faults(&beside);
    assert!(found.iter().any(|fault| fault.contains("packages are fetched beside a secret")), "{found:?}");
    let other =
        SAMPLE.replace("on: push", "on:\n  workflow_run:").replace("contents: read", "pull-requests: write");
    let found = faults(&other.replace("npm ci --ignore-scripts", "echo"));
    assert!(found.len() == 1 && found[0].contains("another workflow's commit"), "{found:?}");
}

/// The release that these workflows install has the command of Netlify, each of its packages with its hash.
#[test]
fn netlifys_command_comes_from_a_lock_file() {
    for (path, workflow) in workflows() {
        let (installs, runs) = (workflow.contains("/deploy/netlify\""), workflow.contains("/.bin/netlify\""));
        assert_eq!(installs, runs, "{path}");
    }
    let lock = fs::read(root().join("deploy/netlify/package-lock.json")).unwrap();
    let lock: serde_json::Value = serde_json::from_slice(&lock).unwrap();
    let packages = lock["packages"].as_object().unwrap();
    assert!(packages["node_modules/netlify-cli"]["version"].is_string());
    for (name, package) in packages.iter().filter(|(name, _)| !name.is_empty()) {
        assert!(package["integrity"].is_string() || package["inBundle"] == true, "{name}");
    }
}

/// Each program of a release has its SBOM. All files that are published stand in the list that is attested, and the jobs that
/// hold a secret run nothing of the repository.
#[test]
fn a_release_has_a_list_of_what_is_built_in() {
    let workflow = fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
    let jobs = jobs(&workflow);
    let job = |name: &str| jobs.iter().find(|job| job.starts_with(&format!("  {name}:"))).unwrap();
    let commands = commands(job("build"));
    for part in [
        "release.py pack \"$TARGET\" \"target/$TARGET/dist/nameplate\" out\n",
        "cargo install cargo-cyclonedx --version 0.5.9 --locked",
        "cargo cyclonedx --all-features --format json --spec-version 1.5 --describe binaries --target \"$TARGET\"",
        "mv nameplate_bin.cdx.json \"out/nameplate-$GITHUB_REF_NAME-$TARGET.cdx.json\"",
    ] {
        assert!(commands.contains(part), "{part}: {commands}");
    }
    assert!(job("gather").contains("release.py gather out\n"));
    assert!(job("publish").contains("subject-checksums: SHA256SUMS\n"));
    for job in jobs.iter().filter(|job| job.contains(": write") || job.contains("secrets.")) {
        assert!(!job.contains("checkout"), "{job}");
    }
}
