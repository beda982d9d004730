//! The mounted router on a real storage with two families.

mod answer;
mod app;
mod faulty;
pub(crate) mod fixture;
mod schema;
mod session;
mod socket;

pub(crate) use answer::{Answer, send};
pub(crate) use app::{App, NOW, anonymous, bearer, session};
pub(crate) use faulty::FaultyStorage;
pub(crate) use fixture::token;
pub(crate) use schema::fits;
pub(crate) use session::CookieUser;
pub(crate) use socket::Socket;
