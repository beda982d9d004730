//! Conversion of violated constraints to faults of a record.

use crate::storage::LoadFault;
use crate::storage::bulk::{BulkFault, Kind};
use crate::storage::postgres::error::fault;

pub(super) fn bulk_fault(kind: &Kind, error: sqlx::Error) -> BulkFault {
    load_fault(kind, &error).map_or_else(|| fault(error).into(), BulkFault::FieldErrors)
}

/// Returns whether a row refers to a parent that is not in the table of known ids.
pub(super) fn lacks_parent(error: &sqlx::Error) -> bool {
    violated_constraint(error) == Some("known_ids_parent")
}

fn load_fault(kind: &Kind, error: &sqlx::Error) -> Option<LoadFault> {
    Some(match violated_constraint(error)? {
        "known_ids_pkey" => LoadFault::exists("id"),
        "known_ids_parent" => LoadFault::no_parent(kind.parent),
        "known_ids_owner" => LoadFault::no_parent("ownerUserId"),
        "users_email_key" => LoadFault::exists("email"),
        "integration_keys_pkey" => LoadFault::exists("tokenHash"),
        "notes_category" | "note_categories_parent" | "note_categories_parent_is_another" => {
            LoadFault::no_parent(kind.reference)
        }
        key if key.ends_with("_pkey") => LoadFault::exists("id"),
        _ => return None,
    })
}

/// Returns the name of the violated constraint, without the shard number that engines for distributed tables append.
fn violated_constraint(error: &sqlx::Error) -> Option<&str> {
    let name = error.as_database_error()?.constraint()?;
    Some(name.trim_end_matches(|digit: char| digit.is_ascii_digit()).trim_end_matches('_'))
}
