//! The caller's own profile.

use crate::access::Caller;
use crate::audit::AuditEvent;
use crate::change::ProfileChange;
use crate::error::Error;
use crate::resource::Profile;
use crate::service::FamilyApi;

/// The permission to read the caller's own profile.
#[derive(Debug, Clone, Copy)]
pub struct ProfileService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

impl ProfileService<'_> {
    /// The profile.
    ///
    /// # Errors
    /// [`Error::InvalidToken`] or [`Error::NotSignedIn`] where the user is gone meanwhile, or the storage's fault.
    pub async fn get(&self) -> Result<Profile, Error> {
        self.api.storage.find_profile(self.caller.user()).await?.ok_or_else(|| self.caller.gone())
    }

    /// Changes the profile and returns it as it is then.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] for a token, or if the session has ended or the user is gone meanwhile; or the storage's
    /// fault.
    pub async fn update(&self, change: &ProfileChange) -> Result<Profile, Error> {
        let signed_in = self.caller.signed_in()?;
        let now = self.api.clock.now();
        let pending = change.personal_api_enabled.map(|enabled| {
            let user = self.caller.user().clone();
            self.api.begin(if enabled {
                AuditEvent::PersonalApiEnabled { user }
            } else {
                AuditEvent::PersonalApiDisabled { user }
            })
        });
        let updated = self.api.storage.update_profile(&signed_in, change, now).await?;
        let profile = updated.ok_or_else(|| self.caller.gone());
        if let Some(pending) = pending {
            pending.complete(profile.is_ok());
        }
        profile
    }
}
