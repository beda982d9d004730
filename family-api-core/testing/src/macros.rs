//! Macros for tests that need a server. The tests are ignored if the build found no server programs.

/// Calls a macro that generates tests. Adds `#[ignore]` before its arguments if no server was found.
///
/// `on_postgres!(path::to::tests, arguments…)` becomes `path::to::tests! { arguments… }`, or
/// `path::to::tests! { #[ignore = "…"] arguments… }` without a server. The called macro must put the attribute on each
/// generated test. If its next argument is an `expr`, it must parse the attributes first, because an expression can
/// also start with an attribute. Check this with `FAMILY_API_TEST_POSTGRES=off`.
#[cfg(not(postgres_missing))]
#[macro_export]
macro_rules! on_postgres {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { $($argument)* }
    };
}

/// Calls a macro that generates tests. Adds `#[ignore]` before its arguments, because no server was found.
#[cfg(postgres_missing)]
#[macro_export]
macro_rules! on_postgres {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { #[ignore = "no PostgreSQL server programs"] $($argument)* }
    };
}

/// Turns each `async fn name() { … }` into a test with two worker threads. It is ignored if no server was found.
///
/// The calling crate needs `tokio` with the features `macros` and `rt-multi-thread`.
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

/// Calls a macro that generates tests on a Citus cluster, like [`on_postgres!`]. Adds `#[ignore]` before its arguments
/// if the build knew no cluster.
#[cfg(not(citus_missing))]
#[macro_export]
macro_rules! on_citus {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { $($argument)* }
    };
}

/// Calls a macro that generates tests on a Citus cluster. Adds `#[ignore]` before its arguments, because there is no
/// cluster.
#[cfg(citus_missing)]
#[macro_export]
macro_rules! on_citus {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { #[ignore = "no Citus cluster"] $($argument)* }
    };
}

/// Calls a macro that generates tests with `promtool`, like [`on_postgres!`]. Adds `#[ignore]` before its arguments if
/// the build did not find the program.
#[cfg(not(promtool_missing))]
#[macro_export]
macro_rules! on_promtool {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { $($argument)* }
    };
}

/// Calls a macro that generates tests with `promtool`. Adds `#[ignore]` before its arguments, because the program is
/// missing.
#[cfg(promtool_missing)]
#[macro_export]
macro_rules! on_promtool {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { #[ignore = "no promtool"] $($argument)* }
    };
}

/// Calls a macro that generates tests in a browser, like [`on_postgres!`]. Adds `#[ignore]` before its arguments if the
/// build found no Chromium.
#[cfg(not(chromium_missing))]
#[macro_export]
macro_rules! on_chromium {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { $($argument)* }
    };
}

/// Calls a macro that generates tests in a browser. Adds `#[ignore]` before its arguments, because there is no
/// Chromium.
#[cfg(chromium_missing)]
#[macro_export]
macro_rules! on_chromium {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { #[ignore = "no Chromium"] $($argument)* }
    };
}

/// Calls a macro that generates tests with axe-core, like [`on_postgres!`]. Adds `#[ignore]` before its arguments if
/// the build found no Chromium or no axe-core.
#[cfg(not(axe_missing))]
#[macro_export]
macro_rules! on_axe {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { $($argument)* }
    };
}

/// Calls a macro that generates tests with axe-core. Adds `#[ignore]` before its arguments, because Chromium or
/// axe-core is missing.
#[cfg(axe_missing)]
#[macro_export]
macro_rules! on_axe {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { #[ignore = "no Chromium or no axe-core"] $($argument)* }
    };
}

/// Calls a macro that generates tests behind nginx and Caddy, like [`on_postgres!`]. Adds `#[ignore]` before its
/// arguments if the build did not find both programs.
#[cfg(not(web_proxies_missing))]
#[macro_export]
macro_rules! on_web_proxies {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { $($argument)* }
    };
}

/// Calls a macro that generates tests behind nginx and Caddy. Adds `#[ignore]` before its arguments, because one of the
/// programs is missing.
#[cfg(web_proxies_missing)]
#[macro_export]
macro_rules! on_web_proxies {
    ($($test_macro:tt)::+, $($argument:tt)*) => {
        $($test_macro)::+! { #[ignore = "no nginx or no Caddy"] $($argument)* }
    };
}
