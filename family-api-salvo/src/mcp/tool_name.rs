//! The name of the tool that a request called, for the access log.

use salvo::Response;

/// The name of the tool that a request called. Stored in the extensions of the response.
///
/// It is one of the fixed names of the tools. It never contains text of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolName(&'static str);

impl ToolName {
    /// Returns the name of the called tool, or `None` if the request called no tool.
    #[must_use]
    pub fn of(res: &Response) -> Option<&'static str> {
        res.extensions.get().map(|Self(name)| *name)
    }

    pub(super) fn insert(name: &'static str, res: &mut Response) {
        res.extensions.insert(Self(name));
    }
}
