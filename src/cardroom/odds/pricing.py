"""The price of one wager under one paytable, in one call.

>>> odds = price("three-card-prime", "ante-play", "PW/BB 1")
>>> odds.house_edge, f"{float(odds.house_edge):.4%}"
(Fraction(226743, 7830200), '2.8957%')
>>> price("dueling-for-dollars", "duel", decks=8).house_edge
Fraction(22847, 788417)
"""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.odds.pricer import Progress, ignore_progress
from cardroom.odds.prices import BadPriceRequest, PriceQuery, compute_odds, find_requests
from cardroom.odds.result import Odds, Setting
from cardroom.paytables import Pay, Paytable


def price(
    game: str,
    wager: str,
    paytable: str | Paytable | None = None,
    *,
    meter_cents: int | None = None,
    bonuses: Mapping[str, str | Pay] | None = None,
    use_cache: bool = True,
    progress: Progress = ignore_progress,
    **options: Setting,
) -> Odds:
    """The odds of a wager: exact where the game can be counted, else simulated, as ``Odds.method_text`` says.

    ``paytable`` is the name of a printed table, or a custom one; a wager with one table needs none. ``meter_cents`` is
    what a jackpot's meter shows for a one-dollar wager, and ``bonuses`` gives the operator's amounts for open lines, by
    event. The options are those of ``cardroom odds``, such as ``decks=8`` or ``ties="push"``.

    >>> price("three-card-prime", "ante-play")
    Traceback (most recent call last):
    ...
    cardroom.odds.prices.BadPriceRequest: ante-play has several paytables: name one of PW/BB 1, PW/BB 2, ...
    """
    query = PriceQuery(
        game=game,
        wager=wager,
        paytable=paytable if isinstance(paytable, str) else None,
        settings=options or None,
        meter_cents=meter_cents,
        bonuses=bonuses,
        table=paytable if isinstance(paytable, Paytable) else None,
    )
    requests = find_requests(query)
    if len(requests) > 1:
        names = ", ".join(request.table.name for request in requests)
        raise BadPriceRequest(f"{wager} has several paytables: name one of {names}.")
    return compute_odds(requests[0], use_cache=use_cache, progress=progress)
