//! Checks the answers of a feed (HTTP reference, "Reading a calendar feed").

use family_api_client::reqwest::Url;
use family_api_client::reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, LOCATION};

use super::FeedAddress;
use crate::commands::doctor::probe::{Answer, Probe};
use crate::commands::doctor::report::Check;

pub(crate) const FEED: &str = "feed";
const TYPE: &str = "content type";
const CODING: &str = "content coding";
const CALENDAR: &str = "calendar";
const TAG: &str = "entity tag";
const UNCHANGED: &str = "unchanged feed";
const HEAD: &str = "HEAD";
const UNKNOWN: &str = "unknown feed";
const SEARCH_ENGINES: &str = "search engines";

const MEDIA_TYPE: &str = "text/calendar; charset=utf-8";
const BEGIN: &[u8] = b"BEGIN:VCALENDAR\r\n";
const END: &[u8] = b"\r\nEND:VCALENDAR\r\n";
const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// Judges the status of the first answer. Returns the fault and what to mend.
pub(crate) fn judge_status(feed: &FeedAddress, answer: &Answer) -> Result<(), String> {
    match answer.status {
        // A compressed body cannot be read here.
        200 if answer.header(CONTENT_ENCODING).is_some() || answer.bytes().starts_with(BEGIN) => Ok(()),
        200 => Err("another program answers, and not with a calendar: pass /calendar/* to the service".to_owned()),
        300..=399 => Err(judge_redirect(feed, answer.header(LOCATION))),
        401 | 403 => Err(format!(
            "{}: a sign-in of the proxy, a firewall or a bot protection refuses the request. Exempt /calendar/* from it",
            answer.status
        )),
        404 if answer.bytes().is_empty() => {
            Err("the service does not know this address: it is not complete, the feed \
             has ended, or its user has switched the personal API off. Create a feed at /keys"
                .to_owned())
        }
        404 | 405 => Err(format!("{}: the path does not reach the service. Pass /calendar/* to it", answer.status)),
        429 => Err("429: the address or the feed is read too often. Wait a minute".to_owned()),
        502 | 504 => Err(format!("{}: the proxy does not reach the service. Start the service", answer.status)),
        status => Err(format!("{status} instead of 200: see the logs of the proxy and the service")),
    }
}

/// Names only the scheme, the host and the port, because the rest can contain the secret in any encoding.
fn judge_redirect(feed: &FeedAddress, location: Option<&str>) -> String {
    let encrypted = feed.url().replacen("http:", "https:", 1);
    if location == Some(encrypted.as_str()) && !feed.service.is_encrypted() {
        return "redirects to https: use the address with https:// in the calendar".to_owned();
    }
    let target = location.and_then(|location| Url::parse(&feed.url()).ok()?.join(location).ok());
    // A URL without a host has the origin `null`.
    let origin = target.map(|target| target.origin().ascii_serialization()).filter(|origin| origin != "null");
    let origin = origin.as_deref().unwrap_or("no web address");
    format!("redirects to {origin}: pass /calendar/* to the service, because not all calendar programs follow")
}

/// Judges the headers and the body of an answer with the right status.
pub(crate) fn judge(answer: &Answer) -> Vec<Check> {
    let coding = answer.header(CONTENT_ENCODING);
    let mut checks = vec![judge_type(answer.header(CONTENT_TYPE)), judge_coding(coding)];
    if coding.is_none() {
        checks.push(judge_body(answer));
    }
    checks.push(judge_tag(answer.header(ETAG)));
    checks.push(judge_indexing(answer.headers(X_ROBOTS_TAG)));
    checks
}

fn judge_type(media_type: Option<&str>) -> Check {
    match media_type {
        Some(media_type) if is_right(media_type) => Check::ok(TYPE, MEDIA_TYPE),
        Some(media_type) => Check::failed(
            TYPE,
            format!("{media_type} and not {MEDIA_TYPE}: let the proxy pass the header Content-Type"),
        ),
        None => Check::failed(TYPE, "there is none: let the proxy pass the header Content-Type"),
    }
}

fn is_right(media_type: &str) -> bool {
    media_type.replace([' ', '"'], "").eq_ignore_ascii_case(&MEDIA_TYPE.replace(' ', ""))
}

fn judge_coding(coding: Option<&str>) -> Check {
    match coding {
        None => Check::ok(CODING, "none, also if the program accepts one"),
        Some(coding) => Check::failed(
            CODING,
            format!(
                "the proxy applies {coding}, which Outlook cannot read: switch its compression off for text/calendar"
            ),
        ),
    }
}

fn judge_body(answer: &Answer) -> Check {
    let length = answer.bytes().len();
    match answer.fault() {
        None if answer.bytes().ends_with(END) => Check::ok(CALENDAR, format!("complete, with {length} bytes")),
        None => Check::failed(
            CALENDAR,
            format!("it ends after {length} bytes without END:VCALENDAR: let the proxy pass the body unchanged"),
        ),
        Some(cause) => Check::failed(
            CALENDAR,
            format!("it is cut off after {length} bytes ({cause}): let the proxy pass answers of 5 MiB in 20 seconds"),
        ),
    }
}

fn judge_tag(tag: Option<&str>) -> Check {
    let again = "each read transfers the whole feed";
    match tag {
        Some(tag) if tag.starts_with('"') => Check::ok(TAG, "strong"),
        Some(_) => Check::warning(TAG, "the proxy weakens the header ETag: switch off what changes the body"),
        None => Check::warning(TAG, format!("there is none, so {again}: let the proxy pass the header ETag")),
    }
}

fn judge_indexing<'a>(values: impl Iterator<Item = &'a str>) -> Check {
    let mut rules = values.flat_map(|value| value.split(',')).map(str::trim);
    if rules.any(|rule| rule.eq_ignore_ascii_case("noindex") || rule.eq_ignore_ascii_case("none")) {
        return Check::ok(SEARCH_ENGINES, "must not list the feed");
    }
    Check::warning(
        SEARCH_ENGINES,
        "one that finds the address may list the feed: let the proxy pass the header X-Robots-Tag: noindex",
    )
}

/// Checks whether an unchanged feed is not sent again. Asks a second time if the feed has changed meanwhile.
pub(crate) async fn check_unchanged(feed: &FeedAddress, probe: &Probe, first: &Answer) -> Check {
    let mut tag = first.header(ETAG).unwrap_or("*").to_owned();
    let mut status = 0;
    for _ in 0..2 {
        match probe.get_feed_unless(&feed.url(), &tag).await {
            Ok(answer) if answer.status == 304 => return Check::ok(UNCHANGED, "is not sent again (304)"),
            Ok(answer) => {
                status = answer.status;
                answer.header(ETAG).unwrap_or_default().clone_into(&mut tag);
            }
            Err(cause) => return Check::failed(UNCHANGED, format!("cannot be read ({cause})")),
        }
    }
    Check::warning(
        UNCHANGED,
        format!("{status} instead of 304: let the proxy pass the headers ETag and If-None-Match unchanged"),
    )
}

/// Checks `HEAD`, which some programs send first.
pub(crate) async fn check_head(feed: &FeedAddress, probe: &Probe) -> Check {
    match probe.head(&feed.url()).await {
        Ok(answer) if answer.status == 200 && answer.header(CONTENT_TYPE).is_some_and(is_right) => {
            Check::ok(HEAD, "answers as GET does")
        }
        Ok(answer) => Check::warning(
            HEAD,
            format!("answers with {}, and not as GET does: let the proxy pass HEAD unchanged", answer.status),
        ),
        Err(cause) => Check::warning(HEAD, format!("no answer ({cause}): let the proxy pass HEAD")),
    }
}

/// Checks that a feed that does not exist gets the service's own 404.
pub(crate) async fn check_unknown(feed: &FeedAddress, probe: &Probe) -> Check {
    match probe.get_feed(&feed.unknown_url()).await {
        Ok(answer) if answer.status == 404 && answer.bytes().is_empty() => {
            Check::ok(UNKNOWN, "is refused with 404, as it should")
        }
        Ok(answer) if answer.status == 404 => Check::warning(
            UNKNOWN,
            "the proxy adds a page to the 404: let it pass the answers of /calendar/* unchanged",
        ),
        Ok(answer) if answer.status == 429 => Check::warning(UNKNOWN, "429 instead of 404: wait a minute"),
        Ok(answer) => Check::failed(
            UNKNOWN,
            format!(
                "{} instead of 404, so calendars do not learn that a feed has ended: pass /calendar/* to the service",
                answer.status
            ),
        ),
        Err(cause) => Check::failed(UNKNOWN, format!("no answer ({cause})")),
    }
}
