//! Handlers of the server's own routes.

mod healthz;
mod home;
mod json;
mod login;
mod login_page;
mod logout;
mod logout_page;
mod readyz;
mod robots;
mod text;
mod unknown_path;

pub(crate) use healthz::Healthz;
pub(crate) use home::{DELETED_PAGE, Home};
pub(crate) use login::Login;
pub(crate) use login_page::{KEYS_PAGE, LoginPage};
pub(crate) use logout::Logout;
pub(crate) use logout_page::LogoutPage;
pub(crate) use readyz::Readyz;
pub(crate) use robots::Robots;
pub(crate) use unknown_path::UnknownPath;
