//! Sessions, for the commands that need a signed-in user.

use clap::{Args, Subcommand};
use family_api_client::{SessionClient, SessionClientBuilder};

use crate::commands::container::Writer;
use crate::context::Context;
use crate::failure::Failure;
use crate::text::escape_controls;
use crate::{messages, token};

const COOKIE_VARIABLE: &str = "FAMILY_API_COOKIE";

/// The options of commands that need a session.
#[derive(Debug, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct SessionOptions {
    /// Sign in to the standalone server with a password from standard input, and sign out at the end
    ///
    /// Without this option, the session cookie, `name=value`, is taken from `FAMILY_API_COOKIE`.
    #[arg(long, global = true, value_name = "ADDRESS")]
    email: Option<String>,
}

/// The commands of a group that needs or accepts a session.
#[derive(Debug, Args)]
pub(crate) struct InSession<C: Subcommand> {
    #[command(flatten)]
    session: SessionOptions,
    #[command(subcommand)]
    command: C,
}

impl<C: Subcommand> InSession<C> {
    /// Runs the command in a session.
    pub(crate) fn run(
        &self,
        context: &Context,
        run: impl FnOnce(&Context, &SessionClient, &C) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        with_session(context, &self.session, |session| run(context, session, &self.command))
    }

    /// Runs the command in a session if one is given, and otherwise with the key.
    pub(crate) fn run_with_key(
        &self,
        context: &Context,
        run: impl FnOnce(&Context, &Writer<'_>, &C) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.session.email.is_none() && token::secret_variable(COOKIE_VARIABLE)?.is_none() {
            return run(context, &Writer::Key(context.client()?), &self.command);
        }
        self.run(context, |context, session, command| run(context, &Writer::Session(session), command))
    }
}

/// Runs `work` in a session. With `--email`, signs in first, and signs out even if `work` fails.
pub(crate) fn with_session(
    context: &Context,
    options: &SessionOptions,
    work: impl FnOnce(&SessionClient) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(email) = &options.email else {
        let cookie = token::secret_variable(COOKIE_VARIABLE)?.ok_or(Failure::NoSession)?;
        return work(&client(context, Some(cookie))?);
    };
    let client = client(context, None)?;
    let result = match sign_in(&client, email) {
        Ok(()) => work(&client),
        // The server created a session, although the client could not decode the response. `sign_out` ends the session.
        Err(failure) if failure.is_undecodable_success() => Err(failure),
        Err(failure) => return Err(failure),
    };
    if let Err(error) = client.sign_out().wait() {
        // A message and not a failure: if `keys create` failed here, the user would repeat it and have two keys.
        messages::print_messages(&[format!("the session could not be ended: {error}")]);
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

fn password(email: &str) -> Result<String, Failure> {
    token::read_line("password", &format!("Password of {}: ", escape_controls(email)))
}
