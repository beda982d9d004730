//! Calls on the caller's own profile.

use std::sync::Arc;

use family_api_types::change::ProfileChange;
use family_api_types::paths;
use family_api_types::resource::Profile;

use crate::Call;
use crate::request::Request;
use crate::transport::Transport;

/// Calls on the profile of the token's user.
#[derive(Debug, Clone)]
pub struct ProfileApi {
    pub(crate) transport: Arc<Transport>,
}

impl ProfileApi {
    /// Returns the profile. The token needs the scope `v1.read`.
    pub fn get(&self) -> Call<Profile> {
        Call::new(&self.transport, Request::get(paths::V1_ME))
    }
}

/// Calls on the profile of a signed-in user.
#[derive(Debug, Clone)]
pub struct OwnProfileApi {
    pub(crate) transport: Arc<Transport>,
}

impl OwnProfileApi {
    /// Returns the profile.
    pub fn get(&self) -> Call<Profile> {
        Call::new(&self.transport, Request::get(paths::ME))
    }

    /// Updates the profile: turns the personal API on or off, or sets the time zone. Returns the updated profile.
    pub fn update(&self, change: ProfileChange) -> Call<Profile> {
        Call::new(&self.transport, Request::patch(paths::ME, change))
    }
}
