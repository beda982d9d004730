//! Tests of the pages in a real Chromium, against the real binary.
//!
//! Each test starts its own server and its own browser with a new profile. After each test, the logs of its pages must
//! be empty: no error of a script, and no violation of a content security policy. If a test fails, it saves a
//! screenshot of each page to the folder `tmp/browser` of the target folder.
//!
//! If Chromium is missing, the tests are ignored: see `family_api_testing`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot continue fails")]

#[expect(dead_code, unused_macros, unused_imports, reason = "the tests in tests/server use all of it")]
#[path = "../server/backend.rs"]
mod backend;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/client.rs"]
mod client;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/family.rs"]
mod family;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/sandbox.rs"]
mod sandbox;

mod accessibility;
mod appearance;
mod assistant;
mod axe;
mod browser;
mod consent;
mod deleted;
mod feeds;
mod harness;
mod keys;
mod languages;
mod log;
mod other_site;
mod page;
mod people;
mod screenshot;
mod sign_in;
mod site;
mod until;
mod zone;
