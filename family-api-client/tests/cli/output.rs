//! Standard output and standard error.

use std::process::{Command, Stdio};

use crate::records::HOSTILE;
use crate::sandbox::{Sandbox, run, run_into};

fn is_terminal_control(letter: char) -> bool {
    (letter.is_control() && letter != '\n') || letter == '\u{202e}'
}

#[test]
fn control_characters_in_a_title_are_escaped() {
    let sandbox = Sandbox::new();
    for arguments in [&["read", "tasks"][..], &["task", "reopen", "hostile"]] {
        let shown = sandbox.run(arguments).succeeded();
        assert!(!shown.contains(is_terminal_control), "{shown:?}");
        assert!(shown.contains(r"Red \u{1b}[31m \u{1b}]0;owned\u{7} \u{9b}8m \u{202e}hidden"), "{shown}");
    }
}

#[test]
fn json_is_complete_and_control_characters_are_escaped() {
    let sandbox = Sandbox::new();
    let json = sandbox.run(&["read", "tasks", "--json"]).succeeded();
    assert!(!json.contains(is_terminal_control), "{json:?}");
    assert_eq!(json.matches('\n').count(), 1);
    let boards: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(boards[0]["columns"][0]["tasks"][1]["title"], HOSTILE);
}

#[test]
fn a_change_with_an_unreadable_response_is_in_doubt_also_with_json() {
    let sandbox = Sandbox::new();
    let url = format!("{}/null", sandbox.service.url);
    for arguments in [&["task", "restore", "dentist"][..], &["note", "delete", "wifi"]] {
        let table = sandbox.run(&[arguments, &["--url", &url]].concat()).failed();
        let expected =
            "family: the response cannot be decoded: unexpected shape at .; the call may have taken effect\n";
        assert_eq!((table.0, table.1.as_str()), (5, expected), "{arguments:?}");
        assert_eq!(sandbox.run(&[arguments, &["--url", &url, "--json"]].concat()).failed(), table, "{arguments:?}");
    }
}

#[test]
fn wide_characters_are_aligned() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["read", "tasks", "--completed", "true"]).succeeded();
    // Each of the two letters is two cells wide.
    assert!(shown.starts_with("Task           Priority  "), "{shown}");
    assert!(shown.lines().nth(1).unwrap().starts_with("Wash the 毛布  HIGH      "), "{shown}");
}

#[test]
fn a_closed_pipe_exits_with_0_and_prints_no_error() {
    let sandbox = Sandbox::new();
    let token = sandbox.service.key(family_api_core::key::KeyMode::V1Read);
    let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
    let pipe = reader.stdin.take().unwrap();
    reader.wait().unwrap();
    let mut command = sandbox.command(&["read", "tasks", "--json"]);
    run_into(pipe, command.env("FAMILY_API_TOKEN", token)).succeeded();
}

#[test]
#[cfg(target_os = "linux")]
fn a_failed_write_to_standard_output_is_a_failure() {
    let sandbox = Sandbox::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let token = sandbox.service.key(family_api_core::key::KeyMode::V1Read);
    let mut command = sandbox.command(&["me"]);
    let (code, message) = run_into(full, command.env("FAMILY_API_TOKEN", token)).failed();
    assert!(code == 1 && message.starts_with("family: cannot write to standard output: "), "{message}");
}

#[test]
fn the_version_is_printed() {
    let sandbox = Sandbox::new();
    assert_eq!(
        run(&mut sandbox.command(&["--version"])).succeeded(),
        concat!("family ", env!("CARGO_PKG_VERSION"), "\n")
    );
}
