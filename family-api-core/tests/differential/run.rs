//! One run of a sequence. Each step compares the results of all storages with the model.

use std::collections::HashSet;
use std::mem::replace;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use family_api_core::id::FamilyId;
use family_api_core::resource::{Revision, TaskFilter};
use family_api_core::storage::{Member, Record};
use family_api_core::{Precondition, Timestamp};
use futures_util::TryFutureExt;
use futures_util::future::try_join_all;
use proptest::test_runner::TestCaseError;

use crate::answer::Answer;
use crate::model::{MemberView, Model};
use crate::names::Named;
use crate::revisions::{Change, Revisions};
use crate::step::{Operation, Step};
use crate::storages::{Storages, TestedStorage, ask};

/// A run with its own prefix for names.
pub(crate) struct Run<'a> {
    storages: &'a Storages,
    name: String,
    now: Timestamp,
    model: Model,
    /// Everything that each member can read now.
    member_views: Vec<(Member, MemberView)>,
    /// The revisions of each storage.
    revisions: Vec<Revisions>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(storages: &'a Storages, number: usize, now: Timestamp) -> Self {
        let revisions = storages.each().map(|_| Revisions::default()).collect();
        let name = format!("{number:06}-");
        Self { storages, name, now, model: Model::default(), member_views: Vec::new(), revisions }
    }

    /// Loads the records, runs the steps, then reads everything. `tried` counts the steps for shrinking.
    pub(crate) async fn play(
        mut self,
        seed: Vec<Record>,
        steps: Vec<Step>,
        tried: Option<Arc<AtomicUsize>>,
    ) -> Result<(), TestCaseError> {
        let mut load = Step { at: self.now, operation: Operation::Load(seed) };
        load.prefix(&self.name);
        self.run_step(&load).await?;
        for mut step in steps {
            if let Some(tried) = &tried {
                tried.fetch_add(1, Ordering::SeqCst);
            }
            step.prefix(&self.name);
            self.run_step(&step).await?;
        }
        for operation in self.everything() {
            self.run_step(&Step { at: self.now, operation }).await?;
        }
        Ok(())
    }

    async fn run_step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        self.now = step.at;
        let (writes, precondition) = (self.model.writes, self.model.precondition(&step.operation));
        let expected = self.model.apply(step);
        let changes = self.changes(self.model.writes > writes);
        let asked = self.storages.each().zip(&mut self.revisions);
        let answers = asked.map(|((name, storage), revisions)| {
            let answered = answer(storage, step, &precondition, &expected, &changes, revisions);
            answered.map_err(move |fault| TestCaseError::fail(format!("{name}, in the step\n{step:?}\n{fault}")))
        });
        try_join_all(answers).await.map(drop)
    }

    /// Returns one member of each family with the effect of the last step on the data of the family.
    fn changes(&mut self, is_written: bool) -> Vec<(Member, Change)> {
        let before = if is_written { replace(&mut self.member_views, self.model.member_views()) } else { Vec::new() };
        let is_visible_change =
            |family: &FamilyId| !of_family(&before, family).eq(of_family(&self.member_views, family));
        let change = |member: Member| {
            let change = match is_written {
                false => Change::Unwritten,
                true if is_visible_change(&member.family) => Change::Seen,
                true => Change::Unseen,
            };
            (member, change)
        };
        let mut families = HashSet::new();
        let members = self.model.members().into_iter();
        members.filter(|member| families.insert(member.family.clone())).map(change).collect()
    }

    /// Returns reads, for each member, of everything that steps can change.
    fn everything(&self) -> Vec<Operation> {
        let of_member = |member: Member| {
            [
                Operation::ListTasks(member.clone(), TaskFilter::All),
                Operation::ListNotes(member.clone()),
                Operation::FindAccount(member.user),
            ]
        };
        self.model.members().into_iter().flat_map(of_member).collect()
    }
}

fn of_family<'a>(
    member_views: &'a [(Member, MemberView)],
    family: &'a FamilyId,
) -> impl Iterator<Item = &'a (Member, MemberView)> {
    member_views.iter().filter(move |(member, _)| member.family == *family)
}

/// Compares the result of a storage with the expected one. Checks its revisions against the changes.
async fn answer(
    storage: &dyn TestedStorage,
    step: &Step,
    precondition: &Precondition,
    expected: &Answer,
    changes: &[(Member, Change)],
    revisions: &mut Revisions,
) -> Result<(), String> {
    let mut answer = ask(storage, step, precondition).await;
    let revision = answer.take_revision(&step.operation);
    if !expected.allows(&answer) {
        return Err(format!("expected\n{expected:?}\nbut got\n{answer:?}"));
    }
    if let Some(reader) = step.operation.reader() {
        let told = revision.as_ref().and_then(|(_, revision)| *revision);
        let account = revision_of(storage, reader).await;
        // An empty document may lack the revision: the query may return no row.
        let may_be_silent = told.is_none() && matches!(expected, Answer::Document(json, _) if json == "[]");
        if !may_be_silent && account.is_some_and(|account| told != account) {
            return Err(format!("a document has the revision {told:?}, but the account {account:?}"));
        }
    } else if let Some((family, revision)) = revision {
        revisions.check(family, revision)?;
    }
    for (member, change) in changes {
        revisions.note(&member.family, *change);
        if *change == Change::Seen {
            let revision = revision_of(storage, member).await.flatten();
            revisions.check(member.family.clone(), revision)?;
        }
    }
    Ok(())
}

/// Returns the revision in the account of a member. Returns `None` if they are not in the family.
async fn revision_of(storage: &dyn TestedStorage, member: &Member) -> Option<Option<Revision>> {
    let account = storage.find_account(&member.user).await.unwrap();
    let membership = account.and_then(|account| account.membership)?;
    (membership.family == member.family).then_some(membership.revision)
}
