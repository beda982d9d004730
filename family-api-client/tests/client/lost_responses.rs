//! Writes whose response is lost, and conditions that make it safe to retry them.

use family_api_client::change::{NoteChange, TaskChange};
use family_api_client::key::KeyMode;
use family_api_client::resource::TaskFilter;
use family_api_client::{EntityTag, Error, FamilyClient};
use reqwest::Url;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, copy_bidirectional, split};
use tokio::net::TcpStream;
use wiremock::ResponseTemplate;

use crate::service::{
    A_NOTE, Service, attempts, client_of, listener, received_headers, server_returning, server_returning_each,
    session_of,
};

/// What a proxy loses on its first connection. It then closes the connection.
#[derive(Clone, Copy)]
pub(crate) enum Loss {
    /// The request: the service never receives it.
    Request,
    /// The response: the service has executed the request.
    Response,
    /// The response. The proxy then stops, so that later connections are refused.
    ResponseAndProxy,
}

/// Starts a proxy in front of the service and returns a client that uses it.
pub(crate) async fn client_through(loss: Loss, service: &Service) -> FamilyClient {
    let (listener, _) = listener().await;
    let mut url: Url = service.url.parse().unwrap();
    let upstream = url.socket_addrs(|| None).unwrap()[0];
    url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
    tokio::spawn(async move {
        let (first, _) = listener.accept().await.unwrap();
        match loss {
            Loss::Request => lose_request(first).await,
            Loss::Response => lose_response(first, TcpStream::connect(upstream).await.unwrap()).await,
            Loss::ResponseAndProxy => {
                let upstream = TcpStream::connect(upstream).await.unwrap();
                drop(listener);
                return lose_response(first, upstream).await;
            }
        }
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut upstream = TcpStream::connect(upstream).await.unwrap();
            tokio::spawn(async move { copy_bidirectional(&mut connection, &mut upstream).await });
        }
    });
    FamilyClient::builder().base_url(url).token(service.token(KeyMode::V1Full).await).build().unwrap()
}

/// Closes the connection when the request arrives.
async fn lose_request(mut client: TcpStream) {
    assert!(client.read(&mut [0; 4096]).await.unwrap() > 0);
}

/// Forwards the request and closes both connections when the response arrives.
async fn lose_response(client: TcpStream, upstream: TcpStream) {
    let (mut request, _client) = split(client);
    let (mut response, mut forwarded) = split(upstream);
    let mut first_bytes = [0; 1];
    tokio::select! {
        passed = copy(&mut request, &mut forwarded) => panic!("the client gave up: {passed:?}"),
        read = response.read(&mut first_bytes) => assert_eq!(read.unwrap(), 1),
    }
    forwarded.shutdown().await.unwrap();
}

/// Returns the number of requests with this method that the service received.
pub(crate) fn received(service: &Service, method: &str) -> usize {
    service.called.lock().unwrap().iter().filter(|(called, _)| called == method).count()
}

/// Returns the entity tag of the task.
async fn etag(client: &FamilyClient) -> EntityTag {
    client.tasks().update(&"open".parse().unwrap(), TaskChange::new()).await.unwrap().etag().unwrap().clone()
}

fn assert_in_doubt(error: &Error) {
    assert!(error.is_in_doubt() && !error.is_precondition_failed() && !error.was_not_sent(), "{error:?}");
    assert!(error.to_string().ends_with("; the call may have taken effect"), "{error}");
}

#[tokio::test]
async fn a_write_without_a_condition_is_not_retried_after_a_lost_response() {
    let service = Service::start().await;
    let task = "open".parse().unwrap();
    let column = "c".parse().unwrap();
    let update = client_through(Loss::Response, &service).await.tasks().update(&task, TaskChange::new().title("Mine"));
    assert_in_doubt(&update.await.unwrap_err());
    assert_eq!(received(&service, "PATCH"), 1);
    let moved = client_through(Loss::Response, &service).await.tasks().move_to(&task, &column, 1);
    assert_in_doubt(&moved.await.unwrap_err());
    assert_eq!(received(&service, "PATCH"), 2);
    let deletion = client_through(Loss::Response, &service).await.notes().delete(&"n".parse().unwrap());
    assert_in_doubt(&deletion.await.unwrap_err());
    assert_eq!(received(&service, "DELETE"), 1);

    let client = service.client(KeyMode::V1Read).await;
    let boards = client.read().tasks().filter(TaskFilter::All).await.unwrap();
    let tasks = boards[0].columns[0].tasks.iter().map(|task| (task.title.as_str(), task.order));
    assert_eq!(tasks.collect::<Vec<_>>(), [("Mine", 1), ("Done", 2)]);
    assert!(client.read().notes().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_retried_conditional_write_succeeds_if_the_request_was_lost() {
    let service = Service::start().await;
    let etag = etag(&service.client(KeyMode::V1ReadWrite).await).await;
    let client = client_through(Loss::Request, &service).await;
    let change = TaskChange::new().title("Mine");
    assert_eq!(client.tasks().update(&"open".parse().unwrap(), change).if_match(&etag).await.unwrap().title, "Mine");
}

#[tokio::test]
async fn a_conditional_update_with_a_lost_response_is_in_doubt() {
    let service = Service::start().await;
    let direct = service.client(KeyMode::V1ReadWrite).await;
    let task = "open".parse().unwrap();
    let column = "c".parse().unwrap();
    for is_move in [false, true] {
        let tasks = client_through(Loss::Response, &service).await.tasks();
        let call = if is_move {
            tasks.move_to(&task, &column, 7)
        } else {
            tasks.update(&task, TaskChange::new().title("Mine"))
        };
        let before = received(&service, "PATCH");
        let error = call.if_match(&etag(&direct).await).await.unwrap_err();
        assert_in_doubt(&error);
        assert_eq!((error.status(), error.code()), (Some(412), Some("precondition_failed")));
        // Two attempts, and the request that reads the tag.
        assert_eq!(received(&service, "PATCH") - before, 3);
    }
    let done = direct.tasks().update(&task, TaskChange::new()).await.unwrap();
    assert_eq!((done.title.as_str(), done.order), ("Mine", 7));
}

#[tokio::test]
async fn a_conditional_deletion_with_a_lost_response_is_in_doubt() {
    let service = Service::start().await;
    let direct = service.client(KeyMode::V1ReadWrite).await;
    let note = "n".parse().unwrap();
    let seen = direct.notes().update(&note, NoteChange::new()).await.unwrap();
    let client = client_through(Loss::Response, &service).await;
    let error = client.notes().delete(&note).if_match(seen.etag().unwrap()).await.unwrap_err();
    assert_in_doubt(&error);
    assert!(error.is_not_found() && received(&service, "DELETE") == 2, "{error:?}");
}

#[tokio::test]
async fn a_retry_that_is_not_sent_leaves_the_call_in_doubt() {
    let service = Service::start().await;
    let etag = etag(&service.client(KeyMode::V1ReadWrite).await).await;
    let client = client_through(Loss::ResponseAndProxy, &service).await;
    let change = TaskChange::new().title("Mine");
    let error = client.tasks().update(&"open".parse().unwrap(), change).if_match(&etag).await.unwrap_err();
    assert_in_doubt(&error);
    assert!(error.to_string().starts_with("could not connect to the service"), "{error}");
}

/// Returns the error of a conditional update whose attempts get these statuses in turn.
async fn error_after(statuses: &[u16]) -> Error {
    let server = server_returning_each(statuses.iter().map(|status| ResponseTemplate::new(*status))).await;
    let client = client_of(&server.uri());
    let call = client.tasks().update(&"t".parse().unwrap(), TaskChange::new());
    let error = call.if_match(&"\"1\"".parse().unwrap()).await.unwrap_err();
    assert_eq!(attempts(&server).await, statuses.len());
    error
}

#[tokio::test]
async fn an_attempt_in_doubt_puts_the_whole_call_in_doubt() {
    for (statuses, is_in_doubt) in [
        (&[412][..], false),
        (&[429, 412], false),
        (&[422], false),
        (&[500], true),
        (&[200], true),
        (&[503, 412], true),
        (&[503, 401], true),
        (&[503, 429, 412], true),
    ] {
        let error = error_after(statuses).await;
        assert_eq!(error.is_in_doubt(), is_in_doubt, "{statuses:?}");
        assert_eq!(error.is_precondition_failed(), error.status() == Some(412) && !is_in_doubt, "{statuses:?}");
    }
}

#[tokio::test]
async fn every_conditional_write_sends_if_match_and_reads_do_not() {
    let task = "t".parse().unwrap();
    let column = "c".parse().unwrap();
    let note = "n".parse().unwrap();
    let etag = "\"1\"".parse().unwrap();
    let server = server_returning(ResponseTemplate::new(404)).await;
    let client = client_of(&server.uri());
    let session = session_of(&server.uri());
    let mut writes = Vec::new();
    for tasks in [client.tasks(), session.tasks()] {
        writes.push(tasks.update(&task, TaskChange::new()).if_match(&etag).raw());
        writes.push(tasks.move_to(&task, &column, 0).if_match(&etag).raw());
    }
    for notes in [client.notes(), session.notes()] {
        writes.push(notes.update(&note, NoteChange::new()).if_match(&etag).raw());
        writes.push(notes.delete(&note).if_match(&etag).raw());
    }
    for write in writes {
        assert_eq!(write.await.unwrap_err().status(), Some(404));
    }
    assert_eq!(client.read().notes().await.unwrap_err().status(), Some(404));
    let mut sent = vec![Some("\"1\"".to_owned()); 8];
    sent.push(None);
    assert_eq!(received_headers(&server, "if-match").await, sent);
}

#[tokio::test]
async fn a_response_has_an_etag_only_if_it_is_a_strong_one() {
    for (sent, expected) in [(Some("\"1\""), Some("\"1\"")), (Some("W/\"1\""), None), (Some("odd"), None), (None, None)]
    {
        let response = ResponseTemplate::new(200).set_body_raw(A_NOTE, "application/json");
        let response = sent.into_iter().fold(response, |response, etag| response.insert_header("etag", etag));
        let server = server_returning(response).await;
        let client = client_of(&server.uri());
        let update = || client.notes().update(&"n".parse().unwrap(), NoteChange::new());
        assert_eq!(update().raw().await.unwrap().etag().map(EntityTag::as_str), expected);
        let updated = update().await.unwrap();
        assert_eq!(updated.etag().map(EntityTag::as_str), expected);
        assert_eq!(updated.into_record().title, "N");
    }
}
