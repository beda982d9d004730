//! The overview.

use family_api_client::LocalStart;
use family_api_client::resource::{Excerpt, OccurrenceSummary, Overview, PersonSummary, TaskSummary};

use crate::show::Show;
use crate::table::Table;
use crate::times::Times;

impl Show for Overview {
    fn show(&self, _: &Times) -> Table {
        let mut table = Table::new(["", "When", "What", "Who", "Where", "Id"]);
        add(&mut table, "today", [self.today.to_string(), String::new(), String::new(), String::new(), String::new()]);
        add_all(&mut table, "task", &self.open_tasks, task);
        add_all(&mut table, "event", &self.events, event);
        for board in &self.boards.items {
            add_all(&mut table, "column", &board.columns, |column| {
                counted(format!("{} / {}", board.name, column.name), column.open_count, column.id.to_string())
            });
        }
        add_rest(&mut table, "board", &self.boards);
        add_all(&mut table, "list", &self.shopping_lists, |list| {
            counted(list.name.clone(), list.open_count, list.id.to_string())
        });
        add_all(&mut table, "member", &self.members, |member| {
            [String::new(), name(member), String::new(), String::new(), member.id.to_string()]
        });
        table
    }

    fn is_truncated(&self) -> bool {
        self.events_cut
    }
}

fn add(table: &mut Table, kind: &str, cells: [String; 5]) {
    table.add_row([kind.to_owned()].into_iter().chain(cells));
}

/// Adds a row for each record, and one for those that were left out.
fn add_all<T>(table: &mut Table, kind: &str, excerpt: &Excerpt<T>, cells: impl Fn(&T) -> [String; 5]) {
    for record in &excerpt.items {
        add(table, kind, cells(record));
    }
    add_rest(table, kind, excerpt);
}

fn add_rest<T>(table: &mut Table, kind: &str, excerpt: &Excerpt<T>) {
    if excerpt.is_cut() {
        let rest = format!("and {} more", excerpt.total.saturating_sub(excerpt.items.len()));
        add(table, kind, [String::new(), rest, String::new(), String::new(), String::new()]);
    }
}

fn task(task: &TaskSummary) -> [String; 5] {
    let due = task.local_due_date.map(local).unwrap_or_default();
    let due = if task.is_overdue { format!("{due} (overdue)") } else { due };
    let place = format!("{} / {}", task.board_name, task.column_name);
    [due, task.title.clone(), task.assignee.as_ref().map(name).unwrap_or_default(), place, task.id.to_string()]
}

fn event(event: &OccurrenceSummary) -> [String; 5] {
    let [start, end] = [event.local_start, event.local_end].map(local);
    let when = if start == end { start } else { format!("{start} to {end}") };
    let assignee = event.assignee.iter();
    let others = event.participants.items.iter().filter(|person| event.assignee.as_ref() != Some(*person));
    let mut people: Vec<String> = assignee.chain(others).map(name).collect();
    if event.participants.is_cut() {
        people.push("…".to_owned());
    }
    let place = event.location.clone().unwrap_or_default();
    [when, event.title.clone(), people.join(", "), place, event.id.to_string()]
}

fn counted(name: String, open: usize, id: String) -> [String; 5] {
    [String::new(), name, String::new(), format!("{open} open"), id]
}

/// Returns the name of a person, or the id of one who has left the family.
fn name(person: &PersonSummary) -> String {
    person.name.clone().unwrap_or_else(|| person.id.to_string())
}

fn local(at: LocalStart) -> String {
    at.date_time().map_or_else(|| at.date().to_string(), |time| time.strftime("%Y-%m-%d %H:%M").to_string())
}
