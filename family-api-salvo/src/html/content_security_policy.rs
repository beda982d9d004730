//! The header `Content-Security-Policy` of the pages.

/// The targets to which the forms of a page may be sent. Browsers also apply this list to the redirects that answer a
/// form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FormAction {
    /// The page has no form.
    None,
    /// The own origin.
    Own,
    /// The own origin, and one source to which it redirects, such as `https://client.example` or `com.example.app:`.
    #[cfg_attr(not(feature = "oauth"), expect(dead_code, reason = "only the consent page redirects to a client"))]
    OwnThenRedirect(String),
}

impl FormAction {
    fn sources(&self) -> String {
        match self {
            Self::OwnThenRedirect(source) if is_source(source) => format!("'self' {source}"),
            Self::Own | Self::OwnThenRedirect(_) => "'self'".to_owned(),
            Self::None => "'none'".to_owned(),
        }
    }
}

/// Returns whether the text can stand in a policy as one source, without ending the directive.
fn is_source(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":/.-_~%+*".contains(&byte))
}

/// Whether a page runs a script of the own origin, which may call the own origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scripts {
    None,
    Own,
}

/// Returns the policy of a page. It forbids inline scripts and styles, other origins, and being framed.
pub(super) fn policy(scripts: Scripts, forms: &FormAction) -> String {
    let scripts = match scripts {
        Scripts::None => "",
        Scripts::Own => {
            "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; "
        }
    };
    let forms = forms.sources();
    format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; {scripts}form-action {forms}; frame-ancestors 'none'; \
         base-uri 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_script_allows_only_styles_and_images() {
        assert_eq!(
            policy(Scripts::None, &FormAction::None),
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; \
             base-uri 'none'"
        );
    }

    #[test]
    fn a_redirect_source_cannot_add_a_directive() {
        for (source, expected) in [
            ("https://client.example", "form-action 'self' https://client.example;"),
            ("http://127.0.0.1:33418", "form-action 'self' http://127.0.0.1:33418;"),
            ("com.example.app:", "form-action 'self' com.example.app:;"),
            ("https://a.example; script-src *", "form-action 'self';"),
            ("https://a.example *", "form-action 'self';"),
            ("'unsafe-inline'", "form-action 'self';"),
            ("https://a.example,", "form-action 'self';"),
            ("", "form-action 'self';"),
        ] {
            let policy = policy(Scripts::None, &FormAction::OwnThenRedirect(source.to_owned()));
            assert!(policy.contains(expected), "{policy}");
        }
    }
}
