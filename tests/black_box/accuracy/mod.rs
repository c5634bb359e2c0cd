//! `attest` and what pages say of it; `audit` in `audit`.

mod audit;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{command, content, nameplate, text};
use crate::publish::copy_of_content;

const NOW: &str = "2026-11-22T12:00:00Z";
const POLICY: &str = "\n[accuracy]\nprofile = \"nsa\"\nwhen-lapsed = \"mark\"\nconfirm-url = \"https://form.example/?code={code}\"\nreport-url = \"https://clinic.example/wrong?who={slug}\"\n\n[[accuracy.sample]]\non = 2026-10-05\nasked = 100\nright = 90\n";
const SECRET: &str = "an example secret";

/// A copy of the demo clinic with a policy.
struct Clinic {
    folder: TempDir,
    content: PathBuf,
}

impl Clinic {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("content");
        copy_of_content(&copy);
        let directory = copy.join("directory.toml");
        fs::write(&directory, fs::read_to_string(&directory).unwrap() + POLICY).unwrap();
        Self { folder, content: copy }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    fn provider(&self, slug: &str) -> PathBuf {
        self.content.join(format!("providers/{slug}.toml"))
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = command(arguments);
        command.args(["--content", self.content.to_str().unwrap()]);
        if !arguments.contains(&"--now") && matches!(arguments[0], "attest" | "audit") {
            command.args(["--now", NOW]);
        }
        command.env("NAMEPLATE_CONFIRM_KEY", SECRET).output().unwrap()
    }

    fn attest(&self, arguments: &[&str]) -> Output {
        self.run(&[&["attest"], arguments].concat())
    }

    fn audit(&self, arguments: &[&str]) -> Output {
        self.run(&[&["audit"], arguments].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.audit(&[&["--format", "json", "--fail-on", "never"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn code(output: &Output, expected: i32) -> String {
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(expected), "{printed}");
    printed
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn attest_changes_one_table_of_one_file() {
    let clinic = Clinic::new();
    let before = fs::read_to_string(clinic.provider("amara-okonkwo")).unwrap();
    code(&clinic.attest(&["amara-okonkwo", "--by", "clinician"]), 0);
    let after = fs::read_to_string(clinic.provider("amara-okonkwo")).unwrap();
    let table = after.strip_prefix(&before).unwrap();
    assert!(
        table.starts_with("\n[confirmed]\non = 2026-11-22\nby = \"clinician\"\nfacts = \"name:"),
        "{table}"
    );
    for entry in fs::read_dir(content().join("providers")).unwrap().map(Result::unwrap) {
        if entry.file_name() != "amara-okonkwo.toml" {
            let copy = clinic.content.join("providers").join(entry.file_name());
            assert_eq!(fs::read(copy).unwrap(), fs::read(entry.path()).unwrap());
        }
    }
    assert_eq!(fs::read_dir(clinic.content.join("providers")).unwrap().count(), 24, "no other file is left");
    // All others are due.
    assert!(code(&clinic.attest(&["--due", "--by", "clinic"]), 0).contains("23 files written"));
    assert!(code(&clinic.attest(&["--due", "--by", "clinic"]), 0).contains("0 files written"));
    assert_eq!(clinic.json(&[])["confirmations"]["confirmed"], 24);
    assert_eq!(clinic.json(&[])["confirmations"]["byClinic"], 23);
}

#[test]
fn a_clinician_who_is_named_twice_confirms_once() {
    let clinic = Clinic::new();
    let told = code(&clinic.attest(&["wulandari", "providers/wulandari.toml", "--by", "clinic"]), 0);
    assert_eq!(told.matches("wulandari: confirmed").count(), 1, "{told}");
    assert!(told.contains("1 file written\n"), "{told}");
}

#[test]
fn an_edit_does_not_confirm_what_it_changed() {
    let clinic = Clinic::new();
    code(&clinic.attest(&["amara-okonkwo", "--by", "clinician"]), 0);
    let file = clinic.provider("amara-okonkwo");
    let confirmed = fs::read_to_string(&file).unwrap();
    let changed = || clinic.json(&[])["confirmations"]["changed"].clone();
    fs::write(&file, confirmed.replace("stubborn citrus", "friendly citrus")).unwrap();
    assert_eq!(changed(), 0, "the biography needs no confirmation");
    fs::write(&file, confirmed.replace("accepting = [\"AZ\", \"CA\"]", "accepting = [\"CA\"]")).unwrap();
    assert_eq!(changed(), 1);
    let at = |now: &str| clinic.json(&["--now", now])["confirmations"].clone();
    fs::write(&file, &confirmed).unwrap();
    assert_eq!(at("2027-01-20T00:00:00Z")["confirmed"], 1, "59 days");
    assert_eq!(at("2027-01-21T00:00:00Z")["due"], 1, "60 days");
    assert_eq!(at("2027-02-20T00:00:00Z")["due"], 1, "90 days");
    assert_eq!(at("2027-02-21T00:00:00Z")["lapsed"], 1, "91 days");
}

#[test]
fn no_one_attests_in_the_future_by_a_wrong_clock_or_without_a_name() {
    let clinic = Clinic::new();
    let before = fs::read(clinic.provider("wulandari")).unwrap();
    for (arguments, told) in [
        (&["wulandari"][..], "--by is missing: write --by clinician"),
        (&["wulandari", "--by", "nobody"], "write clinician or clinic"),
        (&["--by", "clinician"], "name the clinicians"),
        (
            &["wulandary", "--by", "clinician"],
            "there is no clinician \"wulandary\": did you mean \"wulandari\"?",
        ),
        (&["wulandari", "wulandary", "--by", "clinician"], "there is no clinician"),
    ] {
        assert!(code(&clinic.attest(arguments), 2).contains(told), "{arguments:?}");
    }
    assert_eq!(fs::read(clinic.provider("wulandari")).unwrap(), before);
    let wrong = ["wulandari", "--by", "clinician", "--now", "1970-01-01T00:00:00Z"];
    let printed = code(&clinic.attest(&wrong), 1);
    assert!(printed.contains("finished on 2026-10-05: today is 1970-01-01"), "{printed}");
    let directory = clinic.content.join("directory.toml");
    let policy = fs::read(&directory).unwrap();
    fs::copy(content().join("directory.toml"), &directory).unwrap();
    assert!(code(&clinic.attest(&wrong), 2).contains("this machine's clock says 1970-01-01"));
    assert_eq!(fs::read(clinic.provider("wulandari")).unwrap(), before);
    fs::write(&directory, policy).unwrap();
    // A clock that is behind the content shows in the content's own error.
    code(&clinic.attest(&["wulandari", "--by", "clinician"]), 0);
    let behind = code(&clinic.attest(&["--due", "--by", "clinic", "--now", "2026-11-01T00:00:00Z"]), 1);
    assert!(
        behind.contains("This confirmation date, 2026-11-22, is in the future: today is 2026-11-01"),
        "{behind}"
    );
}

#[test]
fn an_export_with_a_mistake_writes_nothing() {
    let clinic = Clinic::new();
    let export = |rows: &str| path(&clinic.write("export.csv", rows)).to_owned();
    for (rows, told) in [
        (
            "slug,date,by\nwulandari,2026-11-02,clinician\nnobody,2026-11-02,clinician\n",
            "export.csv:3:1: there is no clinician \"nobody\"",
        ),
        (
            "slug,date,by\nwulandari,2026-11-23,clinician\n",
            "export.csv:2:2: the confirmation date 2026-11-23 is in the future",
        ),
        ("slug,date,by\nwulandari,2 November,clinician\n", "export.csv:2:2: \"2 November\" isn't a date"),
        ("slug,date,by\nwulandari,2026-11-02,\n", "export.csv:2:3: write clinician or clinic"),
        ("slug,date\nwulandari,2026-11-02\n", "export.csv:1:1: there is no column \"by\""),
        (
            "slug,date,by\nwulandari,2026-11-02\n",
            "export.csv:2:2: this row has 2 fields, and the header has 3",
        ),
    ] {
        let printed = code(&clinic.attest(&["--from", &export(rows)]), 2);
        assert!(printed.contains(told), "{printed}");
        assert!(!fs::read_to_string(clinic.provider("wulandari")).unwrap().contains("[confirmed]"));
    }
    // Spreadsheets write rows without text as separators.
    let good = export("NPI;date\r\n9120047185;11/02/2026\r\n;\r\n ; \r\n9120047185;10/02/2026\r\n");
    code(&clinic.attest(&["--from", &good, "--by", "clinician"]), 0);
    let file = fs::read_to_string(clinic.provider("amara-okonkwo")).unwrap();
    assert!(file.ends_with("\n[confirmed]\non = 2026-11-02\nby = \"clinician\"\n"), "{file}");
}

#[test]
fn a_request_leads_to_an_answer_that_confirms_only_these_facts() {
    let clinic = Clinic::new();
    let asked = clinic.path("asked");
    let printed = code(&clinic.audit(&["--ask", path(&asked)]), 0);
    assert!(printed.contains("24 requests written"), "{printed}");
    let list: Vec<Value> = serde_json::from_slice(&fs::read(asked.join("requests.json")).unwrap()).unwrap();
    assert_eq!(list.len(), 24);
    let request = fs::read_to_string(asked.join("kavita-menon.md")).unwrap();
    // One line for each kind of fact that is confirmed: written from the profile by hand.
    for line in ["- **Profession:** ", "- **Gender:** female\n", "- **Licensed in:** Illinois, Ohio\n"] {
        assert!(request.contains(line), "{request}");
    }
    let of = |slug: &str| {
        let request = fs::read_to_string(asked.join(format!("{slug}.md"))).unwrap();
        let (_, code) = request.split_once("https://form.example/?code=").unwrap();
        code.split(' ').next().unwrap().to_owned()
    };
    let (kavita, jun) = (of("kavita-menon"), of("jun-nakashima"));
    let forged = kavita.replace("kavita-menon", "wulandari");
    // Jun's facts change after he was asked.
    let file = clinic.provider("jun-nakashima");
    let edited = fs::read_to_string(&file).unwrap().replace("display-name = \"Jun", "display-name = \"Juno");
    fs::write(file, edited).unwrap();
    let answers = clinic.write(
        "inbox.csv",
        format!("from,text\na@b.example,\"Re: {kavita}, yes\"\nc,{jun}\nd,{forged}\ne,hello\n"),
    );
    let printed = code(&clinic.attest(&["--answers", path(&answers)]), 1);
    assert!(printed.contains("inbox.csv:3:2: the code of jun-nakashima isn't accepted"), "{printed}");
    assert!(printed.contains("inbox.csv:4:2: the code of wulandari isn't accepted"), "{printed}");
    assert!(printed.contains("1 file written"), "{printed}");
    let confirmed = fs::read_to_string(clinic.provider("kavita-menon")).unwrap();
    assert!(confirmed.contains("by = \"clinician\"") && confirmed.contains("how = \"answer "), "{confirmed}");
    let late = clinic.attest(&["--answers", path(&answers), "--now", "2026-12-23T00:00:00Z"]);
    assert!(code(&late, 1).contains("more than 30 days ago"));

    // She confirms again a day later; the answer of the day before is skipped, and her request goes.
    let next = ["kavita-menon", "--by", "clinician", "--now", "2026-11-23T12:00:00Z"];
    code(&clinic.attest(&next), 0);
    let one = clinic.write("one.csv", format!("text\n{kavita}\n"));
    let printed = code(&clinic.attest(&["--answers", path(&one), "--now", "2026-11-23T12:00:00Z"]), 0);
    let told = "kavita-menon answered on 2026-11-22, already confirmed on 2026-11-23";
    assert!(printed.contains(told) && printed.contains("0 files written"), "{printed}");
    fs::write(asked.join("letter.md"), "ours").unwrap();
    code(&clinic.audit(&["--ask", path(&asked), "--now", "2026-11-23T12:00:00Z"]), 0);
    assert!(!asked.join("kavita-menon.md").exists(), "no one is asked by an old request");
    assert!(asked.join("letter.md").exists() && asked.join("wulandari.md").exists());
}

#[test]
fn every_code_of_an_inbox_counts_and_a_cut_one_is_reported() {
    let clinic = Clinic::new();
    let asked = clinic.path("asked");
    let ask = |now: &str| code(&clinic.audit(&["--ask", path(&asked), "--now", now]), 0);
    let of = |slug: &str| {
        let request = fs::read_to_string(asked.join(format!("{slug}.md"))).unwrap();
        request.split_once("https://form.example/?code=").unwrap().1.split(' ').next().unwrap().to_owned()
    };
    ask("2026-10-06T00:00:00Z");
    let old = of("wulandari");
    ask("2026-11-22T12:00:00Z");
    let codes = ["amara-okonkwo", "kavita-menon", "jun-nakashima", "wulandari"].map(of);
    let [amara, kavita, jun, wulandari] = &codes;
    let cut = &jun[..jun.len() - 1];
    let mails = format!("Yes {amara}\n\"{kavita}, {cut}\"\n\"> {old}\n{wulandari}\"\n");
    let inbox = clinic.write("inbox.csv", mails);
    let printed = code(&clinic.attest(&["--answers", path(&inbox)]), 1);
    assert!(printed.contains(&format!("inbox.csv:2:1: the code {cut} is incomplete")), "{printed}");
    assert!(printed.contains("3 files written") && !printed.contains("30 days"), "{printed}");
}

#[test]
fn nothing_is_written_that_check_would_refuse() {
    let clinic = Clinic::new();
    let before = fs::read(clinic.provider("wulandari")).unwrap();
    let long = "long ".repeat(600);
    for how in ["by phone 510-555-0123", "<b>yes</b>", &long] {
        let printed = code(&clinic.attest(&["wulandari", "--by", "clinic", "--how", how]), 2);
        assert!(printed.contains("nothing was written") && printed.contains("how = "), "{printed}");
        assert_eq!(fs::read(clinic.provider("wulandari")).unwrap(), before);
    }
}

#[test]
fn a_confirmation_in_time_takes_unconfirmed_back_and_nothing_else() {
    let clinic = Clinic::new();
    let file = clinic.provider("wulandari");
    let original = fs::read_to_string(&file).unwrap();
    let with = |status: &str| {
        let (first, rest) = original.split_once('\n').unwrap();
        fs::write(&file, format!("{first}\nstatus = \"{status}\"\n{rest}")).unwrap();
    };
    let now = || fs::read_to_string(&file).unwrap();
    with("unconfirmed");
    let old = clinic.write("old.csv", "slug,date,by\nwulandari,2026-05-02,clinician\n");
    assert!(code(&clinic.attest(&["--from", path(&old)]), 0).contains("`status` still says \"unconfirmed\""));
    assert!(now().contains("status = \"unconfirmed\""));
    let printed = code(&clinic.attest(&["wulandari", "--by", "clinician"]), 0);
    assert!(printed.contains("wulandari: listed again"), "{printed}");
    assert!(now().contains("status = \"listed\"\n"));
    with("paused");
    let printed = code(&clinic.attest(&["wulandari", "--by", "clinician"]), 0);
    assert!(printed.contains("`status` still says \"paused\""), "{printed}");
    assert!(now().contains("status = \"paused\"\n"));
}

#[test]
fn pages_say_who_confirmed_and_nothing_without_a_policy() {
    let clinic = Clinic::new();
    code(&clinic.attest(&["amara-okonkwo", "--by", "clinician", "--now", "2026-11-02T12:00:00Z"]), 0);
    let id = "id = \"prov-0001\"";
    let (unconfirmed, withdrawn) = ("amara-okonkwo", "wulandari");
    let build = |out: &Path| {
        let output = nameplate(&["build", "--content", path(&clinic.content), "--out", path(out)]);
        code(&output, 0)
    };
    let out = clinic.path("dist");
    build(&out);
    let page = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let profile = page("providers/amara-okonkwo.html");
    assert!(profile.contains("Confirmed by the clinician on November 2, 2026"), "{profile}");
    assert!(
        profile.contains("href=\"https:&#x2F;&#x2F;clinic.example&#x2F;wrong?who=amara-okonkwo\"")
            || profile.contains("href=\"https://clinic.example/wrong?who=amara-okonkwo\"")
    );
    assert!(profile.contains("\"mainEntityOfPage\":{\"@type\":\"WebPage\",\"lastReviewed\":\"2026-11-02\"}"));
    assert!(page("providers/wulandari.html").contains("Not yet confirmed"));
    let accuracy = page("accuracy.html");
    assert!(
        accuracy.contains("As of November 2, 2026")
            && accuracy.contains("90%")
            && accuracy.contains("82.6–94.5%")
    );
    let verification: Value = serde_json::from_str(&page("v1/verification.json")).unwrap();
    assert_eq!(verification["providers"][0]["confirmedOn"], "2026-11-02");
    assert_eq!(verification["providers"][1]["confirmedOn"], Value::Null);

    let file = clinic.provider(unconfirmed);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(id, &format!("{id}\nstatus = \"unconfirmed\""))).unwrap();
    let file = clinic.provider(withdrawn);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("display-name", "status = \"withdrawn\"\ndisplay-name", 1)).unwrap();
    let notes = build(&out);
    assert!(!notes.contains("retired.toml"), "{notes}");
    assert!(
        page("providers/amara-okonkwo.html")
            .contains("We haven’t been able to confirm this since November 2, 2026. It may be out of date.")
    );
    assert!(
        !out.join("providers/wulandari.html").exists() && !out.join("v1/providers/wulandari.json").exists()
    );
    assert!(!page("v1/providers.json").contains("wulandari"));

    // The demo has no policy: not a word.
    let plain = clinic.path("plain");
    code(&nameplate(&["build", "--out", path(&plain)]), 0);
    let profile = fs::read_to_string(plain.join("providers/amara-okonkwo.html")).unwrap();
    assert!(!profile.contains("onfirmed") && !profile.contains("/accuracy"));
    assert!(!plain.join("accuracy.html").exists() && !plain.join("v1/verification.json").exists());
}

#[test]
fn an_unconfirmed_entry_without_a_policy_is_refused() {
    let clinic = Clinic::new();
    let file = clinic.provider("wulandari");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("display-name", "status = \"unconfirmed\"\ndisplay-name", 1)).unwrap();
    code(&clinic.run(&["check"]), 0);
    fs::copy(content().join("directory.toml"), clinic.content.join("directory.toml")).unwrap();
    let printed = code(&clinic.run(&["check"]), 1);
    assert!(printed.contains("Pages don't say that this entry is unconfirmed"), "{printed}");
    fs::write(&file, text.replacen("display-name", "status = \"paused\"\ndisplay-name", 1)).unwrap();
    code(&clinic.run(&["check"]), 0);
    let answer = nameplate(&["query", "/v1/providers/wulandari", "--content", path(&clinic.content)]);
    let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(answer["statesAcceptingPatients"], serde_json::json!([]));
}
