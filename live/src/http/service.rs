//! Answers one request, from its parsed head to the response: guard, routes, finish. A panic becomes a 500.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use directory::api::{Fault, FaultKind};
use futures_util::FutureExt;
use hyper::body::{Body as _, Incoming};
use tokio::time::Instant;
use tower_service::Service as _;
use warp::Filter;
use warp::http::{HeaderMap, Request, StatusCode};

use crate::budget::{self, Budget, Held, Reserved};
use crate::clock::Clock;
use crate::config::{Access, Limits, Proxy};
use crate::dev::Dev;
use crate::http::fhir::Fhir;
use crate::http::finish::{Finisher, RequestFacts};
use crate::http::guard;
use crate::http::rest::Rest;
use crate::http::routes::{self, Handlers};
use crate::http::site::Site;
use crate::http::tracked::Tracked;
use crate::mcp::Mcp;
use crate::options::Options;
use crate::refusal_log::RefusalLog;
use crate::reply::{self, Response};
use crate::store::Store;
use crate::vitals::Vitals;

/// The memory that a response takes besides its body, as an estimate.
const OVERHEAD: usize = 4096;

type Routed = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

/// Answers REST and MCP requests, and serves the files of a site if one is configured. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    inner: Arc<Inner>,
}

struct Inner {
    /// Finishes public responses; `None` for operators' responses, which are sent as they are.
    finisher: Option<Finisher>,
    vitals: Arc<Vitals>,
    access_log: bool,
    limits: Limits,
    proxies: Vec<Proxy>,
    budget: Budget,
    /// What refuses foreign Hosts; `None` if everything here is public.
    private: Option<(Access, RefusalLog)>,
    routes: Box<dyn Fn(Request<Incoming>) -> Routed + Send + Sync>,
}

impl fmt::Debug for Service {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Service").field("limits", &self.inner.limits).finish_non_exhaustive()
    }
}

impl Service {
    /// Answers from the store's current snapshot, at the clock's time.
    #[must_use]
    pub fn new(store: Arc<Store>, clock: Clock, options: Options) -> Self {
        let Options { limits, proxies, access, site, vitals, access_log, dev } = options;
        let budget = Budget::new(limits.held_bytes);
        let mut finisher = Finisher::new(Arc::clone(&store));
        if dev.is_some() {
            finisher = finisher.for_development();
        }
        let private = dev.is_some().then(|| access.clone());
        let dev = dev.map(|address| Dev::new(address, Arc::clone(&store), Arc::clone(&vitals)));
        let handlers = Handlers {
            rest: Rest::new(Arc::clone(&store), clock),
            fhir: Fhir::new(Arc::clone(&store), clock),
            mcp: Mcp::new(Arc::clone(&store), clock, access, limits, budget.clone(), Arc::clone(&vitals)),
            site: site.map(|folder| Site::new(folder, store, dev)),
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
        Self::with(Some(Finisher::new(store)), Arc::default(), false, guards, table)
    }

    /// The operators' service: responses are not finished.
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
        // A warp service is always ready.
        let routes = Box::new(move |request| -> Routed { Box::pin(routes.clone().call(request)) });
        let (limits, proxies, budget, private) = guards;
        let private = private.map(|access| (access, RefusalLog::default()));
        let inner = Inner { finisher, vitals, access_log, limits, proxies, budget, private, routes };
        Self { inner: Arc::new(inner) }
    }

    pub(crate) fn vitals(&self) -> &Arc<Vitals> {
        &self.inner.vitals
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    pub(crate) fn proxies(&self) -> &[Proxy] {
        &self.inner.proxies
    }

    /// Answers one request, whose head was complete at `began`. Returns the response and the reserved memory, which the
    /// caller holds until the response is written.
    pub(crate) async fn answer(
        &self,
        mut request: Request<Incoming>,
        began: Instant,
    ) -> (Response, Option<Reserved>) {
        let inner = &*self.inner;
        let tracked = Tracked::begin(&request, began, &inner.vitals, inner.access_log);
        let mut facts = RequestFacts::of(&request);
        let version = request.version();
        let response = if let Some(refusal) = guard::refuse(&request, &inner.limits) {
            if refusal.status() == StatusCode::BAD_REQUEST {
                facts.close(version);
            }
            refusal
        } else {
            guard::set_host_from_target(&mut request);
            if let Some(refusal) = inner.refuse_foreign(request.headers()) {
                refusal
            } else {
                // The call is inside `catch_unwind`, too: a filter may panic before it returns a future.
                match AssertUnwindSafe(async { (inner.routes)(request).await }).catch_unwind().await {
                    Ok(Ok(response)) => response,
                    Ok(Err(never)) => match never {},
                    Err(panic) => after_panic(&*panic, &tracked),
                }
            }
        };
        let Some(finisher) = &inner.finisher else { return (response, None) };
        let mut response = facts.finish(response, finisher);
        let mut reserved = None;
        // The health check must succeed under load: a service that fails it is restarted.
        if !tracked.is_health() {
            let held = response.extensions_mut().remove::<Held>().map(|Held(bytes)| bytes);
            let lower = response.body().size_hint().lower();
            let bytes = held.unwrap_or_else(|| usize::try_from(lower).unwrap_or(usize::MAX));
            reserved = inner.budget.try_reserve(bytes.saturating_add(OVERHEAD));
            if reserved.is_none() {
                facts.close(version);
                response = facts.finish(reply::fault(&budget::exhausted()), finisher);
            }
        }
        tracked.end(&mut response);
        (response, reserved)
    }
}

impl Inner {
    /// Refuses a Host that is not this service's own.
    fn refuse_foreign(&self, headers: &HeaderMap) -> Option<Response> {
        let (access, refusals) = self.private.as_ref()?;
        let refusal = access.check_rebinding(headers).err()?;
        refusals.log(&refusal);
        Some(reply::fault(&Fault::of_transport(FaultKind::Forbidden, &refusal.message())))
    }
}

fn after_panic(panic: &(dyn Any + Send), tracked: &Tracked<'_>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let (id, route) = (tracked.id(), tracked.route());
    tracing::error!(id, route, panic = text.unwrap_or("not a text"), "a request was answered by 500");
    let message = "something went wrong on our side; it has been noted";
    reply::fault(&Fault::of_transport(FaultKind::Internal, message))
}
