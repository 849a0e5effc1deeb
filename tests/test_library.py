"""What ``import cardroom`` offers, and the names of the public packages."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from importlib import import_module

import pytest

import cardroom
from cardroom.odds import BadPriceRequest, PriceQuery, compute_odds, find_requests

PACKAGES = (
    "cardroom",
    *(f"cardroom.{name}" for name in ("cards", "hands", "paytables", "games", "odds")),
    "cardroom_equipment_simulators",
    "cardroom_research",
)
STATE_PACKAGES = ("cardroom.ledger", "cardroom.room", "cardroom.service")

FUNCTION_WORDS = """
about above across after against along among around as at before behind below beside between beyond by for
from in into of off on onto out over since through to under until up upon with within without anew else here
there so thus been begun bought broken brought chosen come counted dealt done drawn due fallen felt found
given gone held known laid left lost made met named paid played priced printed put read said seen sent set
settled shown spread stood taken told typed used waited won written
"""


@pytest.mark.parametrize("package", [*PACKAGES, *STATE_PACKAGES])
def test_no_public_name_is_a_preposition_an_adverb_or_a_participle(package: str) -> None:
    names = import_module(package).__all__
    assert [name for name in names if name.lower() in FUNCTION_WORDS.split()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_exists_and_has_a_docstring(package: str) -> None:
    module = import_module(package)
    for name in module.__all__:
        value = getattr(module, name)
        if callable(value) and getattr(value, "__module__", "").startswith("cardroom"):
            assert value.__doc__, f"{package}.{name}"


def test_two_public_classes_never_share_a_name() -> None:
    classes: dict[str, object] = {}
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            if isinstance(value := getattr(module, name), type):
                assert classes.setdefault(name, value) is value, name


def test_the_package_exports_what_its_packages_define() -> None:
    assert len(cardroom.__all__) < 20
    for name in cardroom.__all__:
        assert name in dir(cardroom)
        assert getattr(cardroom, name) is not None
    with pytest.raises(AttributeError):
        _ = cardroom.no_such_name


@pytest.mark.parametrize(
    ("program", "light"),
    [
        ("import cardroom", True),
        ("from cardroom import Card, parse_cards", True),
        ("from cardroom import deal; print(deal('three-card-prime', seed=1))", False),
    ],
)
def test_an_import_loads_no_compiler_and_as_little_as_it_can(program: str, light: bool) -> None:
    heavy = {"numba", "sqlalchemy", "typer", "rich", "fastapi"} | ({"numpy"} if light else set())
    check = f"{program}\nimport sys\nprint(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_price_is_the_odds_of_the_one_request_that_it_makes() -> None:
    (request,) = find_requests(PriceQuery("dueling-for-dollars", "duel", settings={"decks": 8}))
    assert cardroom.price("dueling-for-dollars", "duel", decks=8) == compute_odds(request)


def test_the_price_of_three_card_prime_is_exact() -> None:
    odds = cardroom.price("three-card-prime", "ante-play", "PW/BB 1")
    assert odds.is_exact
    assert odds.house_edge == Fraction(226743, 7830200)


def test_a_custom_paytable_has_a_price() -> None:
    from cardroom.paytables import change_pays

    printed = cardroom.paytable("three-card-prime", "prime", "PRW-1")
    changed = change_pays(printed, {"same-color-player": "5 to 1"})
    better = cardroom.price("three-card-prime", "prime", changed)
    assert better.house_edge is not None
    assert better.house_edge < (cardroom.price("three-card-prime", "prime", "PRW-1").house_edge or 0)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (("three-card-prime", "ante-play"), {}),
        (("three-card-prime", "no-such-wager"), {}),
        (("three-card-prime", "ante-play", "PW/BB 9"), {}),
        (("three-card-prime", "ante-play", "PW/BB 1"), {"decks": 6}),
        (("three-card-prime", "ante-play", "PW/BB 1"), {"meter_cents": 100_00}),
    ],
)
def test_a_price_that_is_not_one_figure_is_refused(arguments: tuple[str, ...], options: dict[str, int]) -> None:
    with pytest.raises((BadPriceRequest, cardroom.BadInput)):
        cardroom.price(*arguments, **options)  # type: ignore[arg-type]
