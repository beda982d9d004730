//! The member that a token belongs to.

use super::rows::Texts;

#[derive(Debug)]
pub(super) struct Member {
    pub(super) user: String,
    pub(super) family: String,
}

/// A key and its user.
pub(super) struct Key {
    pub(super) user: String,
    pub(super) family: Option<String>,
    pub(super) is_personal_api_enabled: bool,
    pub(super) scopes: Texts,
}

impl Key {
    /// Returns the member if the key has the scope `v1.read` and the user has enabled the personal API.
    pub(super) fn into_member(self) -> Option<Member> {
        let may_read = self.is_personal_api_enabled && self.scopes.0.iter().any(|scope| scope == "v1.read");
        let family = self.family.filter(|_| may_read)?;
        Some(Member { user: self.user, family })
    }
}
