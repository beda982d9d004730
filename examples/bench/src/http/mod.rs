//! A minimal HTTP/1.1 client. It needs less CPU time than the server, so that it does not limit the measurement.

mod connection;
mod request;
mod response;

pub(crate) use connection::Connection;
pub(crate) use request::Request;
pub(crate) use response::Response;
