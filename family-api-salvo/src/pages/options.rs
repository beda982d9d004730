//! What a host decides about the page of keys and connections, and about the page of deleted records.

use crate::html::SignInPage;

/// The page on which users manage their keys, connections and calendar feeds.
///
/// The page calls the session routes, so it works with the host's own sessions. A link can prefill the form that
/// creates a key: `/keys?name=Home%20Assistant&mode=mcp_read`, or the one that creates a calendar feed:
/// `/keys?feed=Family&shows=both&detail=full`. It never creates anything by itself.
///
/// ```
/// use family_api_salvo::Pages;
///
/// let pages = Pages::at("/keys").deleted_at("/deleted").sign_in_at("/login?next={return}").sign_out_at("/logout");
/// ```
#[derive(Debug, Clone)]
pub struct Pages {
    pub(crate) path: String,
    /// The path of the page of deleted records. `None` if it is not mounted.
    pub(crate) deleted: Option<String>,
    pub(super) sign_in: Option<SignInPage>,
    pub(super) sign_out: Option<String>,
}

impl Pages {
    /// Creates the page at a path, relative to where the routes are mounted.
    #[must_use]
    pub fn at(path: &str) -> Self {
        Self { path: path.to_owned(), deleted: None, sign_in: None, sign_out: None }
    }

    /// Adds the page from which users bring back what was deleted in the last 30 days, at a path relative to where the
    /// routes are mounted. It is not mounted if the storage keeps no deleted records.
    ///
    /// Default: none.
    #[must_use]
    pub fn deleted_at(mut self, path: &str) -> Self {
        self.deleted = Some(path.to_owned());
        self
    }

    /// Sets the URL of the host's sign-in page. Visitors who are not signed in are redirected to it. `{return}` in it
    /// is replaced by the percent-encoded path to which the user returns.
    ///
    /// Default: none. The page then only says that the visitor is not signed in.
    #[must_use]
    pub fn sign_in_at(mut self, url: impl Into<String>) -> Self {
        self.sign_in = Some(SignInPage(url.into()));
        self
    }

    /// Adds a link to the URL of the host's sign-out page. Default: none.
    #[must_use]
    pub fn sign_out_at(mut self, url: impl Into<String>) -> Self {
        self.sign_out = Some(url.into());
        self
    }
}
