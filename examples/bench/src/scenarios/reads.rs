//! Scenarios that read.

use std::rc::Rc;

use crate::dataset::{self, MEASURED};
use crate::http::Request;
use crate::load::{Conditional, Cycle, MakeClient, Pick, Step};
use crate::setup::{OTHERS, TASKS};

/// The two keys of each family except the measured one.
pub(crate) fn keys() -> impl Iterator<Item = (u32, u16)> {
    (1..=OTHERS).flat_map(|family| [(family, 0), (family, 1)])
}

/// Always reads the same document. The options of the server decide whether it is cached.
pub(crate) fn unchanged() -> MakeClient {
    resource(TASKS)
}

pub(super) fn resource(path: &str) -> MakeClient {
    same(Step::new(of_the_measured(path), 200))
}

pub(super) fn zstd() -> MakeClient {
    same(Step::new(of_the_measured(TASKS).header("accept-encoding", "zstd"), 200).of_any_length())
}

/// A well-formed token that no user has.
pub(super) fn unknown() -> MakeClient {
    same(Step::new(Request::get(TASKS).token(&dataset::token(u32::MAX, 0)), 401))
}

pub(super) fn conditional() -> MakeClient {
    Box::new(|_| Box::new(Conditional::new(|| of_the_measured(TASKS))))
}

pub(super) fn random() -> MakeClient {
    let requests = keys().map(|(family, member)| Request::get(TASKS).token(&dataset::token(family, member)));
    let steps: Rc<[Step]> = requests.map(|request| Step::new(request, 200)).collect();
    Box::new(move |connection| Box::new(Pick::new(Rc::clone(&steps), connection as u64)))
}

fn of_the_measured(path: &str) -> Request {
    Request::get(path).token(&dataset::token(MEASURED, 0))
}

fn same(step: Step) -> MakeClient {
    let steps: Rc<[Step]> = [step].into();
    Box::new(move |_| Box::new(Cycle::new(Rc::clone(&steps))))
}
