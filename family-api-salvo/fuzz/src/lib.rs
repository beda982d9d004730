//! What the API promises of any input: one function a target, which panics where a promise is broken.
//!
//! Each is fuzzed with [cargo-fuzz](https://rust-fuzz.github.io/book/), which brings inputs of its own making, and is
//! held to the committed corpus and to generated inputs by the tests of this package, which need nothing but Rust.
//!
//! ```console
//! $ cd family-api-salvo
//! $ export RUSTC_BOOTSTRAP=1
//! $ mkdir -p ../target/corpus/request                     # for what is found
//! $ cargo fuzz run --sanitizer none request ../target/corpus/request fuzz/corpus/request
//! $ cargo run -p family-api-fuzz --bin request -- fuzz/artifacts/request/crash-…   # one input again, without cargo-fuzz
//! $ FAMILY_API_FUZZ_CASES=100000 cargo test -p family-api-fuzz --release           # the tests, for longer
//! ```
//!
//! A new promise is an assertion in the target that it belongs to; an input that broke one joins the corpus.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a broken promise is told by panicking")]
#![expect(clippy::missing_panics_doc, reason = "panicking is what the targets are for")]

mod app;
mod bearer;
mod calendar;
mod change;
mod environment;
mod import;
mod instant;
mod query;
mod replay;
mod request;

pub use bearer::bearer_header;
pub use calendar::calendar;
pub use change::change_body;
pub use environment::environment_list;
pub use import::import_lines;
pub use instant::instant;
pub use query::query;
pub use replay::replay;
pub use request::request;

/// A property of any input.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: [(&str, Target); 8] = [
    ("bearer_header", bearer_header),
    ("calendar", calendar),
    ("change_body", change_body),
    ("environment_list", environment_list),
    ("import_lines", import_lines),
    ("instant", instant),
    ("query", query),
    ("request", request),
];

/// The program of a target: libFuzzer's under cargo-fuzz, else one that replays the files it is given.
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
