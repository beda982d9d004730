//! What stands before the handlers, one hoop a file; those that serve a host's own routes too are public.

mod bearer;
mod content_length;
mod panic;
mod private;
pub(crate) mod request_id;
mod same_site;
mod session;
mod unread_body;

pub(crate) use bearer::BearerGuard;
pub use content_length::ContentLength;
pub use panic::CatchPanic;
pub use private::Private;
pub use request_id::RequestId;
pub use same_site::SameSite;
pub(crate) use session::SessionGuard;
pub use unread_body::UnreadBody;
