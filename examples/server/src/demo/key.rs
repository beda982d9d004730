//! The key that the guide shows.

use std::sync::Arc;

use family_api_core::change::{ProfileChange, Reference};
use family_api_core::id::UserId;
use family_api_core::key::{CreatedKey, KeyDraft, KeyMode};
use family_api_core::storage::Storage;
use family_api_core::{Error, FamilyApi, KeyService};

use crate::demo::families;

const NAME: &str = "Demo";

/// Creates it as its user would, whatever they have done since an earlier start.
pub(super) async fn create(storage: Arc<dyn Storage>) -> Result<CreatedKey, Error> {
    let api = FamilyApi::builder(storage).key_limit(u32::MAX).build();
    let user: UserId = families::USER.parse().map_err(|error| Error::Internal(Box::new(error)))?;
    let caller = api.session_caller(&user.into()).await?;
    api.profile(&caller)?.update(&ProfileChange::new().enable_personal_api()).await?;
    let keys = api.keys(&caller)?;
    revoke_earlier(&keys).await?;
    keys.create(KeyDraft::new(KeyMode::V1ReadWrite).name(NAME)).await
}

/// Nobody can read the keys of earlier starts any more.
async fn revoke_earlier(keys: &KeyService<'_>) -> Result<(), Error> {
    let earlier = keys.list().await?.tokens.into_iter().filter(|key| key.name.as_deref() == Some(NAME));
    for key in earlier {
        match keys.revoke(&Reference::To(key.id)).await {
            // Another start has revoked it meanwhile.
            Err(Error::NotFound) => {}
            revoked => drop(revoked?),
        }
    }
    Ok(())
}
