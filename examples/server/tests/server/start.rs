//! A failed start prints one clear line and sets the exit code.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use family_api_testing::{Server, postgres_tests};
use sqlx::{AssertSqlSafe, Executor};

use crate::sandbox::Sandbox;

/// Arguments, environment variables, and the beginning of the error message.
type Case<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)], &'a str);

fn failure(sandbox: &Sandbox, arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = sandbox.command(arguments).envs(variables.iter().copied()).output().unwrap();
    assert!(output.stdout.is_empty(), "{output:?}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_invalid_setting_is_reported_on_one_line() {
    let sandbox = Sandbox::on_sqlite();
    fs::write(sandbox.path("text.db"), "this is no database, but it is long enough to be read as one ".repeat(20))
        .unwrap();
    fs::create_dir(sandbox.path("folder")).unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let closed = "postgres://canary:canary@127.0.0.1:1/family";
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_url = format!("postgres://canary:canary@{}/family", silent.local_addr().unwrap());
    let no_socket = "postgres:///family?host=/nowhere&user=canary";
    let cases: [Case<'_>; 24] = [
        (&["serve", "--listen", &taken], &[], &format!("cannot listen on {taken} (set --listen to another address): ")),
        (
            &["serve", "--listen", "nonsense"],
            &[],
            "cannot listen on nonsense (expected an address and a port, such as ",
        ),
        (
            &["serve"],
            &[("FAMILY_API_LISTEN", "8080")],
            "cannot listen on 8080 (expected an address and a port, such as ",
        ),
        (&["serve", "--listen", "localhost:http"], &[], "cannot listen on localhost:http (expected an address and a "),
        (&["serve"], &[("FAMILY_API_LISTEN", "256.0.0.1:80")], "cannot listen on 256.0.0.1:80 ("),
        (
            &["serve", "--database", "sqlite:missing/family.db"],
            &[],
            "the database missing/family.db cannot be opened: the folder missing does not exist",
        ),
        (
            &["serve", "--database", "sqlite:text.db?mode=rwc"],
            &[],
            "the database text.db cannot be opened: file is not a database",
        ),
        (&["serve", "--database", "sqlite:folder"], &[], "the database folder cannot be opened: it is a folder"),
        (&["serve", "--database", "mysql://canary:canary@h/d"], &[], "unsupported database scheme `mysql`, "),
        (
            &["serve"],
            &[("DATABASE_URL", "canary:canary@h/d")],
            "the database URL has no scheme, expected a path, sqlite:PATH or ",
        ),
        (&["serve", "--database", "postgres://canary:canary@h:x/d"], &[], "invalid database URL, "),
        (&["serve", "--database", "postgresql://h/d?sslmode=canary"], &[], "invalid database URL, "),
        (
            &["serve", "--database", "postgres://h/d?sslmod=canary"],
            &[],
            "the database URL has a parameter `sslmod`, which is not known",
        ),
        (&["serve", "--database", closed], &[], "the database cannot be opened: it does not answer"),
        (&["serve", "--database", &silent_url], &[], "the database cannot be opened: it does not answer"),
        (&["serve", "--database", no_socket], &[], "the database cannot be opened: the socket, or "),
        (&["import", "-", "--database", closed], &[], "the database cannot be opened: it does not answer"),
        (&["serve"], &[("FAMILY_API_LOG", "family=loud")], "invalid log filter in FAMILY_API_LOG: "),
        (&["serve"], &[("FAMILY_API_LOG", "family=")], "invalid log filter in FAMILY_API_LOG: "),
        (&["serve"], &[("FAMILY_API_LOG", "[request]=debug")], "invalid log filter in FAMILY_API_LOG: "),
        (&["serve"], &[("FAMILY_API_LOG", "*=info")], "invalid log filter in FAMILY_API_LOG: "),
        (&["serve"], &[("FAMILY_API_LOG", "loud")], "invalid log filter in FAMILY_API_LOG: "),
        (&["serve"], &[("FAMILY_API_LOG", "=info")], "invalid log filter in FAMILY_API_LOG: "),
        (&["import", "missing.jsonl"], &[], "cannot read missing.jsonl: "),
    ];
    for (arguments, variables, message) in cases {
        let began = Instant::now();
        let (code, stderr) = failure(&sandbox, arguments, variables);
        assert!(began.elapsed() < Duration::from_secs(20), "{stderr}");
        let error_line = stderr.lines().last().unwrap();
        assert_eq!(code, Some(1), "{stderr}");
        assert!(error_line.starts_with(&format!("family-api-server: {message}")), "{stderr}");
        assert!(stderr.lines().all(|line| line == error_line || line.contains(" INFO ")), "{stderr}");
        assert!(!stderr.contains("canary"), "{stderr}");
    }
}

postgres_tests! {
    async fn an_unusable_postgres_database_is_reported_on_one_line() {
        let (sandbox, server) = (Sandbox::on_sqlite(), Server::shared());
        let database = server.create_database().await;
        let latin1 = format!("{}_latin1", database.name());
        let create = format!("CREATE DATABASE {latin1} ENCODING 'LATIN1' LOCALE_PROVIDER 'libc' TEMPLATE template0");
        database.connect().await.execute(AssertSqlSafe(create)).await.unwrap();
        let with_user = database.url().replace("postgres@", "canary:canary@");
        let with_setting = format!("{}?options=-c%20canary=canary", database.url());
        let with_tls = format!("{}?sslmode=require", database.url());
        for (url, message) in [
            (server.url("nowhere").as_str(), "no database of this name exists"),
            (&with_user, "the user or password is wrong, or not allowed from this address"),
            (&with_setting, "the server rejects a setting in the URL"),
            (&with_tls, if cfg!(feature = "tls") { "server does not support TLS" } else { "TLS upgrade required" }),
        ] {
            let (code, stderr) = failure(&sandbox, &["serve", "--database", url], &[]);
            let message = format!("family-api-server: the database cannot be opened: {message}");
            assert!(code == Some(1) && stderr.starts_with(&message) && stderr.lines().count() == 1, "{stderr}");
            assert!(!stderr.contains("canary"), "{stderr}");
        }
        let (code, stderr) = failure(&sandbox, &["serve", "--database", &server.url(&latin1)], &[]);
        assert_eq!((code, stderr.as_str()), (Some(1), "family-api-server: the encoding of the database is not UTF8\n"));
    }
}

#[test]
fn an_invalid_environment_token_stops_the_start_and_is_not_shown() {
    let sandbox = Sandbox::on_sqlite();
    for (list, entry) in [("ana|ok,canary", 2), ("ana|canary,ben|canary", 2), ("ana|", 1), ("ana|fam_canary", 1)] {
        let (code, stderr) = failure(&sandbox, &["serve"], &[("SERVICE_MCP_READ_TOKENS", list)]);
        assert_eq!(code, Some(1));
        assert!(stderr.contains(&format!("entry {entry} of the environment tokens")), "{stderr}");
        assert!(!stderr.contains("canary"), "{stderr}");
    }
}

#[test]
fn invalid_arguments_print_the_usage_and_exit_with_2() {
    let sandbox = Sandbox::on_sqlite();
    for arguments in [
        &[][..],
        &["nonsense"],
        &["serve", "--log", "loud"],
        &["serve", "--rate-limit", "0"],
        &["serve", "--rate-limit", "some"],
        &["serve", "--cache", "0"],
        &["serve", "--max-in-flight", "0"],
        &["serve", "--max-unread", "0"],
        &["serve", "--max-connections", "0"],
        &["serve", "--cors-origin", "board.example"],
        &["serve", "--public-url", "family.example"],
        &["import"],
        &["user"],
        &["serve", "--connections", "0"],
        &["demo", "--database"],
    ] {
        let (code, stderr) = failure(&sandbox, arguments, &[]);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(stderr.contains("For more information, try '--help'") || stderr.contains("Usage:"), "{stderr}");
    }
}

#[test]
fn an_empty_log_filter_is_ignored() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve_with(&[], &[("FAMILY_API_LOG", " ")]);
    assert!(server.stop().success());
    assert!(sandbox.log().contains(" INFO "), "{}", sandbox.log());
}

#[test]
fn help_lists_the_variables_but_not_their_values() {
    let sandbox = Sandbox::on_sqlite();
    let output = sandbox.command(&["serve", "--help"]).env("DATABASE_URL", "postgres://u:canary@h/d").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for variable in [
        "DATABASE_URL",
        "FAMILY_API_CONNECTIONS",
        "FAMILY_API_LISTEN",
        "FAMILY_API_PUBLIC_URL",
        "FAMILY_API_LOG",
        "SERVICE_MCP_READ_TOKENS",
    ] {
        assert!(help.contains(variable), "{variable}");
    }
    assert!(!help.contains("canary"), "{help}");
}
