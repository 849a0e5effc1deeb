"""A card room to test with: Three Card Prime for the Final Four, and a Deuces Wild table with a data logger."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from cardroom.chart_of_accounts import CENT
from cardroom.games import TableSetup, WagerLimits, WagerSetup, default_setup
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.payment_references import PaymentMethod
from cardroom.room.setup.jackpot import JackpotSetup, read_jackpot_setup
from cardroom.room.setup.site import SiteSettings
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor
from cardroom.room.site.state import configure_site
from cardroom.room.tabulator.plausibility import PlayRate
from cardroom.service import ButtonPress, CardRoom, ClaimDecisionResult, RoomTableSetup, RoundCountResult, UnitSetup
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.unit_of_work import UnitOfWork
from tests.room.jackpots import winners as all_winners

DIAMOND_ROYAL = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"})
"""All of the Final Four."""
CLUB_ROYAL = TypedHand("final-four", 100, {"hand": "Jc Qc Kc", "fourth": "Ac"})
"""A tenth of it."""
SPADE_ROYAL = TypedHand("final-four", 100, {"hand": "Js Qs Ks", "fourth": "As"}, seat=2)
"""A tenth of it, at the second seat."""
THREE_OF_A_KIND = TypedHand("final-four", 100, {"hand": "7c 7d 7h", "fourth": "Ac"})
"""$25 of the house's money."""
SEVEN_SPADES = TypedHand("all-seven", 100, {"hand": "2s 3s 4s", "fourth": "5s", "dealer": "6s 7s 8s"})
"""All of All Seven."""
WATCHED = SurveillanceCheck("Uma", "now")

_commands = count(1)


def new_id() -> str:
    return f"command-{next(_commands)}"


def final_four(
    id: str = "final-four", location: str = "Lakewood", contribution: str = "20%", ceiling: str | None = None
) -> JackpotSetup:
    return read_jackpot_setup(f"""
        id = "{id}"
        name = "Final Four Progressive"
        kind = "progressive"
        location = "{location}"
        wager = "$1"
        [[offers]]
        game = "three-card-prime"
        wager = "final-four"
        paytable = "F4P-1"
        [[levels]]
        name = "main"
        pays = ["four-card-diamond-royal", "four-card-royal"]
        contribution = "{contribution}"
        reserve = "5%"
        seed = "$5,000"
        {f'ceiling = "{ceiling}"' if ceiling else ""}
    """)


def all_seven(kind: str = "progressive") -> JackpotSetup:
    text = f"""
        id = "all-seven"
        name = "All Seven"
        kind = "{kind}"
        location = "Lakewood"
        wager = "$1"
        [[offers]]
        game = "three-card-prime"
        wager = "all-seven"
        paytable = "A7P-1"
        [[levels]]
        name = "main"
        pays = ["seven-card-straight-flush", "royal-flush"]
    """
    more = 'amount = "$10,000"' if kind == "bonus" else 'contribution = "1/7"\nseed = "$10,000"'
    return read_jackpot_setup(text + more)


def five_wild() -> JackpotSetup:
    return read_jackpot_setup("""
        id = "five-wild"
        name = "Five Wild"
        kind = "progressive"
        location = "Lakewood"
        wager = "$1"
        [[offers]]
        game = "deuces-wild"
        wager = "bonus-jackpot"
        paytable = "A"
        bonuses = { five-wild-cards = "100%" }
        [[levels]]
        name = "main"
        pays = ["five-wild-cards"]
        contribution = "1/7"
        seed = "$1,000"
    """)


def prime_table(paytable: str = "F4P-1") -> TableSetup:
    setup = default_setup("three-card-prime")
    dollar = WagerLimits(100, 100, 100)
    wagers = dict(setup.wagers) | {
        "final-four": WagerSetup(dollar, paytable),
        "all-seven": WagerSetup(dollar, "A7P-1"),
    }
    return replace(setup, wagers=wagers)


def deuces_table() -> TableSetup:
    setup = default_setup("deuces-wild")
    jackpot = replace(setup.wagers["bonus-jackpot"], paytable="A", bonuses={"five-wild-cards": "100%"})
    return replace(setup, wagers=dict(setup.wagers) | {"bonus-jackpot": jackpot})


def prime_sensors(table: str, *jackpots: str, location: str = "Lakewood", kind: str = "progressive") -> TabulatorSetup:
    """Two sensors a position, for the Final Four and for All Seven."""
    sensors = tuple(
        WagerSensor(wager, paytable, jackpot, kind if jackpot else None, 100)
        for wager, paytable, jackpot in (
            ("final-four", "F4P-1", next((one for one in jackpots if one != "all-seven"), None)),
            ("all-seven", "A7P-1", "all-seven" if "all-seven" in jackpots else None),
        )
    )
    return TabulatorSetup(table, "three-card-prime", location, "andromeda-3d", 6, sensors)


def deuces_sensors(table: str = "wild-1") -> TabulatorSetup:
    sensor = WagerSensor("bonus-jackpot", "A", "five-wild", "progressive", 100)
    return TabulatorSetup(table, "deuces-wild", "Lakewood", "andromeda-1", 6, (sensor,))


def open_room(card_room: CardRoom, tables: int = 2, setup: JackpotSetup | None = None) -> None:
    """Some tables that play for one Final Four."""
    jackpot = setup or final_four()
    card_room.jackpots.open(new_id(), "Olga", jackpot)
    for number in range(1, tables + 1):
        card_room.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(
                f"prime-{number}",
                prime_table(),
                tabulator=UnitSetup(prime_sensors(f"prime-{number}", jackpot.id), f"unit-{number}"),
            ),
        )


def play_fast(card_room: CardRoom) -> None:
    """Rounds are played as fast as they can be here: the room takes a table for one that plays a round a second."""
    settings = SiteSettings(rounds_an_hour=3600)

    def decide(draft: UnitOfWork) -> None:
        draft.apply_to_room(
            configure_site(draft.room(), settings, who="Olga", second="Carl", why="units are played fast")
        )

    card_room.execute("fast", {"do": "fast"}, Locks(room=True), decide, lambda _: None)


def hurry(card_room: CardRoom) -> None:
    """A whole evening takes seconds: each round takes up its table for a microsecond."""

    def pace() -> PlayRate:
        now = card_room.clock()
        return PlayRate(3_600_000_000, now, now)

    vars(card_room)["_read_pace"] = pace


def play(
    card_room: CardRoom, table: str = "prime-1", seats: int = 6, rounds: int = 1, round_id: str | None = None
) -> RoundCountResult:
    """Rounds at a table in which so many seats make the jackpot wager; a single round may have a name."""
    answer = None
    for _ in range(rounds):
        answer = card_room.tabulate(new_id(), "Kim", table, {1: range(1, seats + 1)}, round_id=round_id)
    assert answer is not None
    return answer


def pay(
    card_room: CardRoom,
    who: str,
    jackpot: str,
    claim: str,
    surveillance: SurveillanceCheck | None = None,
    payment: PaymentMethod = PaymentMethod.CASH,
) -> ClaimDecisionResult:
    """A claim is paid, every winner in cash unless it is said."""
    winners = all_winners(card_room.jackpot(jackpot).claim(claim), payment)
    return card_room.payments.pay(new_id(), who, jackpot, claim, paid=winners, surveillance=surveillance)


def presses(table: str, rounds: int, seats: int = 6, name: str = "") -> list[ButtonPress]:
    return [
        ButtonPress(f"{name or table}-{number}", "Kim", table, {1: range(1, seats + 1)}) for number in range(rounds)
    ]


def shown(card_room: CardRoom, jackpot: str = "final-four") -> int:
    """What the highest level shows, in cents."""
    return card_room.jackpot(jackpot).meters[0].displayed_cents


def reconcile_short(card_room: CardRoom, who: str, cents: int, jackpot: str = "final-four", **more: Any) -> None:
    """A statement of today that has less than the books, with the shortage confirmed."""
    short = -(-card_room.jackpot(jackpot).escrow // CENT) - cents
    card_room.jackpots.reconcile(new_id(), who, jackpot, cents, day=None, shortage_cents=short, **more)


def is_covered(card_room: CardRoom, jackpot: str = "final-four") -> bool:
    """By its own books and by the ledger's, what is owed to the players is covered."""
    state = card_room.jackpot(jackpot)
    owed = {"display", "reserve", "overflow", "pending"}
    balances = card_room.ledger.balances()
    by_kind: dict[str, int] = {}
    for account, amount in balances.items():
        if account.owner.split("/")[0] == jackpot:
            by_kind[account.kind] = by_kind.get(account.kind, 0) + amount
    booked = sum(by_kind.get(kind, 0) for kind in owed)
    held = by_kind.get("escrow", 0) + by_kind.get("undeposited", 0)
    return booked == held == state.owed == state.escrow + state.undeposited


def whole(card_room: CardRoom) -> dict[str, Any]:
    """Everything that could change: heads with snapshots, and balances."""
    chains = card_room.ledger.chains()
    return {"heads": [card_room.ledger.head(chain) for chain in chains], "balances": card_room.ledger.balances()}


def dollars(amount: int) -> float:
    """Hundredths of a cent in dollars, for reading test failures."""
    return amount / CENT / 100
