//! A tool ends with its request.

use std::pin::pin;
use std::sync::Arc;

use family_api_salvo::ToolName;
use futures_util::future::{Either, select};
use salvo::http::StatusCode;
use serde_json::json;
use tokio::task::yield_now;

use crate::client::{V1, call_raw, mcp, modern};
use crate::fault_injection::{Fault, FaultInjection};
use crate::support::App;

/// The numbers of the storage calls of `complete_tasks`: the lookup of the key, the read, and a write for each task.
const READ: usize = 2;
const FIRST_WRITE: usize = 3;

async fn app() -> (App, Arc<FaultInjection>) {
    let storage = Arc::new(FaultInjection::in_memory().await);
    (mcp(&App::without_document_cache(storage.clone())), storage)
}

#[tokio::test]
async fn dropped_request_makes_no_further_storage_calls() {
    for number in [READ, FIRST_WRITE] {
        let (app, storage) = app().await;
        storage.set_fault(Some((number, Fault::Slow)));
        let ids = json!({ "ids": ["task-berg", "task-tal", "missing"] });
        let request = Box::pin(call_raw(&app, "ann-rw", V1, "complete_tasks", ids));
        let reached = pin!(async {
            while storage.calls() < number {
                yield_now().await;
            }
        });
        let Either::Right(((), request)) = select(request, reached).await else {
            panic!("the request ended before storage call {number}");
        };
        drop(request);
        // The slow call ends after 100 yields if something still polls it.
        for _ in 0..1_000 {
            yield_now().await;
        }
        assert_eq!(storage.calls(), number);
    }
}

#[tokio::test(start_paused = true)]
async fn tool_that_takes_too_long_is_a_problem_with_its_name() {
    let (app, storage) = app().await;
    storage.set_fault(Some((READ, Fault::Hang)));
    let request = modern("ann-rw", V1, "tools/call", json!({ "name": "list_tasks" }));
    let response = request.send(&app.service).await;
    assert_eq!(response.status_code, Some(StatusCode::SERVICE_UNAVAILABLE));
    assert_eq!(ToolName::of(&response), Some("list_tasks"));
}
