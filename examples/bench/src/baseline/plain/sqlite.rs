//! Reads SQLite with rusqlite, on the threads for blocking work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rusqlite::{Connection, OpenFlags, OptionalExtension, Params, Row};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use super::member::{Key, Member};
use super::rows::{Board, Column, Instant, Person, Task, assemble, board, column, key, person, task};
use super::sql;
use crate::failure::Result;

const CONNECTIONS: usize = 4;

/// Read-only connections, which are used in turn.
pub(super) struct Pool {
    connections: Vec<Arc<Mutex<Connection>>>,
    next: AtomicUsize,
}

impl Pool {
    pub(super) fn open(path: &str) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = |_| Ok(Arc::new(Mutex::new(Connection::open_with_flags(path, flags)?)));
        Ok(Self { connections: (0..CONNECTIONS).map(open).collect::<Result<_>>()?, next: AtomicUsize::new(0) })
    }

    /// Returns the open tasks that the member with this digest of a token can see, as JSON.
    pub(super) async fn read_tasks(&self, digest: [u8; 32]) -> Result<Option<Vec<u8>>> {
        let index = self.next.fetch_add(1, Relaxed) % self.connections.len();
        let mut connection = Arc::clone(&self.connections[index]).lock_owned().await;
        spawn_blocking(move || read_tasks(&mut connection, &digest)).await?
    }
}

pub(super) fn read_tasks(connection: &mut Connection, digest: &[u8; 32]) -> Result<Option<Vec<u8>>> {
    // All statements read the same state of the database.
    let transaction = connection.transaction()?;
    let Some(member) = find_member(&transaction, digest)? else { return Ok(None) };
    let boards = rows(&transaction, sql::BOARDS, (&member.family, &member.user), |row| Ok(board!(row.get)))?;
    let columns = rows(&transaction, sql::COLUMNS, (&member.family,), |row| Ok(column!(row.get)))?;
    let tasks = rows(&transaction, sql::TASKS, (&member.family, &member.user), |row| Ok(task!(row.get)))?;
    Ok(Some(serde_json::to_vec(&assemble(boards, columns, tasks))?))
}

pub(super) fn find_member(connection: &Connection, digest: &[u8; 32]) -> rusqlite::Result<Option<Member>> {
    let mut statement = connection.prepare_cached(sql::SQLITE_KEY)?;
    let key = statement.query_row((digest,), |row| Ok(key!(row.get))).optional()?;
    Ok(key.and_then(Key::into_member))
}

fn rows<T>(
    connection: &Connection,
    sql: &str,
    arguments: impl Params,
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection.prepare_cached(sql)?.query_map(arguments, read)?.collect()
}
