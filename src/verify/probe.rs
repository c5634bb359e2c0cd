//! Asks for one path in each way that matters: plainly, with its tag, compressed, its head alone, past the caches.

use directory::api::{Question, Request, SlotSearch, is_for_programs, split_target};
use reqwest::Method;

use super::host::{Ask, Host, Response};
use super::judge::{Judge, words};
use super::local::Local;
use super::report::{Findings, shown};

/// What to ask for.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) path_and_query: String,
    /// Whether to ask for it compressed and for its head, too.
    pub(super) thoroughly: bool,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Probed {
    pub(super) findings: Findings,
    /// The generation that the answer names.
    pub(super) generation: Option<String>,
}

/// One target, while it is asked for.
struct Probe<'a> {
    host: &'a Host,
    target: &'a str,
    request: Option<Request>,
    findings: Findings,
}

impl Target {
    /// Asks the host. `run` is a word that no cache has seen in a query.
    pub(super) async fn probe(&self, host: &Host, local: &Local, run: &str) -> Probed {
        let (target, from) = (self.path_and_query.as_str(), local.now());
        let request = Request::from_target(target).ok();
        let mut probe = Probe { host, target, request, findings: Findings::default() };
        let Some(came) = probe.send("GET", "", &[]).await else {
            return Probed { findings: probe.findings, generation: None };
        };
        let mut judge = Judge::new(format!("GET {target}"));
        judge.all(&came, split_target(target).0, &local.right(target, from, local.now()), local);
        probe.note(judge);
        if came.status == 200 {
            probe.again(&came).await;
            if self.thoroughly {
                probe.compressed(&came).await;
                probe.head(&came).await;
            }
            probe.past_caches(run).await;
        }
        let generation = came.header("nameplate-generation");
        let generation = (!generation.is_empty()).then(|| shown(generation));
        Probed { findings: probe.findings, generation }
    }
}

impl Probe<'_> {
    fn note(&mut self, mut judge: Judge) {
        self.findings.differences.append(&mut judge.differences);
    }

    /// Sends one request; `None` when no whole answer came, which is noted. `manner` is for people.
    async fn send(
        &mut self,
        method: &'static str,
        manner: &str,
        fields: &[(&'static str, &str)],
    ) -> Option<Response> {
        self.findings.requests += 1;
        let verb = if method == "HEAD" { Method::HEAD } else { Method::GET };
        let ask = Ask { method: verb, target: self.target, fields, body: None };
        let came = self.host.ask(&ask).await;
        let mut judge = Judge::new(format!("{method} {}{manner}", self.target));
        let came = came.map_err(|why| {
            let advice = "the host or something before it gave up: look at its log, and ask again";
            judge.differs("no answer", "a whole answer", why, advice);
        });
        self.note(judge);
        came.ok()
    }

    /// With the tag that came: a client that has the answer already must not get it again.
    async fn again(&mut self, first: &Response) {
        const MANNER: &str = " with If-None-Match";
        const ADVICE: &str = "clients load everything anew each time: the host must answer If-None-Match";
        let mut judge = Judge::new(format!("GET {}{MANNER}", self.target));
        let tag = first.header("etag").to_owned();
        if tag.is_empty() {
            judge.differs("etag", "an etag to ask with", "an answer without one", ADVICE);
            return self.note(judge);
        }
        let Some(came) = self.send("GET", MANNER, &[("if-none-match", &tag)]).await else { return };
        // What changes by the minute may have changed meanwhile.
        let has_changed = came.status == 200 && came.header("etag") != tag && came.body != first.body;
        if came.status == 304 && came.body.is_empty() {
            if is_for_programs(self.target) {
                judge.cors(&came);
            }
        } else if !has_changed {
            judge.differs("304", "status 304", format!("status {}", came.status), ADVICE);
        }
        self.note(judge);
    }

    /// Compressed, it must be the same inside.
    async fn compressed(&mut self, plain: &Response) {
        const MANNER: &str = " with Accept-Encoding: gzip";
        const BROKEN: &str = "the host's compression breaks answers: look at its settings, or switch it off";
        let Some(came) = self.send("GET", MANNER, &[("accept-encoding", "gzip")]).await else { return };
        let changes = matches!(self.request.as_ref().map(Request::question), Some(Question::Availability(_)));
        let mut judge = Judge::new(format!("GET {}{MANNER}", self.target));
        let unzipped = came.unzipped();
        match &unzipped {
            Some(Err(why)) => judge.differs("gzip", "gzip", format!("what is none ({})", shown(why)), BROKEN),
            Some(Ok(body)) if *body != plain.body && !changes => {
                judge.differs("gzip", "the same bytes inside", format!("{} other ones", body.len()), BROKEN);
            }
            None if came.body != plain.body && !changes => {
                judge.differs("gzip", "the same bytes as without", "others", BROKEN);
            }
            _ => {}
        }
        if unzipped.is_some() {
            let vary = came.header("vary");
            if !words(vary).contains("accept-encoding") {
                let advice = "caches would give compressed bytes to clients that cannot read them";
                judge.differs("vary", "vary accept-encoding", format!("vary \"{}\"", shown(vary)), advice);
            }
            let tag = came.header("etag");
            if !tag.is_empty() && !tag.starts_with("W/") && tag == plain.header("etag") {
                let advice = "two different bodies need two tags: a cache mixes them up otherwise";
                judge.differs("etag", "another strong etag than without gzip", "the same one", advice);
            }
        }
        self.note(judge);
    }

    /// HEAD is GET without its body.
    async fn head(&mut self, plain: &Response) {
        let Some(came) = self.send("HEAD", "", &[]).await else { return };
        let mut judge = Judge::new(format!("HEAD {}", self.target));
        let kind = |came: &Response| {
            format!("status {} and content-type \"{}\"", came.status, shown(&came.media_type()))
        };
        let (expected, found) = (kind(plain), kind(&came));
        if expected != found {
            let advice = "HEAD must answer as GET does: see that the host's rules let it through";
            judge.differs("head", expected, found, advice);
        }
        self.note(judge);
    }

    /// The same question about open times in words that no cache has seen: when live cannot tell, the answer that was
    /// given first is an old one.
    async fn past_caches(&mut self, run: &str) {
        let Some(Question::Availability(search)) = self.request.as_ref().map(Request::question) else {
            return;
        };
        if *search != SlotSearch::of(search.state) {
            return;
        }
        let target = format!("{}&nameplate-verify={run}", self.target);
        self.findings.requests += 1;
        let Ok(fresh) = self.host.get(&target).await else { return };
        if fresh.status >= 500 {
            let mut judge = Judge::new(format!("GET {}", self.target));
            judge.old_slots(&fresh);
            self.note(judge);
        }
    }
}
