//! Handlers of the server's own routes.

mod healthz;
mod home;
mod json;
mod login;
mod logout;
mod readyz;

pub(crate) use healthz::Healthz;
pub(crate) use home::Home;
pub(crate) use login::Login;
pub(crate) use logout::Logout;
pub(crate) use readyz::Readyz;
