//! Starts Chromium.

use chromiumoxide::cdp::browser_protocol::browser::{
    BrowserContextId, PermissionDescriptor, PermissionSetting, SetPermissionParams,
};
use chromiumoxide::cdp::browser_protocol::target::{CreateBrowserContextParams, CreateTargetParams};
use chromiumoxide::{Browser as Chromium, BrowserConfig};
use family_api_testing::chromium;
use futures_util::StreamExt;
use tempfile::TempDir;

use crate::page::Page;

/// A running browser. It is killed when dropped.
pub(crate) struct Browser {
    chromium: Chromium,
    /// Contains the profile. It is removed after the browser is killed, because fields are dropped in this order.
    _folder: TempDir,
}

impl Browser {
    pub(crate) async fn start() -> Self {
        let Some(program) = chromium::find() else { panic!("{} was found", chromium::NO_CHROMIUM) };
        let folder = tempfile::tempdir().unwrap();
        // Chromium needs namespaces for its sandbox, which containers often refuse, and it refuses a sandbox for root.
        let config = BrowserConfig::builder()
            .chrome_executable(program)
            .user_data_dir(folder.path().join("profile"))
            .new_headless_mode()
            .viewport(None)
            .no_sandbox()
            .build();
        let (chromium, mut events) = Chromium::launch(config.unwrap()).await.unwrap();
        // An event that the library does not know is an error, but the browser works on.
        tokio::spawn(async move { while events.next().await.is_some() {} });
        Self { chromium, _folder: folder }
    }

    /// Creates a profile with no cookies, which is separate from the other profiles.
    pub(crate) async fn create_profile(&self) -> BrowserContextId {
        self.chromium.create_browser_context(CreateBrowserContextParams::default()).await.unwrap()
    }

    /// Opens an empty tab.
    pub(crate) async fn open_tab(&self, profile: &BrowserContextId) -> Page {
        let mut tab = CreateTargetParams::new("about:blank");
        tab.browser_context_id = Some(profile.clone());
        Page::new(self.chromium.new_page(tab).await.unwrap()).await
    }

    /// Permits the pages of a profile to read what they copied.
    pub(crate) async fn permit_clipboard(&self, profile: &BrowserContextId) {
        let read = PermissionDescriptor::new("clipboard-read");
        let mut permission = SetPermissionParams::new(read, PermissionSetting::Granted);
        permission.browser_context_id = Some(profile.clone());
        self.chromium.execute(permission).await.unwrap();
    }
}
