use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use directory::api::shown;
use directory::model::{Directory, Generation, Organization};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use warp::http::StatusCode;
use warp::http::header::HeaderMap;

use super::instructions;
use super::params::Params;
use super::rpc::{self, Call, METHOD_NOT_FOUND, RpcError};
use super::tools::{self, ToolOutcome};
use super::versions::{self, Era};
use super::view;
use crate::store::Served;
use crate::vitals::Vitals;
use feed::Clock;

/// For the envelope of a result, with the members that the modern revision adds.
const ENVELOPE: usize = 512;
/// The modern revision adds them to lists. Clients may cache these as long as REST's catalog.
const LIST_MEMBERS: &[u8] = br#"{"ttlMs":300000,"cacheScope":"public"}"#;

#[derive(Debug)]
pub(super) struct Methods {
    clock: Clock,
    vitals: Arc<Vitals>,
    tools: ToolList,
}

pub(super) enum Reply<'a> {
    Result(Era, MethodResult<'a>),
    /// With the status of the response if this is its only reply.
    Error(StatusCode, RpcError),
}

/// The modern revision adds members to it.
pub(super) enum MethodResult<'a> {
    Object(Cow<'a, [u8]>),
    /// Clients may cache it.
    List(Cow<'a, [u8]>),
    Discovery(Cow<'a, [u8]>),
    Tool(ToolOutcome),
}

impl Methods {
    pub(super) fn new(clock: Clock, vitals: Arc<Vitals>) -> Self {
        Self { clock, vitals, tools: ToolList::default() }
    }

    pub(super) fn reply(&self, snapshot: &Served, call: &Call<'_>, headers: &HeaderMap) -> Reply<'_> {
        let era = match versions::era_of(call, headers) {
            Ok(era) => era,
            Err(error) => return Reply::Error(StatusCode::BAD_REQUEST, error),
        };
        match self.result(era, call, snapshot) {
            Ok(result) => Reply::Result(era, result),
            Err(error) if era == Era::Modern && error.code == METHOD_NOT_FOUND => {
                Reply::Error(StatusCode::NOT_FOUND, error)
            }
            Err(error) => Reply::Error(StatusCode::OK, error),
        }
    }

    fn result(&self, era: Era, call: &Call<'_>, snapshot: &Served) -> Result<MethodResult<'_>, RpcError> {
        let clinic = snapshot.directory().organization();
        Ok(match (era, call.method.as_ref()) {
            (Era::Legacy, versions::INITIALIZE) => {
                MethodResult::Object(initialize(snapshot, &call.params).into())
            }
            (Era::Legacy, "ping") => MethodResult::Object(b"{}".into()),
            (Era::Modern, versions::DISCOVER) => MethodResult::Discovery(discover(clinic).into()),
            (_, "tools/list") => MethodResult::List(self.tools.of(snapshot.directory()).to_vec().into()),
            (_, "tools/call") => MethodResult::Tool(tools::call(snapshot, self.clock.now(), &call.params)?),
            (_, "resources/list") => MethodResult::List(view::list().into()),
            (_, "resources/templates/list") => MethodResult::List(br#"{"resourceTemplates":[]}"#.into()),
            (_, versions::READ_RESOURCE) => {
                let contents = view::read(era, &call.params, snapshot.directory())?;
                self.vitals.view_read();
                MethodResult::List(contents.into())
            }
            (_, method) => {
                return Err(RpcError::new(METHOD_NOT_FOUND, format!("Method not found: {}", shown(method))));
            }
        })
    }
}

impl MethodResult<'_> {
    fn size(&self) -> usize {
        match self {
            Self::Object(object) | Self::List(object) | Self::Discovery(object) => object.len(),
            Self::Tool(outcome) => outcome.size(),
        }
    }
}

impl Reply<'_> {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Result(_, result) => result.size() + ENVELOPE,
            Self::Error(..) => ENVELOPE,
        }
    }

    pub(super) fn write(self, to: &mut Vec<u8>, id: &RawValue, snapshot: &Served) {
        let (era, result) = match self {
            Self::Result(era, result) => (era, result),
            Self::Error(_, error) => return to.extend_from_slice(&rpc::error(Some(id), &error)),
        };
        let server = &snapshot.prepared.server_info;
        let further = match (era, &result) {
            (Era::Legacy, _) => [None, None],
            (Era::Modern, MethodResult::Discovery(_)) => [Some(LIST_MEMBERS), Some(&*server.of_discovery)],
            (Era::Modern, MethodResult::List(_)) => [Some(LIST_MEMBERS), Some(&*server.of_results)],
            (Era::Modern, _) => [None, Some(&*server.of_results)],
        };
        to.reserve(result.size() + id.get().len() + ENVELOPE);
        rpc::begin(to, id);
        match result {
            MethodResult::Object(object) | MethodResult::List(object) | MethodResult::Discovery(object) => {
                to.extend_from_slice(without_last_brace(&object));
            }
            MethodResult::Tool(outcome) => outcome.write(to),
        }
        for members in further.into_iter().flatten() {
            if !to.ends_with(b"{") {
                to.push(b',');
            }
            to.extend_from_slice(&without_last_brace(members)[1..]);
        }
        to.push(b'}');
        to.push(rpc::END);
    }
}

/// Of the last content, as making it takes a millisecond.
#[derive(Debug, Default)]
struct ToolList(Mutex<Option<(Generation, Bytes)>>);

pub fn tool_list(directory: &Directory) -> String {
    json!({ "tools": tools::list(directory) }).to_string()
}

impl ToolList {
    fn of(&self, directory: &Directory) -> Bytes {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((generation, listed)) = &*last
            && generation == directory.generation()
        {
            return listed.clone();
        }
        let listed = Bytes::from(tool_list(directory));
        *last = Some((directory.generation().clone(), listed.clone()));
        listed
    }
}

fn initialize(snapshot: &Served, params: &Params<'_>) -> Vec<u8> {
    let result = json!({
        "protocolVersion": versions::negotiated(params),
        "capabilities": capabilities(),
        "serverInfo": snapshot.prepared.server_info.whole,
        "instructions": instructions::for_clinic(snapshot.directory().organization()),
    });
    result.to_string().into_bytes()
}

fn discover(clinic: &Organization) -> Vec<u8> {
    let result = json!({
        "supportedVersions": [versions::MODERN],
        "capabilities": capabilities(),
        "instructions": instructions::for_clinic(clinic),
    });
    result.to_string().into_bytes()
}

fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {}, "extensions": { view::EXTENSION: {} } })
}

fn without_last_brace(object: &[u8]) -> &[u8] {
    object.strip_suffix(b"}").unwrap_or(object)
}
