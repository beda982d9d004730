//! Prepares the measurement: sets titles, compares the responses of the servers, saves files.

use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;
use tokio::time::sleep;

use super::{OTHER_FAMILIES, answer, read_measured, read_tasks};
use crate::dataset::{self, MEASURED_FAMILY};
use crate::failure::Result;
use crate::http::{Connection, Request};
use crate::process::Server;
use crate::scenarios::{MAX_CONNECTIONS, TITLES, discover, patch, tools_list};

/// Returns the ids of the tasks that the scenarios change, and the files for the static baseline: `read/tasks` of the
/// measured family, `read/tasks` of another family, the tools of the MCP endpoint, and its description.
pub(super) async fn prepare(server: &Server, plain: &Server, folder: &Path) -> Result<(Vec<String>, Vec<String>)> {
    let tasks = task_ids(&read_measured(server).await?, MAX_CONNECTIONS)?;
    rename(server, &tasks).await?;
    check_same_responses(server, plain).await?;
    let documents = [
        read_measured(server).await?,
        read_tasks(server, 1, 0).await?,
        answer(server, &tools_list()).await?,
        answer(server, &discover()).await?,
    ];
    let files = documents.iter().enumerate();
    let files = files.map(|(number, document)| save(&folder.join(format!("{number}.json")), document));
    let files = files.collect::<Result<Vec<String>>>()?;
    Ok((tasks, files))
}

/// Writes a document to a file and returns the path.
fn save(path: &Path, document: &[u8]) -> Result<String> {
    fs::write(path, document)?;
    Ok(path.to_str().ok_or("the temporary folder is not UTF-8")?.to_owned())
}

/// Sets the titles of the tasks that the scenarios change. All later titles have the same length.
async fn rename(server: &Server, tasks: &[String]) -> Result<()> {
    let mut connection = Connection::open(server.address()).await?;
    for task in tasks {
        connection.send(&patch(task, TITLES[0])).await?.expect(200)?;
    }
    Ok(())
}

/// Checks that the server and the plain handler return the same bytes to four members.
async fn check_same_responses(server: &Server, plain: &Server) -> Result<()> {
    for (family, member) in [(MEASURED_FAMILY, 0), (MEASURED_FAMILY, 1), (1, 0), (OTHER_FAMILIES, 1)] {
        if read_tasks(server, family, member).await? != read_tasks(plain, family, member).await? {
            return Err(format!(
                "the plain handler returns a different response to member {member} of family {family}"
            )
            .into());
        }
    }
    Ok(())
}

/// Returns the id of one open task of each family.
pub(crate) async fn one_task_of_each(server: &Server, families: impl Iterator<Item = u32>) -> Result<Vec<String>> {
    let mut connection = Connection::open(server.address()).await?;
    let mut tasks = vec![];
    for family in families {
        let request = Request::get(super::TASKS).token(&dataset::token(family, 0));
        tasks.extend(task_ids(connection.send(&request).await?.expect(200)?.body, 1)?);
    }
    Ok(tasks)
}

fn task_ids(document: &[u8], count: usize) -> Result<Vec<String>> {
    let boards: Value = serde_json::from_slice(document)?;
    let inner = |values: &Value, name: &str| values[name].as_array().cloned().unwrap_or_default();
    let columns = boards.as_array().into_iter().flatten().flat_map(|board| inner(board, "columns"));
    let tasks = columns.flat_map(|column| inner(&column, "tasks"));
    Ok(tasks.filter_map(|task| Some(task["id"].as_str()?.to_owned())).take(count).collect())
}

/// Minimum number of seconds left in the current minute when a measurement starts. In each minute, the server writes
/// the first use of each key, so a new minute would add writes to the measurement.
const MIN_SECONDS_LEFT: u64 = 20;

/// Time after which the server has written the last uses of keys.
const KEY_USE_WRITE_TIME: Duration = Duration::from_millis(1_500);

/// Sends a request with each key, so that the server writes the uses of the keys before the measurement, not during it.
/// Then sends a second request with each key, so that the key cache contains all keys.
pub(crate) async fn use_all_keys(server: &Server) -> Result<()> {
    sleep(wait_time(UNIX_EPOCH.elapsed()?)).await;
    use_each_key(server).await?;
    sleep(KEY_USE_WRITE_TIME).await;
    use_each_key(server).await
}

/// Returns the time until the next minute if fewer than [`MIN_SECONDS_LEFT`] seconds are left, otherwise zero.
fn wait_time(now: Duration) -> Duration {
    let left = 60 - now.as_secs() % 60;
    Duration::from_secs(if left < MIN_SECONDS_LEFT { left } else { 0 })
}

async fn use_each_key(server: &Server) -> Result<()> {
    let mut connection = Connection::open(server.address()).await?;
    for (family, member) in crate::scenarios::keys() {
        let request = Request::get(super::TASKS).token(&dataset::token(family, member));
        connection.send(&request).await?.expect(200)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_late_in_a_minute_waits_for_the_next_minute() {
        for (second, wait) in [(0, 0), (40, 0), (41, 19), (59, 1), (60, 0)] {
            assert_eq!(wait_time(Duration::from_secs(second)), Duration::from_secs(wait), "{second}");
        }
    }
}
