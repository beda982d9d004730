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
pub(crate) fn key_state(values: &mut Values<'_, impl StoredRow>) -> Result<KeyState, StorageError> {
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

/// Returns the columns of [`found_key`], from `integration_keys k` joined with `users u` and `families f`.
pub(crate) fn found_key_columns() -> String {
    format!("k.revoked_at, {}, f.id, f.revision, {ACCOUNT_COLUMNS}", key_columns())
}

fn found_key(values: &mut Values<'_, impl StoredRow>) -> Result<FoundKey, StorageError> {
    let state = key_state(values)?;
    let key = key(values)?;
    Ok(FoundKey { key, state, account: current_account(values)? })
}

/// Returns the keys of rows with a digest and the [`found_key_columns`]. Skips a row whose digest is `NULL`.
pub(crate) fn found_keys<'r, R: StoredRow + 'r>(
    rows: impl Iterator<Item = Values<'r, R>>,
) -> Result<FoundTokens, StorageError> {
    let keys = rows.map(|mut values| {
        let digest = values.take::<Option<_>>()?.map(TokenDigest::Key);
        Ok(digest.map(|digest| (digest, found_key(&mut values).map(FoundToken::Key).map(Arc::new))))
    });
    keys.filter_map(Result::transpose).collect()
}
