//! Connections of OAuth clients, from the approval to the end.

mod client;
mod external;
mod faults;
mod life;
mod misuse;
mod repeated_refresh;
mod user;
