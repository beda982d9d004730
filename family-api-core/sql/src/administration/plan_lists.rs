//! The statements by their plans, for the tests of SQLite and PostgreSQL.

use crate::administration::credentials::{FEEDS, GRANTS, KEYS};
use crate::administration::families::{CLEAR_MEMBERS, DELETE_FAMILY, FAMILY_COUNTS, FIND_FAMILY, LIST_FAMILIES};
use crate::administration::user_update::{FIND_OTHER_USER, UPDATE_USER};
use crate::administration::users::{
    CREDENTIAL_COUNTS, DELETE_CREDENTIALS, DELETE_IDEMPOTENCY_KEYS, DELETE_PRIVATE_RECORDS, DELETE_USER,
    FIND_FAMILY_OF_USER, FIND_USER, LIST_MEMBERS, LIST_USERS, MOVE_USER, PRIVATE_COUNTS,
};
use crate::changes::DELETE_PRIVATE_CHANGES;
use crate::writes::INCREMENT_REVISION;

/// Returns the statements on one family, user or credential. They read only what belongs to it.
pub(crate) fn lookups() -> Vec<&'static str> {
    let fixed = [
        INCREMENT_REVISION,
        &FIND_FAMILY,
        &FAMILY_COUNTS.sql,
        CLEAR_MEMBERS,
        DELETE_FAMILY,
        &FIND_USER,
        FIND_FAMILY_OF_USER,
        &CREDENTIAL_COUNTS.sql,
        &PRIVATE_COUNTS.sql,
        DELETE_USER,
        DELETE_IDEMPOTENCY_KEYS,
        DELETE_PRIVATE_CHANGES,
        MOVE_USER,
        FIND_OTHER_USER,
        UPDATE_USER,
        &KEYS.revoke_of_user,
        &KEYS.revoke_one,
        &GRANTS.revoke_of_user,
        &GRANTS.revoke_one,
        &FEEDS.revoke_of_user,
        &FEEDS.revoke_one,
    ];
    let deletions = DELETE_CREDENTIALS.iter().chain(DELETE_PRIVATE_RECORDS.iter());
    fixed.into_iter().chain(deletions.map(String::as_str)).collect()
}

/// Returns the lists of one user's credentials, which sort them.
pub(crate) fn sorted_lists() -> Vec<&'static str> {
    vec![&KEYS.list_of_user, &GRANTS.list_of_user, &FEEDS.list_of_user]
}

/// Returns the lists that continue after the last page.
pub(crate) fn paged_lists() -> Vec<&'static str> {
    vec![&LIST_FAMILIES, &LIST_USERS, &LIST_MEMBERS, &KEYS.list, &GRANTS.list, &FEEDS.list]
}
