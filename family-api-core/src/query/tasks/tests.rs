//! Tests of the selection of tasks.

use super::*;
use crate::calendar::parse_date;
use crate::query::testing::{NOW, boards, task};

/// Returns the ids of the tasks that a query selects, sorted like a page.
fn ids(query: &TaskQuery, tasks: &[Task]) -> Vec<String> {
    select_on(query, boards(tasks.to_vec(), Vec::new())).unwrap()
}

fn select_on(query: &TaskQuery, boards: Vec<Board>) -> Result<Vec<String>, &'static str> {
    let found = search(&TaskSearch { query: query.clone(), ..TaskSearch::default() }, boards)?;
    Ok(found.into_iter().map(|found| found.task.id.to_string()).collect())
}

/// Returns the tasks that a search selects, sorted like a page. None may be missing.
fn search(search: &TaskSearch, boards: Vec<Board>) -> Result<Vec<FoundTask>, &'static str> {
    let (found, is_cut) = search_perhaps_cut(search, boards)?;
    assert!(!is_cut);
    Ok(found)
}

fn search_perhaps_cut(search: &TaskSearch, boards: Vec<Board>) -> Result<(Vec<FoundTask>, bool), &'static str> {
    let user = "ana".parse().unwrap();
    let zone = "Europe/Kyiv".parse().unwrap();
    let context = QueryContext { user: &user, now: NOW.parse().unwrap(), zone: &zone };
    let (mut found, is_cut) = search.select(boards, context).map_err(|invalid| invalid.parameter)?;
    found.sort_by_key(|found| search.position(found));
    Ok((found, is_cut))
}

#[test]
fn what_was_done_is_found_by_the_day_the_latest_first() {
    let at = |text: &str| Some(text.parse().unwrap());
    let tasks = [
        // Midnight in Kyiv is 22:00 UTC.
        Task { completed: true, completed_at: at("2026-11-18T21:59:59Z"), ..task("before") },
        Task { completed: true, completed_at: at("2026-11-18T22:00:00Z"), ..task("first") },
        Task { completed: true, completed_at: at("2026-11-20T08:00:00Z"), ..task("last") },
        Task { last_completed_at: at("2026-11-19T08:00:00Z"), ..task("open-again") },
        task("open"),
    ];
    let done = |status| {
        let query = TaskQuery { status, ..TaskQuery::default() };
        let since = TaskSearch { query, done_from: parse_date("2026-11-19"), ..TaskSearch::default() };
        let found = search(&since, boards(tasks.to_vec(), Vec::new())).unwrap();
        found.into_iter().map(|found| found.task.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(done(TaskFilter::All), ["last", "open-again", "first"]);
    assert_eq!(done(TaskFilter::Done), ["last", "first"]);
    assert_eq!(done(TaskFilter::Open), ["open-again"]);
}

#[test]
fn tasks_are_found_by_their_priority() {
    let tasks = Priority::ALL.map(|priority| Task { priority, ..task(priority.as_str()) });
    for priority in Priority::ALL {
        let search_of = TaskSearch { priority: Some(priority), ..TaskSearch::default() };
        let found = search(&search_of, boards(tasks.to_vec(), Vec::new())).unwrap();
        let ids: Vec<_> = found.iter().map(|found| found.task.id.as_str()).collect();
        assert_eq!(ids, [priority.as_str()]);
    }
}

#[test]
fn a_recurring_task_is_found_by_its_later_due_dates() {
    let weekly = |id: &str, due_at: &str| Task {
        recurrence: Some("DTSTART;TZID=Europe/Kyiv:20261116T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO".to_owned()),
        ..due(id, due_at)
    };
    let tasks = [
        weekly("bins", "2026-11-23T07:00:00Z"),
        Task { completed: true, ..weekly("ended", "2026-11-23T07:00:00Z") },
        // It was put off until after the next time.
        weekly("late", "2026-12-01T07:00:00Z"),
        due("once", "2026-12-08T07:00:00Z"),
    ];
    let find = |due_again, from: Option<&str>, to: Option<&str>| {
        let [due_from, due_to] = [from, to].map(|day| day.map(|day| parse_date(day).unwrap()));
        let query = TaskQuery { due_from, due_to, ..all() };
        let search = TaskSearch { query, due_again, ..TaskSearch::default() };
        let (found, is_cut) = search_perhaps_cut(&search, boards(tasks.to_vec(), Vec::new())).unwrap();
        // The other ranges have at most 366 days.
        assert_eq!(is_cut, to == Some("2030-01-01"), "{to:?}");
        let again = |found: &FoundTask| {
            let days = found.due_again.items.iter().map(|at| at.to_string()[..10].to_owned());
            (found.task.id.to_string(), days.collect::<Vec<_>>())
        };
        found.iter().map(again).collect::<Vec<_>>()
    };
    let is = |id: &str, days: &[&str]| (id.to_owned(), days.iter().map(|&day| day.to_owned()).collect::<Vec<_>>());
    let december = (Some("2026-12-01"), Some("2026-12-14"));
    assert_eq!(find(false, december.0, december.1), [is("late", &[]), is("once", &[])]);
    assert_eq!(
        find(true, december.0, december.1),
        [is("bins", &["2026-12-07", "2026-12-14"]), is("late", &["2026-12-07", "2026-12-14"]), is("once", &[])]
    );
    assert_eq!(find(true, None, Some("2026-11-30"))[0], is("bins", &["2026-11-30"]));
    // Without a last day, only the next due date counts.
    assert_eq!(find(true, Some("2026-12-08"), None), [is("once", &[])]);
    assert_eq!(find(true, None, Some("2026-11-19")), []);
    let year = find(true, None, Some("2030-01-01"));
    assert_eq!(year.iter().map(|(_, days)| days.len()).collect::<Vec<_>>(), [10, 0, 10, 0]);
}

#[test]
fn a_time_that_has_passed_is_no_later_due_date() {
    let daily = "DTSTART;TZID=Europe/Kyiv:20261116T090000\nRRULE:FREQ=DAILY".to_owned();
    let pills = Task { recurrence: Some(daily), ..due("pills", "2026-11-16T07:00:00Z") };
    let find = |from, to| {
        let query = TaskQuery { due_from: parse_date(from), due_to: parse_date(to), ..all() };
        let search = TaskSearch { query, due_again: true, ..TaskSearch::default() };
        let found = self::search(&search, boards(vec![pills.clone()], Vec::new())).unwrap();
        let days = |found: &FoundTask| {
            found.due_again.items.iter().map(|at| at.to_string()[..10].to_owned()).collect::<Vec<_>>()
        };
        found.iter().map(days).collect::<Vec<_>>()
    };
    assert_eq!(find("2026-11-15", "2026-11-22"), [["2026-11-21", "2026-11-22"]]);
    assert_eq!(find("2026-11-15", "2026-11-20"), [[""; 0]]);
    assert_eq!(find("2026-11-17", "2026-11-20"), [[""; 0]; 0]);
}

#[test]
fn nothing_is_missing_without_a_recurring_task() {
    let query = TaskQuery { due_to: parse_date("2030-01-01"), ..all() };
    let search = TaskSearch { query, due_again: true, ..TaskSearch::default() };
    let tasks = vec![due("once", "2029-12-08T07:00:00Z")];
    assert_eq!(self::search(&search, boards(tasks, Vec::new())).unwrap().len(), 1);
}

fn due(id: &str, at: &str) -> Task {
    Task { due_date: Some(at.parse().unwrap()), ..task(id) }
}

fn all() -> TaskQuery {
    TaskQuery { status: TaskFilter::All, ..TaskQuery::default() }
}

#[test]
fn tasks_are_sorted_by_due_date_then_creation_then_id() {
    let later = Task { created_at: Timestamp::MAX, ..task("a-later") };
    let tasks = [later, task("z"), task("y"), due("due", NOW), due("soon", "2026-11-01T00:00:00Z")];
    assert_eq!(ids(&all(), &tasks), ["soon", "due", "y", "z", "a-later"]);
}

#[test]
fn a_board_and_a_column_select_their_tasks() {
    let of_board = |board: Option<&str>, column: Option<&str>| {
        let query = TaskQuery {
            board: board.map(|id| id.parse().unwrap()),
            column: column.map(|id| id.parse().unwrap()),
            ..all()
        };
        select_on(&query, boards(vec![task("cook")], vec![task("dig")]))
    };
    assert_eq!(of_board(Some("home"), None).unwrap(), ["cook"]);
    assert_eq!(of_board(None, Some("beds")).unwrap(), ["dig"]);
    assert_eq!(of_board(Some("home"), Some("doing")).unwrap(), [""; 0]);
    assert_eq!(of_board(Some("none"), None), Err("board"));
    assert_eq!(of_board(None, Some("none")), Err("column"));
    assert_eq!(of_board(Some("home"), Some("beds")), Err("column"));
}

#[test]
fn the_assignee_is_the_caller_another_user_or_missing() {
    let assigned = |id: &str, user: &str| Task { assignee_id: Some(user.parse().unwrap()), ..task(id) };
    let tasks = [assigned("1-ana", "ana"), assigned("2-ben", "ben"), task("3-free")];
    for (filter, found) in [
        (AssigneeFilter::Me, "1-ana"),
        (AssigneeFilter::User("ben".parse().unwrap()), "2-ben"),
        (AssigneeFilter::Unassigned, "3-free"),
    ] {
        assert_eq!(ids(&TaskQuery { assignee: Some(filter), ..all() }, &tasks), [found]);
    }
}

#[test]
fn the_status_selects_open_or_completed_tasks() {
    let tasks = [task("open"), Task { completed: true, ..task("closed") }];
    let with = |status| ids(&TaskQuery { status, ..TaskQuery::default() }, &tasks);
    assert_eq!(with(TaskFilter::Open), ["open"]);
    assert_eq!(with(TaskFilter::Done), ["closed"]);
    assert_eq!(with(TaskFilter::All), ["closed", "open"]);
}

#[test]
fn due_days_are_days_in_the_zone_of_the_user() {
    // Midnight in Kyiv is 22:00 UTC.
    let tasks = [
        due("before", "2026-11-19T21:59:59.999Z"),
        due("first", "2026-11-19T22:00:00Z"),
        due("last", "2026-11-20T21:59:59.999Z"),
        due("tomorrow", "2026-11-20T22:00:00Z"),
        task("none"),
    ];
    let day = parse_date("2026-11-20");
    let within = |due_from, due_to| ids(&TaskQuery { due_from, due_to, ..all() }, &tasks);
    assert_eq!(within(day, day), ["first", "last"]);
    assert_eq!(within(day, None), ["first", "last", "tomorrow"]);
    assert_eq!(within(None, day), ["before", "first", "last"]);
    assert_eq!(within(None, parse_date("9999-12-31")).len(), 4);
    let reversed = TaskQuery { due_from: day, due_to: parse_date("2026-11-19"), ..all() };
    assert_eq!(check(&reversed).map_err(|invalid| invalid.parameter), Err("dueFrom"));
}

#[test]
fn a_task_due_on_a_day_is_overdue_from_the_next_day_on() {
    let tasks = [
        due("due-yesterday", "2026-11-18T22:00:00Z"),
        due("due-today", "2026-11-19T22:00:00Z"),
        due("due-a-minute-ago", "2026-11-20T10:14:30Z"),
        due("due-now", NOW),
        Task { completed: true, ..due("finished", "2026-11-01T00:00:00Z") },
        task("none"),
    ];
    let overdue = TaskQuery { overdue: true, ..all() };
    assert_eq!(ids(&overdue, &tasks), ["due-yesterday", "due-a-minute-ago"]);
}

#[test]
fn a_text_is_searched_in_title_description_and_labels() {
    let tasks = [
        Task { title: "Buy MILK".to_owned(), ..task("1") },
        Task { description: Some("with milk".to_owned()), ..task("2") },
        Task { labels: vec!["dairy".to_owned(), "Milky".to_owned()], ..task("3") },
        task("4"),
    ];
    let text = Some("milk".parse().unwrap());
    assert_eq!(ids(&TaskQuery { text, ..all() }, &tasks), ["1", "2", "3"]);
}
