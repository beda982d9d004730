//! The text that the demo prints: the address, the credentials, and commands to paste.

use std::path::Path;

use jiff::ToSpan;
use jiff::civil::Date;

use crate::demo::families::{EMAIL, PASSWORD};

const GUIDE: &str = include_str!("guide.txt");

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

impl Guide<'_> {
    /// Returns the text with its values.
    pub(super) fn text(&self) -> String {
        let connect = match self.oauth_url {
            Some(address) => {
                format!("Enter {address}/api/v1/mcp in an assistant, and sign in. Or connect an assistant with the key")
            }
            None => "Connect an assistant".to_owned(),
        };
        let values = [
            ("{database}", self.database_description.to_owned()),
            ("{url}", self.url.to_owned()),
            ("{connect}", connect),
            ("{key}", self.key.to_owned()),
            ("{cookies}", self.cookie_file.display().to_string()),
            ("{today}", self.today.to_string()),
            ("{next_week}", self.today.saturating_add(7.days()).to_string()),
            ("{email}", EMAIL.to_owned()),
            ("{password}", PASSWORD.to_owned()),
        ];
        values.iter().fold(GUIDE.trim_end().to_owned(), |text, (name, value)| text.replace(name, value))
    }
}
