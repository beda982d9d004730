//! The results of a storage, with names as ids.

use family_api_core::for_each_kind;
use family_api_core::key::{IntegrationKey, RevokedAccess};
use family_api_core::resource::{AnyRecord, ChangedRecord, DeletedRecordId, Document, Profile, ShoppingItem};
use family_api_core::storage::{
    Account, FoundChanges, FoundKey, KeyInsert, KeyRevocation, Membership, RecordChanges, RestorableEntry, Written,
};

use super::kind::{ContainsIds, IdOf, Kind};
use super::names::Names;

/// A result that contains ids of the host.
pub(super) trait ToNames {
    /// Returns the result with names.
    fn to_names(self, names: &Names<'_>) -> Self;
}

macro_rules! without_ids {
    ($($Type:ty)*) => {$(
        impl ToNames for $Type {
            fn to_names(self, _: &Names<'_>) -> Self {
                self
            }
        }
    )*};
}

without_ids! {
    ()
    u64
    IntegrationKey
    KeyInsert
    KeyRevocation
    RevokedAccess
}

impl<T: ToNames> ToNames for Option<T> {
    fn to_names(self, names: &Names<'_>) -> Self {
        self.map(|value| value.to_names(names))
    }
}

impl<T: ToNames> ToNames for Vec<T> {
    fn to_names(self, names: &Names<'_>) -> Self {
        self.into_iter().map(|value| value.to_names(names)).collect()
    }
}

impl<I: IdOf> ToNames for I {
    fn to_names(self, names: &Names<'_>) -> Self {
        names.name(I::KIND, self.text()).parse().unwrap()
    }
}

impl ToNames for Account {
    fn to_names(self, names: &Names<'_>) -> Self {
        Self { user: self.user.to_names(names), membership: self.membership.to_names(names), ..self }
    }
}

impl ToNames for Membership {
    fn to_names(self, names: &Names<'_>) -> Self {
        Self { family: self.family.to_names(names), ..self }
    }
}

impl ToNames for FoundKey {
    fn to_names(self, names: &Names<'_>) -> Self {
        Self { user: self.user.to_names(names), account: self.account.to_names(names), ..self }
    }
}

impl ToNames for Profile {
    fn to_names(self, names: &Names<'_>) -> Self {
        names.with_names(&self)
    }
}

impl ToNames for ShoppingItem {
    fn to_names(self, names: &Names<'_>) -> Self {
        names.with_names(&self)
    }
}

impl ToNames for RestorableEntry {
    fn to_names(self, names: &Names<'_>) -> Self {
        Self { id: names.name(Kind::Record(self.kind), &self.id), ..self }
    }
}

impl ToNames for FoundChanges {
    fn to_names(self, names: &Names<'_>) -> Self {
        match self {
            Self::Found(changes) => Self::Found(RecordChanges {
                changed: changes.changed.to_names(names),
                deleted: changes.deleted.to_names(names),
                ..changes
            }),
            other => other,
        }
    }
}

impl ToNames for ChangedRecord {
    fn to_names(self, names: &Names<'_>) -> Self {
        macro_rules! with_names {
            ($($method:ident: $Record:ident,)*) => {
                match self.record {
                    $(AnyRecord::$Record(record) => Self::new(names.with_names(&*record)),)*
                }
            };
        }
        for_each_kind!(with_names)
    }
}

impl ToNames for DeletedRecordId {
    fn to_names(self, names: &Names<'_>) -> Self {
        Self { id: names.name(Kind::Record(self.kind), &self.id), ..self }
    }
}

impl<T: ContainsIds> ToNames for Document<T> {
    /// The document with names has the form that serde writes, so that of the host is checked here.
    fn to_names(self, names: &Names<'_>) -> Self {
        let (value, revision): (T, _) = (self.parse().unwrap(), self.revision());
        let serialized = Self::of(&value).unwrap().into_bytes();
        assert_eq!(self.into_bytes(), serialized, "a document does not equal the serde output of its records");
        Self::of(&names.with_names(&value)).unwrap().with_revision(revision)
    }
}

impl<T: ToNames> ToNames for Written<T> {
    fn to_names(self, names: &Names<'_>) -> Self {
        map(self, |value| value.to_names(names))
    }
}

/// Changes each value of a result.
pub(super) fn map<T>(written: Written<T>, change: impl Fn(T) -> T) -> Written<T> {
    match written {
        Written::Created(value) => Written::Created(change(value)),
        Written::Updated { before, after } => Written::Updated { before: change(before), after: change(after) },
        Written::Split { before, after, new } => {
            Written::Split { before: change(before), after: change(after), new: change(new) }
        }
        Written::Deleted(value) => Written::Deleted(change(value)),
        Written::Restored(value) => Written::Restored(change(value)),
        Written::Existing(value) => Written::Existing(change(value)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use family_api_core::resource::{Document, Note};
    use family_api_core::storage::{Record, Storage};
    use family_api_memory::MemoryStorage;

    use super::{Names, ToNames};
    use crate::Subject;

    struct Host(MemoryStorage);

    #[async_trait]
    impl Subject for Host {
        fn storage(&self) -> &dyn Storage {
            &self.0
        }

        async fn seed(&self, _: Vec<Record>) {}
    }

    #[test]
    #[should_panic(expected = "a document does not equal the serde output of its records")]
    fn a_document_in_another_form_is_refused() {
        let host = Host(MemoryStorage::new());
        let names = Names::new(&host);
        let empty = |json: &'static [u8]| Document::<Vec<Note>>::from_json(json).to_names(&names);
        assert_eq!(empty(b"[]").into_bytes(), b"[]".as_slice());
        empty(b"[ ]");
    }
}
