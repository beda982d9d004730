//! The command `user set-password`.

use std::io::{self, IsTerminal};

use zeroize::Zeroizing;

use crate::administration::find_user;
use crate::administration::options::SetPassword;
use crate::error::CommandError;
use crate::password;

/// Minimum length of a new password, in characters.
pub(crate) const MIN_PASSWORD_LENGTH: usize = 10;

/// Runs the command. Reads the password from a prompt in a terminal, otherwise from the first line of standard input.
pub(super) async fn run(options: SetPassword) -> Result<(), CommandError> {
    let SetPassword { email, stdin, target } = options;
    let user = target
        .with_database(async |database| {
            let mut user = find_user(database, &email).await?;
            let password = if io::stdin().is_terminal() && !stdin { prompt_twice()? } else { read_line()? };
            check(&password)?;
            let hash = password::hash(&password)?;
            user.has_password = database.storage.update_password(&user.id, &hash).await?;
            if user.has_password { Ok(user) } else { Err(CommandError::RemovedUser(email.clone())) }
        })
        .await?;
    target.print(&format!("password set for {email}, all sessions ended"), &user)
}

fn check(password: &str) -> Result<(), CommandError> {
    match password.chars().count() {
        0 => Err(CommandError::EmptyPassword),
        1..MIN_PASSWORD_LENGTH => Err(CommandError::ShortPassword),
        _ => Ok(()),
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
