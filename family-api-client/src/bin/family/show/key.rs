//! Integration keys.

use family_api_client::key::{IntegrationKey, KeyList, KeyMode, RevokedKey};

use crate::show::Show;
use crate::table::Table;
use crate::times::Times;

impl Show for KeyList {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(["Name", "Mode", "Key", "Created", "Expires", "Last used", "Id"]);
        for key in &self.tokens {
            table.add_row([
                key.name.clone().unwrap_or_default(),
                mode_or_scopes(key),
                key.hint.clone(),
                times.date_and_time(key.created_at),
                times.date_and_time_or_empty(key.expires_at),
                times.date_and_time_or_empty(key.last_used_at),
                key.id.to_string(),
            ]);
        }
        table
    }
}

/// Returns the key's mode, or its scopes if they match no mode.
fn mode_or_scopes(key: &IntegrationKey) -> String {
    let scopes = || key.scopes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    key.mode.map(KeyMode::as_str).map_or_else(scopes, str::to_owned)
}

impl Show for RevokedKey {
    fn show(&self, times: &Times) -> Table {
        Table::of_fields([("Revoked key", self.id.to_string()), ("At", times.date_and_time(self.revoked_at))])
    }
}
