//! What Chromium reports about a page.

use std::mem;
use std::sync::{Arc, Mutex};

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::log::{EventEntryAdded, LogEntryLevel, LogEntrySource};
use chromiumoxide::cdp::js_protocol::runtime::{ConsoleApiCalledType, EventConsoleApiCalled, EventExceptionThrown};
use chromiumoxide::listeners::EventStream;
use futures_util::StreamExt;

/// The errors of scripts and the violations of policies in one page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    messages: Arc<Mutex<Vec<String>>>,
}

impl Log {
    pub(crate) async fn of(page: &Page) -> Self {
        let log = Self::default();
        log.keep(page.event_listener().await.unwrap(), violation);
        log.keep(page.event_listener().await.unwrap(), console_message);
        log.keep(page.event_listener().await.unwrap(), |thrown| Some(exception(thrown)));
        page.enable_log().await.unwrap();
        page.enable_runtime().await.unwrap();
        log
    }

    /// Returns the messages since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        mem::take(&mut self.messages.lock().unwrap())
    }

    fn keep<E>(&self, mut events: EventStream<E>, message: fn(&E) -> Option<String>)
    where
        E: chromiumoxide::cdp::IntoEventKind + Send + Sync + Unpin + 'static,
    {
        let messages = Arc::clone(&self.messages);
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                messages.lock().unwrap().extend(message(&event));
            }
        });
    }
}

/// Returns the text of a violation. The statuses of responses are also errors here, but the tests see them on the page.
fn violation(event: &EventEntryAdded) -> Option<String> {
    let is_fault = matches!(event.entry.level, LogEntryLevel::Error | LogEntryLevel::Warning);
    (is_fault && event.entry.source != LogEntrySource::Network).then(|| event.entry.text.clone())
}

fn console_message(event: &EventConsoleApiCalled) -> Option<String> {
    let is_fault = matches!(event.r#type, ConsoleApiCalledType::Error | ConsoleApiCalledType::Warning);
    is_fault.then(|| format!("{:?}", event.args))
}

fn exception(event: &EventExceptionThrown) -> String {
    let details = &event.exception_details;
    let description = details.exception.as_ref().and_then(|thrown| thrown.description.clone());
    description.unwrap_or_else(|| details.text.clone())
}
