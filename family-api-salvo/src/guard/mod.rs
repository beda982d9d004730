//! What stands before the handlers, one hoop or filter a file; those that serve a host's own routes too are public.

mod accept_encoding;
mod bearer;
mod content_length;
mod cors;
mod failures;
mod header_limit;
mod host_header;
mod last_use;
mod load_shed;
mod panic;
mod private;
pub(crate) mod quota;
pub(crate) mod request_id;
mod same_site;
mod session;
mod spelling;
mod timeout;
mod unread_body;

pub(crate) use accept_encoding::AcceptEncoding;
pub(crate) use bearer::BearerGuard;
pub use content_length::ContentLength;
pub(crate) use cors::Cors;
pub(crate) use failures::Failures;
pub use header_limit::HeaderLimit;
pub use host_header::HostHeader;
pub(crate) use last_use::UseRecorder;
pub use load_shed::LoadShed;
pub(crate) use load_shed::Place;
pub use panic::CatchPanic;
pub use private::Private;
pub use request_id::RequestId;
pub use same_site::SameSite;
pub(crate) use session::SessionGuard;
pub(crate) use spelling::Spelling;
pub use timeout::Timeout;
pub use unread_body::UnreadBody;
