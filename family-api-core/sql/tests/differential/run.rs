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

use crate::follow::{FollowedStep, Followers, is_logged};
use crate::model::{MemberView, Model};
use crate::prefix::AddPrefix;
use crate::revisions::{Change, Revisions};
use crate::step::{Operation, Step};
use crate::step_result::StepResult;
use crate::storages::{Storages, TestedStorage, run_operation};

/// The state of a run. Its prefix makes ids, addresses and tokens unique in the storages, which other runs use too.
pub(crate) struct Run<'a> {
    storages: &'a Storages,
    prefix: String,
    now: Timestamp,
    model: Model,
    /// The data that each member can read after the last step.
    member_views: Vec<(Member, MemberView)>,
    /// The revisions of each storage.
    revisions: Vec<Revisions>,
    /// The members who follow the changes of each storage.
    followers: Vec<Followers>,
    /// The number of steps that members could follow.
    steps: usize,
}

impl<'a> Run<'a> {
    pub(crate) fn new(storages: &'a Storages, number: usize, now: Timestamp) -> Self {
        let revisions = storages.each().map(|_| Revisions::default()).collect();
        let followers = storages.each().map(|_| Followers::default()).collect();
        let prefix = format!("{number:06}-");
        let member_views = Vec::new();
        Self { storages, prefix, now, model: Model::default(), member_views, revisions, followers, steps: 0 }
    }

    /// Loads the records, runs the steps, then reads the tasks, notes and account of each member. proptest reads the
    /// number of started steps from `seen_counter` to shrink a failing sequence.
    pub(crate) async fn run(
        mut self,
        seed: Vec<Record>,
        steps: Vec<Step>,
        seen_counter: Option<Arc<AtomicUsize>>,
    ) -> Result<(), TestCaseError> {
        let mut load = Step { at: self.now, operation: Operation::Load(seed) };
        load.add_prefix(&self.prefix);
        self.run_step(&load).await?;
        for mut step in steps {
            if let Some(counter) = &seen_counter {
                counter.fetch_add(1, Ordering::SeqCst);
            }
            step.add_prefix(&self.prefix);
            self.run_step(&step).await?;
        }
        for operation in self.final_reads() {
            self.run_step(&Step { at: self.now, operation }).await?;
        }
        self.follow(true, true).await
    }

    async fn run_step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        self.now = step.at;
        let writes = self.model.writes;
        let gaps = self.model.gaps;
        let precondition = self.model.precondition(&step.operation);
        let expected = self.model.apply(step);
        let changes = self.changes(self.model.writes > writes);
        let storages = self.storages.each().zip(&mut self.revisions);
        let comparisons = storages.map(|((name, storage), revisions)| {
            let compared = compare_result(storage, step, &precondition, &expected, &changes, revisions);
            compared.map_err(move |fault| TestCaseError::fail(format!("{name}, in the step\n{step:?}\n{fault}")))
        });
        try_join_all(comparisons).await?;
        if self.model.writes > writes {
            self.follow(is_logged(&step.operation) && self.model.gaps == gaps, false).await?;
        }
        Ok(())
    }

    /// Lets members follow the changes of the last step.
    async fn follow(&mut self, is_logged: bool, is_last: bool) -> Result<(), TestCaseError> {
        self.steps += 1;
        let members = self.model.members().into_iter();
        let views: Vec<_> = members.map(|member| (member.clone(), self.model.seen_records(&member))).collect();
        let step = FollowedStep { number: self.steps, views: &views, is_logged, is_last };
        let storages = self.storages.each().zip(&mut self.followers);
        let followed = storages.map(|((name, storage), followers)| {
            followers.follow(storage, step).map_err(move |fault| TestCaseError::fail(format!("{name}: {fault}")))
        });
        try_join_all(followed).await.map(drop)
    }

    /// Returns one member of each family, with the effect of the last step on the data of this family. Updates
    /// `member_views`.
    fn changes(&mut self, is_written: bool) -> Vec<(Member, Change)> {
        let before = if is_written { replace(&mut self.member_views, self.model.member_views()) } else { Vec::new() };
        let is_visible_change =
            |family: &FamilyId| !of_family(&before, family).eq(of_family(&self.member_views, family));
        let change = |member: Member| {
            let change = match is_written {
                false => Change::NoWrite,
                true if is_visible_change(&member.family) => Change::Visible,
                true => Change::Invisible,
            };
            (member, change)
        };
        let mut families = HashSet::new();
        let members = self.model.members().into_iter();
        members.filter(|member| families.insert(member.family.clone())).map(change).collect()
    }

    /// Returns operations that read the tasks, the notes and the account of each member.
    fn final_reads(&self) -> Vec<Operation> {
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

/// Compares the result of a storage with the expected result. Checks the returned revisions, and records the changes of
/// the step.
async fn compare_result(
    storage: &dyn TestedStorage,
    step: &Step,
    precondition: &Precondition,
    expected: &StepResult,
    changes: &[(Member, Change)],
    revisions: &mut Revisions,
) -> Result<(), String> {
    let mut result = run_operation(storage, step, precondition).await;
    let revision = result.take_revision(&step.operation);
    if !expected.allows(&result) {
        return Err(format!("expected\n{expected:?}\nbut got\n{result:?}"));
    }
    if let Some(reader) = step.operation.reader() {
        let document_revision = revision.as_ref().and_then(|(_, revision)| *revision);
        let account_revision = revision_of(storage, reader).await;
        // An empty document can lack the revision, because the query of an empty document can return no row.
        let can_lack_revision =
            document_revision.is_none() && matches!(expected, StepResult::Document(json, _) if json == "[]");
        if !can_lack_revision && account_revision.is_some_and(|account_revision| document_revision != account_revision)
        {
            return Err(format!(
                "a document has the revision {document_revision:?}, but the account has {account_revision:?}"
            ));
        }
    } else if let Some((family, revision)) = revision {
        revisions.check(family, revision)?;
    }
    for (member, change) in changes {
        revisions.record_change(&member.family, *change);
        if *change == Change::Visible {
            let revision = revision_of(storage, member).await.flatten();
            revisions.check(member.family.clone(), revision)?;
        }
    }
    Ok(())
}

/// Returns the revision in the account of a member. Returns `None` if the user is not in the family.
async fn revision_of(storage: &dyn TestedStorage, member: &Member) -> Option<Option<Revision>> {
    let account = storage.find_account(&member.user).await.unwrap();
    let membership = account.and_then(|account| account.membership)?;
    (membership.family == member.family).then_some(membership.revision)
}
