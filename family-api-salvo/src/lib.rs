#![doc = include_str!("../README.md")]

mod answer;
mod body;
mod call;
mod error;
mod guard;
mod handlers;
mod methods;
mod mount;
mod openapi;
mod origin;
mod route;
mod routes;
mod session;

pub use body::{BodyLimit, MediaTypes, read_json};
pub use error::Failure;
pub use guard::{CatchPanic, ContentLength, Private, RequestId, SameSite, UnreadBody};
pub use methods::{Methods, NotFound};
pub use mount::FamilyRoutes;
pub use origin::{InvalidOrigin, Origin};
pub use session::SessionAuthenticator;
