//! Runs the conformance suite on the app of the page "Embedding", and asks the app over HTTP.

#[path = "../../examples/own_tables.rs"]
#[expect(dead_code, reason = "the example has a main function")]
mod app;
#[cfg(test)]
mod suite;
