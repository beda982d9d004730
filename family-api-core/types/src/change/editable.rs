//! The kinds of records that members write: their bodies, their rules, and the data that the rules need.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::calendar::{Zone, ZoneName};
use crate::change::{DateOrInstant, Split, Verdict};
use crate::id::{Id, UserId};
use crate::resource::{Person, RecordKind};
use crate::timestamp::Timestamp;
use crate::validation::{Faults, Field, FieldFault, Json, Reference};

/// A kind of record that members create, update, delete and restore. Only this crate implements it.
///
/// A creation is an update of a [blank](Self::blank) record, so both obey the same rules. The functions of the bodies
/// follow from the fields of [`Change`](Self::Change), which are declared once.
pub trait Editable:
    sealed::Sealed + Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The kind of the record.
    const KIND: RecordKind;

    /// The identifier of the record.
    type Id: Id;
    /// The fields that a request sends, before their values are checked. The JSON of a change is the body of the
    /// request.
    type Change: Clone + Default + PartialEq + Debug + Serialize + Send + Sync + 'static;
    /// The valid fields of an update.
    type Update: Clone + PartialEq + Debug + Serialize + Send + Sync + 'static;
    /// The record, and the records that an update of it refers to.
    type Facts: Clone + PartialEq + Debug + Send + Sync;
    /// The data that a storage writes.
    type Write: Clone + PartialEq + Debug + Send + Sync + From<Self> + Into<Self>;

    /// Returns the identifier.
    fn id(&self) -> &Self::Id;

    /// Returns a record without content, which the author of the change creates. If the record is in a container, the
    /// creation sets it.
    fn blank(id: Self::Id, author: &Creator<'_>, now: Timestamp) -> Self;

    /// Returns the record in the facts.
    fn record(facts: &Self::Facts) -> &Self;

    /// Checks an update that has a field against the facts, and applies it if it is valid.
    fn apply(update: Self::Update, facts: Self::Facts, context: &WriteContext<'_>) -> Verdict<Self::Write>;

    /// Checks an update against the facts, and applies it if it is valid. An update without a field keeps the record. If
    /// no field has a new value, only the version of the record is new, and the storage writes nothing.
    fn decide(update: Self::Update, facts: Self::Facts, context: &WriteContext<'_>) -> Verdict<Self::Write> {
        if Self::is_empty(&update) {
            return Verdict::Write(Self::record(&facts).clone().into());
        }
        Self::apply(update, facts, context)
    }

    /// Whether updates can split records of the kind in two. The scope for an update must then be that for a creation.
    const CAN_SPLIT: bool = false;

    /// Returns whether the update can split the record in two.
    #[must_use]
    fn splits(_update: &Self::Update) -> bool {
        false
    }

    /// Returns how many records the update changes at most: a move also shifts other tasks, and a split creates a record.
    #[must_use]
    fn max_changes(update: &Self::Update) -> u32 {
        if Self::splits(update) { 2 } else { 1 }
    }

    /// Checks an update as [`decide`](Self::decide) does. If it [splits](Self::splits) the record, the other part gets
    /// the id `new_id`. Without an id, such an update is refused.
    fn decide_split(
        update: Self::Update,
        _new_id: Self::Id,
        facts: Self::Facts,
        context: &WriteContext<'_>,
    ) -> Verdict<Split<Self::Write>> {
        Self::decide(update, facts, context).map(Split::from)
    }

    /// Checks a creation against the facts, whose record is [blank](Self::blank), and applies it if it is valid.
    fn decide_new(new: New<Self::Update>, facts: Self::Facts, context: &WriteContext<'_>) -> Verdict<Self::Write> {
        Self::apply(new.into_fields(), facts, context)
    }

    /// Checks whether the deleted record in the facts can be restored. The record is restored unchanged, but an
    /// event or a task gets the next `sequence`.
    fn decide_restore(facts: Self::Facts, _context: &WriteContext<'_>) -> Verdict<Self::Write> {
        Verdict::Write(Self::record(&facts).clone().into())
    }

    /// Parses the body of a PATCH request.
    ///
    /// # Errors
    /// The faults of the body.
    fn parse_update(body: Json) -> Result<Self::Update, Faults>;

    /// Parses the body of a POST request. `container` is the id in the path of the collection: the list of an item, or
    /// the board of a column.
    ///
    /// # Errors
    /// The faults of the body.
    fn parse_new(container: Option<&str>, body: Json) -> Result<New<Self::Update>, Faults>;

    /// Returns the JSON schema of the body of a PATCH request.
    #[must_use]
    fn update_schema() -> Value;

    /// Returns the JSON schema of the body of a POST request.
    #[must_use]
    fn new_schema() -> Value;

    /// Returns the times of an update with the names of their fields.
    #[must_use]
    fn times(_update: &Self::Update) -> Vec<(&'static str, DateOrInstant)> {
        Vec::new()
    }

    /// Returns the time zone that the update names for its local times. `None` if it is that of the user who writes.
    #[must_use]
    fn time_zone(_update: &Self::Update) -> Option<&ZoneName> {
        None
    }

    /// Returns whether the update has no field. Such an update only reads the record.
    #[must_use]
    fn is_empty(update: &Self::Update) -> bool;

    /// Returns the write with a changed record.
    #[must_use]
    fn map_record(write: Self::Write, change: impl FnOnce(Self) -> Self) -> Self::Write {
        change(write.into()).into()
    }

    /// Returns the record with the time and the number of changes of another one, so that only their values differ. A
    /// kind without these fields returns it unchanged.
    #[must_use]
    fn with_version_of(self, other: &Self) -> Self;

    /// Returns the record that was written.
    #[must_use]
    fn output(write: Self::Write) -> Self {
        write.into()
    }
}

/// A valid change of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ValidChange<C>(pub(super) C);

/// The valid fields of a new record: every required field is present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct New<U>(pub(super) U);

impl<U> New<U> {
    /// Returns the fields.
    #[must_use]
    pub const fn fields(&self) -> &U {
        &self.0
    }

    /// Returns the fields.
    #[must_use]
    pub fn into_fields(self) -> U {
        self.0
    }
}

/// The author of a new record.
#[derive(Debug, Clone, Copy)]
pub struct Creator<'a> {
    /// The user.
    pub user: &'a UserId,
    /// The user as other members see them. `None` if the user is not in the family.
    pub person: Option<&'a Person>,
}

/// The circumstances of a write.
#[derive(Debug, Clone, Copy)]
pub struct WriteContext<'a> {
    /// The user who writes.
    pub user: &'a UserId,
    /// The time zone of the user's profile.
    pub zone: &'a Zone,
    /// The instant of the write.
    pub now: Timestamp,
}

/// Returns the fault of an assignee that is not in the family. `found` is the member that the change names.
pub(super) fn unknown_assignee(named: &Field<Reference<UserId>>, found: Option<&Person>) -> Option<FieldFault> {
    let is_unknown = matches!(named, Field::Set(_)) && found.is_none();
    is_unknown.then(|| FieldFault::of_field("assigneeId", "is not the id of a member of the family"))
}

pub(super) mod sealed {
    /// Prevents implementations outside of this crate.
    pub trait Sealed {}
}
