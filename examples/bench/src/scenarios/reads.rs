//! Those who read.

use std::rc::Rc;

use crate::dataset::{self, MEASURED};
use crate::http::Request;
use crate::load::{Conditional, Cycle, MakeAsker, Pick, Step};
use crate::setup::{OTHERS, TASKS};

/// The two keys of each family but the measured one.
pub(crate) fn keys() -> impl Iterator<Item = (u32, u16)> {
    (1..=OTHERS).flat_map(|family| [(family, 0), (family, 1)])
}

/// Always the same document; whether it is cached is the server's part.
pub(crate) fn unchanged() -> MakeAsker {
    resource(TASKS)
}

pub(super) fn resource(path: &str) -> MakeAsker {
    same(Step::new(of_the_measured(path), 200))
}

pub(super) fn zstd() -> MakeAsker {
    same(Step::new(of_the_measured(TASKS).header("accept-encoding", "zstd"), 200).of_any_length())
}

/// A token of the right shape that nobody has.
pub(super) fn unknown() -> MakeAsker {
    same(Step::new(Request::get(TASKS).token(&dataset::token(u32::MAX, 0)), 401))
}

pub(super) fn conditional() -> MakeAsker {
    Box::new(|_| Box::new(Conditional::new(|| of_the_measured(TASKS))))
}

pub(super) fn random() -> MakeAsker {
    let requests = keys().map(|(family, member)| Request::get(TASKS).token(&dataset::token(family, member)));
    let steps: Rc<[Step]> = requests.map(|request| Step::new(request, 200)).collect();
    Box::new(move |connection| Box::new(Pick::new(Rc::clone(&steps), connection as u64)))
}

fn of_the_measured(path: &str) -> Request {
    Request::get(path).token(&dataset::token(MEASURED, 0))
}

fn same(step: Step) -> MakeAsker {
    let steps: Rc<[Step]> = [step].into();
    Box::new(move |_| Box::new(Cycle::new(Rc::clone(&steps))))
}
