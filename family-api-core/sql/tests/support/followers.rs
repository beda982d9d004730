//! Members follow the changes of a family while others write.

use std::cell::Cell;
use std::collections::BTreeMap;

use family_api_core::calendar::Zone;
use family_api_core::change::{NoteChange, TaskChange};
use family_api_core::resource::{
    AnyRecord, ChangedRecord, Note, RecordKind, Revision, ShoppingItem, Task, TaskFilter, Verb,
};
use family_api_core::storage::{
    Administration, ChangesQuery, FoundChanges, Member, Operation, ReadStorage, RecordChanges, RecordWrite,
    RestoredStorage, Storage, UserStorage, Writable, Written,
};
use family_api_core::validation::Json;
use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use sqlx::Executor;

use crate::family::{AT, Fixture, delete, member, record_with, update, write};

/// The records that a member sees, by their kind and id, without the people that they refer to.
type Records = BTreeMap<(RecordKind, String), Value>;

/// The number of rounds that each writer makes.
const ROUNDS: usize = 12;

fn other() -> Member {
    Member { user: "user-other".parse().unwrap(), ..member("one") }
}

/// Creates the families with a second member, a shared board and a private board of each member.
async fn two_members() -> Fixture {
    let fixture = Fixture::with_revision_triggers("x").await;
    let records = [
        record_with("user", &json!({ "id": "user-other", "email": "other@example.org" })),
        record_with("board", &json!({ "id": "shared", "isPrivate": false, "ownerUserId": null })),
        record_with("column", &json!({ "id": "shared-column", "boardId": "shared" })),
        record_with("board", &json!({ "id": "board-other", "ownerUserId": "user-other" })),
        record_with("column", &json!({ "id": "column-other", "boardId": "board-other" })),
    ];
    fixture.load(records).await.unwrap();
    fixture
}

async fn current_revision(storage: &impl UserStorage, member: &Member) -> Revision {
    storage.find_account(&member.user).await.unwrap().unwrap().membership.unwrap().revision.unwrap()
}

fn bare(record: impl Into<AnyRecord>) -> ((RecordKind, String), Value) {
    let record = record.into();
    let mut bare = json!(record)["record"].take();
    let fields = bare.as_object_mut().unwrap();
    fields.retain(|name, _| {
        !["columns", "tasks", "items", "assignee", "creator", "author", "addedBy"].contains(&name.as_str())
    });
    ((record.kind(), record.id().to_owned()), bare)
}

async fn full_read(storage: &impl ReadStorage, member: &Member) -> Records {
    let mut records = Records::new();
    for board in storage.list_tasks(member, TaskFilter::All).await.unwrap().parse().unwrap() {
        for column in &board.columns {
            records.extend(column.tasks.iter().cloned().map(bare));
            records.extend([bare(column.clone())]);
        }
        records.extend([bare(board)]);
    }
    for list in storage.list_shopping(member).await.unwrap().parse().unwrap() {
        records.extend(list.items.iter().cloned().map(bare));
        records.extend([bare(list)]);
    }
    records
}

/// A member with a replica of what the member sees.
struct Follower<'a, S> {
    storage: &'a S,
    member: Member,
    since: Revision,
    records: Records,
    /// The number of calls that returned a change.
    learned: usize,
}

impl<'a, S: Storage> Follower<'a, S> {
    /// Reads everything. Later changes include those that were made during the reads.
    async fn new(storage: &'a S, member: Member) -> Self {
        let since = current_revision(storage, &member).await;
        Self { records: full_read(storage, &member).await, storage, member, since, learned: 0 }
    }

    fn query(&self) -> ChangesQuery {
        let kinds = RecordKind::ALL.into_iter().filter(|kind| !matches!(kind, RecordKind::Note | RecordKind::Event));
        ChangesQuery { since: self.since, kinds: kinds.collect(), limit: 3, max_bytes: usize::MAX }
    }

    /// Follows the changes until the writers are done and there are no more changes.
    async fn follow(&mut self, is_done: &Cell<bool>) {
        loop {
            let was_done = is_done.get();
            let found = self.storage.list_changes(&self.member, &self.query()).await.unwrap();
            let FoundChanges::Found(RecordChanges { revision, has_more, changed, deleted }) = found else {
                panic!("{} misses changes: {found:?}", self.member.user);
            };
            self.learned += usize::from(!changed.is_empty() || !deleted.is_empty());
            self.since = revision;
            let ids = changed.iter().map(|changed| &changed.id).chain(deleted.iter().map(|deleted| &deleted.id));
            let is_secret = |id: &&String| id.starts_with("secret") && !id.contains(self.member.user.as_str());
            assert_eq!(ids.filter(is_secret).collect::<Vec<_>>(), Vec::<&String>::new(), "{}", self.member.user);
            for ChangedRecord { record, .. } in changed {
                self.records.extend([bare(record)]);
            }
            for deleted in deleted {
                self.records.remove(&(deleted.kind, deleted.id));
            }
            if was_done && !has_more {
                break;
            }
        }
    }
}

/// Writes tasks and items as one member, private ones and shared ones. Other writers can change and delete them too.
struct Writer<'a, S> {
    storage: &'a S,
    member: Member,
    number: usize,
}

impl<S: Storage> Writer<'_, S> {
    async fn write<R: Writable>(&self, operation: Operation<R>) {
        let verb = operation.verb();
        let write = RecordWrite::new(operation, Zone::utc(), AT.parse().unwrap());
        let written = R::write(self.storage, &self.member.clone().into(), &write).await.unwrap();
        let is_fine = written.is_change() || matches!(written, Written::Existing(_) | Written::NotFound);
        // Only the creator can make a task private.
        assert!(is_fine || verb == Verb::Update, "{written:?}");
    }

    async fn create<R: Writable>(&self, id: &str, container: Option<&str>, body: Value) {
        let new = R::parse_new(container, Json::of(&body)).unwrap();
        self.write(Operation::<R>::create(id.parse().ok().unwrap(), new)).await;
    }

    async fn update<R: Writable>(&self, id: &str, body: Value) {
        let update = R::parse_update(Json::of(&body)).unwrap();
        self.write(Operation::<R>::update(id.parse().ok().unwrap(), update)).await;
    }

    /// Deletes the checked items.
    async fn clear(&self) {
        let author = self.member.clone().into();
        let list = "shoppingList-one".parse().unwrap();
        let cleared = self.storage.delete_checked_items(&author, &list, AT.parse().unwrap()).await.unwrap();
        assert!(matches!(cleared, Written::Deleted(_)), "{cleared:?}");
    }

    async fn run(&self) {
        let user = &self.member.user;
        let private_column = user.as_str().replace("user", "column");
        for round in 0..ROUNDS {
            let task = format!("t{}-{round}", self.number);
            let item = format!("i{}-{round}", self.number);
            let secret = format!("secret-{user}-{}-{round}", self.number);
            let on = |column: &str| json!({ "title": "x", "columnId": column, "order": 0 });
            self.create::<Task>(&task, None, on("shared-column")).await;
            self.create::<Task>(&secret, None, on(&private_column)).await;
            self.create::<ShoppingItem>(&item, Some("shoppingList-one"), json!({ "name": "x" })).await;
            let move_to = |column: &str| json!({ "type": "move-task", "columnId": column, "order": 0 });
            self.update::<Task>(&task, move_to("shared-column")).await;
            self.update::<Task>(&secret, json!({ "title": "changed" })).await;
            // The tasks and items that the next writer has created in the round before.
            let next = format!("{}-{}", (self.number + 1) % 4, round.saturating_sub(1));
            let task = format!("t{next}");
            match round % 4 {
                0 => self.update::<Task>(&task, move_to(&private_column)).await,
                1 => self.update::<Task>(&task, json!({ "title": "changed" })).await,
                2 => {
                    self.write(delete::<Task>(&task)).await;
                    self.write(Operation::<Task>::Restore { id: task.parse().unwrap() }).await;
                    self.write(delete::<Task>(&task)).await;
                }
                _ => {
                    for is_private in [true, false, true] {
                        self.update::<Task>(&task, json!({ "isPrivate": is_private })).await;
                    }
                }
            }
            self.update::<ShoppingItem>(&format!("i{next}"), json!({ "checked": true })).await;
            if round % 3 == 0 {
                self.clear().await;
            }
            self.write(delete::<Task>(&secret)).await;
        }
    }
}

/// Returns whether the changes since a revision are not known.
async fn is_expired(storage: &impl ReadStorage, since: Revision) -> bool {
    let query = ChangesQuery { since, kinds: vec![RecordKind::Note], limit: 9, max_bytes: usize::MAX };
    storage.list_changes(&member("one"), &query).await.unwrap() == FoundChanges::Expired
}

tests! {
    async fn followers_miss_no_change_of_concurrent_writers() {
        let fixture = two_members().await;
        let storage = &fixture.storage;
        let members = [member("one"), other(), member("one"), other()].into_iter().enumerate();
        let writers: Vec<_> = members.map(|(number, member)| Writer { storage, member, number }).collect();
        let is_done = Cell::new(false);
        let writing = async {
            join_all(writers.iter().map(Writer::run)).await;
            is_done.set(true);
        };
        // A follower reads everything while others write.
        let following = [member("one"), other(), member("one"), other()].map(async |member| {
            let mut follower = Follower::new(storage, member).await;
            follower.follow(&is_done).await;
            follower
        });
        let ((), followers) = join(writing, join_all(following)).await;
        for follower in followers {
            let expected = full_read(storage, &follower.member).await;
            assert_eq!(follower.records, expected, "{}", follower.member.user);
            assert!(follower.learned > ROUNDS, "{} polled {} times", follower.member.user, follower.learned);
        }
    }

    async fn a_write_of_the_host_expires_the_earlier_revisions() {
        let fixture = Fixture::with_revision_triggers("x").await;
        let storage = &fixture.storage;
        let rename = || update::<Note>("note-one", NoteChange::new().title("y").build().unwrap());
        let before = current_revision(storage, &member("one")).await;
        assert!(write(storage, member("one"), rename()).await.unwrap().is_change());
        assert!(!is_expired(storage, before).await);
        fixture.connect_host().await.execute("UPDATE notes SET title = 'z' WHERE id = 'note-one'").await.unwrap();
        assert!(is_expired(storage, before).await);
        let between = current_revision(storage, &member("one")).await;
        assert!(write(storage, member("one"), rename()).await.unwrap().is_change());
        assert!(is_expired(storage, before).await);
        assert!(!is_expired(storage, between).await);
    }

    async fn a_restored_backup_expires_its_revisions() {
        let fixture = Fixture::of("x").await;
        let before = current_revision(&fixture.storage, &member("one")).await;
        fixture.storage.invalidate_credentials(AT.parse().unwrap()).await.unwrap();
        assert!(is_expired(&fixture.storage, before).await);
    }

    async fn an_administrator_who_moves_a_member_expires_the_revisions() {
        let fixture = Fixture::of("x").await;
        let storage = &fixture.storage;
        let before = current_revision(storage, &member("one")).await;
        let user = member("two").user;
        storage.move_user(&user, Some(&"one".parse().unwrap()), AT.parse().unwrap()).await.unwrap();
        assert!(is_expired(storage, before).await);
    }

    async fn a_removed_user_takes_along_the_private_changes() {
        let fixture = two_members().await;
        let storage = &fixture.storage;
        let title = || TaskChange::new().title("y").build().unwrap();
        write(storage, member("one"), update::<Task>("task-one", title())).await.unwrap();
        write(storage, member("one"), delete::<Task>("task-one")).await.unwrap();
        let restoration = Operation::<Task>::Restore { id: "task-one".parse().unwrap() };
        write(storage, member("one"), restoration).await.unwrap();
        let renamed = NoteChange::new().title("y").build().unwrap();
        write(storage, member("one"), update::<Note>("note-one", renamed)).await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM changes").await, 4);
        storage.delete_user(&member("one").user).await.unwrap().unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM changes WHERE id = 'note-one'").await, 1);
        assert_eq!(fixture.count("SELECT count(*) FROM changes").await, 1);
    }
}
