//! Typed queries through the service: storage calls, privacy, cursors, entity tags.

mod calls;
mod cursors;
mod family;
mod privacy;
mod records;
