//! As little HTTP/1.1 as a caller needs, so that asking costs less than answering.

mod answer;
mod connection;
mod request;

pub(crate) use answer::Answer;
pub(crate) use connection::Connection;
pub(crate) use request::Request;
