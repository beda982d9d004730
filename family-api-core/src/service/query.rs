//! Typed queries: filters, pages and the overview.

use crate::entity_tag::EntityTag;
use crate::error::Error;
use crate::id::{NoteId, TaskId};
use crate::query::{
    AssigneeFilter, Cursor, EventQuery, FoundNote, FoundOccurrences, FoundTask, NoteQuery, Overview, OverviewRecords,
    Page, PageRequest, QueryBinding, QueryContext, ShoppingEntry, ShoppingQuery, TaskQuery, Versioned, events, notes,
    tasks,
};
use crate::resource::{Board, Event, InvalidQuery, Note, Person, ShoppingList, TaskFilter};
use crate::service::ReadService;
use crate::service::blocking::run_blocking;
use crate::service::read::ReadKind;
use crate::service::select_occurrences::select_occurrences;
use crate::storage::StorageError;
use crate::validation::Reference;

/// Each query needs one storage call for its data, or none if the data is unchanged and in the
/// [cache](crate::FamilyApiBuilder::document_cache). [`overview`](Self::overview) needs up to four, and
/// [`find_tasks`](Self::find_tasks) a second one if an assignee has no task.
impl ReadService<'_> {
    /// Returns an overview of the family: the caller's open tasks, the events of the next days, boards, shopping lists
    /// and members. A resource that the storage does not keep is empty.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the user of a session has no family, or the error of the storage.
    pub async fn overview(&self) -> Result<Overview, Error> {
        let context = self.context();
        let coming = EventQuery::default();
        let days = coming.days(context)?;
        let boards = self.records_if_kept(ReadKind::Tasks(TaskFilter::Open)).await?;
        let instants = events::overlapping_instants(days, context.zone);
        let events: Vec<Event> = self.records_if_kept(ReadKind::OverlappingEvents(instants)).await?;
        let lists = self.records_if_kept(ReadKind::Shopping).await?;
        let members = self.records(ReadKind::Members).await?;
        let QueryContext { user, now, zone } = context;
        let (user, zone) = (user.clone(), zone.clone());
        let overview = run_blocking(move || {
            let occurrences = select_occurrences(&coming, &events, days, &zone);
            let records = OverviewRecords { boards, occurrences, lists, members };
            Overview::of(records, QueryContext { user: &user, now, zone: &zone })
        });
        Ok(overview.await?)
    }

    /// Returns a page of tasks, ordered by due date (tasks without one are last), creation and id.
    ///
    /// # Errors
    /// - [`Error::InvalidQuery`] if the board or column does not exist or is not visible, if nothing matches and the
    ///   assignee is not a member of the family, if conditions contradict each other, or if the cursor belongs to another
    ///   query.
    /// - [`Error::NotFound`] if the user of a session has no family.
    /// - The error of the storage.
    pub async fn find_tasks(&self, query: &TaskQuery, page: &PageRequest) -> Result<Page<FoundTask>, Error> {
        query.check()?;
        let binding = QueryBinding::new(&self.caller.member()?, query);
        let after = page.position(&binding)?;
        let boards: Vec<Board> = self.records(ReadKind::Tasks(query.status)).await?;
        let found = query.select(boards, self.context())?;
        if found.is_empty() {
            self.check_assignee(query).await?;
        }
        Ok(Page::take(found, FoundTask::position, after.as_ref(), page, &binding))
    }

    /// Checks that the assignee of a query is a member of the family. A user who has left can have tasks, so this is
    /// checked only if the query found none.
    async fn check_assignee(&self, query: &TaskQuery) -> Result<(), Error> {
        let Some(AssigneeFilter::User(user)) = &query.assignee else {
            return Ok(());
        };
        let members: Vec<Person> = self.records(ReadKind::Members).await?;
        if members.iter().any(|member| member.id == *user) {
            return Ok(());
        }
        Err(InvalidQuery { parameter: "assignee", expected: "`me`, `unassigned`, or the id of a member" }.into())
    }

    /// Returns a task with its entity tag.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller cannot see the task, or the error of the storage.
    pub async fn get_task(&self, task: &Reference<TaskId>) -> Result<Versioned<FoundTask>, Error> {
        let task = task.id().ok_or(Error::NotFound)?;
        let boards: Vec<Board> = self.records(ReadKind::Tasks(TaskFilter::All)).await?;
        let record = tasks::find_task(boards, task, self.context()).ok_or(Error::NotFound)?;
        let tag = EntityTag::of_record(&record.task).map_err(StorageError::from)?;
        Ok(Versioned { record, tag })
    }

    /// Returns a page of the occurrences that overlap a range of days.
    ///
    /// # Errors
    /// - [`Error::InvalidQuery`] if the first day is after the last, if the range has more than 366 days, or if the
    ///   cursor belongs to another query.
    /// - [`Error::NotFound`] if the user of a session has no family.
    /// - The error of the storage.
    pub async fn find_occurrences(&self, query: &EventQuery, page: &PageRequest) -> Result<FoundOccurrences, Error> {
        let context = self.context();
        let days = query.days(context)?;
        let binding = QueryBinding::new(&self.caller.member()?, query);
        let after = page.position(&binding)?;
        let instants = events::overlapping_instants(days, context.zone);
        let events: Vec<Event> = self.records(ReadKind::OverlappingEvents(instants)).await?;
        let (query, zone, page) = (query.clone(), context.zone.clone(), page.clone());
        let found = run_blocking(move || {
            let found = select_occurrences(&query, &events, days, &zone);
            let page = Page::take(found.items, events::position, after.as_ref(), &page, &binding)
                .map(|occurrence| occurrence.to_occurrence(&zone));
            FoundOccurrences { from: days.first(), to: days.last(), page, is_cut: found.is_cut }
        });
        Ok(found.await?)
    }

    /// Returns a page of up to 500 shopping lists and items after a cursor, or the first page without a cursor.
    ///
    /// # Errors
    /// - [`Error::InvalidQuery`] if the list does not exist or is not visible, or if the cursor belongs to another query
    ///   or to other lists.
    /// - [`Error::NotFound`] if the user of a session has no family.
    /// - The error of the storage.
    pub async fn list_shopping(
        &self,
        query: &ShoppingQuery,
        cursor: Option<Cursor>,
    ) -> Result<Page<ShoppingEntry>, Error> {
        let member = self.caller.member()?;
        let lists: Vec<ShoppingList> = self.records(ReadKind::Shopping).await?;
        Ok(query.select(lists, &member, cursor)?)
    }

    /// Returns a page of notes with snippets, ordered by the last change (newest first) and id.
    ///
    /// # Errors
    /// - [`Error::InvalidQuery`] if the cursor belongs to another query.
    /// - [`Error::NotFound`] if the user of a session has no family.
    /// - The error of the storage.
    pub async fn search_notes(&self, query: &NoteQuery, page: &PageRequest) -> Result<Page<FoundNote>, Error> {
        let binding = QueryBinding::new(&self.caller.member()?, query);
        let after = page.position(&binding)?;
        let found = query.select(self.records(ReadKind::Notes).await?);
        let page = Page::take(found, notes::position, after.as_ref(), page, &binding);
        Ok(page.map(|note| query.with_snippet(note)))
    }

    /// Returns a note with its entity tag.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller cannot see the note, or the error of the storage.
    pub async fn get_note(&self, note: &Reference<NoteId>) -> Result<Versioned<Note>, Error> {
        let note = note.id().ok_or(Error::NotFound)?;
        let notes: Vec<Note> = self.records(ReadKind::Notes).await?;
        let record = notes::find_note(notes, note).ok_or(Error::NotFound)?;
        let tag = EntityTag::of_record(&record).map_err(StorageError::from)?;
        Ok(Versioned { record, tag })
    }

    fn context(&self) -> QueryContext<'_> {
        let account = self.caller.account();
        QueryContext { user: &account.user, now: self.api.clock.now(), zone: &account.zone }
    }
}
