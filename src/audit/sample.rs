//! A random sample of clinicians, whose facts are checked by telephone: the only measurement of the content's truth.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

use chrono::NaiveDate;
use directory::Directory;
use sha2::{Digest, Sha256};

use super::ask::facts;
use crate::content::count;
use crate::outcome::{Outcome, Refusal};
use crate::table::Table;

/// Draws clinicians by a hash of the seed and the slug, and prints a line for each of their facts.
pub(super) fn print(directory: &Directory, number: usize, seed: &str) -> Result<Outcome, Refusal> {
    let mut drawn: Vec<_> = directory
        .providers()
        .iter()
        .map(|provider| {
            let hash: [u8; 32] = Sha256::digest(format!("{seed}\n{}", provider.slug())).into();
            (hash, provider)
        })
        .collect();
    drawn.sort_by_key(|(hash, _)| *hash);
    let mut rows = csv::Writer::from_writer(io::stdout().lock());
    let refused = |error: csv::Error| Refusal::new(error);
    rows.write_record(["slug", "fact", "published", "right"]).map_err(refused)?;
    for (_, provider) in drawn.into_iter().take(number) {
        for (fact, value) in facts(directory, provider) {
            let record = [provider.slug().as_str(), fact, &in_cell(&value), ""];
            rows.write_record(record).map_err(refused)?;
        }
    }
    rows.flush()?;
    Ok(Outcome::Done)
}

/// A text that a spreadsheet does not take for a formula.
fn in_cell(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t']) { format!("'{text}") } else { text.to_owned() }
}

/// Counts a worksheet whose column `right` has yes or no, and prints the share by fact and of whole clinicians.
pub(super) fn score(path: &Path, today: NaiveDate) -> Result<Outcome, Refusal> {
    let mut table = Table::open(path)?;
    let (slug, fact, right) = (table.column("slug")?, table.column("fact")?, table.column("right")?);
    let mut by_fact: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let (mut answered, mut wrong, mut unfinished, mut open) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), 0);
    while table.advance()? {
        let is_right = match table.field(right).to_lowercase().as_str() {
            "yes" | "y" | "true" | "1" | "right" => true,
            "no" | "n" | "false" | "0" | "wrong" => false,
            "" => {
                open += 1;
                unfinished.insert(table.field(slug).to_owned());
                continue;
            }
            other => return Err(table.wrong(right, &format!("\"{other}\" is neither yes nor no")).into()),
        };
        let (count, of) = by_fact.entry(table.field(fact).to_owned()).or_default();
        *count += u32::from(is_right);
        *of += 1;
        answered.insert(table.field(slug).to_owned());
        if !is_right {
            wrong.insert(table.field(slug).to_owned());
        }
    }
    let mut out = io::stdout().lock();
    if answered.is_empty() {
        return Err(Refusal::new(format!(
            "{}: no line says yes or no in the column \"right\"",
            path.display()
        )));
    }
    // A clinician with a wrong fact is wrong. One without is right only if every fact has an answer.
    let right = answered.iter().filter(|slug| !wrong.contains(*slug) && !unfinished.contains(*slug)).count();
    let whole = u32::try_from(right).unwrap_or(u32::MAX);
    let total = u32::try_from(right + wrong.len()).unwrap_or(u32::MAX);
    for (fact, (right, of)) in &by_fact {
        writeln!(out, "{}: {}", directory::visible::line(fact), share(*right, *of))?;
    }
    if total > 0 {
        writeln!(out, "clinicians with every fact right: {}", share(whole, total))?;
    } else {
        writeln!(out, "no clinician has an answer in every line: fill in the column \"right\"")?;
    }
    if open > 0 {
        writeln!(out, "not counted, since they have no answer: {}", count(open, "line"))?;
    }
    if total == 0 {
        return Ok(Outcome::Done);
    }
    writeln!(
        out,
        "\nTo publish it on the page /accuracy, add to directory.toml:\n[[accuracy.sample]]\non = {today}   # the day on \
         which it was finished\nasked = {total}\nright = {whole}"
    )?;
    Ok(Outcome::Done)
}

fn share(right: u32, of: u32) -> String {
    let (low, high) = directory::accuracy::wilson(right, of);
    format!(
        "{right} of {of}, {:.1} % ({:.1}–{:.1} %)",
        100.0 * f64::from(right) / f64::from(of),
        100.0 * low,
        100.0 * high
    )
}
