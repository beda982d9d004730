//! Raw requests: the spelling of paths, and the `Host` header.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::sandbox::{Sandbox, Server};

/// Timeout of the test, far longer than any timeout of the server.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Sends bytes, and reads until the server closes the connection.
fn exchange(server: &Server, bytes: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.write_all(bytes.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Returns the statuses of all responses in the received bytes.
fn statuses(answers: &str) -> Vec<&str> {
    answers.split("HTTP/1.").skip(1).map(|answer| &answer[2..5]).collect()
}

#[test]
fn another_spelling_of_a_path_gets_404() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    for (method, path, status) in [
        ("POST", "/login", "400"),
        ("POST", "/login/", "404"),
        ("POST", "//login", "404"),
        ("POST", "/%6cogin", "404"),
        ("GET", "/login/", "404"),
        ("POST", "/logout/", "404"),
        ("GET", "/healthz", "200"),
        ("GET", "/healthz/", "404"),
        ("GET", "//healthz", "404"),
        ("GET", "/health%7A", "404"),
        ("GET", "/readyz/", "404"),
        ("GET", "/", "200"),
        ("GET", "//", "404"),
        ("GET", "/api/users/me/", "404"),
        ("GET", "/openapi.json/", "404"),
        ("GET", "/docs", "308"),
        ("GET", "/docs/", "200"),
        ("GET", "/docs//", "404"),
        ("GET", "/api/v1//me", "401"),
        ("GET", "/api/v1/me/", "401"),
        ("GET", "/%61pi/v1/me", "401"),
        ("GET", "/api/mcp/read/notes/", "401"),
        ("OPTIONS", "*", "404"),
    ] {
        let head = format!("{method} {path} HTTP/1.1\r\nhost: family.example\r\ncontent-type: application/json\r\n");
        let answer = exchange(&server, &format!("{head}connection: close\r\n\r\n"));
        assert_eq!(statuses(&answer), [status], "{method} {path}: {answer}");
        let is_problem = answer.contains("\r\ncontent-type: application/problem+json\r\n");
        assert_eq!(is_problem, status.starts_with('4'), "{method} {path}: {answer}");
    }
}

#[test]
fn a_request_must_name_exactly_one_host() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    for path in
        ["/healthz", "/api/v1/unknown", "/api/users/me", "/login", "/docs/", "/nonsense", "http://a.example/healthz"]
    {
        for (version, hosts, is_accepted) in [
            ("1.1", "host: family.example\r\n", true),
            ("1.1", "host: 127.0.0.1:8080\r\n", true),
            ("1.1", "host: [::1]:8080\r\n", true),
            ("1.0", "", true),
            ("1.0", "host: family.example\r\n", true),
            ("1.1", "", false),
            ("1.1", "host:\r\n", false),
            ("1.1", "host: a b\r\n", false),
            ("1.1", "host: user@a\r\n", false),
            ("1.1", "host: a/b\r\n", false),
            ("1.1", "host: a, b\r\n", false),
            ("1.1", "host: a:b\r\n", false),
            ("1.1", "host: a\r\nhost: a\r\n", false),
            ("1.1", "host: a\r\nhost: b\r\n", false),
            ("1.0", "host: a\r\nhost: b\r\n", false),
            ("1.0", "host: a b\r\n", false),
        ] {
            let answer = exchange(&server, &format!("GET {path} HTTP/{version}\r\n{hosts}connection: close\r\n\r\n"));
            let is_refused = answer.contains(r#""code":"invalid_request""#);
            assert_eq!(
                (statuses(&answer) != ["400"], !is_refused),
                (is_accepted, is_accepted),
                "{path} {hosts:?}: {answer}"
            );
            let is_problem = answer.contains("\r\ncontent-type: application/problem+json\r\n");
            assert!(is_problem || !is_refused, "{path} {hosts:?}: {answer}");
        }
    }
}

#[test]
fn a_connection_is_usable_after_a_refused_request() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let valid = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    for (refused, status) in [
        ("GET /healthz HTTP/1.1\r\n\r\n", "400"),
        ("GET //healthz HTTP/1.1\r\nhost: x\r\n\r\n", "404"),
        ("POST /login HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello", "400"),
        ("POST /login/ HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "404"),
    ] {
        assert_eq!(statuses(&exchange(&server, &format!("{refused}{valid}"))), [status, "200"], "{refused}");
    }
}

#[test]
fn a_refused_request_gets_no_100_continue() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    for (path, host, status) in [("/login", "", "400"), ("/login/", "host: x\r\n", "404")] {
        let head = format!("POST {path} HTTP/1.1\r\n{host}expect: 100-continue\r\ncontent-length: 5\r\n\r\n");
        let answer = exchange(&server, &head);
        assert_eq!(statuses(&answer), [status], "{answer}");
        assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
}

#[test]
fn http_1_0_is_answered_and_the_connection_closes() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let answer = exchange(&server, "GET /healthz HTTP/1.0\r\n\r\n");
    assert_eq!(statuses(&answer), ["200"]);
    assert!(answer.ends_with("\r\n\r\n{\"status\":\"ok\"}"), "{answer}");
}

/// RFC 9112, section 2.2, allows a recipient to accept a line feed without a carriage return.
#[test]
fn header_lines_can_end_in_a_line_feed_alone() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let answer = exchange(&server, "GET /healthz HTTP/1.1\nhost: x\nconnection: close\n\n");
    assert_eq!(statuses(&answer), ["200"], "{answer}");
}
