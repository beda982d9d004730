//! More requests than the server can serve: the surplus is refused at once, and later requests succeed.

use std::cell::Cell;
use std::time::{Duration, Instant};

use futures_util::future::join_all;

use crate::family::{self, task};
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};
use crate::wire::{Connection, with_token};

/// The number of tasks in the document that all requests read.
const TASKS: usize = 150;
/// The number of callers. Each one sends its next request after the response.
const CALLERS: usize = 512;
const DURATION: Duration = Duration::from_secs(1);

#[tokio::test]
async fn overload_is_shed_and_later_requests_succeed() {
    let mut lines = family::lines();
    lines.extend((0..TASKS).map(|number| task(&format!("t{number}"), "todo").to_string()));
    let sandbox = Sandbox::on_sqlite().import_lines(&lines);
    // Cached responses are faster than these clients can send requests.
    let server = sandbox.serve_with(&["--cache", "off", "--rate-limit", "off"], &[("FAMILY_API_LOG", "error")]);
    let key = create_key(&server, &session_cookie(&server, "ana").await).await;
    let request = || with_token(&key.token, "GET", "/api/v1/read/tasks", None);
    let [answered, shed] = [Cell::new(0), Cell::new(0)];
    let began = Instant::now();
    let callers = (0..CALLERS).map(|_| async {
        let mut connection = Connection::open(server.address()).await.unwrap();
        while began.elapsed() < DURATION {
            let reply = connection.send(request()).await.unwrap();
            assert!(reply.status == 200 || reply.is_retry_later(), "{reply:?}");
            answered.update(|count| count + u32::from(reply.status == 200));
            shed.update(|count| count + u32::from(reply.status == 503));
        }
    });
    join_all(callers).await;
    assert!(answered.get() > 0 && shed.get() > 0, "{} answered, {} refused with 503", answered.get(), shed.get());
    let mut connection = Connection::open(server.address()).await.unwrap();
    for _ in 0..20 {
        assert_eq!(connection.send(request()).await.unwrap().status, 200);
    }
}
