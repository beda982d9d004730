//! Finds the account of the user that a credential names.

use crate::access::Account;
use crate::error::Error;
use crate::id::UserId;
use crate::service::FamilyApi;
use crate::service::storage_call::StorageCall;

impl FamilyApi {
    /// Finds the account of the user that a credential names.
    ///
    /// Logs a warning if the storage does not have the user, at most once a minute for each user. The response only says
    /// that the credential is not valid, which does not tell a host that its sessions and its storage name users
    /// differently.
    pub(super) async fn find_named_account(
        &self,
        credential: &'static str,
        user: &UserId,
    ) -> Result<Option<Account>, Error> {
        let account = self.storage.find_account(user).traced("find_account").await?;
        if account.is_none() && self.unknown_user_warnings.check(user, self.clock.monotonic()).is_granted() {
            tracing::warn!("the {credential} names user {user}, whom the storage does not have");
        }
        Ok(account)
    }
}
