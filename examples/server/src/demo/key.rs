//! Creates the key that the guide prints.

use std::sync::Arc;

use family_api_core::change::{ProfileChange, Reference};
use family_api_core::id::UserId;
use family_api_core::key::{CreatedKey, KeyDraft, KeyMode};
use family_api_core::storage::Storage;
use family_api_core::{Error, FamilyApi, KeyService};

use crate::demo::families;

const NAME: &str = "Demo";

/// Creates the key through the API. It also works if an earlier start created one or the user switched the API off.
pub(super) async fn create(storage: Arc<dyn Storage>) -> Result<CreatedKey, Error> {
    let api = FamilyApi::builder(storage).key_limit(u32::MAX).build();
    let user: UserId = families::USER.parse().map_err(|error| Error::Internal(Box::new(error)))?;
    let caller = api.session_caller(&user.into()).await?;
    api.profile(&caller)?.update(&ProfileChange::new().enable_personal_api()).await?;
    let keys = api.keys(&caller)?;
    revoke_earlier(&keys).await?;
    keys.create(KeyDraft::new(KeyMode::V1ReadWrite).name(NAME)).await
}

/// Revokes the keys of earlier starts: their plaintext was printed only once.
async fn revoke_earlier(keys: &KeyService<'_>) -> Result<(), Error> {
    let earlier = keys.list().await?.tokens.into_iter().filter(|key| key.name.as_deref() == Some(NAME));
    for key in earlier {
        match keys.revoke(&Reference::To(key.id)).await {
            // Another process has revoked it in the meantime.
            Err(Error::NotFound) => {}
            revoked => drop(revoked?),
        }
    }
    Ok(())
}
