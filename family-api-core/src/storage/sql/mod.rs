//! What the storages `sqlite` and `postgres` share: the columns of the resources, and the statements of writes.

mod account;
pub(super) mod administration;
mod argument;
mod batched;
mod columns;
mod grants;
mod inspection;
mod kept;
mod password;
mod resource;
mod restorable;
mod restored;
mod revoked_access;
mod row;
mod task_stats;
mod visible;
mod writes;

pub(super) use account::{ACCOUNT_COLUMNS, current_account, found_key_columns, found_keys, key, key_columns};
#[cfg(feature = "postgres")]
pub(super) use account::{account, key_state, membership};
pub(super) use argument::{Argument, SqlConnection};
pub(super) use columns::{assignments, columns, updated_values};
#[cfg(feature = "postgres")]
pub(super) use grants::{ACCESS_TOKEN_COLUMNS, access_token};
pub(super) use grants::{
    access_token_columns, end_grant, find_grant, found_access_tokens, insert_grant, issue_tokens, list_grants,
    list_misused_grants, revoke_grant, signing_key,
};
#[cfg(test)]
pub(super) use grants::{list_statement as grant_list_statement, statements as grant_statements};
pub(super) use inspection::{Query, inspect_rows};
pub(super) use kept::KeptPurge;
#[cfg(test)]
pub(super) use kept::statements as kept_statements;
#[cfg(all(test, feature = "sqlite"))]
pub(super) use kept::{sorts as kept_sorts, statements_by_age as kept_statements_by_age};
#[cfg(test)]
pub(super) use password::FIND_PASSWORD;
pub(super) use password::find_password;
pub(super) use resource::StoredResource;
pub(super) use restorable::{DeletedJson, list_restorable, list_restorable_sql};
pub(super) use restored::invalidate_credentials;
#[cfg(test)]
pub(super) use revoked_access::DISABLE_PERSONAL_API;
pub(super) use revoked_access::{disable_personal_api, revoke_credentials};
pub(super) use row::{SqlRow, Values};
pub(super) use task_stats::{task_stats, task_stats_sql};
pub(super) use visible::visible;
#[cfg(feature = "postgres")]
pub(super) use writes::lower_bound;
#[cfg(all(test, feature = "sqlite"))]
pub(super) use writes::sorts;
#[cfg(test)]
pub(super) use writes::statements as write_statements;
pub(super) use writes::{SqlKind, SqlSteps, count_records, impl_write_storage, not_counted};
