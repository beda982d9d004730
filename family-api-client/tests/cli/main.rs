//! Runs the command `family` against the real routes over a socket.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod adding;
mod changes;
mod connections;
mod containers;
mod credentials;
mod deleted;
mod deploy_page;
mod doctor;
mod exit_codes;
mod feeds;
mod keys;
mod mcp_config;
mod output;
mod reading;
mod records;
mod sandbox;
mod service;
mod shopping;
mod sign_in;
mod writing;
