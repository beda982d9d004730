//! Clients: the sequence of requests that a caller sends.

use std::cell::Cell;
use std::rc::Rc;

use fastrand::Rng;

use crate::failure::Result;
use crate::http::{Answer, Request};

pub(crate) trait Client {
    /// Returns the next request.
    fn request(&self) -> &Request;

    /// Checks the response, and returns whether it is counted.
    fn take(&mut self, answer: Answer<'_>) -> Result<bool>;

    /// Returns whether the client may stop now without leaving data behind.
    fn may_rest(&self) -> bool {
        true
    }
}

/// A request with its expected status. The first response sets the expected length.
pub(crate) struct Step {
    request: Request,
    status: u16,
    counts: bool,
    has_one_length: bool,
    length: Cell<Option<usize>>,
}

impl Step {
    pub(crate) fn new(request: Request, status: u16) -> Self {
        Self { request, status, counts: true, has_one_length: true, length: Cell::new(None) }
    }

    pub(crate) fn uncounted(self) -> Self {
        Self { counts: false, ..self }
    }

    /// Does not check the length of the response. For compressed ones, it depends on the content.
    pub(crate) fn of_any_length(self) -> Self {
        Self { has_one_length: false, ..self }
    }

    fn take(&self, answer: Answer<'_>) -> Result<bool> {
        let length = answer.expect(self.status)?.body.len();
        match self.length.replace(Some(length)) {
            Some(before) if before != length && self.has_one_length => {
                Err(format!("the length of a response changed from {before} to {length} bytes").into())
            }
            _ => Ok(self.counts),
        }
    }
}

/// Sends the same request again, or a few requests in turn.
pub(crate) struct Cycle {
    steps: Rc<[Step]>,
    next: usize,
}

impl Cycle {
    pub(crate) fn new(steps: Rc<[Step]>) -> Self {
        Self { steps, next: 0 }
    }
}

impl Client for Cycle {
    fn request(&self) -> &Request {
        &self.steps[self.next].request
    }

    fn take(&mut self, answer: Answer<'_>) -> Result<bool> {
        let step = &self.steps[self.next];
        self.next = (self.next + 1) % self.steps.len();
        step.take(answer)
    }
}

/// Sends randomly chosen requests.
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

impl Client for Pick {
    fn request(&self) -> &Request {
        &self.steps[self.picked].request
    }

    fn take(&mut self, answer: Answer<'_>) -> Result<bool> {
        let picked = self.picked;
        self.picked = self.rng.usize(..self.steps.len());
        self.steps[picked].take(answer)
    }
}

/// Reads the entity tag with the first request, then sends conditional requests.
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

impl Client for Conditional {
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::http::Connection;

    const SHORT: &str = "HTTP/1.1 200 OK\r\netag: \"1\"\r\ncontent-length: 1\r\n\r\na";
    const LONG: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab";
    const UNCHANGED: &str = "HTTP/1.1 304 Not Modified\r\n\r\n";

    /// Passes responses to a client, and returns its results.
    async fn outcomes(mut client: impl Client, answers: &'static [&'static str]) -> Vec<Option<bool>> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            for answer in answers {
                assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        let mut connection = Connection::open(&address).await.unwrap();
        let mut told = vec![];
        for _ in answers {
            let answer = connection.ask(client.request()).await.unwrap();
            told.push(client.take(answer).ok());
        }
        told
    }

    fn cycle(steps: impl IntoIterator<Item = Step>) -> Cycle {
        Cycle::new(steps.into_iter().collect())
    }

    #[tokio::test]
    async fn a_response_with_another_length_or_status_is_an_error() {
        let step = || Step::new(Request::get("/"), 200);
        assert_eq!(outcomes(cycle([step()]), &[SHORT, SHORT, LONG]).await, [Some(true), Some(true), None]);
        assert_eq!(outcomes(cycle([step().of_any_length()]), &[SHORT, LONG]).await, [Some(true); 2]);
        assert_eq!(outcomes(cycle([step()]), &[UNCHANGED]).await, [None]);
    }

    #[tokio::test]
    async fn steps_run_in_turn_and_only_some_are_counted() {
        let steps = [Step::new(Request::get("/"), 200).uncounted(), Step::new(Request::get("/"), 304)];
        assert_eq!(outcomes(cycle(steps), &[LONG, UNCHANGED, LONG]).await, [Some(false), Some(true), Some(false)]);
    }

    #[tokio::test]
    async fn only_304_counts_once_the_entity_tag_is_known() {
        let client = || Conditional::new(|| Request::get("/"));
        assert_eq!(outcomes(client(), &[SHORT, UNCHANGED, SHORT]).await, [Some(false), Some(true), None]);
        assert_eq!(outcomes(client(), &[LONG]).await, [None]);
    }
}
