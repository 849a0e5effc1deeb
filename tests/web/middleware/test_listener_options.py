"""The room is served to strangers over https only; the demonstration room to no user but this machine."""

from __future__ import annotations

import ssl
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.web.middleware.listener_options import ListenerOptions, check_listener_options, tls_context
from tests.service.staff import FIRST, open_staff, password_of, with_first_operator
from tests.web.middleware.certificates import make_certificate
from tests.web.processes import start_server
from tests.web.rooms import QUICK, serve_room


def refused(*options: str) -> str:
    """The sentence. The books could not be opened, and no user has tried: that would be another sentence."""
    result = CliRunner().invoke(app, ["serve", "--database", "mysql://nowhere", "--port", "0", *options])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_the_demonstration_room_is_for_this_machine_alone(folder: Path, host: str) -> None:
    certificate, key = map(str, make_certificate(folder))
    for more in ((), ("--certificate", certificate, "--key", key), ("--behind-proxy", "192.0.2.9")):
        assert "only be served at 127.0.0.1" in refused("--demo", "--host", host, *more)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_strangers_are_served_over_https_only(host: str) -> None:
    assert f"Traffic to {host} would not be encrypted" in refused("--host", host)


def test_a_certificate_and_its_key_go_together(folder: Path) -> None:
    certificate, key = map(str, make_certificate(folder))
    assert "Add --key FILE" in refused("--certificate", certificate)
    assert "Add --certificate FILE" in refused("--key", key)


def test_files_that_are_no_certificate_and_key_are_one_sentence(folder: Path) -> None:
    certificate, key = map(str, make_certificate(folder))
    _, other = map(str, make_certificate(folder, "other"))
    _, locked = map(str, make_certificate(folder, "locked", b"secret"))
    letter = folder / "letter"
    letter.write_text("Dear Sir")
    for certificate_file, two, says in (
        (f"{folder}/none.pem", key, "cannot be read (No such file or directory)"),
        (certificate, f"{folder}/none.key", "cannot be read (No such file or directory)"),
        (str(folder), key, "cannot be read (Is a directory)"),
        (certificate, other, "does not belong to the certificate"),
        (str(letter), key, "are not a certificate and key"),
        (certificate, str(letter), "are not a certificate and key"),
        (certificate, locked, "no password"),
    ):
        assert says in refused("--host", "0.0.0.0", "--certificate", certificate_file, "--key", two)


@pytest.mark.parametrize("proxies", ["", "*", "proxy.example.org", "10.0.0.1/8", "10.0.0.1,,10.0.0.2", "300.1.1.1"])
def test_a_proxy_is_named_by_its_address(proxies: str) -> None:
    assert "is not the address of a proxy" in refused("--behind-proxy", proxies)


@pytest.mark.parametrize("address", ["nine", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", ":9100", "a b:9100"])
def test_an_address_for_figures_that_is_none(address: str) -> None:
    assert "is not an address" in refused("--metrics", address)


def test_the_room_is_served_over_https_from_tls_1_2_on(folder: Path) -> None:
    certificate, key = make_certificate(folder)
    options = ("--host", "127.0.0.1", "--certificate", str(certificate), "--key", str(key))
    with_first_operator(f"sqlite:///{folder}/room.db")
    with start_server(folder, *options) as server:
        assert server.url.startswith("https://127.0.0.1:")
        trusting = ssl.create_default_context(cafile=str(certificate))
        answer = httpx.get(f"{server.url}/healthz", verify=trusting)
        assert answer.status_code == 200
        assert "strict-transport-security" in answer.headers
        old = ssl.create_default_context(cafile=str(certificate))
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        assert httpx.get(f"{server.url}/healthz", verify=old).status_code == 200
        context = server.url.removeprefix("https://")
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://{context}/healthz")


def test_nothing_older_is_spoken(folder: Path) -> None:
    certificate, key = make_certificate(folder)
    assert tls_context(ListenerOptions(certificate, key)).minimum_version is ssl.TLSVersion.TLSv1_2


def test_what_makes_a_line_secure(folder: Path) -> None:
    certificate, key = make_certificate(folder)
    assert not check_listener_options("127.0.0.1").secure
    assert check_listener_options("0.0.0.0", certificate=certificate, key=key).secure
    assert check_listener_options("0.0.0.0", behind_proxy="10.0.0.0/8,::1").proxies == ("10.0.0.0/8", "::1")


def test_the_demonstration_room_has_no_other_name(folder: Path) -> None:
    """A name that leads here, but is a user else's, would make a browser take their page for ours."""
    with serve_room(folder, replace(QUICK, demo=True)) as room:
        port = room.url.rpartition(":")[2]
        for host, status in ((f"127.0.0.1:{port}", 200), (f"localhost:{port}", 200), (f"evil.example:{port}", 421)):
            answer = httpx.get(f"{room.url}/first", headers={"Host": host, "Origin": f"http://{host}"})
            assert answer.status_code == status, host
        form = {
            "id": "0" * 32,
            "login": "mallory",
            "name": "M",
            "password": "seven quiet owls",
            "again": "seven quiet owls",
        }
        evil = {"Host": f"evil.example:{port}", "Origin": f"http://evil.example:{port}"}
        assert httpx.post(f"{room.url}/first", data=form, headers=evil).status_code == 421
        assert not room.card_room.users.has_users()


def test_a_room_that_has_names_answers_to_them_and_to_no_other(folder: Path) -> None:
    with_first_operator(f"sqlite:///{folder}/room.db")
    with start_server(folder, "--name", "room.example", "--name", "192.0.2.7") as server:
        port = server.url.rpartition(":")[2]
        names = {"room.example": 200, "Room.Example": 200, "192.0.2.7": 200, "127.0.0.1": 200, "[::1]": 200}
        for name, status in {**names, "evil.example": 421, "room.example.evil.example": 421, "": 421}.items():
            for host in (name, f"{name}:{port}"):
                for path in ("/", "/healthz", "/api/v1/tables"):
                    answer = httpx.get(f"{server.url}{path}", headers={"Host": host})
                    assert answer.status_code == status, (host, path)
    with start_server(folder) as server:
        assert httpx.get(server.url, headers={"Host": "any.example"}).status_code == 200


@pytest.mark.parametrize("name", ["", "*", "https://room.example", "room.example:443", "room example", "-room"])
def test_a_name_of_the_room_is_a_name_of_a_host(name: str) -> None:
    assert "is not a host name" in refused("--name", name)


def test_the_demonstration_room_takes_no_other_name() -> None:
    assert "Remove --name or --demo" in refused("--demo", "--name", "room.example")


def test_behind_a_proxy_a_form_is_known_by_the_host_that_the_browser_sees(folder: Path) -> None:
    """The proxy ends TLS and keeps the host; a page of a user else is still refused, whatever it forwards."""
    with serve_room(folder, replace(QUICK, secure=True), line=ListenerOptions(proxies=("127.0.0.1",))) as room:
        open_staff(room.card_room)

        def signed_in(**headers: str) -> httpx.Response:
            sent = {"Host": "room.example", "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", **headers}
            form = {"login": FIRST, "password": password_of(FIRST)}
            return httpx.post(f"{room.url}/sign-in", data=form, headers=sent)

        assert signed_in(Origin="https://evil.example").status_code == 403
        assert signed_in(Origin="https://evil.example", **{"X-Forwarded-Host": "evil.example"}).status_code == 403
        assert signed_in().status_code == 403
        answer = signed_in(Origin="https://room.example")
        assert answer.status_code == 303
        assert all(
            "Secure" in cookie and cookie.startswith("__Host-") for cookie in answer.headers.get_list("set-cookie")
        )
        assert [session.address for session in room.card_room.user(FIRST).sessions.values()] == ["192.0.2.7"]
        guest = httpx.post(
            f"{room.url}/api/v1/guests",
            json={"id": "a-guest"},
            headers={"Host": "room.example", "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"},
        ).json()
        practice = {"id": "a-table", "game": "three-card-prime"}
        for origin, status in (("https://evil.example", 401), ("https://room.example", 201)):
            answer = httpx.post(
                f"{room.url}/api/v1/tables",
                json=practice,
                headers={"Host": "room.example", "Origin": origin, "Cookie": f"cardroom_token={guest['token']}"},
            )
            assert answer.status_code == status
