//! Baselines: simple servers with which the server is compared. They are part of this program.

mod plain;
mod static_bytes;

use std::io::{Write, stdout};

use axum::Router;
use axum::http::HeaderValue;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::failure::Result;
use crate::process::LISTENING;

pub(crate) use plain::serve as serve_plain;
pub(crate) use static_bytes::serve as serve_static;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Serves on a free port until the process is killed.
async fn serve(router: Router) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(stdout(), "{LISTENING}{}", listener.local_addr()?)?;
    // An error means that the client has closed the connection.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    Ok(axum::serve(listener, router).await?)
}
