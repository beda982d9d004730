//! The memory of an export.

use std::fs;
use std::io::Read;

use serde_json::json;

use crate::backend::{Backend, on_each_backend};
use crate::export::snapshot::start;
use crate::family;
use crate::sandbox::Sandbox;

on_each_backend! {
    long_records_do_not_fill_the_memory,
}

const NOTES: usize = 400;

/// The length of a note in bytes: about the longest that the API accepts.
const LENGTH: usize = 250_000;

async fn long_records_do_not_fill_the_memory(backend: Backend) {
    let note = |n| {
        let mut note = family::note(&format!("n{n}"), "rivera");
        note["content"] = json!("x".repeat(LENGTH));
        note
    };
    let sandbox = Sandbox::with_families(backend).await.import_lines((0..NOTES).map(note));
    let (mut command, mut output, _) = start(&sandbox);
    // The command waits for its reader until the last notes.
    output.by_ref().take((LENGTH * (NOTES - 10)) as u64).read_to_end(&mut Vec::new()).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", command.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB")?.trim().parse().ok());
    let peak: usize = peak.unwrap();
    assert!(peak * 1024 < NOTES * LENGTH, "{peak} KiB");
    output.read_to_end(&mut Vec::new()).unwrap();
    assert!(command.wait().unwrap().success());
}
