//! Exit codes.

use crate::sandbox::{Sandbox, run};

#[test]
fn a_usage_error_exits_with_2() {
    let sandbox = Sandbox::new();
    for arguments in [
        &[][..],
        &["read"],
        &["read", "everything"],
        &["read", "tasks", "--completed", "no"],
        &["events", "--from", "20261120"],
        &["events", "--expand"],
        &["events", "--from", "2026-11-20", "--expand"],
        &["task", "restore", "no id"],
        &["task", "move", "dentist"],
        &["keys", "create", "--mode", "all"],
        &["keys", "create", "--mode", "v1_read", "--expires", "tomorrow"],
        &["api", "maybe"],
        &["connections", "revoke"],
        &["column", "add", "To do"],
    ] {
        assert_eq!(sandbox.run(arguments).code, 2, "{arguments:?}");
    }
    for url in ["", "family.example", "ftp://family.example", "http://family.example", "http://ana:canary@127.0.0.1"] {
        assert_eq!(sandbox.run(&["me", "--url", url]).failed().0, 2, "{url}");
    }
}

#[test]
fn a_command_without_its_session_exits_with_3() {
    let sandbox = Sandbox::new();
    for arguments in
        [&["keys", "list"][..], &["connections", "list"], &["access", "revoke-all"], &["deleted"], &["api", "on"]]
    {
        assert_eq!(sandbox.run(arguments).failed().0, 3, "{arguments:?}");
    }
}

#[test]
fn a_rejected_value_exits_with_2_and_has_its_own_line() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["events", "--from", "2026-11-21", "--to", "2026-11-20"]).failed().0, 2);
    let (code, message) = sandbox.run(&["task", "move", "dentist", "--column", "doing", "--order", "-1"]).failed();
    let [summary, field_error] = message.lines().collect::<Vec<_>>().try_into().unwrap();
    assert!(code == 2 && summary.contains("(invalid_field)") && summary.contains("[request "), "{message}");
    assert_eq!(field_error, "family: /order: expected an integer from 0 to 1,000,000");
    let past = ["keys", "create", "--mode", "v1_read", "--name", "", "--expires", "2020-01-01"];
    sandbox.run_signed_in(&past).failed_with(2, &["/name: ", "/expiresAt: "]);
}

#[test]
fn a_missing_record_exits_with_4() {
    let sandbox = Sandbox::new();
    let message = sandbox.run(&["task", "done", "nowhere"]).failed_with(4, &["(not_found)", "[request "]);
    assert!(message.ends_with("family: there is no task with the id or the name `nowhere`\n"), "{message}");
    assert_eq!(sandbox.run(&["task", "move", "dentist", "--column", "nowhere"]).failed().0, 4);
}

#[test]
fn a_response_from_a_proxy_is_classified_by_its_status() {
    let sandbox = Sandbox::new();
    let url = &sandbox.service.url;
    for (status, expected) in [
        (400, 2),
        (413, 2),
        (415, 2),
        (401, 3),
        (403, 3),
        (404, 5),
        (200, 5),
        (500, 5),
        (502, 5),
        (302, 5),
        (409, 1),
        (429, 5),
        (503, 5),
    ] {
        let (code, message) = sandbox.run(&["me", "--url", &format!("{url}/status/{status}")]).failed();
        assert_eq!(code, expected, "{status}: {message}");
        assert!(!message.contains('\u{1b}'), "{message:?}");
    }
    // The exit code is the same with `--json`.
    assert_eq!(sandbox.run(&["me", "--json", "--url", &format!("{url}/status/200")]).failed().0, 5);
    assert_eq!(sandbox.run(&["me", "--json", "--url", &format!("{url}/null")]).failed().0, 5);
}

#[test]
fn an_id_can_begin_with_a_hyphen() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["task", "done", "-hxyz"][..],
        &["task", "move", "dentist", "--column", "-abc"],
        &["note", "rm", "-x"],
        &["note", "show", "-h-"],
    ] {
        assert_eq!(sandbox.run(arguments).failed().0, 4, "{arguments:?}");
    }
    assert_eq!(sandbox.run_signed_in(&["keys", "revoke", "-hxyz"]).failed().0, 4);
}

#[test]
fn control_characters_in_arguments_are_escaped() {
    let sandbox = Sandbox::new();
    for (verb, code) in [("done", 4), ("restore", 2)] {
        let run = sandbox.run(&["task", verb, "\u{1b}]0;owned\u{7}"]);
        assert!(run.code == code && !run.err.contains(['\u{1b}', '\u{7}']), "{run:?}");
    }
}

#[test]
fn a_stopped_service_exits_with_5() {
    let sandbox = Sandbox::new();
    sandbox.run(&["me", "--url", "http://127.0.0.1:1"]).failed_with(5, &["--url"]);
}

#[test]
fn plain_http_to_another_machine_is_used_only_if_allowed() {
    let sandbox = Sandbox::new();
    // A host name that never resolves (RFC 6761).
    let arguments = ["me", "--url", "http://family.invalid"];
    assert_eq!(sandbox.run(&arguments).failed().0, 2);
    assert_eq!(sandbox.run(&[&arguments[..], &["--allow-plain-http"]].concat()).failed().0, 5);
}

#[test]
fn the_help_lists_the_exit_codes() {
    let sandbox = Sandbox::new();
    for help in ["-h", "--help"] {
        let help = run(&mut sandbox.command(&[help])).succeeded();
        assert!(help.contains("Exit codes:\n  0  Success\n"), "{help}");
    }
}
