//! The header `Content-Security-Policy` of the pages.

/// The targets to which the forms of a page may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormAction {
    /// The page has no form.
    None,
    /// The own origin.
    Own,
    /// Any target. Chromium and Safari apply the directive to every redirect that follows a form, and a client can
    /// redirect further, for example from its site to the scheme of an installed app.
    #[cfg_attr(
        not(any(feature = "oauth", test)),
        expect(dead_code, reason = "only the consent page redirects to a client")
    )]
    Any,
}

impl FormAction {
    const fn directive(self) -> &'static str {
        match self {
            Self::None => "form-action 'none'; ",
            Self::Own => "form-action 'self'; ",
            Self::Any => "",
        }
    }
}

/// The script that a page runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scripts {
    None,
    /// A script of the own origin.
    Own,
    /// A script of the own origin, which calls the own origin.
    #[cfg_attr(not(feature = "pages"), expect(dead_code, reason = "only the pages of a session call routes"))]
    Calling,
}

/// Returns the policy of a page. It forbids inline scripts and styles, other origins, and being framed.
pub(super) fn policy(scripts: Scripts, forms: FormAction) -> String {
    let scripts = match scripts {
        Scripts::None => "",
        Scripts::Own => "script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; ",
        Scripts::Calling => {
            "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; "
        }
    };
    let forms = forms.directive();
    format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; {scripts}{forms}frame-ancestors 'none'; base-uri 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_script_allows_only_styles_and_images() {
        assert_eq!(
            policy(Scripts::None, FormAction::None),
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; \
             base-uri 'none'"
        );
    }

    #[test]
    fn the_consent_page_does_not_limit_the_redirects_of_its_form() {
        assert!(policy(Scripts::None, FormAction::Own).contains("form-action 'self';"));
        assert!(!policy(Scripts::None, FormAction::Any).contains("form-action"));
    }
}
