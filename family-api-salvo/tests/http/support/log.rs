//! The log of the tests of one binary.

use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};

use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;

/// The log of this process at all levels, from the first access to this static. All tests share one global subscriber,
/// because tracing caches for the whole process whether a call site is enabled.
pub(crate) static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false);
    // Also logs the fields of spans in which nothing is logged.
    let subscriber = subscriber.with_span_events(FmtSpan::NEW);
    tracing::subscriber::set_global_default(subscriber.with_max_level(tracing::Level::TRACE).finish()).unwrap();
    log
});

#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

impl Log {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }

    #[track_caller]
    pub(crate) fn assert_line_with(&self, parts: &[&str]) {
        let text = self.text();
        assert!(text.lines().any(|line| parts.iter().all(|part| line.contains(part))), "{parts:?}");
    }
}
