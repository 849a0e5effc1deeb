"""The figures for Prometheus: true, shown on a listener of their own, and without anybody's name or money."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from cardroom.web.middleware.rejections import BadListenerOption
from cardroom.web.prometheus import MetricsCollector, serve_metrics
from cardroom.web.services.monitoring import ServerMetrics
from tests.deadline import wait_until
from tests.ports import reserved_port
from tests.web.processes import start_server
from tests.web.rooms import ServedRoom, new_id, serve_room


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with serve_room(tmp_path_factory.mktemp("figures")) as room:
        yield room


def figure(room: ServedRoom, name: str, **labels: str) -> float | None:
    registry = CollectorRegistry()
    registry.register(MetricsCollector(room.context))
    return registry.get_sample_value(name, labels)


def test_calls_are_counted_by_their_described_address(room: ServedRoom) -> None:
    table, ann = room.open_table("counted"), room.players.admit_guest()
    labels = {"method": "GET", "path": "/api/v1/tables/{table}", "status": "200"}
    for _ in range(3):
        ann.view(table)
    # A call is counted when its answer has left.
    wait_until(lambda: figure(room, "cardroom_http_request_seconds_count", **labels) == 3)
    assert (figure(room, "cardroom_http_request_seconds_sum", **labels) or 0) > 0
    assert figure(room, "cardroom_http_request_seconds_bucket", le="+Inf", **labels) == 3
    httpx.get(f"{room.url}/api/v1/nothing/{ann.token}")
    wait_until(lambda: figure(room, "cardroom_http_request_seconds_count", method="GET", path="?", status="404") == 1)


def test_rounds_are_counted_by_game_and_kind_of_table(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    practice = ann.post("/tables", id=new_id(), game="dueling-for-dollars").json()["table"]
    for table, kind in ((room.open_table("duel", "dueling-for-dollars"), "automatic"), (practice, "practice")):
        ann.sit(table)
        wait_until(lambda table=table: any(view.state.table == table for view in room.context.change_feed.tables()))
        before = figure(room, "cardroom_rounds_settled_total", kind=kind, game="dueling-for-dollars") or 0
        standing = ann.wager(table, player=10_00)
        while standing["state"] == "playing":  # a tie: the player is asked
            standing = ann.decide(table, ann.view(table)["round"]["view"]["turn"]["options"][0])
        wait_until(
            lambda kind=kind, before=before: (
                figure(room, "cardroom_rounds_settled_total", kind=kind, game="dueling-for-dollars") == before + 1
            )
        )


def test_closing_a_table_settles_no_round(room: ServedRoom) -> None:
    table, ann, tallies = room.open_table("closed", "dueling-for-dollars"), room.players.admit_guest(), ServerMetrics()
    tallies.on_table_change(room.card_room.view_table(table))
    ann.sit(table)
    standing = ann.wager(table, player=10_00)
    while standing["state"] == "playing":  # a tie: the player is asked
        standing = ann.decide(table, ann.view(table)["round"]["view"]["turn"]["options"][0])
    tallies.on_table_change(room.card_room.view_table(table))
    assert sum(tallies.rounds.values()) == 1
    room.card_room.remove_table(new_id(), "Olga", table, "the evening is over")
    tallies.on_table_change(room.card_room.view_table(table))
    assert sum(tallies.rounds.values()) == 1


def test_commands_pages_and_streams_are_counted(room: ServedRoom) -> None:
    table, ann = room.open_table("streamed"), room.players.admit_guest()
    before = figure(room, "cardroom_command_seconds_count") or 0
    ann.sit(table)
    assert figure(room, "cardroom_command_seconds_count") == before + 1
    assert figure(room, "cardroom_commands_waiting") == 0
    with ann.stream(table) as stream:
        stream.next_view()
        assert figure(room, "cardroom_open_streams") == 1
    wait_until(lambda: figure(room, "cardroom_open_streams") == 0)
    assert figure(room, "cardroom_open_pages") == 0


def test_what_others_count_is_shown(room: ServedRoom) -> None:
    room.context.metrics.record_failed_login()
    room.context.rejection_log.record("192.0.2.7", "forged form")
    assert figure(room, "cardroom_logins_failed_total") == 1
    assert figure(room, "cardroom_tables_run") is not None
    assert figure(room, "cardroom_http_rejected_total", reason="forged form") == 1


def test_books_that_do_not_answer_are_shown(room: ServedRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardroom.ledger import LedgerUnavailable

    assert figure(room, "cardroom_database_reachable") == 1

    def away(*_: object) -> None:
        raise LedgerUnavailable("The books are away.")

    monkeypatch.setattr(room.card_room.ledger, "chain_lengths", away)
    assert figure(room, "cardroom_database_reachable") == 0


def test_a_verification_is_shown_once_there_was_one(room: ServedRoom) -> None:
    assert figure(room, "cardroom_ledger_intact") is None
    progress = room.context.verification.progress
    room.context.verification.progress = progress._replace(is_intact=True, ended=1_000_000)
    registry = CollectorRegistry()
    registry.register(MetricsCollector(room.context, lambda: 61.0))
    assert registry.get_sample_value("cardroom_verified_seconds_ago") == 60
    assert registry.get_sample_value("cardroom_ledger_intact") == 1


def test_a_real_server_tells_them_and_no_user_is_named_in_them(folder: Path) -> None:
    with reserved_port() as port, start_server(folder, "--demo", "--metrics", f"127.0.0.1:{port}") as server:
        ann = httpx.post(f"{server.url}/api/v1/guests", json={"id": "ann"}).json()
        table = "dueling-for-dollars-1"
        headers = {"Authorization": f"Bearer {ann['token']}"}
        sat = httpx.post(f"{server.url}/api/v1/tables/{table}/seat", json={"id": "sit", "seat": 1}, headers=headers)
        assert sat.status_code == 200
        result = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert httpx.get(f"{server.url}/metrics").status_code == 404
    families = {family.name: family for family in text_string_to_metric_families(result)}
    labels = {name for family in families.values() for sample in family.samples for name in sample.labels}
    assert labels == {"method", "path", "status", "le", "version", "jackpot"} | ({"reason"} & labels)
    assert ann["player"] not in result
    assert ann["token"] not in result
    assert {sample.labels["jackpot"] for sample in families["cardroom_jackpot_short"].samples} != set()


def test_an_address_in_use_is_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadListenerOption, match="Choose another port"), serve_metrics(f"127.0.0.1:{port}"):
            pass


def test_without_an_address_no_user_is_shown() -> None:
    with serve_metrics(None) as registry:
        assert list(registry.collect()) == []
