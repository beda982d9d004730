//! The file that an export replaces.

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};

use crate::export::export;
use crate::sandbox::Sandbox;

#[test]
fn the_file_is_replaced_when_the_export_is_complete() {
    let sandbox = Sandbox::on_sqlite().import_families();
    fs::write(sandbox.path("all.jsonl"), "old").unwrap();
    symlink("all.jsonl", sandbox.path("link.jsonl")).unwrap();
    assert!(!sandbox.run(&["export", "all.jsonl", "--family", "nobody"], "").status.success());
    assert_eq!(fs::read_to_string(sandbox.path("all.jsonl")).unwrap(), "old");
    assert!(sandbox.run(&["export", "link.jsonl"], "").status.success());
    assert!(sandbox.path("link.jsonl").is_symlink());
    assert_eq!(fs::read_to_string(sandbox.path("all.jsonl")).unwrap(), export(&sandbox, &[]));
    assert_eq!(fs::metadata(sandbox.path("all.jsonl")).unwrap().permissions().mode() & 0o777, 0o600);
    let names = fs::read_dir(sandbox.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // The connections of a process that close at the same time can leave the log of the database.
    let mut names: Vec<_> = names.filter(|name| !name.starts_with("family.db-")).collect();
    names.sort_unstable();
    assert_eq!(names, ["all.jsonl", "family.db", "link.jsonl"]);
}

#[test]
fn an_export_never_overwrites_the_database() {
    let (sandbox, server) = Sandbox::on_sqlite().import_families().served();
    symlink("family.db", sandbox.path("link.db")).unwrap();
    for name in ["family.db", "./family.db", "link.db", "family.db-wal", "family.db-journal"] {
        assert!(sandbox.fail(&["export", name], "").contains("belongs to the database itself"), "{name}");
    }
    assert!(fs::read(sandbox.path("family.db")).unwrap().starts_with(b"SQLite format 3\0"));
    assert!(server.stop().success());
}

/// A test as root could otherwise replace `/dev/null`.
#[test]
fn a_pipe_is_written_to_and_not_replaced() {
    let sandbox = Sandbox::on_sqlite().import_families();
    let pipe = sandbox.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = sandbox.command(&["export", "pipe"]);
    let mut command = command.stdout(Stdio::null()).spawn().unwrap();
    assert_eq!(fs::read_to_string(&pipe).unwrap(), export(&sandbox, &[]));
    assert!(command.wait().unwrap().success());
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}
