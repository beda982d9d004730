//! The command `user set-password`.

use std::io;

use zeroize::Zeroizing;

use crate::cli::{Cache, SetPasswordOptions};
use crate::database::Database;
use crate::error::CommandError;
use crate::output;
use crate::password::Hasher;

/// Sets the password that stands on the first line of standard input.
pub(crate) async fn run(options: SetPasswordOptions) -> Result<(), CommandError> {
    let password = read_password()?;
    let hash = Hasher::default().hash(&password)?;
    let database = Database::open(&options.database.url, &options.database.connections, Cache::Off).await?;
    let known = database.credentials.update_password(&options.email, &hash).await;
    database.close().await;
    if known? {
        output::print(&format!("the password of {} is set, and their sessions are ended", options.email))
    } else {
        Err(CommandError::UnknownUser(options.email))
    }
}

fn read_password() -> Result<Zeroizing<String>, CommandError> {
    let mut line = Zeroizing::new(String::new());
    io::stdin()
        .read_line(&mut line)
        .map_err(|source| CommandError::Read { name: "standard input".to_owned(), source })?;
    let password = line.strip_suffix('\n').unwrap_or(&line);
    let password = password.strip_suffix('\r').unwrap_or(password);
    if password.is_empty() { Err(CommandError::EmptyPassword) } else { Ok(Zeroizing::new(password.to_owned())) }
}
