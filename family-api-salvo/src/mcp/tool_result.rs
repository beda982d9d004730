//! The result of `tools/call`.

use family_api_mcp::Answer;
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolResult {
    /// Since 2026-07-28, each result names its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    content: [TextContent; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Box<RawValue>>,
    is_error: bool,
}

#[derive(Debug, Serialize)]
struct TextContent {
    #[serde(rename = "type")]
    kind: &'static str,
    text: String,
}

impl ToolResult {
    /// Returns the result of a call that succeeded, or the sentence that says how the model can correct the call.
    pub(super) fn new(outcome: Result<Answer, String>, is_modern: bool) -> Self {
        let is_error = outcome.is_err();
        let (structured_content, text) = match outcome {
            Ok(answer) => {
                let (structured, text) = answer.into_parts();
                (Some(structured), text)
            }
            Err(text) => (None, text),
        };
        let content = [TextContent { kind: "text", text }];
        Self { result_type: is_modern.then_some("complete"), content, structured_content, is_error }
    }
}
