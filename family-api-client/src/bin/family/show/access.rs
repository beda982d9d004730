//! Keys and connections.

use family_api_client::connection::{ConnectionList, RevokedConnection};
use family_api_client::key::{KeyList, RevokedAccess, RevokedKey};

use crate::show::{Show, mode_or_scopes};
use crate::table::Table;
use crate::times::Times;

impl Show for KeyList {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(["Name", "Mode", "Key", "Created", "Expires", "Last used", "Id"]);
        for key in &self.tokens {
            table.add_row([
                key.name.clone().unwrap_or_default(),
                mode_or_scopes(key.mode, &key.scopes),
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

impl Show for RevokedKey {
    fn show(&self, times: &Times) -> Table {
        Table::of_fields([("Revoked key", self.id.to_string()), ("At", times.date_and_time(self.revoked_at))])
    }
}

impl Show for RevokedAccess {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([
            ("Revoked keys", self.keys.to_string()),
            ("Ended connections", self.connections.to_string()),
            ("Ended feeds", self.feeds.to_string()),
        ])
    }
}

impl Show for ConnectionList {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(["Client", "Host", "Mode", "Endpoint", "Created", "Last used", "Id"]);
        for connection in &self.connections {
            table.add_row([
                connection.client.clone().unwrap_or_default(),
                connection.host.clone(),
                mode_or_scopes(connection.mode, &connection.scopes),
                connection.resource.clone(),
                times.date_and_time(connection.created_at),
                times.date_and_time_or_empty(connection.last_used_at),
                connection.id.to_string(),
            ]);
        }
        table
    }
}

impl Show for RevokedConnection {
    fn show(&self, times: &Times) -> Table {
        Table::of_fields([("Ended connection", self.id.to_string()), ("At", times.date_and_time(self.revoked_at))])
    }
}
