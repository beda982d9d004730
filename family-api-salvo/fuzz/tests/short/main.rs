//! Runs the targets without a fuzzer, with the committed corpus and with inputs generated from it.
//!
//! `FAMILY_API_FUZZ_CASES` sets the number of generated inputs per target.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod corpus;
mod generate;

use std::env;

use family_api_fuzz::{TARGETS, Target};
use proptest::test_runner::{Config, TestRunner};

use corpus::Corpus;

/// The default number of generated inputs per target. These inputs take a few seconds in a debug build.
const CASES: u32 = 1_000;

fn target(name: &str) -> Target {
    TARGETS.iter().find(|(known, _)| *known == name).unwrap().1
}

#[expect(clippy::print_stdout, reason = "the last printed name is the failing input")]
fn replay(name: &str) {
    let target = target(name);
    for (file, input) in Corpus::of(name).files {
        println!("{file}");
        target(&input);
    }
}

fn generate(name: &str) {
    let target = target(name);
    let cases = env::var("FAMILY_API_FUZZ_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&generate::input(Corpus::of(name)), |input| {
        target(&input.0);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

macro_rules! generate_tests {
    ($($name:ident)+) => {
        $(mod $name {
            #[test]
            fn holds_for_the_corpus() {
                crate::replay(stringify!($name));
            }

            #[test]
            fn holds_for_generated_inputs() {
                crate::generate(stringify!($name));
            }
        })+

        const TESTED: &[&str] = &[$(stringify!($name)),+];
    };
}

generate_tests! {
    bearer_header calendar change_body client_metadata environment_list forwarded import_lines instant query redirect_uri
    request
}

#[test]
fn every_target_has_tests_a_program_and_a_corpus() {
    let targets: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    assert_eq!(targets, TESTED);
    assert_eq!(targets, corpus::names_in("fuzz_targets"));
    assert_eq!(targets, corpus::names_in("corpus"));
}

#[test]
fn the_corpus_has_less_than_500_files_and_300_kib() {
    let files: Vec<_> = TESTED.iter().flat_map(|name| Corpus::of(name).files).collect();
    assert!(files.len() < 500, "{} files", files.len());
    assert!(files.iter().map(|(_, input)| input.len()).sum::<usize>() < 300 * 1024, "the corpus is too large");
}
