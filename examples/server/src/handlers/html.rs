//! HTML responses of the sign-in and sign-out pages.

use salvo::Request;
use salvo::http::header::ACCEPT;

/// Returns whether the client is a browser that shows a page: `Accept` names HTML.
pub(super) fn is_accepted(req: &Request) -> bool {
    let accept = req.headers().get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accept.flat_map(|value| value.split(',')).any(|range| range.trim().to_ascii_lowercase().starts_with("text/html"))
}
