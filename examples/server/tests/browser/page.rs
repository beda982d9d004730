//! A tab of the browser, used like a person uses it: controls are found by role and name, as a screen reader reads them.

use chromiumoxide::Page as Tab;
use chromiumoxide::cdp::browser_protocol::accessibility::{AxNode, QueryAxTreeParams};
use chromiumoxide::cdp::browser_protocol::dom::{
    BackendNodeId, DescribeNodeParams, FocusParams, GetContentQuadsParams, ScrollIntoViewIfNeededParams,
};
use chromiumoxide::cdp::browser_protocol::emulation::{
    SetDeviceMetricsOverrideParams, SetFocusEmulationEnabledParams, SetScriptExecutionDisabledParams,
    SetTimezoneOverrideParams, SetUserAgentOverrideParams,
};
use chromiumoxide::cdp::browser_protocol::input::{DispatchKeyEventParams, DispatchKeyEventType, InsertTextParams};
use chromiumoxide::cdp::browser_protocol::page::{
    DialogType, EventJavascriptDialogOpening, HandleJavaScriptDialogParams,
};
use chromiumoxide::cdp::js_protocol::runtime::EvaluateParams;
use chromiumoxide::error::CdpError;
use chromiumoxide::keys::get_key_definition;
use chromiumoxide::layout::ElementQuad;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use tokio::join;
use tokio::time::timeout;

use crate::appearance::{Appearance, Size};
use crate::log::Log;
use crate::until::{DEADLINE, until};

/// The answer to the question whether to leave a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    Yes,
    No,
}

/// A tab. Its verbs wait until they are possible, and panic at a deadline.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) tab: Tab,
    pub(crate) log: Log,
}

impl Page {
    pub(crate) async fn new(tab: Tab) -> Self {
        let log = Log::of(&tab).await;
        // A tab in the background also has a focused element.
        tab.execute(SetFocusEmulationEnabledParams::new(true)).await.unwrap();
        Self { tab, log }
    }

    /// Loads a URL.
    pub(crate) async fn open(&self, url: &str) {
        load(url, self.tab.goto(url)).await;
    }

    /// Does what leaves the page, and answers the browser's question whether to leave it.
    pub(crate) async fn leave(&self, answer: Leave, action: impl Future<Output = ()>) {
        let mut questions = self.tab.event_listener::<EventJavascriptDialogOpening>().await.unwrap();
        let answered = async {
            let question = timeout(DEADLINE, questions.next()).await.unwrap().unwrap();
            assert_eq!(question.r#type, DialogType::Beforeunload);
            let answer = HandleJavaScriptDialogParams::new(answer == Leave::Yes);
            self.tab.execute(answer).await.unwrap();
        };
        join!(action, answered);
    }

    pub(crate) async fn reload(&self) {
        load("reload", self.tab.reload()).await;
    }

    /// Returns the URL in the address bar.
    pub(crate) async fn url(&self) -> String {
        self.evaluate("location.href").await
    }

    /// Waits until the URL contains a text. Returns the URL.
    pub(crate) async fn wait_for_url(&self, part: &str) -> String {
        let expected = format!("a URL with {part:?}");
        until(&expected, async || self.try_evaluate::<String>("location.href").await.filter(|url| url.contains(part)))
            .await
    }

    /// Returns the visible text.
    pub(crate) async fn text(&self) -> String {
        self.evaluate("document.body.innerText").await
    }

    /// Waits until a text is visible.
    pub(crate) async fn wait_for(&self, text: &str) {
        let visible = async || self.try_evaluate::<String>("document.body.innerText").await;
        until(&format!("the text {text:?}"), async || visible().await.filter(|all| all.contains(text))).await;
    }

    /// Waits until the browser reported a fault of the page. Takes all faults.
    pub(crate) async fn wait_for_log(&self, part: &str) {
        let reported = async || self.log.take().into_iter().find(|message| message.contains(part));
        until(&format!("the fault {part:?}"), reported).await;
    }

    /// Waits for a control.
    pub(crate) async fn wait_for_control(&self, role: &str, name: &str) {
        self.control(role, name).await;
    }

    /// Clicks a control with the mouse.
    pub(crate) async fn click(&self, role: &str, name: &str) {
        let control = self.control(role, name).await;
        let scroll = ScrollIntoViewIfNeededParams::builder().backend_node_id(control).build();
        self.tab.execute(scroll).await.unwrap();
        let mut last = None;
        let resting = async || {
            let quads = GetContentQuadsParams::builder().backend_node_id(control).build();
            let quads = self.tab.execute(quads).await.ok()?.result.quads;
            let quad = quads.iter().map(ElementQuad::from_quad).find(|quad| quad.quad_area() > 1.0)?;
            let center = (quad.quad_center().x, quad.quad_center().y);
            (last.replace(center) == Some(center)).then(|| quad.quad_center())
        };
        let center = until(&format!("{name:?} at rest on the screen"), resting).await;
        self.tab.click(center).await.unwrap();
    }

    /// Replaces the text of a field.
    pub(crate) async fn fill(&self, name: &str, text: &str) {
        self.focus(name).await;
        self.evaluate::<bool>("document.activeElement.select() ?? true").await;
        self.insert(text).await;
    }

    /// Types a text into the focused field.
    pub(crate) async fn insert(&self, text: &str) {
        self.tab.execute(InsertTextParams::new(text)).await.unwrap();
    }

    /// Presses a key, such as `Tab` or `Enter`.
    pub(crate) async fn press(&self, key: &str) {
        let definition = get_key_definition(key).unwrap();
        let down = definition.text.map_or(DispatchKeyEventType::RawKeyDown, |_| DispatchKeyEventType::KeyDown);
        for kind in [down, DispatchKeyEventType::KeyUp] {
            let mut event = DispatchKeyEventParams::builder()
                .r#type(kind)
                .key(definition.key)
                .code(definition.code)
                .windows_virtual_key_code(definition.key_code)
                .build()
                .unwrap();
            event.text = definition.text.map(str::to_owned);
            self.tab.execute(event).await.unwrap();
        }
    }

    /// Presses Tab until a control has the focus. Panics if none of the first 100 controls is the one.
    pub(crate) async fn tab_to(&self, role: &str, name: &str) {
        let control = self.control(role, name).await;
        for _ in 0..100 {
            if self.focused().await == Some(control) {
                return;
            }
            self.press("Tab").await;
        }
        panic!("Tab does not reach the {role} {name:?}");
    }

    /// Waits until a control has the focus.
    pub(crate) async fn wait_for_focus(&self, role: &str, name: &str) {
        let control = self.control(role, name).await;
        let focused = async || (self.focused().await? == control).then_some(());
        until(&format!("the focus on the {role} {name:?}"), focused).await;
    }

    /// Returns the text in a field.
    pub(crate) async fn value(&self, name: &str) -> String {
        self.focus(name).await;
        self.evaluate("document.activeElement.value").await
    }

    /// Evaluates an expression. Waits for its promise.
    pub(crate) async fn evaluate<T: DeserializeOwned>(&self, expression: &str) -> T {
        self.result_of(expression).await.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    pub(crate) async fn set_size(&self, (width, height): Size) {
        let metrics = SetDeviceMetricsOverrideParams::new(width, height, 1.0, false);
        self.tab.execute(metrics).await.unwrap();
    }

    pub(crate) async fn set_appearance(&self, appearance: Appearance) {
        self.tab.emulate_media_features(vec![appearance.media_feature()]).await.unwrap();
    }

    /// Sets the language that the next requests ask for.
    pub(crate) async fn set_language(&self, language: &str) {
        let mut user_agent = SetUserAgentOverrideParams::new(self.tab.user_agent().await.unwrap());
        user_agent.accept_language = Some(language.to_owned());
        self.tab.execute(user_agent).await.unwrap();
    }

    /// Sets the time zone of the device, for the pages that are loaded from now on.
    pub(crate) async fn set_time_zone(&self, zone: &str) {
        self.tab.execute(SetTimezoneOverrideParams::new(zone)).await.unwrap();
    }

    /// Disables the scripts of the pages that are loaded from now on.
    pub(crate) async fn disable_scripts(&self) {
        self.tab.execute(SetScriptExecutionDisabledParams::new(true)).await.unwrap();
    }

    async fn focus(&self, field: &str) {
        let field = self.control("textbox", field).await;
        self.tab.execute(FocusParams::builder().backend_node_id(field).build()).await.unwrap();
    }

    /// Returns the result, or `None` while the page is replaced by another.
    async fn try_evaluate<T: DeserializeOwned>(&self, expression: &str) -> Option<T> {
        self.result_of(expression).await.ok()
    }

    async fn result_of<T: DeserializeOwned>(&self, expression: &str) -> Result<T, String> {
        let expression = EvaluateParams::builder().expression(expression).await_promise(true).return_by_value(true);
        let result = self.tab.evaluate_expression(expression.build()?).await.map_err(|error| error.to_string())?;
        result.into_value().map_err(|error| error.to_string())
    }

    /// Waits for the only control with a role and a name.
    async fn control(&self, role: &str, name: &str) -> BackendNodeId {
        let only = async || match self.controls(role, name).await?.as_slice() {
            [control] => Some(*control),
            _ => None,
        };
        until(&format!("exactly one {role} {name:?}"), only).await
    }

    /// Returns the controls with a role and a name. The name of a choice also contains its explanation.
    async fn controls(&self, role: &str, name: &str) -> Option<Vec<BackendNodeId>> {
        let document = self.tab.get_document().await.ok()?;
        let query = QueryAxTreeParams::builder().backend_node_id(document.backend_node_id).role(role).build();
        let nodes = self.tab.execute(query).await.ok()?.result.nodes;
        let is_named = |node: &AxNode| {
            let rest = text(node).and_then(|text| text.strip_prefix(name));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let nodes = nodes.into_iter().filter(|node| !node.ignored && is_named(node));
        Some(nodes.filter_map(|node| node.backend_dom_node_id).collect())
    }

    async fn focused(&self) -> Option<BackendNodeId> {
        let active =
            EvaluateParams::builder().expression("document.activeElement").return_by_value(false).build().ok()?;
        let active = self.tab.evaluate_expression(active).await.ok()?.object().object_id.clone()?;
        let described = self.tab.execute(DescribeNodeParams::builder().object_id(active).build()).await.ok()?;
        Some(described.result.node.backend_node_id)
    }
}

/// Returns the name of a control.
fn text(node: &AxNode) -> Option<&str> {
    node.name.as_ref()?.value.as_ref()?.as_str()
}

/// Waits until a page is loaded. A tab that asks whether to leave its page loads nothing before the answer.
async fn load<T>(action: &str, loaded: impl Future<Output = Result<T, CdpError>>) {
    let loaded = timeout(DEADLINE, loaded).await.unwrap_or_else(|_| panic!("not within {DEADLINE:?}: {action}"));
    loaded.unwrap_or_else(|error| panic!("{action}: {error}"));
}
