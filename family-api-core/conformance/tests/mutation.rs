//! Each case of the suite fails for some flaw of a storage. Otherwise it could check nothing.

use std::collections::BTreeSet;

use futures_util::{StreamExt, future, stream};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};
use tempfile::TempDir;

use crate::commits_each_record::FAIL_IF_RECORDS_ARE_COMMITTED;
use crate::failure::{runs, survival};
use crate::flaws::{BROAD_FLAWS, CHANGE_FLAWS, FLAWS};
use crate::sqlite;
use crate::subject::{SqliteStorage, Stored};

/// Statements that falsify what a database stores, each after comments with the names of the cases that must fail.
const SQL_FLAWS: &str = include_str!("flaws.sql");

/// Returns a database with a flaw.
async fn flawed(flaw: &'static str) -> Stored<SqliteStorage, TempDir> {
    let subject = sqlite::subject().await;
    let file = SqliteConnectOptions::new().filename(subject.place.path().join("family.db"));
    file.connect().await.unwrap().execute(flaw).await.unwrap();
    subject
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_case_fails_for_its_flaw() {
    let mut names = BTreeSet::from(FAIL_IF_RECORDS_ARE_COMMITTED);
    names.extend(FLAWS.iter().chain(&BROAD_FLAWS).chain(&CHANGE_FLAWS).flat_map(|(_, names)| *names));
    let mut flawed_runs = Vec::new();
    for flaw in SQL_FLAWS.split("\n\n").skip(1) {
        let of_flaw: BTreeSet<&str> = flaw.lines().filter_map(|line| line.strip_prefix("-- ")).collect();
        let runs =
            runs!(flawed(flaw); storage_cases load_cases update_cases credentials_cases grants_cases feeds_cases);
        flawed_runs.extend(runs.into_iter().filter(|(name, _)| of_flaw.contains(name)));
        names.extend(of_flaw);
    }
    let runs =
        runs!(sqlite::subject(); storage_cases load_cases update_cases credentials_cases grants_cases feeds_cases);
    let all: BTreeSet<&str> = runs.into_iter().map(|(name, _)| name).collect();
    assert!(names == all, "without a flaw, or without a case: {:#?}", names.symmetric_difference(&all));
    let survivors = stream::iter(flawed_runs).map(survival).buffer_unordered(4).filter_map(future::ready);
    let survivors: Vec<String> = survivors.collect().await;
    assert!(survivors.is_empty(), "{survivors:#?}");
}
