//! Counts requests and measures their durations.

use std::time::Duration;

use family_api_salvo::Overload;
use prometheus::{HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts, Registry};
use salvo::http::StatusCode;
use salvo::{Request, Response};

use crate::access_log::method_name;

/// Upper bounds of the buckets, in seconds. A request takes at most 20 seconds.
const BUCKETS: [f64; 14] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 20.0];

/// Counts requests by their route, method and status.
#[derive(Clone)]
pub(crate) struct RequestMetrics {
    requests: IntCounterVec,
    durations: HistogramVec,
    overloaded: IntCounter,
    rate_limited: IntCounter,
}

impl RequestMetrics {
    pub(super) fn register(registry: &Registry) -> Result<Self, prometheus::Error> {
        let requests = Opts::new("family_api_http_requests_total", "Answered requests.");
        let requests = IntCounterVec::new(requests, &["route", "method", "status"])?;
        let durations = HistogramOpts::new(
            "family_api_http_request_duration_seconds",
            "Time from the head of a request to the beginning of its answer.",
        );
        let durations = HistogramVec::new(durations.buckets(BUCKETS.to_vec()), &["route"])?;
        let refused = Opts::new(
            "family_api_http_refused_requests_total",
            "Requests refused because of the load (503) or a rate limit (429).",
        );
        let refused = IntCounterVec::new(refused, &["reason"])?;
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(durations.clone()))?;
        registry.register(Box::new(refused.clone()))?;
        let overloaded = refused.with_label_values(&["overload"]);
        let rate_limited = refused.with_label_values(&["rate_limit"]);
        Ok(Self { requests, durations, overloaded, rate_limited })
    }

    /// Counts an answered request.
    pub(crate) fn record(&self, req: &Request, res: &Response, took: Duration) {
        // The matched route instead of the path: the number of routes is bounded, and a path can contain a secret.
        let route = format!("/{}", req.matched_path());
        let status = res.status_code.as_ref().map_or("none", StatusCode::as_str);
        self.durations.with_label_values(&[&route]).observe(took.as_secs_f64());
        self.requests.with_label_values(&[route.as_str(), method_name(req.method()), status]).inc();
        if Overload::caused(res) {
            self.overloaded.inc();
        } else if res.status_code == Some(StatusCode::TOO_MANY_REQUESTS) {
            self.rate_limited.inc();
        }
    }
}

#[cfg(test)]
mod tests {
    use family_api_core::Error;
    use family_api_salvo::HttpError;

    use super::*;

    #[test]
    fn a_refused_request_is_counted_by_its_reason() {
        let metrics = RequestMetrics::register(&Registry::new()).unwrap();
        let count = |error| {
            let mut res = Response::new();
            res.render(HttpError::Api(error));
            metrics.record(&Request::new(), &res, Duration::from_millis(3));
            (metrics.overloaded.get(), metrics.rate_limited.get())
        };
        assert_eq!(count(Error::Overloaded), (1, 0));
        assert_eq!(count(Error::RateLimited { retry_after: Duration::from_secs(1) }), (1, 1));
        assert_eq!(count(Error::Unavailable("canary".into())), (1, 1));
        assert_eq!(metrics.requests.with_label_values(&["/", "GET", "503"]).get(), 2);
        assert_eq!(metrics.durations.with_label_values(&["/"]).get_sample_count(), 3);
    }
}
