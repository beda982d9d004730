//! Each case of the suite fails for some flaw of a storage. Otherwise it could check nothing.

use std::collections::BTreeSet;

use family_api_conformance::{credentials_cases, grants_cases, load_cases, storage_cases, update_cases};
use futures_util::{StreamExt, future, stream};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};

use crate::commits_each_record::FAIL_IF_RECORDS_ARE_COMMITTED;
use crate::keeps_less::{FAIL_IF_READS_DIFFER, FAIL_WITHOUT_CREDENTIAL_CHECKS};
use crate::sqlite;

/// Statements that falsify what a database stores, each after comments with the names of the cases that must fail.
const FLAWS: &str = include_str!("flaws.sql");

macro_rules! suites {
    ($($cases:ident)+) => {
        fn all_names() -> BTreeSet<&'static str> {
            let mut names = BTreeSet::new();
            $(names.extend($cases().iter().map(|case| case.name()));)+
            names
        }

        /// Runs the case on a database with the flaw. Returns the message of its panic.
        async fn failure(name: &'static str, flaw: &'static str) -> Option<String> {
            let subject = sqlite::subject().await;
            let file = SqliteConnectOptions::new().filename(subject.place.path().join("family.db"));
            file.connect().await.unwrap().execute(flaw).await.unwrap();
            let run = tokio::spawn(async move {
                $(if let Some(case) = $cases().iter().find(|case| case.name() == name) {
                    return case.run(&subject).await;
                })+
                panic!("called for {name}, which is no case");
            });
            let panic = run.await.err()?.into_panic();
            panic.downcast_ref::<String>().cloned().or_else(|| Some((*panic.downcast_ref::<&str>()?).to_owned()))
        }
    };
}

suites!(storage_cases load_cases update_cases credentials_cases grants_cases);

/// Returns why the case is not shown to fail by an assertion.
async fn survival(name: &'static str, flaw: &'static str) -> Option<String> {
    match failure(name, flaw).await {
        None => Some(format!("{name} passes with the flaw {flaw}")),
        // An error of the storage does not show that the case checks a result.
        Some(message) if ["called ", "Backend(", "Corrupt("].iter().any(|error| message.contains(error)) => {
            Some(format!("{name} fails for another reason: {message}"))
        }
        Some(_) => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_case_fails_for_its_flaw() {
    let flaws = FLAWS.split("\n\n").skip(1);
    let runs = flaws.flat_map(|flaw| flaw.lines().filter_map(move |line| Some((line.strip_prefix("-- ")?, flaw))));
    let mut names: Vec<&str> = runs.clone().map(|(name, _)| name).collect();
    names.extend(FAIL_IF_READS_DIFFER.into_iter().chain(FAIL_IF_RECORDS_ARE_COMMITTED));
    names.extend(FAIL_WITHOUT_CREDENTIAL_CHECKS);
    names.sort_unstable();
    assert_eq!(names, all_names().into_iter().collect::<Vec<_>>());
    let survivors = stream::iter(runs).map(|(name, flaw)| survival(name, flaw)).buffer_unordered(4);
    let survivors: Vec<String> = survivors.filter_map(future::ready).collect().await;
    assert!(survivors.is_empty(), "{survivors:#?}");
}
