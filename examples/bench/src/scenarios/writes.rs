//! Those who write.

use std::rc::Rc;

use serde_json::json;

use crate::dataset::{self, MEASURED};
use crate::http::Request;
use crate::load::{Cycle, KeyLife, MakeAsker, Step};
use crate::setup::{Setup, TASKS};

/// What a task is called in turn: documents change, and stay as long as they are.
pub(crate) const fn titles() -> [&'static str; 2] {
    ["Water the plants on the balcony", "Water the flowers in the garden"]
}

pub(crate) fn patch(family: u32, task: &str, title: &str) -> Request {
    let request = Request::new("PATCH", &format!("/api/v1/tasks/{task}")).token(&dataset::token(family, 0));
    request.json(&json!({ "title": title }))
}

/// Each connection changes a task of its own.
pub(super) fn writing(stage: &Setup) -> MakeAsker {
    let tasks = stage.tasks.clone();
    Box::new(move |connection| Box::new(Cycle::new(patches(MEASURED, &tasks[connection]).collect())))
}

pub(super) fn writing_elsewhere(stage: &Setup) -> MakeAsker {
    let task = stage.task_elsewhere.clone();
    Box::new(move |_| Box::new(Cycle::new(patches(1, &task).collect())))
}

/// Writes and reads in turn; the reads count.
pub(super) fn first_read(stage: &Setup) -> MakeAsker {
    read_after(MEASURED, stage.tasks[0].clone())
}

/// Reads after writes that do not change what is read.
pub(super) fn read_after_write_elsewhere(stage: &Setup) -> MakeAsker {
    read_after(1, stage.task_elsewhere.clone())
}

fn read_after(family: u32, task: String) -> MakeAsker {
    let read = || Step::new(Request::get(TASKS).token(&dataset::token(MEASURED, 0)), 200);
    Box::new(move |_| {
        let steps = patches(family, &task).flat_map(|patch| [patch.uncounted(), read()]);
        Box::new(Cycle::new(steps.collect::<Rc<[Step]>>()))
    })
}

pub(super) fn key_life(stage: &Setup) -> MakeAsker {
    let cookie = stage.cookie.clone();
    Box::new(move |_| Box::new(KeyLife::new(&cookie)))
}

fn patches(family: u32, task: &str) -> impl Iterator<Item = Step> {
    titles().into_iter().map(move |title| Step::new(patch(family, task, title), 200))
}
