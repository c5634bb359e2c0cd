//! Requests one path, and a sample of the paths in each way that matters: conditional, compressed, by HEAD.

use directory::api::{Caching, is_for_programs, split_target};
use reqwest::Method;

use super::judge::{Judge, Rule};
use super::reference::Reference;
use super::report::{Findings, shown};
use crate::host::{Host, Response};

/// A path and query to request.
pub(super) struct Probe {
    pub(super) target: String,
    /// Whether to request it conditionally, compressed and by HEAD, too.
    pub(super) is_sampled: bool,
}

/// The requests of one probe.
struct Prober<'a> {
    judge: Judge<'a>,
    target: &'a str,
    /// Whether the answer changes by the minute.
    is_availability: bool,
}

impl Probe {
    /// Sends the requests. `unique` is a text that no cache has in a query.
    pub(super) async fn run(&self, host: &Host, reference: &Reference, unique: &str) -> Findings {
        let (target, from) = (self.target.as_str(), reference.now());
        let mut judge = Judge::new(host);
        let Some(response) = judge.send(Method::GET, target, "", &[], "").await else {
            return judge.findings;
        };
        let (path, expected) = (split_target(target).0, reference.expected(target, from));
        judge.compare(&response, path, &expected, reference.manifest.generation());
        let is_availability = expected.iter().any(|one| one.caching == Some(Caching::Availability));
        let mut prober = Prober { judge, target, is_availability };
        if response.status == 200 && self.is_sampled {
            prober.conditional(&response).await;
            prober.compressed(&response).await;
            prober.head(&response).await;
        }
        // For a whole state, as patients begin.
        if response.status == 200 && is_availability && !target.contains('&') {
            prober.uncached(unique).await;
        }
        prober.judge.findings
    }
}

impl Prober<'_> {
    async fn send(
        &mut self,
        method: Method,
        label: &str,
        fields: &[(&'static str, &str)],
    ) -> Option<Response> {
        self.judge.send(method, self.target, label, fields, "").await
    }

    /// With If-None-Match: a client that has the response must not receive it again.
    async fn conditional(&mut self, first: &Response) {
        const ADVICE: &str = "clients download everything each time: the host must support If-None-Match";
        let tag = first.header("etag");
        let Some(response) = self.send(Method::GET, " with If-None-Match", &[("if-none-match", tag)]).await
        else {
            return;
        };
        if tag.is_empty() {
            self.judge.differs("etag", "an etag in the first response", "none", ADVICE);
        } else if response.status == 304 {
            if is_for_programs(self.target) {
                self.judge.cors(&response);
            }
        } else if !self.is_availability || response.header("etag") == tag {
            self.judge.differs("304", "status 304", format!("status {}", response.status), ADVICE);
        }
    }

    /// With gzip: the decompressed body must be the same.
    async fn compressed(&mut self, plain: &Response) {
        const BROKEN: &str =
            "the host's compression breaks responses: look at its settings, or switch it off";
        let (label, fields) = (" with Accept-Encoding: gzip", [("accept-encoding", "gzip")]);
        let Some(response) = self.send(Method::GET, label, &fields).await else { return };
        let found = match response.unzipped() {
            None => return,
            Some(Ok(body)) if body == plain.body || self.is_availability => None,
            Some(Ok(body)) => Some(format!("{} other bytes", body.len())),
            Some(Err(why)) => Some(format!("invalid gzip ({})", shown(&why))),
        };
        if let Some(found) = found {
            self.judge.differs("gzip", "the same body in gzip", found, BROKEN);
        }
        let advice =
            "caches would send compressed responses to clients that cannot read them: send this header";
        self.judge.header(&response, "vary", &Rule::Includes("accept-encoding"), advice);
    }

    /// HEAD must equal GET, without the body.
    async fn head(&mut self, plain: &Response) {
        let Some(response) = self.send(Method::HEAD, "", &[]).await else { return };
        if response.status != plain.status {
            let advice = "HEAD must respond as GET does: see that the host's rules let it through";
            let [expected, found] = [plain, &response].map(|one| format!("status {}", one.status));
            self.judge.differs("head", expected, found, advice);
        }
    }

    /// With a query that no cache has: if live does not know the open slots now, the first response was outdated.
    async fn uncached(&mut self, unique: &str) {
        let target = format!("{}&nameplate-verify={unique}", self.target);
        let Some(response) = self.judge.send(Method::GET, &target, "", &[], "").await else { return };
        if response.status >= 500 {
            self.judge.request = format!("GET {}", self.target);
            self.judge.differs(
                "stale",
                format!("status {}, as for the same request without caches", response.status),
                "status 200 with open times",
                "a patient could book a time that is taken. An answer may be kept for a minute: verify again after \
                 that; if this stays, the host must not use stale answers for availability",
            );
        }
    }
}
