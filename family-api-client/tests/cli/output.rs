//! What is written where.

use std::process::{Command, Stdio};

use crate::records::HOSTILE;
use crate::sandbox::{Sandbox, run};

fn steers_a_terminal(letter: char) -> bool {
    (letter.is_control() && letter != '\n') || letter == '\u{202e}'
}

#[test]
fn escape_sequences_in_a_title_are_shown_and_not_done() {
    let sandbox = Sandbox::new();
    for arguments in [&["read", "tasks"][..], &["task", "reopen", "hostile"]] {
        let shown = sandbox.run(arguments).done();
        assert!(!shown.contains(steers_a_terminal), "{shown:?}");
        assert!(shown.contains(r"Red \u{1b}[31m \u{1b}]0;owned\u{7} \u{9b}8m \u{202e}hidden"), "{shown}");
    }
}

#[test]
fn json_says_what_the_api_says_and_steers_no_terminal_either() {
    let sandbox = Sandbox::new();
    let json = sandbox.run(&["read", "tasks", "--json"]).done();
    assert!(!json.contains(steers_a_terminal), "{json:?}");
    assert_eq!(json.matches('\n').count(), 1);
    let boards: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(boards[0]["columns"][0]["tasks"][1]["title"], HOSTILE);
}

#[test]
fn wide_characters_are_aligned() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["read", "tasks", "--completed", "true"]).done();
    // Two letters that are two cells wide each.
    assert!(shown.starts_with("Task           Priority  "), "{shown}");
    assert!(shown.lines().nth(1).unwrap().starts_with("Wash the 毛布  HIGH      "), "{shown}");
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let sandbox = Sandbox::new();
    let token = sandbox.service.key(family_api_core::key::KeyMode::V1Read);
    let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
    let pipe = reader.stdin.take().unwrap();
    reader.wait().unwrap();
    let mut command = sandbox.command(&["read", "tasks", "--json"]);
    let child = command.env("FAMILY_API_TOKEN", token).stdout(pipe).stderr(Stdio::piped()).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &[][..]), "{output:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_a_failure() {
    let sandbox = Sandbox::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let token = sandbox.service.key(family_api_core::key::KeyMode::V1Read);
    let mut command = sandbox.command(&["me"]);
    let child = command.env("FAMILY_API_TOKEN", token).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.starts_with(b"family: cannot write to standard output: "), "{output:?}");
}

#[test]
fn the_version_is_said() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&mut sandbox.command(&["--version"])).done(), concat!("family ", env!("CARGO_PKG_VERSION"), "\n"));
}
