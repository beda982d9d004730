//! One measurement of the server and its database.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use crate::process::{mebibytes, memory, open_files};
use crate::rows::rows;
use crate::sandbox::Sandbox;
use crate::soak::load::Load;

pub(super) struct Sample {
    pub(super) at: Duration,
    /// Current and peak memory in KiB, if the system tells it.
    pub(super) memory: Option<[u64; 2]>,
    pub(super) open_files: Option<usize>,
    pub(super) database_bytes: u64,
    pub(super) wal_bytes: u64,
    pub(super) rows: BTreeMap<String, i64>,
}

impl Sample {
    pub(super) async fn take(sandbox: &Sandbox, load: &Load) -> Self {
        let bytes = |name| fs::metadata(sandbox.path(name)).map_or(0, |file| file.len());
        let database_bytes = match sandbox.database() {
            Some(_) => {
                let size = sandbox.texts("SELECT pg_database_size(current_database())::text").await;
                size[0].parse().unwrap()
            }
            None => bytes("family.db"),
        };
        Self {
            at: load.elapsed(),
            memory: memory(load.server.id()),
            open_files: open_files(load.server.id()),
            database_bytes,
            wal_bytes: bytes("family.db-wal"),
            rows: rows(sandbox).await,
        }
    }

    /// Returns the number of rows of a table, zero if it does not exist.
    pub(super) fn rows(&self, table: &str) -> i64 {
        self.rows.get(table).copied().unwrap_or_default()
    }

    pub(super) fn total_rows(&self) -> i64 {
        self.rows.values().sum()
    }

    pub(super) fn line(&self, database: &str, load: &Load) -> String {
        let memory = self.memory.map_or_else(|| "?".to_owned(), |[now, _]| mebibytes(now));
        let (minutes, files) = (self.at.as_secs() / 60, self.open_files.unwrap_or_default());
        let [size, wal] = [self.database_bytes, self.wal_bytes].map(|bytes| mebibytes(bytes / 1_024));
        format!(
            "{database} {minutes} min: {} requests, {} busy, {} unexpected, memory {memory}, {files} files, database {size}, log {wal}, {} rows",
            load.requests(),
            load.busy(),
            load.unexpected(),
            self.total_rows()
        )
    }
}
