//! `nameplate serve`: reads the settings, and serves a content folder or the releases of an object store.

use clap::Args;

use crate::content::Now;
use crate::outcome::{Outcome, Refusal};
use crate::serve::{self, ServiceRunner, read_settings};
use crate::settings::{Configuration, ServeFlags};
use crate::systemd;

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    configuration: Configuration,
    #[command(flatten)]
    own: ServeFlags,
    #[command(flatten)]
    now: Now,
}

pub(crate) fn run(arguments: &ServeArguments) -> Result<Outcome, Refusal> {
    let Some(settings) = read_settings(&arguments.configuration, Some(&arguments.own))? else {
        return Ok(Outcome::Done);
    };
    #[expect(clippy::disallowed_methods, reason = "checks whether the folder exists, without reading it")]
    let missing = settings.site.as_ref().filter(|site| !site.is_dir());
    if let Some(site) = missing {
        let site = site.display();
        return Err(Refusal::new(format!("there is no folder {site}: run `nameplate build --out {site}`")));
    }
    let (runner, hangup) = ServiceRunner::start(settings, &arguments.now, systemd::passed_socket()?)?;
    #[cfg(feature = "replicas")]
    if runner.settings.is_bucket() {
        return crate::releases::run(runner, hangup, &arguments.now);
    }
    serve::run(runner, hangup, &arguments.now)
}
