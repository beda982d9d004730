//! Scenarios that write.

use std::rc::Rc;

use serde_json::json;

use crate::dataset::{self, MEASURED};
use crate::http::Request;
use crate::load::{Cycle, KeyLife, MakeClient, Step};
use crate::setup::{Setup, TASKS};

/// Alternating titles of a task. They have the same length, so the documents keep their size.
pub(crate) const fn titles() -> [&'static str; 2] {
    ["Water the plants on the balcony", "Water the flowers in the garden"]
}

pub(crate) fn patch(family: u32, task: &str, title: &str) -> Request {
    let request = Request::new("PATCH", &format!("/api/v1/tasks/{task}")).token(&dataset::token(family, 0));
    request.json(&json!({ "title": title }))
}

/// Each connection changes a separate task.
pub(super) fn writing(setup: &Setup) -> MakeClient {
    let tasks = setup.tasks.clone();
    Box::new(move |connection| Box::new(Cycle::new(patches(MEASURED, &tasks[connection]).collect())))
}

pub(super) fn writing_elsewhere(setup: &Setup) -> MakeClient {
    let task = setup.other_family_task.clone();
    Box::new(move |_| Box::new(Cycle::new(patches(1, &task).collect())))
}

/// Alternates writes and reads. Only the reads are counted.
pub(super) fn first_read(setup: &Setup) -> MakeClient {
    read_after(MEASURED, setup.tasks[0].clone())
}

/// Reads after writes to other data than the data read.
pub(super) fn read_after_write_elsewhere(setup: &Setup) -> MakeClient {
    read_after(1, setup.other_family_task.clone())
}

fn read_after(family: u32, task: String) -> MakeClient {
    let read = || Step::new(Request::get(TASKS).token(&dataset::token(MEASURED, 0)), 200);
    Box::new(move |_| {
        let steps = patches(family, &task).flat_map(|patch| [patch.uncounted(), read()]);
        Box::new(Cycle::new(steps.collect::<Rc<[Step]>>()))
    })
}

pub(super) fn key_life(setup: &Setup) -> MakeClient {
    let cookie = setup.cookie.clone();
    Box::new(move |_| Box::new(KeyLife::new(&cookie)))
}

fn patches(family: u32, task: &str) -> impl Iterator<Item = Step> {
    titles().into_iter().map(move |title| Step::new(patch(family, task, title), 200))
}
