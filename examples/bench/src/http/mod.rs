//! A minimal HTTP/1.1 client, so that sending requests costs less than serving them.

mod answer;
mod connection;
mod request;

pub(crate) use answer::Answer;
pub(crate) use connection::Connection;
pub(crate) use request::Request;
