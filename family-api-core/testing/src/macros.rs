//! What stamps tests that need a server: ignored, and counted as such, where the build found none.

/// Calls a macro that stamps tests, with `#[ignore]` before its arguments where no server was found.
///
/// `on_postgres!(path::to::stamp, arguments…)` becomes `path::to::stamp! { arguments… }`, or else
/// `path::to::stamp! { #[ignore = "…"] arguments… }`. The attribute belongs on each test that is stamped. Where an `expr`
/// follows, which an attribute may begin too, the macro has to take attributes off first;
/// `FAMILY_API_TEST_POSTGRES=off` shows whether it does.
#[cfg(not(postgres_missing))]
#[macro_export]
macro_rules! on_postgres {
    ($($stamp:tt)::+, $($argument:tt)*) => {
        $($stamp)::+! { $($argument)* }
    };
}

/// Calls a macro that stamps tests, with `#[ignore]` before its arguments, since no server was found.
#[cfg(postgres_missing)]
#[macro_export]
macro_rules! on_postgres {
    ($($stamp:tt)::+, $($argument:tt)*) => {
        $($stamp)::+! { #[ignore = "no PostgreSQL server programs"] $($argument)* }
    };
}

/// Makes a test of each `async fn name() { … }`: on two threads, and ignored where no server was found.
///
/// The crate that uses it needs `tokio` with `macros` and `rt-multi-thread`.
#[macro_export]
macro_rules! postgres_tests {
    ($($(#[$attribute:meta])* async fn $name:ident() $body:block)*) => {
        $($crate::on_postgres! { $crate::postgres_test, $(#[$attribute])* async fn $name() $body })*
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! postgres_test {
    ($(#[$attribute:meta])* async fn $name:ident() $body:block) => {
        $(#[$attribute])*
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() $body
    };
}
