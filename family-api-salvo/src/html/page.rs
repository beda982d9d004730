//! An HTML response.

use maud::{DOCTYPE, Markup, html};
use salvo::http::header::{
    CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, SET_COOKIE, VARY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Response, Scribe};

use super::assets::Asset;
use super::content_security_policy::{FormAction, Scripts, policy};
use super::language;
use super::view::View;

/// An HTML response in the layout of its [`View`], with all security headers.
///
/// A page is never cached, because it can depend on the user.
#[derive(Debug)]
#[must_use]
pub struct Page<'a> {
    view: &'a View,
    title: String,
    main: Markup,
    status: StatusCode,
    forms: FormAction,
    scripts: Scripts,
    /// The path of the page's script module.
    module: Option<String>,
    /// The paths of the modules that the script module imports.
    imports: Vec<String>,
}

impl View {
    /// Creates a page with this title and this content of its element `main`.
    pub fn page(&self, title: &str, main: Markup) -> Page<'_> {
        Page {
            view: self,
            title: title.to_owned(),
            main,
            status: StatusCode::OK,
            forms: FormAction::None,
            scripts: Scripts::None,
            module: None,
            imports: Vec::new(),
        }
    }
}

impl Page<'_> {
    /// Sets the status. Default: 200.
    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Allows the forms of the page to be sent to the own origin. By default, a page can send no form.
    ///
    /// A script sends each form only once, even if its button is pressed twice. The forms also work without scripts.
    pub fn with_form(self) -> Self {
        self.form_action(FormAction::Own)
    }

    /// Sets the targets of the page's forms. Default: none.
    pub(crate) fn form_action(mut self, forms: FormAction) -> Self {
        self.forms = forms;
        let module = &self.view.layout.assets.forms_module;
        self.module(Scripts::Own, module)
    }

    /// Adds the script module of the page of keys and connections.
    #[cfg(feature = "pages")]
    pub(crate) fn keys_module(self) -> Self {
        let assets = &self.view.layout.assets;
        self.calling_module(&assets.keys_module, &[&assets.session_module, &assets.feeds_module, &assets.code_module])
    }

    /// Adds the script module of the page of deleted records.
    #[cfg(feature = "pages")]
    pub(crate) fn deleted_module(self) -> Self {
        let assets = &self.view.layout.assets;
        self.calling_module(&assets.deleted_module, &[&assets.session_module])
    }

    #[cfg(feature = "pages")]
    fn calling_module(mut self, module: &Asset, imports: &[&Asset]) -> Self {
        self.imports = imports.iter().map(|import| self.view.link(&import.path())).collect();
        self.module(Scripts::Calling, module)
    }

    fn module(mut self, scripts: Scripts, module: &Asset) -> Self {
        self.scripts = scripts;
        self.module = Some(self.view.link(&module.path()));
        self
    }

    fn document(&self) -> Markup {
        let View { layout, .. } = self.view;
        let text = self.view.text();
        let icon = self.view.link(&layout.assets.icon.path());
        html! {
            (DOCTYPE)
            html lang=(self.view.regional_tag) dir="ltr" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="robots" content="noindex";
                    title { (self.title) " · " (layout.brand.name) }
                    link rel="icon" href=(icon) type="image/svg+xml";
                    link rel="stylesheet" href=(self.view.link(&layout.assets.style.path()));
                    @for import in &self.imports {
                        link rel="modulepreload" href=(import);
                    }
                    @if let Some(module) = &self.module {
                        script type="module" src=(module) {}
                    }
                }
                body {
                    a.skip href="#main" { (text.layout.skip_to_content) }
                    header.site {
                        div.brand {
                            img src=(layout.brand.logo.as_deref().unwrap_or(&icon)) alt="" width="32" height="32";
                            span { (layout.brand.name) }
                        }
                        @if let Some(back) = &layout.brand.back {
                            a href=(back.path) { (back.label) }
                        }
                    }
                    main id="main" tabindex="-1" { (self.main) }
                    (self.footer())
                }
            }
        }
    }

    fn footer(&self) -> Markup {
        html! {
            @if !self.view.language_links.is_empty() {
                footer.site {
                    nav aria-label=(self.view.text().layout.languages) {
                        @for (language, link) in &self.view.language_links {
                            a href=(link) hreflang=(language.tag()) lang=(language.tag()) rel="nofollow"
                                aria-current=[(*language == self.view.language()).then_some("true")] {
                                (language.name())
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Scribe for Page<'_> {
    fn render(self, res: &mut Response) {
        res.status_code(self.status);
        let headers = res.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(self.view.language().tag()));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        // `no-referrer` would make browsers send `Origin: null` with a form. A browser that sends no `Sec-Fetch-Site`,
        // because the server has no TLS, would then be refused as another site.
        headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
        headers.append(VARY, HeaderValue::from_static("Accept-Language, Cookie"));
        if let Ok(policy) = HeaderValue::try_from(policy(self.scripts, self.forms)) {
            headers.insert(CONTENT_SECURITY_POLICY, policy);
        }
        if let Some(language) = self.view.selected
            && let Ok(cookie) = HeaderValue::try_from(language::cookie(language))
        {
            headers.append(SET_COOKIE, cookie);
        }
        res.replace_body(ResBody::Once(self.document().into_string().into()));
    }
}
