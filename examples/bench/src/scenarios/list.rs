//! The list of scenarios.

use super::reads::{conditional, random, resource, unchanged, unknown, zstd};
use super::writes::{first_read, key_life, read_after_write_elsewhere, writing, writing_elsewhere};
use super::{Aim, MAX_CONNECTIONS, Scenario};
use crate::setup::{Setup, Subject, TASKS};

const READY: &str = "ready bytes";
const PLAIN: &str = "plain handler";
const UNCHANGED: &str = "read/tasks, unchanged";
const COLD: &str = "read/tasks, nothing cached";
const READY_SMALL: &str = "ready bytes, an added family";
const PLAIN_RANDOM: &str = "plain handler, any of 2,000 keys";
const PATCH: &str = "task PATCH";
const PATCH_ELSEWHERE: &str = "task PATCH elsewhere, nothing cached";
const COLD_AFTER_WRITE: &str = "read/tasks, nothing cached, after a write elsewhere";

const LARGE: [&str; 2] = [READY, PLAIN];
const SMALL: [&str; 2] = [READY_SMALL, PLAIN_RANDOM];
const ONE: &[usize] = &[1];
const MAX_ONLY: &[usize] = &[MAX_CONNECTIONS];

/// All scenarios, in the order of a round. Scenarios that are compared follow each other.
pub(crate) fn scenarios(setup: &Setup, most_of_plain: f64) -> Vec<Scenario> {
    [tasks(most_of_plain), of_any_key(), resources(), writes(setup)].into_iter().flatten().collect()
}

fn tasks(most_of_plain: f64) -> Vec<Scenario> {
    vec![
        Scenario::new(READY, Subject::Ready, resource("/0")),
        Scenario::new(UNCHANGED, Subject::Warm, unchanged()).beside(LARGE).aim(Aim::Cpu(2.5, READY)),
        Scenario::new("read/tasks, If-None-Match", Subject::Warm, conditional())
            .beside(LARGE)
            .aim(Aim::Cpu(1.6, READY))
            .aim(Aim::Bytes(399)),
        Scenario::new("read/tasks, zstd", Subject::Warm, zstd()).beside(LARGE).aim(Aim::Share(1.0 / 7.0, UNCHANGED)),
        Scenario::new(PLAIN, Subject::Plain, unchanged()).beside(LARGE),
        Scenario::new(COLD, Subject::Cold, unchanged()).beside(LARGE).aim(Aim::Cpu(most_of_plain, PLAIN)),
    ]
}

fn of_any_key() -> Vec<Scenario> {
    vec![
        Scenario::new(READY_SMALL, Subject::Ready, resource("/1")),
        Scenario::new("read/tasks, unchanged, any of 2,000 keys", Subject::Warm, random())
            .known()
            .beside(SMALL)
            .aim(Aim::Cpu(2.5, READY_SMALL)),
        Scenario::new(PLAIN_RANDOM, Subject::Plain, random()).beside(SMALL),
        Scenario::new("read/tasks, nothing cached, any of 2,000 keys", Subject::Cold, random()).beside(SMALL),
        Scenario::new("an invalid token", Subject::Warm, unknown()),
    ]
}

fn resources() -> Vec<Scenario> {
    let read = |name, path| Scenario::new(name, Subject::Warm, resource(path));
    vec![
        read("read/events", "/api/v1/read/events"),
        read("read/shopping", "/api/v1/read/shopping"),
        read("read/notes", "/api/v1/read/notes"),
        read("read/task_stats", "/api/v1/read/task_stats"),
        read("me", "/api/v1/me"),
        read("read/tasks, all of them", "/api/v1/read/tasks?completed=all"),
        read("read/tasks of the read path", &TASKS.replace("v1", "mcp")),
    ]
}

fn writes(setup: &Setup) -> Vec<Scenario> {
    let while_writing = |name, writer| {
        Scenario::new(name, Subject::Warm, unchanged()).at(MAX_ONLY).aim(Aim::Tail(3.0)).while_writing(writer)
    };
    vec![
        Scenario::new(PATCH, Subject::Warm, writing(setup)),
        Scenario::new(PATCH_ELSEWHERE, Subject::Cold, writing_elsewhere(setup)).at(ONE),
        Scenario::new(COLD_AFTER_WRITE, Subject::Cold, read_after_write_elsewhere(setup))
            .at(ONE)
            .without(PATCH_ELSEWHERE),
        Scenario::new("read/tasks, the first after a write", Subject::Warm, first_read(setup))
            .at(ONE)
            .without(PATCH)
            .aim(Aim::Cpu(1.0, COLD))
            .aim(Aim::Cpu(1.0, COLD_AFTER_WRITE)),
        Scenario::new("a key created (CPU with its end)", Subject::Warm, key_life(setup)),
        while_writing("read/tasks, 50 writes/s in the family", writing(setup)),
        while_writing("read/tasks, 50 writes/s elsewhere", writing_elsewhere(setup)),
    ]
}
