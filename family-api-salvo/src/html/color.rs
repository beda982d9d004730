//! The accent colour, adjusted so that it is readable.

use std::fmt;
use std::str::FromStr;

/// The lowest contrast of the accent colour with the surfaces of a page. WCAG 2.2 AA requires 4.5 for text.
const MIN_CONTRAST: f64 = 5.0;

/// The number of steps in which a colour is darkened or lightened.
const STEPS: u16 = 32;

/// An sRGB colour, written as `#rrggbb`.
///
/// ```
/// use family_api_salvo::html::Color;
///
/// let color: Color = "#1E6B52".parse()?;
/// assert_eq!(color.to_string(), "#1e6b52");
/// # Ok::<(), family_api_salvo::html::InvalidColor>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color([u8; 3]);

/// The text is not a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a colour such as #1e6b52")]
pub struct InvalidColor;

impl Color {
    pub(super) const BLACK: Self = Self([0, 0, 0]);
    pub(super) const WHITE: Self = Self([255, 255, 255]);

    pub(super) const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue])
    }

    /// Mixes the colour with black or white, as little as possible, until it is readable on the surface.
    pub(super) fn readable_on(self, surface: Self, ink: Self) -> Self {
        let mixtures = (0..STEPS).map(|step| self.mix(ink, step));
        mixtures.into_iter().find(|color| color.contrast(surface) >= MIN_CONTRAST).unwrap_or(ink)
    }

    fn mix(self, ink: Self, step: u16) -> Self {
        let mut mixture = self;
        for (channel, ink) in mixture.0.iter_mut().zip(ink.0) {
            let mixed = (u16::from(*channel) * (STEPS - step) + u16::from(ink) * step) / STEPS;
            *channel = u8::try_from(mixed).unwrap_or(u8::MAX);
        }
        mixture
    }

    /// Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio").
    pub(super) fn contrast(self, other: Self) -> f64 {
        let (first, second) = (self.luminance(), other.luminance());
        (first.max(second) + 0.05) / (first.min(second) + 0.05)
    }

    /// Returns the relative luminance, 0 to 1 (WCAG 2.2, "relative luminance").
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| {
            let channel = f64::from(channel) / 255.0;
            if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl FromStr for Color {
    type Err = InvalidColor;

    fn from_str(text: &str) -> Result<Self, InvalidColor> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or(InvalidColor)?;
        // `from_str_radix` alone would also accept a sign.
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(InvalidColor);
        }
        let value = u32::from_str_radix(digits, 16).map_err(|_| InvalidColor)?;
        let [_, red, green, blue] = value.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::assets::{DARK_SURFACE, LIGHT_SURFACE};
    use super::*;

    #[test]
    fn only_six_hexadecimal_digits_are_a_color() {
        assert_eq!("#0aF9c1".parse(), Ok(Color([10, 249, 193])));
        for bad in ["", "#", "red", "#fff", "0af9c1", "#0af9cg", "#+af9c1", "#0af9c1;", "#0af9c1ff", "#é9c1a"] {
            assert_eq!(bad.parse::<Color>(), Err(InvalidColor), "{bad}");
        }
    }

    #[test]
    fn contrast_of_black_and_white_is_21() {
        assert!((Color::BLACK.contrast(Color::WHITE) - 21.0).abs() < 0.001);
        assert!((Color::WHITE.contrast(Color::WHITE) - 1.0).abs() < 0.001);
    }

    #[test]
    fn any_color_becomes_readable_on_light_and_dark_surfaces() {
        for red in (0..=255).step_by(15) {
            for green in (0..=255).step_by(15) {
                for blue in (0..=255).step_by(15) {
                    let color = Color::new(red, green, blue);
                    for (surface, ink) in [(LIGHT_SURFACE, Color::BLACK), (DARK_SURFACE, Color::WHITE)] {
                        let contrast = color.readable_on(surface, ink).contrast(surface);
                        assert!(contrast >= MIN_CONTRAST, "{color} has {contrast} on {surface}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_readable_color_stays_as_it_is() {
        let color = Color::new(30, 107, 82);
        assert_eq!(color.readable_on(Color::WHITE, Color::BLACK), color);
    }
}
