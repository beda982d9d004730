//! Reads of the five resources.

use std::fmt;

use bytes::Bytes;

use crate::Timestamp;
use crate::access::Caller;
use crate::calendar::{EventRange, StatsPeriods};
use crate::entity_tag::{EntityTag, EntityTags};
use crate::error::Error;
use crate::resource::{Document, ReadQuery, ResourceKind, Revision, TaskFilter};
use crate::service::FamilyApi;
use crate::storage::{Member, StorageError};

/// The permission to read the family's resources.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

/// What a read answers with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// The caller has it already, by this tag.
    Unchanged(EntityTag),
    /// The JSON of the resource, as section 5 of the contract shapes it.
    Document {
        /// Names these bytes: another one wherever they are others.
        tag: EntityTag,
        /// The bytes.
        json: Bytes,
    },
}

impl Reading<'_> {
    /// Reads a resource, unless the caller has it already: `known` are the tags of what they have.
    ///
    /// Where the storage keeps a revision, it came with the caller, and what is unchanged costs no call of the storage.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a session's user without a family, or the storage's fault.
    pub async fn get(&self, query: &ReadQuery, known: Option<&EntityTags>) -> Result<Read, Error> {
        let member = self.caller.member()?;
        let question = self.question(query);
        let is_known = |tag: &EntityTag| known.is_some_and(|known| known.name(tag));
        if let Some(tag) = self.caller.revision().map(|revision| question.tag(&member, revision))
            && is_known(&tag)
        {
            return Ok(Read::Unchanged(tag));
        }
        let (revision, json) = self.ask(&question, &member).await?;
        let tag = match revision {
            Some(revision) => question.tag(&member, revision),
            None => question.tag_of(&member, &json),
        };
        Ok(if is_known(&tag) { Read::Unchanged(tag) } else { Read::Document { tag, json } })
    }

    /// Days become instants where the caller is.
    fn question(&self, query: &ReadQuery) -> Question {
        let zone = &self.caller.account().zone;
        match query {
            ReadQuery::Tasks(filter) => Question::Tasks(*filter),
            ReadQuery::Events { from, to } => Question::Events(EventRange::of_days(*from, *to, zone)),
            ReadQuery::Shopping => Question::Shopping,
            ReadQuery::Notes => Question::Notes,
            ReadQuery::TaskStats => Question::TaskStats(StatsPeriods::at(self.api.clock.now(), zone)),
        }
    }

    async fn ask(&self, question: &Question, member: &Member) -> Result<(Option<Revision>, Bytes), StorageError> {
        let storage = &self.api.storage;
        Ok(match question {
            Question::Tasks(filter) => parts(storage.list_tasks(member, *filter).await?),
            Question::Events(range) => parts(storage.list_events(member, range).await?),
            Question::Shopping => parts(storage.list_shopping(member).await?),
            Question::Notes => parts(storage.list_notes(member).await?),
            Question::TaskStats(periods) => parts(storage.find_task_stats(member, periods).await?),
        })
    }
}

fn parts<T>(document: Document<T>) -> (Option<Revision>, Bytes) {
    (document.revision(), document.into_bytes())
}

/// What the storage is asked, which the answer depends on beside the family's data.
enum Question {
    Tasks(TaskFilter),
    Events(EventRange),
    Shopping,
    Notes,
    TaskStats(StatsPeriods),
}

impl Question {
    /// The tag of the answer that this version of the program gives the member at the revision.
    fn tag(&self, Member { user, family }: &Member, revision: Revision) -> EntityTag {
        let program = env!("CARGO_PKG_VERSION");
        let revision = revision.get();
        EntityTag::of(format!("{program} {user} {family} {revision} {self}").as_bytes())
    }

    /// The tag of the answer where nothing tells the revision.
    fn tag_of(&self, Member { user, family }: &Member, json: &[u8]) -> EntityTag {
        EntityTag::of(&[format!("{user} {family} {self} ").as_bytes(), json].concat())
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, asked) = match self {
            Self::Tasks(filter) => (ResourceKind::Tasks, filter.as_str().unwrap_or("open").to_owned()),
            Self::Events(EventRange { from, to }) => (ResourceKind::Events, format!("{} {}", end(*from), end(*to))),
            Self::Shopping => (ResourceKind::Shopping, String::new()),
            Self::Notes => (ResourceKind::Notes, String::new()),
            Self::TaskStats(StatsPeriods { today, week }) => {
                (ResourceKind::TaskStats, format!("{} {} {} {}", today.start, today.end, week.start, week.end))
            }
        };
        write!(f, "{} {asked}", kind.as_str())
    }
}

/// An end of a range, which may be open.
fn end(instant: Option<Timestamp>) -> String {
    instant.map_or_else(|| "-".to_owned(), String::from)
}
