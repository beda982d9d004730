//! The mounted router over a real storage with two families in it.

mod answer;
mod app;
mod faulty;
mod fixture;
mod schema;
mod session;
mod socket;

pub(crate) use answer::{Answer, send};
pub(crate) use app::{App, NOW, anonymous, bearer, session};
pub(crate) use faulty::FaultyStorage;
pub(crate) use fixture::token;
pub(crate) use schema::fits;
pub(crate) use session::CookieUser;
pub(crate) use socket::Socket;

/// Stamps each test on memory and on SQLite.
macro_rules! on_every_storage {
    ($(async fn $name:ident($app:ident: App) $body:block)+) => {
        $(async fn $name($app: crate::support::App) $body)+

        mod on_memory {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::support::App::on_memory().await).await;
            })+
        }

        mod on_sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::support::App::on_sqlite().await).await;
            })+
        }
    };
}
pub(crate) use on_every_storage;
