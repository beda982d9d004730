//! Handlers of the server's own routes.

mod healthz;
mod home;
mod json;
mod login;
mod logout;
mod readyz;
mod unknown_path;

pub(crate) use healthz::Healthz;
pub(crate) use home::Home;
pub(crate) use login::Login;
pub(crate) use logout::Logout;
pub(crate) use readyz::Readyz;
pub(crate) use unknown_path::UnknownPath;
