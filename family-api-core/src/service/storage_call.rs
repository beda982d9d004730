//! Traces and measures the calls of the storage.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{Instrument, debug_span, trace, warn};

use crate::storage::{CALL_TARGET, StorageError};

/// A storage call that takes longer is logged as a warning.
const SLOW: Duration = Duration::from_millis(250);

/// A call of a storage. The API traces all its calls. A host can trace its own, such as those of its sign-in.
pub trait StorageCall<T>: Future<Output = Result<T, StorageError>> + Sized {
    /// Runs the call in the span `storage`, emits an event with [`CALL_TARGET`], and logs a warning if the call takes
    /// more than 250 ms. `method` is the name of the storage trait's method.
    #[expect(async_fn_in_trait, reason = "the only implementation is below, so callers see that the future is `Send`")]
    async fn traced(self, method: &'static str) -> Self::Output {
        let began = Instant::now();
        let output = self.instrument(debug_span!("storage", method)).await;
        report(method, output.as_ref().err().map_or("ok", StorageError::kind), began.elapsed());
        output
    }
}

impl<F: Future<Output = Result<T, StorageError>>, T> StorageCall<T> for F {}

/// Apart from [`StorageCall::traced`], which the binary contains once for each call: a kilobyte less for each of them.
#[inline(never)]
fn report(method: &'static str, outcome: &'static str, took: Duration) {
    trace!(
        target: CALL_TARGET,
        outcome,
        nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX),
        method,
    );
    if took > SLOW {
        warn!(method, milliseconds = took.as_millis(), "slow storage call");
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tokio::time::sleep;
    use tracing::Level;
    use tracing_subscriber::fmt::format::FmtSpan;

    use super::*;

    /// Returns what a call of this length logs.
    async fn log_of_call(length: Duration, level: Level, outcome: Result<(), StorageError>) -> String {
        let log = Arc::new(Mutex::new(Vec::new()));
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_span_events(FmtSpan::NEW)
            .with_ansi(false)
            .with_writer(Buffer(log.clone()))
            .finish();
        let guard = tracing::subscriber::set_default(subscriber);
        let call = async {
            sleep(length).await;
            outcome
        };
        let _ = call.traced("list_notes").await;
        drop(guard);
        String::from_utf8(log.lock().unwrap().clone()).unwrap()
    }

    #[derive(Clone)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl tracing_subscriber::fmt::MakeWriter<'_> for Buffer {
        type Writer = Self;

        fn make_writer(&self) -> Self {
            self.clone()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_call_has_a_span_and_only_a_slow_call_a_warning() {
        let log = log_of_call(SLOW, Level::DEBUG, Ok(())).await;
        assert!(log.contains(r#"storage{method="list_notes"}: "#), "{log}");
        assert!(!log.contains("slow storage call"), "{log}");

        let log = log_of_call(SLOW + Duration::from_millis(1), Level::DEBUG, Ok(())).await;
        assert!(
            log.contains("WARN") && log.contains(r#"slow storage call method="list_notes" milliseconds=251"#),
            "{log}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_event_of_a_call_has_its_method_outcome_and_time() {
        for (outcome, name) in [
            (Ok(()), "ok"),
            (Err(StorageError::unavailable("canary")), "unavailable"),
            (Err(StorageError::corrupt("canary")), "corrupt"),
            (Err(StorageError::backend("canary")), "failed"),
        ] {
            let log = log_of_call(Duration::from_millis(2), Level::TRACE, outcome).await;
            let event = format!(r#"{CALL_TARGET}: outcome="{name}" nanoseconds=2000000 method="list_notes""#);
            assert!(log.contains("TRACE") && log.contains(&event), "{log}");
            assert!(!log.contains("canary"), "{log}");
        }
    }
}
