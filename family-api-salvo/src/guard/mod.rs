//! Middlewares (salvo "hoops"), route filters, and what they count and remember, one per file. A host's own routes can
//! use the public middlewares.

mod accept_encoding;
mod bearer;
mod cors;
mod drain_body;
mod head_content_length;
mod header_limit;
mod host_header;
mod in_flight_permit;
mod known_credentials;
mod known_first;
mod load_shed;
#[cfg(feature = "mcp")]
mod own_origin;
mod panic;
mod peer_limit;
mod private_response;
pub(crate) mod rate_limit_headers;
mod raw_path;
pub(crate) mod request_id;
mod same_site;
mod session;
mod timeout;
mod unread_response_limit;
mod write_limit;

pub(crate) use accept_encoding::AcceptEncoding;
pub(crate) use bearer::BearerGuard;
pub(crate) use cors::Cors;
pub use drain_body::DrainBody;
pub use head_content_length::ContentLength;
pub use header_limit::HeaderLimit;
pub use host_header::HostHeader;
pub(crate) use host_header::is_host;
pub(crate) use in_flight_permit::{Awaited, InFlightPermit};
pub(crate) use known_first::{CredentialSource, KnownFirst, UnknownCredentials};
pub use load_shed::LoadShed;
#[cfg(feature = "mcp")]
pub(crate) use own_origin::OwnOrigin;
pub use panic::PanicGuard;
pub(crate) use peer_limit::PeerLimit;
pub use private_response::PrivateResponse;
pub(crate) use raw_path::RawPathFilter;
pub use request_id::RequestIdGuard;
pub use same_site::SameSite;
pub(crate) use session::SessionGuard;
pub use timeout::TimeoutGuard;
pub use unread_response_limit::UnreadResponseLimit;
pub(crate) use write_limit::SessionWriteLimit;
