//! How many rows each table may have.

use crate::soak::credentials::KEY_USERS;
use crate::soak::load::Load;
use crate::soak::records::{KEPT, KINDS, MEMBERS};

/// What the server keeps at most, plus the rows after which it searches the surplus, plus what is added meanwhile.
const MAX_DELETED_RECORDS_OF_KIND: usize = 5_000 + 1_000 + 500;
const MAX_CHANGES_OF_FAMILY: usize = 20_000 + 1_000 + 500;
const MAX_IDEMPOTENCY_KEYS_OF_USER: usize = 5_000 + 1_000 + 500;
const MAX_ENDED_KEYS_OF_USER: usize = 1_000 + 500;
const MAX_SESSIONS_OF_USER: usize = 1_000 + 500;

/// Connections of assistants are kept for an hour after their end, and searched once an hour.
const MAX_GRANTS: usize = 2 * 60 * 60 / 5 + 500;

/// Returns the maximum number of rows by which a table may have grown: those that requests have added, but no more than
/// the server keeps.
pub(super) fn max_added_rows(table: &str, load: &Load) -> i64 {
    let added = usize::try_from(load.added_rows(table)).unwrap();
    // A deletion that a busy server did not serve leaves its record.
    let left = usize::try_from(load.busy()).unwrap();
    let most = match table {
        "deleted_records" => added.min(MAX_DELETED_RECORDS_OF_KIND * KINDS.len()),
        "changes" => MAX_CHANGES_OF_FAMILY,
        "idempotency_keys" => added.min(MAX_IDEMPOTENCY_KEYS_OF_USER * MEMBERS.len()),
        "integration_keys" => added.min(MAX_ENDED_KEYS_OF_USER * KEY_USERS.len()),
        // The assistants of one user sign in and do not sign out.
        "sessions" => added.min(MAX_SESSIONS_OF_USER),
        "grants" => added.min(MAX_GRANTS),
        "boards" | "shopping_lists" | "note_categories" => MEMBERS.len() + left,
        // Made at the first use.
        "signing_keys" => 1,
        _ if KINDS.iter().any(|kind| kind.table == table) => KEPT * MEMBERS.len() + left,
        _ => 0,
    };
    i64::try_from(most).unwrap()
}
