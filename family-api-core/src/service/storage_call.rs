//! Traces the calls of the storage.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{Instrument, debug_span, warn};

/// A storage call that takes longer is logged as a warning.
const SLOW: Duration = Duration::from_millis(250);

/// A call of the storage.
pub(super) trait StorageCall: Future + Sized {
    /// Runs the call in the span `storage`, and logs a warning if the call is slow. `method` is the method of the
    /// storage trait.
    async fn traced(self, method: &'static str) -> Self::Output {
        let began = Instant::now();
        let output = self.instrument(debug_span!("storage", method)).await;
        let took = began.elapsed();
        if took > SLOW {
            warn!(method, milliseconds = took.as_millis(), "slow storage call");
        }
        output
    }
}

impl<F: Future> StorageCall for F {}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tokio::time::sleep;
    use tracing_subscriber::fmt::format::FmtSpan;

    use super::*;

    /// Returns what a call of this length logs.
    async fn log_of_call(length: Duration) -> String {
        let log = Arc::new(Mutex::new(Vec::new()));
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_span_events(FmtSpan::NEW)
            .with_ansi(false)
            .with_writer(Buffer(log.clone()))
            .finish();
        let guard = tracing::subscriber::set_default(subscriber);
        sleep(length).traced("list_notes").await;
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
        let log = log_of_call(SLOW).await;
        assert!(log.contains(r#"storage{method="list_notes"}: "#), "{log}");
        assert!(!log.contains("slow storage call"), "{log}");

        let log = log_of_call(SLOW + Duration::from_millis(1)).await;
        assert!(
            log.contains("WARN") && log.contains(r#"slow storage call method="list_notes" milliseconds=251"#),
            "{log}"
        );
    }
}
