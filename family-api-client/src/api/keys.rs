//! Calls on integration keys.

use std::sync::Arc;

use family_api_types::id::KeyId;
use family_api_types::key::{CreatedKey, KeyDraft, KeyList, RevokedAccess, RevokedKey};
use family_api_types::paths;

use crate::Call;
use crate::request::Request;
use crate::transport::Transport;

/// Calls on the integration keys of a signed-in user.
#[derive(Debug, Clone)]
pub struct KeysApi {
    pub(crate) transport: Arc<Transport>,
}

impl KeysApi {
    /// Creates a key. Only this response contains the plaintext of the key.
    pub fn create(&self, draft: KeyDraft) -> Call<CreatedKey> {
        Call::new(&self.transport, Request::post(paths::KEYS).with_body(draft))
    }

    /// Lists the active keys, newest first.
    pub fn list(&self) -> Call<KeyList> {
        Call::new(&self.transport, Request::get(paths::KEYS))
    }

    /// Revokes a key. The service refuses the key as soon as this call returns.
    pub fn revoke(&self, key: &KeyId) -> Call<RevokedKey> {
        Call::new(&self.transport, Request::delete(paths::key(key)))
    }

    /// Revokes all keys, ends all connections, and switches the personal API off. The service refuses all of them as
    /// soon as this call returns. Environment tokens of the service stay valid.
    pub fn revoke_access(&self) -> Call<RevokedAccess> {
        Call::new(&self.transport, Request::delete(paths::ACCESS))
    }
}
