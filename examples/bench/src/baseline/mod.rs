//! Baselines: simple servers with which the server is compared. They are part of this program.

mod plain;
mod static_bytes;

use std::io::{Write, stdout};

use salvo::conn::tcp::TcpAcceptor;
use salvo::prelude::*;
use tokio::net::TcpListener;

use crate::failure::Result;
use crate::process::LISTENING;

pub(crate) use plain::serve as serve_plain;
pub(crate) use static_bytes::serve as serve_static;

/// Serves on a free port until the process is killed.
async fn serve(router: Router) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let acceptor: TcpAcceptor = listener.try_into()?;
    writeln!(stdout(), "{LISTENING}{address}")?;
    Ok(Server::new(acceptor).try_serve(router).await?)
}
