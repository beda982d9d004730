//! Serves a sample household from a throw-away database, and prints what to paste.

use std::{error::Error, io::Write};

use family_api_core::SystemClock;
use family_api_embed::storage::Hearth;
use salvo::{Server, conn::Listener, conn::TcpListener};

const ADDRESS: &str = "127.0.0.1:8090";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_env_filter("warn").with_writer(std::io::stderr).init();
    let folder = tempfile::tempdir()?;
    let hearth = Hearth::open(folder.path().join("hearth.db"), SystemClock).await?;
    sqlx::raw_sql(include_str!("../sample.sql")).execute(&hearth.pool).await?;
    let code = hearth.issue_code(&"ines".parse()?).await?;
    let acceptor = TcpListener::new(ADDRESS).try_bind().await?;
    let guide = include_str!("../guide.txt").replace("CODE", code.expose()).replace("ADDRESS", ADDRESS);
    writeln!(std::io::stdout(), "{guide}")?;
    Server::new(acceptor).serve(hearth.service()?).await;
    Ok(())
}
