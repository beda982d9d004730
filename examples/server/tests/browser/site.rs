//! A running server with a browser.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Mutex;
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use futures_util::FutureExt;
use tokio::time::timeout;

use crate::backend::Backend;
use crate::browser::Browser;
use crate::page::Page;
use crate::sandbox::{Sandbox, Server};
use crate::screenshot;
use crate::until::DEADLINE;

/// The time of a whole test. The browser does not answer every call if a dialog is open.
const TEST_DEADLINE: Duration = Duration::from_mins(5);

/// The server with the families of the tests, and a browser.
pub(crate) struct Site {
    pub(crate) server: Server,
    _sandbox: Sandbox,
    browser: Browser,
    profile: BrowserContextId,
    pages: Mutex<Vec<Page>>,
}

impl Site {
    async fn start() -> Self {
        let (sandbox, server) = Sandbox::with_families(Backend::Sqlite).await.served();
        let browser = Browser::start().await;
        let profile = browser.create_profile().await;
        browser.permit_clipboard(&profile).await;
        Self { server, _sandbox: sandbox, browser, profile, pages: Mutex::default() }
    }

    /// Runs a test. Then checks the logs of its pages. If the test fails, saves screenshots.
    pub(crate) async fn test(name: &str, body: impl AsyncFnOnce(&Self)) {
        let site = Self::start().await;
        let checked = async {
            timeout(TEST_DEADLINE, body(&site)).await.unwrap_or_else(|_| panic!("not within {TEST_DEADLINE:?}"));
            for page in site.pages() {
                assert_eq!(page.log.take(), [""; 0], "the log of {}", page.url().await);
            }
        };
        if let Err(failure) = AssertUnwindSafe(checked).catch_unwind().await {
            for (number, page) in site.pages().iter().enumerate() {
                // A tab with an open dialog returns no screenshot.
                let _ = timeout(DEADLINE, screenshot::save(page, &format!("failed-{name}-{number}"))).await;
            }
            resume_unwind(failure);
        }
    }

    /// Opens a path of the server in a new tab.
    pub(crate) async fn open(&self, path: &str) -> Page {
        self.open_in(&self.profile, path).await
    }

    /// Opens a path of the server in the browser of another person.
    pub(crate) async fn open_elsewhere(&self, path: &str) -> Page {
        self.open_in(&self.browser.create_profile().await, path).await
    }

    /// Returns the URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server.url)
    }

    async fn open_in(&self, profile: &BrowserContextId, path: &str) -> Page {
        let page = self.browser.open_tab(profile).await;
        self.pages.lock().unwrap().push(page.clone());
        page.open(&self.url(path)).await;
        page
    }

    fn pages(&self) -> Vec<Page> {
        self.pages.lock().unwrap().clone()
    }
}

/// Turns each `async fn name(site: &Site) { … }` into a test. It is ignored if the build found no Chromium.
macro_rules! browser_tests {
    ($(async fn $name:ident($site:ident: &Site) $body:block)*) => {$(
        family_api_testing::on_chromium! { crate::site::browser_test, async fn $name($site: &Site) $body }
    )*};
}
pub(crate) use browser_tests;

macro_rules! browser_test {
    ($(#[$attribute:meta])* async fn $name:ident($site:ident: &Site) $body:block) => {
        $(#[$attribute])*
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            crate::site::Site::test(stringify!($name), async |$site: &crate::site::Site| $body).await;
        }
    };
}
pub(crate) use browser_test;
