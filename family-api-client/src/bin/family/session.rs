//! A session, for what no key may do.

use std::io::{self, BufRead, IsTerminal, Read};

use clap::Args;
use family_api_client::{SessionClient, SessionClientBuilder};

use crate::context::Context;
use crate::failure::Failure;
use crate::text::harmless;
use crate::{output, token};

const COOKIE: &str = "FAMILY_API_COOKIE";
/// No password is longer.
const MAX_BYTES: u64 = 4_096;

/// Who is signed in.
#[derive(Debug, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct SessionOptions {
    /// Sign in to the standalone server with a password from standard input, and out again at the end
    ///
    /// Without it, the session is the one whose cookie, `name=value`, is in `FAMILY_API_COOKIE`.
    #[arg(long, global = true, value_name = "ADDRESS")]
    email: Option<String>,
}

/// Does the work in a session; one that was opened for it is ended, also where the work fails.
pub(crate) fn within(
    context: &Context,
    options: &SessionOptions,
    work: impl FnOnce(&SessionClient) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(email) = &options.email else {
        let cookie = token::secret_variable(COOKIE)?.ok_or(Failure::NoSession)?;
        return work(&client(context, Some(cookie))?);
    };
    let client = client(context, None)?;
    let done = match sign_in(&client, email) {
        Ok(()) => work(&client),
        // The session is there, though what was said of it could not be read.
        Err(failure) if failure.is_unreadable() => Err(failure),
        Err(failure) => return Err(failure),
    };
    if let Err(error) = client.sign_out().wait() {
        // The work stands: whoever does it again because of this has two keys.
        output::complain(&[format!("the session was not ended: {error}")]);
    }
    done
}

fn sign_in(client: &SessionClient, email: &str) -> Result<(), Failure> {
    match client.sign_in(email, &password(email)?).wait() {
        Ok(_) => Ok(()),
        Err(error) if error.is_not_found() => Err(Failure::NoSignIn),
        Err(error) => Err(error.into()),
    }
}

fn client(context: &Context, cookie: Option<String>) -> Result<SessionClient, Failure> {
    let builder = SessionClient::builder().base_url(&context.service.url);
    let builder = if context.service.allow_plain_http { builder.allow_plain_http() } else { builder };
    let builder = cookie.into_iter().fold(builder, SessionClientBuilder::cookie);
    Ok(builder.build()?)
}

/// The password: asked for on a terminal, where it is not shown, or the first line of what stands there instead.
fn password(email: &str) -> Result<String, Failure> {
    let password = if io::stdin().is_terminal() {
        rpassword::prompt_password(format!("Password of {}: ", harmless(email)))
    } else {
        let mut line = String::new();
        io::stdin().lock().take(MAX_BYTES).read_line(&mut line).map(|_| line.trim_end_matches(['\r', '\n']).to_owned())
    };
    match password {
        Ok(password) if password.is_empty() => Err(Failure::Usage("standard input holds no password".to_owned())),
        Ok(password) => Ok(password),
        Err(error) => Err(Failure::Usage(format!("cannot read the password from standard input: {error}"))),
    }
}
