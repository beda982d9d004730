//! Stopping and restarting a server.

use std::net::TcpStream;

use family_api_testing::{Server, Shutdown, postgres_tests};
use sqlx::Connection;

use crate::{count_marks, create_marks, insert_mark};

postgres_tests! {
    async fn a_crash_keeps_only_committed_writes() {
        let server = Server::start();
        let database = server.create_database().await;
        let mut connection = database.connect().await;
        create_marks(&mut connection).await;
        insert_mark(&mut connection).await.unwrap();
        let mut transaction = connection.begin().await.unwrap();
        insert_mark(&mut transaction).await.unwrap();
        server.restart(Shutdown::Immediate);
        assert!(insert_mark(&mut transaction).await.is_err());
        assert_eq!(count_marks(&mut database.connect().await).await, 1);
    }

    async fn a_stopped_server_refuses_connections_until_restarted() {
        let server = Server::start();
        let database = server.create_database().await;
        create_marks(&mut database.connect().await).await;
        server.stop(Shutdown::Fast);
        assert!(TcpStream::connect(("127.0.0.1", server.port())).is_err());
        server.start_again();
        assert_eq!(count_marks(&mut database.connect().await).await, 0);
    }

    #[should_panic(expected = "must start its own")]
    async fn the_shared_server_cannot_be_stopped() {
        Server::shared().stop(Shutdown::Fast);
    }
}
