//! TLS servers with certificates of every kind. They read what comes and answer nothing.

use std::net::SocketAddr;
use std::sync::Arc;

use payonce::ReqwestTransport;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

pub(super) struct Server {
    address: SocketAddr,
    root_pem: Option<String>,
}

impl Server {
    /// Signed by itself, and by nobody that we trust.
    pub(super) fn self_signed() -> Self {
        let key = KeyPair::generate().unwrap();
        let certificate = params("127.0.0.1").self_signed(&key).unwrap();
        Self::start(certificate.der().to_vec(), &key, None)
    }

    /// Signed by a trusted authority, for another host.
    pub(super) fn for_another_host() -> Self {
        Self::signed(&params("gateway.example"))
    }

    /// Signed by a trusted authority, long ago.
    pub(super) fn expired() -> Self {
        let mut params = params("127.0.0.1");
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
        Self::signed(&params)
    }

    /// Signed by a trusted authority, for this host, now.
    pub(super) fn trusted() -> Self {
        Self::signed(&params("127.0.0.1"))
    }

    fn signed(params: &CertificateParams) -> Self {
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority
            .distinguished_name
            .push(DnType::CommonName, "a merchant's own authority");
        let issuer = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &issuer).unwrap();
        Self::start(certificate.der().to_vec(), &key, Some(issuer.pem()))
    }

    fn start(certificate: Vec<u8>, key: &KeyPair, root_pem: Option<String>) -> Self {
        let provider = ring::default_provider();
        let config = ServerConfig::builder_with_provider(Arc::new(provider))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.into()],
                PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
            )
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let listener = TcpListener::from_std(listener).unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    if let Ok(mut stream) = acceptor.accept(stream).await {
                        let mut bytes = [0; 4096];
                        while stream.read(&mut bytes).await.is_ok_and(|read| read > 0) {}
                    }
                });
            }
        });
        Self { address, root_pem }
    }

    pub(super) fn base_url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// A transport that trusts the server's authority, if it has one.
    pub(super) fn transport(&self) -> ReqwestTransport {
        let builder = ReqwestTransport::builder();
        let builder = match &self.root_pem {
            Some(pem) => builder.root_certificate_pem(pem.as_bytes()),
            None => builder,
        };
        builder.build().unwrap()
    }
}

fn params(host: &str) -> CertificateParams {
    CertificateParams::new(vec![host.to_owned()]).unwrap()
}
