"""How browsers reach the server: TLS, trusted proxies, and host names.

>>> check_listener_options("127.0.0.1").secure, check_listener_options("0.0.0.0", behind_proxy="10.0.0.0/8").secure
(False, True)
>>> check_listener_options("0.0.0.0")
Traceback (most recent call last):
...
cardroom.web.middleware.rejections.BadListenerOption: Traffic to 0.0.0.0 would \
not be encrypted. Add --certificate FILE and --key FILE, or --behind-proxy ADDRESSES for an HTTPS proxy, or serve at \
127.0.0.1.

Host names are checked because another person's name could point to this server, and a browser would treat the pages as
that person's.
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
    """The options of the listening socket."""

    certificate: Path | None = None
    key: Path | None = None
    proxies: tuple[str, ...] = ()
    """Addresses and networks whose X-Forwarded headers are trusted."""

    @property
    def is_tls(self) -> bool:
        return self.certificate is not None

    @property
    def secure(self) -> bool:
        """Whether all traffic uses HTTPS, to this server or to its proxy."""
        return self.is_tls or bool(self.proxies)


PLAIN_HTTP: Final = ListenerOptions()
"""HTTP within this machine."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "example.org", "")]
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
    """The options for an address, if serving there is allowed. This opens no socket."""
    if demo and not is_loopback(host):
        raise BadListenerOption(
            f"The demo admits everyone, so it can only be served at {LOOPBACK}, not at {host}. Remove --host or --demo."
        )
    if (certificate is None) != (key is None):
        given_option, missing = ("--certificate", "--key") if key is None else ("--key", "--certificate")
        raise BadListenerOption(f"A certificate needs its key. Add {missing} FILE to {given_option}.")
    options = ListenerOptions(certificate, key, parse_proxies(behind_proxy) if behind_proxy is not None else ())
    if not options.secure and not is_loopback(host):
        raise BadListenerOption(
            f"Traffic to {host} would not be encrypted. Add --certificate FILE and --key FILE, or --behind-proxy "
            f"ADDRESSES for an HTTPS proxy, or serve at {LOOPBACK}."
        )
    if options.is_tls:
        tls_context(options)
    return options


def parse_proxies(text: str) -> tuple[str, ...]:
    """
    >>> parse_proxies("10.0.0.7, 192.168.0.0/24,::1")
    ('10.0.0.7', '192.168.0.0/24', '::1')
    >>> parse_proxies("*")
    Traceback (most recent call last):
    ...
    cardroom.web.middleware.rejections.BadListenerOption: '*' is not the address of a proxy. Use addresses such \
as 10.0.0.7 or networks such as 10.0.0.0/24, separated by commas.
    """
    proxies = tuple(proxy.strip() for proxy in text.split(","))
    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError:
            raise BadListenerOption(
                f"{quote(proxy)} is not the address of a proxy. Use addresses such as 10.0.0.7 or networks such as "
                "10.0.0.0/24, separated by commas."
            ) from None
    return proxies


def tls_context(options: ListenerOptions) -> ssl.SSLContext:
    """The TLS context of the server."""
    assert options.certificate is not None
    assert options.key is not None
    for file, label in ((options.certificate, "certificate"), (options.key, "key")):
        try:
            with file.open("rb"):
                pass
        except OSError as fault:
            raise BadListenerOption(f"The {label} {file} cannot be read ({fault.strerror}). Name a PEM file.") from None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # Without this, a key with a password would prompt at the terminal, and the server would wait forever.
        context.load_cert_chain(options.certificate, options.key, password="")
    except ssl.SSLError as fault:
        if fault.reason == "KEY_VALUES_MISMATCH":
            raise BadListenerOption(
                f"The key {options.key} does not belong to the certificate {options.certificate}."
            ) from None
        raise BadListenerOption(
            f"{options.certificate} and {options.key} are not a certificate and key. Both must be PEM files, and the "
            "key must have no password."
        ) from None
    return context


LOCAL_NAMES: Final = frozenset(("127.0.0.1", "localhost", "::1"))
"""Names of the machine itself."""
_NAME: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")


def parse_host_names(text: Iterable[str], *, demo: bool = False) -> frozenset[str]:
    """The host names of the server; empty if it accepts every name.

    >>> sorted(parse_host_names(["Room.example", "[2001:db8::7]"])), parse_host_names([])
    (['127.0.0.1', '2001:db8::7', '::1', 'localhost', 'room.example'], frozenset())
    >>> parse_host_names(["https://room.example"])
    Traceback (most recent call last):
    ...
    cardroom.web.middleware.rejections.BadListenerOption: 'https://room.example' is not a host name. Type the \
name alone, such as room.example, without https:// and without a port.
    """
    names = {_parse_host_name(name) for name in text}
    if demo and names:
        raise BadListenerOption("The demo is only at 127.0.0.1 or localhost. Remove --name or --demo.")
    return LOCAL_NAMES | names if names else frozenset()


def _parse_host_name(text: str) -> str:
    name = text.strip().lower().removeprefix("[").removesuffix("]")
    try:
        return str(ip_address(name))
    except ValueError:
        if _NAME.fullmatch(name):
            return name
    raise BadListenerOption(
        f"{quote(text)} is not a host name. Type the name alone, such as room.example, without https:// and without a "
        "port."
    )


def is_known_host(scope: Scope, names: Collection[str]) -> bool:
    """Whether a request names one of these hosts, at any port.

    >>> hosts = (b"localhost:8000", b"[::1]:80", b"evil.example")
    >>> [is_known_host({"headers": [(b"host", host)]}, LOCAL_NAMES) for host in hosts]
    [True, True, False]
    """
    host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1").lower()
    return (host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]) in names
