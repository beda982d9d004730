//! The arguments of a storage, with ids of the host.

use family_api_core::resource::RecordKind;
use family_api_core::storage::{Author, Member, NewKey, RestorablePosition, RestorableQuery, SignedIn};

use super::kind::{IdOf, Kind};
use super::names::Names;

/// An argument that contains names.
pub(super) trait ToHost {
    /// Returns the argument with ids of the host.
    fn to_host(&self, names: &Names<'_>) -> Self;
}

impl<I: IdOf> ToHost for I {
    fn to_host(&self, names: &Names<'_>) -> Self {
        names.host_id(I::KIND, self.text()).parse().unwrap()
    }
}

impl ToHost for Member {
    fn to_host(&self, names: &Names<'_>) -> Self {
        Self { user: self.user.to_host(names), family: self.family.to_host(names) }
    }
}

impl ToHost for Author {
    fn to_host(&self, names: &Names<'_>) -> Self {
        Self { member: self.member.to_host(names), credential: self.credential.clone() }
    }
}

impl ToHost for SignedIn {
    fn to_host(&self, names: &Names<'_>) -> Self {
        Self { user: self.user.to_host(names), session: self.session }
    }
}

impl ToHost for NewKey {
    fn to_host(&self, names: &Names<'_>) -> Self {
        Self { owner: self.owner.to_host(names), ..self.clone() }
    }
}

impl ToHost for RestorableQuery {
    fn to_host(&self, names: &Names<'_>) -> Self {
        let after = self.after.as_ref().map(|RestorablePosition { deleted_at, record }| {
            let (kind, name) = record.split_once(' ').unwrap();
            let record_kind = RecordKind::ALL.into_iter().find(|other| other.as_str() == kind).unwrap();
            let id = names.host_id(Kind::Record(record_kind), name);
            RestorablePosition { deleted_at: *deleted_at, record: format!("{kind} {id}") }
        });
        Self { after, ..self.clone() }
    }
}
