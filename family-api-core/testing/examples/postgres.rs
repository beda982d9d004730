//! Starts a PostgreSQL server for a shell script, and prints the URL of its database. The server stops when this
//! process ends.

use std::thread;

#[expect(clippy::print_stdout, reason = "the script reads the URL")]
fn main() {
    let server = family_api_testing::Server::start();
    println!("{}", server.url("postgres"));
    loop {
        thread::park();
    }
}
