//! Keys and accounts, from the columns of a row.

use std::sync::Arc;

use family_api_core::key::IntegrationKey;
use family_api_core::resource::Revision;
use family_api_core::storage::value::{StoredFields, StoredRow, Values};
use family_api_core::storage::{Account, FoundKey, KeyState, Membership, StorageError};

use crate::columns::columns;
use crate::token_batcher::{FoundToken, FoundTokens, TokenDigest};

/// Returns the columns of [`key`], from `integration_keys k`.
pub(crate) fn key_columns() -> String {
    format!("{}, k.last_used_at", columns::<IntegrationKey>("k"))
}

pub(crate) fn key(values: &mut Values<'_, impl StoredRow>) -> Result<IntegrationKey, StorageError> {
    let key = IntegrationKey::read(values)?;
    Ok(IntegrationKey { last_used_at: values.take()?, ..key })
}

/// Returns the state of a key from the column `revoked_at`.
fn key_state(values: &mut Values<'_, impl StoredRow>) -> Result<KeyState, StorageError> {
    Ok(values.take::<Option<_>>()?.map_or(KeyState::Active, |at| KeyState::Revoked { at }))
}

/// The columns of [`account`] from `users u`, without those of the family.
pub(crate) const ACCOUNT_COLUMNS: &str = "u.id, u.personal_api_enabled, u.time_zone";

/// Returns an account from its [`ACCOUNT_COLUMNS`], or `None` if the user's id is `NULL`.
pub(crate) fn account(
    values: &mut Values<'_, impl StoredRow>,
    membership: Option<Membership>,
) -> Result<Option<Account>, StorageError> {
    let Some(user) = values.take::<Option<_>>()? else {
        return Ok(None);
    };
    Ok(Some(Account { user, membership, personal_api_enabled: values.take()?, zone: values.take()? }))
}

/// Returns a membership from a family's id and revision, or `None` if the family's id is `NULL`.
pub(crate) fn membership(values: &mut Values<'_, impl StoredRow>) -> Result<Option<Membership>, StorageError> {
    let Some(family) = values.take::<Option<_>>()? else {
        values.skip(1);
        return Ok(None);
    };
    Ok(Some(Membership { family, revision: Some(Revision::new(values.take()?)) }))
}

/// Returns an account and its family, from a family's id and revision and the [`ACCOUNT_COLUMNS`].
pub(crate) fn current_account(values: &mut Values<'_, impl StoredRow>) -> Result<Option<Account>, StorageError> {
    let membership = membership(values)?;
    account(values, membership)
}

/// Returns the columns of [`found_key`], from `integration_keys k`, without those of the account.
pub(crate) fn owned_key_columns() -> String {
    format!("k.user_id, k.revoked_at, {}", key_columns())
}

/// Returns the columns of a key and of its owner's [`current_account`], from `integration_keys k` joined with `users u`
/// and `families f`.
pub(crate) fn found_key_columns() -> String {
    format!("{}, f.id, f.revision, {ACCOUNT_COLUMNS}", owned_key_columns())
}

/// Returns a key from its [`owned_key_columns`] and the columns that `account` reads.
pub(crate) fn found_key<'r, R: StoredRow>(
    values: &mut Values<'r, R>,
    account: impl FnOnce(&mut Values<'r, R>) -> Result<Option<Account>, StorageError>,
) -> Result<FoundKey, StorageError> {
    let user = values.take()?;
    let state = key_state(values)?;
    Ok(FoundKey { key: key(values)?, state, user, account: account(values)? })
}

/// Returns the keys of rows with a digest and the [`found_key_columns`].
pub(crate) fn found_keys<'r, R: StoredRow + 'r>(
    rows: impl Iterator<Item = Values<'r, R>>,
) -> Result<FoundTokens, StorageError> {
    let keys = rows.map(|mut values| {
        let digest = TokenDigest::Key(values.take()?);
        Ok((digest, found_key(&mut values, current_account).map(FoundToken::Key).map(Arc::new)))
    });
    keys.collect()
}
