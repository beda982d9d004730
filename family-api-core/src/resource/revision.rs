//! The version of a family's data.

/// Counts the changes of a family's data: it is another number after every change that a member could see.
///
/// It arrives with the key ([`Keys::find_key`](crate::storage::Keys::find_key)), read afresh on every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Revision(pub i64);
