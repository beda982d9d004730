//! Runs a proxy in a temporary folder.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::Certificate;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::proxies::clients::{NAME, ProxyClients};

/// How often the test asks whether the proxy listens. It starts in a fraction of a second.
const MAX_ATTEMPTS: usize = 3_000;
const ATTEMPT_INTERVAL: Duration = Duration::from_millis(10);

/// The folder and the addresses of a proxy that is not started yet.
pub(super) struct Setup {
    folder: TempDir,
    certificate: CertifiedKey<rcgen::KeyPair>,
    pub(super) plain: SocketAddr,
    pub(super) tls: SocketAddr,
}

impl Setup {
    /// Chooses free ports of an address that no other program uses: not even as the address of outgoing connections.
    pub(super) fn on(address: Ipv4Addr) -> Self {
        let sockets = [(); 2].map(|()| TcpListener::bind((address, 0)).unwrap());
        let [plain, tls] = sockets.map(|socket| socket.local_addr().unwrap());
        let certificate = generate_simple_self_signed([NAME.to_owned()]).unwrap();
        let setup = Self { folder: tempfile::tempdir().unwrap(), certificate, plain, tls };
        fs::write(setup.path("certificate.pem"), setup.certificate.cert.pem()).unwrap();
        fs::write(setup.path("key.pem"), setup.certificate.signing_key.serialize_pem()).unwrap();
        setup
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the path of a file as text.
    pub(super) fn text(&self, name: &str) -> String {
        self.path(name).into_os_string().into_string().unwrap()
    }

    /// Writes a configuration from the folder `deploy`, in which each text on the left is replaced.
    pub(super) fn write(&self, name: &str, configuration: &str, replacements: &[(&str, &str)]) {
        let replace = |text: String, (from, to): &(&str, &str)| {
            assert_eq!(text.matches(from).count(), 1, "{from}");
            text.replace(from, to)
        };
        let text = replacements.iter().fold(configuration.to_owned(), replace);
        fs::write(self.path(name), text).unwrap();
    }

    pub(super) fn start(self, command: &mut Command) -> Proxy {
        let log = fs::File::create(self.path("log")).unwrap();
        let child = command.stderr(log.try_clone().unwrap()).stdout(log).spawn().unwrap();
        Proxy { child, setup: self }
    }
}

/// A running proxy. It is stopped when dropped.
pub(crate) struct Proxy {
    child: Child,
    setup: Setup,
}

impl Proxy {
    /// Waits until the proxy listens. Returns clients that trust its certificate.
    pub(crate) async fn ready(&self) -> ProxyClients {
        for address in [self.setup.plain, self.setup.tls] {
            let mut attempts = 0;
            while TcpStream::connect(address).await.is_err() {
                let log = fs::read_to_string(self.setup.path("log")).unwrap();
                assert!(attempts < MAX_ATTEMPTS, "{log}");
                attempts += 1;
                sleep(ATTEMPT_INTERVAL).await;
            }
        }
        let certificate = Certificate::from_der(self.setup.certificate.cert.der()).unwrap();
        ProxyClients { certificate, plain: self.setup.plain, tls: self.setup.tls }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // The process may already have ended. `SIGTERM` also ends the workers of nginx.
        let _ = Command::new("sh").args(["-c", &format!("kill -TERM {}", self.child.id())]).status();
        let _ = self.child.wait();
    }
}
