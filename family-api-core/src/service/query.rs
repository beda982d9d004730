//! Typed queries: filters, pages and the overview.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::access::Member;
use crate::calendar::Zone;
use crate::entity_tag::EntityTag;
use crate::error::Error;
use crate::id::{EventId, Id, ItemId, NoteId, TaskId, UserId};
use crate::query::{
    AssigneeFilter, BoardOutline, Cursor, EventQuery, FoundNote, FoundOccurrences, FoundOverview, FoundTask,
    FoundTasks, ItemQuery, ListOutline, NOT_A_MEMBER, NoteQuery, OverviewQuery, OverviewRecords, OverviewSelection,
    Page, PageRequest, QueryBinding, QueryContext, ShoppingEntry, ShoppingQuery, TaskQuery, TaskSearch, Versioned,
    events, shopping, tasks,
};
use crate::resource::{
    Document, Event, Note, NoteCategory, Overview, Person, ResourceKind, ShoppingItem, ShoppingList, TaskFilter,
};
use crate::service::ReadService;
use crate::service::blocking::run_blocking;
use crate::service::overview_document::overview_document;
use crate::service::read::{ReadRequest, StorageRead};
use crate::service::search;
use crate::service::select_occurrences::select_occurrences;
use crate::service::storage_call::StorageCall;
use crate::storage::StorageError;
use crate::validation::Reference;

/// Each query needs one storage call for its data, or none if the data is unchanged and in the
/// [cache](crate::FamilyApiBuilder::document_cache). Those that begin with `get` do not use the
/// cache: the storage finds one record. [`overview`](Self::overview) and [`find_overview`](Self::find_overview) need up to
/// four calls, and [`find_tasks`](Self::find_tasks) a second one if an assignee has no task, and
/// [`find_occurrences`](Self::find_occurrences) if an event has participants, or a changed occurrence has another
/// assignee than its event.
///
/// Long documents are parsed and searched on a blocking thread, so all of them need a tokio runtime.
///
/// A query that does not begin with `get` returns [`Error::RateLimited`] if the family has too many documents that are
/// loaded or searched at once.
impl ReadService<'_> {
    /// Returns the overview for an assistant: the caller's open tasks, the events of the next 7 days, boards, shopping
    /// lists and members. A resource that the storage does not keep is empty.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the user of a session has no family, or the error of the storage.
    pub async fn find_overview(&self) -> Result<FoundOverview, Error> {
        self.select_overview(OverviewSelection::of_caller(), Ok).await
    }

    /// Returns the overview as a short document ([`Overview`]). A resource that the storage does not keep is empty.
    ///
    /// # Errors
    /// - [`Error::InvalidQuery`] if the assignee has no open task and is not a member of the family.
    /// - [`Error::NotFound`] if the user of a session has no family.
    /// - The error of the storage.
    pub async fn overview(&self, query: &OverviewQuery) -> Result<Document<Overview>, Error> {
        let document = |found| Ok(overview_document(found).map_err(StorageError::from)?);
        self.select_overview(OverviewSelection::of(query), document).await
    }

    async fn select_overview<T: Send + 'static>(
        &self,
        selection: OverviewSelection,
        finish: impl FnOnce(FoundOverview) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let context = self.context();
        let coming = selection.events(context.borrowed());
        let days = coming.days(context.borrowed())?;
        let instants = events::overlapping_instants(days, &context.zone);
        let tasks = self.request_if_kept(StorageRead::Tasks(TaskFilter::Open))?;
        let events = self.request_if_kept(StorageRead::OverlappingEvents(instants))?;
        let shopping = self.request_if_kept(StorageRead::Shopping)?;
        let members = self.request(StorageRead::Members)?;
        self.in_load(move |mut load| async move {
            let boards = load.list(tasks).await?;
            let events: Document<Vec<Event>> = load.list(events).await?;
            let lists = load.list(shopping).await?;
            let members = load.list(Some(members)).await?;
            let lengths = [boards.as_bytes(), events.as_bytes(), lists.as_bytes(), members.as_bytes()].map(<[u8]>::len);
            // The records of all are in memory together.
            load.permit(lengths.into_iter().sum()).await?;
            let select = move || {
                let (boards, events, lists) = (search::parse(boards)?, search::parse(events)?, search::parse(lists)?);
                let members = search::parse(members)?;
                let occurrences = select_occurrences(&coming, &events, days, &context.zone);
                let records = OverviewRecords { boards, occurrences, lists, members };
                finish(FoundOverview::of(selection, days.last(), records, context.borrowed())?)
            };
            run_blocking(select).await?
        })
        .await
    }

    /// Returns the request for a document, or `None` if the storage does not keep the resource.
    fn request_if_kept(&self, read: StorageRead) -> Result<Option<ReadRequest>, Error> {
        match self.request(read) {
            Err(Error::NotFound) => Ok(None),
            request => request.map(Some),
        }
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
        let search = TaskSearch { query: query.clone(), ..TaskSearch::default() };
        Ok(self.search_tasks(&search, page).await?.page)
    }

    /// Returns a page of tasks, ordered as [`find_tasks`](Self::find_tasks), or with
    /// [`done_from`](TaskSearch::done_from) by the last completion, the latest first.
    ///
    /// # Errors
    /// Those of [`find_tasks`](Self::find_tasks).
    pub async fn search_tasks(&self, search: &TaskSearch, page: &PageRequest) -> Result<FoundTasks, Error> {
        tasks::check(&search.query)?;
        let binding = QueryBinding::new(&self.caller.member()?, search);
        let after = page.position(&binding)?;
        let read = StorageRead::Tasks(search.query.status);
        let (assignee, page, context) = (search.query.assignee.as_ref(), page.clone(), self.context());
        let search = search.clone();
        let found = self.search(read, move |boards| {
            let (found, is_cut) = search.select(boards, context.borrowed())?;
            let page = Page::take(found, |found| search.position(found), after.as_ref(), &page, &binding);
            Ok(FoundTasks { page, is_cut })
        });
        let found = found.await?;
        if found.page.total == 0 {
            self.check_assignee(assignee).await?;
        }
        Ok(found)
    }

    /// Checks that the assignee of a query is a member of the family. A user who has left can have tasks, so this is
    /// checked only if the query found none.
    async fn check_assignee(&self, assignee: Option<&AssigneeFilter>) -> Result<(), Error> {
        let Some(AssigneeFilter::User(user)) = assignee else {
            return Ok(());
        };
        let members: Document<Vec<Person>> = self.document(StorageRead::Members).await?;
        if parse(&members)?.iter().any(|member| member.id == *user) {
            return Ok(());
        }
        Err(NOT_A_MEMBER.into())
    }

    /// Returns a task with its entity tag.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller cannot see the task, or the error of the storage.
    pub async fn get_task(&self, task: &Reference<TaskId>) -> Result<Versioned<FoundTask>, Error> {
        let (member, task) = self.member_and_id(ResourceKind::Tasks, task)?;
        let boards = self.api.storage.find_task(&member, task).traced("find_task").await?;
        let boards = parse(&boards)?;
        let context = self.context();
        let record = tasks::flatten(boards, context.borrowed()).pop().ok_or(Error::NotFound)?;
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
        let days = query.days(context.borrowed())?;
        let binding = QueryBinding::new(&self.caller.member()?, query);
        let after = page.position(&binding)?;
        let instants = events::overlapping_instants(days, &context.zone);
        let request = self.request(StorageRead::OverlappingEvents(instants))?;
        let members = self.request(StorageRead::Members)?;
        let (query, page) = (query.clone(), page.clone());
        self.in_load(move |mut load| async move {
            let events: Vec<Event> = load.records(Some(request)).await?;
            let members: Vec<Person> = load.records(events::name_people(&events).then_some(members)).await?;
            let select = move || {
                let found = select_occurrences(&query, &events, days, &context.zone);
                let page = Page::take(found.items, events::position, after.as_ref(), &page, &binding)
                    .map(|occurrence| occurrence.to_occurrence(&members));
                FoundOccurrences { from: days.first(), to: days.last(), page, members, is_cut: found.is_cut }
            };
            Ok(run_blocking(select).await?)
        })
        .await
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
        let query = query.clone();
        self.search(StorageRead::Shopping, move |lists| Ok(query.select(lists, &member, cursor)?)).await
    }

    /// Returns a page of shopping items, ordered by `checked` (unchecked items first), creation and id.
    ///
    /// # Errors
    /// - [`Error::InvalidQuery`] if the list does not exist or is not visible, or if the cursor belongs to another query.
    /// - [`Error::NotFound`] if the user of a session has no family.
    /// - The error of the storage.
    pub async fn find_shopping_items(
        &self,
        query: &ItemQuery,
        page: &PageRequest,
    ) -> Result<Page<ShoppingItem>, Error> {
        let binding = QueryBinding::new(&self.caller.member()?, query);
        let after = page.position(&binding)?;
        let (query, page) = (query.clone(), page.clone());
        self.search(StorageRead::Shopping, move |lists| {
            let found = shopping::select_items(&query, lists)?;
            Ok(Page::take(found, shopping::item_position, after.as_ref(), &page, &binding))
        })
        .await
    }

    /// Returns a page of notes with snippets, ordered by whether they have whole words of the text (those first), the last
    /// change (newest first) and id.
    ///
    /// # Errors
    /// - [`Error::InvalidQuery`] if the cursor belongs to another query.
    /// - [`Error::NotFound`] if the user of a session has no family.
    /// - The error of the storage.
    pub async fn search_notes(&self, query: &NoteQuery, page: &PageRequest) -> Result<Page<FoundNote>, Error> {
        let binding = QueryBinding::new(&self.caller.member()?, query);
        let after = page.position(&binding)?;
        let (query, page) = (query.clone(), page.clone());
        self.search(StorageRead::Notes, move |notes| {
            let found = query.select(notes);
            let page = Page::take(found, |note| query.position(note), after.as_ref(), &page, &binding);
            Ok(page.map(|note| query.with_snippet(note)))
        })
        .await
    }

    /// Returns a note with its entity tag.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller cannot see the note, or the error of the storage.
    pub async fn get_note(&self, note: &Reference<NoteId>) -> Result<Versioned<Note>, Error> {
        let (member, note) = self.member_and_id(ResourceKind::Notes, note)?;
        let notes = self.api.storage.find_note(&member, note).traced("find_note").await?;
        only(&notes)
    }

    /// Returns an event with its entity tag.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller cannot see the event, or the error of the storage.
    pub async fn get_event(&self, event: &Reference<EventId>) -> Result<Versioned<Event>, Error> {
        let (member, event) = self.member_and_id(ResourceKind::Events, event)?;
        only(&self.api.storage.find_event(&member, event).traced("find_event").await?)
    }

    /// Returns a shopping item with its entity tag.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller cannot see the item, or the error of the storage.
    pub async fn get_shopping_item(&self, item: &Reference<ItemId>) -> Result<Versioned<ShoppingItem>, Error> {
        let (member, item) = self.member_and_id(ResourceKind::Shopping, item)?;
        only(&self.api.storage.find_shopping_item(&member, item).traced("find_shopping_item").await?)
    }

    /// Returns the members of the family, ordered by id.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the user of a session has no family. The error of the storage.
    pub async fn members(&self) -> Result<Document<Vec<Person>>, Error> {
        self.document(StorageRead::Members).await
    }

    /// Returns the boards that the caller sees, with their columns. Parses no task.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the storage keeps no tasks, or the user of a session has no family. The error of the storage.
    pub async fn board_outlines(&self) -> Result<Vec<BoardOutline>, Error> {
        self.search(StorageRead::Tasks(TaskFilter::Open), Ok).await
    }

    /// Returns the shopping lists that the caller sees. Parses no item.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the storage keeps no lists, or the user of a session has no family. The error of the storage.
    pub async fn list_outlines(&self) -> Result<Vec<ListOutline>, Error> {
        self.search(StorageRead::Shopping, Ok).await
    }

    /// Returns the shopping lists that the caller sees, with their items.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the storage keeps no items, or the user of a session has no family. The error of the storage.
    pub async fn shopping_lists(&self) -> Result<Vec<ShoppingList>, Error> {
        self.search(StorageRead::Shopping, Ok).await
    }

    /// Returns the categories of the notes that the caller sees, ordered by id. Parses no content of a note.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the storage keeps no notes, or the user of a session has no family. The error of the storage.
    pub async fn note_categories(&self) -> Result<Vec<NoteCategory>, Error> {
        let categories = |notes: Vec<CategoryOfNote>| {
            let categories = notes.into_iter().filter_map(|note| note.category);
            let by_id: BTreeMap<_, _> = categories.map(|category| (category.id.clone(), category)).collect();
            Ok(by_id.into_values().collect())
        };
        self.search(StorageRead::Notes, categories).await
    }

    /// Returns the caller and the id of a record, if the storage keeps its resource.
    fn member_and_id<'a, I: Id>(&self, resource: ResourceKind, id: &'a Reference<I>) -> Result<(Member, &'a I), Error> {
        if !self.api.capabilities.keeps_resource(resource) {
            return Err(Error::NotFound);
        }
        Ok((self.caller.member()?, id.id().ok_or(Error::NotFound)?))
    }

    pub(super) fn context(&self) -> OwnedContext {
        let account = self.caller.account();
        OwnedContext { user: account.user.clone(), now: self.api.clock.now(), zone: account.zone.clone() }
    }
}

/// The category of a note.
#[derive(Deserialize)]
struct CategoryOfNote {
    category: Option<NoteCategory>,
}

/// A [`QueryContext`] that moves to another thread.
pub(super) struct OwnedContext {
    user: UserId,
    now: Timestamp,
    pub(super) zone: Zone,
}

impl OwnedContext {
    pub(super) fn borrowed(&self) -> QueryContext<'_> {
        QueryContext { user: &self.user, now: self.now, zone: &self.zone }
    }
}

/// Returns the only record of a document.
fn only<T: Serialize + DeserializeOwned>(document: &Document<Vec<T>>) -> Result<Versioned<T>, Error> {
    let record = parse(document)?.pop().ok_or(Error::NotFound)?;
    let tag = EntityTag::of_record(&record).map_err(StorageError::from)?;
    Ok(Versioned { record, tag })
}

fn parse<T: DeserializeOwned>(document: &Document<T>) -> Result<T, Error> {
    Ok(document.parse().map_err(StorageError::from)?)
}
