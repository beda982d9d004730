//! Finds the key. No argument contains the key, because other users of the machine can read the arguments of a process.

use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::failure::Failure;

const TOKEN_VARIABLE: &str = "FAMILY_API_TOKEN";
const TOKEN_FILE_VARIABLE: &str = "FAMILY_API_TOKEN_FILE";

/// The maximum size of a key file, a password or the address of a feed in bytes. Keys are shorter.
const MAX_BYTES: u64 = 4_096;

/// Returns the key from the first source that is set: `file`, `FAMILY_API_TOKEN`, `FAMILY_API_TOKEN_FILE`, the default
/// file.
pub(crate) fn find(file: Option<&Path>) -> Result<String, Failure> {
    if let Some(path) = file {
        return read(path);
    }
    if let Some(token) = secret_variable(TOKEN_VARIABLE)? {
        return Ok(token);
    }
    if let Some(path) = variable(TOKEN_FILE_VARIABLE) {
        return read(Path::new(&path));
    }
    let path = default_file().ok_or(Failure::NoKey { file: None })?;
    if path.exists() { read(&path) } else { Err(Failure::NoKey { file: Some(path) }) }
}

/// Reserves the default file for a new key. Fails if it exists, so that no key is overwritten.
pub(crate) fn create_default_file() -> Result<(PathBuf, File), Failure> {
    let path = default_file().ok_or_else(|| Failure::Usage("there is no home directory for the key".to_owned()))?;
    let unwritable = |error: io::Error| {
        let path = path.display();
        Failure::Usage(match error.kind() {
            io::ErrorKind::AlreadyExists => format!(
                "the key file {path} exists already. Revoke its key if you do not need it (`family key list`, \
                 `family key revoke`; a restore of the server's database has revoked all older keys). Then run \
                 `rm {path}` and repeat the command"
            ),
            _ => format!("cannot create the key file {path}: {error}"),
        })
    };
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).map_err(unwritable)?;
    }
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path).map_err(unwritable)?;
    Ok((path, file))
}

/// Returns an environment variable. An empty variable counts as not set.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the trimmed value of an environment variable that contains a secret. Errors do not quote the value.
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
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    if file.metadata().map_err(|error| unreadable(path, error))?.is_dir() {
        return Err(Failure::Usage(format!("the key file {} is a directory", path.display())));
    }
    // Checks the open file, because the file at the path could be replaced after a check of the path.
    if is_accessible_to_others(&file).map_err(|error| unreadable(path, error))? {
        let path = path.display();
        return Err(Failure::Usage(format!("other users can access the key file {path}: run `chmod 600 {path}`")));
    }
    let mut text = Vec::new();
    // Reads one byte more than the limit, so that a longer file is refused and not cut.
    file.take(MAX_BYTES + 1).read_to_end(&mut text).map_err(|error| unreadable(path, error))?;
    match parse_secret(text).map_err(|error| unreadable(path, error))?.trim() {
        "" => Err(Failure::Usage(format!("the key file {} is empty", path.display()))),
        token => Ok(token.to_owned()),
    }
}

fn unreadable(path: &Path, error: impl Display) -> Failure {
    Failure::Usage(format!("cannot read the key file {}: {error}", path.display()))
}

/// Prompts for a secret on a terminal, without echo. Otherwise reads the first line of standard input. Errors contain only
/// the name of the secret.
pub(crate) fn read_line(name: &str, prompt: &str) -> Result<String, Failure> {
    let line =
        if io::stdin().is_terminal() { rpassword::prompt_password(prompt) } else { first_line(io::stdin().lock()) };
    match line {
        Ok(line) if line.is_empty() => Err(Failure::Usage(format!("the {name} is empty"))),
        Ok(line) => Ok(line),
        Err(error) => Err(Failure::Usage(format!("cannot read the {name} from standard input: {error}"))),
    }
}

/// Reads the first line. Refuses a line that is longer than the limit.
fn first_line(input: impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    // Reads one byte more than the limit, so that a longer line is refused and not cut.
    input.take(MAX_BYTES + 1).read_until(b'\n', &mut line)?;
    let line = parse_secret(line).map_err(io::Error::other)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Returns the text of a secret that was read with a limit of [`MAX_BYTES`] and one more.
fn parse_secret(bytes: Vec<u8>) -> Result<String, &'static str> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err("it is longer than 4,096 bytes");
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text")
}

#[cfg(unix)]
fn is_accessible_to_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;

    const READ_OR_WRITE_BY_OTHERS: u32 = 0o066;
    Ok(file.metadata()?.permissions().mode() & READ_OR_WRITE_BY_OTHERS != 0)
}

/// Systems other than Unix have no permission bits.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix this function can fail")]
fn is_accessible_to_others(_: &File) -> io::Result<bool> {
    Ok(false)
}
