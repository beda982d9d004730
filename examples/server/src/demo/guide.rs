//! The text that the demo prints: the address, the credentials, and commands to paste.

use std::fmt;
use std::path::Path;

use jiff::ToSpan;
use jiff::civil::Date;

use crate::demo::families::{EMAIL, PASSWORD};

/// The values in the text.
pub(super) struct Guide<'a> {
    /// The database, such as "a temporary database, deleted when the demo stops".
    pub(super) database_description: &'a str,
    /// URL of the server.
    pub(super) url: &'a str,
    /// The URL under which assistants can connect without a key.
    pub(super) oauth_url: Option<&'a str>,
    /// Plaintext of a `v1_full` key.
    pub(super) key: &'a str,
    /// File in which `curl` stores the session cookie.
    pub(super) cookie_file: &'a Path,
    /// The current day in the family's time zone.
    pub(super) today: Date,
}

impl fmt::Display for Guide<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { database_description, url, oauth_url, key, cookie_file, today } = self;
        let (cookie_file, next_week) = (cookie_file.display(), today.saturating_add(7.days()));
        let bearer = format!("-H 'Authorization: Bearer {key}'");
        let json = "-H 'Content-Type: application/json'";
        let connect = match oauth_url {
            Some(address) => {
                format!("Enter {address}/api/v1/mcp in an assistant, and sign in. Or connect an assistant with the key")
            }
            None => "Connect an assistant".to_owned(),
        };
        write!(
            f,
            r#"
family-api demo: two families in {database_description}.

  listening on   {url}
  documentation  {url}/docs
  your keys      {url}/keys
  sign in as     {EMAIL}, password {PASSWORD}
  key            {key}  (v1_full)

Read with the key:

  curl -sS {bearer} '{url}/api/v1/me'
  curl -sS {bearer} '{url}/api/v1/read/tasks'
  curl -sS {bearer} '{url}/api/v1/read/events?from={today}&to={next_week}'
  curl -sS {bearer} '{url}/api/mcp/read/shopping'

Add something. Because of its idempotency key, the second line adds the milk once, even if it is repeated:

  curl -sS {bearer} {json} -d '{{"title": "Buy candles"}}' '{url}/api/v1/tasks'
  curl -sS {bearer} {json} -H 'Idempotency-Key: milk-{today}' -d '{{"name": "Oat milk"}}' '{url}/api/v1/shopping-lists/groceries/items'

Change something:

  curl -sS -X PATCH {bearer} {json} -d '{{"completed": true}}' '{url}/api/v1/tasks/gas-meter'
  curl -sS -X PATCH {bearer} {json} -d '{{"checked": true}}' '{url}/api/v1/shopping-items/bread'
  curl -sS -X PATCH {bearer} {json} -d '{{"pinned": true}}' '{url}/api/v1/notes/borscht'

Delete a note and restore it:

  curl -sS -X DELETE {bearer} '{url}/api/v1/notes/tomatoes'
  curl -sS -X POST {bearer} '{url}/api/v1/notes/tomatoes/restore'

{connect}, such as Claude Code with this block in .mcp.json, and check the key:

  {{"mcpServers": {{"family": {{"type": "http", "url": "{url}/api/v1/mcp", "headers": {{"Authorization": "Bearer {key}"}}}}}}}}

  curl -sS {bearer} {json} -d '{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "get_overview"}}}}' '{url}/api/v1/mcp'

The page {url} has the blocks for other assistants.

Sign in, create another key, list them, sign out:

  curl -sS -c '{cookie_file}' {json} -d '{{"email": "{EMAIL}", "password": "{PASSWORD}"}}' '{url}/login'
  curl -sS -b '{cookie_file}' {json} -d '{{"mode": "mcp_read", "name": "My first key"}}' '{url}/api/users/me/mcp-tokens'
  curl -sS -b '{cookie_file}' '{url}/api/users/me/mcp-tokens'
  curl -sS -b '{cookie_file}' -X POST '{url}/logout'

Press Ctrl-C to stop."#
        )
    }
}
