//! Gives the engine the news of a source and the orders of an operator, one at a time, and gives the store the result.

use std::sync::Arc;

use directory::calendar::{Change, Engine, Event, FeedRules, Instant, Report};
use directory::model::Generation;
use directory::{Directory, visible};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant as Tick;

use crate::blocking::blocking;
use crate::clock::{Clock, moment};
use crate::memory::{MemoryFile, Saved};
use crate::nats_health::NatsHealth;
use crate::options::FeedOptions;
use crate::source::{Source, SourceError, Target};
use crate::status::{Accepted, FeedStatus, Standing, effect, log_skipped};

pub(crate) enum Order {
    /// Accepts the held reading if it has this token.
    AcceptHeld(Option<String>, oneshot::Sender<Accepted>),
    ApplyAgain,
    End(oneshot::Sender<()>),
}

#[derive(Debug)]
pub(crate) struct AbortOnDrop(pub(crate) JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pub(crate) struct Driver<T> {
    rules: Arc<FeedRules>,
    engine: Engine,
    target: Arc<T>,
    clock: Clock,
    name: String,
    nats: Option<Arc<NatsHealth>>,
    status: watch::Sender<FeedStatus>,
    /// Why the last look at the source failed.
    source_error: Option<String>,
    memory: Option<MemoryFile>,
}

impl<T: Target> Driver<T> {
    pub(crate) fn new(
        options: FeedOptions,
        target: Arc<T>,
        clock: Clock,
        source: &impl Source,
        status: watch::Sender<FeedStatus>,
    ) -> Self {
        let is_of_bucket = options.bucket().is_some();
        let rules = Arc::new(options.rules);
        Self {
            engine: Engine::new(Arc::clone(&rules)),
            rules,
            target,
            clock,
            name: source.name(),
            nats: source.nats_health(),
            status,
            source_error: None,
            memory: options.memory.map(|path| MemoryFile::new(path, is_of_bucket)),
        }
    }

    pub(crate) async fn listen(mut self, mut source: impl Source, mut orders: mpsc::Receiver<Order>) {
        self = self.in_background(Self::restore).await.0;
        // The source reads in its own task, so that an order does not interrupt it.
        let (sender, mut news) = mpsc::channel(1);
        let target = Arc::clone(&self.target);
        let reading = AbortOnDrop(tokio::spawn(async move {
            let generation = || target.with_directory(|here| here.generation().clone());
            let mut looked_in = generation();
            loop {
                // A look that began before new content can't offer the clinicians that the content adds.
                if source.due().await {
                    looked_in = generation();
                }
                if sender.send((source.next().await, looked_in.clone())).await.is_err() {
                    break;
                }
            }
        }));
        loop {
            tokio::select! {
                told = news.recv() => match told {
                    Some((told, looked_in)) => self = self.on_news(told, looked_in).await,
                    // The source has panicked.
                    None => break,
                },
                order = orders.recv() => match order {
                    Some(Order::AcceptHeld(named, answer)) => {
                        let accepted;
                        (self, accepted) = self.in_background(move |driver| driver.accept(named.as_deref())).await;
                        // The client may have closed the connection.
                        _ = answer.send(accepted);
                    }
                    Some(Order::ApplyAgain) => self = self.in_background(Self::apply_again).await.0,
                    Some(Order::End(ended)) => {
                        _ = ended.send(());
                        break;
                    }
                    None => break,
                },
            }
        }
        drop(reading);
    }

    async fn on_news(mut self, told: Result<Vec<Event>, SourceError>, looked_in: Generation) -> Self {
        let events = match told {
            Err(error) => {
                self.source_error = Some(error.to_string());
                let (report, _) = self.report();
                self.status.send_modify(|status| {
                    status.failures += 1;
                    self.note_report(status, &report);
                });
                return self;
            }
            Ok(events) => events,
        };
        self.source_error = None;
        let is_beat = events.iter().all(|event| matches!(event, Event::Beat { .. }));
        let driver = if is_beat && !self.is_memory_due() {
            self.take(events, &looked_in);
            self
        } else {
            self.in_background(move |driver| driver.take(events, &looked_in)).await.0
        };
        let (report, generation) = driver.report();
        if report.is_settled && report.held.is_none() {
            driver.target.release_unapplied(Some(&generation), || driver.status.borrow().judgment());
        }
        driver
    }

    fn take(&mut self, events: Vec<Event>, looked_in: &Generation) {
        let is_news = events.iter().any(|event| !matches!(event, Event::Beat { .. } | Event::Failed { .. }));
        let change = self.change(|engine, here, now| engine.take(events, looked_in, here, now));
        self.publish(&change, is_news);
        if let Some(memory) = self.memory.as_mut().filter(|_| is_news) {
            memory.note(!change.providers.is_empty());
        }
        if self.is_memory_due() {
            self.save();
        }
    }

    fn apply_again(&mut self) {
        let change = self.change(|engine, here, now| engine.take(Vec::new(), here.generation(), here, now));
        self.publish(&change, false);
    }

    /// Gives what has changed to the target, together with its age.
    fn publish(&self, change: &Change, is_news: bool) {
        let (ages, (report, _)) = (self.engine.ages(), self.report());
        let is_bad = report.held.is_some() || report.trouble.is_some();
        let is_applied = is_news && (!is_bad || !change.providers.is_empty());
        let note = || {
            self.status.send_modify(|status| {
                status.ages = ages;
                if let Some(skipped) = &change.skipped {
                    log_skipped(&self.name, &status.skipped, skipped);
                    status.skipped = Arc::new(skipped.clone());
                }
                let has_changed = self.note_report(status, &report);
                status.applied += u64::from(is_applied);
                status.failures += u64::from(is_bad && (is_news || has_changed));
            });
        };
        let is_more_than_age = !change.providers.is_empty() || change.is_listed_anew || is_news;
        if !is_more_than_age {
            return note();
        }
        self.target.apply_feed(&change.providers, || {
            note();
            self.status.borrow().judgment()
        });
        if let Some(nats) = self.nats.as_ref().filter(|_| is_applied) {
            nats.applied();
        }
        let providers_changed = change.providers.len();
        if is_news && providers_changed > 0 {
            tracing::debug!(
                feed = self.name,
                providers_changed,
                "the feed has changed the times of providers"
            );
        }
    }

    /// What operators should know, and in which content it is so.
    fn report(&self) -> (Report, Generation) {
        let in_content = |here: &Directory| (self.engine.report(here), here.generation().clone());
        let (mut report, generation) = self.target.with_directory(in_content);
        if let Some(error) = &self.source_error {
            (report.trouble, report.is_settled) = (Some(error.clone()), false);
        }
        (report, generation)
    }

    /// Notes what is held and what is wrong; true if that is other than before. The same reason is logged once.
    fn note_report(&self, status: &mut FeedStatus, report: &Report) -> bool {
        let (held, token) = report.held.clone().unzip();
        // A reason may quote a publisher, which must not add its own lines to the log.
        let trouble = report.trouble.as_deref().map(|why| visible::line(why).into_owned());
        let has_changed = (&held, &trouble) != (&status.held, &status.last_error);
        if status.held.is_some() != held.is_some() || status.token != token {
            if let Some(why) = &held {
                tracing::error!(feed = self.name, "{why}");
            } else {
                tracing::info!(feed = self.name, "the feed is no longer held");
            }
        }
        if status.last_error != trouble {
            if let Some(why) = &trouble {
                tracing::warn!(feed = self.name, "{why}");
            } else {
                tracing::info!(feed = self.name, "the feed can be read again");
            }
        }
        (status.held, status.token, status.last_error) = (held, token, trouble);
        has_changed
    }

    /// Accepts the held reading. Withheld providers stay withheld: the unresolved lines may still be theirs.
    fn accept(&mut self, named: Option<&str>) -> Accepted {
        let Some((what, token)) = self.report().0.held else { return Accepted::NothingHeld };
        if named != Some(&token) {
            return Accepted::Other { token, what };
        }
        let before = self.standing();
        let change = self.change(Engine::accept);
        self.publish(&change, true);
        let accepted = Accepted::Applied(effect(self.rules.mode, &before, &self.standing()));
        tracing::warn!(feed = self.name, accepted = accepted.word(), "operator accepted the held reading");
        self.save();
        accepted
    }

    fn standing(&self) -> Standing {
        let ages = self.engine.ages();
        Standing { judgment: ages.judge(moment()), unlisted: ages.unlisted(), entries: self.engine.counts() }
    }

    fn change(&mut self, work: impl FnOnce(&mut Engine, &Directory, Instant) -> Change) -> Change {
        let (now, engine) = (Instant::floor(self.clock.now()), &mut self.engine);
        self.target.with_directory(|here| work(engine, here, now))
    }

    /// Uses what was saved before a restart, at its true age.
    fn restore(&mut self) {
        let Some(file) = &self.memory else { return };
        let memory = match Saved::read_memory(&file.path, &self.name, self.rules.mode) {
            Ok(Some(memory)) => memory,
            Ok(None) => return,
            Err(why) => {
                tracing::warn!(
                    feed = self.name,
                    "the feed's data from before the restart can't be used, so the first reading is compared with \
                     nothing: check whether it lost entries: {why}"
                );
                self.status.send_modify(|status| status.memory_error = Some(why));
                return;
            }
        };
        let change = self.change(|engine, here, now| engine.restore(memory, here, (moment(), now)));
        self.publish(&change, false);
        tracing::info!(feed = self.name, "using the feed's data from before the restart until it is read");
    }

    fn is_memory_due(&self) -> bool {
        self.memory.as_ref().is_some_and(|file| file.is_due(Tick::now()))
    }

    fn save(&mut self) {
        let Some(file) = &mut self.memory else { return };
        let began = Tick::now();
        let memory = self.target.with_directory(|here| self.engine.memory(here, moment()));
        let error = Saved::write_memory(&file.path, &self.name, self.rules.mode, memory).err();
        file.wrote(began, Tick::now());
        let error = error.map(|error| format!("{} can't be written: {error}", file.path.display()));
        self.status.send_if_modified(|status| {
            let has_changed = status.memory_write_error != error;
            if has_changed {
                if let Some(error) = &error {
                    tracing::error!(feed = self.name, "a restart will forget what the feed says: {error}");
                } else {
                    tracing::info!(feed = self.name, "a restart will remember what the feed says");
                }
            }
            status.memory_write_error = error;
            has_changed
        });
    }

    async fn in_background<R: Send + 'static>(
        mut self,
        work: impl FnOnce(&mut Self) -> R + Send + 'static,
    ) -> (Self, R) {
        blocking(move || {
            let result = work(&mut self);
            (self, result)
        })
        .await
    }
}
