//! Reads the schema from the server as lines of text, so that tests can compare two schemas.

use sqlx::PgConnection;

const SCHEMA: &str = "
    SELECT concat_ws(' ', 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), l.collname,
               CASE WHEN a.attnotnull THEN 'not null' END, pg_get_expr(d.adbin, d.adrelid)) AS line
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
    UNION ALL
    SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL
    SELECT concat_ws(' ', 'index', indexdef) FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL
    SELECT concat_ws(' ', 'other', relkind, relname)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('r', 'i')
    UNION ALL
    SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT concat_ws(' ', 'function', pg_get_functiondef(oid))
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY line";

const HISTORY: &str = "
    SELECT concat_ws(' ', 'migration', version, description, success, checksum)
    FROM _family_api_migrations ORDER BY version";

/// Returns tables with their columns and types, collations, constraints, indexes, triggers and functions.
pub(crate) async fn schema(host: &mut PgConnection) -> Vec<String> {
    sqlx::query_scalar(SCHEMA).fetch_all(host).await.unwrap()
}

/// Returns the schema and the applied migrations.
pub(crate) async fn schema_with_history(host: &mut PgConnection) -> Vec<String> {
    let mut lines = schema(host).await;
    lines.extend(sqlx::query_scalar::<_, String>(HISTORY).fetch_all(host).await.unwrap());
    lines
}
