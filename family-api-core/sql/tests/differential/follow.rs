//! Members who follow the changes of a storage. Each keeps a replica of the records that the member sees, which must
//! always equal what the model has for them.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};

use family_api_core::id::{FamilyId, UserId};
use family_api_core::resource::{ChangedRecord, RecordKind, Revision};
use family_api_core::storage::{ChangesQuery, FoundChanges, Member, RecordChanges, Storage};

use crate::model::{RecordKey, SeenRecords, bare};
use crate::step::Operation;

/// The members who follow a storage.
#[derive(Default)]
pub(crate) struct Followers(HashMap<(UserId, FamilyId), Replica>);

/// What a member knows of the kinds of records that the member follows.
struct Replica {
    kinds: Vec<RecordKind>,
    revision: Revision,
    records: SeenRecords,
    /// The records that the member could have read since the revision.
    readable: BTreeSet<RecordKey>,
    /// Whether something that is not in the log has perhaps changed since the revision.
    can_expire: bool,
}

/// A step, as its followers see it.
#[derive(Clone, Copy)]
pub(crate) struct FollowedStep<'a> {
    /// The number of the step, from 1.
    pub(crate) number: usize,
    /// The records that each member sees after the step.
    pub(crate) views: &'a [(Member, SeenRecords)],
    /// Whether the log has all changes of the step.
    pub(crate) is_logged: bool,
    /// Whether every member follows. Otherwise some do.
    pub(crate) is_last: bool,
}

/// Returns whether the log has every change of a family's records that the operation makes, unless a move makes gaps.
pub(crate) const fn is_logged(operation: &Operation) -> bool {
    !matches!(operation, Operation::Load(_) | Operation::UpdateProfile(..))
}

impl Followers {
    /// Compares what members learn after a step.
    pub(crate) async fn follow(&mut self, storage: &dyn Storage, step: FollowedStep<'_>) -> Result<(), String> {
        for (index, (member, view)) in step.views.iter().enumerate() {
            let mut dice = Dice::new(step.number, index);
            let Some(replica) = self.0.get_mut(&(member.user.clone(), member.family.clone())) else {
                let replica = Replica::read(storage, member, view, dice).await?;
                self.0.insert((member.user.clone(), member.family.clone()), replica);
                continue;
            };
            replica.readable.extend(view.keys().cloned());
            replica.can_expire |= !step.is_logged;
            if dice.throw(8) == 0 {
                // A member who reads everything, and begins with the state of the first of several reads.
                replica.records = of_kinds(view, &replica.kinds);
            }
            if step.is_last || dice.throw(4) == 0 {
                let followed = replica.follow(storage, member, view, dice).await;
                followed.map_err(|fault| format!("{} follows the changes: {fault}", member.user))?;
            }
        }
        Ok(())
    }
}

impl Replica {
    /// Reads everything.
    async fn read(storage: &dyn Storage, member: &Member, view: &SeenRecords, mut dice: Dice) -> Result<Self, String> {
        let revision = revision_of(storage, member).await?;
        let follows_all = dice.throw(2) == 0;
        let mut kinds: Vec<_> = RecordKind::ALL.into_iter().filter(|_| follows_all || dice.throw(2) == 0).collect();
        if kinds.is_empty() {
            kinds.push(RecordKind::Task);
        }
        let records = of_kinds(view, &kinds);
        Ok(Self { kinds, revision, records, readable: view.keys().cloned().collect(), can_expire: false })
    }

    async fn follow(
        &mut self,
        storage: &dyn Storage,
        member: &Member,
        view: &SeenRecords,
        mut dice: Dice,
    ) -> Result<(), String> {
        let limit = 1 + dice.throw(5);
        let max_bytes = if dice.throw(4) == 0 { 400 } else { usize::MAX };
        let mut query = ChangesQuery { since: self.revision, kinds: self.kinds.clone(), limit, max_bytes };
        Outcome::Followed.count();
        loop {
            match storage.list_changes(member, &query).await.map_err(|error| format!("{error:?}"))? {
                FoundChanges::Expired if self.can_expire => {
                    Outcome::Expired.count();
                    *self = Self::read(storage, member, view, dice).await?;
                    return Ok(());
                }
                FoundChanges::TooLarge if query.limit > 1 => {
                    Outcome::TooLarge.count();
                    query.limit /= 2;
                }
                FoundChanges::Found(changes) => {
                    let since = std::mem::replace(&mut query.since, changes.revision);
                    let has_more = changes.has_more;
                    self.add(changes, view)?;
                    if !has_more {
                        break;
                    }
                    Outcome::HasMore.count();
                    if query.since == since {
                        return Err(format!("there are more changes since {since:?}, and none of them is returned"));
                    }
                }
                other => return Err(format!("{other:?} for {query:?}")),
            }
        }
        let current = revision_of(storage, member).await?;
        if query.since != current {
            return Err(format!("the last revision is {:?}, and the current one {current:?}", query.since));
        }
        let expected = of_kinds(view, &self.kinds);
        if self.records != expected {
            let records = &self.records;
            return Err(format!("expected the records\n{expected:#?}\nbut the follower has\n{records:#?}"));
        }
        self.revision = current;
        self.readable = view.keys().cloned().collect();
        self.can_expire = false;
        Ok(())
    }

    /// Adds changes to the replica. No other step runs at the same time, so each record is as the member sees it.
    fn add(&mut self, changes: RecordChanges, view: &SeenRecords) -> Result<(), String> {
        let RecordChanges { changed, deleted, .. } = changes;
        if changed.is_empty() && deleted.is_empty() {
            Outcome::Nothing.count();
        }
        for ChangedRecord { record, .. } in changed {
            Outcome::Changed.count();
            let (key, value) = bare(&record);
            if view.get(&key) != Some(&value) || !self.kinds.contains(&key.0) {
                return Err(format!("the changed record {value} is not what the member sees"));
            }
            self.records.insert(key, value);
        }
        for deleted in deleted {
            Outcome::Deleted.count();
            let key = (deleted.kind, deleted.id);
            if view.contains_key(&key) || !self.readable.contains(&key) || !self.kinds.contains(&key.0) {
                return Err(format!("{key:?} is deleted, and the member sees it, never saw it or does not follow it"));
            }
            self.records.remove(&key);
        }
        Ok(())
    }
}

fn of_kinds(view: &SeenRecords, kinds: &[RecordKind]) -> SeenRecords {
    view.iter().filter(|((kind, _), _)| kinds.contains(kind)).map(|(key, value)| (key.clone(), value.clone())).collect()
}

async fn revision_of(storage: &dyn Storage, member: &Member) -> Result<Revision, String> {
    let account = storage.find_account(&member.user).await.map_err(|error| format!("{error:?}"))?;
    let revision = account.and_then(|account| account.membership).and_then(|membership| membership.revision);
    revision.ok_or_else(|| "expected a revision".to_owned())
}

/// Numbers that depend only on the step and the member, so that a failing sequence fails again.
#[derive(Clone, Copy, Hash)]
struct Dice {
    step: usize,
    member: usize,
    throws: u32,
}

impl Dice {
    const fn new(step: usize, member: usize) -> Self {
        Self { step, member, throws: 0 }
    }

    /// Returns a number less than `sides`.
    fn throw(&mut self, sides: u32) -> u32 {
        self.throws += 1;
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        u32::try_from(hasher.finish() % u64::from(sides)).unwrap()
    }
}

/// What the followers of all sequences have found.
#[derive(Debug, Clone, Copy)]
enum Outcome {
    /// A follower asked for changes.
    Followed,
    Changed,
    Deleted,
    HasMore,
    /// The changes had no record that the member sees.
    Nothing,
    TooLarge,
    Expired,
}

static COUNTS: [AtomicUsize; 7] = [const { AtomicUsize::new(0) }; 7];

impl Outcome {
    const ALL: [Self; 7] =
        [Self::Followed, Self::Changed, Self::Deleted, Self::HasMore, Self::Nothing, Self::TooLarge, Self::Expired];

    fn count(self) {
        COUNTS[self as usize].fetch_add(1, Ordering::Relaxed);
    }
}

/// Asserts that the followers have found every outcome, and that most of them did not have to read everything again.
pub(crate) fn assert_every_outcome() {
    let counts: Vec<_> =
        Outcome::ALL.into_iter().map(|outcome| (outcome, COUNTS[outcome as usize].load(Ordering::Relaxed))).collect();
    assert!(counts.iter().all(|(_, count)| *count > 0), "an outcome was never reached: {counts:?}");
    let count = |outcome: Outcome| counts[outcome as usize].1;
    assert!(count(Outcome::Expired) * 2 < count(Outcome::Followed), "too few changes were followed: {counts:?}");
}
