//! The commands `backup` and `restore` on SQLite.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::process::{Command, Stdio};
use std::thread;

use crate::client::{in_session, sign_in, with_token};
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

const RESTORE: [&str; 3] = ["restore", "backup.db", "--yes"];

/// A note that is not in the backup.
const LATER: &str = "UPDATE notes SET title = 'later' WHERE id = 'wifi'";

/// Returns a sandbox with the families of the tests and a backup of them. A note was changed after the backup.
async fn changed_after_backup() -> Sandbox {
    let sandbox = Sandbox::on_sqlite().import_families();
    sandbox.succeed(&["backup", "backup.db"], "");
    sandbox.execute(LATER).await;
    sandbox
}

async fn assert_changed(sandbox: &Sandbox, is_changed: bool) {
    sandbox.wait_for_rows("notes WHERE title = 'later'", i64::from(is_changed)).await;
    sandbox.wait_for_rows("notes", 2).await;
}

/// Checks that a command fails with one line that contains a text.
#[track_caller]
fn assert_failure(sandbox: &Sandbox, arguments: &[&str], message: &str) {
    let error = sandbox.fail(arguments, "");
    assert!(error.contains(message) && error.lines().count() == 1, "{message}: {error}");
}

/// Returns the content of a database as if another program had created it.
fn another_program(database: &[u8]) -> Vec<u8> {
    let name = b"_family_api_migrations";
    let mut other = database.to_vec();
    for start in 0..other.len() - name.len() {
        if other[start..].starts_with(name) {
            other[start..start + name.len()].copy_from_slice(b"_another_app_migration");
        }
    }
    other
}

fn names(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path("")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(sandbox: &Sandbox, name: &str) -> u32 {
    fs::metadata(sandbox.path(name)).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn a_backup_of_a_running_service_is_restored_without_its_credentials() {
    let (sandbox, server) = Sandbox::on_sqlite().import_families().served();
    let cookie = session_cookie(&server, "ana").await;
    let key = create_key(&server, &cookie).await.token;
    sandbox.succeed(&["backup", "backup.db"], "");
    assert_eq!(mode(&sandbox, "backup.db"), 0o600);
    sandbox.execute(LATER).await;
    assert!(server.stop().success());
    sandbox.succeed(&RESTORE, "");
    assert_eq!(names(&sandbox), ["backup.db", "family.db", "server.log"]);
    assert_eq!(mode(&sandbox, "family.db"), 0o600);

    let server = sandbox.serve();
    assert_eq!(with_token(&server, &key, "GET", "/api/v1/read/notes", None).await.status, 401);
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 401);
    let key = create_key(&server, &sign_in(&server, "ana@family.example", PASSWORD).await.cookie()).await.token;
    let notes = with_token(&server, &key, "GET", "/api/v1/read/notes", None).await;
    assert_eq!(notes.json()[0]["title"], "wifi");
}

#[tokio::test]
async fn a_database_in_use_is_not_replaced() {
    let sandbox = changed_after_backup().await;
    let server = sandbox.serve();
    assert_failure(&sandbox, &RESTORE, "family.db is in use: stop the service");
    assert_changed(&sandbox, true).await;
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 200);
    assert!(server.stop().success());
    sandbox.succeed(&RESTORE, "");
    assert_changed(&sandbox, false).await;
}

#[tokio::test]
async fn without_a_confirmation_nothing_is_restored() {
    let sandbox = changed_after_backup().await;
    let question = "This replaces the database sqlite:family.db by backup.db. All changes since the backup are lost; add \
        --yes to do it without a terminal";
    assert_eq!(sandbox.fail(&RESTORE[..2], "y\n"), question);
    assert_changed(&sandbox, true).await;
}

#[tokio::test]
async fn only_a_sound_backup_of_this_service_is_restored() {
    let sandbox = changed_after_backup().await;
    let backup = fs::read(sandbox.path("backup.db")).unwrap();
    let database = fs::read(sandbox.path("family.db")).unwrap();
    let mut damaged = backup.clone();
    damaged[backup.len() / 2..].fill(0xff);
    let other = another_program(&backup);
    for (content, message) in [
        (&b"this is text"[..], "is not a database of this service"),
        (b"", "is not a database of this service"),
        (&other, "is not a database of this service"),
        (&damaged, "is damaged: "),
        (&backup[..backup.len() / 2], "is damaged: "),
    ] {
        fs::write(sandbox.path("backup.db"), content).unwrap();
        assert_failure(&sandbox, &RESTORE, message);
    }
    fs::remove_file(sandbox.path("backup.db")).unwrap();
    assert_failure(&sandbox, &RESTORE, "cannot read backup.db: ");
    assert_failure(&sandbox, &["restore", "family.db", "--yes"], "belongs to the database itself");
    assert_eq!(fs::read(sandbox.path("family.db")).unwrap(), database);
    assert_eq!(names(&sandbox), ["family.db"]);
}

#[tokio::test]
async fn a_backup_of_a_newer_version_is_refused() {
    let sandbox = Sandbox::on_sqlite().import_families();
    let newer = "INSERT INTO _family_api_migrations (version, description, success, checksum, execution_time)
        VALUES (99, '', TRUE, x'', 0)";
    sandbox.execute(newer).await;
    sandbox.succeed(&["backup", "backup.db"], "");
    sandbox.execute("DELETE FROM _family_api_migrations WHERE version = 99").await;
    assert_failure(&sandbox, &RESTORE, "migration 99");
    assert_eq!(names(&sandbox), ["backup.db", "family.db"]);
    assert!(sandbox.serve().stop().success());
}

#[tokio::test]
async fn a_database_is_not_migrated_by_its_backup_but_by_the_restore() {
    const MIGRATIONS: &str = "_family_api_migrations";
    let sandbox = Sandbox::on_sqlite();
    // The database of a version before the first migration.
    let columns = "version BIGINT PRIMARY KEY, description TEXT NOT NULL,
        installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, checksum BLOB NOT NULL,
        execution_time BIGINT NOT NULL";
    fs::write(sandbox.path("family.db"), "").unwrap();
    sandbox.execute(&format!("CREATE TABLE {MIGRATIONS} ({columns})")).await;
    sandbox.succeed(&["backup", "backup.db"], "");
    assert_eq!(sandbox.count_rows(MIGRATIONS).await, 0);
    sandbox.succeed(&RESTORE, "");
    assert_eq!((sandbox.count_rows(MIGRATIONS).await, sandbox.count_rows("families").await), (1, 0));
}

#[tokio::test]
async fn a_backup_never_overwrites_a_database() {
    let (sandbox, server) = Sandbox::on_sqlite().import_families().served();
    for name in ["family.db", "./family.db", "family.db-wal", "family.db-journal"] {
        assert_failure(&sandbox, &["backup", name], "belongs to the database itself");
    }
    // The file is open in a service that uses another database.
    let from_other = ["backup", "family.db", "--database", "sqlite:other.db"];
    sandbox.succeed(&["backup", "other.db"], "");
    assert_failure(&sandbox, &from_other, "family.db is in use");
    assert_failure(&sandbox, &["backup", "."], "it is not a regular file");
    assert_failure(&sandbox, &["backup", "missing/backup.db"], "cannot write missing/backup.db: ");
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a_database_of_another_program_is_not_replaced() {
    let sandbox = changed_after_backup().await;
    let other = ["restore", "backup.db", "--yes", "--database", "sqlite:other.db"];
    for content in [&b"this is text"[..], b"", &another_program(&fs::read(sandbox.path("backup.db")).unwrap())] {
        fs::write(sandbox.path("other.db"), content).unwrap();
        assert_failure(&sandbox, &other, "other.db is not a database of this service");
        assert_eq!(fs::read(sandbox.path("other.db")).unwrap(), content);
    }
}

#[tokio::test]
async fn an_older_backup_is_replaced_by_one_that_only_its_owner_can_read() {
    let sandbox = changed_after_backup().await;
    fs::set_permissions(sandbox.path("backup.db"), Permissions::from_mode(0o644)).unwrap();
    symlink("backup.db", sandbox.path("link.db")).unwrap();
    sandbox.succeed(&["backup", "link.db"], "");
    assert!(sandbox.path("link.db").is_symlink());
    assert_eq!(mode(&sandbox, "backup.db"), 0o600);
    sandbox.succeed(&RESTORE, "");
    assert_changed(&sandbox, true).await;
}

#[tokio::test]
async fn concurrent_backups_are_complete() {
    let sandbox = changed_after_backup().await;
    let backups: Vec<_> = (0..4).map(|_| sandbox.command(&["backup", "backup.db"]).spawn().unwrap()).collect();
    for mut backup in backups {
        assert!(backup.wait().unwrap().success());
    }
    // If two processes close the database at the same moment, each leaves the log to the other. The next one removes it.
    sandbox.succeed(&["backup", "backup.db"], "");
    assert_eq!(names(&sandbox), ["backup.db", "family.db"]);
    sandbox.succeed(&RESTORE, "");
    assert_changed(&sandbox, true).await;
}

#[test]
fn a_missing_database_has_no_backup() {
    let sandbox = Sandbox::on_sqlite();
    assert_failure(&sandbox, &["backup", "backup.db"], "there is no database sqlite:family.db; `serve`");
    assert_eq!(names(&sandbox), [""; 0]);
}

#[tokio::test]
async fn a_restore_creates_a_missing_database() {
    let sandbox = changed_after_backup().await;
    fs::remove_file(sandbox.path("family.db")).unwrap();
    // Left behind by the removed file.
    fs::write(sandbox.path("family.db-wal"), "a log").unwrap();
    sandbox.succeed(&RESTORE, "");
    assert_changed(&sandbox, false).await;
}

#[tokio::test]
async fn a_restored_database_keeps_its_path_and_permissions() {
    let sandbox = changed_after_backup().await;
    fs::create_dir(sandbox.path("data")).unwrap();
    fs::rename(sandbox.path("family.db"), sandbox.path("data/real.db")).unwrap();
    fs::set_permissions(sandbox.path("data/real.db"), Permissions::from_mode(0o640)).unwrap();
    symlink("data/real.db", sandbox.path("family.db")).unwrap();
    sandbox.succeed(&RESTORE, "");
    assert!(sandbox.path("family.db").is_symlink());
    assert_eq!(mode(&sandbox, "data/real.db"), 0o640);
    assert_changed(&sandbox, false).await;
}

/// The owner of a folder can exchange a file in it while root works. Tests that do not run as root work in folders of
/// their own, which are not refused.
#[tokio::test]
async fn root_is_refused_in_a_folder_of_another_user() {
    let sandbox = changed_after_backup().await;
    fs::create_dir(sandbox.path("other")).unwrap();
    for file in ["family.db", "backup.db"] {
        fs::copy(sandbox.path(file), sandbox.path("other").join(file)).unwrap();
    }
    symlink("other/backup.db", sandbox.path("link.db")).unwrap();
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        chown(sandbox.path("other"), Some(65_534), Some(65_534)).unwrap();
    }
    let before = fs::read(sandbox.path("family.db")).unwrap();
    for arguments in [
        &["backup", "other/backup.db"][..],
        &["backup", "link.db"],
        &["backup", "copy.db", "--database", "sqlite:other/family.db"],
        &["restore", "link.db", "--yes", "--database", "sqlite:new.db"],
        &["restore", "backup.db", "--yes", "--database", "sqlite:other/family.db"],
    ] {
        if is_root {
            let refusal = "/other, so root must not work there: run the command as the owner of the folder";
            assert_failure(&sandbox, arguments, refusal);
        } else {
            sandbox.succeed(arguments, "");
        }
    }
    if is_root {
        assert_eq!(names(&sandbox), ["backup.db", "family.db", "link.db", "other"]);
    }
    assert!(fs::read(sandbox.path("family.db")).unwrap() == before);
}

/// A limit of the file size is like a full disk, also for root.
#[tokio::test]
async fn a_full_disk_leaves_the_old_file() {
    let sandbox = changed_after_backup().await;
    for (arguments, target) in [(&["backup", "backup.db"][..], "backup.db"), (&RESTORE, "family.db")] {
        let before = fs::read(sandbox.path(target)).unwrap();
        let command = sandbox.command(arguments);
        let mut limited = Command::new("sh");
        limited.args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$@\"", "sh"]).arg(command.get_program());
        let output = limited.args(command.get_args()).current_dir(sandbox.path("")).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        let is_refused = output.status.code() == Some(1) && output.stdout.is_empty();
        assert!(is_refused && error.contains("cannot copy ") && error.lines().count() == 1, "{error}");
        assert!(fs::read(sandbox.path(target)).unwrap() == before, "{target} was changed");
        assert_eq!(names(&sandbox), ["backup.db", "family.db"]);
    }
    sandbox.succeed(&RESTORE, "");
}

#[tokio::test]
async fn a_killed_command_leaves_the_old_file_or_the_new_one() {
    let sandbox = changed_after_backup().await;
    for (arguments, target) in [(&["backup", "backup.db"][..], "backup.db"), (&RESTORE, "family.db")] {
        for _ in 0..5 {
            let mut command = sandbox.command(arguments);
            let mut command = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let prefix = format!(".{target}.");
            while !names(&sandbox).iter().any(|name| name.starts_with(&prefix)) && command.try_wait().unwrap().is_none()
            {
                thread::yield_now();
            }
            command.kill().unwrap();
            command.wait().unwrap();
            sandbox.succeed(&["backup", "copy.db"], "");
            sandbox.succeed(&["restore", "backup.db", "--yes", "--database", "sqlite:copy.db"], "");
            for name in names(&sandbox).iter().filter(|name| name.starts_with('.')) {
                fs::remove_file(sandbox.path(name)).unwrap();
            }
        }
    }
    sandbox.wait_for_rows("notes", 2).await;
}
