"""What is said of play money wherever it stands; the room's own money is dollars, as everybody takes them."""

from __future__ import annotations

from cardroom.accounts import Money
from cardroom.terminal.palette import COST


def money_tag(money: Money, before: str = "", after: str = "  ") -> tuple[tuple[str, str], ...]:
    """A word beside a name or an amount, for ``Text.assemble``.

    >>> money_tag(Money.PLAY)[0][0], money_tag(Money.ROOM)
    ('play money  ', ())
    """
    return ((f"{before}{money.words}{after}", COST),) if money is Money.PLAY else ()
