//! Random sequences of operations, held against the rules as plain Rust and against every storage at once.
//!
//! `FAMILY_API_DIFFERENTIAL_CASES` says how many sequences; a failure shows the shortest one that was found.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod answer;
mod coverage;
mod generate;
mod model;
mod names;
mod revisions;
mod run;
mod state;
mod step;
mod storages;

use std::cell::RefCell;
use std::fmt::Debug;

use family_api_testing::on_postgres;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRunner};
use proptest_state_machine::ReferenceStateMachine;
use tokio::runtime::Builder;

use crate::run::Run;
use crate::state::{Contract, State};
use crate::step::Step;
use crate::storages::Storages;

/// How many sequences there are, unless the environment says another number.
const CASES: u32 = 500;

/// How many steps a sequence has.
const STEPS: usize = 40;

/// How many runs there are in one storage: a load looks at every id that is there.
const RUNS: usize = 40;

/// Where PostgreSQL is missing, the others are held to the rules without it.
macro_rules! differential {
    () => {
        #[test]
        fn every_storage_answers_as_the_contract_says() {
            hold(Storages::all);
        }
    };
    (#[$ignored:meta]) => {
        #[test]
        #[$ignored]
        fn every_storage_answers_as_the_contract_says() {
            hold(Storages::all);
        }

        #[test]
        fn the_embedded_storages_answer_as_the_contract_says() {
            hold(Storages::embedded);
        }
    };
}

on_postgres!(differential,);

/// Holds storages to the model, in random sequences, on two threads with storages of their own.
fn hold(open: impl AsyncFn() -> Storages + Sync) {
    let cases = std::env::var("FAMILY_API_DIFFERENTIAL_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    std::thread::scope(|scope| {
        scope.spawn(|| compare_sequences(&open, cases / 2));
        scope.spawn(|| compare_sequences(&open, cases.div_ceil(2)));
    });
}

fn compare_sequences(open: &impl AsyncFn() -> Storages, cases: u32) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let opened = RefCell::new((0, None));
    let sequences = Contract::sequential_strategy(STEPS);
    let outcome = TestRunner::new(config(cases)).run(&sequences, |(start, steps, tried)| {
        let (runs, storages) = &mut *opened.borrow_mut();
        runtime.block_on(async {
            if *runs % RUNS == 0 {
                *storages = Some(open().await);
            }
            *runs += 1;
            Run::new(storages.as_ref().unwrap(), *runs, start.now).play(start.seed, steps, tried).await
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

/// The shortest sequence that was found, a record or a step a line.
fn failure_report<C: Debug>(error: TestError<(State, Vec<Step>, C)>) -> String {
    let TestError::Fail(reason, (start, steps, _)) = error else {
        return error.to_string();
    };
    let line = |shown: &dyn Debug| format!("  {shown:?}\n");
    let seed: String = start.seed.iter().map(|record| line(record)).collect();
    let steps: String = steps.iter().map(|step| line(step)).collect();
    format!("{reason}\n\nThe shortest sequence that was found begins with\n{seed}and goes on with\n{steps}")
}
