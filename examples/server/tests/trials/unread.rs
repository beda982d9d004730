//! Large responses that no client reads: they take bounded memory, and the server still sends small responses.

use std::time::{Duration, Instant};

use family_api_testing::with;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::sleep;

use crate::client::with_token;
use crate::family;
use crate::figures::Figures;
use crate::process::{mebibytes, memory};
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};
use crate::short_or_long;

/// The number of notes of 800 KB. A document with all these notes has 6.4 MB.
const LARGE_NOTES: usize = 8;
/// The number of documents that the server builds before the peak memory is read for the first time.
const WARM_UP: usize = 20;
/// The `--max-unread` of the server, in MiB.
const MAX_UNREAD: u64 = 16;
/// The memory that the server can use in addition to unread responses, in KiB: to build documents, and as reserves of
/// the allocator.
const OVERHEAD: u64 = 64 * 1024;
/// The maximum time until the server sends large responses again.
const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn unread_responses_take_bounded_memory() {
    let clients = short_or_long(40, 400);
    let sandbox = family_with_notes(clients);
    let max_unread = MAX_UNREAD.to_string();
    let arguments = ["--rate-limit", "off", "--cache", "8", "--max-unread", &max_unread];
    let server = sandbox.serve_with(&arguments, &[("FAMILY_API_LOG", "error")]);
    let key = create_key(&server, &session_cookie(&server, "ana").await).await;
    let send = async |method, path: &str| with_token(&server, &key.token, method, path, None).await.status;
    for number in 0..WARM_UP {
        assert_eq!(send("DELETE", &format!("/api/v1/notes/small-{}", clients + number)).await, 200);
        assert_eq!(send("GET", "/api/v1/read/notes").await, 200);
    }
    let before = memory(server.id());

    let mut non_readers = Vec::new();
    for number in 0..clients {
        // Deleting a note makes the server build a new document.
        assert_eq!(send("DELETE", &format!("/api/v1/notes/small-{number}")).await, 200);
        non_readers.push(NonReader::send(&server, &key.token, "GET", "/api/v1/read/notes", "").await);
        let path = format!("/api/v1/notes/large-{}", number % LARGE_NOTES);
        non_readers.push(NonReader::send(&server, &key.token, "PATCH", &path, r#"{"pinned":true}"#).await);
    }
    let count_status = |status| non_readers.iter().filter(|client| client.status == status).count();
    assert_eq!(count_status(200) + count_status(503), 2 * clients);
    assert!(count_status(200) >= 3 && count_status(503) > clients, "{} responses with 200", count_status(200));
    assert_eq!(send("GET", "/api/v1/me").await, 200);
    assert_eq!(send("GET", "/api/v1/read/notes").await, 503);
    let after = memory(server.id());
    print(&non_readers, before, after);
    // Compares the peaks: the allocator returns memory at any moment, so the current memory before varies by 80 MiB.
    if let (Some([_, before]), Some([_, after])) = (before, after) {
        assert!(
            after.saturating_sub(before) < MAX_UNREAD * 1024 + OVERHEAD,
            "peak memory: {before} KiB before, {after} KiB after"
        );
    }

    drop(non_readers);
    let began = Instant::now();
    while send("GET", "/api/v1/read/notes").await != 200 {
        assert!(began.elapsed() < TIMEOUT, "large responses are still refused with 503");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Creates a family with large notes, and with one small note for each client and for each warm-up document.
fn family_with_notes(clients: usize) -> Sandbox {
    let large = (0..LARGE_NOTES).map(|number| {
        let note = family::note(&format!("large-{number}"), "rivera");
        with(note, json!({ "content": "😀".repeat(200_000) }))
    });
    let small = (0..clients + WARM_UP).map(|number| family::note(&format!("small-{number}"), "rivera"));
    Sandbox::on_sqlite().import_families().import_lines(large.chain(small))
}

/// A client that does not read its response.
struct NonReader {
    status: u16,
    _stream: TcpStream,
}

impl NonReader {
    /// Sends a request and peeks at the status without reading it from the socket.
    async fn send(server: &Server, token: &str, method: &str, path: &str, body: &str) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let mut stream = socket.connect(server.address().parse().unwrap()).await.unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = [0; 12];
        while stream.peek(&mut head).await.unwrap() < head.len() {}
        let status = head.strip_prefix(b"HTTP/1.1 ").unwrap();
        Self { status: std::str::from_utf8(status).unwrap().parse().unwrap(), _stream: stream }
    }
}

fn print(non_readers: &[NonReader], before: Option<[u64; 2]>, after: Option<[u64; 2]>) {
    let mut figures = Figures::new("Large responses that no client reads");
    figures.add("answered with 200", non_readers.iter().filter(|client| client.status == 200).count());
    figures.add("refused with 503", non_readers.iter().filter(|client| client.status == 503).count());
    if let (Some([_, before]), Some([_, after])) = (before, after) {
        figures.add("peak memory before / after", format!("{} / {}", mebibytes(before), mebibytes(after)));
    }
    figures.print();
}
