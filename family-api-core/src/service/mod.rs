//! What the API does, for a caller who was let in.

mod builder;
mod keys;
mod notes;
mod profile;
mod read;
mod tasks;

pub use builder::FamilyApiBuilder;
pub use keys::Keys;
pub use notes::Notes;
pub use profile::Profiles;
pub use read::Reading;
pub use tasks::Tasks;

use std::sync::Arc;

use crate::Surface;
use crate::access::{Authenticated, Bearer, Caller, authenticate};
use crate::clock::Clock;
use crate::error::Error;
use crate::id::UserId;
use crate::key::{EnvironmentTokens, KeyPrefix, Scope};
use crate::storage::Storage;

/// The API of a storage: cheap to clone, shared by every request.
///
/// A request is let in once, by [`authenticate`](Self::authenticate) or [`sign_in`](Self::sign_in). The [`Caller`] that
/// comes of it is asked for each thing that it wants to do: [`read`](Self::read), [`tasks`](Self::tasks),
/// [`notes`](Self::notes), [`profile`](Self::profile) and [`keys`](Self::keys) answer with a handle, which is the
/// permission, or with the error that says what is missing.
#[derive(Clone)]
pub struct FamilyApi {
    storage: Arc<dyn Storage>,
    clock: Arc<dyn Clock>,
    environment: Arc<EnvironmentTokens>,
    prefix: KeyPrefix,
    key_limit: u32,
}

impl FamilyApi {
    /// The API of a storage, with every setting at its default.
    #[must_use]
    pub fn new(storage: Arc<dyn Storage>) -> Self {
        Self::builder(storage).build()
    }

    /// The API of a storage, to be configured.
    pub fn builder(storage: Arc<dyn Storage>) -> FamilyApiBuilder {
        FamilyApiBuilder::new(storage)
    }

    /// Recognises a presented token.
    ///
    /// # Errors
    /// [`Error::InvalidToken`], or the storage's fault.
    pub async fn authenticate(&self, bearer: &Bearer, surface: Surface) -> Result<Authenticated, Error> {
        authenticate(&*self.storage, &self.environment, &self.prefix, bearer, surface, self.clock.now()).await
    }

    /// Lets in a user whose session the host has checked.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] where there is no such user, or the storage's fault.
    pub async fn sign_in(&self, user: &UserId) -> Result<Caller, Error> {
        let account = self.storage.find_account(user).await?;
        account.map(Caller::with_session).ok_or(Error::NotSignedIn)
    }

    /// Reads of the family's resources.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] for a token without the read scope of its surface.
    pub fn read<'a>(&'a self, caller: &'a Caller) -> Result<Reading<'a>, Error> {
        caller.require_read().map(|()| Reading { api: self, caller })
    }

    /// The caller's own profile.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] for a token without `v1.read`.
    pub fn profile<'a>(&'a self, caller: &'a Caller) -> Result<Profiles<'a>, Error> {
        caller.require(&Scope::V1Read).map(|()| Profiles { api: self, caller })
    }

    /// Writes of tasks.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] for a token without `v1.tasks.write`.
    pub fn tasks<'a>(&'a self, caller: &'a Caller) -> Result<Tasks<'a>, Error> {
        caller.require(&Scope::V1TasksWrite).map(|()| Tasks { api: self, caller })
    }

    /// Writes of notes.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] for a token without `v1.notes.write`.
    pub fn notes<'a>(&'a self, caller: &'a Caller) -> Result<Notes<'a>, Error> {
        caller.require(&Scope::V1NotesWrite).map(|()| Notes { api: self, caller })
    }

    /// The caller's integration keys: a session's alone.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] for a token.
    pub fn keys<'a>(&'a self, caller: &'a Caller) -> Result<Keys<'a>, Error> {
        caller.require_session().map(|()| Keys { api: self, caller })
    }

    /// Whether the storage answers.
    ///
    /// # Errors
    /// The storage's fault.
    pub async fn check(&self) -> Result<(), Error> {
        Ok(self.storage.check().await?)
    }
}

impl std::fmt::Debug for FamilyApi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FamilyApi")
            .field("prefix", &self.prefix)
            .field("key_limit", &self.key_limit)
            .finish_non_exhaustive()
    }
}
