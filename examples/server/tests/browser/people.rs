//! What people do on several pages.

use crate::family::PASSWORD;
use crate::page::Page;
use crate::site::Site;

impl Site {
    /// Signs in a user of the families of the tests, and opens the page of keys and connections.
    pub(crate) async fn open_keys_of(&self, user: &str) -> Page {
        let page = self.open("/keys").await;
        page.sign_in(user).await;
        page.wait_for("Signed in as").await;
        page
    }
}

impl Page {
    /// Fills in the sign-in page and sends it.
    pub(crate) async fn sign_in(&self, user: &str) {
        self.sign_in_with(&format!("{user}@family.example"), PASSWORD).await;
    }

    pub(crate) async fn sign_in_with(&self, email: &str, password: &str) {
        self.fill("E-mail address", email).await;
        self.fill("Password", password).await;
        self.click("button", "Sign in").await;
    }

    pub(crate) async fn sign_out(&self) {
        self.click("link", "Sign out").await;
        self.click("button", "Sign out").await;
        self.wait_for("You are signed out").await;
    }
}
