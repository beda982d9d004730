//! Creates the key that the guide prints.

use std::sync::Arc;

use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::key::{CreatedKey, KeyDraft, KeyMode};
use family_api_core::storage::Storage;
use family_api_core::validation::Reference;
use family_api_core::{Error, FamilyApi, KeyService};

use crate::demo::families;

const KEY_NAME: &str = "Demo";

/// Enables the user's personal API, revokes the keys of earlier starts, and creates the key. Ignores the maximum number
/// of keys.
pub(super) async fn create(storage: Arc<dyn Storage>) -> Result<CreatedKey, Error> {
    let api = FamilyApi::builder(storage).key_limit(u32::MAX).full_access(true).build();
    let user: UserId = families::USER.parse().map_err(|error| Error::Internal(Box::new(error)))?;
    let caller = api.session_caller(&user.into()).await?;
    api.profile(&caller)?.update(&ProfileChange::new().enable_personal_api()).await?;
    let keys = api.keys(&caller)?;
    revoke_earlier(&keys).await?;
    keys.create(KeyDraft::new(KeyMode::V1Full).name(KEY_NAME)).await
}

/// Revokes the keys of earlier starts. Their plaintext is not stored, so it cannot be printed again.
async fn revoke_earlier(keys: &KeyService<'_>) -> Result<(), Error> {
    let earlier = keys.list().await?.tokens.into_iter().filter(|key| key.name.as_deref() == Some(KEY_NAME));
    for key in earlier {
        match keys.revoke(&Reference::Id(key.id)).await {
            // Another process has already revoked the key.
            Err(Error::NotFound) => {}
            revoked => drop(revoked?),
        }
    }
    Ok(())
}
