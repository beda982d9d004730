//! Helpers: the mounted router with two families, requests, responses and a mock storage.

mod app;
pub(crate) mod fixture;
mod log;
mod mock_storage;
mod response;
mod schema;
mod server;
mod session;

pub(crate) use app::{App, NOW, anonymous, bearer, session};
pub(crate) use fixture::token;
pub(crate) use log::LOG;
pub(crate) use mock_storage::MockStorage;
pub(crate) use response::{TestResponse, send};
pub(crate) use schema::validate;
pub(crate) use server::TestServer;
pub(crate) use session::{CookieAuthenticator, Gate};
