//! Requests that arrive through proxies: which proxies are trusted, and what they state about a request.

mod claim;
mod forwarded;
mod network;
mod trusted_proxies;
mod values;

pub use network::{InvalidNetwork, ProxyNetwork};
pub use trusted_proxies::TrustedProxies;
