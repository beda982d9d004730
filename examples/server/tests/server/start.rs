//! What stops the start: one clear line, and an exit code.

use std::fs;
use std::net::TcpListener;

use crate::sandbox::Sandbox;

/// Arguments, variables, and how the complaint begins.
type Case<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)], &'a str);

fn failure(sandbox: &Sandbox, arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = sandbox.command(arguments).envs(variables.iter().copied()).output().unwrap();
    assert!(output.stdout.is_empty(), "{output:?}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_bad_setting_is_told_in_one_line() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("text.db"), "this is no database, but it is long enough to be looked at ".repeat(20))
        .unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let cases: [Case<'_>; 9] = [
        (&["serve", "--listen", &taken], &[], &format!("cannot listen on {taken}, --listen takes another: ")),
        (&["serve", "--listen", "nonsense"], &[], "cannot listen on nonsense, "),
        (&["serve"], &[("FAMILY_API_LISTEN", "256.0.0.1:80")], "cannot listen on 256.0.0.1:80, "),
        (&["serve", "--database", "sqlite:missing/family.db"], &[], "the database cannot be opened: "),
        (&["serve", "--database", "sqlite:text.db"], &[], "the database cannot be opened: "),
        (
            &["serve", "--database", "postgres://u:canary@h/d"],
            &[],
            "databases of the kind `postgres` are not supported",
        ),
        (&["serve"], &[("DATABASE_URL", "family.db")], "the database URL has no scheme, expected sqlite:PATH"),
        (&["serve"], &[("FAMILY_API_LOG", "family=loud")], "FAMILY_API_LOG is no log filter"),
        (&["import", "missing.jsonl"], &[], "cannot read missing.jsonl: "),
    ];
    for (arguments, variables, message) in cases {
        let (code, stderr) = failure(&sandbox, arguments, variables);
        let complaint = stderr.lines().last().unwrap();
        assert_eq!(code, Some(1), "{stderr}");
        assert!(complaint.starts_with(&format!("family-api-server: {message}")), "{stderr}");
        assert!(stderr.lines().all(|line| line == complaint || line.contains(" INFO ")), "{stderr}");
        assert!(!stderr.contains("canary"), "{stderr}");
    }
}

#[test]
fn an_environment_token_that_is_not_usable_stops_the_start_without_being_shown() {
    let sandbox = Sandbox::new();
    for (list, entry) in [("ana|ok,canary", 2), ("ana|canary,ben|canary", 2), ("ana|", 1), ("ana|fam_canary", 1)] {
        let (code, stderr) = failure(&sandbox, &["serve"], &[("SERVICE_MCP_READ_TOKENS", list)]);
        assert_eq!(code, Some(1));
        assert!(stderr.contains(&format!("entry {entry} of the environment tokens")), "{stderr}");
        assert!(!stderr.contains("canary"), "{stderr}");
    }
}

#[test]
fn a_command_that_is_not_understood_is_a_usage_error() {
    let sandbox = Sandbox::new();
    for arguments in [
        &[][..],
        &["nonsense"],
        &["serve", "--log", "loud"],
        &["serve", "--rate-limit", "300"],
        &["serve", "--public-url", "family.example"],
        &["import"],
        &["user"],
        &["demo", "--database", "sqlite:x.db"],
    ] {
        let (code, stderr) = failure(&sandbox, arguments, &[]);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(stderr.contains("For more information, try '--help'") || stderr.contains("Usage:"), "{stderr}");
    }
}

#[test]
fn help_names_the_variables_and_not_their_secrets() {
    let sandbox = Sandbox::new();
    let output = sandbox.command(&["serve", "--help"]).env("DATABASE_URL", "postgres://u:canary@h/d").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for variable in
        ["DATABASE_URL", "FAMILY_API_LISTEN", "FAMILY_API_PUBLIC_URL", "FAMILY_API_LOG", "SERVICE_MCP_READ_TOKENS"]
    {
        assert!(help.contains(variable), "{variable}");
    }
    assert!(!help.contains("canary"), "{help}");
}
