"""The line over which the room is reached: whether somebody in between could listen.

>>> check_listener_options("127.0.0.1").secure, check_listener_options("0.0.0.0", behind_proxy="10.0.0.0/8").secure
(False, True)
>>> check_listener_options("0.0.0.0")
Traceback (most recent call last):
...
cardroom.web.middleware.rejections.BadListenerOption: At 0.0.0.0 others could listen: give --certificate FILE \
and --key FILE, or --behind-proxy ADDRESSES if a proxy brings the calls over https; without them the room is served at \
127.0.0.1 only.

The names under which a room is called. A person who rules another name could let it lead here, and a browser would
take that page for one of ours.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final

from starlette.types import Scope

from cardroom.errors import quote
from cardroom.web.middleware.rejections import BadListenerOption

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True)
class ListenerOptions:
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


PLAIN_HTTP: Final = ListenerOptions()
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


def check_listener_options(
    host: str,
    *,
    demo: bool = False,
    certificate: Path | None = None,
    key: Path | None = None,
    behind_proxy: str | None = None,
) -> ListenerOptions:
    """The line to an address, if the room may be served there; nothing is opened yet."""
    if demo and not is_loopback(host):
        raise BadListenerOption(
            f"The demonstration room admits everybody, so it is served at {LOOPBACK} only, not at {host}: leave --host "
            "or --demo out."
        )
    if (certificate is None) != (key is None):
        given_option, missing = ("--certificate", "--key") if key is None else ("--key", "--certificate")
        raise BadListenerOption(
            f"A certificate and its key go together: {given_option} is given, so give {missing} FILE too."
        )
    line = ListenerOptions(certificate, key, parse_proxies(behind_proxy) if behind_proxy is not None else ())
    if not line.secure and not is_loopback(host):
        raise BadListenerOption(
            f"At {host} others could listen: give --certificate FILE and --key FILE, or --behind-proxy ADDRESSES if a "
            f"proxy brings the calls over https; without them the room is served at {LOOPBACK} only."
        )
    if line.is_tls:
        tls_context(line)
    return line


def parse_proxies(text: str) -> tuple[str, ...]:
    """
    >>> parse_proxies("10.0.0.7, 192.168.0.0/24,::1")
    ('10.0.0.7', '192.168.0.0/24', '::1')
    >>> parse_proxies("*")
    Traceback (most recent call last):
    ...
    cardroom.web.middleware.rejections.BadListenerOption: '*' is no address of a proxy: name addresses such as \
10.0.0.7 or networks such \
as 10.0.0.0/24, with commas between them.
    """
    proxies = tuple(proxy.strip() for proxy in text.split(","))
    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError:
            raise BadListenerOption(
                f"{quote(proxy)} is no address of a proxy: name addresses such as 10.0.0.7 or networks such as "
                "10.0.0.0/24, with commas between them."
            ) from None
    return proxies


def tls_context(line: ListenerOptions) -> ssl.SSLContext:
    """What the server proves its name with."""
    assert line.certificate is not None
    assert line.key is not None
    for file, label in ((line.certificate, "certificate"), (line.key, "key")):
        try:
            with file.open("rb"):
                pass
        except OSError as fault:
            raise BadListenerOption(f"The {label} {file} cannot be read ({fault.strerror}): name a PEM file.") from None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # A key under a password would otherwise be asked for at the terminal, where nobody sits when a server starts.
        context.load_cert_chain(line.certificate, line.key, password="")
    except ssl.SSLError as fault:
        if fault.reason == "KEY_VALUES_MISMATCH":
            raise BadListenerOption(f"The key {line.key} is not that of the certificate {line.certificate}.") from None
        raise BadListenerOption(
            f"{line.certificate} and {line.key} are no certificate and key: both must be PEM files, and the key "
            "without a password."
        ) from None
    return context


LOCAL_NAMES: Final = frozenset(("127.0.0.1", "localhost", "::1"))
"""Of every machine, for itself."""
_NAME: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")


def parse_host_names(text: Iterable[str], *, demo: bool = False) -> frozenset[str]:
    """The names that a room answers to; empty where it answers to every name.

    >>> sorted(parse_host_names(["Room.example", "[2001:db8::7]"])), parse_host_names([])
    (['127.0.0.1', '2001:db8::7', '::1', 'localhost', 'room.example'], frozenset())
    >>> parse_host_names(["https://room.example"])
    Traceback (most recent call last):
    ...
    cardroom.web.middleware.rejections.BadListenerOption: 'https://room.example' is no name of a host: give the name \
alone, such as \
room.example, without https:// and without a port.
    """
    names = {_parse_host_name(name) for name in text}
    if demo and names:
        raise BadListenerOption("The demonstration room is called 127.0.0.1 or localhost: leave --name or --demo out.")
    return LOCAL_NAMES | names if names else frozenset()


def _parse_host_name(text: str) -> str:
    name = text.strip().lower().removeprefix("[").removesuffix("]")
    try:
        return str(ip_address(name))
    except ValueError:
        if _NAME.fullmatch(name):
            return name
    raise BadListenerOption(
        f"{quote(text)} is no name of a host: give the name alone, such as room.example, without https:// and "
        "without a port."
    )


def is_known_host(scope: Scope, names: Collection[str]) -> bool:
    """Whether a call names one of these hosts, at any port.

    >>> hosts = (b"localhost:8000", b"[::1]:80", b"evil.example")
    >>> [is_known_host({"headers": [(b"host", host)]}, LOCAL_NAMES) for host in hosts]
    [True, True, False]
    """
    host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1").lower()
    return (host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]) in names
