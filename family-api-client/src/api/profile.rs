//! The caller's own profile.

use std::sync::Arc;

use family_api_core::change::ProfileChange;
use family_api_core::paths;
use family_api_core::resource::Profile;

use crate::Call;
use crate::request::Request;
use crate::transport::Transport;

/// Calls about the profile of a token's user.
#[derive(Debug, Clone)]
pub struct ProfileApi {
    pub(crate) transport: Arc<Transport>,
}

impl ProfileApi {
    /// The profile: needs the scope `v1.read`.
    pub fn get(&self) -> Call<Profile> {
        Call::new(&self.transport, Request::get(paths::V1_ME))
    }
}

/// Calls about the profile of a signed-in user.
#[derive(Debug, Clone)]
pub struct OwnProfileApi {
    pub(crate) transport: Arc<Transport>,
}

impl OwnProfileApi {
    /// The profile.
    pub fn get(&self) -> Call<Profile> {
        Call::new(&self.transport, Request::get(paths::ME))
    }

    /// Changes the profile, and answers with it as it is then: switches the personal API on or off.
    pub fn update(&self, change: ProfileChange) -> Call<Profile> {
        Call::new(&self.transport, Request::patch(paths::ME, change))
    }
}
