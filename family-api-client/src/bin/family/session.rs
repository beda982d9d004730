//! Sessions, for commands that a key does not permit.

use std::io::{self, BufRead, IsTerminal, Read};

use clap::Args;
use family_api_client::{SessionClient, SessionClientBuilder};

use crate::context::Context;
use crate::failure::Failure;
use crate::text::escape_controls;
use crate::{output, token};

const COOKIE: &str = "FAMILY_API_COOKIE";
/// The maximum length of a password in bytes.
const MAX_BYTES: u64 = 4_096;

/// How the user signs in.
#[derive(Debug, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct SessionOptions {
    /// Sign in to the standalone server with a password from standard input, and sign out at the end
    ///
    /// Without this option, the session cookie, `name=value`, is taken from `FAMILY_API_COOKIE`.
    #[arg(long, global = true, value_name = "ADDRESS")]
    email: Option<String>,
}

/// Runs the work in a session. Ends a session that it opened, even if the work fails.
pub(crate) fn with_session(
    context: &Context,
    options: &SessionOptions,
    work: impl FnOnce(&SessionClient) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(email) = &options.email else {
        let cookie = token::secret_variable(COOKIE)?.ok_or(Failure::NoSession)?;
        return work(&client(context, Some(cookie))?);
    };
    let client = client(context, None)?;
    let result = match sign_in(&client, email) {
        Ok(()) => work(&client),
        // The session exists, although the response could not be decoded, so it is ended below.
        Err(failure) if failure.is_unreadable() => Err(failure),
        Err(failure) => return Err(failure),
    };
    if let Err(error) = client.sign_out().wait() {
        // Not a failure of the command: a user who repeats `keys create` because of it would have two keys.
        output::print_messages(&[format!("the session could not be ended: {error}")]);
    }
    result
}

fn sign_in(client: &SessionClient, email: &str) -> Result<(), Failure> {
    match client.sign_in(email, &password(email)?).wait() {
        Ok(_) => Ok(()),
        Err(error) if error.is_not_found() => Err(Failure::NoSignInRoute),
        Err(error) => Err(error.into()),
    }
}

fn client(context: &Context, cookie: Option<String>) -> Result<SessionClient, Failure> {
    let builder = SessionClient::builder().base_url(&context.service.url);
    let builder = if context.service.allow_plain_http { builder.allow_plain_http() } else { builder };
    let builder = cookie.into_iter().fold(builder, SessionClientBuilder::cookie);
    Ok(builder.build()?)
}

/// Prompts for the password on a terminal, without echo. Otherwise reads the first line of standard input.
fn password(email: &str) -> Result<String, Failure> {
    let password = if io::stdin().is_terminal() {
        rpassword::prompt_password(format!("Password of {}: ", escape_controls(email)))
    } else {
        let mut line = String::new();
        io::stdin().lock().take(MAX_BYTES).read_line(&mut line).map(|_| line.trim_end_matches(['\r', '\n']).to_owned())
    };
    match password {
        Ok(password) if password.is_empty() => Err(Failure::Usage("the password is empty".to_owned())),
        Ok(password) => Ok(password),
        Err(error) => Err(Failure::Usage(format!("cannot read the password from standard input: {error}"))),
    }
}
