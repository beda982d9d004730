//! What a host decides about the page of keys and connections.

use std::sync::Arc;

use salvo::Router;

use super::keys::GetKeysPage;
use crate::html::{Layout, SignInPath};
use crate::{Methods, SessionAuthenticator};

/// The page on which users manage their keys and connections.
///
/// The page calls the session routes, so it works with the host's own sessions.
///
/// ```
/// use family_api_salvo::Pages;
///
/// let pages = Pages::at("/keys").sign_in_at("/login?next={return}".parse()?).sign_out_at("/logout");
/// # Ok::<(), family_api_salvo::html::InvalidSignInPath>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pages {
    path: String,
    sign_in: Option<SignInPath>,
    sign_out: Option<String>,
}

impl Pages {
    /// Mounts the page at this path.
    #[must_use]
    pub fn at(path: &str) -> Self {
        Self { path: path.to_owned(), sign_in: None, sign_out: None }
    }

    /// Sets the host's sign-in page, to which the page redirects visitors who are not signed in.
    ///
    /// Default: none. The page then says that the visitor is not signed in.
    #[must_use]
    pub fn sign_in_at(mut self, path: SignInPath) -> Self {
        self.sign_in = Some(path);
        self
    }

    /// Adds a link to the host's sign-out page. The path is relative to where the routes are mounted. Default: none.
    #[must_use]
    pub fn sign_out_at(mut self, path: &str) -> Self {
        self.sign_out = Some(path.to_owned());
        self
    }

    pub(crate) fn router(&self, layout: &Layout, session: &Arc<dyn SessionAuthenticator>) -> Router {
        let page = GetKeysPage { pages: self.clone(), layout: layout.clone(), session: Arc::clone(session) };
        Methods::new().get(page).at(self.path.trim_matches('/'))
    }
}
