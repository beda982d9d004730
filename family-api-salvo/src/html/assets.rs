//! The files that the pages load. The name of a file contains the hash of its content, so browsers cache it forever.

use std::sync::Arc;

use bytes::Bytes;
use family_api_core::Error;
use salvo::http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use sha2::{Digest, Sha256};

use super::brand::Brand;
use super::color::Color;
use crate::HttpError;
#[cfg(feature = "pages")]
use crate::pages;

/// The folder of the files, relative to the path under which the host mounts the routes.
const FOLDER: &str = "api/assets";
/// The route of the files.
pub(crate) const ASSET: &str = "api/assets/{file}";

const STYLE: &str = include_str!("style.css");
const FORMS_MODULE: &str = include_str!("forms.js");
const ICON: &str = include_str!("icon.svg");

/// The surface of the light theme on which the accent colour has the least contrast. `style.css` repeats the value.
pub(super) const LIGHT_SURFACE: Color = Color::new(0xf4, 0xf5, 0xf2);
/// The surface of the dark theme on which the accent colour has the least contrast. `style.css` repeats the value.
pub(super) const DARK_SURFACE: Color = Color::new(0x22, 0x27, 0x29);

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// A file with a hash in its name.
#[derive(Debug, Clone)]
pub(crate) struct Asset {
    name: String,
    content_type: HeaderValue,
    bytes: Bytes,
}

impl Asset {
    fn new(stem: &str, extension: &str, content_type: &'static str, content: impl Into<Bytes>) -> Self {
        let bytes = content.into();
        let digest = Sha256::digest(&bytes);
        let hash = digest.iter().take(8).fold(0_u64, |hash, byte| (hash << 8) | u64::from(*byte));
        let content_type = HeaderValue::from_static(content_type);
        Self { name: format!("{stem}-{hash:016x}.{extension}"), content_type, bytes }
    }

    /// Returns the path of the file, relative to the path under which the host mounts the routes.
    pub(super) fn path(&self) -> String {
        format!("{FOLDER}/{}", self.name)
    }
}

/// Returns a script module that imports others, each by its name in the source.
#[cfg(feature = "pages")]
fn importing(stem: &str, module: &str, imports: &[(&str, &Asset)]) -> Asset {
    let module = imports.iter().fold(module.to_owned(), |module, (name, asset)| module.replace(name, &asset.name));
    Asset::new(stem, "js", JAVASCRIPT, module)
}

/// All files that the pages load.
#[derive(Debug)]
pub(super) struct Assets {
    pub(super) style: Asset,
    pub(super) icon: Asset,
    pub(super) forms_module: Asset,
    #[cfg(feature = "pages")]
    pub(super) keys_module: Asset,
    #[cfg(feature = "pages")]
    pub(super) deleted_module: Asset,
    /// The module that the others import.
    #[cfg(feature = "pages")]
    pub(super) session_module: Asset,
    /// The module of feeds, which the module of keys imports.
    #[cfg(feature = "pages")]
    pub(super) feeds_module: Asset,
    /// The library of codes for cameras, which the module of feeds imports.
    #[cfg(feature = "pages")]
    pub(super) code_module: Asset,
}

impl Assets {
    pub(super) fn new(brand: &Brand) -> Self {
        let light = brand.accent.readable_on(LIGHT_SURFACE, Color::BLACK);
        let dark = brand.accent.readable_on(DARK_SURFACE, Color::WHITE);
        let style = format!(
            "{STYLE}\n:root {{ --accent: {light} }}\n\
             @media (prefers-color-scheme: dark) {{ :root {{ --accent: {dark} }} }}\n"
        );
        #[cfg(feature = "pages")]
        let session_module = Asset::new("session", "js", JAVASCRIPT, pages::SESSION_MODULE);
        #[cfg(feature = "pages")]
        let code_module = Asset::new("lean-qr", "js", JAVASCRIPT, pages::CODE_MODULE);
        #[cfg(feature = "pages")]
        let session = (pages::SESSION_IMPORT, &session_module);
        #[cfg(feature = "pages")]
        let feeds_module = importing("feeds", pages::FEEDS_MODULE, &[session, (pages::CODE_IMPORT, &code_module)]);
        Self {
            style: Asset::new("style", "css", "text/css; charset=utf-8", style),
            icon: Asset::new("icon", "svg", "image/svg+xml", ICON.replace("#1e6b52", &light.to_string())),
            forms_module: Asset::new("forms", "js", JAVASCRIPT, FORMS_MODULE),
            #[cfg(feature = "pages")]
            keys_module: importing("keys", pages::KEYS_MODULE, &[session, (pages::FEEDS_IMPORT, &feeds_module)]),
            #[cfg(feature = "pages")]
            deleted_module: importing("deleted", pages::DELETED_MODULE, &[session]),
            #[cfg(feature = "pages")]
            session_module,
            #[cfg(feature = "pages")]
            feeds_module,
            #[cfg(feature = "pages")]
            code_module,
        }
    }

    fn all(&self) -> impl Iterator<Item = &Asset> {
        let assets = [&self.style, &self.icon, &self.forms_module].into_iter();
        #[cfg(feature = "pages")]
        let assets = assets.chain([&self.keys_module, &self.deleted_module, &self.session_module]);
        #[cfg(feature = "pages")]
        let assets = assets.chain([&self.feeds_module, &self.code_module]);
        assets
    }
}

/// Serves a file by its name.
pub(crate) struct GetAsset {
    pub(super) assets: Arc<Assets>,
}

#[async_trait]
impl Handler for GetAsset {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let name = req.params().get("file").map(String::as_str).unwrap_or_default();
        let Some(asset) = self.assets.all().find(|asset| asset.name == name) else {
            res.render(HttpError::Api(Error::NotFound));
            return;
        };
        res.status_code(StatusCode::OK);
        let headers = res.headers_mut();
        headers.insert(CONTENT_TYPE, asset.content_type.clone());
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        res.replace_body(ResBody::Once(asset.bytes.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_sheet_has_the_surfaces_that_colours_are_adapted_to() {
        let (light, dark) = STYLE.split_once("prefers-color-scheme: dark").unwrap();
        assert!(light.contains(&LIGHT_SURFACE.to_string()) && dark.contains(&DARK_SURFACE.to_string()));
    }
}
