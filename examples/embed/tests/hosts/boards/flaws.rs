//! Mistakes that boards could have, each with a case of the suite that finds it.

use family_api_core::storage::{Change, FamilyData, FamilyWrite, FoundCredential, KeyState, StorageError};

/// A mistake in the code or in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    AcceptsRevokedKeys,
    DoesNotCommit,
    FaultsAreEmpty,
    LoadsBeforeTheLock,
}

impl Flaw {
    /// Returns the statement with the mistake.
    pub(super) fn edit(self, text: &str) -> String {
        text.to_owned()
    }
}

/// Decides on the credential as if no key could be revoked.
pub(super) async fn writes_with_an_active_key(
    change: Change<'_>,
    data: &FamilyData,
) -> Result<Vec<FamilyWrite>, StorageError> {
    let mut credential = change.credential.await?;
    if let FoundCredential::Key(Some(found)) = &mut credential {
        found.state = KeyState::Active;
    }
    Ok((change.decide)(credential, data))
}
