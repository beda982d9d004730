//! The HTML of all pages: the layout, the style sheet, the security headers and the texts in all languages.
//!
//! A page is written with [`maud`], which escapes every value that is not [`Markup`]. Pages contain no
//! inline script and no inline style, and load nothing from other hosts.

#[cfg(any(feature = "pages", feature = "oauth"))]
mod access;
mod assets;
mod assistants;
mod brand;
mod color;
mod content_security_policy;
mod error_pages;
mod language;
mod layout;
mod page;
#[cfg(any(feature = "pages", feature = "oauth"))]
mod sign_in_page;
pub(crate) mod text;
mod view;

#[cfg(any(feature = "pages", feature = "oauth"))]
pub(crate) use access::AccessWords;
pub(crate) use assets::ASSET;
pub use assistants::Assistant;
pub use brand::Brand;
pub use color::{Color, InvalidColor};
#[cfg(feature = "oauth")]
pub(crate) use content_security_policy::FormAction;
pub use error_pages::{ErrorPages, accepts_html};
pub use language::Language;
pub use layout::Layout;
pub use maud::Markup;
pub use page::Page;
#[cfg(any(feature = "pages", feature = "oauth"))]
pub(crate) use sign_in_page::SignInPage;
pub use view::View;
