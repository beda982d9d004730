//! Encrypted connections and verification of the server.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::sync::OnceLock;

use family_api_core::storage::{Health, StorageError};
use family_api_sql::postgres::{OpenError, PostgresStorage};
use family_api_testing::{Database, Server, Shutdown};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use crate::fixture::{full_error_text, within_timeout};

/// Starts a server with a certificate for `localhost`. The server's folder also contains the certificate of the
/// authority that signed it (`ours.pem`) and of another authority (`another.pem`).
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let server = Server::start();
        let authority = authority();
        let key = KeyPair::generate().unwrap();
        let names = CertificateParams::new(["localhost".to_owned()]).unwrap();
        let certificate = names.signed_by(&key, &authority).unwrap();
        write_data_file(&server, "server.crt", &certificate.pem());
        write_data_file(&server, "server.key", &key.serialize_pem());
        fs::write(server.folder().join("ours.pem"), authority.pem()).unwrap();
        fs::write(server.folder().join("another.pem"), self::authority().pem()).unwrap();
        let mut settings = OpenOptions::new().append(true).open(server.folder().join("data/postgresql.conf")).unwrap();
        writeln!(settings, "ssl = on").unwrap();
        server.restart(Shutdown::Fast);
        server
    })
}

async fn open(database: &Database, host: &str, mode: &str) -> Result<PostgresStorage, OpenError> {
    let url = database.url().replace("postgres@127.0.0.1", &format!("postgres:canary@{host}"));
    let mode = mode.replace("FOLDER", &server().folder().display().to_string());
    within_timeout(PostgresStorage::open(&format!("{url}?{mode}"))).await
}

/// Returns whether the server reports every connection of a storage as encrypted.
async fn is_encrypted(database: &Database) -> bool {
    let sql = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                    WHERE datname = current_database() AND application_name = 'family-api'";
    sqlx::query_scalar(sql).fetch_one(&mut database.connect().await).await.unwrap()
}

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// Writes a file into the data folder of the server, with the owner that the server requires.
fn write_data_file(server: &Server, name: &str, content: &str) {
    let data = server.folder().join("data");
    let file = data.join(name);
    fs::write(&file, content).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    set_owner(&data, &file);
}

fn set_owner(data: &Path, file: &Path) {
    let owner = fs::metadata(data).unwrap();
    chown(file, Some(owner.uid()), Some(owner.gid())).unwrap();
}

tests! {
    async fn a_connection_is_encrypted_if_the_server_supports_it() {
        let database = server().create_database().await;
        for mode in ["", "sslmode=prefer", "sslmode=require"] {
            let storage = open(&database, "127.0.0.1", mode).await.unwrap();
            storage.check().await.unwrap();
            assert!(is_encrypted(&database).await, "{mode}");
            storage.close().await;
        }
    }

    async fn the_name_and_authority_of_a_server_are_verified() {
        let database = server().create_database().await;
        let mode = "sslmode=verify-full&sslrootcert=FOLDER";
        let storage = open(&database, "localhost", &format!("{mode}/ours.pem")).await.unwrap();
        storage.check().await.unwrap();
        assert!(is_encrypted(&database).await);
        storage.close().await;
        for (host, file) in [("localhost", "another.pem"), ("127.0.0.1", "ours.pem")] {
            let error = open(&database, host, &format!("{mode}/{file}")).await.unwrap_err();
            assert!(matches!(error, OpenError::Storage(StorageError::Unavailable(_))), "{error:?}");
            let text = full_error_text(&error);
            assert!(text.contains("certificate") && !text.contains("canary"), "{text}");
        }
    }

    async fn an_unencrypted_server_is_refused_if_the_url_requires_tls() {
        let database = Server::shared().create_database().await;
        let url = database.url().replace("postgres@", "postgres:canary@");
        let error = within_timeout(PostgresStorage::open(&format!("{url}?sslmode=require"))).await.unwrap_err();
        let text = full_error_text(&error);
        assert!(text.contains("TLS") && !text.contains("canary"), "{text}");
    }
}
