//! Which members see a private record (HTTP reference, "Visibility").

use crate::id::UserId;

/// Returns whether a user sees a record of their family, regardless of its board or list. Only its owner sees a private
/// record. No member sees a private record without an owner.
#[must_use]
pub fn sees(user: &UserId, is_private: bool, owner: Option<&UserId>) -> bool {
    !is_private || owner == Some(user)
}
