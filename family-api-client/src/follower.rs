//! Follows the changes of a family's records.

use family_api_types::resource::{Board, ChangeList, Event, Note, ShoppingList, TaskFilter};

use crate::api::ReadApi;
use crate::{Call, Error, Reading};

/// Keeps the place of a program in the changes of a family's records. The program has a copy of the records.
///
/// [`next`](Self::next) returns at once, and waits for no change. So the program decides how often it asks. A few times
/// a minute is well below the rate limit of a key.
///
/// ```
#[doc = include_str!("example_service.txt")]
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let Example { address, token } = serve().await?;
/// # let client = family_api_client::FamilyClient::builder().base_url(address).token(token).build()?;
/// use family_api_client::NextChanges;
/// use family_api_client::change::TaskChange;
///
/// let mut follower = client.follow();
/// let NextChanges::Everything(all) = follower.next().await? else { return Err("no first read".into()) };
/// assert_eq!(all.boards[0].columns[0].tasks[0].title, "Buy milk");
///
/// client.tasks().update(&"t".parse()?, TaskChange::new().title("Buy tea")).await?;
/// let NextChanges::Changed(changes) = follower.next().await? else { return Err("a second read".into()) };
/// assert_eq!(changes.changed[0].id, "t");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Follower {
    read: ReadApi,
    state: Option<String>,
}

/// What [`Follower::next`] returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextChanges {
    /// All records. The program replaces its whole copy.
    Everything(Box<AllRecords>),
    /// The changes since the last call. If [`has_more`](ChangeList::has_more) is set, there are more at once.
    Changed(ChangeList),
}

/// The records that the token's user sees. A resource that the service does not keep is empty. A category without a note is
/// in no read: it appears only when it changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllRecords {
    /// The boards with their columns and all tasks.
    pub boards: Vec<Board>,
    /// The events.
    pub events: Vec<Event>,
    /// The shopping lists with their items.
    pub shopping_lists: Vec<ShoppingList>,
    /// The notes with their categories.
    pub notes: Vec<Note>,
}

impl Follower {
    pub(crate) fn new(read: ReadApi, state: Option<String>) -> Self {
        Self { read, state }
    }

    /// Returns the state after the last [`next`](Self::next). A program that stores it with its copy continues there after
    /// a restart ([`follow_from`](crate::FamilyClient::follow_from)). `None` before the first call.
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// Returns the changes since the last call. Returns all records the first time, and if the service no longer knows
    /// all changes since the last call.
    ///
    /// After an error, the next call continues at the same place.
    ///
    /// # Errors
    /// The error of a call. [`is_not_found`](Error::is_not_found) if the service keeps no changes.
    pub async fn next(&mut self) -> Result<NextChanges, Error> {
        if let Some(state) = &self.state {
            match self.read.changes().since(state).await {
                Ok(changes) => {
                    self.state = Some(changes.new_state.clone());
                    return Ok(NextChanges::Changed(changes));
                }
                Err(error) if error.is_sync_expired() => {}
                Err(error) => return Err(error),
            }
        }
        // The state is older than all records, so that no change falls between them.
        let state = self.read.changes().await?.new_state;
        let all = AllRecords {
            boards: or_empty(self.read.tasks().filter(TaskFilter::All)).await?,
            events: or_empty(self.read.events()).await?,
            shopping_lists: or_empty(self.read.shopping()).await?,
            notes: or_empty(self.read.notes()).await?,
        };
        self.state = Some(state);
        Ok(NextChanges::Everything(Box::new(all)))
    }
}

/// Reads a resource. Returns no records if the service does not keep it.
async fn or_empty<T: 'static>(call: Call<Vec<T>, Reading>) -> Result<Vec<T>, Error> {
    match call.await {
        Err(error) if error.is_not_found() && error.code().is_some() => Ok(Vec::new()),
        result => result,
    }
}
