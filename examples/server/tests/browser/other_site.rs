//! A page on another site.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Serves one page for all requests, on another host than the server.
pub(crate) struct OtherSite {
    pub(crate) url: String,
    task: JoinHandle<()>,
}

impl OtherSite {
    pub(crate) async fn serve(body: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        // Chromium resolves all names below `localhost` to loopback addresses.
        let url = format!("http://other.localhost:{}/", listener.local_addr().unwrap().port());
        let task = tokio::spawn(async move {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
            let response = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
            while let Ok((mut connection, _)) = listener.accept().await {
                let mut lines = BufReader::new(&mut connection).lines();
                while lines.next_line().await.is_ok_and(|line| line.is_some_and(|line| !line.is_empty())) {}
                // The browser may already have closed the connection.
                let _ = connection.write_all(response.as_bytes()).await;
            }
        });
        Self { url, task }
    }
}

impl Drop for OtherSite {
    fn drop(&mut self) {
        self.task.abort();
    }
}
