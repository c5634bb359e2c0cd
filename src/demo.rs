//! `nameplate demo`: serves the demo clinic, which is part of the program, from a temporary folder.

use std::fmt::Write as _;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::content::content_flag;
use crate::dev::{self, DevArguments};
use crate::new_folder::{require_free, write};
use crate::outcome::{Outcome, Refusal};
use crate::settings::address;
use crate::terminal::{is_quiet, notes};

const CONTENT: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/demo.rs"));

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Write the demo clinic's files to this folder, for changing them with `dev`, and exit
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// The address to listen on, or only a port [default: 127.0.0.1:8080, or the next free port]
    #[arg(long, value_name = "ADDR:PORT", value_parser = address, conflicts_with = "to")]
    listen: Option<SocketAddr>,
}

pub(crate) fn run(arguments: &DemoArguments) -> Result<Outcome, Refusal> {
    if let Some(folder) = &arguments.to {
        return write_to(folder);
    }
    let folder = tempfile::Builder::new().prefix("nameplate-demo-").tempdir().map_err(|error| {
        let place = std::env::temp_dir();
        Refusal::new(format!(
            "the demo can't be unpacked in {}: {error}; set TMPDIR to a folder that can be written",
            place.display()
        ))
    })?;
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    unpack(&content)?;
    dev::serve(&DevArguments::of(content, out, arguments.listen), None, &greet)
}

fn write_to(folder: &Path) -> Result<Outcome, Refusal> {
    require_free(folder)?;
    unpack(folder)?;
    let shown = folder.display();
    writeln!(
        notes(),
        "Wrote the demo clinic to {shown}.\n\n  nameplate dev{}     shows it, and follows your changes",
        content_flag(folder)
    )?;
    Ok(Outcome::Done)
}

fn unpack(folder: &Path) -> Result<(), Refusal> {
    CONTENT.iter().try_for_each(|(path, bytes)| write(&folder.join(path), bytes))
}

fn greet(address: SocketAddr) -> String {
    let mut text = format!("The demo clinic is at http://{address}/ until you press Ctrl+C.\n");
    if is_quiet() {
        return text;
    }
    text.push('\n');
    for path in ["/v1/states", "/v1/providers?state=CA&limit=3", "/v1/availability?state=CA&limit=3"] {
        _ = writeln!(text, "  curl 'http://{address}{path}'");
    }
    _ = writeln!(text, "  claude mcp add --transport http larkspur-health http://{address}/api/mcp");
    text.push_str("\nTo start your own clinic, run `nameplate init` in an empty folder.\n");
    text
}
