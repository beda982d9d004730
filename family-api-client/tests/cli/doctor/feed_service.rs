//! A simulated service with one calendar feed.

use tokio::runtime::Runtime;
use wiremock::matchers::{header, header_exists, method, path};
use wiremock::{Mock, MockBuilder, MockServer, ResponseTemplate};

/// Answers as the contract says, except what a test replaces.
pub(crate) struct FeedService {
    runtime: Runtime,
    server: MockServer,
}

pub(crate) const SECRET: &str = "famcal_7Fh2Wq9Canary";
pub(crate) const FEED: &str = "/calendar/famcal_7Fh2Wq9Canary.ics";
pub(crate) const UNKNOWN: &str = "/calendar/famcal_unknown.ics";
const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n";
const MEDIA_TYPE: &str = "text/calendar; charset=utf-8";
/// A strong entity tag.
const TAG: &str = "\"1\"";

/// The right answer, with this body and media type.
pub(crate) fn calendar(body: &str, media_type: &str) -> ResponseTemplate {
    let answer = ResponseTemplate::new(200).set_body_raw(body, media_type);
    answer.insert_header("etag", TAG).insert_header("x-robots-tag", "noindex")
}

/// The right answer.
pub(crate) fn right() -> ResponseTemplate {
    calendar(CALENDAR, MEDIA_TYPE)
}

impl FeedService {
    pub(crate) fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let server = runtime.block_on(MockServer::start());
        let service = Self { runtime, server };
        // A program that takes no compressed answer would not find a proxy that compresses.
        let get = Mock::given(method("GET")).and(path(FEED)).and(header_exists("accept-encoding"));
        service.mount(get, right(), 5);
        let unchanged = Mock::given(method("GET")).and(path(FEED)).and(header("if-none-match", TAG));
        service.mount(unchanged, ResponseTemplate::new(304).insert_header("etag", TAG), 3);
        service.mount(Mock::given(method("HEAD")).and(path(FEED)), right(), 5);
        service.mount(Mock::given(method("GET")).and(path(UNKNOWN)), ResponseTemplate::new(404), 5);
        service
    }

    /// Replaces the answer to a request that is not conditional.
    pub(crate) fn replace(&self, verb: &str, at: &str, answer: ResponseTemplate) {
        // An answer to a conditional request is more specific, and stays.
        self.mount(Mock::given(method(verb)).and(path(at)), answer, if verb == "GET" && at == FEED { 4 } else { 1 });
    }

    /// Replaces the answer to a conditional request.
    pub(crate) fn replace_unchanged(&self, answer: ResponseTemplate) {
        self.mount(Mock::given(method("GET")).and(path(FEED)).and(header_exists("if-none-match")), answer, 2);
    }

    /// Replaces the answer to a conditional request with this tag.
    pub(crate) fn replace_unchanged_from(&self, tag: &'static str, answer: ResponseTemplate) {
        self.mount(Mock::given(method("GET")).and(path(FEED)).and(header("if-none-match", tag)), answer, 1);
    }

    fn mount(&self, request: MockBuilder, answer: ResponseTemplate, priority: u8) {
        self.runtime.block_on(request.respond_with(answer).with_priority(priority).mount(&self.server));
    }

    pub(crate) fn url(&self) -> String {
        self.server.uri()
    }

    /// Returns the address of the feed.
    pub(crate) fn address(&self) -> String {
        format!("{}{FEED}", self.url())
    }
}
