//! nginx and Caddy in front of running servers, with the configurations of the folder `deploy`.

pub(crate) mod caddy;
pub(crate) mod clients;
pub(crate) mod nginx;
mod program;

pub(crate) use program::Proxy;

/// Makes a test of `name = future`, which needs PostgreSQL and nginx. It is ignored if one of them is not installed.
macro_rules! on_postgres_behind_nginx {
    ($name:ident = $test:expr) => {
        family_api_testing::on_web_proxies! { crate::proxies::on_postgres_unless_ignored, $name = $test }
    };
}
pub(crate) use on_postgres_behind_nginx;

macro_rules! on_postgres_unless_ignored {
    (#[$ignored:meta] $name:ident = $test:expr) => {
        crate::backend::async_test! { #[$ignored] $name = $test }
    };
    ($name:ident = $test:expr) => {
        family_api_testing::on_postgres! { crate::backend::async_test, $name = $test }
    };
}
pub(crate) use on_postgres_unless_ignored;
