//! What a page needs to know about its request.

#[cfg(feature = "oauth")]
use maud::{Markup, html};
use salvo::Request;
use salvo::http::Method;

use super::language::{self, Language};
use super::layout::Layout;
use super::text::Text;

/// The layout, the language and the relative links for one request.
#[derive(Debug)]
pub struct View {
    pub(super) layout: Layout,
    language: Language,
    /// The tag of the language with the region of the browser, such as `en-GB`.
    pub(super) regional_tag: String,
    /// The relative path from the page to where the routes are mounted: empty or `../…`.
    root: String,
    /// The links that select another language. Empty if the page answers a form, because it has no address.
    pub(super) language_links: Vec<(Language, String)>,
    /// The language that the query selects, which a cookie keeps.
    pub(super) selected: Option<Language>,
}

impl Layout {
    /// Returns the view for a request. `path` is the path of the route, relative to where [`FamilyRoutes`] are mounted,
    /// such as `/login`. From it follow the relative links of the page.
    ///
    /// [`FamilyRoutes`]: crate::FamilyRoutes
    #[must_use]
    pub fn view(&self, req: &Request, path: &str) -> View {
        let depth = path.trim_matches('/').matches('/').count();
        let is_page = matches!(*req.method(), Method::GET | Method::HEAD);
        let language = Language::of(req);
        View {
            layout: self.clone(),
            language,
            regional_tag: language.regional_tag(req),
            root: "../".repeat(depth),
            language_links: if is_page { language_links(req) } else { Vec::new() },
            selected: Language::requested(req),
        }
    }
}

impl View {
    /// Returns the language of the page.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns the texts in the language of the page.
    pub(crate) fn text(&self) -> &'static Text {
        Text::of(self.language)
    }

    /// Returns a link relative to the page. `path` is relative to where the routes are mounted, such as `/login`.
    #[must_use]
    pub fn link(&self, path: &str) -> String {
        let path = path.trim_start_matches('/');
        if path.is_empty() && self.root.is_empty() { "./".to_owned() } else { format!("{}{path}", self.root) }
    }

    /// Renders the name of the page of keys and connections, as a link if the page is mounted.
    #[cfg(feature = "oauth")]
    pub(crate) fn keys_link(&self) -> Markup {
        let name = self.text().layout.keys;
        html! {
            @if let Some(path) = &self.layout.keys_page { a href=(self.link(path)) { (name) } } @else { (name) }
        }
    }
}

/// Returns the links that select each language. They keep the other parameters of the query.
fn language_links(req: &Request) -> Vec<(Language, String)> {
    let query = req.uri().query().unwrap_or_default();
    let link = |language: Language| {
        let mut link = form_urlencoded::Serializer::for_suffix("?".to_owned(), 1);
        link.extend_pairs(form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != language::PARAMETER));
        link.append_pair(language::PARAMETER, language.tag()).finish()
    };
    Language::ALL.into_iter().map(|language| (language, link(language))).collect()
}
