//! Flaws of credentials: how a flaw changes the author of a write.

use family_api_core::Timestamp;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{Author, Credential, KeyState, KeyStorage, SignedIn, StorageError};

use crate::broken::{Broken, Flaw};

/// The kinds of write that flaws of credentials distinguish.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Change,
    EmptyChange,
    Deletion,
}

impl Broken {
    /// Returns the author after the flaw was applied. A skipped credential becomes a session that needs no check.
    pub(super) async fn flawed_author(
        &self,
        author: &Author,
        kind: Kind,
        now: Timestamp,
    ) -> Result<Author, StorageError> {
        let mut author = author.clone();
        let forgets = match (self.flaw, &author.credential) {
            (Some(Flaw::SkipsCredentialChecksOfDeletions), _) => kind == Kind::Deletion,
            (Some(Flaw::SkipsCredentialChecksOfEmptyChanges), _) => kind == Kind::EmptyChange,
            (Some(Flaw::SkipsCredentialChecks), _) | (Some(Flaw::SkipsSessionChecks), Credential::Session(_)) => true,
            (Some(Flaw::RefusesEverySession), Credential::Session(Some(session))) => {
                author.credential = Credential::Session(Some(KeyDigest::of(&format!("not {session:?}"))));
                false
            }
            (Some(Flaw::RefusesEveryKey), Credential::Key(_)) => {
                author.credential = Credential::Key(KeyDigest::of("no key"));
                false
            }
            (_, Credential::Key(digest)) => self.skips_key_check(digest, &author, now).await?,
            _ => false,
        };
        if forgets {
            author.credential = Credential::Session(None);
        }
        if self.has(Flaw::AcceptsAuthorsWhoLeft)
            && let Some(other) = self.family_members(&author.member).into_iter().nth(1)
        {
            author.member = other;
        }
        Ok(author)
    }

    async fn skips_key_check(&self, digest: &KeyDigest, author: &Author, now: Timestamp) -> Result<bool, StorageError> {
        let Some(found) = self.inner.find_key(digest).await? else {
            return Ok(false);
        };
        let account = found.account.as_ref();
        Ok(match self.flaw {
            Some(Flaw::AcceptsRevokedKeys) => found.state != KeyState::Active,
            Some(Flaw::AcceptsExpiredKeys) => !found.key.is_current(now),
            Some(Flaw::AcceptsKeysWhileThePersonalApiIsOff) => {
                account.is_some_and(|account| !account.personal_api_enabled)
            }
            Some(Flaw::AcceptsKeysOfOtherUsers) => account.is_some_and(|account| account.user != author.member.user),
            _ => false,
        })
    }

    /// Returns the user after the flaw was applied. A skipped session is removed.
    pub(super) fn signed_in(&self, signed_in: &SignedIn) -> SignedIn {
        let mut signed_in = signed_in.clone();
        if self.has(Flaw::SkipsSessionChecks) {
            signed_in.session = None;
        }
        signed_in
    }
}
