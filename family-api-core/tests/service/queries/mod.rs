//! Typed queries through the service: storage calls, privacy, cursors, entity tags.

mod calls;
mod changed_occurrences;
mod cursors;
mod family;
mod overview;
mod privacy;
mod records;
