//! The forms in which a page is shown: sizes, and light or dark.

use chromiumoxide::cdp::browser_protocol::emulation::MediaFeature;

/// The colours that the user prefers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Appearance {
    Light,
    Dark,
}

impl Appearance {
    pub(crate) const ALL: [Self; 2] = [Self::Light, Self::Dark];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) fn media_feature(self) -> MediaFeature {
        MediaFeature::new("prefers-color-scheme", self.name())
    }
}

/// The width and height of a window, in CSS pixels.
pub(crate) type Size = (u32, u32);

/// A small phone.
pub(crate) const PHONE: Size = (320, 640);
pub(crate) const TABLET: Size = (768, 1024);
pub(crate) const DESKTOP: Size = (1280, 800);
pub(crate) const LARGE: Size = (2560, 1440);
