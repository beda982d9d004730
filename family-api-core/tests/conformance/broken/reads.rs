//! Flaws of reads.

use std::ops::Range;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods};
use family_api_core::id::{NoteId, TaskId, UserId};
use family_api_core::resource::{
    Board, Document, Event, Note, Person, Revision, ShoppingItem, ShoppingList, Task, TaskFilter, TaskStats,
};
use family_api_core::storage::{Member, ReadStorage, RestorableEntry, RestorableQuery, StorageError, UserStorage};

use crate::broken::{BrokenStorage, Flaw, earlier, later};

#[async_trait]
impl ReadStorage for BrokenStorage {
    async fn list_restorable(
        &self,
        member: &Member,
        query: &RestorableQuery,
    ) -> Result<Vec<RestorableEntry>, StorageError> {
        if self.has(Flaw::ListsEveryDeletion) {
            let deleted = self.history().deleted.clone();
            let entries = deleted.into_iter().map(|(kind, id, _)| RestorableEntry {
                kind,
                id,
                title: "x".to_owned(),
                deleted_at: Timestamp::MAX,
            });
            return Ok(entries.collect());
        }
        let mut entries = self.inner.list_restorable(member, query).await?;
        if self.has(Flaw::ListsDeletionsOldestFirst) {
            entries.reverse();
        }
        Ok(entries)
    }

    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError> {
        let filter = if self.has(Flaw::IgnoresTheTaskFilter) { TaskFilter::All } else { filter };
        let document = self.inner.list_tasks(member, filter).await?;
        let (mut boards, revision) = (document.parse()?, self.flawed_revision(member, document.revision()).await?);
        for other in self.family_members(member) {
            let other_boards = self.inner.list_tasks(&other, filter).await?.parse()?;
            self.apply_board_flaws(&mut boards, other_boards);
        }
        if self.has(Flaw::ShowsTasksOfEveryFamily) {
            for other in self.all_members(member) {
                add_missing(&mut boards, self.inner.list_tasks(&other, filter).await?.parse()?, |board| {
                    board.name.clone()
                });
            }
        }
        match self.flaw {
            Some(Flaw::SortsBoardsByAge) => boards.sort_by_key(|board| board.created_at),
            Some(Flaw::SortsColumnsById) => {
                for board in &mut boards {
                    board.columns.sort_by(|a, b| a.id.cmp(&b.id));
                }
            }
            _ => {}
        }
        for task in boards.iter_mut().flat_map(|board| &mut board.columns).flat_map(|column| &mut column.tasks) {
            if self.has(Flaw::DropsRepeatedLabels) {
                task.labels.sort();
                task.labels.dedup();
            }
            self.show_person_who_left(&mut task.assignee, task.assignee_id.as_ref()).await?;
            self.show_person_who_left(&mut task.creator, task.creator_id.as_ref()).await?;
        }
        Ok(Document::of(&boards)?.with_revision(revision))
    }

    async fn find_task(&self, member: &Member, task: &TaskId) -> Result<Document<Vec<Board>>, StorageError> {
        let document = self.inner.find_task(member, task).await?;
        let mut boards = document.parse()?;
        match self.flaw {
            Some(Flaw::FindsRecordsAsAnyMember) => {
                for other in self.all_members(member) {
                    let found = self.inner.find_task(&other, task).await?.parse()?;
                    add_missing(&mut boards, found, |board| board.id.to_string());
                }
            }
            Some(Flaw::FindsRecordsWithoutPeople) => {
                let columns = boards.iter_mut().flat_map(|board| &mut board.columns);
                columns.flat_map(|column| &mut column.tasks).for_each(|task| task.creator = None);
            }
            _ => {}
        }
        Ok(Document::of(&boards)?.with_revision(document.revision()))
    }

    async fn find_note(&self, member: &Member, note: &NoteId) -> Result<Document<Vec<Note>>, StorageError> {
        let document = self.inner.find_note(member, note).await?;
        let mut notes = document.parse()?;
        match self.flaw {
            Some(Flaw::FindsRecordsAsAnyMember) => {
                for other in self.all_members(member) {
                    let found = self.inner.find_note(&other, note).await?.parse()?;
                    add_missing(&mut notes, found, |note| note.id.to_string());
                }
            }
            Some(Flaw::FindsRecordsWithoutPeople) => notes.iter_mut().for_each(|note| note.author = None),
            _ => {}
        }
        Ok(Document::of(&notes)?.with_revision(document.revision()))
    }

    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError> {
        let mut range = range.clone();
        match self.flaw {
            Some(Flaw::OmitsEventsThatStartAtFrom) => range.from = range.from.map(later),
            Some(Flaw::OmitsEventsThatEndAtTo) => range.to = range.to.map(earlier),
            Some(Flaw::ShowsEventsThatEndAfterTo) => range.to = range.to.map(later),
            _ => {}
        }
        let document = self.inner.list_events(member, &range).await?;
        let (mut events, revision) = (document.parse()?, self.flawed_revision(member, document.revision()).await?);
        if self.has(Flaw::ShowsEventsOfEveryFamily) {
            for other in self.all_members(member) {
                add_missing(&mut events, self.inner.list_events(&other, &range).await?.parse()?, |event| {
                    event.title.clone()
                });
            }
        }
        if self.has(Flaw::SortsEventsById) {
            events.sort_by(|a, b| a.id.cmp(&b.id));
        }
        for event in &mut events {
            self.show_person_who_left(&mut event.assignee, event.assignee_id.as_ref()).await?;
        }
        Ok(Document::of(&events)?.with_revision(revision))
    }

    async fn list_overlapping_events(
        &self,
        member: &Member,
        range: &Range<Timestamp>,
    ) -> Result<Document<Vec<Event>>, StorageError> {
        let Range { mut start, mut end } = range.clone();
        match self.flaw {
            Some(Flaw::OmitsEventsThatEndAtTheStartOfARange) => start = later(start),
            Some(Flaw::ShowsEventsThatBeginAtTheEndOfARange) => end = later(end),
            _ => {}
        }
        let document = self.inner.list_overlapping_events(member, &(start..end)).await?;
        let (mut events, revision) = (document.parse()?, self.flawed_revision(member, document.revision()).await?);
        if self.has(Flaw::ShowsEventsOfEveryFamily) {
            for other in self.all_members(member) {
                let other_events = self.inner.list_overlapping_events(&other, range).await?.parse()?;
                add_missing(&mut events, other_events, |event| event.title.clone());
            }
        }
        match self.flaw {
            Some(Flaw::SortsEventsById) => events.sort_by(|a, b| a.id.cmp(&b.id)),
            Some(Flaw::OmitsRecurringEventsThatEndedBeforeARange) => events.retain(|event| event.end_date >= start),
            Some(Flaw::LosesLocationsOfOverlappingEvents) => events.iter_mut().for_each(|event| event.location = None),
            _ => {}
        }
        Ok(Document::of(&events)?.with_revision(revision))
    }

    async fn list_members(&self, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
        let document = self.inner.list_members(member).await?;
        let (mut people, revision) = (document.parse()?, self.flawed_revision(member, document.revision()).await?);
        if self.has(Flaw::ListsMembersOfEveryFamily) {
            for other in self.all_members(member) {
                add_missing(&mut people, self.inner.list_members(&other).await?.parse()?, |person| {
                    person.id.to_string()
                });
            }
        }
        match self.flaw {
            Some(Flaw::SortsMembersByName) => people.sort_by(|a, b| a.name.cmp(&b.name)),
            Some(Flaw::LosesImagesOfMembers) => people.iter_mut().for_each(|person| person.image = None),
            _ => {}
        }
        Ok(Document::of(&people)?.with_revision(revision))
    }

    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
        let document = self.inner.list_shopping(member).await?;
        let (mut lists, revision) = (document.parse()?, self.flawed_revision(member, document.revision()).await?);
        for other in self.family_members(member) {
            let other_lists = self.inner.list_shopping(&other).await?.parse()?;
            self.apply_list_flaws(&mut lists, other_lists);
        }
        match self.flaw {
            Some(Flaw::SortsNamesIgnoringCase) => {
                lists.sort_by_key(|list| (list.sort_order, list.name.to_lowercase()));
            }
            Some(Flaw::SortsNamesByUtf16) => {
                lists.sort_by_key(|list| (list.sort_order, list.name.encode_utf16().collect::<Vec<_>>()));
            }
            Some(Flaw::MixesCheckedItemsWithTheOthers) => {
                for list in &mut lists {
                    list.items.sort_by_key(|item| item.created_at);
                }
            }
            _ => {}
        }
        for item in lists.iter_mut().flat_map(|list| &mut list.items) {
            item.quantity.take_if(|_| self.has(Flaw::LosesQuantities));
            self.show_person_who_left(&mut item.added_by, item.added_by_id.as_ref()).await?;
        }
        Ok(Document::of(&lists)?.with_revision(revision))
    }

    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
        let document = self.inner.list_notes(member).await?;
        let (mut notes, revision) = (document.parse()?, self.flawed_revision(member, document.revision()).await?);
        if self.has(Flaw::ShowsNotesOfEveryFamily) {
            for other in self.all_members(member) {
                let other_notes = self.inner.list_notes(&other).await?.parse()?;
                add_missing(&mut notes, other_notes, |note| note.id.to_string());
            }
        }
        match self.flaw {
            Some(Flaw::MixesPinnedNotesWithTheOthers) => notes.sort_by_key(|note| note.updated_at),
            Some(Flaw::LosesCategories) => notes.iter_mut().for_each(|note| note.category = None),
            Some(Flaw::FormatsDocumentsDifferently) => {
                return Ok(Document::from_json(serde_json::to_vec_pretty(&notes).unwrap()));
            }
            _ => {}
        }
        for note in &mut notes {
            self.show_person_who_left(&mut note.author, note.author_id.as_ref()).await?;
        }
        Ok(Document::of(&notes)?.with_revision(revision))
    }

    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError> {
        let mut periods = periods.clone();
        match self.flaw {
            Some(Flaw::IncludesTheEndOfAPeriod) => periods.today.end = later(periods.today.end),
            Some(Flaw::ExcludesTheStartOfAPeriod) => periods.week.start = later(periods.week.start),
            Some(Flaw::CountsTheDayAsTheWeek) => periods.week = periods.today.clone(),
            _ => {}
        }
        let document = self.inner.find_task_stats(member, &periods).await?;
        let (mut stats, revision) = (document.parse()?, self.flawed_revision(member, document.revision()).await?);
        match self.flaw {
            Some(Flaw::CountsTasksOfOtherMembers) => {
                for other in self.family_members(member).iter().skip(1) {
                    stats.my_open += self.inner.find_task_stats(other, &periods).await?.parse()?.my_open;
                }
            }
            Some(Flaw::CountsPrivateTasksOfOtherMembers) => {
                stats.my_open += self.count_invisible_assigned_tasks(member).await?;
            }
            Some(Flaw::CountsDoneTasksAsOpen) => stats.my_open += stats.done_total,
            _ => {}
        }
        Ok(Document::of(&stats)?.with_revision(revision))
    }
}

impl BrokenStorage {
    /// Returns the revision of a document after the flaw was applied.
    async fn flawed_revision(
        &self,
        member: &Member,
        revision: Option<Revision>,
    ) -> Result<Option<Revision>, StorageError> {
        match self.flaw {
            Some(Flaw::NeverChangesTheRevision) => Ok(Some(Revision::new(7))),
            Some(Flaw::ReturnsAnOlderRevision) => Ok(revision.map(|revision| Revision::new(revision.get() - 1))),
            Some(Flaw::ReadsTheRevisionAfterTheDocument) => {
                tokio::task::yield_now().await;
                let account = self.inner.find_account(&member.user).await?;
                Ok(account.and_then(|account| account.membership?.revision))
            }
            _ => Ok(revision),
        }
    }

    fn apply_board_flaws(&self, boards: &mut Vec<Board>, other_boards: Vec<Board>) {
        match self.flaw {
            Some(Flaw::ShowsPrivateBoards) => {
                add_missing(boards, other_boards, |board| board.id.to_string());
                boards.sort_by(|a, b| (a.order, a.created_at, &a.id).cmp(&(b.order, b.created_at, &b.id)));
            }
            Some(Flaw::ShowsPrivateTasks) => {
                let other_tasks = tasks_of(other_boards);
                for column in boards.iter_mut().flat_map(|board| &mut board.columns) {
                    let column_tasks = other_tasks.iter().filter(|task| task.column_id == column.id).cloned().collect();
                    add_missing(&mut column.tasks, column_tasks, |task| task.id.to_string());
                    column.tasks.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
                }
            }
            Some(Flaw::SortsTasksById) => {
                for column in boards.iter_mut().flat_map(|board| &mut board.columns) {
                    column.tasks.sort_by(|a, b| a.id.cmp(&b.id));
                }
            }
            _ => {}
        }
    }

    fn apply_list_flaws(&self, lists: &mut Vec<ShoppingList>, other_lists: Vec<ShoppingList>) {
        match self.flaw {
            Some(Flaw::ShowsPrivateLists) => {
                add_missing(lists, other_lists, |list| list.id.to_string());
                lists.sort_by_key(|list| list.sort_order);
            }
            Some(Flaw::ShowsPrivateItems) => {
                let other_items: Vec<ShoppingItem> = other_lists.into_iter().flat_map(|list| list.items).collect();
                for list in lists {
                    let list_items = other_items.iter().filter(|item| item.list_id == list.id).cloned().collect();
                    add_missing(&mut list.items, list_items, |item| item.id.to_string());
                }
            }
            _ => {}
        }
    }

    /// Counts the open tasks that are assigned to the member but invisible to the member.
    async fn count_invisible_assigned_tasks(&self, member: &Member) -> Result<u64, StorageError> {
        let mut invisible_tasks = Vec::new();
        let visible_tasks = tasks_of(self.inner.list_tasks(member, TaskFilter::Open).await?.parse()?);
        for other in self.family_members(member) {
            let other_tasks = tasks_of(self.inner.list_tasks(&other, TaskFilter::Open).await?.parse()?);
            add_missing(&mut invisible_tasks, other_tasks, |task| task.id.to_string());
        }
        invisible_tasks.retain(|task| !visible_tasks.contains(task) && task.assignee_id.as_ref() == Some(&member.user));
        Ok(invisible_tasks.len() as u64)
    }

    async fn show_person_who_left(&self, person: &mut Option<Person>, id: Option<&UserId>) -> Result<(), StorageError> {
        if let (Some(Flaw::ShowsPeopleWhoLeft), Some(id)) = (self.flaw, id) {
            let profile = self.inner.find_profile(id).await?;
            *person = profile.map(|user| Person {
                id: user.id,
                name: user.name,
                image: user.image,
                color: user.color,
                emoji: user.emoji,
            });
        }
        Ok(())
    }
}

pub(super) fn tasks_of(boards: Vec<Board>) -> Vec<Task> {
    boards.into_iter().flat_map(|board| board.columns).flat_map(|column| column.tasks).collect()
}

/// Adds each of the other records whose key is not in `records`.
fn add_missing<T>(records: &mut Vec<T>, others: Vec<T>, key: impl Fn(&T) -> String) {
    for other in others {
        if !records.iter().any(|record| key(record) == key(&other)) {
            records.push(other);
        }
    }
}
