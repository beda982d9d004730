//! Calls that read the resources, single records and lists.

use std::sync::Arc;

use family_api_types::Surface;
use family_api_types::change::Editable;
use family_api_types::id::{EventId, ItemId, NoteId, TaskId};
use family_api_types::jiff::civil::Date;
use family_api_types::paths;
use family_api_types::resource::{
    Board, BoardOutline, ChangeList, Event, ItemQuery, ListOutline, Note, Overview, OverviewQuery, Person, RecordKind,
    RecordPage, ResourceKind, ShoppingItem, ShoppingList, Task, TaskQuery, TaskStats,
};
use serde::de::DeserializeOwned;

use crate::request::Request;
use crate::transport::Transport;
use crate::{Call, Occurrences, Reading, Versioned};

/// Calls that read the family's data. The token needs the scope `v1.read`, or `mcp.read` on the read path `/api/mcp`.
#[derive(Debug, Clone)]
pub struct ReadApi {
    pub(crate) transport: Arc<Transport>,
    pub(crate) surface: Surface,
}

impl ReadApi {
    /// Returns the boards with their columns and open tasks. [`filter`](Call::filter) selects other tasks.
    pub fn tasks(&self) -> Call<Vec<Board>, Reading> {
        self.get(ResourceKind::Tasks)
    }

    /// Returns all events. [`from`](Call::from) and [`to`](Call::to) limit them to some days.
    pub fn events(&self) -> Call<Vec<Event>, Reading> {
        self.get(ResourceKind::Events)
    }

    /// Returns every occurrence of an event that overlaps the days from `from` to `to`, with recurrences expanded. Both
    /// days are inclusive, in the time zone of the profile. The range has at most 366 days.
    ///
    /// The response has at most 1,000 occurrences and 8 MiB (HTTP reference, "Occurrences").
    /// [`Occurrences::is_truncated`] returns whether some may be missing.
    pub fn occurrences(&self, from: Date, to: Date) -> Call<Occurrences, Reading> {
        Call::occurrences(&self.transport, Request::get(paths::read(self.surface, ResourceKind::Events)))
            .with_query("from", Some(from.to_string()))
            .with_query("to", Some(to.to_string()))
            .with_query("expand", Some("true".to_owned()))
    }

    /// Returns the shopping lists with their items.
    pub fn shopping(&self) -> Call<Vec<ShoppingList>, Reading> {
        self.get(ResourceKind::Shopping)
    }

    /// Returns the notes.
    pub fn notes(&self) -> Call<Vec<Note>, Reading> {
        self.get(ResourceKind::Notes)
    }

    /// Returns how many open and completed tasks the token's user has.
    pub fn task_stats(&self) -> Call<TaskStats, Reading> {
        self.get(ResourceKind::TaskStats)
    }

    /// Returns the overview: one document of at most 16 KiB about today and the next days, for panels and devices with
    /// little memory.
    pub fn overview(&self, query: &OverviewQuery) -> Call<Overview, Reading> {
        self.query(paths::overview(self.surface).to_owned(), query.parameters())
    }

    /// Returns the members of the family, ordered by id. The token needs `v1.read`, as for the calls below.
    pub fn members(&self) -> Call<Vec<Person>, Reading> {
        Call::new(&self.transport, Request::get(paths::V1_MEMBERS.to_owned()))
    }

    /// Returns the boards with their columns, without tasks.
    pub fn boards(&self) -> Call<Vec<BoardOutline>, Reading> {
        Call::new(&self.transport, Request::get(list_of(RecordKind::Board)))
    }

    /// Returns the shopping lists, without items.
    pub fn shopping_lists(&self) -> Call<Vec<ListOutline>, Reading> {
        Call::new(&self.transport, Request::get(list_of(RecordKind::ShoppingList)))
    }

    /// Returns a page of tasks, ordered by due date (tasks without one last), creation and id.
    /// [`limit`](Call::limit) and [`cursor`](Call::cursor) select the page.
    pub fn find_tasks(&self, query: &TaskQuery) -> Call<RecordPage<Task>, Reading> {
        self.query(list_of(RecordKind::Task), query.parameters())
    }

    /// Returns a page of shopping items, ordered by `checked` (unchecked items first), creation and id.
    /// [`limit`](Call::limit) and [`cursor`](Call::cursor) select the page.
    pub fn find_shopping_items(&self, query: &ItemQuery) -> Call<RecordPage<ShoppingItem>, Reading> {
        self.query(paths::V1_SHOPPING_ITEMS.to_owned(), query.parameters())
    }

    /// Returns what has changed [since](Call::since) a state. Without a state, returns only the current one.
    ///
    /// A program that keeps a copy of the family's data reads everything once. Then it asks only for the changes since
    /// the [state](Versioned::state) of its first read. If the service no longer knows them, the error
    /// [says so](crate::Error::is_sync_expired), and the program reads everything again (HTTP reference, "Changes").
    ///
    /// ```
    #[doc = include_str!("../example_service.txt")]
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let Example { address, token } = serve().await?;
    /// # let client = family_api_client::FamilyClient::builder().base_url(address).token(token).build()?;
    /// use family_api_client::change::TaskChange;
    /// use family_api_client::resource::{AnyRecord, RecordKind};
    ///
    /// let boards = client.read().tasks().versioned().await?;
    /// let state = boards.state().ok_or("this service has no changes")?;
    /// client.tasks().update(&"t".parse()?, TaskChange::new().title("Buy tea")).await?;
    ///
    /// let changes = client.read().changes().since(state).kinds(&[RecordKind::Task]).await?;
    /// let AnyRecord::Task(task) = &changes.changed[0].record else { return Err("no task".into()) };
    /// assert_eq!(task.title, "Buy tea");
    /// let unchanged = client.read().changes().since(&changes.new_state).await?;
    /// assert!(unchanged.changed.is_empty() && unchanged.deleted.is_empty() && !unchanged.has_more);
    /// # Ok(())
    /// # }
    /// ```
    pub fn changes(&self) -> Call<ChangeList> {
        Call::new(&self.transport, Request::get(paths::V1_CHANGES))
    }

    /// Returns a task with its entity tag.
    pub fn task(&self, id: &TaskId) -> Call<Versioned<Task>, Reading> {
        self.find(id)
    }

    /// Returns an event with its entity tag.
    pub fn event(&self, id: &EventId) -> Call<Versioned<Event>, Reading> {
        self.find(id)
    }

    /// Returns a shopping item with its entity tag.
    pub fn shopping_item(&self, id: &ItemId) -> Call<Versioned<ShoppingItem>, Reading> {
        self.find(id)
    }

    /// Returns a note with its entity tag.
    pub fn note(&self, id: &NoteId) -> Call<Versioned<Note>, Reading> {
        self.find(id)
    }

    fn find<R: Editable>(&self, id: &R::Id) -> Call<Versioned<R>, Reading> {
        let path = R::KIND.paths().record_in(paths::V1, id);
        Call::of_record(&self.transport, Request::get(path))
    }

    fn query<T: DeserializeOwned + 'static>(
        &self,
        path: String,
        parameters: Vec<(&'static str, String)>,
    ) -> Call<T, Reading> {
        let call = Call::new(&self.transport, Request::get(path));
        parameters.into_iter().fold(call, |call, (name, value)| call.with_query(name, Some(value)))
    }

    fn get<T: DeserializeOwned + 'static>(&self, resource: ResourceKind) -> Call<T, Reading> {
        Call::new(&self.transport, Request::get(paths::read(self.surface, resource)))
    }
}

/// Returns the path of the records of a kind.
fn list_of(kind: RecordKind) -> String {
    kind.paths().collection_in(paths::V1, "")
}
