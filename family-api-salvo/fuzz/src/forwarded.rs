//! Headers of proxies (HTTP reference, "Network addresses and proxies").

use std::net::SocketAddr;

use family_api_salvo::TrustedProxies;
use salvo::Request;
use salvo::http::{HeaderName, HeaderValue};

const PROXY: [u8; 4] = [127, 0, 0, 1];
const CLIENT: [u8; 4] = [192, 0, 2, 1];

/// The header, and what the proxy appends to it.
const APPENDED: [(&str, &str); 3] = [
    ("x-forwarded-for", "192.0.2.1"),
    ("forwarded", "for=192.0.2.1"),
    ("forwarded", r#"for="192.0.2.1:80";proto=https"#),
];

/// Lines of a header that a client sends. Checks that they do not change the address that a trusted proxy appends, and
/// that they change nothing if no trusted proxy has sent them.
pub fn forwarded(data: &[u8]) {
    let lines = data.split(|byte| *byte == b'\n').filter_map(|line| HeaderValue::from_bytes(line).ok());
    let lines: Vec<HeaderValue> = lines.collect();
    for (name, appended) in APPENDED {
        let req = rewritten(CLIENT, name, &lines);
        assert_eq!((req.remote_addr().ip(), req.scheme().as_str()), (Some(CLIENT.into()), "http"), "{name}: {lines:?}");
        let (first_lines, last_line) = lines.split_at(lines.len().saturating_sub(1));
        let last_line = last_line.iter().flat_map(|line| [line.as_bytes(), b", "]).chain([appended.as_bytes()]);
        let last_line = HeaderValue::from_bytes(&last_line.collect::<Vec<_>>().concat()).unwrap();
        let req = rewritten(PROXY, name, &[first_lines, &[last_line]].concat());
        assert_eq!(req.remote_addr().ip(), Some(CLIENT.into()), "{name}: {lines:?}");
    }
}

/// Returns a request with these header lines, as the middleware leaves it.
fn rewritten(sender: [u8; 4], name: &'static str, lines: &[HeaderValue]) -> Request {
    let mut req = Request::new();
    *req.remote_addr_mut() = SocketAddr::from((sender, 80)).into();
    for line in lines {
        req.headers_mut().append(HeaderName::from_static(name), line.clone());
    }
    TrustedProxies::new(["127.0.0.1".parse().unwrap()]).apply(&mut req);
    req
}
