//! Serves a sample household from a temporary database, and prints commands to paste.

use std::{env, fs::Permissions, io::Write, os::unix::fs::PermissionsExt, process::ExitCode, time::Duration};

use family_api_core::SystemClock;
use family_api_embed::storage::Hearth;
use salvo::{Server, conn::tcp::TcpAcceptor};
use tokio::{net::TcpListener, signal::unix};
use tracing_subscriber::filter::LevelFilter;

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt().with_max_level(LevelFilter::WARN).with_writer(std::io::stderr).init();
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8090".to_owned());
    let exit_code = serve(&address).await.map(|()| ExitCode::SUCCESS);
    exit_code.unwrap_or_else(|error| {
        // If standard error is closed, the exit code still reports the failure.
        let _ = writeln!(std::io::stderr(), "cannot serve at {address}: {error}");
        ExitCode::FAILURE
    })
}

/// Serves until Ctrl-C or `SIGTERM`, then deletes the folder with the database.
async fn serve(address: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut interrupt = unix::signal(unix::SignalKind::interrupt())?;
    let mut terminate = unix::signal(unix::SignalKind::terminate())?;
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?.to_string();
    let folder = tempfile::Builder::new().permissions(Permissions::from_mode(0o700)).tempdir()?;
    let hearth = Hearth::open(folder.path().join("hearth.db"), SystemClock).await?;
    sqlx::raw_sql(include_str!("../sample.sql")).execute(&hearth.writer).await?;
    let code = hearth.issue_code(&"ines".parse()?).await?;
    let guide = include_str!("../guide.txt").replace("CODE", code.expose()).replace("ADDRESS", &address);
    writeln!(std::io::stdout(), "{guide}")?;
    let server = Server::new(TcpAcceptor::try_from(listener)?);
    let handle = server.handle();
    tokio::spawn(async move {
        tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
        handle.stop_graceful(Duration::from_secs(10));
    });
    // Assistants refuse plain HTTP on other than loopback addresses.
    let issuer = format!("http://{address}/family").parse().ok();
    server.try_serve(hearth.clone().service(issuer)?).await?;
    tokio::join!(hearth.readers.close(), hearth.writer.close(), hearth.grants.close());
    Ok(folder.close()?)
}
