//! Conversion of violated constraints to faults of a record. SQLite names the constraint only in its message.

use sqlx::error::ErrorKind;

use crate::storage::LoadFault;
use crate::storage::bulk::{BulkFault, Kind};
use crate::storage::sqlite::error::fault;

pub(super) fn bulk_fault(kind: &Kind, error: sqlx::Error) -> BulkFault {
    load_fault(kind, &error).map_or_else(|| fault(error).into(), BulkFault::FieldErrors)
}

fn load_fault(kind: &Kind, error: &sqlx::Error) -> Option<LoadFault> {
    let error = error.as_database_error()?;
    let violates = |constraint| error.message().ends_with(constraint);
    match error.kind() {
        ErrorKind::UniqueViolation if violates("users.email") => Some(LoadFault::exists("email")),
        ErrorKind::UniqueViolation if violates("integration_keys.digest") => Some(LoadFault::exists("tokenHash")),
        ErrorKind::UniqueViolation => Some(LoadFault::exists("id")),
        ErrorKind::NotNullViolation if violates(".family_id") => Some(LoadFault::no_parent(kind.parent)),
        ErrorKind::ForeignKeyViolation => Some(LoadFault::no_parent(kind.reference)),
        _ if violates("unknown owner_user_id") => Some(LoadFault::no_parent("ownerUserId")),
        _ if violates("unknown parent_id") => Some(LoadFault::no_parent("parentId")),
        _ => None,
    }
}
