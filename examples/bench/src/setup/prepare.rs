//! Preparation before the measurement.

use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::time::sleep;

use super::{OTHERS, read_measured, read_tasks};
use crate::dataset::{self, EMAIL, MEASURED, PASSWORD};
use crate::failure::Result;
use crate::http::{Connection, Request};
use crate::process::Server;
use crate::scenarios::{MAX_CONNECTIONS, patch, titles};

pub(super) struct Prepared {
    pub(super) cookie: String,
    pub(super) tasks: Vec<String>,
    pub(super) other_family_task: String,
    /// Files with a measured document and one of another family, for the static baseline.
    pub(super) files: [String; 2],
}

pub(super) async fn prepare(product: &Server, plain: &Server, folder: &Path) -> Result<Prepared> {
    let tasks = task_ids(&read_measured(product).await?, MAX_CONNECTIONS)?;
    let elsewhere = task_ids(&read_tasks(product, 1, 0).await?, 1)?;
    let other_family_task = elsewhere.into_iter().next().unwrap_or_default();
    rename(product, MEASURED, &tasks).await?;
    rename(product, 1, std::slice::from_ref(&other_family_task)).await?;
    compare(product, plain).await?;
    let files = [save(product, MEASURED, folder).await?, save(product, 1, folder).await?];
    Ok(Prepared { cookie: sign_in(product).await?, tasks, other_family_task, files })
}

/// Writes a family's document to a file and returns its path.
async fn save(product: &Server, family: u32, folder: &Path) -> Result<String> {
    let path = folder.join(format!("{family}.json"));
    fs::write(&path, read_tasks(product, family, 0).await?)?;
    Ok(path.to_str().ok_or("the temporary folder is not UTF-8")?.to_owned())
}

/// Sets the titles of the tasks that the scenarios change to the length that they keep from then on.
async fn rename(product: &Server, family: u32, tasks: &[String]) -> Result<()> {
    let mut connection = Connection::open(product.address()).await?;
    for task in tasks {
        connection.ask(&patch(family, task, titles()[0])).await?.expect(200)?;
    }
    Ok(())
}

/// Checks that server and plain handler return the same bytes to each member of each family.
async fn compare(product: &Server, plain: &Server) -> Result<()> {
    for (family, member) in [(MEASURED, 0), (MEASURED, 1), (1, 0), (OTHERS, 1)] {
        if read_tasks(product, family, member).await? != read_tasks(plain, family, member).await? {
            return Err(format!(
                "the plain handler returns a different response to member {member} of family {family}"
            )
            .into());
        }
    }
    Ok(())
}

fn task_ids(document: &[u8], count: usize) -> Result<Vec<String>> {
    let boards: Value = serde_json::from_slice(document)?;
    let inner = |values: &Value, name: &str| values[name].as_array().cloned().unwrap_or_default();
    let columns = boards.as_array().into_iter().flatten().flat_map(|board| inner(board, "columns"));
    let tasks = columns.flat_map(|column| inner(&column, "tasks"));
    Ok(tasks.filter_map(|task| Some(task["id"].as_str()?.to_owned())).take(count).collect())
}

/// Returns the cookie of a new session.
async fn sign_in(product: &Server) -> Result<String> {
    let mut connection = Connection::open(product.address()).await?;
    let request = Request::new("POST", "/login").json(&json!({ "email": EMAIL, "password": PASSWORD }));
    let answer = connection.ask(&request).await?.expect(200)?;
    let cookie = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next());
    Ok(cookie.ok_or("the sign-in sets no cookie")?.to_owned())
}

/// Time that must be left in the current minute. The use of a key is written once per minute.
const MIN_SECONDS_LEFT: u64 = 20;

/// Time after which the uses of keys have been written.
const USES_WRITTEN: Duration = Duration::from_millis(1_500);

/// Sends all requests that are later chosen at random. The uses of all keys are then written before the measurement.
pub(crate) async fn fill(server: &Server) -> Result<()> {
    sleep(wait_time(UNIX_EPOCH.elapsed()?)).await;
    request_each(server).await?;
    sleep(USES_WRITTEN).await;
    request_each(server).await
}

/// Returns the time until the next minute if little is left of the current one, otherwise zero.
fn wait_time(now: Duration) -> Duration {
    let left = 60 - now.as_secs() % 60;
    Duration::from_secs(if left < MIN_SECONDS_LEFT { left } else { 0 })
}

async fn request_each(server: &Server) -> Result<()> {
    let mut connection = Connection::open(server.address()).await?;
    for (family, member) in crate::scenarios::keys() {
        let request = Request::get(super::TASKS).token(&dataset::token(family, member));
        connection.ask(&request).await?.expect(200)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_late_in_a_minute_waits_for_the_next_one() {
        for (second, wait) in [(0, 0), (40, 0), (41, 19), (59, 1), (60, 0)] {
            assert_eq!(wait_time(Duration::from_secs(second)), Duration::from_secs(wait), "{second}");
        }
    }
}
