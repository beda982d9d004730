//! What the SQLite storage promises beyond the contract of every storage.
#![cfg(feature = "sqlite")]

#[cfg(test)]
mod documents;
#[cfg(test)]
mod family;
#[cfg(test)]
mod load;
#[cfg(test)]
mod opening;
#[cfg(test)]
mod revisions;
#[cfg(test)]
mod tables;
