//! One path, asked in every manner that matters: plainly, with its tag again, compressed, and its head alone.

use directory::api::{Question, split_target};

use super::host::{Came, Host, Manner};
use super::judge::Judge;
use super::local::{Body, Expectation, Local};
use super::report::{Difference, shown};

/// One thing to ask for.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// The path and query.
    pub(super) path_and_query: String,
    /// What should come, where that does not depend on the moment: a file of the tree.
    pub(super) file: Option<Expectation>,
    /// Whether to ask for it compressed and for its head, too.
    pub(super) thoroughly: bool,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Probed {
    pub(super) asked: usize,
    pub(super) differences: Vec<Difference>,
    /// The generation that the answer names.
    pub(super) generation: Option<String>,
}

impl Target {
    fn path(&self) -> &str {
        split_target(&self.path_and_query).0
    }

    pub(super) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// Asks the host.
    pub(super) async fn probe(&self, host: &Host, local: &Local) -> Probed {
        let mut probed = Probed { asked: 1, ..Probed::default() };
        let (asked, from) = (format!("GET {}", self.path_and_query), local.now());
        let came = match host.get(&self.path_and_query, &Manner::default()).await {
            Ok(came) => came,
            Err(why) => {
                let expected = "a whole answer".to_owned();
                let advice = "the host or something before it gave up: look at its log, and ask again";
                probed.differences.push(Difference { asked, expected, came: why, advice });
                return probed;
            }
        };
        let right = match &self.file {
            Some(file) => vec![file.clone()],
            None => local.expectations(&self.path_and_query, from, local.now()),
        };
        let mut judge = Judge::new(&asked, &came);
        judge.all(self.path(), &right, self.is_file(), local);
        probed.differences.append(&mut judge.differences);
        let generation = came.header("nameplate-generation");
        probed.generation = (!generation.is_empty()).then(|| shown(generation));
        if came.status == 200 {
            self.again(host, &came, &mut probed).await;
            if self.thoroughly {
                self.compressed(host, &came, &mut probed).await;
                self.head(host, &came, &mut probed).await;
            }
        }
        probed
    }

    /// With the tag that came: whoever has the answer already must not get it again.
    async fn again(&self, host: &Host, first: &Came, probed: &mut Probed) {
        const ADVICE: &str = "clients load everything anew each time: the host must answer If-None-Match";
        let asked = format!("GET {} with If-None-Match", self.path_and_query);
        let tag = first.header("etag").to_owned();
        let difference = |expected: &str, came: String| Difference {
            asked: asked.clone(),
            expected: expected.to_owned(),
            came,
            advice: ADVICE,
        };
        if tag.is_empty() {
            probed.differences.push(difference("an etag to ask with", "an answer without one".to_owned()));
            return;
        }
        probed.asked += 1;
        match host
            .get(&self.path_and_query, &Manner { none_match: Some(tag.clone()), ..Manner::default() })
            .await
        {
            Err(why) => probed.differences.push(difference("status 304", why)),
            Ok(came) if came.status == 304 && came.body.is_empty() => {}
            // What changes by the minute may have changed meanwhile.
            Ok(came) if came.status == 200 && came.header("etag") != tag && came.body != first.body => {}
            Ok(came) => probed.differences.push(difference("status 304", format!("status {}", came.status))),
        }
    }

    /// Compressed, it must be the same inside.
    async fn compressed(&self, host: &Host, plain: &Came, probed: &mut Probed) {
        probed.asked += 1;
        let asked = format!("GET {} with Accept-Encoding: gzip", self.path_and_query);
        let came = host.get(&self.path_and_query, &Manner { gzip: true, ..Manner::default() }).await;
        let mut difference = |expected: &str, came: String, advice| {
            let (asked, expected) = (asked.clone(), expected.to_owned());
            probed.differences.push(Difference { asked, expected, came, advice });
        };
        let broken = "the host's compression breaks answers: look at its settings, or switch it off";
        let came = match came {
            Ok(came) => came,
            Err(why) => return difference("a whole answer", why, broken),
        };
        let Some(unzipped) = came.unzipped() else {
            if came.body != plain.body && !self.changes() {
                difference("the same bytes as without", "others".to_owned(), broken);
            }
            return;
        };
        match unzipped {
            Err(why) => difference("gzip", format!("what is none ({})", shown(&why)), broken),
            Ok(body) if body != plain.body && !self.changes() => {
                difference("the same bytes inside", format!("{} other ones", body.len()), broken);
            }
            Ok(_) => {}
        }
        if !came.header("vary").to_ascii_lowercase().contains("accept-encoding") {
            let found = format!("vary \"{}\"", shown(came.header("vary")));
            let advice = "caches would give compressed bytes to clients that cannot read them";
            difference("vary accept-encoding", found, advice);
        }
        let tag = came.header("etag");
        if !tag.is_empty() && !tag.starts_with("W/") && tag == plain.header("etag") {
            let advice = "two different bodies need two tags: a cache mixes them up otherwise";
            difference("another strong etag than without gzip", "the same one".to_owned(), advice);
        }
    }

    /// HEAD is GET without its body.
    async fn head(&self, host: &Host, plain: &Came, probed: &mut Probed) {
        probed.asked += 1;
        let asked = format!("HEAD {}", self.path_and_query);
        let came = match host
            .get(&self.path_and_query, &Manner { head_only: true, ..Manner::default() })
            .await
        {
            Ok(came) if came.status == 200 && came.media_type() == plain.media_type() => return,
            Ok(came) => format!("status {} and content-type \"{}\"", came.status, shown(&came.media_type())),
            Err(why) => why,
        };
        let expected = format!("status 200 and content-type {}", plain.media_type());
        let advice = "HEAD must answer as GET does: see that the host's rules let it through";
        probed.differences.push(Difference { asked, expected, came, advice });
    }

    /// Whether the right answer may be another one a moment later.
    fn changes(&self) -> bool {
        let request = directory::Request::from_target(&self.path_and_query);
        request.is_ok_and(|request| matches!(request.question(), Question::Availability(_)))
    }
}

/// What is expected of a file of the tree.
pub(super) fn file(entry: &generator::ManifestEntry) -> Expectation {
    use directory::api::Caching;
    Expectation {
        status: 200,
        body: Body::Digest(entry.bytes(), entry.sha256()),
        caching: entry.path().starts_with("v1/").then_some(Caching::Catalogue),
        location: None,
    }
}
