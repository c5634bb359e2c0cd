//! One request, from its parsed head to the response: guard, routes, exit, and a net for panics under all.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use directory::api::{Fault, FaultKind};
use futures_util::FutureExt;
use hyper::body::Incoming;
use tokio::time::Instant;
use tower_service::Service as _;
use warp::Filter;
use warp::http::{Request, StatusCode};

use crate::clock::Clock;
use crate::config::{Limits, Options};
use crate::dev::Dev;
use crate::finish::{Asked, Exit};
use crate::guard;
use crate::mcp::Mcp;
use crate::reply::{self, Response};
use crate::rest::Rest;
use crate::routes::{self, Faces};
use crate::site::Site;
use crate::store::Store;
use crate::vitals::Vitals;
use crate::watched::Watched;

type Routed = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

/// Answers requests: REST, MCP, and the files of a site where there is one. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    inner: Arc<Inner>,
}

struct Inner {
    /// What every answer to the public gets; operators get theirs as it is.
    exit: Option<Exit>,
    vitals: Arc<Vitals>,
    access_log: bool,
    limits: Limits,
    routes: Box<dyn Fn(Request<Incoming>) -> Routed + Send + Sync>,
}

impl fmt::Debug for Service {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Service").field("limits", &self.inner.limits).finish_non_exhaustive()
    }
}

impl Service {
    /// Answers from the store's current snapshot, as of the clock.
    #[must_use]
    pub fn new(store: Arc<Store>, clock: Clock, options: Options) -> Self {
        let Options { limits, access, site, vitals, access_log, dev } = options;
        let dev = dev.map(|address| Dev::new(address, Arc::clone(&store), Arc::clone(&vitals)));
        let faces = Faces {
            rest: Rest::new(Arc::clone(&store), clock),
            mcp: Mcp::new(Arc::clone(&store), clock, access, limits),
            site: site.map(|folder| Site::new(folder, Arc::clone(&store), dev)),
        };
        let table = routes::table(Arc::new(faces));
        Self::with(Some(Exit::new(store)), vitals, access_log, limits, table)
    }

    /// The same guard, exit and net around other routes.
    #[cfg(test)]
    pub(crate) fn around<F>(store: Arc<Store>, limits: Limits, table: F) -> Self
    where
        F: Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static,
        F::Future: Send,
    {
        Self::with(Some(Exit::new(store)), Arc::default(), false, limits, table)
    }

    /// The same guard and net around the routes of operators, without what the public's answers carry.
    pub(crate) fn for_operators<F>(limits: Limits, table: F) -> Self
    where
        F: Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static,
        F::Future: Send,
    {
        Self::with(None, Arc::default(), false, limits, table)
    }

    fn with<F>(exit: Option<Exit>, vitals: Arc<Vitals>, access_log: bool, limits: Limits, table: F) -> Self
    where
        F: Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static,
        F::Future: Send,
    {
        let routes = warp::service(table);
        // A warp service is always ready.
        let routes = move |request| -> Routed { Box::pin(routes.clone().call(request)) };
        Self { inner: Arc::new(Inner { exit, vitals, access_log, limits, routes: Box::new(routes) }) }
    }

    pub(crate) fn vitals(&self) -> &Arc<Vitals> {
        &self.inner.vitals
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// Answers one request, whose head was complete at `began`, whatever happens.
    pub(crate) async fn answer(&self, mut request: Request<Incoming>, began: Instant) -> Response {
        let inner = &*self.inner;
        let watched = Watched::begin(&request, began, &inner.vitals, inner.access_log);
        let mut asked = Asked::of(&request);
        let response = if let Some(refusal) = guard::refuse(&request, &inner.limits) {
            if refusal.status() == StatusCode::BAD_REQUEST {
                asked.close(request.version());
            }
            refusal
        } else {
            guard::settle_host(&mut request);
            // The routes are called inside the net, too: a filter may panic before it is a future.
            match AssertUnwindSafe(async { (inner.routes)(request).await }).catch_unwind().await {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(panic) => after(&*panic, &watched),
            }
        };
        let Some(exit) = &inner.exit else { return response };
        let mut response = asked.finish(response, exit);
        watched.end(&mut response);
        response
    }
}

/// What the client hears of a bug of ours; the log hears the rest.
fn after(panic: &(dyn Any + Send), watched: &Watched<'_>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let (id, route) = (watched.id(), watched.route());
    tracing::error!(id, route, panic = text.unwrap_or("not a text"), "a request was answered by 500");
    let message = "something went wrong on our side; it has been noted";
    reply::fault(&Fault::of_transport(FaultKind::Internal, message))
}
