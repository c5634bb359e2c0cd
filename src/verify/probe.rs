//! Requests one path in each way that matters: plain, conditional, compressed, HEAD, and bypassing caches.

use directory::api::{Question, Request, SlotSearch, is_for_programs, split_target};
use reqwest::Method;

use super::host::{Host, Response};
use super::judge::{Judge, Rule};
use super::reference::Reference;
use super::report::{Findings, shown};

/// A path and query to request.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    pub(super) target: String,
    /// Whether to request it compressed and by HEAD, too.
    pub(super) is_thorough: bool,
}

#[derive(Debug)]
pub(super) struct Probed {
    pub(super) findings: Findings,
    /// The generation that the response names; empty if there is none.
    pub(super) generation: String,
}

/// The requests of one probe.
struct Prober<'a> {
    judge: Judge<'a>,
    target: &'a str,
    /// The search, if this is a request for open slots.
    slots: Option<SlotSearch>,
}

impl Probe {
    /// Sends the requests. `unique` is a text that no cache has in a query.
    pub(super) async fn run(&self, host: &Host, reference: &Reference, unique: &str) -> Probed {
        let (target, from) = (self.target.as_str(), reference.now());
        let slots = Request::from_target(target).ok().and_then(|request| match request.question() {
            Question::Availability(search) => Some(search.clone()),
            _ => None,
        });
        let mut prober = Prober { judge: Judge::new(host), target, slots };
        let Some(response) = prober.send(Method::GET, "", &[]).await else {
            return Probed { findings: prober.judge.findings, generation: String::new() };
        };
        prober.judge.compare(&response, split_target(target).0, &reference.expected(target, from));
        if response.status == 200 {
            prober.conditional(&response).await;
            if self.is_thorough {
                prober.compressed(&response).await;
                prober.head(&response).await;
            }
            prober.uncached(unique).await;
        }
        let generation = shown(response.header("nameplate-generation"));
        Probed { findings: prober.judge.findings, generation }
    }
}

impl Prober<'_> {
    /// Sends a request; `None` if there is no whole response, which is reported.
    async fn send(
        &mut self,
        method: Method,
        label: &str,
        fields: &[(&'static str, &str)],
    ) -> Option<Response> {
        let sent = self.judge.send(method, self.target, label, fields, "").await;
        sent.map_err(|why| {
            let advice = "the host or a proxy in front of it failed: look at its log, and verify again";
            self.judge.differs("no response", "a whole response", why, advice);
        })
        .ok()
    }

    /// With If-None-Match: a client that has the response must not receive it again.
    async fn conditional(&mut self, first: &Response) {
        const LABEL: &str = " with If-None-Match";
        const ADVICE: &str = "clients download everything each time: the host must support If-None-Match";
        let tag = first.header("etag");
        if tag.is_empty() {
            self.judge.request = format!("GET {}{LABEL}", self.target);
            return self.judge.differs("etag", "an etag in the first response", "none", ADVICE);
        }
        let Some(response) = self.send(Method::GET, LABEL, &[("if-none-match", tag)]).await else { return };
        // Availability changes by the minute.
        let has_changed =
            response.status == 200 && response.header("etag") != tag && response.body != first.body;
        if response.status == 304 && response.body.is_empty() {
            if is_for_programs(self.target) {
                self.judge.cors(&response);
            }
        } else if !has_changed {
            self.judge.differs("304", "status 304", format!("status {}", response.status), ADVICE);
        }
    }

    /// With gzip: the decompressed body must be the same.
    async fn compressed(&mut self, plain: &Response) {
        const BROKEN: &str =
            "the host's compression breaks responses: look at its settings, or switch it off";
        let fields = [("accept-encoding", "gzip")];
        let label = " with Accept-Encoding: gzip";
        let Some(response) = self.send(Method::GET, label, &fields).await else { return };
        let (judge, may_differ) = (&mut self.judge, self.slots.is_some());
        let Some(unzipped) = response.unzipped() else {
            if response.body != plain.body && !may_differ {
                judge.differs("gzip", "the same body as without gzip", "another one", BROKEN);
            }
            return;
        };
        match unzipped {
            Err(why) => judge.differs("gzip", "gzip", format!("invalid gzip ({})", shown(&why)), BROKEN),
            Ok(body) if body != plain.body && !may_differ => {
                let found = format!("{} other bytes", body.len());
                judge.differs("gzip", "the same decompressed body", found, BROKEN);
            }
            Ok(_) => {}
        }
        let advice =
            "caches would send compressed responses to clients that cannot read them: send this header";
        judge.header(&response, "vary", &Rule::Includes("accept-encoding"), advice);
        let tag = response.header("etag");
        if !tag.is_empty() && !tag.starts_with("W/") && tag == plain.header("etag") {
            let advice = "different bodies need different tags, or caches confuse them: send another tag or a weak one";
            judge.differs("etag", "another strong etag than without gzip", "the same one", advice);
        }
    }

    /// HEAD must equal GET, without the body.
    async fn head(&mut self, plain: &Response) {
        let Some(response) = self.send(Method::HEAD, "", &[]).await else { return };
        let head = |response: &Response| {
            format!("status {} and content-type \"{}\"", response.status, shown(&response.media_type()))
        };
        let (expected, found) = (head(plain), head(&response));
        if expected != found {
            let advice = "HEAD must respond as GET does: see that the host's rules let it through";
            self.judge.differs("head", expected, found, advice);
        }
    }

    /// With a query that no cache has: if live does not know the open slots now, the first response was outdated.
    async fn uncached(&mut self, unique: &str) {
        if self.slots.as_ref().is_none_or(|search| *search != SlotSearch::of(search.state)) {
            return;
        }
        let target = format!("{}&nameplate-verify={unique}", self.target);
        let sent = self.judge.send(Method::GET, &target, "", &[], "").await;
        let Some(status) = sent.ok().map(|response| response.status).filter(|status| *status >= 500) else {
            return;
        };
        self.judge.request = format!("GET {}", self.target);
        self.judge.differs(
            "stale",
            format!("status {status}, as for the same request without caches"),
            "status 200 with open times",
            "a patient could book a time that is taken. An answer may be kept for a minute: verify again after \
             that; if this stays, the host must not use stale answers for availability",
        );
    }
}
