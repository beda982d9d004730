//! Who runs the server: the user of the tests, except that PostgreSQL refuses root; and apart from the tests.

use std::process::Command;

/// Lets a command run where Ctrl-C does not reach it, and as `postgres` or `nobody` where it would be root.
#[cfg(unix)]
pub(crate) fn set_apart(command: &mut Command) {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;

    command.process_group(0);
    // A new file belongs to whom this process runs as.
    let file = tempfile::tempfile().and_then(|file| file.metadata()).expect("a temporary file can be made");
    if file.uid() == 0 {
        let (user, group) = ordinary_user();
        command.uid(user).gid(group);
    }
}

/// There are no server programs for other systems to begin with.
#[cfg(not(unix))]
pub(crate) fn set_apart(_command: &mut Command) {}

#[cfg(unix)]
fn ordinary_user() -> (u32, u32) {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let found = ["postgres", "nobody"].iter().find_map(|name| users.lines().find_map(|line| ids(line, name)));
    found.expect("PostgreSQL refuses root, and /etc/passwd names neither postgres nor nobody")
}

/// The ids in a line such as `postgres:x:101:104:…`, if it is of that name.
#[cfg(unix)]
fn ids(line: &str, name: &str) -> Option<(u32, u32)> {
    let mut fields = line.strip_prefix(name)?.strip_prefix(':')?.split(':').skip(1);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}
