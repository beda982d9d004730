//! Flaws of credential checks. A flaw replaces the author of a write before the write.

use family_api_core::Timestamp;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{Author, Credential, KeyState, KeyStorage, SignedIn, StorageError};

use crate::broken::{BrokenStorage, Flaw};

/// The kind of a write. Some flaws of credential checks affect only one kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteKind {
    Change,
    EmptyChange,
    Deletion,
}

impl BrokenStorage {
    /// Returns the author after the flaw was applied. To skip a check, the flaw replaces the credential with a session
    /// of the host, which the storage does not check.
    pub(super) async fn flawed_author(
        &self,
        author: &Author,
        kind: WriteKind,
        now: Timestamp,
    ) -> Result<Author, StorageError> {
        let mut author = author.clone();
        let skips_check = match (self.flaw, &author.credential) {
            (Some(Flaw::SkipsCredentialChecksOfDeletions), _) => kind == WriteKind::Deletion,
            (Some(Flaw::SkipsCredentialChecksOfEmptyChanges), _) => kind == WriteKind::EmptyChange,
            (Some(Flaw::SkipsCredentialChecks), _) | (Some(Flaw::SkipsSessionChecks), Credential::Session(_)) => true,
            (Some(Flaw::RefusesEverySession), Credential::Session(Some(session))) => {
                author.credential = Credential::Session(Some(KeyDigest::of(&format!("not {session:?}"))));
                false
            }
            (Some(Flaw::RefusesEveryKey), Credential::Key(_)) => {
                author.credential = Credential::Key(KeyDigest::of("no key"));
                false
            }
            (Some(Flaw::RefusesEveryAccessToken), Credential::Grant(_)) => {
                author.credential = Credential::Grant(KeyDigest::of("no token"));
                false
            }
            (_, Credential::Key(digest)) => self.skips_key_check(digest, &author, now).await?,
            _ => false,
        };
        if skips_check {
            author.credential = Credential::Session(None);
        }
        // The inner storage accepts the other member, who is still in the family.
        if self.has(Flaw::AcceptsAuthorsWhoLeft)
            && let Some(other) = self.family_members(&author.member).into_iter().nth(1)
        {
            author.member = other;
        }
        Ok(author)
    }

    async fn skips_key_check(&self, digest: &KeyDigest, author: &Author, now: Timestamp) -> Result<bool, StorageError> {
        let Some(found_key) = self.inner.find_key(digest).await? else {
            return Ok(false);
        };
        let account = found_key.account.as_ref();
        Ok(match self.flaw {
            Some(Flaw::AcceptsRevokedKeys) => found_key.state != KeyState::Active,
            Some(Flaw::AcceptsExpiredKeys) => !found_key.key.is_current(now),
            Some(Flaw::AcceptsKeysWhileThePersonalApiIsOff) => {
                account.is_some_and(|account| !account.personal_api_enabled)
            }
            Some(Flaw::AcceptsKeysOfOtherUsers) => account.is_some_and(|account| account.user != author.member.user),
            _ => false,
        })
    }

    /// Returns the user after the flaw was applied. To skip the check of a session, the flaw removes the session.
    pub(super) fn flawed_user(&self, signed_in: &SignedIn) -> SignedIn {
        let mut signed_in = signed_in.clone();
        if self.has(Flaw::SkipsSessionChecks) {
            signed_in.session = None;
        }
        signed_in
    }
}
