//! The clients of the scenarios.

use std::rc::Rc;

use fastrand::Rng;
use serde_json::json;

use crate::dataset::{self, MEASURED_FAMILY};
use crate::http::Request;
use crate::load::{ConditionalReads, MakeClient, NewRequests, RandomSteps, RepeatedSteps, Step};
use crate::setup::{OTHER_FAMILIES, Setup, TASKS, written_families};

/// The two keys of each family except the measured one.
pub(crate) fn keys() -> impl Iterator<Item = (u32, u16)> {
    (1..=OTHER_FAMILIES).flat_map(|family| [(family, 0), (family, 1)])
}

/// Always reads the same document. Whether it is cached depends on the options of the server.
pub(crate) fn unchanged() -> MakeClient {
    resource(TASKS)
}

pub(super) fn resource(path: &str) -> MakeClient {
    repeat(Step::new(measured_family_request(path), 200))
}

pub(super) fn zstd() -> MakeClient {
    repeat(Step::new(measured_family_request(TASKS).header("accept-encoding", "zstd"), 200).with_any_length())
}

/// Reads with a token that has a valid checksum but belongs to no key.
pub(super) fn unknown_token() -> MakeClient {
    repeat(Step::new(Request::get(TASKS).token(&dataset::token(u32::MAX, 0)), 401))
}

pub(super) fn conditional() -> MakeClient {
    Box::new(|_| Box::new(ConditionalReads::new(|| measured_family_request(TASKS))))
}

pub(super) fn random_key() -> MakeClient {
    let requests = keys().map(|(family, member)| Request::get(TASKS).token(&dataset::token(family, member)));
    let steps: Rc<[Step]> = requests.map(|request| Step::new(request, 200)).collect();
    Box::new(move |connection| Box::new(RandomSteps::new(Rc::clone(&steps), connection as u64)))
}

/// Reads the tasks of random families. `families` counts the measured family too, which is not read.
pub(crate) fn random_family(families: u32) -> MakeClient {
    random_user(families, 1)
}

/// Reads the tasks of random families as random members, of which each family has this number.
pub(crate) fn random_user(families: u32, members: u16) -> MakeClient {
    Box::new(move |_| {
        let mut rng = Rng::new();
        let next = move || {
            let family = rng.u32(MEASURED_FAMILY + 1..families);
            Request::get(TASKS).token(&dataset::token(family, rng.u16(..members)))
        };
        Box::new(NewRequests::new(next, 200))
    })
}

fn measured_family_request(path: &str) -> Request {
    Request::get(path).token(&dataset::token(MEASURED_FAMILY, 0))
}

pub(super) fn repeat(step: Step) -> MakeClient {
    let steps: Rc<[Step]> = [step].into();
    Box::new(move |_| Box::new(RepeatedSteps::new(Rc::clone(&steps))))
}

/// Alternating titles of a task. They have the same length, so the documents keep their size.
pub(crate) const TITLES: [&str; 2] = ["Water the plants on the balcony", "Water the flowers in the garden"];

pub(crate) fn patch(task: &str, title: &str) -> Request {
    let request = Request::new("PATCH", &format!("/api/v1/tasks/{task}"));
    request.token(&dataset::token(MEASURED_FAMILY, 0)).json(&json!({ "title": title }))
}

/// Whether a creation has an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdempotencyKeys {
    None,
    New,
}

/// Creates tasks in the written families.
pub(super) fn creations(keys: IdempotencyKeys) -> MakeClient {
    in_written_families(201, move |rng, _, token| {
        let request = Request::new("POST", "/api/v1/tasks").token(token);
        let request = match keys {
            IdempotencyKeys::None => request,
            IdempotencyKeys::New => request.header("idempotency-key", &format!("{:032x}", rng.u128(..))),
        };
        request.json(&json!({ "title": TITLES[0] }))
    })
}

/// Changes tasks in the same families as [`creations`], so that both have the same keys and wait for as few other writers
/// of the family.
pub(super) fn writes_in_many_families(setup: &Setup) -> MakeClient {
    let tasks: Rc<[String]> = setup.written_tasks.clone().into();
    in_written_families(200, move |rng, index, token| {
        let request = Request::new("PATCH", &format!("/api/v1/tasks/{}", tasks[index])).token(token);
        request.json(&json!({ "title": TITLES[rng.usize(..TITLES.len())] }))
    })
}

/// Sends requests to the families of [`written_families`], which no other scenario reads. So the documents of the other
/// scenarios keep their size. `request` gets the index of a family and the token of a member.
fn in_written_families(
    status: u16,
    request: impl Fn(&mut Rng, usize, &str) -> Request + Clone + 'static,
) -> MakeClient {
    let tokens: Rc<[String]> = written_families().map(|family| dataset::token(family, 0)).collect();
    Box::new(move |_| {
        let mut rng = Rng::new();
        let (tokens, request) = (Rc::clone(&tokens), request.clone());
        let next = move || {
            let index = rng.usize(..tokens.len());
            request(&mut rng, index, &tokens[index])
        };
        Box::new(NewRequests::new(next, status))
    })
}

/// Changes tasks of the measured family. Each connection changes another task.
pub(super) fn writes(setup: &Setup) -> MakeClient {
    let tasks = setup.tasks.clone();
    Box::new(move |connection| {
        let steps = TITLES.map(|title| Step::new(patch(&tasks[connection], title), 200));
        Box::new(RepeatedSteps::new(steps.into()))
    })
}
