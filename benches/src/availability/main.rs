//! What availability costs: `cargo run --profile dist -p benches --bin availability [PROVIDERS ...]`.
//!
//! The same questions are put to the calendar and, in the same run, to two designs that were not chosen:
//! arrays sorted by start, one for each state, and a heap that merges each provider's own list. Nothing here
//! passes or fails; of each median the least and, in brackets, the greatest of some tries is printed. The figures are for
//! docs/BENCHMARKS.md and for those who change the index.
//!
//! `availability oracle [QUESTIONS]` checks answers: it compares the calendar with a slow scan on random questions, 20,000
//! by default, and fails at the first difference.

mod clinic;
mod further;
mod measure;
mod minutes;
mod oracle;
mod rivals;
mod rows;

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    if std::env::args().nth(1).is_some_and(|word| word == "oracle") {
        let count = std::env::args().nth(2).and_then(|count| count.parse().ok()).unwrap_or(20_000);
        oracle::print(&mut out, count)?;
        return out.flush();
    }
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![1_000, 10_000, 100_000] } else { sizes };
    for size in sizes {
        rows::print(&mut out, size)?;
    }
    minutes::print(&mut out, 10_000)?;
    out.flush()
}
