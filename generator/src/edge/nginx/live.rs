use directory::api::{Fault, FaultKind, MCP_PATH};
use standards::FHIR_ROOT;

use crate::edge::authority;
use crate::edge::token::{EdgeError, Token};

/// Over HTTP the value is empty, and nginx leaves out empty headers.
pub(super) const HSTS: &str = "add_header Strict-Transport-Security $nameplate_hsts always;";

#[derive(Debug)]
pub(super) struct Live {
    names: String,
    is_secure: bool,
    authority: Token,
    host: Token,
    port: Token,
}

impl Live {
    /// Refuses an IP address over TLS, because nginx only compares certificates with names.
    pub(super) fn parse(address: &str, names: String) -> Result<Self, EdgeError> {
        let (scheme, authority) = authority(address)?;
        let is_secure = scheme.eq_ignore_ascii_case("https");
        let split = authority.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
        let (host, port) = split.unwrap_or((authority, if is_secure { "443" } else { "80" }));
        if is_secure && (host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok()) {
            return Err(EdgeError::UpstreamWithoutName(address.to_owned()));
        }
        Ok(Self { names, is_secure, authority: authority.parse()?, host: host.parse()?, port: port.parse()? })
    }

    pub(super) fn http(&self) -> String {
        let Self { names, host, port, .. } = self;
        let mut text = format!(
            "\
# With max_fails=0 nginx never avoids a server. By default it avoids one for ten seconds after a single failure, so
# that a rolling restart, which takes less, leaves it without any. A request that finds no server at one address is
# sent to the next address at once. Kept connections end after 60 seconds, before live ends them (limits.idle, 80 s).
upstream {names}-live {{
  server {host}:{port} max_fails=0;
  keepalive 16;
  keepalive_timeout 60s;
}}
# Static files aren't rate-limited. For live, each address may burst to 200 requests, then 100 a second; more are
# delayed, and get 503 once 400 are waiting. So a client that sends one request after another is slowed down and never
# refused. Assistants ask for many people from few addresses; a person's page asks less than ten times.
# If another proxy stands before this server, set_real_ip_from and real_ip_header make the address the client's.
limit_req_zone $binary_remote_addr zone={names}-requests:10m rate=100r/s;
limit_conn_zone $binary_remote_addr zone={names}-connections:10m;
# FHIR has no parameters, so one answer is kept of each path, whatever its query.
map $request_uri $nameplate_key {{
  default $request_uri;
  \"~^(?<nameplate_path>{FHIR_ROOT}/[^?]*)\" $nameplate_path;
}}
"
        );
        if self.is_secure {
            text.push_str(
                "\
# Needed beside this file, once for all clinics: the authorities that may sign live's certificate. On Debian and Ubuntu:
# proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;
# On RHEL and Fedora: proxy_ssl_trusted_certificate /etc/pki/tls/certs/ca-bundle.crt;
",
            );
        }
        text
    }

    /// nginx answers itself if live is unreachable or its certificate is wrong. It tries no further server after ten
    /// seconds.
    fn pass(&self) -> String {
        let Self { names, authority, host, .. } = self;
        let scheme = if self.is_secure { "https" } else { "http" };
        let verify = if self.is_secure {
            format!(
                "proxy_ssl_verify on;\n  proxy_ssl_verify_depth 4;\n  proxy_ssl_server_name on;\n  \
                 proxy_ssl_name {host};\n  "
            )
        } else {
            String::new()
        };
        format!(
            "proxy_pass {scheme}://{names}-live;\n  proxy_http_version 1.1;\n  proxy_set_header Connection \"\";\n  \
             proxy_set_header Host {authority};\n  {verify}proxy_connect_timeout 3s;\n  proxy_read_timeout 26s;\n  \
             proxy_next_upstream_tries 3;\n  proxy_next_upstream_timeout 10s;\n  \
             limit_req zone={names}-requests burst=400 delay=200;\n  limit_conn {names}-connections 200;\n  \
             error_page 502 504 = @live_unreachable;\n  error_page 503 = @live_limited;\n  {HSTS}"
        )
    }
}

pub(super) fn locations(live: Option<&Live>, unreachable: &Fault, json: &str, headers: &str) -> String {
    let answer = |fault: &Fault, field: &str| {
        let (status, body) = (fault.kind().status(), String::from_utf8_lossy(&fault.body()).into_owned());
        format!("{{\n  {json}\n  {headers}\n  {field}return {status} '{body}';\n}}\n")
    };
    let Some(live) = live else {
        let not_found = answer(&Fault::not_found(), "");
        return format!(
            "location @live {not_found}location @live_uncached {not_found}location = {MCP_PATH} {not_found}"
        );
    };
    let retry_later = |fault: &Fault| {
        answer(fault, "add_header Retry-After 1 always;\n  add_header Cache-Control no-store always;\n  ")
    };
    let message = "too many requests from this address; try again shortly";
    let limited = retry_later(&Fault::of_transport(FaultKind::Overloaded, message));
    let unreachable = retry_later(unreachable);
    let (pass, names) = (live.pass(), &live.names);
    // A cached answer must not have the first request's id. `non_idempotent` lets nginx send a POST to a second server,
    // which is safe because tools only read.
    format!(
        "location @live {{\n  {pass}\n  proxy_hide_header X-Request-Id;\n  proxy_cache {names};\n  \
         proxy_cache_key $request_method$nameplate_key;\n  \
         proxy_cache_use_stale error timeout updating http_500 http_502 http_503 http_504;\n  \
         proxy_cache_background_update on;\n  proxy_cache_lock on;\n}}\n\
         location @live_uncached {{\n  {pass}\n  proxy_cache off;\n}}\n\
         location = {MCP_PATH} {{\n  {pass}\n  proxy_cache off;\n  \
         proxy_next_upstream error timeout non_idempotent;\n  proxy_buffering off;\n}}\n\
         location @live_unreachable {unreachable}location @live_limited {limited}"
    )
}
