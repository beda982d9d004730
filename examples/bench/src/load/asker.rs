//! What a caller asks, one request after the other.

use std::cell::Cell;
use std::rc::Rc;

use fastrand::Rng;

use crate::failure::Result;
use crate::http::{Answer, Request};

pub(crate) trait Asker {
    /// The next request.
    fn request(&self) -> &Request;

    /// Judges its answer, and says whether it counts.
    fn take(&mut self, answer: Answer<'_>) -> Result<bool>;

    /// Whether nothing is left behind when no more is asked.
    fn may_rest(&self) -> bool {
        true
    }
}

/// A request whose answer is known: its status, and once it has come, its length.
pub(crate) struct Step {
    request: Request,
    status: u16,
    counts: bool,
    length: Cell<Option<usize>>,
}

impl Step {
    pub(crate) fn new(request: Request, status: u16) -> Self {
        Self { request, status, counts: true, length: Cell::new(None) }
    }

    pub(crate) fn uncounted(self) -> Self {
        Self { counts: false, ..self }
    }

    fn take(&self, answer: Answer<'_>) -> Result<bool> {
        let length = answer.expect(self.status)?.body.len();
        match self.length.replace(Some(length)) {
            Some(before) if before != length => Err(format!("an answer of {before} bytes has {length} now").into()),
            _ => Ok(self.counts),
        }
    }
}

/// Asks for the same again, or for a few things in turn.
pub(crate) struct Cycle {
    steps: Rc<[Step]>,
    next: usize,
}

impl Cycle {
    pub(crate) fn new(steps: Rc<[Step]>) -> Self {
        Self { steps, next: 0 }
    }
}

impl Asker for Cycle {
    fn request(&self) -> &Request {
        &self.steps[self.next].request
    }

    fn take(&mut self, answer: Answer<'_>) -> Result<bool> {
        let step = &self.steps[self.next];
        self.next = (self.next + 1) % self.steps.len();
        step.take(answer)
    }
}

/// Asks for any of many things.
pub(crate) struct Pick {
    steps: Rc<[Step]>,
    picked: usize,
    rng: Rng,
}

impl Pick {
    pub(crate) fn new(steps: Rc<[Step]>, seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        Self { picked: rng.usize(..steps.len()), steps, rng }
    }
}

impl Asker for Pick {
    fn request(&self) -> &Request {
        &self.steps[self.picked].request
    }

    fn take(&mut self, answer: Answer<'_>) -> Result<bool> {
        let picked = self.picked;
        self.picked = self.rng.usize(..self.steps.len());
        self.steps[picked].take(answer)
    }
}

/// Learns the entity tag, and asks from then on whether it still holds.
pub(crate) struct Conditional {
    request: Request,
    make: Box<dyn Fn() -> Request>,
    knows: bool,
}

impl Conditional {
    pub(crate) fn new(make: impl Fn() -> Request + 'static) -> Self {
        Self { request: make(), make: Box::new(make), knows: false }
    }
}

impl Asker for Conditional {
    fn request(&self) -> &Request {
        &self.request
    }

    fn take(&mut self, answer: Answer<'_>) -> Result<bool> {
        if self.knows {
            return answer.expect(304).map(|_| true);
        }
        let answer = answer.expect(200)?;
        let tag = answer.header("etag").ok_or("the answer has no entity tag")?;
        self.request = (self.make)().header("if-none-match", tag);
        self.knows = true;
        Ok(false)
    }
}
