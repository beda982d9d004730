//! The host's sign-in page.

/// The placeholder for the path that the user returns to.
const RETURN: &str = "{return}";

/// The URL of the host's sign-in page, with a placeholder for the path that the user returns to.
#[derive(Debug, Clone)]
pub(crate) struct SignInPage(pub(crate) String);

impl SignInPage {
    /// Returns the URL of the page. After the sign-in, the page sends the user to this path and query.
    pub(crate) fn url(&self, return_to: &str) -> String {
        let encoded: String = form_urlencoded::byte_serialize(return_to.as_bytes()).collect();
        self.0.replace(RETURN, &encoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn return_path_is_encoded_as_one_value() {
        let page = SignInPage("/login?next={return}&theme=dark".to_owned());
        assert_eq!(
            page.url("/oauth/authorize?a=b&c=d e"),
            "/login?next=%2Foauth%2Fauthorize%3Fa%3Db%26c%3Dd+e&theme=dark"
        );
    }
}
