//! A family with concurrent writers, and the state that each writer expects.

use serde_json::Value;
use tokio::join;

use crate::credential::Credential;
use crate::family::{PASSWORD, board, column, event, family, note, task, text, user};
use crate::kill::created_tasks::CreatedTasks;
use crate::kill::deleted_notes::DeletedNotes;
use crate::kill::documents::Documents;
use crate::kill::flags::Flags;
use crate::kill::keys::Keys;
use crate::kill::moved_tasks::MovedTasks;
use crate::kill::numbered_record::{NumberedRecord, note_body, task_body};
use crate::kill::split_series::{SERIES, SplitSeries};
use crate::kill::writer::WriteCounter;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

/// The tasks that are updated. Each task has a separate writer.
const TASKS: [&str; 2] = ["dentist", "homework"];
/// The notes that are updated. Each note has a separate writer.
const NOTES: [&str; 2] = ["wifi", "recipe"];
/// The users that enable and disable the personal API.
const SWITCHING_USERS: [&str; 3] = ["eva", "flo", "gil"];
/// The tasks that one writer moves.
const MOVED_TASKS: [&str; 6] = ["m0", "m1", "m2", "m3", "m4", "m5"];

/// The number of notes to delete per cycle.
const DELETED_PER_CYCLE: u32 = 150;

/// Imports the family with all its records.
pub(crate) fn import_family(sandbox: &Sandbox, cycles: u32) {
    let members = ["ana", "kim"].into_iter().chain(SWITCHING_USERS).map(|id| user(id, Some("rivera"), Some(PASSWORD)));
    let columns = [column("todo", "home"), column("left", "home"), column("right", "home")];
    let mut lines: Vec<Value> = vec![family("rivera")];
    lines.extend(members);
    lines.push(user("ben", Some("rivera"), None));
    lines.push(board("home", "rivera"));
    lines.extend(columns);
    lines.extend(TASKS.map(|id| task(id, "todo")));
    lines.extend(MOVED_TASKS.map(|id| task(id, "left")));
    lines.push(SplitSeries::line(event(SERIES, "rivera")));
    lines.extend(NOTES.map(|id| note(id, "rivera")));
    lines.extend((0..cycles * DELETED_PER_CYCLE).map(|number| note(&DeletedNotes::id(number), "rivera")));
    sandbox.succeed(&["import", "-"], &text(lines));
}

pub(crate) struct Fixture {
    tasks: [NumberedRecord; 2],
    notes: [NumberedRecord; 2],
    moved: MovedTasks,
    series: SplitSeries,
    created: CreatedTasks,
    deleted: DeletedNotes,
    keys: Keys,
    flags: Flags,
    /// The token with which the documents are read.
    token: String,
    /// The documents of the last check.
    documents: Option<Documents>,
    /// The numbers of writes in doubt that were not applied, and that were.
    pub(crate) in_doubt: [u32; 2],
}

impl Fixture {
    pub(crate) async fn new(server: &Server, cycles: u32, rng: &mut fastrand::Rng) -> Self {
        let (ana, kim) = (session_cookie(server, "ana").await, session_cookie(server, "kim").await);
        let token = create_key(server, &ana).await.token;
        let writer = Credential::Token(token.clone());
        let mut flags = Vec::new();
        for user in SWITCHING_USERS {
            let cookie = session_cookie(server, user).await;
            let token = create_key(server, &cookie).await.token;
            flags.push((Credential::Cookie(cookie), token));
        }
        let mut fixture = Self {
            tasks: TASKS.map(|id| NumberedRecord::new(id, "tasks", task_body, writer.clone())),
            notes: NOTES.map(|id| NumberedRecord::new(id, "notes", note_body, writer.clone())),
            moved: MovedTasks::new(&MOVED_TASKS, ["left", "right"], writer.clone(), rng.fork()),
            series: SplitSeries::new(writer.clone()),
            created: CreatedTasks::new(writer.clone(), rng.fork()),
            deleted: DeletedNotes::new(cycles * DELETED_PER_CYCLE, writer),
            keys: Keys::new(Credential::Cookie(kim), rng.fork()),
            flags: Flags::new(flags),
            token,
            documents: None,
            in_doubt: [0; 2],
        };
        for record in fixture.tasks.iter_mut().chain(&mut fixture.notes) {
            assert!(record.write(server).await);
        }
        fixture
    }

    /// Runs all writers until the server is killed.
    pub(crate) async fn write(&mut self, server: &Server, write_counter: &WriteCounter) {
        let ([dentist, homework], [wifi, recipe]) = (&mut self.tasks, &mut self.notes);
        join!(
            write_counter.count_while(async || dentist.write(server).await),
            write_counter.count_while(async || homework.write(server).await),
            write_counter.count_while(async || wifi.write(server).await),
            write_counter.count_while(async || recipe.write(server).await),
            write_counter.count_while(async || self.moved.write(server).await),
            write_counter.count_while(async || self.series.write(server).await),
            write_counter.count_while(async || self.created.write(server).await),
            write_counter.count_while(async || self.deleted.write(server).await),
            write_counter.count_while(async || self.keys.write(server).await),
            write_counter.count_while(async || self.flags.write(server).await),
        );
    }

    /// Asserts that acknowledged writes are stored, and that writes in doubt are applied completely or not at all.
    pub(crate) async fn check_after_restart(&mut self, server: &Server) {
        let documents = Documents::read(server, &self.token).await;
        let records = self.tasks.iter_mut().chain(&mut self.notes);
        let mut outcomes: Vec<Option<bool>> = records.map(|record| record.check_after_restart(&documents)).collect();
        outcomes.push(self.moved.check_after_restart(&documents));
        outcomes.push(self.series.check_after_restart(&documents));
        outcomes.push(self.deleted.check_after_restart(&documents));
        outcomes.push(self.created.check_after_restart(server, &documents).await);
        outcomes.push(self.keys.check_after_restart(server).await);
        outcomes.push(self.flags.check_after_restart(server).await);
        for is_applied in outcomes.into_iter().flatten() {
            self.in_doubt[usize::from(is_applied)] += 1;
        }
        if let Some(earlier) = &self.documents {
            documents.assert_etags_changed_since(earlier, server, &self.token).await;
        }
        self.documents = Some(documents);
    }

    /// Asserts that all revoked keys are refused. Returns their number.
    pub(crate) async fn check_revoked_keys(&self, server: &Server) -> usize {
        self.keys.check_revoked(server).await
    }
}
