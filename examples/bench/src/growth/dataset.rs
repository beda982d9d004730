//! A database with a given number of families.

use std::fs;
use std::path::Path;
use std::time::Duration;

use sqlx::{Connection, PgConnection};
use tempfile::TempDir;

use crate::dataset::Others;
use crate::failure::Result;
use crate::growth::kept_rows;
use crate::process::{Import, Program, Server, import};
use crate::setup::{CACHE_OFF, read_measured, serve};

/// Number of measured families in each database.
const MEASURED_FAMILIES: u32 = 1;

/// Number of server starts. The start time is their median.
const STARTS: usize = 5;

pub(super) struct Dataset {
    pub(super) families: u32,
    pub(super) import: Import,
    /// Size of the database, in bytes.
    pub(super) size: u64,
    pub(super) first_response: Duration,
    pub(super) idle_memory: Option<u64>,
    pub(super) cached: Server,
    pub(super) uncached: Server,
    _folder: TempDir,
}

impl Dataset {
    pub(super) async fn build(server: &Program, families: u32, database: impl FnOnce(&Path) -> String) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let database = database(folder.path());
        let import = import(server, &database, Others::Small(families - MEASURED_FAMILIES))?;
        let size = size(&database, folder.path()).await?;
        kept_rows::fill(&database).await?;
        let first_response = first_response(server, &database).await?;
        let cached = serve(server, &database, &[])?;
        let idle_memory = cached.memory();
        let uncached = serve(server, &database, &CACHE_OFF)?;
        Ok(Self { families, import, size, first_response, idle_memory, cached, uncached, _folder: folder })
    }
}

/// Returns the median time from the start of a server to its first response.
async fn first_response(server: &Program, database: &str) -> Result<Duration> {
    let mut times = [Duration::ZERO; STARTS];
    for time in &mut times {
        let started = serve(server, database, &[])?;
        read_measured(&started).await?;
        *time = started.age();
    }
    times.sort_unstable();
    Ok(times[STARTS / 2])
}

/// Returns the disk usage of a database, in bytes.
async fn size(database: &str, folder: &Path) -> Result<u64> {
    if database.starts_with("postgres") {
        let mut connection = PgConnection::connect(database).await?;
        let query = sqlx::query_scalar::<_, i64>("SELECT pg_database_size(current_database())");
        return Ok(query.fetch_one(&mut connection).await?.try_into()?);
    }
    let mut size = 0;
    for entry in fs::read_dir(folder)? {
        size += entry?.metadata()?.len();
    }
    Ok(size)
}
