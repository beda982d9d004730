//! Attacks that have succeeded against an earlier version. Those with floods of made-up credentials are trials, and those
//! on the folders of a backup are beside its other tests.

#[cfg(unix)]
mod backups;
mod deleted_records;
mod highest_order;
mod one_family;
mod refresh_tokens;
mod tool_answers;
