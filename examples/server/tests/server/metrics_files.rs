//! The README, the alerts and the dashboard name only metrics that exist, and `promtool` accepts the files.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use family_api_testing::{on_promtool, promtool};
use serde_json::Value;

use crate::backend::Backend;
use crate::family;
use crate::metrics::{Monitored, names, use_everything};
use crate::sandbox::Sandbox;

const README: &str = include_str!("../../README.md");
const ALERTS: &str = include_str!("../../deploy/alerts.yml");
const DASHBOARD: &str = include_str!("../../deploy/grafana-dashboard.json");

/// The suffixes of a histogram's series.
const SUFFIXES: [&str; 3] = ["_bucket", "_count", "_sum"];

/// Returns the metrics of a server on which each metric has a value.
async fn metrics() -> String {
    let sandbox = Sandbox::with_families(Backend::Sqlite).await;
    let monitored = Monitored::start(&sandbox, &[]);
    use_everything(&sandbox, &monitored.server).await;
    monitored.text().await
}

/// Returns the names of this server's metrics in a text.
fn named(text: &str) -> BTreeSet<&str> {
    let words = text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
    let names = words.filter(|word| word.starts_with("family_api_") && *word != "family_api_server");
    names.map(|name| SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name)).collect()
}

#[tokio::test]
async fn the_files_name_metrics_that_exist() {
    let text = metrics().await;
    let existing = names(&text);
    for (file, contents) in [("alerts.yml", ALERTS), ("grafana-dashboard.json", DASHBOARD)] {
        let named = named(contents);
        let missing: Vec<_> = named.difference(&existing).collect();
        assert!(named.len() > 4 && missing.is_empty(), "{file} names {missing:?}");
    }
    let documented: BTreeSet<&str> =
        existing.iter().copied().filter(|name| README.contains(&format!("| `{name}` |"))).collect();
    assert_eq!(documented, existing);
    let rows = README.lines().filter(|line| line.starts_with("| `family_api_")).count();
    assert_eq!(rows, existing.len());
}

#[test]
fn there_are_five_alerts_with_a_summary() {
    for line in ["- alert: ", "expr: ", "severity: ", "summary: ", "description: "] {
        assert_eq!(ALERTS.matches(line).count(), 5, "{line}");
    }
}

#[test]
fn each_panel_of_the_dashboard_has_queries() {
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<u64> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len());
    for panel in panels {
        let targets = panel["targets"].as_array().unwrap();
        assert!(!targets.is_empty(), "{panel}");
        for target in targets {
            let query = target["expr"].as_str().unwrap();
            assert!(query.contains(r#"instance=~"$instance""#), "{query}");
            let balanced = |open: char, close: char| query.matches(open).count() == query.matches(close).count();
            assert!(balanced('(', ')') && balanced('{', '}') && balanced('[', ']'), "{query}");
        }
    }
}

/// Runs `promtool`, which must succeed.
fn promtool(arguments: &[&str], input: &str) {
    let program = promtool::find().unwrap_or_else(|| panic!("{}", promtool::NO_PROMTOOL));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy");
    let mut command = Command::new(program);
    let command = command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

on_promtool! { crate::backend::async_test, promtool_accepts_the_metrics = check_metrics() }
on_promtool! { crate::backend::async_test, promtool_accepts_the_metrics_of_an_import = async { check_import() } }
on_promtool! { crate::backend::async_test, promtool_accepts_the_alerts = async { check_alerts() } }
on_promtool! { crate::backend::async_test, each_alert_fires_when_it_should = async { test_alerts() } }

async fn check_metrics() {
    promtool(&["check", "metrics"], &metrics().await);
}

fn check_import() {
    let sandbox = Sandbox::on_sqlite();
    let output = sandbox.run(&["import", "-", "--metrics-file", "import.prom"], &family::text(family::records()));
    assert!(output.status.success(), "{output:?}");
    promtool(&["check", "metrics"], &fs::read_to_string(sandbox.path("import.prom")).unwrap());
}

fn check_alerts() {
    promtool(&["check", "rules", "alerts.yml"], "");
}

fn test_alerts() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server/alerts_test.yml");
    promtool(&["test", "rules", tests.to_str().unwrap()], "");
}
