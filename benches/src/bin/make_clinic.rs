//! `make-clinic FOLDER PROVIDERS [SEED]`: writes the content folder of an invented clinic with weekly hours.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use benches::clinic::Clinic;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse().ok());
    let (Some(folder), Some(providers), seed) = (arguments.first(), number(1), number(2).unwrap_or(1)) else {
        _ = writeln!(io::stderr(), "usage: make-clinic FOLDER PROVIDERS [SEED]");
        return ExitCode::from(2);
    };
    let clinic = Clinic { providers, seed: seed as u64, with_hours: true };
    match clinic.write(Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            _ = writeln!(io::stderr(), "make-clinic: cannot write {folder}: {error}");
            ExitCode::from(2)
        }
    }
}
