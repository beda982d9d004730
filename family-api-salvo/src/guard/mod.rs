//! What stands before the handlers, one hoop a file; those that serve a host's own routes too are public.

mod accept_encoding;
mod background;
mod bearer;
mod content_length;
mod cors;
mod failures;
mod header_limit;
mod load_shed;
mod panic;
mod private;
pub(crate) mod quota;
pub(crate) mod request_id;
mod same_site;
mod session;
mod timeout;
mod unread_body;
mod write_limit;

pub(crate) use accept_encoding::AcceptEncoding;
pub(crate) use background::Background;
pub(crate) use bearer::BearerGuard;
pub use content_length::ContentLength;
pub(crate) use cors::Cors;
pub(crate) use failures::Failures;
pub use header_limit::HeaderLimit;
pub use load_shed::LoadShed;
pub(crate) use load_shed::Place;
pub use panic::CatchPanic;
pub use private::Private;
pub use request_id::RequestId;
pub use same_site::SameSite;
pub(crate) use session::SessionGuard;
pub use timeout::Timeout;
pub use unread_body::UnreadBody;
pub(crate) use write_limit::SessionWriteLimit;
