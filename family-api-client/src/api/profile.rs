//! The profile.

use family_api_core::paths;
use family_api_core::resource::Profile;

use crate::Error;
use crate::transport::Transport;

/// Calls about the token's user.
#[derive(Debug, Clone, Copy)]
pub struct Profiles<'a> {
    pub(crate) transport: &'a Transport,
}

impl Profiles<'_> {
    /// The profile of the token's user.
    ///
    /// # Errors
    /// An [`Error`], which says what it means.
    pub async fn get(&self) -> Result<Profile, Error> {
        self.transport.get(paths::V1_ME, &[]).await
    }
}
