//! The sources of the key. It is never an argument, because other users of the machine can read arguments.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::failure::Failure;

const TOKEN: &str = "FAMILY_API_TOKEN";
const TOKEN_FILE: &str = "FAMILY_API_TOKEN_FILE";

/// The maximum size of a key file in bytes. No key is longer.
const MAX_BYTES: u64 = 4_096;

/// Returns the key, from the first of: the given file, the environment, the default file.
pub(crate) fn find(file: Option<&Path>) -> Result<String, Failure> {
    if let Some(path) = file {
        return read(path);
    }
    if let Some(token) = secret_variable(TOKEN)? {
        return Ok(token);
    }
    if let Some(path) = variable(TOKEN_FILE) {
        return read(Path::new(&path));
    }
    let path = default_file().ok_or(Failure::NoKey { file: None })?;
    if path.exists() { read(&path) } else { Err(Failure::NoKey { file: Some(path) }) }
}

/// Returns an environment variable. An empty one counts as not set.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns an environment variable that contains a secret. Errors do not quote it.
pub(crate) fn secret_variable(name: &'static str) -> Result<Option<String>, Failure> {
    let text = variable(name).map(OsString::into_string).transpose();
    let text = text.map_err(|_| Failure::Usage(format!("{name} is not UTF-8")))?;
    Ok(text.map(|text| text.trim().to_owned()))
}

fn default_file() -> Option<PathBuf> {
    let directories = etcetera::choose_base_strategy().ok()?;
    Some(directories.config_dir().join("family").join("token"))
}

fn read(path: &Path) -> Result<String, Failure> {
    let unreadable = |error| unreadable(path, &error);
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(Failure::Usage(format!("the key file {} is a directory", path.display())));
    }
    // Checks the open file, because the file at the path may be replaced in the meantime.
    if is_accessible_to_others(&file).map_err(unreadable)? {
        let path = path.display();
        return Err(Failure::Usage(format!("other users can access the key file {path}: run `chmod 600 {path}`")));
    }
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text).map_err(unreadable)?;
    match text.trim() {
        "" => Err(Failure::Usage(format!("the key file {} is empty", path.display()))),
        token => Ok(token.to_owned()),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let reason =
        if error.kind() == ErrorKind::InvalidData { "it is not UTF-8 text".to_owned() } else { error.to_string() };
    Failure::Usage(format!("cannot read the key file {}: {reason}", path.display()))
}

#[cfg(unix)]
fn is_accessible_to_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;

    const READ_OR_WRITE_BY_OTHERS: u32 = 0o066;
    Ok(file.metadata()?.permissions().mode() & READ_OR_WRITE_BY_OTHERS != 0)
}

/// Other systems have no such permission bits.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it may fail")]
fn is_accessible_to_others(_: &File) -> io::Result<bool> {
    Ok(false)
}
