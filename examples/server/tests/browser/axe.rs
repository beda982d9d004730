//! Checks the accessibility of a page with axe-core.

use std::fs;

use family_api_testing::chromium;

use crate::page::Page;

/// Runs all rules on the page. Describes each element that violates one.
const RUN: &str = "axe.run().then(({ violations }) => violations.flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${node.html}: ${node.failureSummary}`)))";

/// Returns the violations on a page.
pub(crate) async fn violations(page: &Page) -> Vec<String> {
    let Some(axe) = chromium::axe() else { panic!("{}", chromium::NO_AXE) };
    page.evaluate::<bool>(&format!("{}; true", fs::read_to_string(axe).unwrap())).await;
    page.evaluate(RUN).await
}
