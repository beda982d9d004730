//! The address of the host's sign-in page.

use std::fmt::Write;
use std::str::FromStr;

use super::brand::is_own_path;

/// The placeholder of the page to which the user returns.
const RETURN: &str = "{return}";

/// The path of the host's sign-in page, with the placeholder `{return}` for the path to which the user returns.
///
/// ```
/// use family_api_salvo::html::SignInPath;
///
/// let sign_in: SignInPath = "/login?next={return}".parse()?;
/// assert_eq!(sign_in.returning_to("/keys?name=Home assistant"), "/login?next=%2Fkeys%3Fname%3DHome%20assistant");
/// # Ok::<(), family_api_salvo::html::InvalidSignInPath>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInPath(String);

/// The text is not the path of a sign-in page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a path of the own origin such as /login?next={{return}}")]
pub struct InvalidSignInPath;

impl SignInPath {
    /// Returns the address of the sign-in page, with the percent-encoded path to which the user returns.
    #[must_use]
    pub fn returning_to(&self, path: &str) -> String {
        self.0.replace(RETURN, &encode(path))
    }
}

impl FromStr for SignInPath {
    type Err = InvalidSignInPath;

    fn from_str(text: &str) -> Result<Self, InvalidSignInPath> {
        let is_valid = is_own_path(text) && text.is_ascii() && !text.contains(' ');
        if is_valid { Ok(Self(text.to_owned())) } else { Err(InvalidSignInPath) }
    }
}

/// Percent-encodes all bytes except the unreserved characters (RFC 3986, section 2.3).
fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 3);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_return_path_cannot_leave_its_parameter() {
        let sign_in: SignInPath = "/login?next={return}&from=keys".parse().unwrap();
        let address = sign_in.returning_to("/a?b=c&next=//evil#\r\n{return}");
        assert_eq!(address, "/login?next=%2Fa%3Fb%3Dc%26next%3D%2F%2Fevil%23%0D%0A%7Breturn%7D&from=keys");
    }

    #[test]
    fn a_sign_in_page_of_another_origin_is_refused() {
        for bad in ["", "login", "//evil.example", "https://evil.example/login", "/\\evil", "/log in", "/lo\ngin"] {
            assert_eq!(bad.parse::<SignInPath>(), Err(InvalidSignInPath), "{bad}");
        }
    }
}
