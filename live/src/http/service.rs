//! Answers one request: guard, routes, finish. A panic becomes a 500. A request is admitted before hyper gives it a task:
//! otherwise many connections could each hold many heads.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::ops::ControlFlow::{self, Break, Continue};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use directory::api::{Fault, FaultKind, MCP_PATH};
use futures_util::FutureExt;
use hyper::body::{Body as _, Incoming};
use tokio::time::Instant;
use tower_service::Service as _;
use warp::Filter;
use warp::http::header::{self, HeaderName};
use warp::http::{HeaderMap, Request, StatusCode, Uri};

use crate::budget::{self, Budget, Occupied, Reserved};
use crate::config::{Access, Limits, Proxy};
use crate::dev::Dev;
use crate::http::fhir::Fhir;
use crate::http::finish::{Finisher, RequestFacts};
use crate::http::guard;
use crate::http::rest::Rest;
use crate::http::routes::{self, Handlers};
use crate::http::site::Site;
use crate::http::tracked::Tracked;
use crate::mcp::{self, Mcp};
use crate::options::Options;
use crate::refusal_log::RefusalLog;
use crate::reply::{self, Response};
use crate::store::Store;
use crate::turns::Turns;
use crate::vitals::{HEALTH, Route, Vitals};
use feed::Clock;

/// An estimate.
const OVERHEAD: usize = 4096;
/// A request's task, a short body, and a short response.
const REQUEST: usize = OVERHEAD + mcp::SHORT_BODY;

type Routed = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

/// Cheap to clone.
#[derive(Clone)]
pub struct Service {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    /// `None` for operators' responses, which are sent as they are.
    finisher: Option<Finisher>,
    pub(crate) vitals: Arc<Vitals>,
    access_log: bool,
    pub(crate) limits: Limits,
    pub(crate) proxies: Vec<Proxy>,
    budget: Budget,
    pub(crate) turns: Turns,
    /// Refuses foreign Hosts; `None` if everything here is public.
    private: Option<(Access, RefusalLog)>,
    routes: Box<dyn Fn(Request<Incoming>) -> Routed + Send + Sync>,
}

impl fmt::Debug for Service {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Service").field("limits", &self.inner.limits).finish_non_exhaustive()
    }
}

impl Service {
    pub fn new(store: Arc<Store>, clock: Clock, options: Options) -> Self {
        let Options { limits, proxies, access, site, vitals, access_log, dev } = options;
        let budget = Budget::new(limits.held_bytes);
        let finisher = Finisher::new(Arc::clone(&store), dev.is_some());
        let private = dev.is_some().then(|| access.clone());
        let dev = dev.map(|address| Dev::new(address, Arc::clone(&store), Arc::clone(&vitals)));
        let handlers = Handlers {
            rest: Rest::new(Arc::clone(&store), clock),
            fhir: Fhir::new(Arc::clone(&store), clock),
            mcp: Mcp::new(Arc::clone(&store), clock, access, limits, budget.clone(), Arc::clone(&vitals)),
            site: site.map(|folder| Site::new(folder, Arc::clone(&store), dev, budget.clone())),
            store,
        };
        let table = routes::table(Arc::new(handlers));
        Self::with(Some(finisher), vitals, access_log, (limits, proxies, budget, private), table)
    }

    #[cfg(test)]
    pub(crate) fn around<F>(store: Arc<Store>, limits: Limits, table: F) -> Self
    where
        F: Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static,
        F::Future: Send,
    {
        let guards = (limits, Vec::new(), Budget::new(limits.held_bytes), None);
        Self::with(Some(Finisher::new(store, false)), Arc::default(), false, guards, table)
    }

    /// Its responses are not finished.
    pub(crate) fn for_operators<F>(limits: Limits, access: Access, table: F) -> Self
    where
        F: Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static,
        F::Future: Send,
    {
        let guards = (limits, Vec::new(), Budget::new(limits.held_bytes), Some(access));
        Self::with(None, Arc::default(), false, guards, table)
    }

    fn with<F>(
        finisher: Option<Finisher>,
        vitals: Arc<Vitals>,
        access_log: bool,
        guards: (Limits, Vec<Proxy>, Budget, Option<Access>),
        table: F,
    ) -> Self
    where
        F: Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static,
        F::Future: Send,
    {
        let routes = warp::service(table);
        let routes = Box::new(move |request| -> Routed { Box::pin(routes.clone().call(request)) });
        let (limits, proxies, budget, private) = guards;
        let private = private.map(|access| (access, RefusalLog::default()));
        let turns = Turns::for_processors();
        let inner = Inner { finisher, vitals, access_log, limits, proxies, budget, turns, private, routes };
        Self { inner: Arc::new(inner) }
    }

    /// `began`: when the head was complete. `is_alone`: no other request is in flight on its connection.
    pub(crate) fn admit<B>(
        &self,
        request: &Request<B>,
        began: Instant,
        is_alone: bool,
    ) -> ControlFlow<Response, Reserved> {
        let inner = &*self.inner;
        let mut reserved = Reserved::default();
        let refusal = match guard::measure(request, &inner.limits) {
            Break(refusal) => refusal,
            Continue(bytes) => {
                // Operators must be answered under load.
                if inner.finisher.is_none() || inner.budget.grow(&mut reserved, REQUEST + bytes, is_alone) {
                    return Continue(reserved);
                }
                // So must the health check: a service that fails it is restarted.
                if Route::for_path(request.uri().path()).template() == HEALTH {
                    routes::healthy(request.method())
                } else {
                    reply::fault(&budget::exhausted())
                }
            }
        };
        let Some(finisher) = &inner.finisher else { return Break(refusal) };
        let tracked = Tracked::begin(request, began, &inner.vitals, inner.access_log);
        let mut facts = RequestFacts::read(request);
        if matches!(refusal.status(), StatusCode::BAD_REQUEST | StatusCode::SERVICE_UNAVAILABLE) {
            facts.close(request.version());
        }
        let mut response = facts.finish(refusal, finisher);
        tracked.end(&mut response);
        Break(response)
    }

    /// The caller holds the reserved memory until the response is written.
    pub(crate) async fn answer(
        &self,
        mut request: Request<Incoming>,
        began: Instant,
        (mut reserved, is_alone): (Reserved, bool),
        (turns, is_in_bulk): (&Turns, bool),
    ) -> (Response, Reserved) {
        let inner = &*self.inner;
        let tracked = Tracked::begin(&request, began, &inner.vitals, inner.access_log);
        let mut facts = RequestFacts::read(&request);
        let version = request.version();
        guard::set_host_from_target(&mut request);
        let response = if let Some(refusal) = inner.refuse_foreign(request.headers()) {
            refusal
        } else {
            let is_mcp = tracked.route() == MCP_PATH;
            if inner.finisher.is_some() {
                cut_head(&mut request, tracked.route());
                if is_mcp {
                    request.extensions_mut().insert((turns.clone(), is_in_bulk));
                }
            }
            // The call is inside `catch_unwind`, too: a filter may panic before it returns a future.
            let routed = AssertUnwindSafe(async { (inner.routes)(request).await }).catch_unwind();
            // MCP takes its turns itself. A turn inside another could wait for it forever.
            let in_turns = is_in_bulk && !is_mcp;
            match if in_turns { turns.poll_in_turns(routed).await } else { routed.await } {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(panic) => after_panic(&*panic, &tracked),
            }
        };
        let Some(finisher) = &inner.finisher else { return (response, reserved) };
        let mut response = facts.finish(response, finisher);
        let occupied = response.extensions_mut().remove::<Occupied>().map(|Occupied(bytes)| bytes);
        let lower = response.body().size_hint().lower();
        let bytes = occupied.unwrap_or_else(|| usize::try_from(lower).unwrap_or(usize::MAX));
        if !inner.budget.grow(&mut reserved, bytes.saturating_add(OVERHEAD), is_alone) {
            facts.close(version);
            response = facts.finish(reply::fault(&budget::exhausted()), finisher);
        }
        tracked.end(&mut response);
        (response, reserved)
    }
}

impl Inner {
    fn refuse_foreign(&self, headers: &HeaderMap) -> Option<Response> {
        let (access, refusals) = self.private.as_ref()?;
        let refusal = access.check_rebinding(headers).err()?;
        refusals.log(&refusal);
        Some(reply::fault(&Fault::of_transport(FaultKind::Forbidden, &refusal.message())))
    }
}

/// warp keeps a request until it is answered, even while its body is awaited.
fn cut_head<B>(request: &mut Request<B>, route: &str) {
    let read: &[HeaderName] = match route {
        MCP_PATH => {
            *request.uri_mut() = Uri::from_static(MCP_PATH);
            &mcp::FIELDS
        }
        // Files are sent as the client accepts them.
        Route::OTHER => &[header::ACCEPT_ENCODING, header::IF_NONE_MATCH],
        _ => &[],
    };
    let whole = std::mem::take(request.headers_mut());
    for name in read {
        for value in whole.get_all(name) {
            request.headers_mut().append(name, value.clone());
        }
    }
}

fn after_panic(panic: &(dyn Any + Send), tracked: &Tracked<'_>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let (id, route) = (tracked.id(), tracked.route());
    tracing::error!(id, route, panic = text.unwrap_or("no message"), "a request was answered by 500");
    let message = "something went wrong on our side; it has been noted";
    reply::fault(&Fault::of_transport(FaultKind::Internal, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_cut_to_what_its_route_reads() {
        let cut = |target: &str| {
            let mut request = Request::builder().uri(target);
            for name in ["host", "origin", "cookie", "accept", "accept-encoding", "mcp-method", "x-large"] {
                request = request.header(name, "a").header(name, "b");
            }
            let mut request = request.body(()).unwrap();
            let route = Route::for_path(request.uri().path()).template();
            cut_head(&mut request, route);
            let names: Vec<_> = request.headers().keys().map(|name| name.as_str().to_owned()).collect();
            assert_eq!(request.headers().len(), names.len() * 2, "{target}");
            (request.uri().to_string(), names.join(" "))
        };
        let long = format!("/api/mcp/?{}", "x".repeat(8_000));
        assert_eq!(cut(&long), ("/api/mcp".to_owned(), "host origin accept mcp-method".to_owned()));
        assert_eq!(cut("/fhir/metadata"), ("/fhir/metadata".to_owned(), "accept-encoding".to_owned()));
        assert_eq!(cut("/v1/states?x=1"), ("/v1/states?x=1".to_owned(), String::new()));
    }
}
