//! The layout that all pages share.

use std::sync::Arc;

use super::assets::{Assets, GetAsset};
use super::brand::Brand;

/// Renders pages of one [`Brand`].
///
/// A host can render its own pages in the same look, such as its sign-in page. The routes of
/// [`FamilyRoutes`](crate::FamilyRoutes) must be mounted with the same brand, because they serve the style sheet.
#[derive(Debug, Clone)]
pub struct Layout {
    pub(super) brand: Arc<Brand>,
    pub(super) assets: Arc<Assets>,
    /// The path of the page of keys and connections, relative to where the routes are mounted. `None` if there is none.
    #[cfg(feature = "oauth")]
    pub(super) keys_page: Option<Arc<str>>,
}

impl Layout {
    /// Creates the layout, its style sheet and its icon.
    #[must_use]
    pub fn new(brand: Brand) -> Self {
        Self {
            assets: Arc::new(Assets::new(&brand)),
            brand: Arc::new(brand),
            #[cfg(feature = "oauth")]
            keys_page: None,
        }
    }

    /// Sets the path of the page of keys and connections, to which other pages then link.
    #[cfg(all(feature = "pages", feature = "oauth"))]
    pub(crate) fn with_keys_page(mut self, path: &str) -> Self {
        self.keys_page = Some(path.into());
        self
    }

    pub(crate) fn assets_handler(&self) -> GetAsset {
        GetAsset { assets: Arc::clone(&self.assets) }
    }
}
