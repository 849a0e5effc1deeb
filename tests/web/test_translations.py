"""Every sentence on a player's page can be translated.

A pseudo language wraps each message in marks. Text outside the marks was never passed through gettext.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import httpx
import pytest

from cardroom.games import game
from cardroom.translation import use_translations
from cardroom.web.api.requests import PLAYER_COOKIE
from cardroom.web.middleware import languages
from cardroom.web.pages.templating import display_name
from cardroom.web.services.bots import minimum_wagers
from tests.service.staff import staffed
from tests.web.rooms import GAMES, Player, ServedRoom, expect_success, new_id, serve_room

OPEN, CLOSE = "⟦", "⟧"
FROM_OTHER_PACKAGES: Final = frozenset(
    {
        # cardroom.games and cardroom.paytables
        *("in-short", "summary-lines", "steps", "rulings", "general-rule", "sheet-note", "deck-text", "limits-text"),
        *("payout-limit", "option-text", "decision-text", "payment-text", "pay-text", "paytable-line", "pile-name"),
        "group-name",
        # the check of a shuffle, and the error sentences of the service
        *("check-text", "refusal"),
    }
)
"""Classes of elements whose text comes from packages below the web pages."""
NAMES: Final = ("Cardroom", *(game(slug).facts.name for slug in GAMES))
"""Names, which no language translates, where an element cannot say so: in titles and labels."""
_VOID: Final = frozenset({"meta", "link", "input", "img", "br", "use", "path", "hr"})
_LABELS: Final = ("aria-label", "title", "placeholder", "alt")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


class PseudoTranslations(gettext.NullTranslations):
    """Wraps each message in marks."""

    def gettext(self, message: str) -> str:
        return f"{OPEN}{message}{CLOSE}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"{OPEN}{msgid1 if n == 1 else msgid2}{CLOSE}"


class PageText(HTMLParser):
    """The text of a page outside the marks."""

    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []
        self._depth = 0
        self._exempt: list[bool] = [False]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        for name in _LABELS:
            self.outside += outside_marks(values.get(name) or "")
        for sentence in json.loads(values.get("data-texts") or "{}").values():
            self.outside += outside_marks(sentence)
        classes = set((values.get("class") or "").split())
        is_exempt = values.get("translate") == "no" or tag in ("kbd", "script", "code") or classes & FROM_OTHER_PACKAGES
        if tag not in _VOID:
            self._exempt.append(self._exempt[-1] or bool(is_exempt))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._exempt.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            self._exempt.pop()

    def handle_data(self, data: str) -> None:
        for part in re.split(f"({OPEN}|{CLOSE})", data):
            self._depth += (part == OPEN) - (part == CLOSE)
            if not self._depth and not self._exempt[-1]:
                self.outside += words_of(part)


def outside_marks(text: str) -> Iterator[str]:
    """The words of one text outside the marks."""
    depth = 0
    for part in re.split(f"({OPEN}|{CLOSE})", text):
        depth += (part == OPEN) - (part == CLOSE)
        if not depth:
            yield from words_of(part)


def words_of(text: str) -> Iterator[str]:
    for name in NAMES:
        text = text.replace(name, "")
    if _WORD.search(text):
        yield text.strip()


def untranslated(html: str) -> list[str]:
    parser = PageText()
    parser.feed(html)
    return parser.outside


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request is answered in the pseudo language."""
    monkeypatch.setattr(languages, "find_translations", lambda _: ("x-pseudo", PseudoTranslations()))


def page(room: ServedRoom, path: str, player: Player | None = None) -> str:
    headers = {"Accept": "text/html"}
    if player:
        headers["Cookie"] = f"{PLAYER_COOKIE}={player.token}"
    html = httpx.get(room.url + path, headers=headers).text
    assert 'lang="x-pseudo"' in html
    return html


def check(room: ServedRoom, path: str, player: Player | None = None) -> None:
    assert untranslated(page(room, path, player)) == [], path


def test_text_outside_the_marks_is_found() -> None:
    html = f'<p title="Close">{OPEN}Play <b>now</b>{CLOSE}, or fold <kbd>f</kbd> <b translate="no">Ann</b></p>'
    assert untranslated(html) == ["Close", ", or fold"]


@pytest.mark.usefixtures("pseudo")
def test_every_sentence_of_the_pages_without_a_seat_is_translated(room: ServedRoom) -> None:
    room.open_table("watched")
    for path in ("/", "/me", "/first", "/rules", "/tables/watched", "/rounds/nowhere.1", "/no-such-page"):
        check(room, path)
    for slug in GAMES:
        check(room, f"/rules/{slug}")


@pytest.mark.usefixtures("pseudo")
def test_every_sentence_of_the_sign_in_page_is_translated(folder: Path) -> None:
    with serve_room(folder) as own_room:
        staffed(own_room.card_room)
        check(own_room, "/sign-in")


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("slug", GAMES)
def test_every_sentence_of_a_table_and_of_its_rounds_is_translated(room: ServedRoom, slug: str) -> None:
    table, ann, bob = (
        room.open_table(f"translated-{slug}", slug),
        room.players.admit_guest(),
        room.players.admit_guest(),
    )
    players = {1: ann, 2: bob}
    for seat, player in players.items():
        player.sit(table, seat=seat)
    check(room, f"/tables/{table}", ann)
    wagers = dict(minimum_wagers(room.card_room.table(table).open_table.table))
    for player in players.values():
        expect_success(player.post(f"/tables/{table}/wagers", id=new_id(), wagers=wagers))
        check(room, f"/tables/{table}", ann)
    while (position := room.card_room.view_table(table).position) is not None:
        turn = position.round.seat_turn
        for player in players.values():
            check(room, f"/tables/{table}", player)
        players[turn.seat].decide(table, str(turn.options[0]))
    check(room, f"/tables/{table}", ann)
    for step in ("", "?step=1", "?step=2", "?step=3"):
        check(room, f"/rounds/{table}.1{step}", ann)
    check(room, "/me", ann)
    check(room, "/", ann)


@pytest.mark.usefixtures("pseudo")
def test_a_voided_round_and_a_practice_table_are_translated(room: ServedRoom) -> None:
    table, ann = room.open_table("voided"), room.players.admit_guest()
    ann.sit(table)
    ann.wager(table, ante_play=10_00)
    room.card_room.void_automatic_round(new_id(), "Olga", table, "a card was exposed", second="Lee")
    practice = expect_success(ann.post("/tables", id=new_id(), game="three-card-prime"))["table"]
    for path in (f"/tables/{table}", f"/rounds/{table}.1", "/me", f"/tables/{practice}"):
        check(room, path, ann)


def test_a_visitors_language_is_the_first_that_has_a_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    pseudo = PseudoTranslations()
    monkeypatch.setattr(languages, "_installed_catalogs", lambda: {"es": None})
    monkeypatch.setattr(languages, "_load_catalog", lambda _: pseudo)
    assert languages.find_translations("de, es-MX;q=0.8") == ("es", pseudo)
    assert languages.find_translations("en-US, es")[0] == "en"
    assert languages.find_translations("")[0] == "en"


def test_the_name_of_a_guest_is_in_the_language_of_the_request() -> None:
    with use_translations(PseudoTranslations()):
        assert display_name("guest-581d64ce2739") == f"{OPEN}Guest 581d{CLOSE}"
    assert display_name("guest-581d64ce2739") == "Guest 581d"
