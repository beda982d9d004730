//! The command `user set-password`.

use std::io::{self, IsTerminal};

use zeroize::Zeroizing;

use crate::cli::{Cache, SetPasswordOptions};
use crate::database::Database;
use crate::error::CommandError;
use crate::output;
use crate::password::Hasher;

/// Runs the command. Reads the password from a prompt in a terminal, otherwise from the first line of standard input.
pub(crate) async fn run(options: SetPasswordOptions) -> Result<(), CommandError> {
    let password = if io::stdin().is_terminal() { prompt_twice()? } else { read_line()? };
    if password.is_empty() {
        return Err(CommandError::EmptyPassword);
    }
    let hash = Hasher::default().hash(&password)?;
    let database = Database::open(&options.database.url, &options.database.connections, Cache::Off).await?;
    let user_exists = database.credentials.update_password(&options.email, &hash).await;
    database.close().await;
    if user_exists? {
        output::print(&format!("password set for {}, all sessions ended", options.email))
    } else {
        Err(CommandError::UnknownUser(options.email))
    }
}

/// Prompts for a password twice, without echo.
fn prompt_twice() -> Result<Zeroizing<String>, CommandError> {
    let prompt = |text: &str| {
        let read_error = |source| CommandError::Read { name: "the password from the terminal".to_owned(), source };
        rpassword::prompt_password(text).map(Zeroizing::new).map_err(read_error)
    };
    let password = prompt("New password: ")?;
    if password == prompt("Repeat the password: ")? { Ok(password) } else { Err(CommandError::DifferentPasswords) }
}

/// Reads the first line of standard input.
fn read_line() -> Result<Zeroizing<String>, CommandError> {
    let mut line = Zeroizing::new(String::new());
    io::stdin()
        .read_line(&mut line)
        .map_err(|source| CommandError::Read { name: "standard input".to_owned(), source })?;
    let password = line.strip_suffix('\n').unwrap_or(&line);
    Ok(Zeroizing::new(password.strip_suffix('\r').unwrap_or(password).to_owned()))
}
