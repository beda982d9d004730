//! Helpers: the mounted router with two families, requests, responses and the log.

mod app;
pub(crate) mod fixture;
mod log;
mod response;
mod schema;
mod server;
mod session;

pub(crate) use app::{App, NOW, anonymous, bearer, session};
pub(crate) use fixture::{seed, token};
pub(crate) use log::LOG;
pub(crate) use response::{TestResponse, send};
pub(crate) use schema::validate;
pub(crate) use server::TestServer;
pub(crate) use session::{CookieAuthenticator, Gate};
