//! The caller's own profile.

use tracing::instrument;

use crate::access::Caller;
use crate::audit::AuditEvent;
use crate::change::ProfileChange;
use crate::error::Error;
use crate::resource::Profile;
use crate::service::FamilyApi;
use crate::service::storage_call::StorageCall;
use crate::validation::FieldFault;

/// A handle to read the caller's own profile.
#[derive(Debug, Clone, Copy)]
pub struct ProfileService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

impl ProfileService<'_> {
    /// Returns the profile.
    ///
    /// # Errors
    /// [`Error::InvalidToken`] or [`Error::NotSignedIn`] if the user was deleted during the request, or the error of
    /// the storage.
    #[instrument(level = "debug", name = "get_profile", skip_all, fields(user = %self.caller.user()))]
    pub async fn get(&self) -> Result<Profile, Error> {
        self.api
            .storage
            .find_profile(self.caller.user())
            .traced("find_profile")
            .await?
            .ok_or_else(|| deleted_user_error(self.caller))
    }

    /// Updates the profile and returns the updated profile.
    ///
    /// # Errors
    /// - [`Error::NotSignedIn`] if the caller has a token, or if the session has ended or the user was deleted during
    ///   the request.
    /// - [`Error::InvalidField`] if the storage does not keep a field.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "update_profile", skip_all, fields(user = %self.caller.user()))]
    pub async fn update(&self, change: &ProfileChange) -> Result<Profile, Error> {
        let signed_in = self.caller.signed_in()?;
        if change.time_zone().is_some() && !self.api.capabilities.keeps_profile_field("timeZone") {
            let fault = FieldFault::of_field("timeZone", "is not kept by this application");
            return Err(Error::InvalidField(vec![fault].into()));
        }
        let now = self.api.clock.now();
        let pending: Vec<_> = self.events(change).map(|event| self.api.begin_event(event)).collect();
        let updated = self.api.storage.update_profile(&signed_in, change, now).traced("update_profile").await?;
        let profile = updated.ok_or_else(|| deleted_user_error(self.caller));
        for pending in pending {
            pending.complete(profile.is_ok());
        }
        profile
    }

    fn events(&self, change: &ProfileChange) -> impl Iterator<Item = AuditEvent> {
        let user = || self.caller.user().clone();
        let api = change.personal_api_enabled().map(|enabled| {
            if enabled {
                AuditEvent::PersonalApiEnabled { user: user() }
            } else {
                AuditEvent::PersonalApiDisabled { user: user() }
            }
        });
        let zone = change.time_zone().map(|_| AuditEvent::TimeZoneChanged { user: user() });
        api.into_iter().chain(zone)
    }
}

/// Returns the error for a user that was deleted after the request was authorized.
fn deleted_user_error(caller: &Caller) -> Error {
    if caller.token().is_some() { Error::InvalidToken } else { Error::NotSignedIn }
}
