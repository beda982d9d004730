//! Attacks on the client's address with forged, repeated, long and malformed headers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::IpAddr;

use family_api_salvo::{Peer, TrustedProxies};
use salvo::Request;
use salvo::conn::SocketAddr;
use salvo::http::uri::Scheme;
use salvo::http::{HeaderName, HeaderValue};

const PROXY: &str = "127.0.0.1";
const FORWARDED: &str = "forwarded";
const FOR: &str = "x-forwarded-for";
const PROTO: &str = "x-forwarded-proto";
const HOST: &str = "x-forwarded-host";

fn proxies() -> TrustedProxies {
    TrustedProxies::new([PROXY, "10.0.0.0/8", "fd00::/8"].map(|network| network.parse().unwrap()))
}

/// Returns a request that `sender` sends with these headers, as the middleware leaves it.
fn rewritten(sender: &str, headers: &[(&'static str, &[u8])]) -> Request {
    let mut req = Request::new();
    let sender: IpAddr = sender.parse().unwrap();
    *req.remote_addr_mut() = std::net::SocketAddr::new(sender, 4711).into();
    req.headers_mut().insert("host", HeaderValue::from_static("server.example"));
    for (name, value) in headers {
        req.headers_mut().append(HeaderName::from_static(name), HeaderValue::from_bytes(value).unwrap());
    }
    proxies().apply(&mut req);
    req
}

/// Returns the client's address in a request that the proxy sends with these headers.
fn client(headers: &[(&'static str, &[u8])]) -> String {
    rewritten(PROXY, headers).remote_addr().ip().unwrap().to_string()
}

/// Returns the address, port, scheme and host of a request.
fn facts(req: &Request) -> (String, Option<u16>, Scheme, &str) {
    let address = req.remote_addr().ip().unwrap().to_string();
    (address, req.remote_addr().port(), req.scheme().clone(), req.headers()["host"].to_str().unwrap())
}

#[test]
fn headers_of_other_senders_are_ignored() {
    for sender in ["192.0.2.1", "127.0.0.2", "11.0.0.1", "::1", "2001:db8::1", "::ffff:192.0.2.1"] {
        let forged: [&[(&str, &[u8])]; 2] = [
            &[(FOR, b"198.51.100.1"), (PROTO, b"https"), (HOST, b"evil.example")],
            &[(FORWARDED, b"for=198.51.100.1;proto=https;host=evil.example")],
        ];
        for headers in forged {
            let req = rewritten(sender, headers);
            assert_eq!(
                facts(&req),
                (sender.parse::<IpAddr>().unwrap().to_string(), Some(4711), Scheme::HTTP, "server.example")
            );
        }
    }
}

#[test]
fn request_without_an_ip_address_is_not_rewritten() {
    let socket = std::os::unix::net::SocketAddr::from_pathname("/run/proxy.sock").unwrap();
    for sender in [SocketAddr::Unknown, tokio::net::unix::SocketAddr::from(socket).into()] {
        let mut req = Request::new();
        *req.remote_addr_mut() = sender;
        req.headers_mut().insert(FOR, HeaderValue::from_static("192.0.2.1"));
        proxies().apply(&mut req);
        assert_eq!(Peer::of(&req), None);
    }
}

#[test]
fn without_headers_the_proxy_is_the_client() {
    assert_eq!(facts(&rewritten(PROXY, &[])), (PROXY.to_owned(), Some(4711), Scheme::HTTP, "server.example"));
    assert_eq!(facts(&rewritten("::ffff:10.0.0.1", &[])).0, "::ffff:10.0.0.1");
}

#[test]
fn client_is_the_rightmost_address_that_is_no_trusted_proxy() {
    for (list, expected) in [
        ("192.0.2.1", "192.0.2.1"),
        ("198.51.100.1, 192.0.2.1", "192.0.2.1"),
        ("198.51.100.1,192.0.2.1 , 10.0.0.1", "192.0.2.1"),
        ("198.51.100.1, 192.0.2.1, 10.0.0.1, fd00::1, ::ffff:10.0.0.2", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("10.0.0.2, 10.0.0.1", "10.0.0.2"),
        ("192.0.2.1:80, [fd00::1%eth0]:443", "192.0.2.1"),
        ("[fe80::1%25eth0]:80, [fd00::1%25eth0]:80", "fe80::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ] {
        assert_eq!(client(&[(FOR, list.as_bytes())]), expected, "{list}");
        let element = |hop: &str| format!(r#"for="{}""#, hop.trim());
        let elements = list.split(',').map(element).collect::<Vec<_>>().join(", ");
        assert_eq!(client(&[(FORWARDED, elements.as_bytes())]), expected, "{elements}");
    }
    // The server listens on IPv6, and the proxy connects over IPv4.
    assert_eq!(facts(&rewritten("::ffff:127.0.0.1", &[(FOR, b"192.0.2.1")])).0, "192.0.2.1");
}

#[test]
fn proxy_that_does_not_name_its_sender_is_the_client() {
    for (hop, last_known) in [
        ("unknown", PROXY),
        ("_hidden", PROXY),
        ("", PROXY),
        ("192.0.2.1, unknown", PROXY),
        ("192.0.2.1, ", PROXY),
        (",,", PROXY),
        ("192.0.2.1, , 10.0.0.1", "10.0.0.1"),
        ("192.0.2.1, １９２.0.2.1", PROXY),
        ("192.0.2.1, 192.0.2.300", PROXY),
        ("192.0.2.1 198.51.100.1", PROXY),
        ("192.0.2.1;198.51.100.1", PROXY),
        ("192.0.2.1, unknown, 10.0.0.1", "10.0.0.1"),
        ("192.0.2.1, 10.0.0.1:99999, 10.0.0.2", "10.0.0.2"),
    ] {
        assert_eq!(client(&[(FOR, hop.as_bytes())]), last_known, "{hop:?}");
    }
    for (line, last_known) in [
        ("", PROXY),
        (",", PROXY),
        ("proto=https", PROXY),
        ("for=unknown", PROXY),
        ("for=_hidden, for=10.0.0.1", "10.0.0.1"),
        ("for=192.0.2.1, for=", PROXY),
        ("for=192.0.2.1;for=198.51.100.1", PROXY),
        (r#"for="192.0.2.1"#, PROXY),
        (r#"for=\"192.0.2.1\""#, PROXY),
    ] {
        assert_eq!(client(&[(FORWARDED, line.as_bytes())]), last_known, "{line:?}");
    }
    assert_eq!(client(&[(FOR, b"192.0.2.1, 192.0.2.1\xff")]), PROXY);
    assert_eq!(client(&[(FORWARDED, b"for=192.0.2.1, for=192.0.2.1;x=\xff")]), PROXY);
}

#[test]
fn repeated_headers_are_one_list() {
    assert_eq!(client(&[(FOR, b"198.51.100.1"), (FOR, b"192.0.2.1")]), "192.0.2.1");
    assert_eq!(client(&[(FOR, b"192.0.2.1"), (FOR, b"10.0.0.1, 10.0.0.2")]), "192.0.2.1");
    assert_eq!(client(&[(FORWARDED, b"for=\"198.51.100.1"), (FORWARDED, b"for=192.0.2.1")]), "192.0.2.1");
    assert_eq!(client(&[(FOR, b"192.0.2.1"), (FOR, b"")]), PROXY);
}

#[test]
fn ten_thousand_hops_do_not_hide_the_client() {
    let forged = "198.51.100.1, ".repeat(10_000);
    assert_eq!(client(&[(FOR, format!("{forged}192.0.2.1").as_bytes())]), "192.0.2.1");
    let forged = "for=198.51.100.1, ".repeat(10_000);
    assert_eq!(client(&[(FORWARDED, format!("{forged}for=192.0.2.1").as_bytes())]), "192.0.2.1");
    // After 32 trusted proxies, the rest of the list is not read.
    let trusted = ", 10.0.0.1".repeat(31);
    assert_eq!(client(&[(FOR, format!("192.0.2.1{trusted}").as_bytes())]), "192.0.2.1");
    assert_eq!(client(&[(FOR, format!("192.0.2.1, 10.0.0.2{trusted}").as_bytes())]), "10.0.0.2");
    assert_eq!(client(&[(FOR, format!("192.0.2.1{}", ", 10.0.0.1".repeat(10_000)).as_bytes())]), "10.0.0.1");
    let long = format!("for=192.0.2.1;x={}", "x".repeat(1_000));
    assert_eq!(client(&[(FORWARDED, long.as_bytes())]), PROXY);
}

#[test]
fn quoted_text_of_the_client_is_not_a_hop() {
    // The proxy quotes the client's `Host`, which can contain anything.
    for (host, expected) in [
        (", for=198.51.100.1", "192.0.2.1"),
        (r"\\, for=198.51.100.1", "192.0.2.1"),
        (r#"\"b, for=198.51.100.1;x=c"#, "192.0.2.1"),
        (r#"\", for=198.51.100.1;x=\""#, PROXY),
    ] {
        let line = format!(r#"for=192.0.2.1;host="{host}""#);
        assert_eq!(client(&[(FORWARDED, line.as_bytes())]), expected, "{line}");
    }
}

#[test]
fn scheme_and_host_come_with_the_client() {
    for (headers, scheme, host) in [
        (&[(PROTO, "https"), (HOST, "a.example:8443")][..], Scheme::HTTPS, "a.example:8443"),
        (&[(PROTO, "HTTPS")], Scheme::HTTPS, "server.example"),
        (&[(PROTO, "http")], Scheme::HTTP, "server.example"),
        (&[(PROTO, "https, http")], Scheme::HTTP, "server.example"),
        (&[(PROTO, "https"), (PROTO, "https")], Scheme::HTTP, "server.example"),
        (&[(PROTO, "gopher"), (HOST, "a/b")], Scheme::HTTP, "server.example"),
        (&[(HOST, "a.example, b.example")], Scheme::HTTP, "server.example"),
        (&[(HOST, "user@a.example")], Scheme::HTTP, "server.example"),
        (&[(HOST, "")], Scheme::HTTP, "server.example"),
        (&[(FORWARDED, "for=192.0.2.1;proto=https;host=a.example")], Scheme::HTTPS, "a.example"),
        (
            &[(FORWARDED, "for=192.0.2.1;proto=https;host=a.example, for=10.0.0.1;proto=http;host=b")],
            Scheme::HTTPS,
            "a.example",
        ),
        (&[(FORWARDED, "for=1.1.1.1;proto=https;host=evil.example, for=192.0.2.1")], Scheme::HTTP, "server.example"),
        (&[(FORWARDED, "for=unknown;proto=https")], Scheme::HTTPS, "server.example"),
    ] {
        let bytes: Vec<(&'static str, &[u8])> = headers.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
        let req = rewritten(PROXY, &bytes);
        assert_eq!((req.scheme(), req.headers()["host"].to_str().unwrap()), (&scheme, host), "{headers:?}");
    }
}

#[test]
fn two_kinds_of_header_must_state_the_same() {
    assert_eq!(client(&[(FORWARDED, b"for=192.0.2.1"), (FOR, b"192.0.2.1:80")]), "192.0.2.1");
    let forged = [(FORWARDED, &b"for=198.51.100.1"[..]), (FOR, b"198.51.100.2, 198.51.100.3")];
    let appended = [(FORWARDED, &b"for=192.0.2.1"[..]), (FOR, b"192.0.2.1")];
    assert_eq!(client(&[forged, appended].concat()), "192.0.2.1");
    for headers in [
        &[(FORWARDED, &b"for=198.51.100.1"[..]), (FOR, b"192.0.2.1")][..],
        &[(FORWARDED, b"for=192.0.2.1"), (FOR, b"198.51.100.1")],
        &[(FORWARDED, b"garbage"), (FOR, b"192.0.2.1")],
        &[(FORWARDED, b"for=192.0.2.1"), (PROTO, b"https")],
        &[(FORWARDED, b"for=192.0.2.1;proto=https"), (FOR, b"192.0.2.1"), (PROTO, b"http")],
        &[(FORWARDED, b"for=192.0.2.1;host=evil.example"), (FOR, b"192.0.2.1")],
    ] {
        let req = rewritten(PROXY, headers);
        assert_eq!(facts(&req), (PROXY.to_owned(), Some(4711), Scheme::HTTP, "server.example"), "{headers:?}");
    }
}
