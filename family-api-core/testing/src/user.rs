//! The user and process group of the server. PostgreSQL refuses to run as root, so root tests use another user.

use std::process::Command;

/// Gives a command its own process group, so that Ctrl-C does not end it. If the tests run as root, the command runs as
/// `postgres` or `nobody`.
#[cfg(unix)]
pub(crate) fn isolate(command: &mut Command) {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;

    command.process_group(0);
    // A new file belongs to the user of this process.
    let file = tempfile::tempfile().and_then(|file| file.metadata()).expect("a temporary file can be made");
    if file.uid() == 0 {
        let (user, group) = ordinary_user();
        command.uid(user).gid(group);
    }
}

/// Does nothing, because server programs are only searched on Unix.
#[cfg(not(unix))]
pub(crate) fn isolate(_command: &mut Command) {}

#[cfg(unix)]
fn ordinary_user() -> (u32, u32) {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let found = ["postgres", "nobody"].iter().find_map(|name| users.lines().find_map(|line| ids(line, name)));
    found.expect("PostgreSQL refuses root, and /etc/passwd names neither postgres nor nobody")
}

/// Returns the user and group ids of a line such as `postgres:x:101:104:…` if it has this user name.
#[cfg(unix)]
fn ids(line: &str, name: &str) -> Option<(u32, u32)> {
    let mut fields = line.strip_prefix(name)?.strip_prefix(':')?.split(':').skip(1);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}
