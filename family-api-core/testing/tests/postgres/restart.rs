//! Stopping and restarting a server.

use std::net::TcpStream;

use family_api_testing::{Server, Shutdown, postgres_tests};
use sqlx::{Connection, Executor};

use crate::{create_marks, mark, marks};

postgres_tests! {
    async fn a_crash_keeps_only_committed_writes() {
        let server = Server::start();
        let database = server.create_database().await;
        let mut connection = database.connect().await;
        create_marks(&mut connection).await;
        mark(&mut connection).await.unwrap();
        let mut open = connection.begin().await.unwrap();
        mark(&mut open).await.unwrap();
        server.restart(Shutdown::Immediate);
        assert!(mark(&mut open).await.is_err());
        assert_eq!(marks(&mut database.connect().await).await, 1);
    }

    async fn a_stopped_server_refuses_connections_until_restarted() {
        let server = Server::start();
        let database = server.create_database().await;
        create_marks(&mut database.connect().await).await;
        server.stop(Shutdown::Fast);
        assert!(TcpStream::connect(("127.0.0.1", server.port())).is_err());
        server.start_again();
        assert_eq!(marks(&mut database.connect().await).await, 0);
    }

    async fn a_database_can_be_created_after_a_crash() {
        let server = Server::start();
        drop(server.create_database().await);
        server.restart(Shutdown::Immediate);
        let database = server.create_database().await;
        database.connect().await.execute("SELECT 1").await.unwrap();
    }

    #[should_panic(expected = "must start its own")]
    async fn the_shared_server_cannot_be_stopped() {
        Server::shared().stop(Shutdown::Fast);
    }
}
