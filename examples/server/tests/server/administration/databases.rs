//! Which commands create a database, and what `serve` says about it.

use std::fs;

use crate::administration::error;
use crate::backend::{Backend, on_each_backend, rows};
use crate::sandbox::Sandbox;

on_each_backend! {
    commands_of_the_administration_do_not_create_a_database,
    serve_names_its_database_and_says_whether_it_is_new,
}

const COMMANDS: [&[&str]; 17] = [
    &["check"],
    &["family", "list"],
    &["family", "add", "Rivera"],
    &["user", "set", "ana@family.example", "--name", "Ana"],
    &["user", "list"],
    &["user", "add", "ana@family.example", "--name", "Ana", "--no-family"],
    &["user", "set-password", "ana@family.example"],
    &["family", "remove", "rivera", "--yes"],
    &["user", "remove", "ana@family.example", "--yes"],
    &["user", "move", "ana@family.example", "--family", "rivera"],
    &["key", "list"],
    &["feed", "list"],
    &["key", "revoke", "--all", "--yes"],
    &["feed", "revoke", "--all", "--yes"],
    &["session", "end", "--all", "--yes"],
    &["connection", "list"],
    &["connection", "revoke", "--all", "--yes"],
];

async fn commands_of_the_administration_do_not_create_a_database(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    for arguments in COMMANDS {
        let expected = match backend {
            Backend::Sqlite => "there is no database sqlite:family.db; `serve` and `import` create it",
            Backend::Postgres => "the database has no tables of this server; `serve` and `import` create them",
        };
        assert_eq!(error(&sandbox, arguments), expected, "{arguments:?}");
    }
    match sandbox.database() {
        Some(database) => assert!(rows(database).await.is_empty()),
        None => assert!(!sandbox.path("family.db").exists()),
    }
}

async fn serve_names_its_database_and_says_whether_it_is_new(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let url = sandbox.database_url().replace("postgres@", "postgres:canary@");
    let location = match sandbox.database() {
        Some(database) => format!("/{}", database.name()),
        None => format!("sqlite:{}", fs::canonicalize(sandbox.path("")).unwrap().join("family.db").display()),
    };
    for is_new in [true, false] {
        let server = sandbox.serve_with(&["--database", &url], &[]);
        let line = server.printed.lines().next().unwrap();
        assert!(line.starts_with("database ") && line.contains(&location), "{line}");
        assert_eq!(line.contains(", new and empty: "), is_new, "{line}");
        assert!(!server.printed.contains("canary"), "{}", server.printed);
    }
}

#[test]
fn a_text_without_a_scheme_is_the_path_of_an_sqlite_file() {
    let sandbox = Sandbox::on_sqlite();
    let import = sandbox.command(&["import", "/dev/null"]).env("DATABASE_URL", "other.db").status().unwrap();
    assert!(import.success() && sandbox.path("other.db").exists());
    for database in ["other.db", "./other.db", "sqlite:other.db"] {
        assert!(sandbox.run(&["family", "list", "--database", database], "").status.success(), "{database}");
    }
}

#[test]
fn a_file_of_another_program_is_refused_and_unchanged() {
    let sandbox = Sandbox::on_sqlite();
    fs::write(sandbox.path("family.db"), "").unwrap();
    assert!(error(&sandbox, &["family", "list"]).starts_with("there is no database "));
    assert_eq!(fs::read(sandbox.path("family.db")).unwrap(), b"");
}
