//! Middlewares (salvo "hoops"), and what they count and remember. A host's own routes can use the public middlewares.

mod bearer;
mod cors;
mod in_flight_permit;
mod known_first;
mod limits;
mod load_shed;
mod outer;
mod peer_limit;
mod same_site;
mod session;
mod write_limit;

pub(crate) use bearer::{BearerGuard, insert_rate_limit};
pub(crate) use cors::Cors;
pub(crate) use in_flight_permit::{Awaited, InFlightPermit};
pub(crate) use known_first::{CredentialSource, KnownFirst, UnknownCredentials};
pub use limits::{HeaderLimit, TimeoutGuard, UnreadResponseLimit};
pub(crate) use limits::{Limits, WriteDeadline};
pub use load_shed::LoadShed;
pub use outer::{ContentLength, DrainBody, HostHeader, PanicGuard, PrivateResponse, RequestIdGuard};
pub(crate) use outer::{is_host, outer_router};
pub(crate) use peer_limit::PeerLimit;
pub use same_site::SameSite;
pub(crate) use session::SessionGuard;
pub(crate) use write_limit::SessionWriteLimit;
