//! More requests than the server can serve: the surplus is refused at once, and later requests succeed.

use std::cell::Cell;
use std::time::{Duration, Instant};

use futures_util::future::join_all;

use crate::answers::is_retry_later;
use crate::client::with_token;
use crate::family::task;
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

/// The number of tasks in the document that all requests read.
const TASKS: usize = 150;
/// The number of callers. Each one sends its next request after the response.
const CALLERS: usize = 512;
const DURATION: Duration = Duration::from_secs(1);

#[tokio::test]
async fn overload_is_shed_and_later_requests_succeed() {
    let tasks = (0..TASKS).map(|number| task(&format!("t{number}"), "todo"));
    let sandbox = Sandbox::on_sqlite().import_families().import_lines(tasks);
    // Cached responses are faster than these clients can send requests.
    let server = sandbox.serve_with(&["--cache", "off", "--rate-limit", "off"], &[("FAMILY_API_LOG", "error")]);
    let key = create_key(&server, &session_cookie(&server, "ana").await).await;
    let read = async || with_token(&server, &key.token, "GET", "/api/v1/read/tasks", None).await;
    let [answered, shed] = [Cell::new(0), Cell::new(0)];
    let began = Instant::now();
    let callers = (0..CALLERS).map(|_| async {
        while began.elapsed() < DURATION {
            let answer = read().await;
            assert!(answer.status == 200 || is_retry_later(&answer), "{answer:?}");
            answered.update(|count| count + u32::from(answer.status == 200));
            shed.update(|count| count + u32::from(answer.status == 503));
        }
    });
    join_all(callers).await;
    assert!(answered.get() > 0 && shed.get() > 0, "{} answered, {} refused with 503", answered.get(), shed.get());
    for _ in 0..20 {
        assert_eq!(read().await.status, 200);
    }
}
