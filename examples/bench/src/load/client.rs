//! Clients, which choose the next request and check each response.

use std::cell::Cell;
use std::rc::Rc;

use fastrand::Rng;

use crate::failure::Result;
use crate::http::{Request, Response};

/// Chooses the requests of one connection and checks the responses.
pub(crate) trait Client {
    /// Returns the next request.
    fn request(&self) -> &Request;

    /// Checks the response and returns whether the measurement counts it.
    fn check(&mut self, response: Response<'_>) -> Result<bool>;
}

/// A request with its expected status. All responses must have the same length.
pub(crate) struct Step {
    request: Request,
    status: u16,
    has_fixed_length: bool,
    length: Cell<Option<usize>>,
}

impl Step {
    pub(crate) fn new(request: Request, status: u16) -> Self {
        Self { request, status, has_fixed_length: true, length: Cell::new(None) }
    }

    /// Turns off the check that all responses have the same length. The length of a compressed response depends on its
    /// content.
    pub(crate) fn with_any_length(self) -> Self {
        Self { has_fixed_length: false, ..self }
    }

    fn check(&self, response: Response<'_>) -> Result<bool> {
        let length = response.expect(self.status)?.body.len();
        match self.length.replace(Some(length)) {
            Some(before) if before != length && self.has_fixed_length => {
                Err(format!("the length of a response changed from {before} to {length} bytes").into())
            }
            _ => Ok(true),
        }
    }
}

/// Sends its steps in order, and then again from the first step.
pub(crate) struct RepeatedSteps {
    steps: Rc<[Step]>,
    next: usize,
}

impl RepeatedSteps {
    pub(crate) fn new(steps: Rc<[Step]>) -> Self {
        Self { steps, next: 0 }
    }
}

impl Client for RepeatedSteps {
    fn request(&self) -> &Request {
        &self.steps[self.next].request
    }

    fn check(&mut self, response: Response<'_>) -> Result<bool> {
        let step = &self.steps[self.next];
        self.next = (self.next + 1) % self.steps.len();
        step.check(response)
    }
}

/// Sends randomly chosen steps.
pub(crate) struct RandomSteps {
    steps: Rc<[Step]>,
    index: usize,
    rng: Rng,
}

impl RandomSteps {
    pub(crate) fn new(steps: Rc<[Step]>, seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        Self { index: rng.usize(..steps.len()), steps, rng }
    }
}

impl Client for RandomSteps {
    fn request(&self) -> &Request {
        &self.steps[self.index].request
    }

    fn check(&mut self, response: Response<'_>) -> Result<bool> {
        let index = self.index;
        self.index = self.rng.usize(..self.steps.len());
        self.steps[index].check(response)
    }
}

/// Sends a new request each time, because the server answers a repeated one differently.
pub(crate) struct NewRequests {
    request: Request,
    new_request: Box<dyn FnMut() -> Request>,
    status: u16,
}

impl NewRequests {
    pub(crate) fn new(mut new_request: impl FnMut() -> Request + 'static, status: u16) -> Self {
        Self { request: new_request(), new_request: Box::new(new_request), status }
    }
}

impl Client for NewRequests {
    fn request(&self) -> &Request {
        &self.request
    }

    fn check(&mut self, response: Response<'_>) -> Result<bool> {
        response.expect(self.status)?;
        self.request = (self.new_request)();
        Ok(true)
    }
}

/// Reads the entity tag with the first request, then sends conditional requests.
pub(crate) struct ConditionalReads {
    request: Request,
    new_request: Box<dyn Fn() -> Request>,
    has_tag: bool,
}

impl ConditionalReads {
    pub(crate) fn new(new_request: impl Fn() -> Request + 'static) -> Self {
        Self { request: new_request(), new_request: Box::new(new_request), has_tag: false }
    }
}

impl Client for ConditionalReads {
    fn request(&self) -> &Request {
        &self.request
    }

    fn check(&mut self, response: Response<'_>) -> Result<bool> {
        if self.has_tag {
            return response.expect(304).map(|_| true);
        }
        let response = response.expect(200)?;
        let tag = response.header("etag").ok_or("the response has no entity tag")?;
        self.request = (self.new_request)().header("if-none-match", tag);
        self.has_tag = true;
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

    /// Sends responses to a client. For each response, returns whether the client counts it, or `None` if the check
    /// fails.
    async fn check_results(mut client: impl Client, responses: &'static [&'static str]) -> Vec<Option<bool>> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            for response in responses {
                assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
                stream.write_all(response.as_bytes()).await.unwrap();
            }
        });
        let mut connection = Connection::open(&address).await.unwrap();
        let mut results = vec![];
        for _ in responses {
            let response = connection.send(client.request()).await.unwrap();
            results.push(client.check(response).ok());
        }
        results
    }

    fn repeated(steps: impl IntoIterator<Item = Step>) -> RepeatedSteps {
        RepeatedSteps::new(steps.into_iter().collect())
    }

    #[tokio::test]
    async fn steps_run_in_turn_and_check_length_and_status() {
        let step = || Step::new(Request::get("/"), 200);
        assert_eq!(check_results(repeated([step()]), &[SHORT, SHORT, LONG]).await, [Some(true), Some(true), None]);
        assert_eq!(check_results(repeated([step().with_any_length()]), &[SHORT, LONG]).await, [Some(true); 2]);
        assert_eq!(check_results(repeated([step()]), &[UNCHANGED]).await, [None]);
        let steps = [Step::new(Request::get("/"), 200), Step::new(Request::get("/"), 304)];
        assert_eq!(check_results(repeated(steps), &[LONG, UNCHANGED, LONG]).await, [Some(true); 3]);
    }

    #[tokio::test]
    async fn only_a_304_is_counted_after_the_entity_tag_was_read() {
        let client = || ConditionalReads::new(|| Request::get("/"));
        assert_eq!(check_results(client(), &[SHORT, UNCHANGED, SHORT]).await, [Some(false), Some(true), None]);
        assert_eq!(check_results(client(), &[LONG]).await, [None]);
    }
}
