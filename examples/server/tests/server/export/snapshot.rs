//! An export during changes.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Stdio};

use crate::backend::{Backend, on_each_backend};
use crate::export::export;
use crate::family;
use crate::sandbox::Sandbox;

on_each_backend! {
    later_changes_are_not_in_the_export_and_do_not_wait_for_it,
}

/// More than the command and the pipe hold, so that the command waits for its reader.
const NOTES: usize = 6_000;

/// Starts an export to a pipe, and reads its first line.
pub(super) fn start(sandbox: &Sandbox) -> (Child, ChildStdout, String) {
    let mut command = sandbox.command(&["export", "-"]).stdout(Stdio::piped()).spawn().unwrap();
    // A larger buffer would also read the beginning of the second line.
    let mut output = BufReader::with_capacity(1, command.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    (command, output.into_inner(), first)
}

async fn later_changes_are_not_in_the_export_and_do_not_wait_for_it(backend: Backend) {
    let notes = (0..NOTES).map(|n| family::note(&format!("n{n}"), "rivera"));
    let sandbox = Sandbox::with_families(backend).await.import_lines(notes);
    let before = export(&sandbox, &[]);
    let (mut command, mut output, mut during) = start(&sandbox);
    assert_eq!(command.try_wait().unwrap(), None);
    for change in [
        "UPDATE notes SET title = 'later'",
        "DELETE FROM notes WHERE id LIKE 'n5%'",
        "DELETE FROM tasks",
        "UPDATE users SET name = 'later'",
    ] {
        sandbox.execute(change).await;
    }
    assert!(sandbox.run(&["family", "add", "Later"], "").status.success());
    assert_eq!(command.try_wait().unwrap(), None);
    output.read_to_string(&mut during).unwrap();
    assert!(command.wait().unwrap().success());
    assert!(before == during, "the export contains later changes");
    assert_ne!(before, export(&sandbox, &[]));
}
