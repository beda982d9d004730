//! Flaws of credentials: as whom the sound storage makes a change instead.

use family_api_core::Timestamp;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{Author, Credential, KeyState, KeyStorage, SignedIn, StorageError};

use crate::broken::{Broken, Flaw};

/// What is asked for, as far as credentials are concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Change,
    EmptyChange,
    Deletion,
}

impl Broken {
    /// The author without the credential that the flaw forgets to judge.
    pub(super) async fn flawed_author(
        &self,
        author: &Author,
        kind: Kind,
        now: Timestamp,
    ) -> Result<Author, StorageError> {
        let mut author = author.clone();
        let forgets = match (self.flaw, &author.credential) {
            (Some(Flaw::ForgetsCredentialsOfDeletions), _) => kind == Kind::Deletion,
            (Some(Flaw::ForgetsCredentialsOfEmptyChanges), _) => kind == Kind::EmptyChange,
            (Some(Flaw::ForgetsCredentials), _) | (Some(Flaw::ForgetsSessions), Credential::Session(_)) => true,
            (Some(Flaw::RefusesEverySession), Credential::Session(Some(session))) => {
                author.credential = Credential::Session(Some(KeyDigest::of(&format!("not {session:?}"))));
                false
            }
            (Some(Flaw::RefusesEveryKey), Credential::Key(_)) => {
                author.credential = Credential::Key(KeyDigest::of("no key"));
                false
            }
            (_, Credential::Key(digest)) => self.forgets_key(digest, &author, now).await?,
            _ => false,
        };
        if forgets {
            author.credential = Credential::Session(None);
        }
        if self.has(Flaw::ForgetsWhoLeft)
            && let Some(relative) = self.relatives(&author.member).into_iter().nth(1)
        {
            author.member = relative;
        }
        Ok(author)
    }

    async fn forgets_key(&self, digest: &KeyDigest, author: &Author, now: Timestamp) -> Result<bool, StorageError> {
        let Some(found) = self.sound.find_key(digest).await? else {
            return Ok(false);
        };
        let account = found.account.as_ref();
        Ok(match self.flaw {
            Some(Flaw::ForgetsRevocations) => found.state != KeyState::Active,
            Some(Flaw::ForgetsExpiries) => !found.key.is_current(now),
            Some(Flaw::ForgetsTheSwitch) => account.is_some_and(|account| !account.personal_api_enabled),
            Some(Flaw::ForgetsWhoseKeyItIs) => account.is_some_and(|account| account.user != author.member.user),
            _ => false,
        })
    }

    /// The user without the session that the flaw forgets to judge.
    pub(super) fn signed_in(&self, signed_in: &SignedIn) -> SignedIn {
        let mut signed_in = signed_in.clone();
        if self.has(Flaw::ForgetsSessions) {
            signed_in.session = None;
        }
        signed_in
    }
}
