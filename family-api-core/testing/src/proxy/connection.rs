//! One connection through the proxy.

use std::future::pending;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::proxy::message::{self, Message};
use crate::proxy::{Mode, State};

pub(super) struct Connection {
    state: Arc<watch::Sender<State>>,
    /// The proxy's state when the connection began.
    initial_state: State,
}

impl Connection {
    pub(super) fn begin(state: Arc<watch::Sender<State>>) -> Self {
        let mut initial_state = State::default();
        // One lock for both: a release between the count and the copy would be lost, and the connection held forever.
        state.send_modify(|state| {
            state.messages = Arc::new(AtomicU64::new(0));
            state.connections += 1;
            initial_state = state.clone();
        });
        Self { state, initial_state }
    }

    pub(super) async fn serve(self, mut client: TcpStream, server: u16) -> io::Result<()> {
        if self.initial_state.mode == Mode::Hold {
            self.wait_until(Self::is_released_or_cut).await?;
        }
        match self.initial_state.mode {
            Mode::Refuse => Ok(()),
            Mode::Stall => self.wait_until(Self::is_cut).await,
            _ => {
                let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, server)).await?;
                tokio::select! {
                    biased;
                    // Both ends stay open while the connection is stalled.
                    _ = self.wait_until(Self::is_stalled_or_cut) => self.wait_until(Self::is_cut).await,
                    ended = self.forward_both_ways(&mut client, &mut server) => ended,
                }
            }
        }
    }

    async fn forward_both_ways(&self, client: &mut TcpStream, server: &mut TcpStream) -> io::Result<()> {
        // A small message must not wait for the acknowledgement of earlier messages (Nagle's algorithm).
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let (mut from_client, mut to_client) = client.split();
        let (mut from_server, mut to_server) = server.split();
        let commit = tokio::select! {
            last = self.forward_messages(&mut from_client, &mut to_server) => last?,
            ended = tokio::io::copy(&mut from_server, &mut to_client) => return ended.map(drop),
        };
        if let Some(commit) = commit {
            self.forward(&commit, &mut to_server).await?;
            while !Message::read(&mut from_server).await?.is_ready_for_query() {}
        }
        Ok(())
    }

    /// Forwards the client's messages until the connection must be cut. Returns the commit if its response must be
    /// lost.
    async fn forward_messages(
        &self,
        client: &mut (impl AsyncRead + Unpin),
        server: &mut (impl AsyncWrite + Unpin),
    ) -> io::Result<Option<Message>> {
        message::forward_startup(client, server).await?;
        loop {
            let message = Message::read(client).await?;
            if self.is_stalled_or_cut(&self.state.borrow()) {
                // The message arrived after the stall or cut. `serve` will end this future.
                pending::<()>().await;
            }
            if message.is_counted() && self.must_cut_before_next() {
                return Ok(None);
            }
            if message.is_commit() && self.must_lose_commit_response() {
                return Ok(Some(message));
            }
            self.forward(&message, server).await?;
        }
    }

    async fn forward(&self, message: &Message, server: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        if message.is_counted() {
            self.initial_state.messages.fetch_add(1, Ordering::Relaxed);
        }
        server.write_all(message.bytes()).await
    }

    async fn wait_until(&self, condition: fn(&Self, &State) -> bool) -> io::Result<()> {
        // This cannot fail: the sender lives as long as the connection.
        let _ = self.state.subscribe().wait_for(|state| condition(self, state)).await;
        Ok(())
    }

    fn is_cut(&self, state: &State) -> bool {
        state.cuts != self.initial_state.cuts
    }

    fn is_released_or_cut(&self, state: &State) -> bool {
        state.releases != self.initial_state.releases || self.is_cut(state)
    }

    fn is_stalled_or_cut(&self, state: &State) -> bool {
        state.stalls != self.initial_state.stalls || self.is_cut(state)
    }

    fn must_cut_before_next(&self) -> bool {
        let next = self.initial_state.messages.load(Ordering::Relaxed) + 1;
        // The fault applies only if it was set before the connection began and was not cleared since.
        self.initial_state.mode == Mode::CutBefore(next) && self.state.borrow().mode == self.initial_state.mode
    }

    /// Returns whether the response to this commit must be lost. Resets the mode, so only one response is lost.
    fn must_lose_commit_response(&self) -> bool {
        self.state.send_if_modified(|state| {
            let lost = state.mode == Mode::CutAfterCommit;
            if lost {
                state.mode = Mode::Forward;
            }
            lost
        })
    }
}
