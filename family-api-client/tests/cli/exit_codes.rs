//! What went wrong, by the exit code.

use crate::sandbox::{Sandbox, run};

#[test]
fn usage_is_2() {
    let sandbox = Sandbox::new();
    for arguments in [
        &[][..],
        &["read"],
        &["read", "everything"],
        &["read", "tasks", "--completed", "no"],
        &["events", "--from", "20261120"],
        &["task", "done", "no id"],
        &["task", "move", "dentist"],
        &["keys", "create", "--mode", "all"],
        &["keys", "create", "--mode", "v1_read", "--expires", "tomorrow"],
        &["api", "maybe"],
    ] {
        assert_eq!(sandbox.run(arguments).code, 2, "{arguments:?}");
    }
    for url in ["", "family.example", "ftp://family.example", "http://family.example", "http://ana:canary@127.0.0.1"] {
        assert_eq!(sandbox.run(&["me", "--url", url]).failed().0, 2, "{url}");
    }
}

#[test]
fn values_that_the_service_refuses_are_2_and_each_is_named_on_a_line() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["events", "--from", "2026-11-21", "--to", "2026-11-20"]).failed().0, 2);
    let (code, complaint) = sandbox.run(&["task", "move", "dentist", "--column", "doing", "--order", "-1"]).failed();
    let [summary, fault] = complaint.lines().collect::<Vec<_>>().try_into().unwrap();
    assert!(code == 2 && summary.contains("(invalid_field)") && summary.contains("[request "), "{complaint}");
    assert_eq!(fault, "family: /order: expected an integer from 0 to 1,000,000");
    let past = ["keys", "create", "--mode", "v1_read", "--name", "", "--expires", "2020-01-01"];
    let (code, complaint) = sandbox.run_signed_in(&past).failed();
    assert!(code == 2 && complaint.contains("/name: ") && complaint.contains("/expiresAt: "), "{complaint}");
}

#[test]
fn what_is_not_there_is_4() {
    let sandbox = Sandbox::new();
    let (code, complaint) = sandbox.run(&["task", "done", "nowhere"]).failed();
    assert!(code == 4 && complaint.contains("(not_found)") && complaint.contains("[request "), "{complaint}");
    assert_eq!(sandbox.run(&["task", "move", "dentist", "--column", "nowhere"]).failed().0, 4);
}

#[test]
fn what_stands_before_the_service_counts_by_its_status() {
    let sandbox = Sandbox::new();
    let url = &sandbox.service.url;
    for (status, expected) in
        [(400, 2), (413, 2), (415, 2), (401, 3), (403, 3), (404, 5), (200, 5), (500, 5), (502, 5), (302, 5), (409, 1)]
    {
        let (code, complaint) = sandbox.run(&["me", "--url", &format!("{url}/status/{status}")]).failed();
        assert_eq!(code, expected, "{status}: {complaint}");
        assert!(!complaint.contains('\u{1b}'), "{complaint:?}");
    }
    // Scripts are told, too.
    assert_eq!(sandbox.run(&["me", "--json", "--url", &format!("{url}/status/200")]).failed().0, 5);
    assert_eq!(sandbox.run(&["me", "--json", "--url", &format!("{url}/null")]).failed().0, 5);
}

#[test]
fn an_id_that_looks_like_an_option_is_an_id() {
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
fn an_argument_that_is_quoted_steers_no_terminal() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["task", "done", "\u{1b}]0;owned\u{7}"]);
    assert!(run.code == 2 && !run.err.contains(['\u{1b}', '\u{7}']), "{run:?}");
}

#[test]
fn a_key_without_the_scope_is_told_which_one_has_it() {
    let sandbox = Sandbox::new();
    let run = sandbox.run_with(family_api_core::key::KeyMode::V1Read, &["task", "done", "dentist"]);
    let (code, complaint) = run.failed();
    assert!(code == 3 && complaint.contains("v1_read_write"), "{complaint}");
}

#[test]
fn a_service_that_is_busy_or_not_there_is_5() {
    let sandbox = Sandbox::new();
    for status in [429, 503] {
        let url = format!("{}/status/{status}", sandbox.service.url);
        assert_eq!(sandbox.run(&["me", "--url", &url]).failed().0, 5);
    }
    let (code, complaint) = sandbox.run(&["me", "--url", "http://127.0.0.1:1"]).failed();
    assert!(code == 5 && complaint.contains("--url"), "{complaint}");
}

#[test]
fn plain_http_to_another_machine_is_tried_when_it_is_allowed() {
    let sandbox = Sandbox::new();
    // A name that never stands for a machine (RFC 6761).
    let arguments = ["me", "--url", "http://family.invalid"];
    assert_eq!(sandbox.run(&arguments).failed().0, 2);
    assert_eq!(sandbox.run(&[&arguments[..], &["--allow-plain-http"]].concat()).failed().0, 5);
}

#[test]
fn the_exit_codes_are_in_the_help() {
    let sandbox = Sandbox::new();
    for help in ["-h", "--help"] {
        let help = run(&mut sandbox.command(&[help])).done();
        assert!(help.contains("Exit codes:\n  0  It is done\n"), "{help}");
    }
}
