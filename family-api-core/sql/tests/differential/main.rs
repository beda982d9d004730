//! Runs random sequences of operations on a model and on every storage, and compares the results.
//!
//! The environment variable `FAMILY_API_DIFFERENTIAL_CASES` sets the number of sequences. Default: 300. A failure
//! prints the shortest failing sequence that was found.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod coverage;
mod follow;
mod generate;
mod model;
mod prefix;
mod revisions;
mod run;
mod state;
mod step;
mod step_result;
mod storages;

use std::cell::RefCell;
use std::fmt::Debug;

use family_api_testing::on_postgres;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRunner};
use proptest_state_machine::ReferenceStateMachine;
use tokio::runtime::Builder;

use crate::run::Run;
use crate::state::{State, StorageStateMachine};
use crate::step::Step;
use crate::storages::Storages;

/// The default number of sequences.
const CASES: u32 = 300;

/// The number of steps per sequence.
const STEPS: usize = 40;

/// The number of runs before new storages are opened. A load checks every stored id, so each run slows later loads.
const RUNS_PER_STORAGE: usize = 40;

/// Without PostgreSQL, the test of all storages is ignored, and a second test compares the embedded storages.
macro_rules! differential {
    () => {
        #[test]
        fn every_storage_returns_the_results_of_the_model() {
            compare_with_model(Storages::all);
        }
    };
    (#[$ignored:meta]) => {
        #[test]
        #[$ignored]
        fn every_storage_returns_the_results_of_the_model() {
            compare_with_model(Storages::all);
        }

        #[test]
        fn the_embedded_storages_return_the_results_of_the_model() {
            compare_with_model(Storages::embedded);
        }
    };
}

on_postgres!(differential,);

/// Compares storages with the model in random sequences, on two threads with separate storages.
fn compare_with_model(open: impl AsyncFn() -> Storages + Sync) {
    let cases = std::env::var("FAMILY_API_DIFFERENTIAL_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    std::thread::scope(|scope| {
        scope.spawn(|| compare_sequences(&open, cases / 2));
        scope.spawn(|| compare_sequences(&open, cases.div_ceil(2)));
    });
    if cases >= CASES {
        follow::assert_every_outcome();
    }
}

fn compare_sequences(open: &impl AsyncFn() -> Storages, cases: u32) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let opened = RefCell::new((0, None));
    let sequences = StorageStateMachine::sequential_strategy(STEPS);
    let outcome = TestRunner::new(config(cases)).run(&sequences, |(start, steps, seen_counter)| {
        let (runs, storages) = &mut *opened.borrow_mut();
        runtime.block_on(async {
            if *runs % RUNS_PER_STORAGE == 0 {
                *storages = Some(open().await);
            }
            *runs += 1;
            Run::new(storages.as_ref().unwrap(), *runs, start.now).run(start.seed, steps, seen_counter).await
        })
    });
    if let Err(error) = outcome {
        panic!("{}", failure_report(error));
    }
}

fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::XorShift,
        max_shrink_iters: 4_000,
        max_local_rejects: u32::MAX,
        ..Config::default()
    }
}

/// Formats the shortest failing sequence, with one record or step per line.
fn failure_report<C: Debug>(error: TestError<(State, Vec<Step>, C)>) -> String {
    let TestError::Fail(reason, (start, steps, _)) = error else {
        return error.to_string();
    };
    let line = |shown: &dyn Debug| format!("  {shown:?}\n");
    let seed: String = start.seed.iter().map(|record| line(record)).collect();
    let steps: String = steps.iter().map(|step| line(step)).collect();
    format!(
        "{reason}\n\nThe shortest failing sequence starts with the records\n{seed}and continues with the steps\n{steps}"
    )
}
