//! Requests a target. For a sample of the targets, it also sends conditional, compressed and HEAD requests.

use directory::api::{Caching, is_for_programs, split_target};
use reqwest::Method;

use super::judge::{ExpectedWords, Judge};
use super::reference::Reference;
use super::report::{Findings, shown};
use crate::host::{Host, Response};

pub(super) struct Probe {
    pub(super) target: String,
    /// Gets conditional, compressed and HEAD requests, too.
    pub(super) is_sampled: bool,
}

struct Prober<'a> {
    judge: Judge<'a>,
    target: &'a str,
    /// Whether the answer may differ from one minute to the next.
    is_availability: bool,
}

impl Probe {
    /// `cache_buster` is the value of a parameter that no cache has seen.
    pub(super) async fn run(&self, host: &Host, reference: &Reference, cache_buster: &str) -> Findings {
        let (target, sent_at) = (self.target.as_str(), reference.now());
        let mut judge = Judge::new(host);
        let Some(response) = judge.get(target).await else { return judge.findings };
        let (path, _query) = split_target(target);
        let expected = reference.expected(target, sent_at);
        judge.compare(&response, path, &expected, reference.manifest.generation());
        let is_availability = expected.iter().any(|expected| expected.caching == Some(Caching::Availability));
        let mut prober = Prober { judge, target, is_availability };
        if response.status == 200 && self.is_sampled {
            prober.check_conditional(&response).await;
            prober.check_compressed(&response).await;
            prober.check_head(&response).await;
        }
        // Searches by state alone are in caches. Every search for open slots has a state, so an `&` means that it has a
        // filter.
        let has_filters = target.contains('&');
        if response.status == 200 && is_availability && !has_filters {
            prober.check_uncached(cache_buster).await;
        }
        prober.judge.findings
    }
}

impl Prober<'_> {
    async fn check_conditional(&mut self, first: &Response) {
        const ADVICE: &str = "clients download everything every time: the host must support If-None-Match";
        let tag = first.header("etag");
        if tag.is_empty() {
            return self.judge.add("etag", "an etag in the response", "none", ADVICE);
        }
        let (label, headers) = (" with If-None-Match", [("if-none-match", tag)]);
        let sent = self.judge.send(Method::GET, self.target, label, &headers, "").await;
        let Some(response) = sent else { return };
        if response.status == 304 {
            if is_for_programs(self.target) {
                self.judge.check_cors(&response);
            }
        } else if self.is_availability && response.status == 200 && response.header("etag") != tag {
            // The openings changed between the two requests, so it is right to send the new ones.
        } else {
            self.judge.add("304", "status 304", format!("status {}", response.status), ADVICE);
        }
    }

    async fn check_compressed(&mut self, plain: &Response) {
        const BROKEN: &str = "the host's compression breaks responses: check its settings, or turn it off";
        let (label, headers) = (" with Accept-Encoding: gzip", [("accept-encoding", "gzip")]);
        let sent = self.judge.send(Method::GET, self.target, label, &headers, "").await;
        let Some(response) = sent else { return };
        let found = match response.unzipped() {
            None => return,
            Some(Ok(body)) if body == plain.body || self.is_availability => None,
            Some(Ok(body)) => Some(format!("{} other bytes", body.len())),
            Some(Err(why)) => Some(format!("invalid gzip ({})", shown(&why))),
        };
        if let Some(found) = found {
            self.judge.add("gzip", "the same body in gzip", found, BROKEN);
        }
        let advice =
            "caches would send compressed responses to clients that can't read them: send this header";
        self.judge.check_header(&response, "vary", &ExpectedWords::Including("accept-encoding"), advice);
    }

    async fn check_head(&mut self, first: &Response) {
        let Some(response) = self.judge.send(Method::HEAD, self.target, "", &[], "").await else { return };
        if response.status != first.status {
            let advice = "HEAD must have the same status as GET: check that the host's rules pass it on";
            let [expected, found] = [first, &response].map(|response| format!("status {}", response.status));
            self.judge.add("head", expected, found, advice);
        }
    }

    /// If live does not know the open slots now, then the first response, with status 200, was outdated.
    async fn check_uncached(&mut self, cache_buster: &str) {
        let target = format!("{}&nameplate-verify={cache_buster}", self.target);
        let Some(uncached) = self.judge.get(&target).await else { return };
        if uncached.status >= 500 {
            // The first response is the wrong one, so it is what was found.
            self.judge.request = format!("GET {}", self.target);
            self.judge.add(
                "stale",
                format!("status {}, as for the same request without caches", uncached.status),
                "status 200 with openings",
                "a patient could choose a time that is taken. Caches may keep an answer for a minute, so verify again \
                 after that. If this stays, the host must not use stale answers for availability",
            );
        }
    }
}
