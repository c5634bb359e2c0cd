//! The `nameplate` command: a file for each subcommand. A `store` is live's; a place in an object store is a `bucket`.
//! Exit codes are part of the interface: 0 success; 1 the content has problems, the answer is an error, or a host differs;
//! 2 usage or system error; 75 a failure that may pass, at the start of a service.

mod args;
mod attest;
mod audit;
mod build;
mod check;
mod completions;
mod content;
#[cfg(feature = "demo")]
mod demo;
mod descriptors;
mod dev;
mod editor;
mod export;
#[cfg_attr(not(feature = "replicas"), path = "feed_push/arguments.rs")]
mod feed_push;
mod init;
mod keeper;
mod loaded;
mod log;
mod log_writer;
mod new_folder;
mod outcome;
mod progress;
#[cfg_attr(not(feature = "replicas"), path = "publish/arguments.rs")]
mod publish;
mod query;
mod recently_served;
#[cfg(feature = "replicas")]
mod releases;
mod reload;
mod rename;
mod serve;
mod settings;
mod sheet;
mod start;
mod state;
mod systemd;
mod terminal;
mod threads;
mod verify;
mod view;
mod watch;

use std::process::ExitCode;

use clap::FromArgMatches;

use args::{Arguments, Command};

/// Saves 10 to 14 % of the time of builds and starts (docs/DECISIONS.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let parsed = args::command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let Arguments { command, quiet } = match parsed {
        Ok(arguments) => arguments,
        Err(error) => {
            let error = args::with_tip(error);
            _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    if quiet {
        terminal::be_quiet();
    }
    let done = threads::start_pool().and_then(|()| run(command));
    let code = outcome::exit_code(done);
    log::finish();
    code
}

fn run(command: Command) -> Result<outcome::Outcome, outcome::Refusal> {
    match command {
        #[cfg(feature = "demo")]
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Attest(arguments) => attest::run(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Import(arguments) => sheet::import(&arguments),
        Command::Rename(command) => rename::run(&command),
        Command::Editor(arguments) => editor::run(&arguments),
        Command::Build(arguments) => build::run(&arguments),
        Command::Serve(arguments) => start::run(&arguments),
        Command::Dev(arguments) => dev::run(&arguments),
        #[cfg(feature = "replicas")]
        Command::Publish(arguments) => publish::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Query(arguments) => query::run(&arguments),
        Command::View(arguments) => view::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        #[cfg(feature = "replicas")]
        Command::Feed(feed_push::FeedCommand::Push(arguments)) => feed_push::run(&arguments),
        #[cfg(not(feature = "replicas"))]
        Command::Publish(_) | Command::Feed(_) => Err(outcome::Refusal::new(feed::NO_REPLICAS)),
        Command::Completions(arguments) => completions::run(&arguments, args::command()),
    }
}
