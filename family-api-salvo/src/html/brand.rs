//! What a host can change in the look of the pages.

use super::color::Color;

/// The accent colour of the pages by default.
const ACCENT: Color = Color::new(0x1e, 0x6b, 0x52);

/// The maximum length of a product name, in characters.
const MAX_NAME: usize = 60;

/// The name and look of the product on the pages.
///
/// ```
/// use family_api_salvo::html::Brand;
///
/// let brand = Brand::new("Rivera Home").accent("#7a3e9d".parse()?).logo("/static/logo.svg").link_back("/", "Home");
/// # Ok::<(), family_api_salvo::html::InvalidColor>(())
/// ```
#[derive(Debug, Clone)]
pub struct Brand {
    pub(super) name: String,
    pub(super) accent: Color,
    pub(super) logo: Option<String>,
    pub(super) back: Option<LinkBack>,
}

/// A link to the host's own pages.
#[derive(Debug, Clone)]
pub(super) struct LinkBack {
    pub(super) path: String,
    pub(super) label: String,
}

impl Brand {
    /// Creates a brand with the name of the product. A name of more than 60 characters is cut off.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.chars().take(MAX_NAME).collect(), accent: ACCENT, logo: None, back: None }
    }

    /// Sets the colour of buttons, links and the icon. Default: green.
    ///
    /// The pages darken or lighten the colour where it would be hard to read.
    #[must_use]
    pub fn accent(mut self, color: Color) -> Self {
        self.accent = color;
        self
    }

    /// Sets the path of an image of the same origin, which replaces the icon. A path that could lead to another origin
    /// is ignored: browsers would refuse to load the image.
    #[must_use]
    pub fn logo(mut self, path: &str) -> Self {
        self.logo = is_own_path(path).then(|| path.to_owned());
        self
    }

    /// Adds a link to a page of the same origin. A path that could lead to another origin is ignored.
    #[must_use]
    pub fn link_back(mut self, path: &str, label: &str) -> Self {
        self.back = is_own_path(path).then(|| LinkBack { path: path.to_owned(), label: label.to_owned() });
        self
    }
}

/// The name `Family`, without a logo.
impl Default for Brand {
    fn default() -> Self {
        Self::new("Family")
    }
}

/// Returns whether a link target is a path of the own origin. Browsers treat `\` like `/`, and drop control characters.
pub(super) fn is_own_path(path: &str) -> bool {
    path.starts_with('/') && !path.starts_with("//") && !path.contains(|char: char| char == '\\' || char.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logo_and_link_must_be_paths_of_the_own_origin() {
        for own in ["/", "/static/logo.svg", "/a?b=//c"] {
            assert!(is_own_path(own), "{own}");
        }
        for other in ["", "logo.svg", "//evil.example", "/\\evil.example", "/\t/evil.example", "https://evil.example"] {
            let brand = Brand::default().logo(other).link_back(other, "Home");
            assert!(brand.logo.is_none() && brand.back.is_none(), "{other}");
        }
    }
}
