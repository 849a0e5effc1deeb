"""Certificates for the tests, made when they are needed."""

from __future__ import annotations

import datetime
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def make_certificate(folder: Path, name: str = "room", password: bytes | None = None) -> tuple[Path, Path]:
    """A certificate for this machine that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    named = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Cardroom test")])
    now = datetime.datetime.now(datetime.UTC)  # cannot fail: the certificate is valid for a day
    made = (
        x509.CertificateBuilder()
        .subject_name(named)
        .issuer_name(named)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / f"{name}.pem", folder / f"{name}.key"
    certificate_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    how = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    key_file.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how))
    return certificate_file, key_file
