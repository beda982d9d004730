//! Several writes in one request (HTTP reference, "Batches").

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use family_api_types::batch::{BatchResponse, BatchResponses, MAX_REQUESTS};
use family_api_types::paths;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::condition::WriteCondition;
use crate::error_response::{ErrorBody, ErrorResponse};
use crate::request::Request;
use crate::response::ApiResponse;
use crate::transport::{Decode, Transport};
use crate::{Call, Error};

/// Several writes in one request. The service makes them one after the other, each in a transaction of its own, and
/// each succeeds or fails alone.
///
/// A batch contains the calls that write records with a token, at most [`Batch::MAX`] of them. Any other call fails with
/// the code `invalid_field`. Each call needs its own scope, and the token `v1.read` in addition. Each counts against the
/// rate limit.
///
/// ```
#[doc = include_str!("example_service.txt")]
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let Example { address, token } = serve().await?;
/// # let client = family_api_client::FamilyClient::builder().base_url(address).token(token).build()?;
/// use family_api_client::change::TaskChange;
///
/// let mut batch = client.batch();
/// let created = batch.add(client.tasks().create(TaskChange::new().title("Call the plumber")));
/// let deleted = ["t", "no-such-task"].map(|id| batch.add(client.tasks().delete(&id.parse().unwrap())));
/// let results = batch.send().await?;
///
/// assert_eq!(results.get(&created)?.title, "Call the plumber");
/// assert!(results.get(&deleted[0]).is_ok());
/// assert!(results.get(&deleted[1]).unwrap_err().is_not_found());
/// # Ok(())
/// # }
/// ```
///
/// If the response is lost, the batch is not retried, and its error [is in doubt](Error::is_in_doubt): some of the writes
/// may have taken effect. A creation has an `Idempotency-Key`. Set one of your own
/// ([`Call::idempotency_key`]) to repeat the batch, so that it creates each record once.
pub struct Batch {
    number: u64,
    transport: Arc<Transport>,
    requests: Vec<BatchRequest>,
}

/// A call in a [`Batch`], with which its result is taken from the [`BatchResults`].
pub struct BatchEntry<T> {
    /// The number of the batch that contains the call.
    batch: u64,
    /// The position in the batch. `None` if the call belongs to another client, and is not sent.
    index: Option<usize>,
    request: Request,
    decode: Decode<T>,
}

/// The results of a [`Batch`].
pub struct BatchResults {
    batch: u64,
    transport: Arc<Transport>,
    request_id: Option<String>,
    responses: Vec<BatchResponse>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BatchRequest {
    method: String,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_match: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct Body {
    requests: Vec<BatchRequest>,
}

impl Batch {
    /// The maximum number of calls. The service refuses a larger batch as a whole.
    pub const MAX: usize = MAX_REQUESTS;

    pub(crate) fn new(transport: &Arc<Transport>) -> Self {
        /// The number of the next batch of this process.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { number: NEXT.fetch_add(1, Relaxed), transport: transport.clone(), requests: Vec::new() }
    }

    /// Adds a call. The calls are made in the order in which they are added.
    ///
    /// A call of another client, with its own address and credential, is not sent. Its result is an
    /// [error of configuration](Error::is_configuration).
    pub fn add<T, C: WriteCondition>(&mut self, call: Call<T, C>) -> BatchEntry<T> {
        let is_own = call.is_of(&self.transport);
        let (request, decode) = call.into_parts();
        let index = is_own.then_some(self.requests.len());
        if is_own {
            self.requests.push(BatchRequest::of(&request, &self.transport));
        }
        BatchEntry { batch: self.number, index, request, decode }
    }

    /// Returns the number of calls that are sent.
    #[must_use]
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Returns whether the batch sends no call. The service refuses an empty batch.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Returns the call that sends the batch. It succeeds if the batch was answered, whatever the results of its calls.
    pub fn send(self) -> Call<BatchResults> {
        let Self { number, transport, requests } = self;
        let count = requests.len();
        let request = Request::post(paths::V1_BATCH).with_body(Body { requests });
        let sender = transport.clone();
        let decode: Decode<_> = Box::new(move |response| {
            let BatchResponses { responses, .. } = response.decode()?;
            if responses.len() != count {
                return Err(response.unreadable(format!("{} responses to {count} requests", responses.len())));
            }
            let request_id = response.request_id();
            Ok(BatchResults { batch: number, transport: sender.clone(), request_id, responses })
        });
        Call::decoded_by(decode, &transport, request)
    }
}

impl BatchRequest {
    fn of(request: &Request, transport: &Transport) -> Self {
        let path = request.path.strip_prefix(paths::V1).unwrap_or(&request.path);
        let url = transport.base.join(&request.path, &request.query);
        Self {
            method: request.method.to_string(),
            url: url.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}")),
            if_match: request.if_match.as_ref().map(|etag| etag.as_str().to_owned()),
            idempotency_key: request.idempotency_key.as_ref().map(|key| key.as_str().to_owned()),
            body: request.body.as_deref().and_then(|body| serde_json::from_slice(body).ok()),
        }
    }
}

impl BatchResults {
    /// Returns the result of a call, as if it had been sent alone.
    ///
    /// # Errors
    /// - The error of the call. It [is in doubt](Error::is_in_doubt) if its status is a 5xx.
    /// - An [error of configuration](Error::is_configuration) if the entry belongs to another batch, or the call to
    ///   another client.
    pub fn get<T>(&self, entry: &BatchEntry<T>) -> Result<T, Error> {
        if entry.batch != self.batch {
            return Err(Error::configuration("the entry belongs to another batch"));
        }
        let Some(response) = entry.index.and_then(|index| self.responses.get(index)) else {
            return Err(Error::configuration("the call belongs to another client: it was not sent"));
        };
        let result = if (200..300).contains(&response.status) {
            (entry.decode)(&ApiResponse::of_batch(response, self.request_id.clone()))
        } else {
            Err(self.error(response))
        };
        result.map_err(|error| {
            let is_in_doubt = entry.request.is_in_doubt_after(&error);
            error.with_doubt(is_in_doubt)
        })
    }

    fn error(&self, response: &BatchResponse) -> Error {
        Error::from_response(ErrorResponse {
            status: response.status,
            request_id: self.request_id.clone(),
            retry_after: response.retry_after.map(Duration::from_secs),
            body: ErrorBody::parse(&self.transport.redact(response.body.get())),
        })
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Batch({} calls)", self.len())
    }
}

impl<T> fmt::Debug for BatchEntry<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BatchEntry").field(&self.index).field(&self.request).finish()
    }
}

/// Omits the content, which may be secret.
impl fmt::Debug for BatchResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BatchResults({} responses)", self.responses.len())
    }
}
