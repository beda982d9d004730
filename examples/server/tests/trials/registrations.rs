//! A flood of registrations: none is stored, and memory does not grow.

use std::cell::Cell;
use std::time::Instant;

use futures_util::future::join_all;
use serde_json::json;

use crate::client::{request, send, with_body};
use crate::figures::Figures;
use crate::process::{mebibytes, memory};
use crate::rows::rows;
use crate::sandbox::{Sandbox, Server};
use crate::short_or_long;

/// The number of concurrent connections.
const CONNECTIONS: usize = 16;
/// The maximum growth of memory, in KiB. One byte for each of a million registrations would be 977 KiB.
const MAX_GROWTH: u64 = 8 * 1024;

#[tokio::test]
async fn registrations_grow_neither_tables_nor_memory() {
    let sandbox = Sandbox::on_sqlite().import_families();
    let options = ["--public-url", "https://family.example", "--rate-limit", "off"];
    let server = sandbox.serve_with(&options, &[("FAMILY_API_LOG", "error")]);
    // Warm up: the memory that the first requests allocate is not released.
    let first = short_or_long(1_000, 50_000);
    register(&server, 0, first).await;
    let (memory_before, rows_before) = (memory(server.id()), rows(&sandbox).await);
    let began = Instant::now();
    let count = short_or_long(5_000, 1_000_000);
    register(&server, first, count).await;
    let (took, rows_after) = (began.elapsed(), rows(&sandbox).await);
    assert_eq!(rows_before, rows_after);
    let mut figures = Figures::new(format!("{count} registrations"));
    figures.add("took", format!("{:.1} s", took.as_secs_f64()));
    figures.add(
        "rows of all tables before / after",
        format!("{} / {}", rows_before.values().sum::<i64>(), rows_after.values().sum::<i64>()),
    );
    if let (Some([before, _]), Some([after, peak])) = (memory_before, memory(server.id())) {
        figures.add("memory before / after", format!("{} / {}", mebibytes(before), mebibytes(after)));
        figures.add("peak memory", mebibytes(peak));
        assert!(after.saturating_sub(before) < MAX_GROWTH, "memory: {before} KiB before, {after} KiB after");
    }
    figures.print();
}

/// Registers `count` clients with different names and addresses, from the number `first` on.
async fn register(server: &Server, first: u32, count: u32) {
    let next = Cell::new(first);
    let clients = (0..CONNECTIONS).map(|_| async {
        while next.get() < first + count {
            let number = next.replace(next.get() + 1);
            let body = json!({
                "client_name": format!("Client {number}"),
                "redirect_uris": [format!("https://client.example/callback/{number}")],
            });
            let answer = send(with_body(request(server, "POST", "/oauth/register"), Some(body))).await;
            assert_eq!(answer.status, 201, "{answer:?}");
        }
    });
    join_all(clients).await;
}
