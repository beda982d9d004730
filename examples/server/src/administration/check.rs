//! The command `check`.

use family_api_core::{Clock, SystemClock};
use family_api_sql::{Finding, Inspection, SchemaState};
use serde_json::{Value, json};

use crate::administration::counts;
use crate::administration::options::Target;
use crate::error::CommandError;
use crate::{database, output};

/// Runs the command. Fails if the database is damaged, or if this version cannot use its schema.
pub(super) async fn run(target: Target) -> Result<(), CommandError> {
    let inspection = database::inspect(&target.database.url, SystemClock.now()).await?;
    let text = if target.json { as_json(&inspection).to_string() } else { as_text(&inspection) };
    output::print(&text)?;
    if !inspection.damage.is_empty() {
        return Err(CommandError::Damaged);
    }
    if inspection.schema.is_usable() { Ok(()) } else { Err(CommandError::UnusableSchema) }
}

fn as_json(inspection: &Inspection) -> Value {
    json!({
        "schema": inspection.schema,
        "damage": inspection.damage,
        "counts": counts::json(&inspection.counts),
        "unusual": inspection.unusual,
    })
}

fn as_text(inspection: &Inspection) -> String {
    let mut lines = vec![format!("schema: {}", schema(&inspection.schema))];
    lines.extend(findings("damage", &inspection.damage));
    lines.extend(inspection.counts.iter().map(|count| format!("{:<14}{:>9}", count.kind, count.count)));
    match &inspection.unusual {
        Some(unusual) => lines.extend(findings("unusual", unusual)),
        None => lines.push("unusual: not searched in a damaged database or another schema".to_owned()),
    }
    lines.join("\n")
}

/// Returns a title, and a line for each finding.
fn findings(title: &str, findings: &[Finding]) -> Vec<String> {
    let title = if findings.is_empty() { format!("{title}: none") } else { format!("{title}:") };
    [title].into_iter().chain(findings.iter().map(finding)).collect()
}

fn schema(schema: &SchemaState) -> String {
    let list = |migrations: &[i64]| migrations.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    if !schema.changed.is_empty() {
        format!("of another build, which has other migrations {}", list(&schema.changed))
    } else if !schema.unknown.is_empty() {
        format!("newer than this version, which does not know the migrations {}", list(&schema.unknown))
    } else if !schema.pending.is_empty() {
        format!(
            "older than this version; the next start of the server applies the migrations {}",
            list(&schema.pending)
        )
    } else {
        "current".to_owned()
    }
}

fn finding(finding: &Finding) -> String {
    let Finding { description, count, examples, .. } = finding;
    let more = if *count > examples.len() as u64 { ", …" } else { "" };
    output::printable(&format!("  {description}: {count} ({}{more})", examples.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_described_by_its_worst_difference() {
        let mut state = SchemaState::default();
        assert_eq!(schema(&state), "current");
        state.pending = vec![8, 9];
        assert!(schema(&state).ends_with("applies the migrations 8, 9"));
        state.unknown = vec![99];
        assert!(schema(&state).ends_with("does not know the migrations 99"));
        state.changed = vec![2];
        assert!(schema(&state).ends_with("has other migrations 2"));
    }
}
