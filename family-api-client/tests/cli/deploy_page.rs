//! The commands `family` of the page that leads from an empty machine to a family that uses the API.

use std::fs;
use std::path::Path;

use family_api_core::key::KeyMode;

use crate::records::records;
use crate::sandbox::{Sandbox, run};
use crate::sign_in::PASSWORD;

/// Returns the commands of the page that read and write records. Each has its words.
fn commands() -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/server/DEPLOY.md");
    let page = fs::read_to_string(page).unwrap();
    let commands = page.lines().filter_map(|line| line.strip_prefix("$ family "));
    commands.filter(|command| !command.starts_with("doctor ")).map(words).collect()
}

/// Splits a command as a shell does. Only quotation marks are special.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(index, part)| if index % 2 == 1 { vec![part] } else { part.split(' ').collect() });
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn the_commands_of_the_page_add_the_first_records() {
    // What the page has created before: the family with its first board and list, and its user.
    let first = ["family", "user", "board", "column", "shoppingList"];
    let records = records().into_iter().filter(|record| first.contains(&record["type"].as_str().unwrap()));
    let sandbox = Sandbox::with_records(&records.collect::<Vec<_>>());
    let key = sandbox.service.key(KeyMode::V1Full);
    sandbox.file("password", &format!("{PASSWORD}\n"), 0o600);
    let mut shown = String::new();
    for words in commands() {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = sandbox.command(&words);
        let run = run(command.env("FAMILY_API_TOKEN", &key).stdin(sandbox.open("password")));
        assert_eq!(run.code, 0, "{words:?}: {run:?}");
        shown = run.out;
    }
    assert!(shown.contains("Book the dentist"), "{shown}");
}
