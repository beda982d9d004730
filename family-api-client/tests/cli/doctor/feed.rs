//! `family doctor --feed`, with the real routes and with services that are wrong in one way each.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use wiremock::ResponseTemplate;

use super::assert_fails;
use super::feed_service::{FEED, FeedService, SECRET, UNKNOWN, calendar, right};
use crate::sandbox::{Run, Sandbox};

/// [`FEED`] as a sign-in page can encode it.
const FEED_AS_BASE64: &str = "L2NhbGVuZGFyL2ZhbWNhbF83RmgyV3E5Q2FuYXJ5Lmljcw";

/// Checks the feed of this address. No output contains its secret.
#[track_caller]
fn doctor_feed(address: &str) -> Run {
    let run = Sandbox::new().run_with_password(&format!("{address}\n"), &["doctor", "--feed"]);
    let (out, err) = (run.out.to_lowercase(), run.err.to_lowercase());
    assert!(!out.contains("canary") && !err.contains("canary"), "{run:?}");
    run
}

/// Asserts that nothing failed, and that one check warns beside the three that warn on this machine.
#[track_caller]
fn assert_warns(run: Run, name: &str, message: &str) {
    let out = run.succeeded();
    let warned: Vec<&str> = out.lines().filter(|line| line.starts_with("warning")).collect();
    let line = warned.iter().find(|line| line.starts_with(&format!("warning  {name}: "))).unwrap();
    // On this machine: the address, plain http, and Google Calendar, which cannot read it.
    assert_eq!(warned.len(), 4, "{out}");
    assert!(line.contains(message), "{line}");
}

#[test]
fn a_feed_of_the_service_passes() {
    let sandbox = Sandbox::new();
    let created = sandbox.run_signed_in(&["feed", "create", "Family", "--shows", "both"]);
    let webcal = created.out.replace("http://", "webcal://");
    for address in [created.out, webcal] {
        let out = sandbox.run_with_password(&address, &["doctor", "--feed"]).succeeded();
        assert!(
            out.contains("ok       content coding: ") && out.contains("ok       /robots.txt: there is none"),
            "{out}"
        );
        assert_eq!((out.matches("ok ").count(), out.matches("warning ").count()), (11, 3), "{out}");
        assert!(!out.contains("famcal_"), "{out}");
    }
}

#[test]
fn an_ended_feed_is_named() {
    let sandbox = Sandbox::new();
    let address = sandbox.run_signed_in(&["feed", "create", "Family"]).out;
    let id = sandbox.run_signed_in(&["feed", "list", "--json"]).json()["feeds"][0]["id"].clone();
    sandbox.run_signed_in(&["feed", "end", id.as_str().unwrap()]).succeeded();
    let run = sandbox.run_with_password(&address, &["doctor", "--feed"]);
    assert_fails(&run, "feed", "does not know this address");
}

#[test]
fn the_checks_of_a_feed_are_printed_as_json_without_its_secret() {
    let service = FeedService::start();
    let address = service.address();
    let report = Sandbox::new().run_with_password(&address, &["doctor", "--json", "--feed"]).json();
    assert_eq!(report["url"], service.url());
    assert_eq!(report["checks"][4]["name"], "feed");
    assert!(!report.to_string().contains("Canary"), "{report}");
}

#[test]
fn a_wrong_answer_of_a_feed_is_named() {
    let page = || ResponseTemplate::new(404).set_body_string("<h1>\u{1b}[31mproxy</h1>");
    let elsewhere = format!("https://h/sign-in?next={FEED}");
    let code = |status| ResponseTemplate::new(status);
    for (answer, message) in [
        (code(200).set_body_string("<h1>sign in</h1>"), "another program answers"),
        (code(302).insert_header("location", elsewhere), "redirects to https://h: pass /calendar/*"),
        (code(401), "Exempt /calendar/*"),
        (code(403), "Exempt /calendar/*"),
        (page(), "404: the path does not reach the service"),
        (code(429), "Wait a minute"),
        (code(502), "Start the service"),
        (code(503), "503 instead of 200"),
    ] {
        let service = FeedService::start();
        service.replace("GET", FEED, answer);
        assert_fails(&doctor_feed(&service.address()), "feed", message);
    }
    let service = FeedService::start();
    service.replace("GET", FEED, code(302));
    assert_fails(&doctor_feed(&service.address()), "feed", "redirects to no web address");
    let service = FeedService::start();
    let location = service.address().replace("http:", "https:");
    service.replace("GET", FEED, code(308).insert_header("location", location));
    assert_fails(&doctor_feed(&service.address()), "feed", "redirects to https: use the address with https://");
}

#[test]
fn only_the_origin_of_a_redirect_is_named() {
    let address = |rest: &str| format!("https://user:pass@sign-in.example:8443/{rest}");
    for (location, origin) in [
        (address(&format!("?next={FEED_AS_BASE64}")), "https://sign-in.example:8443: "),
        (address(&FEED.to_lowercase()), "https://sign-in.example:8443: "),
        (address(&format!("#{FEED}")), "https://sign-in.example:8443: "),
        (format!("/sign-in?next={FEED_AS_BASE64}"), "http://127.0.0.1:"),
        (format!("data:,{FEED_AS_BASE64}"), "no web address: "),
    ] {
        let service = FeedService::start();
        service.replace("GET", FEED, ResponseTemplate::new(302).insert_header("location", location));
        let run = doctor_feed(&service.address());
        assert_fails(&run, "feed", &format!("redirects to {origin}"));
        for hidden in [FEED_AS_BASE64, "user", "next="] {
            assert!(!run.out.contains(hidden), "{run:?}");
        }
    }
}

#[test]
fn what_a_proxy_changes_in_a_feed_is_named() {
    for (answer, name, message) in [
        (calendar("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "text/plain"), "content type", "text/plain and not"),
        (calendar("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "text/calendar"), "content type", "let the proxy pass"),
        (right().insert_header("content-encoding", "gzip"), "content coding", "the proxy applies gzip"),
        (calendar("BEGIN:VCALENDAR\r\n", "text/calendar; charset=utf-8"), "calendar", "without END:VCALENDAR"),
    ] {
        let service = FeedService::start();
        service.replace("GET", FEED, answer);
        assert_fails(&doctor_feed(&service.address()), name, message);
    }
}

#[test]
fn what_makes_a_feed_slower_or_public_is_a_warning() {
    let weak = right().insert_header("etag", "W/\"1\"");
    let listed = right().insert_header("x-robots-tag", "all");
    for (answer, name, message) in [(weak, "entity tag", "weakens"), (listed, "search engines", "X-Robots-Tag")] {
        let service = FeedService::start();
        service.replace("GET", FEED, answer);
        service.replace_unchanged(ResponseTemplate::new(304));
        assert_warns(doctor_feed(&service.address()), name, message);
    }
    let service = FeedService::start();
    service.replace_unchanged(right());
    assert_warns(doctor_feed(&service.address()), "unchanged feed", "200 instead of 304");
    let service = FeedService::start();
    service.replace("HEAD", FEED, ResponseTemplate::new(405));
    assert_warns(doctor_feed(&service.address()), "HEAD", "answers with 405");
}

#[test]
fn a_feed_that_changes_between_the_requests_passes() {
    let service = FeedService::start();
    service.replace_unchanged(right().insert_header("etag", "\"2\""));
    // The second conditional request names the tag of the change.
    service.replace_unchanged_from("\"2\"", ResponseTemplate::new(304));
    let out = doctor_feed(&service.address()).succeeded();
    assert!(out.contains("ok       unchanged feed: "), "{out}");
}

#[test]
fn another_answer_for_an_unknown_feed_is_named() {
    let page = ResponseTemplate::new(404).set_body_string("<h1>not here</h1>");
    let service = FeedService::start();
    service.replace("GET", UNKNOWN, page);
    assert_warns(doctor_feed(&service.address()), "unknown feed", "adds a page to the 404");
}

#[test]
fn a_service_that_knows_every_feed_fails() {
    let service = FeedService::start();
    service.replace("GET", UNKNOWN, ResponseTemplate::new(200).set_body_string("<h1>home</h1>"));
    assert_fails(&doctor_feed(&service.address()), "unknown feed", "200 instead of 404");
}

#[test]
fn a_robots_file_that_keeps_google_calendar_out_is_a_warning() {
    let text = |text: &str| ResponseTemplate::new(200).set_body_string(text);
    for (answer, message) in [
        (text("User-agent: *\nDisallow: /calendar/\n"), "add the line `Allow: /calendar/`"),
        (ResponseTemplate::new(302).insert_header("location", "/login"), "redirects to /login"),
        (ResponseTemplate::new(500), "answers with 500"),
    ] {
        let service = FeedService::start();
        service.replace("GET", "/robots.txt", answer);
        assert_warns(doctor_feed(&service.address()), "/robots.txt", message);
    }
    let service = FeedService::start();
    service.replace("GET", "/robots.txt", text("User-agent: *\nDisallow: /\nAllow: /calendar/\n"));
    let out = doctor_feed(&service.address()).succeeded();
    assert!(out.contains("ok       /robots.txt: permits the feed"), "{out}");
}

#[test]
fn a_feed_that_is_cut_off_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            // The request fits into one read.
            let _ = stream.read(&mut [0; 4_096]);
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/calendar; charset=utf-8\r\ncontent-length: 99\r\n\r\n";
            let _ = stream.write_all(format!("{head}BEGIN:VCALENDAR\r\n").as_bytes());
        }
    });
    let run = doctor_feed(&format!("http://{address}{FEED}"));
    assert!(run.out.contains("failed   calendar: it is cut off after 17 bytes"), "{run:?}");
}

#[test]
fn the_secret_of_a_feed_is_no_argument_and_in_no_error() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["doctor", "https://h/calendar/famcal_canary.ics"][..],
        &["doctor", "webcal://h/calendar/famcal_canary.ics"],
        &["doctor", "--url", "https://h/calendar/famcal_canary.ics"],
    ] {
        sandbox.run_with_password("", arguments).failed_with(2, &["run `family doctor --feed`"]);
    }
    for (input, message) in [
        ("\n", "the address of the feed is empty"),
        ("https://h/canary.ics\n", "the address must be the whole address of a calendar feed"),
        (&format!("https://canary@h{}\n", FEED.replace(SECRET, "famcal_12345678")), "must not contain a user name"),
    ] {
        sandbox.run_with_password(input, &["doctor", "--feed"]).failed_with(2, &[message]);
    }
    // clap quotes an argument that it refuses.
    for arguments in [
        &["doctor", "--feed=https://h/calendar/famcal_canary.ics"][..],
        &["doctor", "https://family.example", "webcal://h/calendar/famcal_canary.ics"],
        &["doctor", "--feed", "https://h/calendar/famcal_canary.ics", "https://h/calendar/famcal_canary.ics"],
        &["doctor", "--famcal_canary"],
        &["famcal_canary"],
    ] {
        let refused = sandbox.run_with_password("", arguments);
        assert!(refused.code == 2 && refused.err.contains("famcal_…"), "{arguments:?}: {refused:?}");
        assert!(!refused.err.contains("canary") && refused.out.is_empty(), "{arguments:?}: {refused:?}");
    }
    let both = sandbox.run_with_password("", &["doctor", "--feed", "https://family.example"]);
    assert!(both.code == 2 && both.err.contains("cannot be used with"), "{both:?}");
}
