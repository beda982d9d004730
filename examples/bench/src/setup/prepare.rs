//! What must be known before anything is measured.

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
use crate::scenarios::{MOST_CONNECTIONS, patch, titles};

pub(super) struct Prepared {
    pub(super) cookie: String,
    pub(super) tasks: Vec<String>,
    pub(super) task_elsewhere: String,
    /// A measured document and one of another family, for who serves bytes.
    pub(super) files: [String; 2],
}

pub(super) async fn prepare(product: &Server, plain: &Server, folder: &Path) -> Result<Prepared> {
    let tasks = task_ids(&read_measured(product).await?, MOST_CONNECTIONS)?;
    let elsewhere = task_ids(&read_tasks(product, 1, 0).await?, 1)?;
    let task_elsewhere = elsewhere.into_iter().next().unwrap_or_default();
    rename(product, MEASURED, &tasks).await?;
    rename(product, 1, std::slice::from_ref(&task_elsewhere)).await?;
    compare(product, plain).await?;
    let files = [save(product, MEASURED, folder).await?, save(product, 1, folder).await?];
    Ok(Prepared { cookie: sign_in(product).await?, tasks, task_elsewhere, files })
}

/// Writes a family's document to a file, and tells its path.
async fn save(product: &Server, family: u32, folder: &Path) -> Result<String> {
    let path = folder.join(format!("{family}.json"));
    fs::write(&path, read_tasks(product, family, 0).await?)?;
    Ok(path.to_str().ok_or("the temporary folder is not UTF-8")?.to_owned())
}

/// What is changed while it is measured gets a title of the length that it has from then on.
async fn rename(product: &Server, family: u32, tasks: &[String]) -> Result<()> {
    let mut connection = Connection::open(product.address()).await?;
    for task in tasks {
        connection.ask(&patch(family, task, titles()[0])).await?.expect(200)?;
    }
    Ok(())
}

/// Both must do the same job: each member of each family gets the same bytes from either.
async fn compare(product: &Server, plain: &Server) -> Result<()> {
    for (family, member) in [(MEASURED, 0), (MEASURED, 1), (1, 0), (OTHERS, 1)] {
        if read_tasks(product, family, member).await? != read_tasks(plain, family, member).await? {
            return Err(format!("the plain handler answers member {member} of family {family} otherwise").into());
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

/// The cookie of a session.
async fn sign_in(product: &Server) -> Result<String> {
    let mut connection = Connection::open(product.address()).await?;
    let request = Request::new("POST", "/login").json(&json!({ "email": EMAIL, "password": PASSWORD }));
    let answer = connection.ask(&request).await?.expect(200)?;
    let cookie = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next());
    Ok(cookie.ok_or("the sign-in sets no cookie")?.to_owned())
}

/// Of a minute, so much is left for those who are known in it: uses are written once a minute and key.
const ENOUGH: u64 = 20;

/// After so long, uses are written.
const USES_WRITTEN: Duration = Duration::from_millis(1_500);

/// Asks for all that is asked for at random later, so that it is known and nothing is left to be written.
pub(crate) async fn fill(server: &Server) -> Result<()> {
    sleep(until_enough_is_left(UNIX_EPOCH.elapsed()?)).await;
    ask_for_each(server).await?;
    sleep(USES_WRITTEN).await;
    ask_for_each(server).await
}

/// Until the next minute, where little is left of this one.
fn until_enough_is_left(now: Duration) -> Duration {
    let left = 60 - now.as_secs() % 60;
    Duration::from_secs(if left < ENOUGH { left } else { 0 })
}

async fn ask_for_each(server: &Server) -> Result<()> {
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
    fn who_comes_late_in_a_minute_waits_for_the_next() {
        for (second, wait) in [(0, 0), (40, 0), (41, 19), (59, 1), (60, 0)] {
            assert_eq!(until_enough_is_left(Duration::from_secs(second)), Duration::from_secs(wait), "{second}");
        }
    }
}
