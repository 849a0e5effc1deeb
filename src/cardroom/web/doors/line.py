"""The line over which the room is reached: whether somebody in between could listen.

>>> checked_line("127.0.0.1").secure, checked_line("0.0.0.0", behind_proxy="10.0.0.0/8").secure
(False, True)
>>> checked_line("0.0.0.0")
Traceback (most recent call last):
...
cardroom.web.doors.faults.BadLine: At 0.0.0.0 others could listen: give --certificate FILE and --key FILE, or \
--behind-proxy ADDRESSES if a proxy brings the calls over https; without them the room is served at 127.0.0.1 only.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final

from cardroom.errors import quote
from cardroom.web.doors.faults import BadLine

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True)
class Line:
    """How the room is reached."""

    certificate: Path | None = None
    key: Path | None = None
    proxies: tuple[str, ...] = ()
    """Addresses and networks that alone may say for whom they call."""

    @property
    def is_tls(self) -> bool:
        return self.certificate is not None

    @property
    def secure(self) -> bool:
        """Whether everybody comes over https, to this server or to the proxy in front of it."""
        return self.is_tls or bool(self.proxies)


PLAIN: Final = Line()
"""Nobody else is on the line: it does not leave the machine."""


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine only.

    >>> [is_loopback(one) for one in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "example.org", "")]
    [True, True, True, False, False, False, False]
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def checked_line(
    host: str,
    *,
    demo: bool = False,
    certificate: Path | None = None,
    key: Path | None = None,
    behind_proxy: str | None = None,
) -> Line:
    """The line to an address, if the room may be served there; nothing is opened yet."""
    if demo and not is_loopback(host):
        raise BadLine(
            f"The demonstration room admits everybody, so it is served at {LOOPBACK} only, not at {host}: leave --host "
            "or --demo out."
        )
    if (certificate is None) != (key is None):
        there, missing = ("--certificate", "--key") if key is None else ("--key", "--certificate")
        raise BadLine(f"A certificate and its key go together: {there} is given, so give {missing} FILE too.")
    line = Line(certificate, key, read_proxies(behind_proxy) if behind_proxy is not None else ())
    if not line.secure and not is_loopback(host):
        raise BadLine(
            f"At {host} others could listen: give --certificate FILE and --key FILE, or --behind-proxy ADDRESSES if a "
            f"proxy brings the calls over https; without them the room is served at {LOOPBACK} only."
        )
    if line.is_tls:
        tls_context(line)
    return line


def read_proxies(typed: str) -> tuple[str, ...]:
    """
    >>> read_proxies("10.0.0.7, 192.168.0.0/24,::1")
    ('10.0.0.7', '192.168.0.0/24', '::1')
    >>> read_proxies("*")
    Traceback (most recent call last):
    ...
    cardroom.web.doors.faults.BadLine: '*' is no address of a proxy: name addresses such as 10.0.0.7 or networks such \
as 10.0.0.0/24, with commas between them.
    """
    proxies = tuple(one.strip() for one in typed.split(","))
    for one in proxies:
        try:
            ip_network(one)
        except ValueError:
            raise BadLine(
                f"{quote(one)} is no address of a proxy: name addresses such as 10.0.0.7 or networks such as "
                "10.0.0.0/24, with commas between them."
            ) from None
    return proxies


def tls_context(line: Line) -> ssl.SSLContext:
    """What the server proves its name with."""
    assert line.certificate is not None
    assert line.key is not None
    for file, what in ((line.certificate, "certificate"), (line.key, "key")):
        try:
            with file.open("rb"):
                pass
        except OSError as fault:
            raise BadLine(f"The {what} {file} cannot be read ({fault.strerror}): name a PEM file.") from None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # A key under a password would otherwise be asked for at the terminal, where nobody sits when a server starts.
        context.load_cert_chain(line.certificate, line.key, password="")
    except ssl.SSLError as fault:
        if fault.reason == "KEY_VALUES_MISMATCH":
            raise BadLine(f"The key {line.key} is not that of the certificate {line.certificate}.") from None
        raise BadLine(
            f"{line.certificate} and {line.key} are no certificate and key: both must be PEM files, and the key "
            "without a password."
        ) from None
    return context
