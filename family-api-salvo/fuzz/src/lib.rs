//! Fuzz targets: properties that the API guarantees for any input. Each target is a function that panics if its
//! property does not hold.
//!
//! [cargo-fuzz](https://rust-fuzz.github.io/book/) runs the targets with inputs that it generates. The tests of this
//! package run them with the committed corpus and with inputs generated from it. The tests need only Rust.
//!
//! ```console
//! $ cd family-api-salvo
//! $ export RUSTC_BOOTSTRAP=1
//! $ mkdir -p ../target/corpus/request                     # for new inputs
//! $ cargo fuzz run --sanitizer none request ../target/corpus/request fuzz/corpus/request
//! $ cargo run -p family-api-fuzz --bin request -- fuzz/artifacts/request/crash-…   # replays one input without cargo-fuzz
//! $ FAMILY_API_FUZZ_CASES=100000 cargo test -p family-api-fuzz --release           # more generated inputs
//! ```
//!
//! To add a property, add an assertion to its target. If an input fails, add it to the corpus.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a target panics if its property does not hold"
)]
#![expect(clippy::missing_panics_doc, reason = "targets report failures by panicking")]

mod app;
mod bearer;
mod calendar;
mod change;
mod client_metadata;
mod environment;
mod forwarded;
mod import;
mod instant;
mod query;
mod redirect_uri;
mod replay;
mod request;

pub use bearer::bearer_header;
pub use calendar::calendar;
pub use change::change_body;
pub use client_metadata::client_metadata;
pub use environment::environment_list;
pub use forwarded::forwarded;
pub use import::import_lines;
pub use instant::instant;
pub use query::query;
pub use redirect_uri::redirect_uri;
pub use replay::replay;
pub use request::request;

/// A function that panics if its property does not hold for an input.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: [(&str, Target); 11] = [
    ("bearer_header", bearer_header),
    ("calendar", calendar),
    ("change_body", change_body),
    ("client_metadata", client_metadata),
    ("environment_list", environment_list),
    ("forwarded", forwarded),
    ("import_lines", import_lines),
    ("instant", instant),
    ("query", query),
    ("redirect_uri", redirect_uri),
    ("request", request),
];

/// Generates the program of a target. cargo-fuzz links the program with libFuzzer. Without cargo-fuzz, the program
/// replays the files that the command line names.
#[macro_export]
macro_rules! fuzz {
    ($target:path) => {
        #[cfg(fuzzing)]
        ::libfuzzer_sys::fuzz_target!(|data: &[u8]| $target(data));

        #[cfg(not(fuzzing))]
        fn main() {
            $crate::replay($target);
        }
    };
}
