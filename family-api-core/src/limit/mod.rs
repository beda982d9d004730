//! Rate limits: token buckets with bounded memory (HTTP reference, "Rate limits").
//!
//! [`FamilyApi`](crate::FamilyApi) limits the requests of each recognised token. A host can limit other operations,
//! such as failed sign-ins:
//!
//! ```
//! use family_api_core::limit::{RateLimiter, Rate};
//! use family_api_core::{Clock, SystemClock};
//!
//! let failures = RateLimiter::new(Rate::per_minute(2.try_into()?));
//! let now = SystemClock.monotonic();
//! assert!(failures.check(&"ana@example.org", now).is_granted());
//! assert!(failures.check(&"ana@example.org", now).is_granted());
//! let refused = failures.check(&"ana@example.org", now);
//! assert_eq!(refused.retry_after().map(|wait| wait.as_secs()), Some(30));
//! assert!(failures.check(&"ben@example.org", now).is_granted());
//! # Ok::<(), std::num::TryFromIntError>(())
//! ```

mod rate;
mod rate_limiter;
mod status;

pub use rate::Rate;
pub use rate_limiter::RateLimiter;
pub use status::{RateLimitStatus, RateLimited};
