//! The `Retry-After` header (RFC 9110, section 10.2.3).

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// Returns the pause that the service requests, in seconds or as a date.
///
/// A date is compared with the `Date` header of the response, so that the clock of this machine does not matter.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let after = text(RETRY_AFTER)?;
    if !after.is_empty() && after.bytes().all(|byte| byte.is_ascii_digit()) {
        // Digits that overflow a `u64` are still a very long pause.
        return Some(Duration::from_secs(after.parse().unwrap_or(u64::MAX)));
    }
    let date = |text| httpdate::parse_http_date(text).ok();
    Some(date(after)?.duration_since(date(text(DATE)?)?).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderName;

    use super::*;

    fn pause(headers: &[(HeaderName, &'static str)]) -> Option<u64> {
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        retry_after(&headers).map(|pause| pause.as_secs())
    }

    #[test]
    fn seconds_and_all_date_formats_are_parsed() {
        let date = (DATE, "Sat, 21 Nov 2026 10:00:00 GMT");
        assert_eq!(pause(&[(RETRY_AFTER, "7")]), Some(7));
        assert_eq!(pause(&[(RETRY_AFTER, "99999999999999999999999")]), Some(u64::MAX));
        for later in ["Sat, 21 Nov 2026 10:00:09 GMT", "Saturday, 21-Nov-26 10:00:09 GMT", "Sat Nov 21 10:00:09 2026"] {
            assert_eq!(pause(&[(RETRY_AFTER, later), date.clone()]), Some(9), "{later}");
            assert_eq!(pause(&[(RETRY_AFTER, later)]), None);
        }
        assert_eq!(pause(&[(RETRY_AFTER, "Sat, 21 Nov 2026 09:00:00 GMT"), date.clone()]), Some(0));
        for nonsense in ["", "-1", "+1", "soon", "1.5"] {
            assert_eq!(pause(&[(RETRY_AFTER, nonsense), date.clone()]), None, "{nonsense}");
        }
    }
}
